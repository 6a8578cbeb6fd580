//! Polls orders that are due: holds that may have lapsed, tickets that may be there, and all that stands until its travel is
//! over. One loop serves flights and stays.

use std::{panic::AssertUnwindSafe, time::Duration};

use diesel_async::{AsyncConnection, AsyncPgConnection};
use futures_util::{FutureExt, future::join_all};
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_domain::{AlarmKind, OrderStatus, ProductKind};
use wayfare_flights::Itinerary;
use wayfare_hotels::Stay;
use wayfare_store::{
    booking::orders_to_poll::{self, OrderToPoll},
    suppliers::supplier_hooks,
};
use wayfare_supply::watching;

use super::{LONGEST_LOOK_UP, each_due::each_due, traced::about};
use crate::{
    Error, Platform, Result,
    engine::{order_polling::LAST_POLL, order_watch, supplier_cancellation},
    flights, hotels,
    suppliers::{accounts, read_losses},
    tools::lease::{LEASE, renewing},
};

/// How often the watch itself is followed up.
pub(super) const FOLLOWED_UP_EVERY: Duration = Duration::from_secs(60);
/// A poll that comes later than this is too late.
const LATE: chrono::Duration = chrono::Duration::hours(6);
/// A supplier that tells of nothing for so long, though something has happened there, is silent.
const SILENT: chrono::Duration = chrono::Duration::hours(24);
/// How many orders that nobody watches are taken at once.
const ADOPTED: i64 = 50;
/// How long the numbers of polls are kept.
const POLLS_KEPT: chrono::Duration = chrono::Duration::days(7);

/// Polls every order that is due now and of which payment or documents are awaited, or what comes back.
#[boxed]
pub async fn poll_due_orders(platform: &Platform) -> Result<()> {
    each_due(|| take_order(platform), |due| poll(platform, due)).await?;
    Ok(())
}

/// Polls every order that is due now because its travel is not over, as far as its supplier lets us.
#[boxed]
pub async fn watch_due_orders(platform: &Platform) -> Result<()> {
    let due = {
        let mut connection = platform.core.database.connection().await?;
        orders_to_poll::suppliers_to_watch(&mut connection, platform.core.shared_time.now()).await?
    };
    // No supplier waits for another.
    let watched = due.iter().map(|supplier| watch_supplier(platform, supplier));
    join_all(watched).await.into_iter().collect()
}

async fn watch_supplier(platform: &Platform, supplier: &str) -> Result<()> {
    // Of one that is not configured any more nobody can be asked.
    let Ok(configured) = platform.suppliers.supplier(supplier) else { return Ok(()) };
    let per_hour = configured.config().watch_per_hour;
    let take = || take_watched(platform, supplier, per_hour);
    each_due(take, |due| poll(platform, due)).await?;
    Ok(())
}

async fn take_order(platform: &Platform) -> Result<Option<OrderToPoll>> {
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    Ok(orders_to_poll::take_due(&mut connection, now, now + LEASE).await?)
}

async fn take_watched(platform: &Platform, supplier: &str, per_hour: u32) -> Result<Option<OrderToPoll>> {
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    let taken = connection.transaction(async |connection| {
        let taken = orders_to_poll::take_watched(connection, supplier, per_hour, now, now + LEASE);
        Ok::<_, Error>(taken.await?)
    });
    taken.await
}

/// One order. What goes wrong with it is tried again when its lease has ended; one that is watched waits longer then.
async fn poll(platform: &Platform, due: OrderToPoll) -> Result<()> {
    let of = (due.organization, due.booking);
    about(platform, of, "poll", poll_order(platform, due)).await;
    Ok(())
}

async fn poll_order(platform: &Platform, due: OrderToPoll) {
    let polled = AssertUnwindSafe(poll_by_product(platform, &due)).catch_unwind();
    let renew = async || {
        let mut connection = platform.core.database.connection().await?;
        let now = platform.core.shared_time.now();
        Ok(orders_to_poll::renew(&mut connection, &due, now, now + LEASE).await?)
    };
    let polled = renewing("an order", polled.boxed(), renew);
    match tokio::time::timeout(LONGEST_LOOK_UP, polled).await {
        Ok(Ok(Ok(()))) => return,
        Ok(Ok(Err(error))) => tracing::error!(%error, ?due, "an order could not be polled"),
        Ok(Err(_)) | Err(_) => tracing::error!(?due, "polling an order panicked or took too long"),
    }
    if due.is_watched
        && let Err(error) = order_watch::postpone(&platform.core, &due).await
    {
        tracing::error!(%error, ?due, "an order could not be put off");
    }
}

