//! The rows of [`super::Writes`] as PostgreSQL reads them from JSON: fields are named as its columns.

mod money;
mod outgoing;

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use uuid::Uuid;
use wayfare_domain::{
    BookingId, OrganizationId, PackageId, QuoteId, ReportId, StepId, TransferId, UserId, WebhookId,
};

use crate::{
    StoreError,
    access::idempotency::{CreatedResource, NewKey},
    booking::{bookings, refunds, steps},
    money::fare_ledger,
};

pub(super) use money::{ClosedHold, Entry, Hold, Transfer, Wallet};
pub(super) use outgoing::{Notification, OutboxEvent};

/// Bytes as `bytea` reads them.
fn bytea(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("\\x");
    for byte in bytes {
        // Writing into a string can't fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn json<T: Serialize>(what: &'static str, value: &T) -> Result<Box<RawValue>, StoreError> {
    to_raw_value(value).map_err(|error| StoreError::Corrupt {
        what,
        value: error.to_string(),
    })
}

#[derive(Serialize)]
pub(super) struct Quote {
    org_id: Uuid,
    id: Uuid,
    booking_id: Option<Uuid>,
}

impl Quote {
    pub(super) fn of(organization: OrganizationId, id: QuoteId, booking: Option<BookingId>) -> Self {
        Self {
            org_id: organization.uuid(),
            id: id.uuid(),
            booking_id: booking.map(BookingId::uuid),
        }
    }
}

#[derive(Serialize)]
pub(super) struct NewBooking {
    #[serde(flatten)]
    present: Booking,
    booking_ref: String,
    product: &'static str,
    user_id: Uuid,
    user_name: String,
    wallet_id: Uuid,
    hold_id: Uuid,
    quote_id: Uuid,
    provider: String,
    origin: String,
    destination: String,
    passenger_count: i32,
    currency: &'static str,
    base_fare: Decimal,
    public_fare: Decimal,
    product_content: Box<RawValue>,
    created_at: DateTime<Utc>,
    #[serde(rename = "likeness")]
    fingerprint: Option<String>,
}

impl NewBooking {
    pub(super) fn of(
        booking: &bookings::Booking<()>,
        fingerprint: Option<&bookings::Fingerprint>,
        product: &RawValue,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            present: Booking::repriced(booking)?,
            booking_ref: booking.reference.to_string(),
            product: booking.kind.into(),
            user_id: booking.user.uuid(),
            user_name: booking.user_name.clone(),
            wallet_id: booking.wallet.uuid(),
            hold_id: booking.hold.uuid(),
            quote_id: booking.quote.uuid(),
            provider: booking.summary.provider.clone(),
            origin: booking.summary.origin.clone(),
            destination: booking.summary.destination.clone(),
            passenger_count: booking.summary.passenger_count,
            currency: booking.amount.currency().code(),
            base_fare: booking.base_fare.amount(),
            public_fare: booking.public_fare.amount(),
            product_content: product.to_owned(),
            created_at: booking.created_at,
            fingerprint: fingerprint.map(|fingerprint| bytea(&fingerprint.0)),
        })
    }
}

/// What changes of a booking.
#[derive(Serialize)]
pub(super) struct Booking {
    org_id: Uuid,
    id: Uuid,
    status: &'static str,
    pnr: String,
    failure: Option<String>,
    booked_at: Option<DateTime<Utc>>,
    cancelled_at: Option<DateTime<Utc>>,
    /// Where it has changed: what it costs now, and why.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    cost: Option<Cost>,
}

/// What a booking costs, and why.
#[derive(Serialize)]
struct Cost {
    amount: Decimal,
    pricing: Box<RawValue>,
}

impl Booking {
    pub(super) fn of<P>(booking: &bookings::Booking<P>) -> Self {
        Self {
            org_id: booking.organization.uuid(),
            id: booking.id.uuid(),
            status: booking.status.into(),
            pnr: booking.summary.pnr.clone(),
            failure: booking.failure.clone(),
            booked_at: booking.booked_at,
            cancelled_at: booking.cancelled_at,
            cost: None,
        }
    }

    pub(super) fn repriced<P>(booking: &bookings::Booking<P>) -> Result<Self, StoreError> {
        let cost = Cost {
            amount: booking.amount.amount(),
            pricing: json("bookings.pricing", &booking.sales)?,
        };
        Ok(Self {
            cost: Some(cost),
            ..Self::of(booking)
        })
    }

