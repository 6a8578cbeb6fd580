//! Holds as agencies work with them: how they stand, who is reminded, what is ticketed by itself.

mod follow_up;
mod reminders;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel_async::AsyncConnection;
use wayfare_boxed::boxed;
use wayfare_domain::{BookingId, BookingRef, BookingStatus, EventKind, HoldState};
use wayfare_flights::Itinerary;
use wayfare_store::booking::{
    booking_holds::{self, ShownHold},
    bookings::{self, Booking},
    steps,
};

pub(crate) use follow_up::{follow_up, follow_up_now, put_off};
pub(crate) use reminders::event;

use super::Booked;
use crate::{
    Caller, Core, Error, Result,
    bookings::load,
    engine::{
        booking_state::{check_confirmed, nothing_pending},
        order_holds,
    },
    tools::audit_event,
};

/// What became of the hold of a booking, of all its orders together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookingHold {
    pub state: HoldState,
    /// Until when it must be paid, UTC, or had to; none where no supplier says so.
    pub pay_by: Option<DateTime<Utc>>,
    /// Until when it keeps its price, UTC, or kept it; none where no supplier says so.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
    /// Whether it is ticketed by itself.
    pub auto_ticket: bool,
    /// When somebody is reminded next, UTC; none of what is not held.
    pub next_reminder_at: Option<DateTime<Utc>>,
}

impl BookingHold {
    /// None of what was never held. Of several orders one that is still held counts before one that is paid, and that
    /// before one that is gone; limits are the earliest of those that count.
    fn of(shown: &ShownHold) -> Option<Self> {
        let states = shown.orders.iter().map(|order| order.state);
        let state = states.min_by_key(|state| match state {
            HoldState::Held => 0,
            HoldState::Paid => 1,
            HoldState::Lapsed => 2,
            HoldState::Released => 3,
        })?;
        let counting = || shown.orders.iter().filter(|order| order.state == state);
        let is_held = state == HoldState::Held;
        Some(Self {
            state,
            pay_by: counting().filter_map(|order| order.pay_by).min(),
            price_guaranteed_until: counting().filter_map(|order| order.price_guaranteed_until).min(),
            auto_ticket: shown.auto_ticket,
            next_reminder_at: shown.next_reminder_at.filter(|_| is_held),
        })
    }
}

/// Whether anything of a booking that stands is held.
pub(crate) fn is_held(booked: &Booked) -> bool {
    booked.booking.status == BookingStatus::Confirmed && order_holds::of_held(&booked.orders).is_some()
}

/// What became of the hold of a booking; none of one that was never held.
#[boxed]
pub async fn hold(core: &Core, booked: &Booked) -> Result<Option<BookingHold>> {
    if booked.orders.iter().all(|order| order.hold.is_none()) {
        return Ok(None);
    }
    let mut holds = holds(core, std::slice::from_ref(&booked.booking)).await?;
    Ok(holds.remove(&booked.booking.id))
}

/// What became of the holds of these bookings, of those that were ever held.
#[boxed]
pub async fn holds(core: &Core, bookings: &[Booking<Itinerary>]) -> Result<HashMap<BookingId, BookingHold>> {
    let of: Vec<_> = bookings.iter().map(|booking| (booking.organization, booking.id)).collect();
    if of.is_empty() {
        return Ok(HashMap::new());
    }
    let mut connection = core.database.connection().await?;
    let shown = booking_holds::shown(&mut connection, &of).await?;
    let read = |(id, shown): (BookingId, ShownHold)| Some((id, BookingHold::of(&shown)?));
    Ok(shown.into_iter().filter_map(read).collect())
}

/// Has what is held of a booking ticketed by itself, or no more.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too, the error of a booking that does not stand or has something under way,
/// [`Error::NotSupported`] where nothing is held.
#[boxed]
pub async fn set_auto_ticket(
    core: &Core,
    caller: &Caller,
    reference: &BookingRef,
    enabled: bool,
) -> Result<Booked> {
    let booked: Booked = load(core, caller, reference).await?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let now = core.shared_time.now();
    let mut connection = core.database.connection().await?;
    let set = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, organization, id).await?;
        check_confirmed(&booking)?;
        nothing_pending(&steps::under_way_on(connection, organization, id).await?)?;
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let held = order_holds::of_held(&orders.remove(&id).unwrap_or_default());
        let hold = booking_holds::lock(connection, organization, id).await?;
        let (Some(_), Some(mut hold)) = (held, hold) else {
            return Err(Error::NotSupported("nothing of the booking is held"));
        };
        if hold.auto_ticket_since.is_some() == enabled {
            return Ok(());
        }
        hold.auto_ticket_since = enabled.then_some(now);
        hold.auto_ticket_at = None;
        hold.due_at = Some(now);
        booking_holds::save(connection, &hold, now).await?;
        let actor = caller.actor();
        let mut event =
            audit_event::of_booking(core, &actor, &booking, EventKind::BookingAutoTicketSet, None);
        event.add("auto_ticket", enabled);
        audit_event::write(connection, &event).await
    });
    set.await?;
    drop(connection);
    load(core, caller, reference).await
}
