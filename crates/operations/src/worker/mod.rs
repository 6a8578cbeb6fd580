//! What the service does by itself: recovery, order polling, publishing and delivering events, reports, retention. It may run
//! in any number of processes: one of them takes what is due, under a lease that ends by itself if that process dies.

mod each_due;
mod order_watch;
pub(crate) mod retention;
mod sweeps;
mod traced;

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt;
use wayfare_boxed::boxed;
use wayfare_store::{
    booking::{
        booking_holds::{self, BookingHold},
        rechecks::{self, Recheck},
        steps::{self, Step},
    },
    service::leases,
};

use self::{each_due::each_due, traced::about};
use crate::{
    Platform, Result,
    core::shared_time,
    engine::{postpone::postpone, recheck, recover, step_lease::looking_up, supplier_hooks},
    events::{feed, webhooks},
    flights::after_sales::order::auto_ticket,
    hotels::content,
    operator::seal,
    reports,
    suppliers::{accounts, look_to_book},
    tools::lease::LEASE,
};
pub use crate::{
    engine::step_lease::give_back,
    flights::after_sales::schedule_changes::follow_up::follow_up_changes,
    hotels::content::read_due_content,
    worker::{
        order_watch::{follow_up_watch, poll_due_orders, watch_due_orders},
        retention::remove_old,
        sweeps::sweep_due,
    },
};

/// A look-up that takes longer is given up. It may send a cancellation that has to be done.
const LONGEST_LOOK_UP: Duration = Duration::from_secs(240);
/// A recheck that takes longer is given up: its lease is not renewed.
const LONGEST_RECHECK: Duration = Duration::from_secs(25);
/// How often the loop looks for work when there is none.
const PAUSE: Duration = Duration::from_secs(1);

const RETENTION_EVERY: Duration = Duration::from_secs(300);

/// Does all of it until the process ends. Spawn it once in each process.
#[boxed]
pub async fn run(platform: Arc<Platform>) {
    // No loop waits for another: polling and publishing must not delay anybody's money.
    tokio::join!(
        read_time_for_ever(&platform),
        look_after_suppliers_for_ever(&platform),
        recover_for_ever(&platform),
        poll_orders_for_ever(&platform),
        watch_orders_for_ever(&platform),
        follow_up_watch_for_ever(&platform),
        sweep_for_ever(&platform),
        read_content_for_ever(&platform),
        follow_up_holds_for_ever(&platform),
        publish_for_ever(&platform),
        webhooks::deliver_for_ever(&platform.webhooks),
        // Two, so that a long report does not delay all others.
        reports::make_for_ever(&platform.reports),
        reports::make_for_ever(&platform.reports),
        remove_old_for_ever(&platform),
        seal_what_is_left(&platform),
    );
}

/// Ends all leases: of the server before, which has died, and of which this is the only successor. To be called before
/// [`run`], by the only server of a database.
#[boxed]
pub async fn void_leases(platform: &Platform) -> Result<()> {
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    let ended = leases::void(&mut connection, now, now + LEASE).await?;
    if ended > 0 {
        tracing::info!(ended, "leases of the server before were ended");
    }
    Ok(())
}

async fn read_time_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = shared_time::read(&platform.core).await {
            tracing::warn!(%error, "PostgreSQL's time could not be read");
        }
        tokio::time::sleep(shared_time::READ_EVERY).await;
    }
}

async fn look_after_suppliers_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = look_after_suppliers(platform).await {
            tracing::warn!(%error, "accounts with suppliers could not be looked after");
        }
        tokio::time::sleep(accounts::READ_EVERY).await;
    }
}

/// Reads of which suppliers nothing new is sold, and reads the accounts that are due.
#[boxed]
pub async fn look_after_suppliers(platform: &Platform) -> Result<()> {
    accounts::refresh(&platform.suppliers).await?;
    accounts::look_at_accounts(&platform.suppliers).await?;
    accounts::refresh(&platform.suppliers).await
}

async fn publish_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = feed::publish_due(&platform.core).await {
            tracing::error!(%error, "events could not be published");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn remove_old_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = remove_old(platform).await {
            tracing::error!(%error, "old rows could not be removed");
        }
        tokio::time::sleep(RETENTION_EVERY).await;
    }
}

/// Seals bookings that were written before people were sealed, until there are none.
async fn seal_what_is_left(platform: &Platform) {
    loop {
        match seal::seal_all(platform).await {
            Ok(0) => return,
            Ok(sealed) => tracing::info!(sealed, "bookings of before were sealed"),
            Err(error) => {
                tracing::error!(%error, "bookings of before could not be sealed");
                tokio::time::sleep(RETENTION_EVERY).await;
            }
        }
    }
}

async fn poll_orders_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = poll_due_orders(platform).await {
            tracing::error!(%error, "orders could not be polled");
        }
        if let Err(error) = recheck_due(platform).await {
            tracing::error!(%error, "orders of refused cancellations could not be rechecked");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn watch_orders_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = watch_due_orders(platform).await {
            tracing::error!(%error, "orders could not be watched");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn sweep_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = sweep_due(platform).await {
            tracing::error!(%error, "suppliers' lists could not be read");
        }
        if let Err(error) = supplier_hooks::ring_again(&platform.core).await {
            tracing::error!(%error, "hooks of unknown orders could not be taken up");
        }
        tokio::time::sleep(sweeps::LOOKED_EVERY).await;
    }
}

