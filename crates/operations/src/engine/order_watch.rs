//! What all polls of orders share, whatever was bought: what was seen, and when the next poll is.

use wayfare_domain::{Awaited, BookingId, Product};
use wayfare_store::booking::{
    bookings::{self, Booking},
    orders_to_poll::{self, NextPoll, OrderToPoll},
};
use wayfare_supply::Answer;

use crate::{
    Core, Result,
    engine::{
        booking_state::Booked,
        order_polling::{self, Watched},
    },
    people::sealed,
};

pub(crate) enum Seen<O> {
    /// The order as its supplier shows it, which is kept.
    Order(Box<O>),
    /// Nothing that can be relied upon, and why.
    Nothing(String),
    /// That its supplier said nothing, and why.
    Silent(String),
    /// That its supplier answered in a way that nobody can read, and why.
    Unreadable(String),
    /// That its supplier shows it as neither confirmed, held nor gone, or not at all: how.
    Unsettled(String),
    /// That its supplier has cancelled it by itself. That is noted, and when the next poll is.
    Cancelled,
    /// Nothing is awaited of it any more.
    Settled,
}

impl<O> Seen<O> {
    /// What a poll comes to that found no order.
    pub(crate) fn without_order<T>(answer: &Answer<T>) -> Self {
        let problem = answer.problem().unwrap_or_default().to_owned();
        match answer {
            Answer::Unknown(_) if answer.says_nothing() => Self::Unreadable(problem),
            Answer::Unknown(_) | Answer::Unavailable(_) => Self::Silent(problem),
            Answer::Done(_) | Answer::Refused(_) => Self::Nothing(problem),
        }
    }
}

/// The booking of an order that is to be polled.
///
/// # Errors
/// When the database can't be asked, or the booking's people don't open.
pub(crate) async fn load<P: Product>(core: &Core, due: &OrderToPoll) -> Result<Booked<P>> {
    let mut connection = core.database.connection().await?;
    let stored = bookings::whole_by_id(&mut connection, P::KIND, due.organization, due.booking).await?;
    let booking: Booking<P> = sealed::open(core, stored)?;
    let orders = bookings::orders(&mut connection, &booking).await?;
    Ok(Booked { booking, orders })
}

/// Says when the order is polled next, after this was seen of it.
pub(crate) async fn schedule<P: Product>(
    core: &Core,
    due: &OrderToPoll,
    booked: &Booked<P>,
    seen: Seen<P::Order>,
) -> Result<()> {
    let now = core.shared_time.now();
    let failing_since = match seen {
        Seen::Silent(_) | Seen::Unreadable(_) | Seen::Unsettled(_) => due.has_failed_since().or(Some(now)),
        Seen::Nothing(_) => due.has_failed_since(),
        Seen::Order(_) | Seen::Cancelled | Seen::Settled => None,
    };
    let next = match seen {
        Seen::Cancelled => return Ok(()),
        Seen::Settled => NextPoll { at: None, travel_at: None, travel_ends: None, looks_failed: 0 },
        Seen::Order(found) => next(core, due, booked, Some(&found), 0),
        Seen::Nothing(reason) | Seen::Silent(reason) | Seen::Unreadable(reason) | Seen::Unsettled(reason) => {
            tracing::warn!(booking = %booked.booking.reference, reason, "an order could not be polled");
            let order = booked.orders.iter().find(|order| order.number == due.number);
            let stored = order.and_then(|order| order.content.as_ref());
            next(core, due, booked, stored, due.looks_failed.saturating_add(1))
        }
    };
    let mut connection = core.database.connection().await?;
    Ok(orders_to_poll::poll_again(&mut connection, due, next, failing_since, now).await?)
}

/// Says when an order that nobody has watched yet is first polled. The supplier is not asked.
///
/// # Errors
/// When the database can't be asked, or the booking's people don't open.
pub(crate) async fn adopt<P: Product>(core: &Core, due: &OrderToPoll) -> Result<()> {
    let booked: Booked<P> = load(core, due).await?;
    let order = booked.orders.iter().find(|order| order.number == due.number);
    let stored = order.and_then(|order| order.content.as_ref());
    let now = core.shared_time.now();
    let mut next = next(core, due, &booked, stored, 0);
    // Whatever happened to it before nobody knows: it is polled within a day, not all at once.
    let within_a_day =
        chrono::Duration::minutes((720 + i64::from(spread(due.booking, due.number)) * 7).max(1));
    next.at = next.at.map(|at| at.min(now + within_a_day));
    let mut connection = core.database.connection().await?;
    Ok(orders_to_poll::poll_again(&mut connection, due, next, None, now).await?)
}

/// Puts off the poll of an order that could not be polled.
pub(crate) async fn postpone(core: &Core, due: &OrderToPoll) -> Result<()> {
    let failed = due.looks_failed.saturating_add(1);
    let now = core.shared_time.now();
    let again_at = now + order_polling::back_off(failed);
    let mut connection = core.database.connection().await?;
    Ok(orders_to_poll::postpone(&mut connection, due, (again_at, failed), now).await?)
}

fn next<P: Product>(
    core: &Core,
    due: &OrderToPoll,
    booked: &Booked<P>,
    shown: Option<&P::Order>,
    failed: i16,
) -> NextPoll {
    let booking = &booked.booking;
    let travel = booking.product.travel(due.number, shown);
    let turn = u16::try_from(due.poll_count % 1_000).unwrap_or_default();
    let watched = Watched {
        kind: P::KIND,
        awaited: shown.map_or(Awaited::Nothing, |shown| P::facts(shown).awaited),
        polls: due.poll_count,
        travel: travel.as_ref(),
        sold_at: booking.booked_at.unwrap_or(booking.created_at),
        lacks_number: shown.is_some_and(P::lacks_number),
        failed,
        spread: spread(due.booking, due.number.wrapping_add(turn)),
    };
    order_polling::next(watched, core.shared_time.now())
}

/// By how many thousandths its interval is longer or shorter, so that orders that were sold together are not polled together
/// for ever.
fn spread(booking: BookingId, turn: u16) -> i32 {
    let mixed =
        (booking.uuid().as_u128() ^ u128::from(turn)).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
    i32::try_from((mixed >> 64) % 201).unwrap_or(100) - 100
}
