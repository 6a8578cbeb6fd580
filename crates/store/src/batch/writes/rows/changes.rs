//! What airlines have changed of orders, and what is decided about it.

use chrono::{DateTime, Utc};
use uuid::Uuid;
use wayfare_domain::{StepId, UserId};

use super::rows;
use crate::{
    JsonText,
    booking::order_changes::{Decision, OrderChange},
};

rows! {
    NewChange of (change: &OrderChange) {
        org_id: Uuid = change.organization.uuid(),
        booking_id: Uuid = change.booking.uuid(),
        user_id: Uuid = change.user.uuid(),
        number: u16 = change.number,
        supplier_change_id: String = change.supplier_id.clone(),
        id: Uuid = change.id.uuid(),
        place: u16 = change.place,
        kind: &'static str = change.kind.into(),
        minutes: Option<i32> = change.minutes,
        before: JsonText = change.before.clone(),
        after: JsonText = change.after.clone(),
        state: &'static str = change.state.into(),
        actions: Vec<String> = change.actions.clone(),
        decide_by: Option<DateTime<Utc>> = change.decide_by,
        due_at: Option<DateTime<Utc>> = change.due_at,
        found_at: DateTime<Utc> = change.found_at,
        decided_at: Option<DateTime<Utc>> = change.decided_at,
        decided_by: Option<Uuid> = change.decided_by.map(UserId::uuid),
        effect_id: Option<Uuid> = change.step.map(StepId::uuid),
    }

    DecidedChange of (decision: &Decision<'_>) {
        org_id: Uuid = decision.organization.uuid(),
        booking_id: Uuid = decision.booking.uuid(),
        number: u16 = decision.number,
        supplier_change_id: Option<String> = decision.supplier_id.map(str::to_owned),
        state: &'static str = decision.state.into(),
        due_at: Option<DateTime<Utc>> = decision.due_at,
        decided_at: Option<DateTime<Utc>> = decision.decided_at,
        decided_by: Option<Uuid> = decision.decided_by.map(UserId::uuid),
        effect_id: Option<Uuid> = decision.step.map(StepId::uuid),
    }
}
