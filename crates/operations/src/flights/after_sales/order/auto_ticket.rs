//! Holds that are ticketed by themselves, before they lapse or lose their price.
//!
//! What is begun is the usual saga of payments. A supplier that can't be asked is asked again until shortly before the limit;
//! what it refuses, or would do at another price only, is told and not tried again.

use chrono::Duration;
use diesel_async::AsyncConnection;
use wayfare_domain::{Actor, EventKind, ProductKind};
use wayfare_store::booking::{
    booking_holds::{self, BookingHold, Limits},
    bookings,
};

use super::ticket;
use crate::{
    Core, Engine, Error, Result,
    engine::{order_holds, saga},
    flights::{
        Booked,
        holds::{self, put_off},
    },
    people::sealed,
    tools::{audit_event, failpoints::moment},
};

/// It is given up this long before its limit.
const GIVEN_UP: Duration = Duration::minutes(5);
/// The pause before it is tried again, where nobody could be asked or something is under way.
const AGAIN: Duration = Duration::minutes(1);

/// Does what is due about a hold: tells it, and has it ticketed.
pub(crate) async fn follow_up(engine: &Engine, due: &BookingHold) -> Result<()> {
    match holds::follow_up(&engine.core, due).await? {
        Some(limits) => carry_out(engine, due, limits).await,
        None => Ok(()),
    }
}

/// Has its tickets issued, and tells where that can't be.
async fn carry_out(engine: &Engine, hold: &BookingHold, limits: Limits) -> Result<()> {
    let Some(limit) = limits.earliest() else { return refused(&engine.core, hold).await };
    let issued = issue(engine, hold).await;
    let has_time = engine.core.shared_time.now() < limit - GIVEN_UP;
    match issued {
        Ok(Issued::Done) => Ok(()),
        Ok(Issued::Open) => again(&engine.core, hold).await,
        Err(error) => match error.plain() {
            Error::StepPending(_) | Error::ReschedulePending => again(&engine.core, hold).await,
            // It is given back, or not to be ticketed any more.
            Error::BookingCancelled | Error::BookingFailed | Error::NotFound => Ok(()),
            Error::SupplierUnavailable(_) if has_time => again(&engine.core, hold).await,
            Error::Store(_) | Error::Internal(_) if has_time => Err(error),
            _ => {
                tracing::info!(booking = %hold.booking, %error, "a hold could not be ticketed by itself");
                refused(&engine.core, hold).await
            }
        },
    }
}

enum Issued {
    Done,
    Open,
}

async fn issue(engine: &Engine, hold: &BookingHold) -> Result<Issued> {
    let mut connection = engine.core.database.connection().await?;
    let (organization, id) = (hold.organization, hold.booking);
    let stored = bookings::whole_by_id(&mut connection, ProductKind::Flight, organization, id).await?;
    let booking = sealed::open(&engine.core, stored)?;
    let orders = bookings::orders(&mut connection, &booking).await?;
    drop(connection);
    let booked = Booked { booking, orders };
    let actor = Actor::system();
    let steps = ticket::begin(engine, &actor, &booked, None).await?;
    moment("auto:begun");
    let Some(first) = steps.first() else { return Ok(Issued::Done) };
    let mut progress = saga::run_saga(engine, &actor, first, None).await?;
    match progress.error.take() {
        Some(error) => Err(error),
        None if progress.open => Ok(Issued::Open),
        None => Ok(Issued::Done),
    }
}

async fn again(core: &Core, hold: &BookingHold) -> Result<()> {
    let at = core.shared_time.now() + AGAIN;
    let mut connection = core.database.connection().await?;
    let written = connection
        .transaction(async |connection| put_off(connection, hold.organization, hold.booking, at).await);
    written.await
}

/// It is not ticketed by itself any more, and told so. One that is not held, or that somebody has taken on, is not.
async fn refused(core: &Core, hold: &BookingHold) -> Result<()> {
    let now = core.shared_time.now();
    let (organization, id) = (hold.organization, hold.booking);
    let mut connection = core.database.connection().await?;
    let ended = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, organization, id).await?;
        let Some(mut hold) = booking_holds::lock(connection, organization, id).await? else { return Ok(()) };
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let held = order_holds::of_held(&orders.remove(&id).unwrap_or_default());
        let (Some(limits), Some(_)) = (held, hold.auto_ticket_since) else { return Ok(()) };
        (hold.auto_ticket_since, hold.auto_ticket_at) = (None, None);
        hold.due_at = Some(now);
        booking_holds::save(connection, &hold, now).await?;
        let until = limits.earliest();
        let event = holds::event(core, &booking, EventKind::TicketAutoRefused, limits, until, now);
        audit_event::write(connection, &event).await
    });
    ended.await
}