    /// As it is after both.
    pub(super) fn after(self, earlier: Option<Self>) -> Self {
        Self {
            cost: self.cost.or(earlier.and_then(|earlier| earlier.cost)),
            ..self
        }
    }
}

#[derive(Serialize)]
pub(super) struct Order {
    org_id: Uuid,
    booking_id: Uuid,
    number: u16,
    reference: String,
    supplier: String,
    status: &'static str,
    supplier_order_id: Option<String>,
    content: Option<Box<RawValue>>,
    updated_at: DateTime<Utc>,
    #[serde(rename = "look_at")]
    next_poll_at: Option<DateTime<Utc>>,
    #[serde(rename = "looks")]
    poll_count: i32,
}

impl Order {
    pub(super) fn of<P, O: Serialize>(
        booking: &bookings::Booking<P>,
        order: &bookings::Order<O>,
        at: DateTime<Utc>,
    ) -> Result<Self, StoreError> {
        let content = order.content.as_ref();
        Ok(Self {
            org_id: booking.organization.uuid(),
            booking_id: booking.id.uuid(),
            number: order.number,
            reference: order.reference.to_string(),
            supplier: order.supplier.clone(),
            status: order.status.into(),
            supplier_order_id: order.supplier_order_id.clone(),
            content: content
                .map(|content| json("supplier_orders.content", content))
                .transpose()?,
            updated_at: at,
            next_poll_at: order.next_poll_at,
            poll_count: 0,
        })
    }
}

#[derive(Serialize)]
pub(super) struct Step {
    org_id: Uuid,
    id: Uuid,
    booking_id: Uuid,
    number: u16,
    kind: &'static str,
    supplier: String,
    requested_by: Option<Uuid>,
    request: Value,
    state: &'static str,
    sent_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
    attempts: i32,
    #[serde(rename = "chain")]
    saga: Uuid,
    #[serde(rename = "step")]
    position: u16,
    #[serde(rename = "steps")]
    saga_length: u16,
}

impl Step {
    pub(super) fn of(step: &steps::Step) -> Self {
        Self {
            org_id: step.organization.uuid(),
            id: step.id.uuid(),
            booking_id: step.booking.uuid(),
            number: step.number,
            kind: step.kind.into(),
            supplier: step.supplier.clone(),
            requested_by: step.requested_by.map(UserId::uuid),
            request: step.request.clone(),
            state: if step.planned { "planned" } else { "open" },
            sent_at: step.sent_at,
            due_at: step.due_at,
            attempts: step.attempts,
            saga: step.saga.uuid(),
            position: step.position,
            saga_length: step.saga_length,
        }
    }
}

/// A planned step that begins.
#[derive(Serialize)]
pub(super) struct BegunStep {
    org_id: Uuid,
    id: Uuid,
    sent_at: DateTime<Utc>,
    due_at: DateTime<Utc>,
}

impl BegunStep {
    pub(super) fn of(step: &steps::Step) -> Self {
        Self {
            org_id: step.organization.uuid(),
            id: step.id.uuid(),
            sent_at: step.sent_at,
            due_at: step.due_at,
        }
    }
}

#[derive(Serialize)]
pub(super) struct CompletedStep {
    org_id: Uuid,
    id: Uuid,
    state: &'static str,
    closed_at: DateTime<Utc>,
    problem: Option<String>,
}

