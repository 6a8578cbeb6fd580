//! A purchase of any product: opened before a supplier is asked, closed when its answer is known.
//!
//! `open` claims the quote, holds the money and writes the booking with the intended step in one transaction;
//! `close` posts or voids in one transaction. In between nothing is locked. Whoever closes first wins: a
//! second close of the same step changes nothing. Both go through the [`crate::engine::commit`], which carry many
//! purchases in one transaction.

use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use wayfare_domain::{BookingId, BookingRef, BookingStatus, OrderStatus, Product, QuoteId};
use wayfare_pricing::Sale;
use wayfare_store::booking::{
    bookings::{Booking, Fingerprint, Order, Summary},
    quotes,
    steps::Step,
};

pub(crate) use crate::engine::{
    complete::{BookingState, CompleteStep, Ending as Outcome, GivenBack, OrderMade, Service, stands},
    open_booking::{OpenBooking, OpenResult, form_saga},
};

use crate::{
    Caller, Error, Platform, Result, bookings::Booked, engine::run::Progress,
    tools::idempotency::IdempotencyKey,
};

/// After its deadline a step in flight gets this much longer to be closed by whoever sent it.
const GRACE: Duration = Duration::seconds(10);

/// When somebody else may look at a step that is sent now.
pub(crate) fn due(now: DateTime<Utc>, deadline: std::time::Duration) -> DateTime<Utc> {
    now + Duration::from_std(deadline).unwrap_or(GRACE) + GRACE
}

/// A step is handed to its supplier so soon after it was written, or never: "not found" is believed when the
/// supplier's longest processing time has passed since it was written, which leaves a few seconds for this.
const HAND_OVER: Duration = Duration::seconds(2);

/// Whether a step may still be sent.
pub(crate) fn in_time(platform: &Platform, step: &Step) -> bool {
    platform.clock.now() - step.sent_at <= HAND_OVER
}

/// That the booking stands: something may be done with it.
///
/// # Errors
/// The error for each other state (P-18).
pub(crate) fn standing<P>(booking: &Booking<P>) -> Result<()> {
    match booking.status {
        BookingStatus::Confirmed => Ok(()),
        BookingStatus::Pending => Err(Error::BookingPending),
        BookingStatus::Cancelled => Err(Error::BookingCancelled),
        BookingStatus::Failed => Err(Error::BookingFailed),
    }
}

/// What is about to be bought.
pub(crate) struct PurchaseRequest<P, R> {
    pub quote: QuoteId,
    pub reference: BookingRef,
    pub summary: Summary,
    pub product: P,
    pub sales: Vec<Sale>,
    /// One for each supplier order, in order of their numbers: each is sent when the one before it was made.
    pub requests: Vec<OrderRequest<R>>,
    /// By what another booking of the same is known.
    pub fingerprint: Option<Fingerprint>,
    /// Whether it may be a duplicate of one that was just made.
    pub allow_duplicate: bool,
    /// Which booking is given back when this one stands.
    pub replaces: Option<Original>,
}

/// A booking whose place is taken by another.
pub(crate) struct Original {
    pub booking: BookingId,
    /// Of each of its orders that stand the number, the supplier and its id there.
    pub cancels: Vec<(u16, String, String)>,
}

/// One supplier order that is about to be made.
pub(crate) struct OrderRequest<R> {
    pub supplier: String,
    /// What will be sent; kept, so that anybody can find the order again.
    pub request: R,
}

/// A purchase whose suppliers may now be asked.
pub(crate) struct Opened<P: Product> {
    pub booking: Booking<P>,
    pub orders: Vec<Order<P::Order>>,
    pub steps: Vec<Step>,
}

impl<P: Product> Opened<P> {
    /// The booking before its suppliers have said anything.
    pub(crate) fn pending(&self) -> Booked<P> {
        Booked {
            booking: self.booking.clone(),
            orders: self.orders.clone(),
        }
    }

    /// The booking as its steps left it; `error` is why one of them was refused.
    ///
    /// # Errors
    /// That error, when the booking has failed.
    pub(crate) fn after(self, progress: &Progress, error: Option<Error>) -> Result<Booked<P>> {
        let Some(closed) = progress.of(self.booking.id).cloned() else {
            return Ok(Booked {
                booking: self.booking,
                orders: self.orders,
            });
        };
        let orders = closed.orders.into_iter().map(Order::read);
        let booked = Booked {
            orders: orders.collect::<Result<_, _>>()?,
            booking: closed.booking.with(self.booking.product),
        };
        if booked.booking.status == BookingStatus::Failed {
            let failure = booked.booking.failure.unwrap_or_default();
            return Err(error.unwrap_or(Error::SupplierRefused(failure)));
        }
        Ok(booked)
    }
}

/// Claims the quote, holds the money, writes booking, orders, steps and event.
///
/// # Errors
/// [`Error::KeyUsed`], [`Error::DuplicateBooking`], [`Error::InsufficientFunds`], the error of a booking that should be
/// replaced and does not stand or has something under way; nothing is written then.
pub(crate) async fn open<P: Product, R: Serialize>(
    platform: &Platform,
    caller: &Caller,
    request: PurchaseRequest<P, R>,
    key: Option<&IdempotencyKey>,
) -> Result<Opened<P>> {
    let opening = OpenBooking::new(platform, caller, P::KIND, &request, key)?;
    let orders = opening.orders.iter().map(Order::without_content).collect();
    match platform.group_commit.open(opening).await? {
        OpenResult::Open(booking, steps) => Ok(Opened {
            booking: booking.with(request.product),
            orders,
            steps,
        }),
        OpenResult::QuoteUsed => {
            let mut connection = platform.database.connection().await?;
            let first = quotes::used_by(&mut connection, caller.organization(), request.quote).await?;
            Err(first.map_or(Error::NotFound, Error::KeyUsed))
        }
        OpenResult::Duplicate(first) => Err(Error::DuplicateBooking(first)),
    }
}

/// What the order that a supplier shows means for the booking; none while the supplier itself doesn't know yet.
///
/// # Errors
/// When the order is no JSON.
pub(crate) fn ending<P: Product>(order: &P::Order) -> Result<Option<Outcome>> {
    Ok(match P::facts(order).status {
        OrderStatus::Held | OrderStatus::Confirmed => Some(Outcome::Booked(made::<P>(order)?)),
        OrderStatus::Cancelled | OrderStatus::Failed => Some(Outcome::NotBooked(
            "the supplier has cancelled the order".to_owned(),
        )),
        OrderStatus::Pending => None,
    })
}

/// What every booking needs to know of this order.
pub(crate) fn made<P: Product>(order: &P::Order) -> Result<OrderMade> {
    let facts = P::facts(order);
    Ok(OrderMade {
        id: facts.id.to_owned(),
        status: facts.status,
        locator: facts.locator.to_owned(),
        total: facts.total,
        awaited: facts.awaited,
        content: serde_json::to_value(order)?,
    })
}
