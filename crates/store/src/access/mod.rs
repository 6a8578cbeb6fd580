//! Who may come in, as rows: users, sessions, organizations, settings, idempotency keys.

pub mod idempotency;
pub mod organizations;
pub mod sessions;
pub mod settings;
pub mod users;
