//! What Duffel stores of an order, and what has become of it by now.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::ids::{self, segment_id};
use crate::ancillaries::{Ancillary, AncillaryKind};
use crate::fares::Fare;
use crate::faults::Supplier;
use crate::itinerary::{Bundle, Journey, RouteScenario, Search, Traveller};
use crate::orders::{self, Outline, Status, SupplierEnd};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Booking {
    pub(super) offer_id: String,
    pub(super) currency: String,
    pub(super) kind: OrderKind,
    pub(super) booking_reference: String,
    pub(super) created_at: DateTime<Utc>,
    pub(super) bundle: Bundle,
    pub(super) fare: Fare,
    #[serde(rename = "wishes")]
    pub(super) scenario: RouteScenario,
    pub(super) party: Vec<Traveller>,
    pub(super) passenger_ids: Vec<String>,
    pub(super) people: Vec<Person>,
    pub(super) services: Vec<Service>,
    /// Until when to pay, where it is held.
    pub(super) pay_by: Option<DateTime<Utc>>,
    pub(super) price_until: Option<DateTime<Utc>>,
    pub(super) payments: Vec<Payment>,
    /// One for each passenger, once it is paid.
    pub(super) tickets: Vec<String>,
    /// Oldest first.
    pub(super) cancellations: Vec<Cancellation>,
    pub(super) cancelled_from: Option<DateTime<Utc>>,
    /// Oldest first: those of the airline, and those that the buyer confirmed.
    #[serde(default)]
    pub(super) airline_changes: Vec<AirlineChange>,
    /// What the buyer chose to change, oldest first.
    #[serde(default)]
    pub(super) order_changes: Vec<OrderChange>,
    pub(super) metadata: Option<BTreeMap<String, String>>,
    pub(super) users: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum OrderKind {
    Instant,
    Hold,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Person {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) given_name: String,
    pub(super) family_name: String,
    pub(super) gender: String,
    pub(super) born_on: NaiveDate,
    pub(super) email: String,
    pub(super) phone_number: String,
    pub(super) infant_passenger_id: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Service {
    pub(super) id: String,
    #[serde(flatten)]
    pub(super) bought: Bought,
    /// Look-ups return it from then on, where it was added later.
    #[serde(default)]
    pub(super) visible_from: Option<DateTime<Utc>>,
}

impl Service {
    pub(super) fn cost(&self) -> Decimal {
        self.bought.extra.price * Decimal::from(self.bought.quantity)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Payment {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) amount: Decimal,
    pub(super) created_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bought {
    pub(super) extra: Ancillary,
    pub(super) quantity: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct AirlineChange {
    pub(super) id: String,
    pub(super) created_at: DateTime<Utc>,
    pub(super) slice: usize,
    pub(super) before: Journey,
    pub(super) after: Journey,
    /// What the buyer did about it, and when.
    #[serde(default)]
    pub(super) taken: Option<Taken>,
    /// Whether the buyer asked for it: the airline tells nobody of that.
    #[serde(default)]
    pub(super) is_wanted: bool,
}

/// A change of dates that a buyer chose: pending until it is confirmed or expires.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct OrderChange {
    pub(super) id: String,
    pub(super) created_at: DateTime<Utc>,
    pub(super) expires_at: DateTime<Utc>,
    pub(super) replaced: Vec<Replaced>,
    /// The fare of the order after it.
    pub(super) fare: Fare,
    pub(super) penalty: Decimal,
    /// What it costs; below zero comes back.
    pub(super) change_total: Decimal,
    pub(super) refund_to: Option<String>,
    pub(super) confirmed_at: Option<DateTime<Utc>>,
}

/// A slice and what is flown instead of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Replaced {
    pub(super) slice: usize,
    pub(super) before: Journey,
    pub(super) after: Journey,
}

/// What a buyer did about a change of an airline.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Taken {
    pub(super) action: Action,
    pub(super) at: DateTime<Utc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    Accepted,
    Cancelled,
    Changed,
}

/// A slice as it is flown by now, and how often it was changed.
pub(super) fn present<'a>(
    changes: &'a [AirlineChange],
    slice: usize,
    sold: &'a Journey,
) -> (&'a Journey, usize) {
    let of_it = changes.iter().filter(|change| change.slice == slice);
    let flown = of_it.clone().next_back().map_or(sold, |last| &last.after);
    (flown, of_it.count())
}

/// A cancellation that was asked for: first a quote, then, confirmed, the end of the order.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Cancellation {
    pub(super) id: String,
    pub(super) created_at: DateTime<Utc>,
    pub(super) expires_at: DateTime<Utc>,
    pub(super) refund: Decimal,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refund_currency: Option<String>,
    pub(super) refund_to: String,
    /// When it takes effect, once it is confirmed: at once, or later.
    pub(super) confirmed_from: Option<DateTime<Utc>>,
}

impl Cancellation {
    /// When it took effect, where it has by `now`.
    pub(super) fn confirmed_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.confirmed_from.filter(|from| *from <= now)
    }
}

impl orders::Booking for Booking {
    const SUPPLIER: Supplier = Supplier::Duffel;

    fn outline(&self, now: DateTime<Utc>) -> Outline {
        Outline {
            order_reference: self.metadata.as_ref().and_then(|given| given.get("reference").cloned()),
            status: self.status(now),
            amount: self.total(),
            refunded: self
                .cancellations
                .iter()
                .filter(|cancellation| cancellation.confirmed_at(now).is_some())
                .map(|cancellation| cancellation.refund)
                .sum(),
            currency: self.currency.clone(),
            cancelled_at: self.cancelled_at(now),
        }
    }