async fn read_content_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = read_due_content(&platform.hotels).await {
            tracing::error!(%error, "what hotels are could not be asked for");
        }
        tokio::time::sleep(content::LOOKED_EVERY).await;
    }
}

async fn follow_up_watch_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = follow_up_watch(platform).await {
            tracing::error!(%error, "the watch could not be followed up");
        }
        tokio::time::sleep(order_watch::FOLLOWED_UP_EVERY).await;
    }
}

async fn follow_up_holds_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = follow_up_holds(platform).await {
            tracing::error!(%error, "holds could not be followed up");
        }
        if let Err(error) = follow_up_changes(&platform.core).await {
            tracing::error!(%error, "schedule changes could not be followed up");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn recover_for_ever(platform: &Platform) {
    loop {
        if let Err(error) = recover_due(platform).await {
            tracing::error!(%error, "recovery could not run");
        }
        if let Err(error) = look_to_book::write(&platform.suppliers).await {
            tracing::warn!(%error, "searches could not be counted yet");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Recovers every step that is due now and returns how many there were.
#[boxed]
pub async fn recover_due(platform: &Platform) -> Result<usize> {
    let recover = async |step: Step| {
        let of = (step.organization, step.booking);
        about(platform, of, "recovery", recover(platform, step)).await
    };
    each_due(|| take(platform), recover).await
}

/// Reminds of every hold that is due now, and has those ticketed that are to be ticketed by themselves.
#[boxed]
pub async fn follow_up_holds(platform: &Platform) -> Result<()> {
    let follow_up = async |due: BookingHold| {
        about(platform, (due.organization, due.booking), "hold", follow_up(platform, due)).await;
        Ok(())
    };
    each_due(|| take_hold(platform), follow_up).await?;
    Ok(())
}

async fn take_hold(platform: &Platform) -> Result<Option<BookingHold>> {
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    Ok(booking_holds::take_due(&mut connection, now, now + LEASE).await?)
}

/// One hold. What goes wrong with it is tried again when its lease has ended.
async fn follow_up(platform: &Platform, due: BookingHold) {
    let done = AssertUnwindSafe(auto_ticket::follow_up(&platform.engine, &due)).catch_unwind();
    match tokio::time::timeout(LONGEST_LOOK_UP, done).await {
        Ok(Ok(Ok(()))) => {}
        Ok(Ok(Err(error))) => {
            tracing::error!(%error, booking = %due.booking, "a hold could not be followed up");
        }
        Ok(Err(_)) | Err(_) => {
            tracing::error!(booking = %due.booking, "following up a hold panicked or took too long");
        }
    }
}

/// Rechecks every order that is due now whose cancellation was taken for refused because its supplier kept silent.
#[boxed]
pub async fn recheck_due(platform: &Platform) -> Result<()> {
    while let Some(due) = take_recheck(platform).await? {
        let of = (due.step.organization, due.step.booking);
        about(platform, of, "recheck", recheck(platform, &due)).await;
    }
    Ok(())
}

async fn recheck(platform: &Platform, due: &Recheck) {
    let done = AssertUnwindSafe(recheck::recheck(&platform.engine, due)).catch_unwind();
    match tokio::time::timeout(LONGEST_RECHECK, done).await {
        Ok(Ok(Ok(()))) => {}
        Ok(Ok(Err(error))) => {
            tracing::error!(%error, step = %due.step.id, "an order could not be rechecked");
        }
        Ok(Err(_)) | Err(_) => {
            tracing::error!(step = %due.step.id, "a recheck panicked or took too long");
        }
    }
}

async fn take_recheck(platform: &Platform) -> Result<Option<Recheck>> {
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    Ok(rechecks::take_due(&mut connection, now, now + LEASE).await?)
}

async fn take(platform: &Platform) -> Result<Option<Step>> {
    let now = platform.core.shared_time.now();
    let mut connection = platform.core.database.connection().await?;
    Ok(steps::take_due(&mut connection, now, now + LEASE).await?)
}

/// One step. Whatever goes wrong with it, a panic included, is its own problem and never the loop's.
async fn recover(platform: &Platform, step: Step) -> Result<()> {
    let looked_up = AssertUnwindSafe(recover::recover(&platform.engine, &step)).catch_unwind();
    let looked_up = looking_up(&platform.engine, &step, looked_up.boxed());
    let problem = match tokio::time::timeout(LONGEST_LOOK_UP, looked_up).await {
        Ok(Ok(Ok(()))) => return Ok(()),
        Ok(Ok(Err(error))) => error.to_string(),
        Ok(Err(_)) => "the look-up panicked".to_owned(),
        Err(_) => "the look-up took too long".to_owned(),
    };
    tracing::error!(problem, step = %step.id, "a step could not be recovered");
    postpone(&platform.engine, &step, &problem).await
}
