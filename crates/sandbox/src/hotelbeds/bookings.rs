//! What Hotelbeds keeps of a booking.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::booking_guests::Pax;
use super::errors::ApiError;
use crate::orders::{Detail, Order, Reservation};
use crate::server::World;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Booking {
    pub(crate) reservation: Reservation,
    /// The key that booked: others do not see it.
    pub(super) creation_user: String,
    pub(super) holder: Holder,
    pub(super) remark: Option<String>,
    /// Each is of the next rooms of the reservation.
    pub(super) lines: Vec<BookedLine>,
    /// Where it was cancelled.
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
    /// When the search found it.
    pub(super) found_at: DateTime<Utc>,
    pub(super) paxes: Vec<Pax>,
}

impl Booking {
    /// The booking of an order, where it is Hotelbeds'.
    pub(super) fn of(order: &Order) -> Option<&Self> {
        match &order.detail {
            Detail::Hotelbeds(booking) => Some(booking),
            Detail::Duffel(_) | Detail::Tripjack(_) | Detail::Liteapi(_) => None,
        }
    }

    /// As [`Booking::of`], to change it.
    pub(super) fn of_mut(order: &mut Order) -> Option<&mut Self> {
        match &mut order.detail {
            Detail::Hotelbeds(booking) => Some(booking),
            Detail::Duffel(_) | Detail::Tripjack(_) | Detail::Liteapi(_) => None,
        }
    }
}

pub(super) fn is_visible(world: &World, key: &str, order: &Order) -> bool {
    order.visible_from <= world.clock.now()
        && Booking::of(order).is_some_and(|booking| booking.creation_user == key)
}

/// The order of a reference, where the key's look-ups find it.
pub(super) fn find(world: &World, key: &str, reference: &str) -> Result<Arc<Order>, ApiError> {
    let order = world.orders.find(reference);
    order
        .filter(|order| is_visible(world, key, order))
        .ok_or_else(ApiError::no_booking)
}
