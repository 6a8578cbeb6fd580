//! The journal: one event for each write, in its transaction.

use diesel::ExpressionMethods;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{Event, UserId};

use crate::{StoreError, schema::events};

/// Writes an event.
///
/// # Errors
/// When the database can't be asked.
pub async fn record(connection: &mut AsyncPgConnection, event: &Event) -> Result<(), StoreError> {
    let origin = &event.actor.origin;
    diesel::insert_into(events::table)
        .values((
            events::org_id.eq(event.organization.uuid()),
            events::id.eq(event.id.uuid()),
            events::actor_type.eq(event.actor.kind.as_ref()),
            events::actor_id.eq(event.actor.user.map(UserId::uuid)),
            events::action.eq(event.action),
            events::entity_type.eq(event.entity_type),
            events::entity_id.eq(&event.entity_id),
            events::old_value.eq(&event.old_value),
            events::new_value.eq(&event.new_value),
            events::ip_address.eq(&origin.address),
            events::user_agent.eq(&origin.user_agent),
            events::request_id.eq(&origin.request_id),
            events::created_at.eq(event.at),
        ))
        .execute(connection)
        .await?;
    Ok(())
}
