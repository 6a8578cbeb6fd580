//! Erasure: the wrapped keys of a booking's sealed rows are destroyed, and with them what the rows hold.
//!
//! Money, seals, references and ticket numbers stay. What was erased is written down, so that a database which is restored
//! from a backup can be erased again.

use chrono::{Duration, NaiveDate};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;
use wayfare_domain::{Actor, BookingId, BookingStatus, EventKind, OrganizationId, SealedKind};
use wayfare_store::booking::{
    bookings,
    people::{self, Erasure, Unsettled},
};

use crate::{
    Core, Error, Result,
    core::erasure_log,
    tools::{
        audit_event::{self, Change},
        failpoints::moment,
    },
};

/// What a booking has of its people.
const ALL: [SealedKind; 3] = [SealedKind::People, SealedKind::Papers, SealedKind::AnswerKey];

/// For so many days after the journey nobody's people are erased: flights are late, and hotels are asked.
const AFTER_JOURNEY: Duration = Duration::days(7);

/// Rows that are erased in one part.
const PART: i64 = 500;

/// Erases all that is stored of whom a booking is for; what is erased already stays so.
///
/// # Errors
/// [`Error::NotErasable`] with the reason while something of it is not settled.
pub(crate) async fn erase(
    core: &Core,
    actor: &Actor,
    organization: OrganizationId,
    booking: BookingId,
    ends_on: NaiveDate,
) -> Result<()> {
    if ends_on + AFTER_JOURNEY >= core.clock.now().date_naive() {
        return Err(Error::NotErasable("their journey has not ended 7 days ago"));
    }
    erase_kinds(core, actor, organization, booking, &ALL).await
}

/// Erases these rows of a booking, in one transaction with its event.
async fn erase_kinds(
    core: &Core,
    actor: &Actor,
    organization: OrganizationId,
    booking: BookingId,
    kinds: &[SealedKind],
) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let erased = connection.transaction(async |connection| {
        let locked = bookings::lock(connection, organization, booking).await?;
        if locked.status == BookingStatus::Pending {
            return Err(Error::NotErasable("the booking is pending"));
        }
        check(people::unsettled(connection, organization, booking).await?)?;
        carry_out(core, connection, actor, &locked, kinds).await
    });
    erasure_log::note(core, erased.await?).await;
    Ok(())
}

fn check(unsettled: Unsettled) -> Result<()> {
    let Unsettled { step, refund, incident } = unsettled;
    match (step, refund, incident) {
        (true, ..) => Err(Error::NotErasable("something is under way on the booking")),
        (_, true, _) => Err(Error::NotErasable("a refund is on its way")),
        (.., true) => Err(Error::NotErasable("an incident of the booking is open")),
        (false, false, false) => Ok(()),
    }
}

async fn carry_out(
    core: &Core,
    connection: &mut AsyncPgConnection,
    actor: &Actor,
    booking: &bookings::Booking<()>,
    kinds: &[SealedKind],
) -> Result<Vec<Erasure>> {
    let now = core.clock.now();
    let erased = people::erase(connection, booking.organization, booking.id, kinds, now).await?;
    #[cfg(feature = "failpoints")]
    crate::tools::failpoints::commit_halfway(connection).await?;
    moment("erase:key_gone");
    if erased.is_empty() {
        return Ok(Vec::new());
    }
    let change = Change {
        new_value: Some(json!({ "product": booking.kind, "kinds": erased })),
        ..Change::of(booking.organization, actor, EventKind::PeopleErased, &booking.reference)
    };
    audit_event::write(connection, &audit_event::event(core, change)).await?;
    let erasure = |kind| Erasure { organization: booking.organization, booking: booking.id, kind, at: now };
    Ok(erased.into_iter().map(erasure).collect())
}

/// Erases rows whose time is over, a part of them; how many there were. What is not settled meanwhile waits.
pub(crate) async fn erase_due(core: &Core) -> Result<usize> {
    let today = core.clock.now().date_naive();
    let mut connection = core.database.connection().await?;
    let due = people::due(&mut connection, today, PART).await?;
    drop(connection);
    let mut erased = 0;
    for (organization, booking, kind) in &due {
        match erase_kinds(core, &Actor::system(), *organization, *booking, &[*kind]).await {
            Ok(()) => erased += 1,
            Err(Error::NotErasable(why)) => tracing::info!(%booking, why, "people are kept longer"),
            Err(error) => return Err(error),
        }
    }
    Ok(erased)
}

/// Erases again what was erased before, after a backup was restored. Whether there was anything to erase. What tells so has it
/// noted already.
pub(crate) async fn replay(core: &Core, erasure: &Erasure) -> Result<bool> {
    let Erasure { organization, booking, kind, .. } = *erasure;
    let mut connection = core.database.connection().await?;
    let replayed = connection.transaction(async |connection| {
        let kept = people::row(connection, organization, booking, kind).await?;
        if kept.is_none_or(|row| row.erased_at.is_some()) {
            return Ok(false);
        }
        let locked = bookings::lock(connection, organization, booking).await?;
        carry_out(core, connection, &Actor::operator(), &locked, &[kind]).await?;
        Ok::<_, Error>(true)
    });
    replayed.await
}
