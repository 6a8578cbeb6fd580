//! One event for each write, in the write's own transaction.

use diesel_async::AsyncPgConnection;
use serde_json::Value;
use wayfare_domain::{Actor, Event, EventId, OrganizationId};
use wayfare_store::journal;

use crate::{Platform, Result};

/// What happened to what.
pub(crate) struct Change<'a> {
    pub organization: OrganizationId,
    pub actor: &'a Actor,
    pub action: &'static str,
    pub entity_type: &'static str,
    pub entity_id: String,
    pub old_value: Option<Value>,
    pub new_value: Option<Value>,
}

/// Records a change.
pub(crate) async fn record(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    change: Change<'_>,
) -> Result<()> {
    let event = Event {
        id: EventId::new(&platform.clock),
        organization: change.organization,
        actor: change.actor.clone(),
        action: change.action,
        entity_type: change.entity_type,
        entity_id: change.entity_id,
        old_value: change.old_value,
        new_value: change.new_value,
        at: platform.clock.now(),
    };
    Ok(journal::record(connection, &event).await?)
}
