//! Retention: old rows are removed a part at a time, so that no statement locks many rows for long.

use chrono::Duration;
use diesel_async::AsyncPgConnection;
use futures_util::{FutureExt, future::BoxFuture};
use wayfare_store::{
    StoreError,
    events::{webhook_deliveries, webhooks},
    retention, supplier_hooks,
};

use crate::{
    Platform, Result,
    access::{idempotency, login},
    events::{feed, notifications},
    people::{erase, erasure_log},
};

/// How many rows are removed at once.
const PART: i64 = 10_000;
/// The same of each agency, where all agencies' are removed together.
const PART_OF_AGENCY: i64 = 100;

/// Removes notifications, feed events, deliveries and suppliers' hooks that are too old, the rows of deleted webhooks, unbooked
/// quotes, keys, sessions and addresses whose time is over, and gives up deliveries. Whom old bookings are for is erased. One that fails stops none of the others.
pub async fn remove_old(platform: &Platform) -> Result<()> {
    let (now, shared_now) = (platform.clock.now(), platform.shared_time.now());
    let (unread, unsent) = (now - notifications::KEPT, now - feed::KEPT);
    let done = [
        in_parts(platform, PART, |connection| {
            wayfare_store::events::notifications::remove_before(connection, unread, PART).boxed()
        })
        .await,
        in_parts(platform, PART, |connection| {
            webhook_deliveries::give_up(connection, shared_now, PART).boxed()
        })
        .await,
        in_parts(platform, PART, |connection| {
            webhook_deliveries::remove_before(connection, unsent, PART).boxed()
        })
        .await,
        in_parts(platform, PART, |connection| {
            wayfare_store::events::feed::drop_before(connection, unsent, PART).boxed()
        })
        .await,
        in_parts(platform, PART, |connection| {
            supplier_hooks::remove_before(connection, unsent, PART).boxed()
        })
        .await,
        in_parts(platform, PART, |connection| {
            webhooks::remove_deleted(connection, PART).boxed()
        })
        .await,
        remove_aged(platform).await,
        erase_due(platform).await,
        erasure_log::catch_up(platform).await,
    ];
    done.into_iter().collect()
}

/// Removes what only counts for a while: quotes that nobody has booked, keys that are free again, sessions and tokens that have
/// ended, addresses in the audit log.
async fn remove_aged(platform: &Platform) -> Result<()> {
    let now = platform.clock.now();
    let days = |days: u16| now - Duration::days(days.into());
    let (quotes, addresses) = (
        days(platform.kept_days.quotes) - platform.durations.quote_validity,
        days(platform.kept_days.addresses),
    );
    let (keys, tokens) = (idempotency::since(platform), now - login::REFRESH_LASTS);
    let done = [
        in_parts(platform, PART, |connection| {
            retention::remove_quotes(connection, quotes, PART).boxed()
        })
        .await,
        in_parts(platform, PART_OF_AGENCY, |connection| {
            retention::remove_addresses(connection, addresses, PART_OF_AGENCY).boxed()
        })
        .await,
        in_parts(platform, PART, |connection| {
            retention::remove_keys(connection, keys, PART).boxed()
        })
        .await,
        in_parts(platform, PART, |connection| {
            retention::remove_tokens(connection, (tokens, now), PART).boxed()
        })
        .await,
        in_parts(platform, PART, |connection| {
            retention::remove_sessions(connection, now, PART).boxed()
        })
        .await,
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
    most: i64,
    part: impl for<'c> Fn(&'c mut AsyncPgConnection) -> BoxFuture<'c, Result<usize, StoreError>>,
) -> Result<()> {
    let mut connection = platform.database.connection().await?;
    while i64::try_from(part(&mut connection).await?).is_ok_and(|done| done >= most) {}
    Ok(())
}
