//! The rows of [`super::Writes`] as PostgreSQL reads them from JSON: fields are named as its columns.

mod changes;
mod key;
mod money;
mod outgoing;

use std::{
    collections::{BTreeMap, btree_map::IntoValues},
    sync::Arc,
};

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::{Serialize, Serializer};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use uuid::Uuid;
use wayfare_domain::{BookingId, Money, OperatorId, OrganizationId, QuoteId, StepId, TransferId, UserId};

use crate::{
    JsonText, Result, StoreError,
    booking::{bookings, duplicates::Fingerprint, people, refunds, steps},
    error::corrupt_json,
    money::fare_ledger,
};

pub(super) use changes::{DecidedChange, NewChange};
pub(super) use key::Key;
pub(super) use money::{ClosedHold, Entry, Hold, Transfer, Wallet};
pub(super) use outgoing::{Notification, OutboxEvent};

/// Rows, each with its columns: their types and what they are written from.
macro_rules! rows {
    ($($(#[$meta:meta])* $name:ident of ($($from:ident: $from_type:ty),*) {
        $($(#[$column_meta:meta])* $column:ident: $type:ty = $value:expr,)*
    })*) => {$(
        $(#[$meta])*
        #[derive(serde::Serialize)]
        pub(in crate::batch::writes) struct $name {
            $($(#[$column_meta])* $column: $type,)*
        }

        impl $name {
            pub(in crate::batch::writes) fn of($($from: $from_type),*) -> Self {
                Self { $($column: $value,)* }
            }
        }

        impl crate::batch::writes::rows::Row for $name {}
    )*};
}
use rows;

/// The values of a large column, one for each row, which travel beside the rows.
pub(super) enum Large<'a> {
    Texts(Vec<&'a str>),
    Bytes(Vec<&'a [u8]>),
}

pub(super) trait Row: Serialize + Sized {
    /// What travels beside these rows, in the order in which its part has the columns.
    fn large_of<'a>(_rows: &[&'a Self]) -> Vec<Large<'a>> {
        Vec::new()
    }
}

pub(super) trait Rows: Serialize {
    fn count(&self) -> usize;
    fn large(&self) -> Vec<Large<'_>>;
}

impl<R: Row> Rows for Vec<R> {
    fn count(&self) -> usize {
        self.len()
    }

    fn large(&self) -> Vec<Large<'_>> {
        R::large_of(&self.iter().collect::<Vec<_>>())
    }
}

/// A row of which a batch writes only the last of each thing.
pub(super) trait Latest: Row {
    fn id(&self) -> Uuid;

    /// As it is after both.
    fn after(self, _earlier: Self) -> Self {
        self
    }
}

pub(super) struct ById<R>(BTreeMap<Uuid, R>);

impl<R> Default for ById<R> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<R: Latest> Extend<R> for ById<R> {
    fn extend<T: IntoIterator<Item = R>>(&mut self, rows: T) {
        for row in rows {
            let id = row.id();
            let row = match self.0.remove(&id) {
                Some(earlier) => row.after(earlier),
                None => row,
            };
            self.0.insert(id, row);
        }
    }
}

impl<R> IntoIterator for ById<R> {
    type Item = R;
    type IntoIter = IntoValues<Uuid, R>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_values()
    }
}

impl<R: Latest> Serialize for ById<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.values())
    }
}

impl<R: Latest> Rows for ById<R> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn large(&self) -> Vec<Large<'_>> {
        R::large_of(&self.0.values().collect::<Vec<_>>())
    }
}

/// Bytes as `bytea` reads them.
fn bytea(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("\\x");
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    text.extend(digits.filter_map(|digit| char::from_digit(digit.into(), 16)));
    text
}

fn json<T: Serialize>(what: &'static str, value: &T) -> Result<Box<RawValue>> {
    to_raw_value(value).map_err(|error| StoreError::Corrupt { what, value: error.to_string() })
}

