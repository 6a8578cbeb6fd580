//! A purchase of any product: opened before a supplier is asked, closed when its answer is known.
//!
//! `open` claims the quote, holds the money and writes the booking with the intended effect in one transaction;
//! `close` posts or voids in one transaction. In between nothing is locked. Whoever closes first wins: a
//! second close of the same effect changes nothing. Both go through the [`crate::writers`], which carry many
//! purchases in one transaction.

pub(crate) mod closing;
pub(crate) mod opening;

use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use wayfare_domain::{Actor, BookingRef, BookingStatus, OrderStatus, Product, QuoteId};
use wayfare_pricing::Sale;
use wayfare_store::{
    bookings::{Booking, Order, Summary},
    effects::Effect,
    quotes,
};

pub(crate) use closing::{Closed, Closing, Ending as Outcome};
pub(crate) use opening::{Opening, Stood};

use crate::{Caller, Error, Platform, Result, idempotency::IdempotencyKey};
use closing::Made;

/// After its deadline an effect in flight gets this much longer to be closed by whoever sent it.
const GRACE: Duration = Duration::seconds(10);

/// When somebody else may look at an effect that is sent now.
pub(crate) fn due(now: DateTime<Utc>, deadline: std::time::Duration) -> DateTime<Utc> {
    now + Duration::from_std(deadline).unwrap_or(GRACE) + GRACE
}

/// An effect is handed to its supplier so soon after it was written, or never: "not found" is believed when the
/// supplier's longest processing time has passed since it was written, which leaves a few seconds for this.
const HAND_OVER: Duration = Duration::seconds(2);

/// Whether an effect may still be sent.
pub(crate) fn in_time(platform: &Platform, effect: &Effect) -> bool {
    platform.clock.now() - effect.sent_at <= HAND_OVER
}

/// That the booking stands: something may be done with it.
///
/// # Errors
/// The decided error for each other state (decisions, detail 18).
pub(crate) fn standing<P>(booking: &Booking<P>) -> Result<()> {
    match booking.status {
        BookingStatus::Confirmed => Ok(()),
        BookingStatus::Pending => Err(Error::BookingPending),
        BookingStatus::Cancelled => Err(Error::BookingCancelled),
        BookingStatus::Failed => Err(Error::BookingFailed),
    }
}

/// What is about to be bought.
pub(crate) struct Intent<P, R> {
    pub quote: QuoteId,
    pub reference: BookingRef,
    pub summary: Summary,
    pub product: P,
    pub sales: Vec<Sale>,
    /// One for each supplier order, in order of their numbers.
    pub requests: Vec<OrderIntent<R>>,
}

/// One supplier order that is about to be made.
pub(crate) struct OrderIntent<R> {
    pub supplier: String,
    /// What will be sent; kept, so that anybody can find the order again.
    pub request: R,
    /// How long the supplier may take to answer.
    pub deadline: std::time::Duration,
}

/// A purchase whose suppliers may now be asked.
pub(crate) struct Opened<P: Product> {
    pub booking: Booking<P>,
    pub orders: Vec<Order<P::Order>>,
    pub effects: Vec<Effect>,
}

/// Claims the quote, holds the money, writes booking, orders, effects and event.
///
/// # Errors
/// [`Error::KeyUsed`], [`Error::InsufficientFunds`]; nothing is written then.
pub(crate) async fn open<P: Product, R: Serialize>(
    platform: &Platform,
    caller: &Caller,
    intent: Intent<P, R>,
    key: Option<&IdempotencyKey>,
) -> Result<Opened<P>> {
    let opening = Opening::new(platform, caller, P::KIND, &intent, key)?;
    let orders = opening.orders.iter().map(Order::without_content).collect();
    match platform.writers.open(opening).await? {
        Stood::Open(booking, effects) => Ok(Opened {
            booking: booking.with(intent.product),
            orders,
            effects,
        }),
        Stood::QuoteUsed => {
            let mut connection = platform.database.connection().await?;
            let first = quotes::used_by(&mut connection, caller.organization(), intent.quote).await?;
            Err(first.map_or(Error::NotFound, Error::KeyUsed))
        }
    }
}

/// What became of one order.
pub(crate) enum Ending<O> {
    /// The supplier has it.
    Done(O),
    /// Nothing happened there, and why.
    Refused(String),
}

/// What the order that a supplier shows means for the booking; none while the supplier itself doesn't know yet.
pub(crate) fn ending<P: Product>(order: P::Order) -> Option<Ending<P::Order>> {
    match P::facts(&order).status {
        OrderStatus::Held | OrderStatus::Confirmed => Some(Ending::Done(order)),
        OrderStatus::Cancelled | OrderStatus::Failed => {
            Some(Ending::Refused("the supplier has cancelled the order".to_owned()))
        }
        OrderStatus::Pending => None,
    }
}

/// Closes a booking effect: posts the hold when all orders stand, voids it when the supplier refused.
/// A second close of the same effect changes nothing and returns the booking as it stands.
///
/// # Errors
/// When the database can't be asked: the effect stays open and the worker closes it later.
pub(crate) async fn close<P: Product>(
    platform: &Platform,
    actor: &Actor,
    effect: &Effect,
    ending: Ending<P::Order>,
) -> Result<Closed> {
    let ending = match ending {
        Ending::Done(order) => Outcome::Booked(made::<P>(&order)?),
        Ending::Refused(reason) => Outcome::NotBooked(reason),
    };
    let closing = Closing {
        effect: effect.clone(),
        actor: actor.clone(),
        ending,
    };
    platform.writers.close(closing).await
}

/// What every booking needs to know of this order.
pub(crate) fn made<P: Product>(order: &P::Order) -> Result<Made> {
    let facts = P::facts(order);
    Ok(Made {
        id: facts.id.to_owned(),
        status: facts.status,
        locator: facts.locator.to_owned(),
        total: facts.total,
        content: serde_json::to_value(order)?,
    })
}
