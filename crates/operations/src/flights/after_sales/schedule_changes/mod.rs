//! Schedule changes: found by polls, shown beside what was sold, accepted or refused.

pub(crate) mod decide;
pub(crate) mod follow_up;
pub(crate) mod found;

use std::collections::{BTreeMap, HashMap, HashSet};

use futures_util::try_join;
use wayfare_boxed::boxed;
use wayfare_domain::{BookingId, ChangeState, ListRequest, Page};
use wayfare_flights::{Flown, Itinerary, Segment};
use wayfare_store::booking::{
    bookings::Booking,
    order_changes::{self, ListedChange, OrderChange},
};

use super::order::abilities::{Can, abilities};
use crate::{
    Caller, Core, Engine, Result,
    bookings::{BookingCost, Pending, cost, pending_on},
    flights::{Booked, BookingHold, hold},
};

#[derive(Clone, Debug)]
pub struct ShownChange {
    pub change: OrderChange,
    /// The flights that are not flown any more.
    pub before: Vec<Segment>,
    /// Those that are flown in their place.
    pub after: Vec<Segment>,
}

impl TryFrom<OrderChange> for ShownChange {
    type Error = crate::Error;
    fn try_from(mut change: OrderChange) -> Result<Self> {
        let (before, after) = found::segments(&change)?;
        if change.state != ChangeState::Open {
            // What its supplier let one do is past once it is decided.
            change.actions.clear();
        }
        Ok(Self { change, before, after })
    }
}

#[derive(Clone, Debug)]
pub struct ShownBooking {
    pub booked: Booked,
    /// What became of its hold; none of one that was never held.
    pub hold: Option<BookingHold>,
    /// What its airlines have changed, in the order in which it was found.
    pub changes: Vec<ShownChange>,
    pub flown: Flown,
    pub pending: Vec<Pending>,
    /// What can be done with parts of each of its orders, by number.
    pub can: BTreeMap<u16, Can>,
    /// What it has cost until now.
    pub cost: BookingCost,
}

/// What is shown of a booking beside what it stands for: its hold, its changes, what is under way.
#[boxed]
pub async fn shown(engine: &Engine, booked: Booked) -> Result<ShownBooking> {
    let of = [(booked.booking.organization, booked.booking.id)];
    let connection = engine.core.database.connection().await?;
    let (mut changes, mut pending) = try_join!(
        async { Ok::<_, crate::Error>(order_changes::of_all(&connection, &of).await?) },
        pending_on(&connection, &of),
    )?;
    drop(connection);
    let changes = changes.remove(&booked.booking.id).unwrap_or_default();
    let flown = found::flown(&booked.booking.product, &changes)?;
    Ok(ShownBooking {
        hold: hold(&engine.core, &booked).await?,
        pending: pending.remove(&booked.booking.id).unwrap_or_default(),
        changes: changes.into_iter().map(ShownChange::try_from).collect::<Result<_>>()?,
        flown,
        can: abilities(engine, &booked),
        cost: cost(&engine.core, &booked.booking).await?,
        booked,
    })
}

/// What lists show of these bookings beside themselves: which have a change to be decided on, and what is under way.
#[boxed]
pub async fn open_changes(
    core: &Core,
    bookings: &[Booking<Itinerary>],
) -> Result<(HashSet<BookingId>, HashMap<BookingId, Vec<Pending>>)> {
    if bookings.is_empty() {
        return Ok(Default::default());
    }
    let of: Vec<_> = bookings.iter().map(|booking| (booking.organization, booking.id)).collect();
    let connection = core.database.connection().await?;
    try_join!(
        async { Ok::<_, crate::Error>(order_changes::with_open(&connection, &of).await?) },
        pending_on(&connection, &of),
    )
}

/// A page of what airlines have changed of the caller's bookings, newest first: an admin's are the agency's.
#[boxed]
pub async fn changes(
    core: &Core,
    caller: &Caller,
    state: Option<ChangeState>,
    request: impl Into<ListRequest>,
) -> Result<Page<(ListedChange, ShownChange)>> {
    let mut connection = core.database.connection().await?;
    let page = order_changes::list(&mut connection, caller.scope(), state, request).await?;
    drop(connection);
    let shown = |listed: ListedChange| {
        let shown = ShownChange::try_from(listed.change.clone())?;
        Ok((listed, shown))
    };
    Ok(Page {
        items: page.items.into_iter().map(shown).collect::<Result<_>>()?,
        request: page.request,
        total: page.total,
    })
}
