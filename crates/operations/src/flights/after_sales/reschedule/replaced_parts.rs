//! What is given back of each order whose journeys new flights take the place of: all that stands of it, or the part of it that
//! these journeys are, where its supplier takes that back (D-332).

use std::collections::BTreeMap;

use wayfare_domain::{CancelledPart, OrderPart, OrderStatus, Product, RefundStatus};
use wayfare_flights::{Itinerary, SupplierOrder};
use wayfare_pricing::{Paid, Sale, Totals};
use wayfare_store::booking::{
    bookings::{GivenBackPart, Order},
    refunds::Refund,
    steps::ReplacedOrder,
};

use super::replaced_journeys::{ReplacedJourneys, numbered};
use crate::{
    RefundTerms, Result,
    bookings::cancel::{GivenBack, rest_of},
    flights::Booked,
};

/// What is given back of an order for other flights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReplacedPart {
    pub number: u16,
    /// What of it, where that is not the order as it was sold.
    pub part: Option<CancelledPart>,
}

impl From<ReplacedOrder> for ReplacedPart {
    fn from(order: ReplacedOrder) -> Self {
        Self { number: order.number, part: order.part }
    }
}

impl ReplacedJourneys {
    /// What of each order is given back.
    pub(super) fn parts(&self, booked: &Booked) -> Vec<ReplacedPart> {
        let product = &booked.booking.product;
        let orders = booked.orders.iter();
        let orders = orders.filter(|order| self.orders.contains(&order.number));
        orders
            .map(|order| ReplacedPart { number: order.number, part: self.part_of(product, order) })
            .collect()
    }

    fn part_of(&self, product: &Itinerary, order: &Order<SupplierOrder>) -> Option<CancelledPart> {
        let remaining = order.remaining(&product.whole_order(order.number));
        let part = remaining.only(|place, _| self.places.contains(&place));
        if remaining.without(std::iter::once(&part)).is_empty() {
            return rest_of(product, order);
        }
        Some(CancelledPart { part, is_last: false, is_whole: false })
    }

    /// What was paid for that: the fares. A part costs what its supplier has said of it.
    pub(super) fn totals(&self, booked: &Booked, paid: &BTreeMap<u16, Paid>) -> Result<Totals> {
        let booking = &booked.booking;
        let sales = self.orders.iter().filter_map(|number| booking.sale(*number));
        let sales: Vec<Sale> = sales.cloned().collect();
        let mut totals = Totals::of(&sales, booking.amount.currency())?;
        let orders = booked.orders.iter();
        for order in orders.filter(|order| self.orders.contains(&order.number)) {
            for GivenBackPart { paid, .. } in &order.given_back {
                totals = without(totals, paid)?;
            }
            let is_cut = self.part_of(&booking.product, order).is_some_and(|part| !part.is_last);
            if let (true, Some(sale), Some(part)) =
                (is_cut, booking.sale(order.number), paid.get(&order.number))
            {
                // What of it stands beside that part was not paid for what is replaced, nor were S, G and P.
                let rest = order.left_of(sale)?.without([part])?;
                totals = without(totals, &rest)?;
                totals.agent_fare = totals.agent_fare.minus(rest.platform_charges()?)?;
            }
        }
        Ok(totals)
    }
}

/// These fares without what was paid for something else.
fn without(totals: Totals, other: &Paid) -> Result<Totals> {
    Ok(Totals {
        public_fare: totals.public_fare.minus(other.public_fare)?,
        agent_fare: totals.agent_fare.minus(other.net.minus(other.ancillary)?)?,
        ..totals
    })
}

/// These parts, as a cancellation wants them.
pub(super) fn given_back(parts: &[ReplacedPart]) -> GivenBack {
    let orders = parts.iter().map(|one| (one.number, one.part.clone()));
    GivenBack { orders: Some(orders.collect()), refused_change: None }
}

/// The places of these parts' journeys among all of the booking, in order.
pub(super) fn places_of_parts(itinerary: &Itinerary, parts: &[ReplacedPart]) -> Vec<usize> {
    let is_given_back = |place: usize, number: u16| {
        let mut of_order = parts.iter().filter(|one| one.number == number);
        of_order.any(|one| match &one.part {
            None => true,
            Some(cancelled) => cancelled.part.journeys().contains(&place),
        })
    };
    let places = numbered(itinerary).enumerate();
    let theirs = places.filter(|(place, (number, _))| is_given_back(*place, *number));
    theirs.map(|(place, _)| place).collect()
}

/// Whether all these parts were given back.
pub(super) fn are_cancelled<O>(itinerary: &Itinerary, orders: &[Order<O>], parts: &[ReplacedPart]) -> bool {
    let is_cancelled = |one: &ReplacedPart| {
        let order = orders.iter().find(|order| order.number == one.number);
        order.is_some_and(|order| {
            let remaining: OrderPart = order.remaining(&itinerary.whole_order(order.number));
            match &one.part {
                _ if order.status == OrderStatus::Cancelled => true,
                Some(cancelled) if !cancelled.is_last => {
                    remaining == remaining.without(std::iter::once(&cancelled.part))
                }
                _ => false,
            }
        })
    };
    !parts.is_empty() && parts.iter().all(is_cancelled)
}

/// What came back of these parts.
pub(super) fn refunded(refunds: &[Refund], original: &Booked, parts: &[ReplacedPart]) -> Result<RefundTerms> {
    let is_theirs = |refund: &&Refund| {
        let mut parts = parts.iter();
        refund.status == RefundStatus::Refunded
            && parts.any(|one| (one.number, &one.part) == (refund.number, &refund.part))
    };
    let done = refunds.iter().filter(is_theirs);
    RefundTerms::together(done.map(RefundTerms::from), original.booking.amount.currency())
}
