//! The feed: what an agency's own programs read of its events, in one order that everybody sees, without gaps.
//!
//! A change writes its public event in its own transaction. The event's number is given afterwards, by the publisher: a
//! number that was drawn within the transaction could be committed after a greater one was read, and be missed for ever.

use chrono::Duration;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use wayfare_boxed::boxed;
use wayfare_contract::{Event, FeedPart};
use wayfare_domain::{Faults, OrganizationId};
use wayfare_store::events::feed::{self, PublicEvent, Reach};

use crate::{Admin, Core, Error, Result};

/// So many events of an agency are published in one transaction.
const AT_ONCE: i64 = 500;
/// So long the feed has an event, and a webhook its delivery; the audit log has it for ever.
pub(crate) const KEPT: Duration = Duration::days(30);
/// So long delivery of an event is tried.
pub(crate) const TRIED: Duration = Duration::hours(72);

/// The events after this number, or from the first that is kept, at most `limit`.
///
/// # Errors
/// [`Error::FeedDropped`] when some of those that follow upon the number are not kept any more; [`Error::Invalid`] for a
/// number that was never given: a reader who has it from elsewhere would miss all that comes until then.
#[boxed]
pub async fn read(core: &Core, admin: &Admin, after: Option<i64>, limit: u32) -> Result<FeedPart> {
    let organization = admin.caller().organization();
    let mut connection = core.database.connection().await?;
    let from = after.unwrap_or_default();
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let most = i64::try_from(limit.saturating_add(1)).unwrap_or(i64::MAX);
    let mut events = feed::after(&mut connection, organization, from, most).await?;
    // Asked afterwards: what is dropped in between is told.
    let Reach { dropped, last } = feed::reach(&mut connection, organization).await?;
    if after.is_some_and(|after| after < dropped) {
        return Err(Error::FeedDropped(dropped));
    }
    if from > last {
        let reason = format!("must not be beyond the last event, which is {last}");
        return Err(Faults::of("after", reason).into());
    }
    let has_more = events.len() > limit;
    events.truncate(limit);
    Ok(FeedPart {
        next: events.last().map_or(from.max(dropped), |event| event.sequence),
        events: events.into_iter().map(shown).collect(),
        has_more,
    })
}

fn shown(event: PublicEvent) -> Event {
    Event {
        sequence: Some(event.sequence),
        id: event.id.uuid(),
        kind: event.kind,
        timestamp: event.at,
        data: event.data,
    }
}

/// Publishes what was written, agency by agency and of each a part at a time: one that writes without pause keeps nobody
/// else waiting, nor does one that can't be published.
#[boxed]
pub async fn publish_due(core: &Core) -> Result<()> {
    let mut connection = core.database.connection().await?;
    loop {
        let mut is_more = false;
        for organization in feed::unpublished(&mut connection).await? {
            match publish(core, &mut connection, organization).await {
                Ok(published) => is_more |= i64::try_from(published) == Ok(AT_ONCE),
                Err(error) => tracing::error!(%error, %organization, "events could not be published"),
            }
        }
        if !is_more {
            return Ok(());
        }
    }
}

async fn publish(
    core: &Core,
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<usize> {
    let now = core.shared_time.now();
    connection
        .transaction(async |connection| {
            Ok::<_, Error>(feed::publish(connection, organization, (now, now + TRIED), AT_ONCE).await?)
        })
        .await
}
