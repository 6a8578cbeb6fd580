//! The feed: what an agency's own programs read of its events, in one order that everybody sees, without gaps.
//!
//! A change writes its public event in its own transaction. The event's number is given afterwards, by the publisher: a
//! number that was drawn within the transaction could be committed after a greater one was read, and be missed for ever.

use chrono::Duration;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use wayfare_domain::OrganizationId;
use wayfare_store::feed::{self, PublicEvent};

use crate::{Admin, Error, Platform, Result};

/// So long the feed has an event; the journal has it for ever.
const KEPT: Duration = Duration::days(30);
/// So long delivery of an event is tried.
pub(crate) const TRIED: Duration = Duration::hours(72);

/// A part of the feed.
#[derive(Clone, Debug)]
pub struct FeedPart {
    /// In order of their numbers.
    pub events: Vec<PublicEvent>,
    /// After what to read on.
    pub next: i64,
    /// Whether there is more already.
    pub has_more: bool,
}

/// The events after this number, or from the first that is kept, at most `limit`.
///
/// # Errors
/// [`Error::FeedDropped`] when some of those that follow upon the number are not kept any more.
pub async fn read(platform: &Platform, admin: &Admin, after: Option<i64>, limit: u32) -> Result<FeedPart> {
    let organization = admin.caller().organization();
    let mut connection = platform.database.connection().await?;
    let from = after.unwrap_or_default();
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let most = i64::try_from(limit.saturating_add(1)).unwrap_or(i64::MAX);
    let mut events = feed::after(&mut connection, organization, from, most).await?;
    // Asked afterwards: what is dropped in between is told.
    let dropped = feed::dropped(&mut connection, organization).await?;
    if after.is_some_and(|after| after < dropped) {
        return Err(Error::FeedDropped(dropped));
    }
    let has_more = events.len() > limit;
    events.truncate(limit);
    Ok(FeedPart {
        next: events.last().map_or(from.max(dropped), |event| event.sequence),
        events,
        has_more,
    })
}

/// Publishes what was written; how many events.
///
/// # Errors
/// When the database can't be asked.
pub async fn publish_due(platform: &Platform) -> Result<usize> {
    let mut connection = platform.database.connection().await?;
    let mut published = 0;
    for organization in feed::unpublished(&mut connection).await? {
        loop {
            match publish(platform, &mut connection, organization).await? {
                0 => break,
                some => published += some,
            }
        }
    }
    Ok(published)
}

async fn publish(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
) -> Result<usize> {
    let now = platform.clock.now();
    connection
        .transaction(async |connection| {
            Ok::<_, Error>(feed::publish(connection, organization, now, now + TRIED).await?)
        })
        .await
}

/// Takes what is too old out of the feeds.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn drop_old(platform: &Platform) -> Result<()> {
    let before = platform.clock.now() - KEPT;
    let mut connection = platform.database.connection().await?;
    connection
        .transaction(async |connection| Ok::<_, Error>(feed::drop_before(connection, before).await?))
        .await
}
