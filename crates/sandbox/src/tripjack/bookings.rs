//! What TripJack stores of a booking, and what has become of it by now.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::World;
use super::errors::ApiError;
use super::sold_fare::Sold;
use super::ssr::{Ssr, SsrKind};
use super::travellers::Person;
use crate::faults::Supplier;
use crate::itinerary::{Flight, Journey};
use crate::orders::{self, Order, Outline, Status, SupplierEnd};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Booking {
    pub(super) currency: String,
    pub(super) fares: Vec<Sold>,
    pub(super) people: Vec<Person>,
    pub(super) extras: Vec<Bought>,
    pub(super) delivery_info: Value,
    pub(super) gst_info: Option<Value>,
    /// Until then nobody knows what becomes of it.
    pub(super) pending_until: DateTime<Utc>,
    pub(super) paid_at: Option<DateTime<Utc>>,
    /// Until when to pay, where it is held.
    pub(super) pay_by: Option<DateTime<Utc>>,
    /// From when on that is told, where not at once.
    #[serde(default)]
    pub(super) limit_told_from: Option<DateTime<Utc>>,
    pub(super) released_at: Option<DateTime<Utc>>,
    /// When it was given up before it was made.
    #[serde(default)]
    pub(super) aborted_at: Option<DateTime<Utc>>,
    /// The airline's reference of each fare.
    pub(super) pnrs: Vec<String>,
    /// By person and then by way, once it is paid.
    pub(super) tickets: Vec<Vec<String>>,
    /// Those of parts, after which something of it stood.
    #[serde(default)]
    pub(super) parts: Vec<Cancellation>,
    pub(super) cancellation: Option<Cancellation>,
    #[serde(default)]
    pub(super) rejected: Vec<Cancellation>,
    /// The one that made it what it is, where it was reissued.
    #[serde(default)]
    pub(super) reissue: Option<Reissue>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Reissue {
    pub(super) id: String,
    /// As it was, and as its first id shows it.
    pub(super) before: Box<Booking>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Bought {
    /// Whose, counted in the order of people.
    pub(super) person: usize,
    pub(super) segment_id: String,
    pub(super) kind: SsrKind,
    #[serde(flatten)]
    pub(super) ssr: Ssr,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Cancellation {
    pub(super) id: String,
    pub(super) refund: Decimal,
    /// When it is carried out, or rejected.
    pub(super) from: DateTime<Utc>,
    /// What it cancels; all that stands where nothing is said.
    #[serde(default)]
    pub(super) seats: Vec<Seat>,
}

/// One traveller on one way, both counted within the booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seat {
    pub(super) way: usize,
    pub(super) person: usize,
}

/// TripJack's words for what has become of a booking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum OrderStatus {
    Pending,
    OnHold,
    Success,
    /// Held once, and not any more.
    Unconfirmed,
    Aborted,
    Cancelled,
}

impl orders::Booking for Booking {
    const SUPPLIER: Supplier = Supplier::Tripjack;

    /// TripJack takes no reference of the buyer's.
    fn outline(&self, now: DateTime<Utc>) -> Outline {
        Outline {
            order_reference: None,
            status: self.status(now),
            amount: self.total(),
            refunded: self.refunded(now),
            currency: self.currency.clone(),
            cancelled_at: self.cancelled_at(now),
        }
    }

    fn end_by_supplier(&mut self, end: &SupplierEnd, now: DateTime<Utc>) {
        match self.paid_at {
            Some(_) => {
                self.cancellation = Some(Cancellation {
                    id: amendment_id(),
                    refund: end.refund,
                    from: now,
                    seats: Vec::new(),
                });
            }
            None => self.released_at = Some(now),
        }
    }
}

impl Booking {
    pub(super) fn total(&self) -> Decimal {
        self.fares.iter().map(|sold| sold.price.total()).sum::<Decimal>() + self.extras_total()
    }

    pub(super) fn extras_total(&self) -> Decimal {
        self.extras.iter().map(|bought| bought.ssr.amount).sum()
    }

    /// Held, confirmed or cancelled, in no supplier's words.
    fn status(&self, now: DateTime<Utc>) -> Status {
        match (self.cancelled_at(now), self.paid_at) {
            (Some(_), _) => Status::Cancelled,
            (None, Some(_)) => Status::Confirmed,
            (None, None) => Status::Held,
        }
    }

    /// When it ended: by a cancellation, by giving the seats back, before it was made, or unpaid at its deadline.
    pub(super) fn cancelled_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let cancelled = self.cancellation.as_ref().map(|cancellation| cancellation.from);
        let lapsed = self.pay_by.filter(|_| self.paid_at.is_none());
        cancelled.or(self.released_at).or(self.aborted_at).or(lapsed).filter(|from| *from <= now)
    }

    /// Whether it has ended by a cancellation, or one is still to be carried out or rejected.
    pub(super) fn is_being_cancelled(&self, now: DateTime<Utc>) -> bool {
        let mut undecided = self.parts.iter().chain(&self.rejected);
        self.cancellation.is_some() || undecided.any(|cancellation| now < cancellation.from)
    }

    /// The seats that no cancellation has taken by now.
    pub(super) fn standing(&self, now: DateTime<Utc>) -> Vec<Seat> {
        if self.cancelled_at(now).is_some() {
            return Vec::new();
        }
        let ways = 0..self.ways().count();
        let all = ways.flat_map(|way| (0..self.people.len()).map(move |person| Seat { way, person }));
        let gone = |seat: &Seat| {
            let mut parts = self.parts.iter().filter(|part| part.from <= now);
            parts.any(|part| part.seats.contains(seat))
        };
        all.filter(|seat| !gone(seat)).collect()
    }

    pub(super) fn refunded(&self, now: DateTime<Utc>) -> Decimal {
        let all = self.parts.iter().chain(&self.cancellation);
        all.filter(|one| one.from <= now).map(|one| one.refund).sum()
    }

    pub(super) fn order_status(&self, now: DateTime<Utc>) -> OrderStatus {
        match self.status(now) {
            _ if now < self.pending_until => OrderStatus::Pending,
            Status::Held => OrderStatus::OnHold,
            Status::Confirmed => OrderStatus::Success,
            Status::Cancelled if self.aborted_at.is_some() => OrderStatus::Aborted,
            Status::Cancelled if self.paid_at.is_none() => OrderStatus::Unconfirmed,
            Status::Cancelled => OrderStatus::Cancelled,
        }
    }

    /// The seats that it takes from others, each with its flight.
    pub(super) fn seats(&self) -> impl Iterator<Item = (&Flight, &str)> {
        let seats = self.extras.iter().filter(|bought| bought.kind == SsrKind::Seat);
        seats.filter_map(|bought| Some((self.flight(&bought.segment_id)?, bought.ssr.description.as_str())))
    }

    fn flight(&self, segment_id: &str) -> Option<&Flight> {
        let flights = self.fares.iter().flat_map(|sold| {
            let named = move |(place, flight)| (sold.segment_id(place), flight);
            sold.flights().enumerate().map(named)
        });
        let mut named = flights.filter(|(id, _)| id == segment_id);
        named.next().map(|(_, flight)| flight)
    }

    pub(super) fn ways(&self) -> impl Iterator<Item = (usize, &Journey)> {
        let with_place = |(at, sold)| Sold::journeys(sold).map(move |journey| (at, journey));
        self.fares.iter().enumerate().flat_map(with_place)
    }

    /// Whether its first flight has left.
    pub(super) fn has_departed(&self, now: DateTime<Utc>) -> bool {
        let departure = self.fares.first().and_then(|sold| sold.bundle.departure());
        departure.is_some_and(|departure| departure <= now)
    }

    /// Takes the money and issues the tickets that money buys.
    pub(super) fn pay(&mut self, now: DateTime<Utc>) {
        let number = |place: usize| {
            let prefix = self.fares.get(place).map(|sold| sold.bundle.airline.ticket_prefix);
            let digits = rand::random::<u64>() % 10_000_000_000;
            format!("{}{digits:010}", prefix.unwrap_or_default())
        };
        self.tickets =
            self.people.iter().map(|_| self.ways().map(|(place, _)| number(place)).collect()).collect();
        self.paid_at = Some(now);
    }
}