    /// The airline ends it. Duffel knows a refund as a cancellation that is confirmed.
    fn end_by_supplier(&mut self, end: &SupplierEnd, now: DateTime<Utc>) {
        self.cancelled_from = Some(now);
        if end.is_told {
            let (_, refund_to) = self.refund(now);
            self.cancellations.push(Cancellation {
                id: ids::fresh("ore"),
                created_at: now,
                expires_at: now,
                refund: end.refund,
                refund_currency: end.currency.clone(),
                refund_to,
                confirmed_from: Some(now),
            });
        }
    }
}

impl Booking {
    pub(super) fn total(&self) -> Decimal {
        self.total_with(&self.fare)
    }

    /// What it costs at another fare.
    pub(super) fn total_with(&self, fare: &Fare) -> Decimal {
        fare.total() + self.services.iter().map(Service::cost).sum::<Decimal>()
    }

    pub(super) fn listed_services(&self, now: DateTime<Utc>) -> impl Iterator<Item = &Service> {
        self.services.iter().filter(move |service| service.visible_from.is_none_or(|from| from <= now))
    }

    /// The present id of a flight, counted within its slice.
    pub(super) fn segment_id(&self, seed: u64, slice: usize, flight: usize) -> String {
        let changes = self.airline_changes.iter().filter(|change| change.slice == slice);
        segment_id(seed, &self.offer_id, (slice, flight), changes.count())
    }

    pub(super) fn departure(&self) -> Option<DateTime<Utc>> {
        let sold = self.bundle.journeys.first()?;
        Some(present(&self.airline_changes, 0, sold).0.departure())
    }

    /// Whether its airline has changed it and nobody has done anything about that.
    pub(super) fn requires_action(&self, now: DateTime<Utc>) -> bool {
        let mut changes = self.airline_changes.iter();
        changes.any(|change| change.taken.is_none() && !change.is_wanted) && self.cancelled_at(now).is_none()
    }

    /// Whether the buyer can change its dates: once, where the fare allows it.
    pub(super) fn is_changeable(&self, now: DateTime<Utc>) -> bool {
        let was_changed = self.order_changes.iter().any(|change| change.confirmed_at.is_some());
        let ends =
            self.cancelled_from.is_some() || self.cancelled_at(now).is_some() || self.has_departed(now);
        self.is_paid() && self.fare.change.allowed && !was_changed && !ends
    }

    /// The slices as they are flown by now.
    pub(super) fn flown(&self) -> Vec<Journey> {
        let journeys = self.bundle.journeys.iter().enumerate();
        journeys.map(|(at, sold)| present(&self.airline_changes, at, sold).0.clone()).collect()
    }

    fn status(&self, now: DateTime<Utc>) -> Status {
        match (self.cancelled_at(now), self.is_paid()) {
            (Some(_), _) => Status::Cancelled,
            (None, true) => Status::Confirmed,
            (None, false) => Status::Held,
        }
    }

    /// When it ended: by a cancellation, or unpaid at its deadline.
    pub(super) fn cancelled_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.cancelled_from.filter(|from| *from <= now).or_else(|| self.lapsed_at(now))
    }

    /// When its seats were given back because nobody paid.
    pub(super) fn lapsed_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.pay_by.filter(|deadline| *deadline <= now && !self.is_paid())
    }

    pub(super) fn is_paid(&self) -> bool {
        !self.payments.is_empty()
    }

    /// Whether its price was guaranteed for a while that is over.
    pub(super) fn price_is_stale(&self, now: DateTime<Utc>) -> bool {
        !self.is_paid() && self.price_until.is_some_and(|until| until <= now)
    }

    /// Whether its first flight has left.
    pub(super) fn has_departed(&self, now: DateTime<Utc>) -> bool {
        self.departure().is_some_and(|departure| departure <= now)
    }

    /// Until when it can be given back for its whole price, whatever its fare forgives.
    pub(super) fn void_window_ends_at(&self) -> Option<DateTime<Utc>> {
        let paid_at = self.payments.first()?.created_at;
        let far_off = self.departure()? > paid_at + TimeDelta::days(7);
        (self.bundle.airline.has_void_window() && far_off).then(|| paid_at + TimeDelta::days(1))
    }

    /// What a cancellation gives back now, and where to. Where the fare gives anything back, so do bags; seats are not paid back.
    pub(super) fn refund(&self, now: DateTime<Utc>) -> (Decimal, String) {
        let total = self.total();
        let nothing = Decimal::new(0, total.scale());
        let Some(payment) = self.payments.first() else { return (nothing, "awaiting_payment".to_owned()) };
        let refund = match self.void_window_ends_at() {
            Some(ends_at) if now < ends_at => total,
            _ if self.fare.refund.allowed => {
                let penalty = self.fare.refund.penalty.unwrap_or(nothing);
                let is_bag = |service: &&Service| {
                    matches!(service.bought.extra.kind, AncillaryKind::CheckedBag { .. })
                };
                let bags: Decimal = self.services.iter().filter(is_bag).map(Service::cost).sum();
                (self.fare.total() - penalty).max(nothing) + bags
            }
            _ => nothing,
        };
        (refund, payment.kind.clone())
    }

    /// The search it came from, as far as extras depend on it.
    pub(super) fn search(&self) -> Search {
        let (party, scenario) = (self.party.clone(), self.scenario);
        Search { slices: Vec::new(), party, cabin: Some(self.bundle.cabin), max_connections: 1, scenario }
    }

    /// Takes the money and issues the tickets that money buys.
    pub(super) fn pay(&mut self, payment: Payment) {
        if self.tickets.is_empty() {
            let prefix = self.bundle.airline.ticket_prefix;
            let number = || rand::random::<u64>() % 10_000_000_000;
            self.tickets = self.people.iter().map(|_| format!("{prefix}{:010}", number())).collect();
        }
        self.payments.push(payment);
    }
}
