//! Operators: who works for the platform, the proofs of what they may do, and their sessions.
//!
//! An operation that only the operator may call takes a [`By`]: somebody who has its proof, or the command line, which whoever
//! has the database's keys may use.

pub mod accounts;
mod proofs;
pub mod sessions;

pub use proofs::{
    By, ConfirmedAdmin, ConfirmedDesk, ConfirmedFinance, Desk, Finance, OperatorAdmin, OperatorProof, Viewer,
};
pub use wayfare_store::operator::operators::Operator;

use chrono::{DateTime, Utc};
use diesel_async::AsyncPgConnection;
use serde_json::Value;
use wayfare_domain::{EventId, OperatorId};
use wayfare_store::operator::operator_events::{self, NewOperatorEvent};

use crate::{Core, Result};

/// Writes down what was done about an operator, by whom and from where.
async fn note(
    core: &Core,
    connection: &mut AsyncPgConnection,
    (actor, address): (Option<OperatorId>, String),
    action: &str,
    operator: OperatorId,
    value: Value,
) -> Result<()> {
    let at = core.clock.now();
    let event =
        NewOperatorEvent { id: EventId::at(at), actor, action, operator: Some(operator), value, address, at };
    Ok(operator_events::note(connection, &event).await?)
}

/// Writes down what was done about a supplier or an exchange rate, which `value` names, when, and by which operator. Both are no
/// agency's, so that no agency's audit log has it (D-556).
pub(crate) async fn note_beside_agencies<P>(
    by: &By<P>,
    connection: &mut AsyncPgConnection,
    (action, at): (&str, DateTime<Utc>),
    value: Value,
) -> Result<()> {
    let event = NewOperatorEvent {
        id: EventId::at(at),
        actor: by.operator(),
        action,
        operator: None,
        value,
        // As in agencies' audit logs: from where an operator works is nobody's to know.
        address: String::new(),
        at,
    };
    Ok(operator_events::note(connection, &event).await?)
}
