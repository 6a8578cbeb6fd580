//! What is too old is removed, a part at a time: no statement holds many rows for long.

use diesel_async::AsyncPgConnection;
use futures_util::{FutureExt, future::BoxFuture};
use wayfare_store::{
    StoreError,
    events::{feed as events, notifications as told, webhook_deliveries, webhooks},
};

use crate::{
    Platform, Result,
    events::{feed, notifications},
};

/// So many rows go at once.
const PART: i64 = 10_000;

/// Removes notifications, events of feeds and deliveries that are too old, and what is left of deleted webhooks; gives up
/// deliveries whose time is over. What can't be done keeps nothing else from being done.
///
/// # Errors
/// When the database can't be asked.
pub async fn tidy(platform: &Platform) -> Result<()> {
    let now = platform.clock.now();
    let (unread, unsent) = (now - notifications::KEPT, now - feed::KEPT);
    let done = [
        in_parts(platform, |connection| {
            told::remove_before(connection, unread, PART).boxed()
        })
        .await,
        in_parts(platform, |connection| {
            webhook_deliveries::give_up(connection, now, PART).boxed()
        })
        .await,
        in_parts(platform, |connection| {
            webhook_deliveries::remove_before(connection, unsent, PART).boxed()
        })
        .await,
        in_parts(platform, |connection| {
            events::drop_before(connection, unsent, PART).boxed()
        })
        .await,
        in_parts(platform, |connection| {
            webhooks::remove_deleted(connection, PART).boxed()
        })
        .await,
    ];
    done.into_iter().collect()
}

/// Does it part after part, until one is not full.
async fn in_parts(
    platform: &Platform,
    part: impl for<'c> Fn(&'c mut AsyncPgConnection) -> BoxFuture<'c, Result<usize, StoreError>>,
) -> Result<()> {
    let mut connection = platform.database.connection().await?;
    while i64::try_from(part(&mut connection).await?) == Ok(PART) {}
    Ok(())
}
