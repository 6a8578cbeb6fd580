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
    let platform = &platform;
    // No loop waits for another: polling and publishing must not delay anybody's money.
    tokio::join!(
        for_ever(shared_time::READ_EVERY, || async move {
            if let Err(error) = shared_time::read(&platform.core).await {
                tracing::warn!(%error, "PostgreSQL's time could not be read");
            }
        }),
        for_ever(accounts::READ_EVERY, || async move {
            if let Err(error) = look_after_suppliers(platform).await {
                tracing::warn!(%error, "accounts with suppliers could not be looked after");
            }
        }),
        for_ever(PAUSE, || async move {
            tell(recover_due(platform).await, "recovery could not run");
            if let Err(error) = look_to_book::write(&platform.suppliers).await {
                tracing::warn!(%error, "searches could not be counted yet");
            }
        }),
        for_ever(PAUSE, || async move {
            tell(poll_due_orders(platform).await, "orders could not be polled");
            tell(recheck_due(platform).await, "orders of refused cancellations could not be rechecked");
        }),
        for_ever(PAUSE, || async move {
            tell(watch_due_orders(platform).await, "orders could not be watched");
        }),
        for_ever(order_watch::FOLLOWED_UP_EVERY, || async move {
            tell(follow_up_watch(platform).await, "the watch could not be followed up");
        }),
        for_ever(sweeps::LOOKED_EVERY, || async move {
            tell(sweep_due(platform).await, "suppliers' lists could not be read");
            let rung = supplier_hooks::ring_again(&platform.core).await;
            tell(rung, "hooks of unknown orders could not be taken up");
        }),
        for_ever(content::LOOKED_EVERY, || async move {
            tell(read_due_content(&platform.hotels).await, "what hotels are could not be asked for");
        }),
        for_ever(PAUSE, || async move {
            tell(follow_up_holds(platform).await, "holds could not be followed up");
            tell(follow_up_changes(&platform.core).await, "schedule changes could not be followed up");
        }),
        for_ever(PAUSE, || async move {
            tell(feed::publish_due(&platform.core).await, "events could not be published");
        }),
        webhooks::deliver_for_ever(&platform.webhooks),
        // Two, so that a long report does not delay all others.
        reports::make_for_ever(&platform.reports),
        reports::make_for_ever(&platform.reports),
        for_ever(RETENTION_EVERY, || async move {
            tell(remove_old(platform).await, "old rows could not be removed");
        }),
        seal_what_is_left(platform),
    );
}

/// Does it again and again, with a pause after each time.
async fn for_ever<Done: Future<Output = ()>>(pause: Duration, turn: impl Fn() -> Done) {
    loop {
        turn().await;
        tokio::time::sleep(pause).await;
    }
}

fn tell<T>(done: Result<T>, problem: &str) {
    if let Err(error) = done {
        tracing::error!(%error, "{problem}");
    }
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

/// Reads of which suppliers nothing new is sold, and reads the accounts that are due.
#[boxed]
pub async fn look_after_suppliers(platform: &Platform) -> Result<()> {
    accounts::refresh(&platform.suppliers).await?;
    accounts::look_at_accounts(&platform.suppliers).await?;
    accounts::refresh(&platform.suppliers).await
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