pub(super) fn amendment_id() -> String {
    format!("TJA{:012}", rand::random::<u64>() % 1_000_000_000_000)
}

fn not_found() -> ApiError {
    ApiError::refused(1057, "Booking not found. The booking id is expired or incorrect")
}

/// The id under which a booking is stored: of one that was reissued the first, whichever of its ids this is.
fn stored_id(world: &World, booking_id: &str) -> Option<String> {
    if world.orders.find::<Booking>(booking_id).is_some() {
        return Some(booking_id.to_owned());
    }
    let has_it = |order: &Order<Booking>| {
        let reissue = order.booking.reissue.as_ref();
        reissue.is_some_and(|reissue| reissue.id == booking_id)
    };
    let mut orders = world.orders.of::<Booking>().into_iter();
    orders.find(has_it).map(|order| order.id)
}

/// A booking by one of its ids: by the first it is as it was before it was reissued.
pub(super) fn find(world: &World, booking_id: &str) -> Result<Order<Booking>, ApiError> {
    let stored = stored_id(world, booking_id).ok_or_else(not_found)?;
    let order = world.orders.find::<Booking>(&stored).ok_or_else(not_found)?;
    let booking = match &order.booking.reissue {
        Some(reissue) if reissue.id != booking_id => {
            Arc::new(Booking { reissue: order.booking.reissue.clone(), ..Booking::clone(&reissue.before) })
        }
        _ => Arc::clone(&order.booking),
    };
    Ok(Order { id: booking_id.to_owned(), booking, ..order })
}

pub(super) fn change(
    world: &World,
    booking_id: &str,
    change: impl FnOnce(&mut Booking, DateTime<Utc>) -> Result<(), ApiError>,
) -> Result<Order<Booking>, ApiError> {
    let now = world.clock.now();
    let stored = stored_id(world, booking_id).ok_or_else(not_found)?;
    let changed = world.orders.change(&stored, |booking: &mut Booking| {
        let reissued = booking.reissue.as_ref().map(|reissue| reissue.id.as_str());
        match reissued.is_none_or(|id| id == booking_id) {
            true => change(booking, now),
            false => Err(ApiError::refused(400, "The booking was reissued under another id")),
        }
    })?;
    changed.ok_or_else(not_found)
}
