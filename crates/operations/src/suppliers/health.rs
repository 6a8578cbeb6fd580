//! How suppliers do, as this server sees them: written every few seconds, so that the operator sees all servers' view in one
//! place and needs no Prometheus for it.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use wayfare_boxed::boxed;
use wayfare_store::suppliers::supplier_health::{self, CountedMinute, ErrorCounts, PresentHealth};
use wayfare_supply::{CallTally, SupplierMetrics};

use crate::{
    Core, Result, Suppliers,
    suppliers::read_losses::{self, SaidLosses},
};

/// How often a server says how its suppliers do.
pub const EVERY: Duration = Duration::from_secs(5);
/// A server that has said nothing for so long is gone.
pub(crate) const GONE_AFTER: TimeDelta = TimeDelta::seconds(60);
/// For so long a server that is gone is shown.
pub(crate) const SHOWN_FOR: TimeDelta = TimeDelta::hours(1);
/// Counts and times are those of so long before.
const WINDOW: TimeDelta = TimeDelta::minutes(1);
/// How long sums of minutes are kept, and what servers that are gone have said last.
pub(crate) const KEPT: TimeDelta = TimeDelta::hours(24);

/// Says how the suppliers of one platform do. It remembers what was counted before.
pub struct HealthReporter {
    process: String,
    seen: BTreeMap<String, Seen>,
    losses: SaidLosses,
}

#[derive(Default)]
struct Seen {
    /// In the last minute, and the last ones before it; the oldest first.
    tallies: VecDeque<(DateTime<Utc>, CallTally)>,
    minute: Option<DateTime<Utc>>,
    before_minute: CallTally,
}

impl Seen {
    /// What was counted in the last minute, and in this one of the clock so far.
    fn take(&mut self, tally: CallTally, now: DateTime<Utc>) -> (CallTally, DateTime<Utc>, CallTally) {
        if self.tallies.is_empty() {
            // The server has just started: all that was counted is of this minute.
            self.tallies.push_back((now, CallTally::default()));
        }
        let minute = now.duration_trunc(TimeDelta::minutes(1)).unwrap_or(now);
        if self.minute.replace(minute) != Some(minute) {
            let last = self.tallies.back();
            self.before_minute = last.map(|(_, tally)| tally.clone()).unwrap_or_default();
        }
        let in_minute = tally.since(&self.before_minute);
        while self.tallies.get(1).is_some_and(|(at, _)| *at <= now - WINDOW) {
            self.tallies.pop_front();
        }
        let before = self.tallies.front();
        let lately = before.map_or_else(CallTally::default, |(_, before)| tally.since(before));
        self.tallies.push_back((now, tally));
        (lately, minute, in_minute)
    }
}

#[boxed]
impl HealthReporter {
    /// For the process of this name, which no other one has.
    pub fn of(process: impl Into<String>) -> Self {
        Self { process: process.into(), seen: BTreeMap::new(), losses: SaidLosses::default() }
    }

    /// Says it once.
    ///
    /// # Errors
    /// When the database can't be asked: calls of a minute in which that lasts are missing in its sums.
    pub async fn report(&mut self, suppliers: &Suppliers) -> Result<()> {
        let now = suppliers.core.shared_time.now();
        let (mut present, mut minutes, mut losses) = (Vec::new(), Vec::new(), Vec::new());
        let counted = suppliers.metrics();
        for (code, metrics) in &counted {
            let code = *code;
            losses.extend(self.losses.more(code, &metrics.losses));
            let seen = self.seen.entry(code.to_owned()).or_default();
            let (lately, minute, in_minute) = seen.take(metrics.tally.clone(), now);
            present.push(present_health(code, metrics, &lately, now));
            minutes.push(CountedMinute {
                supplier: code.to_owned(),
                minute,
                calls: count(in_minute.calls()),
                errors: count(in_minute.errors().values().sum()),
            });
        }
        let mut connection = suppliers.core.database.connection().await?;
        let own = (self.process.as_str(), now);
        supplier_health::write(&mut connection, own, &present, &minutes).await?;
        if !losses.is_empty() {
            read_losses::add(&suppliers.core, &mut connection, &losses).await?;
            for (code, metrics) in &counted {
                self.losses.said(code, &metrics.losses);
            }
        }
        Ok(())
    }
}

fn present_health(
    supplier: &str,
    metrics: &SupplierMetrics,
    lately: &CallTally,
    now: DateTime<Utc>,
) -> PresentHealth {
    // Times of this machine's clock become times that all servers share.
    let until = |left: Option<Duration>| now.checked_add_signed(TimeDelta::from_std(left?).ok()?);
    let errors = lately.errors().into_iter();
    let errors: ErrorCounts = errors.map(|(kind, calls)| (kind.to_owned(), calls)).collect();
    PresentHealth {
        supplier: supplier.to_owned(),
        breaker: metrics.breaker.state,
        open_until: until(metrics.breaker.open_for),
        paused_until: until(metrics.breaker.paused_for),
        permits: i32::try_from(metrics.permits_in_all).unwrap_or(i32::MAX),
        permits_used: i32::try_from(metrics.permits.taken).unwrap_or(i32::MAX),
        permits_waiting: i32::try_from(metrics.permits.waiting).unwrap_or(i32::MAX),
        calls: count(lately.calls()),
        p50_ms: lately.within_ms(50).map(count),
        p99_ms: lately.within_ms(99).map(count),
        errors,
    }
}

fn count(calls: u64) -> i64 {
    i64::try_from(calls).unwrap_or(i64::MAX)
}

/// Says it as often until the process ends. That it can't be said is logged once, until it can again.
#[boxed]
pub async fn report_for_ever(suppliers: Arc<Suppliers>, every: Duration) {
    let Some(process) = suppliers.core.database.server_name() else { return };
    let mut reporter = HealthReporter::of(process);
    let mut has_failed = false;
    loop {
        has_failed = match reporter.report(&suppliers).await {
            Ok(()) => {
                if has_failed {
                    tracing::info!("how suppliers do is written again");
                }
                false
            }
            Err(error) if has_failed => {
                tracing::debug!(%error, "how suppliers do can't be written yet");
                true
            }
            Err(error) => {
                tracing::warn!(%error, "how suppliers do can't be written: to the operator this server is gone until it can");
                true
            }
        };
        tokio::time::sleep(every).await;
    }
}

/// Forgets how this server sees its suppliers: it ends.
#[boxed]
pub async fn leave(core: &Core) {
    let Some(process) = core.database.server_name() else { return };
    let left = async {
        let mut connection = core.database.connection().await?;
        supplier_health::leave(&mut connection, process).await?;
        Ok::<(), crate::Error>(())
    };
    if let Err(error) = left.await {
        tracing::debug!(%error, "this server is shown as gone, and not as one that has left");
    }
}