rows! {
    Quote of (organization: OrganizationId, id: QuoteId, booking: Option<BookingId>) {
        org_id: Uuid = organization.uuid(),
        id: Uuid = id.uuid(),
        booking_id: Option<Uuid> = booking.map(BookingId::uuid),
    }
}

#[derive(Serialize)]
pub(super) struct NewBooking {
    #[serde(flatten)]
    columns: bookings::BookingColumns,
    #[serde(skip)]
    product_content: Arc<str>,
    #[serde(skip)]
    pricing: String,
    #[serde(rename = "likeness")]
    fingerprint: Option<String>,
    #[serde(rename = "name_likeness")]
    name_fingerprint: Option<String>,
}

impl NewBooking {
    pub(super) fn of(
        booking: &bookings::Booking<()>,
        fingerprint: Option<&Fingerprint>,
        product: Arc<str>,
    ) -> Result<Self> {
        let pricing = serde_json::to_string(&booking.sales).map_err(corrupt_json("bookings.pricing"))?;
        Ok(Self {
            columns: bookings::BookingColumns::of(booking),
            product_content: product,
            pricing,
            fingerprint: fingerprint.and_then(|fingerprint| Some(bytea(&fingerprint.by_birth_date?))),
            name_fingerprint: fingerprint.map(|fingerprint| bytea(&fingerprint.by_name)),
        })
    }
}

impl Row for NewBooking {
    fn large_of<'a>(rows: &[&'a Self]) -> Vec<Large<'a>> {
        let products = rows.iter().map(|row| &*row.product_content);
        let prices = rows.iter().map(|row| row.pricing.as_str());
        vec![Large::Texts(products.collect()), Large::Texts(prices.collect())]
    }
}

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

    pub(super) fn repriced<P>(booking: &bookings::Booking<P>) -> Result<Self> {
        let cost =
            Cost { amount: booking.amount.amount(), pricing: json("bookings.pricing", &booking.sales)? };
        Ok(Self { cost: Some(cost), ..Self::of(booking) })
    }
}

impl Row for Booking {}

impl Latest for Booking {
    fn id(&self) -> Uuid {
        self.id
    }

