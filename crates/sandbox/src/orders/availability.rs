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
        let reservations = orders.iter().filter_map(|order| order.booking.reservation());
        let taken: u32 = reservations.map(|sold| sold.takes(kind, night, now)).sum();
        hotel.allotment(kind, night).saturating_sub(taken)
    };
    stay.nights().map(left).min().unwrap_or_default()
}

/// Whether there are rooms for a reservation beside the orders of its hotel, itself not among them.
pub(super) fn has_rooms_for(
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

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use wayfare_reference::city_named;

    use super::*;
    use crate::faults::Supplier;
    use crate::hotels::{Guests, hotels_in};
    use crate::orders::{BookedRoom, Booking, Outline};
    use crate::tariff::Tariff;

    fn now() -> DateTime<Utc> {
        "2027-01-10T12:00:00Z".parse().unwrap()
    }

    fn stay() -> Stay {
        let day = |day| NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
        Stay { check_in: day(19), check_out: day(21) }
    }

    #[derive(Debug, Clone, Serialize, Deserialize)]
    struct Rooms(Reservation);

    impl Booking for Rooms {
        const SUPPLIER: Supplier = Supplier::Liteapi;

        fn outline(&self, now: DateTime<Utc>) -> Outline {
            self.0.outline(now)
        }

        fn end_by_supplier(&mut self, end: &crate::orders::SupplierEnd, now: DateTime<Utc>) {
            self.0.end_by_supplier(end, now);
        }

        fn reservation(&self) -> Option<&Reservation> {
            Some(&self.0)
        }
    }

    fn order(hotel: &Hotel, kind: RoomKind, number: u32) -> Order {
        let party = Guests { adults: 1, children: Vec::new() };
        let rates = hotel.rates(&Tariff::in_currency("INR").unwrap(), stay(), &party);
        let rate = rates.into_iter().find(|rate| rate.key.room == kind).unwrap();
        let reservation = Reservation {
            hotel: hotel.id,
            stay: stay(),
            rooms: vec![BookedRoom { guests: party, rate }],
            currency: "INR".to_owned(),
            client_reference: Some(format!("HTL-7K2M9Q4X-{number}")),
            pending_until: now(),
            is_aborted: false,
            cancellation: None,
            hotel_numbers: Vec::new(),
        };
        Order {
            id: format!("order {number}"),
            claim: format!("claim {number}"),
            created_at: now(),
            visible_from: now(),
            booking: Arc::new(Rooms(reservation)),
        }
    }

    #[test]
    fn what_is_sold_is_no_longer_left_and_what_is_given_back_is() {
        let hotel = hotels_in(42, city_named("Mumbai", None).unwrap()).next().unwrap();
        let kind = hotel.rooms().next().unwrap().kind;
        let left = |orders: &[Arc<Order>]| rooms_left(&hotel, kind, stay(), orders, now());
        let all = left(&[]);
        assert!(all > 0);
        let mut orders: Vec<Arc<Order>> =
            (0..all).map(|number| Arc::new(order(&hotel, kind, number))).collect();
        assert_eq!(left(&orders), 0);
        let wanted = order(&hotel, kind, all);
        assert!(!has_rooms_for(&hotel, wanted.booking.reservation().unwrap(), &orders, now()));
        orders.pop();
        assert!(has_rooms_for(&hotel, wanted.booking.reservation().unwrap(), &orders, now()));
        let summary = wanted.summary(now());
        assert_eq!(summary.reference.as_deref(), Some("HTL-7K2M9Q4X"));
        assert_eq!(summary.outline.order_reference, Some(format!("HTL-7K2M9Q4X-{all}")));
    }
}
