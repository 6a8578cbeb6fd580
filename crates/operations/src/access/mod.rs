//! Who may come in: log-in, sessions, users, passwords, and the proofs of what somebody may do.

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

use std::sync::Arc;

use argon2::Argon2;
pub use argon2::Params as PasswordCost;
use tokio::sync::OnceCell;

use crate::Core;
use authentication::Identities;
use idempotency::InFlightKeys;
use password_pool::PasswordPool;

/// What log-ins and requests need beside the database.
pub struct Access {
    pub(crate) core: Arc<Core>,
    identities: Identities,
    in_flight_keys: InFlightKeys,
    password_pool: PasswordPool,
    argon2: Argon2<'static>,
    /// Verified against when there is no such user, so that both take the same time.
    dummy_hash: OnceCell<String>,
}

impl Access {
    pub(crate) fn new(core: Arc<Core>, password_cost: PasswordCost) -> Self {
        Self {
            identities: authentication::identities(&core.database, &core.runtime),
            in_flight_keys: InFlightKeys::default(),
            password_pool: PasswordPool::start(),
            argon2: Argon2::from(password_cost),
            dummy_hash: OnceCell::new(),
            core,
        }
    }
}
