//! What LiteAPI stores of a booking, and finding it again.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::World;
use super::errors::ApiError;
use crate::faults::Supplier;
use crate::orders::{self, Order, Outline, Reservation, SupplierEnd};
use crate::rng::fresh_letters;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Booking {
    pub(super) reservation: Reservation,
    /// What of the price is the client's.
    pub(super) commission: Decimal,
    pub(super) prebook_id: String,
    pub(super) offer_id: String,
    /// ISO 3166-1 alpha-2, as the search asked.
    pub(super) nationality: String,
    pub(super) holder: Person,
    /// The first guest of each room.
    pub(super) guests: Vec<Guest>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Person {
    pub(super) first_name: String,
    pub(super) last_name: String,
    pub(super) email: String,
    #[serde(default)]
    pub(super) phone: String,
}

impl Person {
    pub(super) fn is_whole(&self) -> bool {
        !self.first_name.is_empty() && !self.last_name.is_empty() && self.email.contains('@')
    }
}

/// The first guest of a room.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Guest {
    /// The room's number, counted from 1.
    pub(super) occupancy_number: usize,
    #[serde(flatten)]
    pub(super) person: Person,
    #[serde(default)]
    pub(super) remarks: String,
}

/// An id as LiteAPI's are: nine letters and digits.
pub(super) fn fresh_id() -> String {
    const LETTERS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    fresh_letters::<9>(LETTERS)
}

impl orders::Booking for Booking {
    const SUPPLIER: Supplier = Supplier::Liteapi;

    fn outline(&self, now: DateTime<Utc>) -> Outline {
        self.reservation.outline(now)
    }

    fn end_by_supplier(&mut self, end: &SupplierEnd, now: DateTime<Utc>) {
        self.reservation.end_by_supplier(end, now);
    }

    fn reservation(&self) -> Option<&Reservation> {
        Some(&self.reservation)
    }

    fn reservation_mut(&mut self) -> Option<&mut Reservation> {
        Some(&mut self.reservation)
    }
}

pub(super) fn find(world: &World, id: &str) -> Result<Order<Booking>, ApiError> {
    let order = world.orders.visible(id, world.clock.now());
    order.ok_or_else(ApiError::booking_not_found)
}

/// What has been paid in a currency and not come back.
pub(super) fn charged(world: &World, currency: &str) -> Decimal {
    let now = world.clock.now();
    let orders: Vec<Order<Booking>> = world.orders.of();
    let all = orders.iter().map(|order| &order.booking.reservation);
    let own = all.filter(|each| each.currency == currency && !each.is_aborted);
    own.map(|reservation| match reservation.cancelled_by(now) {
        Some(cancellation) => cancellation.fee,
        None => reservation.total(),
    })
    .sum()
}

/// LiteAPI's word for what has become of a booking. The specification's examples call it charged where nothing comes
/// back, and cancelled where a part does; they have no word for one that is not confirmed yet, or never.
pub(super) fn status(reservation: &Reservation, now: DateTime<Utc>) -> &'static str {
    match reservation.cancelled_by(now) {
        None if now < reservation.pending_until => "PENDING",
        None if reservation.is_aborted => "FAILED",
        None => "CONFIRMED",
        Some(cancellation) if cancellation.fee < reservation.total() => "CANCELLED",
        Some(_) => "CANCELLED_WITH_CHARGES",
    }
}
