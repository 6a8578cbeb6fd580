//! What the worker does about a hold that is due: it plans its reminders and tells those that are due.

use chrono::{DateTime, Duration, Utc};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use wayfare_domain::{BookingId, BookingStatus, OrganizationId};
use wayfare_store::{
    access::organizations,
    batch::writes::Writes,
    booking::{
        booking_holds::{self, BookingHold, Limits},
        bookings::{self, Booking},
        hold_reminders,
    },
};

use super::reminders;
use crate::{
    Core, Error, Result,
    agency::settings,
    engine::order_holds,
    tools::{failpoints::moment, lease::LEASE},
};

/// A suspended agency is told nothing; whether it still is one is asked again after this.
const SUSPENDED_FOR: Duration = Duration::minutes(10);

/// A hold is ticketed this long before its limit.
const BEFORE: Duration = Duration::minutes(30);
/// A hold of which no supplier tells a limit is ticketed when one does, but not later than this.
const NO_LIMIT_FOR: Duration = Duration::hours(1);

/// Plans and tells what is due about a hold; its limits where it is to be ticketed now.
pub(crate) async fn follow_up(core: &Core, due: &BookingHold) -> Result<Option<Limits>> {
    let mut connection = core.database.connection().await?;
    let done = connection.transaction(async |connection| {
        follow_up_locked(core, connection, due.organization, due.booking).await
    });
    let wants_tickets = done.await?;
    moment("hold:followed-up");
    Ok(wants_tickets)
}

/// The same of a hold that was just made, so that whoever holds it is told when they are reminded. What fails is left to the
/// worker.
pub(crate) async fn follow_up_now(core: &Core, booking: &Booking<wayfare_flights::Itinerary>) {
    let (organization, id) = (booking.organization, booking.id);
    let planned = async {
        let mut connection = core.database.connection().await?;
        let done = connection.transaction(async |connection| {
            let wants = follow_up_locked(core, connection, organization, id).await?;
            if wants.is_some() {
                // Nobody waits for that here.
                let at = core.shared_time.now();
                put_off(connection, organization, id, at).await?;
            }
            Ok::<_, Error>(())
        });
        done.await
    };
    if let Err(error) = planned.await {
        tracing::warn!(%error, booking = %booking.reference, "the reminders of a hold could not be planned yet");
    }
}

/// Plans and tells under the booking's lock; its limits where it is to be ticketed now.
async fn follow_up_locked(
    core: &Core,
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: BookingId,
) -> Result<Option<Limits>> {
    let now = core.shared_time.now();
    let booking = bookings::lock(connection, organization, id).await?;
    let Some(mut hold) = booking_holds::lock(connection, organization, id).await? else { return Ok(None) };
    let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
    let held = order_holds::of_held(&orders.remove(&id).unwrap_or_default());
    let Some(limits) = held.filter(|_| booking.status == BookingStatus::Confirmed) else {
        // It is due again when its orders change.
        hold.due_at = None;
        hold_reminders::replace_untold(connection, (organization, id), &[]).await?;
        booking_holds::save(connection, &hold, now).await?;
        return Ok(None);
    };
    if !organizations::is_active(connection, organization).await? {
        hold.due_at = Some(now + SUSPENDED_FOR);
        booking_holds::save(connection, &hold, now).await?;
        return Ok(None);
    }
    if hold.planned != Some(limits) {
        plan(connection, &mut hold, limits, now).await?;
    }
    let next = tell(core, connection, &booking, &hold, limits, now).await?;
    let tickets_at = tickets_due_at(&mut hold, limits);
    let wants_tickets = tickets_at.is_some_and(|at| at <= now);
    hold.due_at = match wants_tickets {
        true => Some(now + LEASE),
        false => next.into_iter().chain(tickets_at).min(),
    };
    booking_holds::save(connection, &hold, now).await?;
    moment("hold:told");
    Ok(wants_tickets.then_some(limits))
}

/// Plans its reminders, and when it is ticketed, for these limits.
async fn plan(
    connection: &mut AsyncPgConnection,
    hold: &mut BookingHold,
    limits: Limits,
    now: DateTime<Utc>,
) -> Result<()> {
    let hours = settings::hold_reminder_hours(connection, hold.organization).await?;
    let of = (hold.organization, hold.booking);
    let past = hold_reminders::of(connection, of).await?;
    let planned = reminders::plan(hold, limits, &hours, &past, now);
    hold_reminders::replace_untold(connection, of, &planned).await?;
    let had_no_limit = hold.planned.is_some_and(|planned| planned.earliest().is_none());
    hold.auto_ticket_at = match (hold.auto_ticket_since, limits.earliest()) {
        (Some(_), Some(_)) if had_no_limit => Some(now),
        _ => None,
    };
    hold.planned = Some(limits);
    Ok(())
}

/// Tells what is due, with its events in the same transaction; when the next one is due.
async fn tell(
    core: &Core,
    connection: &mut AsyncPgConnection,
    booking: &Booking<()>,
    hold: &BookingHold,
    limits: Limits,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let of = (hold.organization, hold.booking);
    let known = hold_reminders::of(connection, of).await?;
    let events = reminders::due_events(core, booking, limits, &known, now);
    if !events.is_empty() {
        let mut writes = Writes::default();
        events.iter().for_each(|event| writes.event(event));
        writes.send(connection).await?;
        hold_reminders::mark_told(connection, of, now, now).await?;
    }
    let ahead = known.iter().filter(|reminder| reminder.told_at.is_none() && reminder.due_at > now);
    Ok(ahead.map(|reminder| reminder.due_at).min())
}

/// When it is to be ticketed, or given up where no limit is known by then; none where it is not ticketed by itself.
fn tickets_due_at(hold: &mut BookingHold, limits: Limits) -> Option<DateTime<Utc>> {
    let since = hold.auto_ticket_since?;
    let Some(limit) = limits.earliest() else { return Some(since + NO_LIMIT_FOR) };
    Some(*hold.auto_ticket_at.get_or_insert(limit - BEFORE))
}

/// Says when the worker is to follow up a hold again.
pub(crate) async fn put_off(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: BookingId,
    at: DateTime<Utc>,
) -> Result<()> {
    let locked = booking_holds::lock(connection, organization, id).await?;
    if let Some(locked) = locked {
        let due_at = Some(at);
        booking_holds::save(connection, &BookingHold { due_at, ..locked }, at).await?;
    }
    Ok(())
}
