//! Who may come in: log-in, sessions, users, passwords, and the proofs of what a caller may do.

pub(crate) mod access_token;
pub mod authentication;
pub(crate) mod caller;
pub mod idempotency;
pub mod login;
pub(crate) mod login_policy;
pub mod operators;
pub mod own_profile;
pub(crate) mod password;
pub(crate) mod password_pool;
pub mod sessions;
pub mod users;