    fn after(self, earlier: Self) -> Self {
        Self { cost: self.cost.or(earlier.cost), ..self }
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
    next_poll_at: Option<DateTime<Utc>>,
    poll_count: i32,
    hold_state: Option<&'static str>,
    pay_by: Option<DateTime<Utc>>,
    price_guaranteed_until: Option<DateTime<Utc>>,
    travel_at: Option<DateTime<Utc>>,
    travel_ends: Option<DateTime<Utc>>,
    given_back: Option<Box<RawValue>>,
}

impl Row for Order {}

impl Order {
    pub(super) fn of<P, O: Serialize>(
        booking: &bookings::Booking<P>,
        order: &bookings::Order<O>,
        at: DateTime<Utc>,
    ) -> Result<Self> {
        let content = order.content.as_ref();
        Ok(Self {
            org_id: booking.organization.uuid(),
            booking_id: booking.id.uuid(),
            number: order.number,
            reference: order.reference.to_string(),
            supplier: order.supplier.clone(),
            status: order.status.into(),
            supplier_order_id: order.supplier_order_id.clone(),
            content: content.map(|content| json("supplier_orders.content", content)).transpose()?,
            updated_at: at,
            next_poll_at: order.next_poll_at,
            poll_count: 0,
            hold_state: order.hold.map(|hold| hold.state.into()),
            pay_by: order.hold.and_then(|hold| hold.pay_by),
            price_guaranteed_until: order.hold.and_then(|hold| hold.price_guaranteed_until),
            travel_at: order.travel_at,
            travel_ends: order.travel_ends,
            given_back: match order.given_back.is_empty() {
                true => None,
                false => Some(json("supplier_orders.given_back", &order.given_back)?),
            },
        })
    }
}

rows! {
    BookingHold of (
        organization: OrganizationId,
        booking: BookingId,
        auto_ticket_since: Option<DateTime<Utc>>,
        held_at: Option<DateTime<Utc>>,
        due_at: Option<DateTime<Utc>>
    ) {
        org_id: Uuid = organization.uuid(),
        booking_id: Uuid = booking.uuid(),
        auto_ticket_since: Option<DateTime<Utc>> = auto_ticket_since,
        held_at: Option<DateTime<Utc>> = held_at,
        due_at: Option<DateTime<Utc>> = due_at,
    }

    DroppedReminders of (organization: OrganizationId, booking: BookingId) {
        org_id: Uuid = organization.uuid(),
        booking_id: Uuid = booking.uuid(),
    }

    SealedRow of (organization: OrganizationId, booking: BookingId, row: &people::NewSealedRow) {
        org_id: Uuid = organization.uuid(),
        booking_id: Uuid = booking.uuid(),
        kind: &'static str = row.kind.into(),
        kek_id: String = row.key.kek_id.clone(),
        wrapped_key: String = bytea(&row.key.bytes),
        sealed: Option<String> = row.sealed.as_deref().map(bytea),
        sealed_at: DateTime<Utc> = row.sealed_at,
        ends_on: NaiveDate = row.ends_on,
        kept_days: u16 = row.kept_days,
    }

    Name of (organization: OrganizationId, booking: BookingId, name: &[u8; 32]) {
        org_id: Uuid = organization.uuid(),
        booking_id: Uuid = booking.uuid(),
        name_key: String = bytea(name),
    }

    Step of (step: &steps::Step) {
        org_id: Uuid = step.organization.uuid(),
        id: Uuid = step.id.uuid(),
        booking_id: Uuid = step.booking.uuid(),
        number: u16 = step.number,
        kind: &'static str = step.kind.into(),
        supplier: String = step.supplier.clone(),
        requested_by: Option<Uuid> = step.requested_by.map(UserId::uuid),
        request: JsonText = step.request.clone(),
        state: &'static str = if step.planned { "planned" } else { "open" },
        sent_at: DateTime<Utc> = step.sent_at,
        due_at: DateTime<Utc> = step.due_at,
        attempts: i32 = step.attempts,
        saga: Uuid = step.saga.uuid(),
        #[serde(rename = "step")]
        position: u16 = step.position,
        #[serde(rename = "steps")]
        saga_length: u16 = step.saga_length,
    }

    BegunStep of (step: &steps::Step) {
        org_id: Uuid = step.organization.uuid(),
        id: Uuid = step.id.uuid(),
        sent_at: DateTime<Utc> = step.sent_at,
        due_at: DateTime<Utc> = step.due_at,
    }

    CompletedStep of (
        step: &steps::Step,
        outcome: steps::Outcome,
        problem: Option<&str>,
        at: DateTime<Utc>,
        recheck_at: Option<DateTime<Utc>>
    ) {
        org_id: Uuid = step.organization.uuid(),
        id: Uuid = step.id.uuid(),
        state: &'static str = match outcome {
            steps::Outcome::Done => "done",
            steps::Outcome::Refused => "refused",
        },
        closed_at: DateTime<Utc> = at,
        problem: Option<String> = problem.map(str::to_owned),
        recheck_at: Option<DateTime<Utc>> = recheck_at,
    }
}

#[derive(Serialize)]
pub(super) struct SupplierAnswer {
    org_id: Uuid,
    id: Uuid,
    booking_id: Uuid,
    number: u16,
    effect_id: Option<Uuid>,
    at: DateTime<Utc>,
    #[serde(skip)]
    sealed: Arc<[u8]>,
}

impl SupplierAnswer {
    pub(super) fn of(
        organization: OrganizationId,
        booking: BookingId,
        number: u16,
        step: Option<StepId>,
        answer: &people::NewSupplierAnswer,
        at: DateTime<Utc>,
    ) -> Self {
        Self {
            org_id: organization.uuid(),
            id: answer.id.uuid(),
            booking_id: booking.uuid(),
            number,
            effect_id: step.map(StepId::uuid),
            at,
            sealed: answer.sealed.clone(),
        }
    }
}

