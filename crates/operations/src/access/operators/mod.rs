//! Operators: who works for the platform, the proofs of what they may do, and their sessions.
//!
//! An operation that only the operator may call takes a [`By`]: the platform in the hands of somebody who has its proof, or
//! of the command line, which whoever has the database's keys may use.

pub mod accounts;
mod proofs;
pub mod sessions;

pub use proofs::{By, Desk, Finance, MoneyMover, OperatorAdmin, OperatorProof, Viewer};
pub use wayfare_store::operators::{Operator, OperatorSession};

use diesel_async::AsyncPgConnection;
use serde_json::Value;
use wayfare_domain::{EventId, OperatorId};
use wayfare_store::operators::{self, NewOperatorEvent};

use crate::{Platform, Result};

/// Writes down what was done about an operator, by whom and from where.
async fn note(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    (actor, address): (Option<OperatorId>, String),
    action: &str,
    operator: OperatorId,
    value: Value,
) -> Result<()> {
    let at = platform.clock.now();
    let event = NewOperatorEvent {
        id: EventId::at(at),
        actor,
        action,
        operator: Some(operator),
        value,
        address,
        at,
    };
    Ok(operators::note(connection, &event).await?)
}
