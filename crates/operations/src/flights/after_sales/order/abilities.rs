//! What can be done with parts of orders at their suppliers.

use std::collections::{BTreeMap, BTreeSet};

use wayfare_domain::{OrderStatus, Product};
use wayfare_flights::SupplierOrder;
use wayfare_store::booking::bookings::Order;
use wayfare_supply::PartsTaken;

use crate::{Engine, engine::booking_state::is_live, flights::Booked};

/// What can be done with a part of an order; none where that has to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Can {
    /// Whether some of its journeys can be given back.
    pub cancel_journeys: Option<bool>,
    /// Whether some of its travellers can be taken off it.
    pub cancel_passengers: Option<bool>,
    /// Whether some of its journeys can be flown otherwise, at its supplier.
    pub change_journeys: Option<bool>,
}

/// What can be done with parts of each order of a booking, by number.
pub(crate) fn abilities(engine: &Engine, booked: &Booked) -> BTreeMap<u16, Can> {
    let orders = booked.orders.iter();
    orders.map(|order| (order.number, can(engine, booked, order))).collect()
}

fn can(engine: &Engine, booked: &Booked, order: &Order<SupplierOrder>) -> Can {
    let taken = taken_of(engine, booked, order);
    let remaining = order.remaining(&booked.booking.product.whole_order(order.number));
    let is_live = is_live(order);
    Can {
        // An order of one journey is given back whole.
        cancel_journeys: Some(is_live && (taken.journeys || remaining.journeys().len() <= 1)),
        cancel_passengers: Some(is_live && (taken.travellers || remaining.travellers().len() <= 1)),
        change_journeys: changes_journeys(engine, order),
    }
}

/// Whether the supplier flies journeys of this order otherwise: which of them it says when it is asked.
fn changes_journeys(engine: &Engine, order: &Order<SupplierOrder>) -> Option<bool> {
    let supplier = engine.suppliers.flights.get(&order.supplier);
    let may = order.status == OrderStatus::Confirmed && supplier.is_some_and(|one| one.changes_journeys());
    (!may).then_some(false)
}

/// Which parts of an order its supplier takes back now. Of a hold none; journeys between the same places can't be told apart, and
/// one whose flights were changed is not known there by the day of which it was sold (D-307).
pub(crate) fn taken_of(engine: &Engine, booked: &Booked, order: &Order<SupplierOrder>) -> PartsTaken {
    let sale = booked.booking.sale(order.number);
    let is_changed = sale.is_some_and(|sale| !sale.changes.is_empty());
    if order.status != OrderStatus::Confirmed || is_changed {
        return PartsTaken::default();
    }
    let Ok(supplier) = engine.suppliers.supplier(&order.supplier) else { return PartsTaken::default() };
    let whole = booked.booking.product.whole_order(order.number);
    let mut routes = BTreeSet::new();
    let own = whole.0.iter().map(|one| {
        let flown: BTreeSet<String> = one.routes.iter().cloned().chain([one.route()]).collect();
        flown
    });
    let are_apart = own.flatten().all(|route| routes.insert(route));
    match are_apart {
        true => supplier.parts_taken(),
        false => PartsTaken::default(),
    }
}