async fn poll_by_product(platform: &Platform, due: &OrderToPoll) -> Result<()> {
    if due.status == OrderStatus::Cancelled && due.cancel_seen_at.is_some() {
        return supplier_cancellation::ask_refund(&platform.engine, due).await;
    }
    let polling = async {
        match platform.suppliers.product_of(&due.supplier)? {
            ProductKind::Flight => flights::after_sales::polling::poll::poll(&platform.engine, due).await,
            ProductKind::Hotel => hotels::after_sales::poll::poll(&platform.engine, due).await,
        }
    };
    match due.is_watched {
        true => watching(polling).await,
        false => polling.await,
    }
}

/// Follows up the watch itself: finds orders that nobody watches, and tells of which supplier more are to be polled than it
/// lets us.
#[boxed]
pub async fn follow_up_watch(platform: &Platform) -> Result<()> {
    while adopt(platform).await? {}
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    orders_to_poll::forget_looks(&mut connection, now - POLLS_KEPT).await?;
    let late = orders_to_poll::late(&mut connection, now - LATE).await?;
    for code in platform.suppliers.flights.keys().chain(platform.suppliers.hotels.keys()) {
        let kind = AlarmKind::LooksExhausted;
        match late.iter().find(|late| late.supplier == *code) {
            Some(late) => {
                let (orders, since) = (late.orders, late.since);
                tracing::warn!(supplier = %code, orders, %since, "orders are polled too late");
                let details = json!({ "orders": orders, "since": since });
                accounts::raise(&platform.core, &mut connection, (code, kind), details).await?;
            }
            None => accounts::close_by_itself(&platform.core, &mut connection, code, kind).await?,
        }
        tell_silence(platform, &mut connection, code).await?;
        read_losses::close_if_old(&platform.core, &mut connection, code).await?;
    }
    Ok(())
}

/// Tells of a supplier of which no hook has come for long, though its list has shown something new meanwhile.
async fn tell_silence(platform: &Platform, connection: &mut AsyncPgConnection, code: &str) -> Result<()> {
    let (kind, now) = (AlarmKind::WebhookSilent, platform.core.shared_time.now());
    let news = supplier_hooks::last_news(connection, code).await?;
    let sends_hooks = platform.suppliers.supplier(code)?.hook_proof().is_some();
    let is_heard = news.hook_at.is_some_and(|hook_at| hook_at > now - SILENT);
    let has_news = news.list_at.is_some_and(|list_at| list_at > now - SILENT);
    if sends_hooks && has_news && !is_heard {
        tracing::warn!(supplier = code, hook_at = ?news.hook_at, list_at = ?news.list_at, "a supplier's hooks are silent");
        let details = json!({ "last_hook": news.hook_at, "last_news": news.list_at });
        accounts::raise(&platform.core, connection, (code, kind), details).await?;
    } else if is_heard || !sends_hooks {
        accounts::close_by_itself(&platform.core, connection, code, kind).await?;
    }
    Ok(())
}

/// Some of the orders that nobody watches; whether there may be more.
async fn adopt(platform: &Platform) -> Result<bool> {
    let now = platform.core.shared_time.now();
    let unwatched = {
        let mut connection = platform.core.database.connection().await?;
        orders_to_poll::take_unwatched(&mut connection, now - LAST_POLL, now + LEASE, ADOPTED).await?
    };
    let is_full = i64::try_from(unwatched.len()) == Ok(ADOPTED);
    for due in unwatched {
        let adopted = match platform.suppliers.product_of(&due.supplier) {
            Ok(ProductKind::Flight) => order_watch::adopt::<Itinerary>(&platform.core, &due).await,
            Ok(ProductKind::Hotel) => order_watch::adopt::<Stay>(&platform.core, &due).await,
            Err(error) => Err(error),
        };
        if let Err(error) = adopted {
            tracing::warn!(%error, ?due, "an order can't be watched yet");
            order_watch::postpone(&platform.core, &due).await?;
        }
    }
    Ok(is_full)
}