impl Row for SupplierAnswer {
    fn large_of<'a>(rows: &[&'a Self]) -> Vec<Large<'a>> {
        vec![Large::Bytes(rows.iter().map(|row| &*row.sealed).collect())]
    }
}

impl Latest for BookingHold {
    fn id(&self) -> Uuid {
        self.booking_id
    }

    fn after(self, earlier: Self) -> Self {
        Self {
            auto_ticket_since: earlier.auto_ticket_since.or(self.auto_ticket_since),
            held_at: earlier.held_at.or(self.held_at),
            ..self
        }
    }
}

rows! {
    FreedKey of (organization: OrganizationId, step: StepId) {
        org_id: Uuid = organization.uuid(),
        effect_id: Uuid = step.uuid(),
    }

    Fare of (row: &fare_ledger::FareTransaction) {
        org_id: Uuid = row.organization.uuid(),
        id: Uuid = row.id.uuid(),
        booking_id: Uuid = row.booking.uuid(),
        booking_ref: String = row.reference.to_string(),
        product: &'static str = row.product.into(),
        pnr: String = row.pnr.clone(),
        provider: String = row.provider.clone(),
        user_id: Uuid = row.user.uuid(),
        user_name: String = row.user_name.clone(),
        currency: &'static str = row.agent_fare.currency().code(),
        public_fare: Decimal = row.public_fare.amount(),
        agent_fare: Decimal = row.agent_fare.amount(),
        agent_commission: Decimal = row.agent_commission.amount(),
        markup: Decimal = row.markup.amount(),
        issued_at: DateTime<Utc> = row.issued_at,
        transfer_id: Option<Uuid> = row.transfer.map(TransferId::uuid),
        ancillary: Decimal = row.ancillary.amount(),
        kind: Option<&'static str> = row.kind.map(<&str>::from),
        number: Option<u16> = row.number,
        supplier_amount: Option<Decimal> = row.supplier_amount.map(Money::amount),
    }

    RaisedFare of (booking: &bookings::Booking<()>, number: u16, ancillary: Money) {
        org_id: Uuid = booking.organization.uuid(),
        booking_id: Uuid = booking.id.uuid(),
        number: u16 = number,
        issued_at: Option<DateTime<Utc>> = booking.booked_at,
        ancillary: Decimal = ancillary.amount(),
    }

    Refund of (refund: &refunds::Refund) {
        org_id: Uuid = refund.organization.uuid(),
        id: Uuid = refund.id.uuid(),
        booking_id: Uuid = refund.booking.uuid(),
        status: &'static str = refund.status.into(),
        cancellation_charge: Decimal = refund.cancellation_charge.amount(),
        provider_refund_amount: Decimal = refund.provider_refund_amount.amount(),
        platform_charges: Decimal = refund.platform_charges.amount(),
        refund_to_wallet: Decimal = refund.refund_to_wallet.amount(),
        provider_refund_id: Option<String> = refund.provider_refund_id.clone(),
        refunded_at: Option<DateTime<Utc>> = refund.refunded_at,
    }

    Event of (event: &wayfare_domain::AuditEvent) {
        org_id: Uuid = event.organization.uuid(),
        id: Uuid = event.id.uuid(),
        actor_type: &'static str = event.actor.kind.into(),
        actor_id: Option<Uuid> = event.actor.user.map(UserId::uuid).or(event.actor.operator.map(OperatorId::uuid)),
        action: &'static str = event.action.text(),
        entity_type: &'static str = event.action.entity(),
        entity_id: String = event.entity_id.clone(),
        old_value: Option<Value> = event.old_value.clone(),
        new_value: Option<Value> = event.new_value.clone(),
        ip_address: String = event.actor.origin
            .address
            .map(|address| address.to_string())
            .unwrap_or_default(),
        user_agent: String = event.actor.origin.user_agent.clone(),
        request_id: String = event.actor.origin.request_id.clone(),
        created_at: DateTime<Utc> = event.at,
    }
}
