//! One event for each write, in the write's own transaction.

use diesel_async::AsyncPgConnection;
use serde_json::{Value, json};
use wayfare_domain::{Actor, AuditEvent, BookingStatus, EventId, EventKind, OrganizationId};
use wayfare_store::{
    batch::writes::Writes,
    booking::{bookings::Booking, refunds::Refund},
};

use crate::{Core, Result};

pub(crate) struct Change<'a> {
    pub organization: OrganizationId,
    pub actor: &'a Actor,
    pub action: EventKind,
    pub entity_id: String,
    pub old_value: Option<Value>,
    pub new_value: Option<Value>,
}

impl<'a> Change<'a> {
    /// What has neither a value of before nor one of after.
    pub(crate) fn of(
        organization: OrganizationId,
        actor: &'a Actor,
        action: EventKind,
        entity: impl ToString,
    ) -> Self {
        let entity_id = entity.to_string();
        Self { organization, actor, action, entity_id, old_value: None, new_value: None }
    }
}

pub(crate) fn event(core: &Core, change: Change<'_>) -> AuditEvent {
    let now = core.clock.now();
    AuditEvent {
        id: EventId::at(now),
        organization: change.organization,
        actor: change.actor.clone(),
        action: change.action,
        entity_id: change.entity_id,
        old_value: change.old_value,
        new_value: change.new_value,
        at: now,
    }
}

/// Writes one event alone, in the caller's transaction.
pub(crate) async fn write(connection: &AsyncPgConnection, event: &AuditEvent) -> Result<()> {
    let mut writes = Writes::default();
    writes.event(event);
    Ok(writes.send(connection).await?)
}

/// The event that a refund is paid; none where nothing comes back.
pub(crate) fn of_refund<P>(
    core: &Core,
    actor: &Actor,
    booking: &Booking<P>,
    refund: &Refund,
) -> Option<AuditEvent> {
    let back = refund.refund_to_wallet;
    if back.is_zero() {
        return None;
    }
    let change = Change {
        new_value: Some(json!({
            "product": booking.kind,
            "refund_id": refund.id,
            "amount": back.number(),
            "cancellation_charge": refund.cancellation_charge.number(),
            "currency": back.currency(),
            "user_id": booking.user,
        })),
        ..Change::of(booking.organization, actor, EventKind::RefundCompleted, &booking.reference)
    };
    Some(event(core, change))
}

/// The event that a booking is what it is now.
pub(crate) fn of_booking<P>(
    core: &Core,
    actor: &Actor,
    booking: &Booking<P>,
    action: EventKind,
    before: Option<BookingStatus>,
) -> AuditEvent {
    let change = Change {
        old_value: before.map(|status| json!({ "status": status })),
        new_value: Some(json!({
            "product": booking.kind,
            "status": booking.status,
            "amount": booking.amount.number(),
            "currency": booking.amount.currency(),
            "user_id": booking.user,
            "failure": booking.failure,
        })),
        ..Change::of(booking.organization, actor, action, &booking.reference)
    };
    event(core, change)
}
