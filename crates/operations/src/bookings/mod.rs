//! Bookings as their agency reads them, whatever was bought.

pub mod cancel;
mod cost;
mod lists;
pub mod people;
mod timeline;

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use diesel_async::AsyncPgConnection;
use futures_util::{FutureExt, try_join};
use tracing::Instrument;
use wayfare_domain::{
    BookingId, BookingRef, BookingStatus, OrganizationId, Page, PageRequest, PendingWhat, Product,
    RefundStatus, SealedKind, StepKind,
};
use wayfare_store::booking::{
    self,
    bookings::{self, Booking, Order, StoredBooking},
    refunds::{self, RefundRow},
    steps::{self, Step},
};

pub use self::cost::{BookingCost, cost, costs};
pub use self::lists::{BookingSearch, counts, list};
pub use self::timeline::{Occurrence, OrderStep, TimelineEntry, timeline};
pub use crate::engine::booking_state::Booked;
use crate::{
    Caller, Core, Engine, Error, Result,
    engine::{postpone::postpone, recover::recover, step_lease::looking_up},
    people::sealed,
    tools::lease::LEASE,
};
pub use wayfare_store::booking::listing::BookingCounts;

/// A page of the refunds of the caller's bookings of this product, in any state or in one, newest first: two statements.
pub async fn refunds<P: Product>(
    core: &Core,
    caller: &Caller,
    status: Option<RefundStatus>,
    request: PageRequest,
) -> Result<Page<RefundRow>> {
    let mut connection = core.database.connection().await?;
    Ok(refunds::list(&mut connection, caller.scope(), P::KIND, status, request).await?)
}

