//! One event for each write, in the write's own transaction.

use serde_json::{Value, json};
use wayfare_domain::{Actor, AuditEvent, BookingStatus, EventId, EventKind, OrganizationId};
use wayfare_store::booking::{bookings::Booking, refunds::Refund};

use crate::Core;

pub(crate) struct Change<'a> {
    pub organization: OrganizationId,
    pub actor: &'a Actor,
    pub action: EventKind,
    pub entity_id: String,
    pub old_value: Option<Value>,
    pub new_value: Option<Value>,
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
        organization: booking.organization,
        actor,
        action: EventKind::RefundCompleted,
        entity_id: booking.reference.to_string(),
        old_value: None,
        new_value: Some(json!({
            "product": booking.kind,
            "refund_id": refund.id,
            "amount": back.number(),
            "cancellation_charge": refund.cancellation_charge.number(),
            "currency": back.currency(),
            "user_id": booking.user,
        })),
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
        organization: booking.organization,
        actor,
        action,
        entity_id: booking.reference.to_string(),
        old_value: before.map(|status| json!({ "status": status })),
        new_value: Some(json!({
            "product": booking.kind,
            "status": booking.status,
            "amount": booking.amount.number(),
            "currency": booking.amount.currency(),
            "user_id": booking.user,
            "failure": booking.failure,
        })),
    };
    event(core, change)
}
