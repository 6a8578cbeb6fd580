//! The operator's API, on a listener of its own: whoever works for the platform rules on incidents, moves money and sets prices
//! there. Its session has no method of an agency's, and an agency's [`crate::Session`] none of these.

mod agencies;
mod audit_logs;
mod bookings;
mod incidents;
mod ledger;
mod money;
mod operators;
mod overview;
mod prices;
mod rates;
mod sessions;
mod suppliers;

use std::fmt;

use secrecy::SecretString;

pub use wayfare_contract::operator::*;

pub use self::{
    audit_logs::OperatorEventFilter, bookings::BookingSearch, incidents::IncidentFilter, prices::ContractOf,
};
use crate::{Client, Session, error::Result};

/// The operator's API at one address. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OperatorClient(Client);

impl OperatorClient {
    /// The API at the address of this client, which says how calls are made.
    pub fn of(client: Client) -> Self {
        Self(client.of_operator())
    }

    /// The API at this address, without `/operator/v1`, with usual time-outs and retries.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] for an address that is none.
    pub fn new(base_url: impl Into<String>) -> Result<Self> {
        Client::new(base_url).map(Self::of)
    }

    /// As [`Client::with_header`].
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] for a value that no header can have.
    pub fn with_header(self, name: &'static str, value: &str) -> Result<Self> {
        self.0.with_header(name, value).map(Self)
    }

    /// A session whose token was given before: [`crate::Error::SessionEnded`] when it is over. Nothing is asked until it is
    /// used.
    pub fn with_token(&self, token: impl Into<SecretString>) -> OperatorSession {
        OperatorSession(self.0.with_token(token))
    }
}

/// An operator who is logged in. Cheap to clone.
#[derive(Clone)]
pub struct OperatorSession(Session);

impl OperatorSession {
    /// The same session whose next effect is sent under this key, as [`Session::keyed`].
    #[must_use]
    pub fn keyed(&self, idempotency_key: impl Into<String>) -> Self {
        Self(self.0.keyed(idempotency_key))
    }
}

impl fmt::Debug for OperatorSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperatorSession").finish_non_exhaustive()
    }
}
