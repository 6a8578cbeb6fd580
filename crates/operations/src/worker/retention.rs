//! Retention: old rows are removed a part at a time, so that no statement locks many rows for long.

use diesel_async::AsyncPgConnection;
use futures_util::{FutureExt, future::BoxFuture};
use wayfare_store::{
    StoreError,
    events::{webhook_deliveries, webhooks},
    supplier_hooks,
};

use crate::{
    Platform, Result,
    events::{feed, notifications},
    people::{erase, erasure_log},
};

/// How many rows are removed at once.
const PART: i64 = 10_000;

/// Removes notifications, feed events, deliveries and suppliers' hooks that are too old and the rows of deleted webhooks, and gives up
/// deliveries whose time is over. Whom old bookings are for is erased. One that fails stops none of the others.
pub async fn remove_old(platform: &Platform) -> Result<()> {
    let (now, shared_now) = (platform.clock.now(), platform.shared_time.now());
    let (unread, unsent) = (now - notifications::KEPT, now - feed::KEPT);
    let done = [
        in_parts(platform, |connection| {
            wayfare_store::events::notifications::remove_before(connection, unread, PART).boxed()
        })
        .await,
        in_parts(platform, |connection| {
            webhook_deliveries::give_up(connection, shared_now, PART).boxed()
        })
        .await,
        in_parts(platform, |connection| {
            webhook_deliveries::remove_before(connection, unsent, PART).boxed()
        })
        .await,
        in_parts(platform, |connection| {
            wayfare_store::events::feed::drop_before(connection, unsent, PART).boxed()
        })
        .await,
        in_parts(platform, |connection| {
            supplier_hooks::remove_before(connection, unsent, PART).boxed()
        })
        .await,
        in_parts(platform, |connection| {
            webhooks::remove_deleted(connection, PART).boxed()
        })
        .await,
        erase_due(platform).await,
        erasure_log::catch_up(platform).await,
    ];
    done.into_iter().collect()
}

/// Erases whom bookings are for as their time is over, part after part.
async fn erase_due(platform: &Platform) -> Result<()> {
    while erase::erase_due(platform).await? > 0 {}
    Ok(())
}

/// Removes part after part, until one is not full.
async fn in_parts(
    platform: &Platform,
    part: impl for<'c> Fn(&'c mut AsyncPgConnection) -> BoxFuture<'c, Result<usize, StoreError>>,
) -> Result<()> {
    let mut connection = platform.database.connection().await?;
    while i64::try_from(part(&mut connection).await?) == Ok(PART) {}
    Ok(())
}
