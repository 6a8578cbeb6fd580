//! An order's flights, in Duffel's words.

use chrono::{DateTime, Utc};

use super::World;
use super::bookings::{Booking, Service};
use super::slice_body::Trip;
use crate::ancillaries::Ancillary;
use crate::orders::Order;

pub(super) fn trip<'a>(
    world: &World,
    order: &'a Order<Booking>,
    bought: &'a [&'a Ancillary],
    now: DateTime<Utc>,
) -> Trip<'a> {
    let booking = &order.booking;
    Trip {
        seed: world.seed,
        id: &order.id,
        offer_id: &booking.offer_id,
        bundle: &booking.bundle,
        fare: &booking.fare,
        currency: &booking.currency,
        party: &booking.party,
        passenger_ids: &booking.passenger_ids,
        scenario: booking.scenario,
        bought: Some(bought),
        changes: &booking.airline_changes,
        is_changeable: booking.is_changeable(now),
    }
}

/// What was bought with the order, without how many.
pub(super) fn ancillaries<'a>(services: &[&'a Service]) -> Vec<&'a Ancillary> {
    services.iter().map(|service| &service.bought.extra).collect()
}