pub(crate) async fn load<P: Product>(
    core: &Core,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Booked<P>> {
    let mut connection = core.database.connection().await?;
    let stored = find::<P>(&mut connection, caller, reference).await?;
    let (organization, id) = (stored.booking.organization, stored.booking.id);
    let of = [(organization, id)];
    let (papers, mut orders) = try_join!(
        booking::people::row(&connection, organization, id, SealedKind::Papers),
        bookings::orders_of(&connection, &of),
    )?;
    drop(connection);
    let orders = orders.remove(&id).unwrap_or_default().into_iter();
    Ok(Booked {
        booking: sealed::open_with_papers(core, stored, papers.as_ref())?,
        orders: orders.map(Order::read).collect::<Result<_, _>>()?,
    })
}

async fn find<P: Product>(
    connection: &mut AsyncPgConnection,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<StoredBooking> {
    let found = bookings::find(connection, P::KIND, caller.scope(), reference).await?;
    found.ok_or(Error::NotFound)
}

/// The same for what needs nobody's name, such as to give it back: without people where they don't open, and without their
/// papers (D-209).
pub(crate) async fn load_without_names<P: Product>(
    core: &Core,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Booked<P>> {
    let mut connection = core.database.connection().await?;
    let stored = find::<P>(&mut connection, caller, reference).await?;
    let (organization, id) = (stored.booking.organization, stored.booking.id);
    let mut orders = bookings::orders_of(&connection, &[(organization, id)]).await?;
    drop(connection);
    let orders = orders.remove(&id).unwrap_or_default().into_iter();
    Ok(Booked {
        booking: sealed::open_if_it_opens(core, stored)?,
        orders: orders.map(Order::read).collect::<Result<_, _>>()?,
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    pub what: PendingWhat,
    pub since: DateTime<Utc>,
}

/// As what a step is shown; none of what makes or unmakes the booking itself: its status says that.
fn shown_as(kind: StepKind) -> Option<PendingWhat> {
    match kind {
        StepKind::Book | StepKind::Compensate => None,
        StepKind::Cancel => Some(PendingWhat::Cancel),
        StepKind::Ticket => Some(PendingWhat::Ticket),
        StepKind::AcceptChange | StepKind::Change => Some(PendingWhat::Change),
        StepKind::AddService => Some(PendingWhat::Service),
    }
}

/// What is under way on these bookings, each thing once, since the first step of it.
pub(crate) async fn pending_on(
    connection: &AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashMap<BookingId, Vec<Pending>>> {
    let mut shown: HashMap<BookingId, Vec<Pending>> = HashMap::new();
    for (booking, steps) in steps::pending_on(connection, of).await? {
        for (kind, since) in steps {
            let Some(what) = shown_as(kind) else { continue };
            let pending = shown.entry(booking).or_default();
            if pending.iter().all(|known| known.what != what) {
                pending.push(Pending { what, since });
            }
        }
    }
    Ok(shown)
}

/// What is under way on these bookings.
pub async fn pending<'a, P: 'a>(
    core: &Core,
    bookings: impl IntoIterator<Item = &'a Booking<P>>,
) -> Result<HashMap<BookingId, Vec<Pending>>> {
    let of: Vec<_> = bookings.into_iter().map(|booking| (booking.organization, booking.id)).collect();
    if of.is_empty() {
        return Ok(HashMap::new());
    }
    let connection = core.database.connection().await?;
    pending_on(&connection, &of).await
}

/// A booking, and what was under way on it just before it was read: what was under way no more shows in the booking.
pub(crate) async fn load_after_steps<P: Product>(
    core: &Core,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<(Booked<P>, Vec<Step>)> {
    let mut connection = core.database.connection().await?;
    let booking = find::<P>(&mut connection, caller, reference).await?.booking;
    let under_way = steps::under_way_on(&mut connection, booking.organization, booking.id).await?;
    drop(connection);
    Ok((load(core, caller, reference).await?, under_way))
}

/// The booking as it stands; a pending one is looked up at its supplier first.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub async fn detail<P: Product>(
    engine: &Arc<Engine>,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Booked<P>> {
    let booked = load(&engine.core, caller, reference).await?;
    if booked.booking.status != BookingStatus::Pending {
        return Ok(booked);
    }
    look_up_open(engine, &booked.booking).await?;
    load(&engine.core, caller, reference).await
}

/// Looks up what is under way on a booking, as far as it is due or was never looked up. What is found may let other
/// steps begin, so that nobody's hanging up or impatience stops it.
pub(crate) async fn look_up_open<P>(engine: &Arc<Engine>, booking: &Booking<P>) -> Result<()> {
    let (organization, id) = (booking.organization, booking.id);
    let mut connection = engine.core.database.connection().await?;
    let mut under_way = steps::under_way_on(&mut connection, organization, id).await?;
    drop(connection);
    under_way.retain(|step| !step.planned);
    if under_way.is_empty() {
        return Ok(());
    }
    let looking = {
        let engine = engine.clone();
        async move {
            for step in under_way {
                if let Err(error) = look_up(&engine, &step).await {
                    tracing::warn!(%error, step = %step.id, "a step could not be looked up");
                }
            }
        }
    };
    let span = tracing::error_span!("booking", booking = %booking.reference);
    let looking = engine.core.runtime.spawn(looking.instrument(span));
    // What is not known by then is told as it stands; it is looked up to its end.
    tokio::time::timeout(engine.core.durations.patience, looking).await.ok();
    Ok(())
}

async fn look_up(engine: &Engine, step: &Step) -> Result<()> {
    let now = engine.core.shared_time.now();
    let mut connection = engine.core.database.connection().await?;
    let taken = steps::take(&mut connection, step, now, now + LEASE).await?;
    drop(connection);
    if taken && let Err(error) = looking_up(engine, step, recover(engine, step).boxed()).await {
        postpone(engine, step, &error.to_string()).await?;
        return Err(error);
    }
    Ok(())
}

/// The supplier's id of an order that was made.
pub(crate) fn order_id<O>(order: &Order<O>) -> Result<&str> {
    let id = order.supplier_order_id.as_deref();
    id.ok_or_else(|| Error::Internal(format!("order {} has no id at its supplier", order.reference)))
}