impl CompletedStep {
    pub(super) fn of(
        step: &steps::Step,
        outcome: steps::Outcome,
        problem: Option<&str>,
        at: DateTime<Utc>,
    ) -> Self {
        Self {
            org_id: step.organization.uuid(),
            id: step.id.uuid(),
            state: match outcome {
                steps::Outcome::Done => "done",
                steps::Outcome::Refused => "refused",
            },
            closed_at: at,
            problem: problem.map(str::to_owned),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Key {
    org_id: Uuid,
    user_id: Uuid,
    key: String,
    fingerprint: String,
    booking_ref: Option<String>,
    effect_id: Option<Uuid>,
    made_user_id: Option<Uuid>,
    made_transfer_id: Option<Uuid>,
    made_package_id: Option<Uuid>,
    made_webhook_id: Option<Uuid>,
    made_report_id: Option<Uuid>,
    created_at: DateTime<Utc>,
}

impl Key {
    pub(super) fn of(key: NewKey<'_>, created: CreatedResource, at: DateTime<Utc>) -> Self {
        let (mut booking, mut effect, mut user, mut transfer) = (None, None, None, None);
        let (mut package, mut webhook, mut report) = (None, None, None);
        match created {
            CreatedResource::Effect(of, made) => (booking, effect) = (Some(of), Some(made)),
            CreatedResource::User(made) => user = Some(made),
            CreatedResource::Transfer(made) => transfer = Some(made),
            CreatedResource::Package(made) => package = Some(made),
            CreatedResource::Webhook(made) => webhook = Some(made),
            CreatedResource::Report(made) => report = Some(made),
        }
        Self {
            org_id: key.organization.uuid(),
            user_id: key.user.uuid(),
            key: key.key.to_owned(),
            fingerprint: bytea(key.fingerprint),
            booking_ref: booking.map(|booking| booking.to_string()),
            effect_id: step.map(StepId::uuid),
            made_user_id: user.map(UserId::uuid),
            made_transfer_id: transfer.map(TransferId::uuid),
            made_package_id: package.map(PackageId::uuid),
            made_webhook_id: webhook.map(WebhookId::uuid),
            made_report_id: report.map(ReportId::uuid),
            created_at: at,
        }
    }
}

#[derive(Serialize)]
pub(super) struct FreedKey {
    org_id: Uuid,
    effect_id: Uuid,
}

impl FreedKey {
    pub(super) fn of(organization: OrganizationId, step: StepId) -> Self {
        Self {
            org_id: organization.uuid(),
            effect_id: step.uuid(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Fare {
    org_id: Uuid,
    id: Uuid,
    booking_id: Uuid,
    booking_ref: String,
    product: &'static str,
    pnr: String,
    provider: String,
    user_id: Uuid,
    user_name: String,
    currency: &'static str,
    public_fare: Decimal,
    agent_fare: Decimal,
    agent_commission: Decimal,
    markup: Decimal,
    issued_at: DateTime<Utc>,
    transfer_id: Option<Uuid>,
}

impl Fare {
    pub(super) fn of(row: &fare_ledger::FareTransaction) -> Self {
        Self {
            org_id: row.organization.uuid(),
            id: row.id.uuid(),
            booking_id: row.booking.uuid(),
            booking_ref: row.reference.to_string(),
            product: row.product.into(),
            pnr: row.pnr.clone(),
            provider: row.provider.clone(),
            user_id: row.user.uuid(),
            user_name: row.user_name.clone(),
            currency: row.agent_fare.currency().code(),
            public_fare: row.public_fare.amount(),
            agent_fare: row.agent_fare.amount(),
            agent_commission: row.agent_commission.amount(),
            markup: row.markup.amount(),
            issued_at: row.issued_at,
            transfer_id: row.transfer.map(TransferId::uuid),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Refund {
    org_id: Uuid,
    id: Uuid,
    status: &'static str,
    provider_refund_id: Option<String>,
    refunded_at: Option<DateTime<Utc>>,
}

impl Refund {
    pub(super) fn of(refund: &refunds::Refund) -> Self {
        Self {
            org_id: refund.organization.uuid(),
            id: refund.id.uuid(),
            status: refund.status.into(),
            provider_refund_id: refund.provider_refund_id.clone(),
            refunded_at: refund.refunded_at,
        }
    }
}

#[derive(Serialize)]
pub(super) struct Event {
    org_id: Uuid,
    id: Uuid,
    actor_type: &'static str,
    actor_id: Option<Uuid>,
    action: &'static str,
    entity_type: &'static str,
    entity_id: String,
    old_value: Option<Value>,
    new_value: Option<Value>,
    ip_address: String,
    user_agent: String,
    request_id: String,
    created_at: DateTime<Utc>,
}

impl Event {
    pub(super) fn of(event: &wayfare_domain::AuditEvent) -> Self {
        let origin = &event.actor.origin;
        Self {
            org_id: event.organization.uuid(),
            id: event.id.uuid(),
            actor_type: event.actor.kind.into(),
            actor_id: event.actor.user.map(UserId::uuid),
            action: event.action,
            entity_type: event.entity_type,
            entity_id: event.entity_id.clone(),
            old_value: event.old_value.clone(),
            new_value: event.new_value.clone(),
            ip_address: origin
                .address
                .map(|address| address.to_string())
                .unwrap_or_default(),
            user_agent: origin.user_agent.clone(),
            request_id: origin.request_id.clone(),
            created_at: event.at,
        }
    }
}
