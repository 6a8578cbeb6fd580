//! What the worker does about a hold that is due: it plans its reminders, tells those that are due, and has it ticketed.

use chrono::{DateTime, Duration, Utc};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use wayfare_domain::BookingStatus;
use wayfare_store::{
    access::organizations,
    batch::writes::Writes,
    booking::{
        booking_holds::{self, BookingHold, Limits},
        bookings::{self, Booking},
        hold_reminders,
    },
};

use super::{auto_ticket, reminders};
use crate::{
    Error, Platform, Result, agency::settings, engine::order_holds, tools::failpoints::moment,
    tools::lease::LEASE,
};

/// A suspended agency is told nothing. Whether it still is, is looked at so often.
const SUSPENDED_FOR: Duration = Duration::minutes(10);

/// Does what is due about a hold.
///
/// # Errors
/// When the database can't be asked: it is looked at again when its lease has ended.
pub(crate) async fn tend(platform: &Platform, due: &BookingHold) -> Result<()> {
    let mut connection = platform.database.connection().await?;
    let tended = connection.transaction(async |connection| tend_locked(platform, connection, due).await);
    let wants_tickets = tended.await?;
    moment("hold:tended");
    drop(connection);
    match wants_tickets {
        Some(limits) => auto_ticket::carry_out(platform, due, limits).await,
        None => Ok(()),
    }
}

/// The same of one that was just held, so that whoever holds it is told when they are reminded. What fails is left to the
/// worker.
pub(crate) async fn tend_now(platform: &Platform, booking: &Booking<wayfare_flights::Itinerary>) {
    let just_held = BookingHold {
        organization: booking.organization,
        booking: booking.id,
        auto_ticket_since: None,
        auto_ticket_at: None,
        held_at: None,
        planned: None,
        due_at: None,
    };
    let planned = async {
        let mut connection = platform.database.connection().await?;
        let tended = connection.transaction(async |connection| {
            let wants = tend_locked(platform, connection, &just_held).await?;
            if wants.is_some() {
                // Nobody waits for that here.
                let at = platform.shared_time.now();
                due_at(connection, &just_held, at).await?;
            }
            Ok::<_, Error>(())
        });
        tended.await
    };
    if let Err(error) = planned.await {
        tracing::warn!(%error, booking = %booking.reference, "the reminders of a hold could not be planned yet");
    }
}

/// Plans and tells under the booking's lock; its limits where it is to be ticketed now.
async fn tend_locked(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    due: &BookingHold,
) -> Result<Option<Limits>> {
    let now = platform.shared_time.now();
    let (organization, id) = (due.organization, due.booking);
    let booking = bookings::lock(connection, organization, id).await?;
    let Some(mut hold) = booking_holds::lock(connection, organization, id).await? else {
        return Ok(None);
    };
    let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
    let held = order_holds::of_held(&orders.remove(&id).unwrap_or_default());
    let Some(limits) = held.filter(|_| booking.status == BookingStatus::Confirmed) else {
        // It is due again when its orders change.
        hold.due_at = None;
        hold_reminders::replace_untold(connection, &hold, &[]).await?;
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
    let next = tell(platform, connection, &booking, &hold, limits, now).await?;
    let tickets_at = auto_ticket::due_at(&mut hold, limits);
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
    let told = hold_reminders::of(connection, hold).await?;
    let planned = reminders::plan(hold, limits, &hours, &told, now);
    hold_reminders::replace_untold(connection, hold, &planned).await?;
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
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    booking: &Booking<()>,
    hold: &BookingHold,
    limits: Limits,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let known = hold_reminders::of(connection, hold).await?;
    let events = reminders::due_events(platform, booking, limits, &known, now);
    if !events.is_empty() {
        let mut writes = Writes::default();
        events.iter().for_each(|event| writes.event(event));
        writes.send(connection).await?;
        hold_reminders::told(connection, (hold.organization, hold.booking), now, now).await?;
    }
    let ahead = known
        .iter()
        .filter(|reminder| reminder.told_at.is_none() && reminder.due_at > now);
    Ok(ahead.map(|reminder| reminder.due_at).min())
}

/// Says when the worker is to look at a hold again.
pub(super) async fn due_at(
    connection: &mut AsyncPgConnection,
    hold: &BookingHold,
    at: DateTime<Utc>,
) -> Result<()> {
    let locked = booking_holds::lock(connection, hold.organization, hold.booking).await?;
    if let Some(locked) = locked {
        let due_at = Some(at);
        booking_holds::save(connection, &BookingHold { due_at, ..locked }, at).await?;
    }
    Ok(())
}
