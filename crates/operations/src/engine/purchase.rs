//! A purchase of any product: opened before a supplier is asked, its steps completed when their outcomes are known.
//!
//! Opening claims the quote, holds the money and writes the booking with its steps in one transaction; completing a step
//! posts or voids in one transaction. In between nothing is locked. Whoever completes a step first wins: a second
//! completion changes nothing. Both go through [`crate::engine::commit`], which carries many in one transaction.

use std::time::Duration;

use tokio::time::timeout;
use wayfare_domain::{BookingRef, BookingStatus, Product};
use wayfare_store::booking::{
    bookings::{Booking, Order},
    references,
    steps::Step,
};

pub(crate) use crate::engine::open_booking::{CancelledOriginal, NewOrder, Original, PurchaseRequest};

use crate::{
    Caller, ChangedFare, Engine, Error, Result,
    access::idempotency::IdempotencyKey,
    engine::{
        booking_state::Booked,
        open_booking::{OpenBooking, OpenResult},
        saga::Progress,
    },
    people::sealed::BookingPeople,
    reason::Fare,
};

/// Whoever waits for a booking that failed at its price waits so long at most for the price of now.
const READ_WITHIN: Duration = Duration::from_secs(5);

/// So often a reference is drawn. Of a hundred million bookings one in ten thousand is drawn twice.
const MOST_DRAWS: usize = 3;

/// A purchase whose suppliers may now be asked.
pub(crate) struct Opened<P: Product> {
    pub booking: Booking<P>,
    pub orders: Vec<Order<P::Order>>,
    pub steps: Vec<Step>,
    /// Whom it is for, to be sent to its suppliers.
    pub people: BookingPeople,
}

impl<P: Product> Opened<P> {
    /// The booking before its suppliers have said anything.
    pub(crate) fn pending(&self) -> Booked<P> {
        Booked { booking: self.booking.clone(), orders: self.orders.clone() }
    }

    /// The booking as its steps left it; `error` is why one of them was refused.
    ///
    /// # Errors
    /// That error, when the booking has failed.
    pub(crate) fn after(self, progress: &Progress, error: Option<Error>) -> Result<Booked<P>> {
        let Some(closed) = progress.of(self.booking.id).cloned() else {
            return Ok(Booked { booking: self.booking, orders: self.orders });
        };
        let booked = Booked {
            orders: closed.orders.into_iter().map(Order::read).collect::<Result<_, _>>()?,
            booking: closed.booking.with(self.booking.product),
        };
        if booked.booking.status == BookingStatus::Failed {
            let failure = booked.booking.failure.unwrap_or_default();
            return Err(error.unwrap_or(Error::SupplierRefused(failure)));
        }
        Ok(booked)
    }
}

/// Claims the quote, holds the money, writes booking, orders, steps and event; under another reference where a booking has that
/// of the request already.
///
/// # Errors
/// [`Error::KeyUsed`], [`Error::DuplicateBooking`], [`Error::InsufficientFunds`], the error of a booking that should be
/// replaced and does not stand or has something under way; nothing is written then.
pub(crate) async fn open<P: Product>(
    engine: &Engine,
    caller: &Caller,
    request: PurchaseRequest<P>,
    key: Option<&IdempotencyKey>,
) -> Result<Opened<P>> {
    open_as(engine, caller, request, key, || BookingRef::random(P::KIND)).await
}

/// The same with references that are drawn in this way.
pub(super) async fn open_as<P: Product>(
    engine: &Engine,
    caller: &Caller,
    mut request: PurchaseRequest<P>,
    key: Option<&IdempotencyKey>,
    draw: impl Fn() -> BookingRef,
) -> Result<Opened<P>> {
    let mut draws = 1;
    let (people, orders, result) = loop {
        let opening = OpenBooking::new(engine, caller, &request, key)?;
        let people = opening.people.clone();
        let orders = opening.orders.iter().map(Order::without_content).collect();
        match engine.group_commit.carry_out(opening).await {
            Err(Error::Store(error)) if draws < MOST_DRAWS && references::is_reference_taken(&error) => {
                draws += 1;
                request.set_reference(draw());
            }
            result => break (people, orders, result?),
        }
    };
    match result {
        OpenResult::Open(booking, steps) => {
            if let Some(key) = key {
                key.seal_answer_with(people.answers().cloned());
            }
            Ok(Opened { booking: booking.with(request.product), orders, steps, people })
        }
        OpenResult::QuoteUsed(first) => Err(Error::KeyUsed(first)),
        OpenResult::Duplicate(first) => Err(Error::DuplicateBooking(first)),
    }
}

/// The error of a purchase, with both fares where it failed because its supplier's price is another one: what it is now is
/// read once, if that is soon.
pub(crate) async fn with_fares(error: Error, old: Fare, now: impl Future<Output = Option<Fare>>) -> Error {
    if !matches!(error.plain(), Error::FareChanged(None)) {
        return error;
    }
    let now = timeout(READ_WITHIN, now).await.ok().flatten();
    let changed = Error::from(ChangedFare::between(old, now));
    match error.reason() {
        Some(reason) => changed.because(reason),
        None => changed,
    }
}
