//! What Hotelbeds stores of a booking.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::World;
use super::audit;
use super::booking_guests::Pax;
use super::errors::ApiError;
use crate::faults::Supplier;
use crate::orders::{self, Order, Outline, Reservation, SupplierEnd};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Booking {
    pub(super) reservation: Reservation,
    /// The key that booked: others do not see it.
    pub(super) creation_user: String,
    pub(super) holder: Holder,
    pub(super) remark: Option<String>,
    /// Each is of the next rooms of the reservation.
    pub(super) lines: Vec<BookedLine>,
    pub(super) cancellation_reference: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Holder {
    pub(super) name: String,
    pub(super) surname: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct BookedLine {
    pub(super) rooms: u8,
    pub(super) found_at: DateTime<Utc>,
    pub(super) paxes: Vec<Pax>,
}

impl orders::Booking for Booking {
    const SUPPLIER: Supplier = Supplier::Hotelbeds;

    fn outline(&self, now: DateTime<Utc>) -> Outline {
        self.reservation.outline(now)
    }

    fn end_by_supplier(&mut self, end: &SupplierEnd, now: DateTime<Utc>) {
        self.reservation.end_by_supplier(end, now);
        self.cancellation_reference = Some(audit::token());
    }

    fn reservation(&self) -> Option<&Reservation> {
        Some(&self.reservation)
    }

    fn reservation_mut(&mut self) -> Option<&mut Reservation> {
        Some(&mut self.reservation)
    }
}

pub(super) fn is_visible(world: &World, key: &str, order: &Order<Booking>) -> bool {
    order.visible_from <= world.clock.now() && order.booking.creation_user == key
}

/// The order of a reference, where the key's look-ups find it.
pub(super) fn find(world: &World, key: &str, reference: &str) -> Result<Order<Booking>, ApiError> {
    let order = world.orders.find(reference);
    order.filter(|order| is_visible(world, key, order)).ok_or_else(ApiError::no_booking)
}
