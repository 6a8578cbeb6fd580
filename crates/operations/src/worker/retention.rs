//! Retention: old rows are removed a part at a time, so that no statement locks many rows for long.

use chrono::{DateTime, Duration, Utc};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use futures_util::{FutureExt, future::BoxFuture};
use wayfare_boxed::boxed;
use wayfare_store::{
    StoreError,
    events::{webhook_deliveries, webhooks},
    operator::operator_events,
    service::retention::{self, Aged},
};

use crate::{
    Error, Platform, Result,
    access::{idempotency, login},
    core::erasure_log,
    events::{feed, notifications},
    hotels::content,
    people::erase,
    suppliers::{health::KEPT, read_losses},
};

/// How many rows are removed at once.
const PART: i64 = 10_000;
/// The same of each agency, where all agencies' are removed together.
const PART_OF_AGENCY: i64 = 100;

/// Removes notifications, feed events, deliveries and suppliers' hooks that are too old, the rows of deleted webhooks, unbooked
/// quotes, keys, sessions, addresses and suppliers' health whose time is over, and gives up deliveries. Whom old bookings are for is erased. One that fails stops none of the others.
#[boxed]
pub async fn remove_old(platform: &Platform) -> Result<()> {
    let (now, shared_now) = (platform.core.clock.now(), platform.core.shared_time.now());
    let (unread, unsent) = (now - notifications::KEPT, now - feed::KEPT);
    let done = [
        remove(platform, "notifications", retention::NOTIFICATIONS, unread).await,
        in_parts(platform, ("given_up_deliveries", PART), |connection| {
            webhook_deliveries::give_up(connection, shared_now, PART).boxed()
        })
        .await,
        remove(platform, "deliveries", retention::DELIVERIES, unsent).await,
        in_parts(platform, ("feed_events", PART), |connection| {
            wayfare_store::events::feed::drop_before(connection, unsent, PART).boxed()
        })
        .await,
        remove(platform, "supplier_hooks", retention::SUPPLIER_HOOKS, unsent).await,
        in_parts(platform, ("deleted_webhooks", PART), |connection| {
            webhooks::remove_deleted(connection, PART).boxed()
        })
        .await,
        remove_aged(platform).await,
        erase_due(platform).await,
        erasure_log::catch_up(&platform.core).await,
    ];
    done.into_iter().collect::<Result<()>>()?;
    platform.retention_metrics.done();
    Ok(())
}

/// Removes what only counts for a while: quotes that nobody has booked, keys that are free again, sessions and tokens that have
/// ended, addresses in audit logs.
async fn remove_aged(platform: &Platform) -> Result<()> {
    let now = platform.core.clock.now();
    let days = |days: u16| now - Duration::days(days.into());
    let (quotes, addresses) = (
        days(platform.core.kept_days.quotes) - platform.core.durations.quote_validity,
        days(platform.core.kept_days.addresses),
    );
    let (keys, tokens) = (idempotency::since(&platform.core), now - login::REFRESH_LASTS);
    let done = [
        in_parts(platform, ("quotes", PART), |connection| {
            retention::remove_quotes(connection, quotes, PART).boxed()
        })
        .await,
        in_parts(platform, ("addresses", PART_OF_AGENCY), |connection| {
            retention::remove_addresses(connection, addresses, PART_OF_AGENCY).boxed()
        })
        .await,
        in_parts(platform, ("operator_addresses", PART), |connection| {
            operator_events::remove_addresses(connection, addresses, PART).boxed()
        })
        .await,
        in_parts(platform, ("idempotency_keys", PART), |connection| {
            retention::remove_keys(connection, keys, PART).boxed()
        })
        .await,
        in_parts(platform, ("refresh_tokens", PART), |connection| {
            retention::remove_tokens(connection, (tokens, now), PART).boxed()
        })
        .await,
        remove(platform, "sessions", retention::SESSIONS, now).await,
        remove(platform, "operator_sessions", retention::OPERATOR_SESSIONS, now).await,
        remove_health(platform).await,
        remove(platform, "hotel_content", retention::HOTEL_CONTENT, now - content::KEPT).await,
    ];
    done.into_iter().collect()
}

/// Removes how suppliers did more than a day ago, and what of their answers has not been lost for a month.
async fn remove_health(platform: &Platform) -> Result<()> {
    let now = platform.core.shared_time.now();
    remove(platform, "supplier_minutes", retention::SUPPLIER_MINUTES, now - KEPT).await?;
    remove(platform, "supplier_health", retention::SUPPLIER_HEALTH, now - KEPT).await?;
    remove(platform, "supplier_read_losses", retention::SUPPLIER_READ_LOSSES, now - read_losses::KEPT).await
}

/// Erases whom bookings are for as their time is over, part after part.
async fn erase_due(platform: &Platform) -> Result<()> {
    loop {
        match erase::erase_due(&platform.core).await? {
            0 => return Ok(()),
            erased => platform.retention_metrics.count("people", erased),
        }
    }
}

/// Removes part after part of these rows what is older than this time.
async fn remove(platform: &Platform, what: &'static str, aged: Aged, time: DateTime<Utc>) -> Result<()> {
    in_parts(platform, (what, PART), |connection| retention::remove(connection, aged, time, PART).boxed())
        .await
}

/// Removes part after part of a kind of rows, until one is not full, or another server is at it: one removes at a time.
async fn in_parts(
    platform: &Platform,
    (what, most): (&'static str, i64),
    part: impl for<'c> Fn(&'c mut AsyncPgConnection) -> BoxFuture<'c, Result<usize, StoreError>> + Sync,
) -> Result<()> {
    let mut connection = platform.core.database.connection().await?;
    loop {
        let removed = connection.transaction(async |connection| {
            Ok::<_, Error>(match retention::is_alone(connection).await? {
                true => Some(part(connection).await?),
                false => None,
            })
        });
        let Some(removed) = removed.await? else { return Ok(()) };
        platform.retention_metrics.count(what, removed);
        if i64::try_from(removed).is_ok_and(|removed| removed < most) {
            return Ok(());
        }
    }
}
