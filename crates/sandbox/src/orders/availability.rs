//! How many rooms are left: what a hotel gives to suppliers, less what any of them sold.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};

use super::{Order, Reservation};
use crate::hotels::{Hotel, RoomKind, Stay};

impl Hotel {
    /// How many rooms of a kind all suppliers together may sell for a night; few of some kinds, now and then none.
    fn allotment(&self, kind: RoomKind, night: NaiveDate) -> u32 {
        let room = kind.room_type().code;
        let usual = {
            let mut rng = self.rng(&format!("allotment/{room}"));
            if rng.one_in(6) { 3 } else { rng.between(5, 20) }
        };
        let is_closed = self.rng(&format!("allotment/{room}/{night}")).one_in(60);
        if is_closed { 0 } else { usual }
    }
}

/// How many rooms of a kind are left for every night of a stay, beside the orders of this hotel.
pub(crate) fn rooms_left(
    hotel: &Hotel,
    kind: RoomKind,
    stay: Stay,
    orders: &[Arc<Order>],
    now: DateTime<Utc>,
) -> u32 {
    let left = |night| {
        let reservations = orders.iter().filter_map(|order| order.reservation());
        let taken: u32 = reservations.map(|sold| sold.takes(kind, night, now)).sum();
        hotel.allotment(kind, night).saturating_sub(taken)
    };
    stay.nights().map(left).min().unwrap_or_default()
}

/// Whether there are rooms for a reservation beside the orders of its hotel, itself not among them.
pub(crate) fn has_rooms_for(
    hotel: &Hotel,
    wanted: &Reservation,
    orders: &[Arc<Order>],
    now: DateTime<Utc>,
) -> bool {
    wanted.rooms.iter().all(|room| {
        let kind = room.rate.key.room;
        let number = wanted.takes(kind, wanted.stay.check_in, now);
        number <= rooms_left(hotel, kind, wanted.stay, orders, now)
    })
}
