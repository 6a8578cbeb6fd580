//! What the service prints of itself for Prometheus, beside its requests. Printing reads memory only: what waits in the
//! database is counted every few seconds by [`gather_for_ever`] and printed as it was found last, with its age.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Weak},
    time::Duration,
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, histogram::Histogram},
};
use wayfare_boxed::boxed;
use wayfare_store::service::metrics::{self, Waiting};
use wayfare_supply::SupplierMetrics;

use crate::{Platform, tools::gathered_metrics::GatheredState};

/// How often what waits in the database is counted.
pub(crate) const GATHERED_EVERY: Duration = Duration::from_secs(15);
/// How long that may take: what can't be counted by then is counted the next time.
const PATIENCE: Duration = Duration::from_secs(10);

/// Counts what waits in the database now.
#[boxed]
pub async fn gather(platform: &Platform) {
    let counted = async {
        let mut connection = platform.core.database.connection().await?;
        Ok(metrics::waiting(&mut connection, platform.core.shared_time.now()).await?)
    };
    let late = |_| Err(crate::Error::Internal("not counted in time".to_owned()));
    let counted = tokio::time::timeout(PATIENCE, counted).await;
    platform.gathered.take(counted.unwrap_or_else(late));
}

/// Does so until the process ends. Spawn it in each server that prints metrics.
#[boxed]
pub async fn gather_for_ever(platform: Arc<Platform>) {
    loop {
        gather(&platform).await;
        tokio::time::sleep(GATHERED_EVERY).await;
    }
}

/// Prints what the platform knows of itself.
pub struct PlatformMetrics(Weak<Platform>);

impl PlatformMetrics {
    /// Of this platform, which it does not keep alive.
    pub fn of(platform: &Arc<Platform>) -> Self {
        Self(Arc::downgrade(platform))
    }
}

impl fmt::Debug for PlatformMetrics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("PlatformMetrics")
    }
}

impl Collector for PlatformMetrics {
    fn encode(&self, encoder: DescriptorEncoder) -> fmt::Result {
        let Some(platform) = self.0.upgrade() else { return Ok(()) };
        let mut out = Printer(encoder);
        out.suppliers(&platform)?;
        out.pool(&platform)?;
        out.group_commit(&platform)?;
        out.look_to_book(&platform)?;
        out.retention(&platform)?;
        out.clock(&platform)?;
        out.gathered(&platform.gathered.state())
    }
}

type Labels<'a> = Vec<(&'static str, &'a str)>;

struct Printer<'a>(DescriptorEncoder<'a>);

impl Printer<'_> {
    /// One gauge with a row for each of these labels.
    fn gauges<'a>(
        &mut self,
        name: &str,
        help: &str,
        rows: impl IntoIterator<Item = (Labels<'a>, f64)>,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (labels, value) in rows {
            match labels.is_empty() {
                true => metric.encode_gauge(&value)?,
                false => metric.encode_family(&labels)?.encode_gauge(&value)?,
            }
        }
        Ok(())
    }

    /// One counter with a row for each of these labels; `_total` is added to its name.
    fn counters<'a>(
        &mut self,
        name: &str,
        help: &str,
        rows: impl IntoIterator<Item = (Labels<'a>, u64)>,
    ) -> fmt::Result {
        let none = None::<&prometheus_client::metrics::exemplar::Exemplar<[(&str, &str); 0], f64>>;
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (labels, value) in rows {
            match labels.is_empty() {
                true => metric.encode_counter(&value, none)?,
                false => metric.encode_family(&labels)?.encode_counter(&value, none)?,
            }
        }
        Ok(())
    }

    fn suppliers(&mut self, platform: &Platform) -> fmt::Result {
        let all = platform.suppliers.metrics();
        let each = |value: fn(&SupplierMetrics) -> f64| {
            let rows = all.iter();
            rows.map(move |(code, of)| (vec![("supplier", *code)], value(of)))
        };
        let flag = |is_so: bool| f64::from(u8::from(is_so));
        self.gauges(
            "wayfare_supplier_breaker_open",
            "1 while the circuit breaker lets nothing to the supplier but a probe",
            all.iter()
                .map(|(code, of)| (vec![("supplier", *code)], flag(!of.breaker.state.lets_all_through()))),
        )?;
        self.gauges(
            "wayfare_supplier_paused",
            "1 while the supplier is left alone because it is rate limiting",
            all.iter().map(|(code, of)| (vec![("supplier", *code)], flag(of.breaker.paused_for.is_some()))),
        )?;
        self.gauges(
            "wayfare_supplier_permits",
            "How many calls to the supplier may be under way at once",
            each(|of| f64::from(of.permits_in_all)),
        )?;
        self.gauges(
            "wayfare_supplier_permits_in_use",
            "How many calls to the supplier are under way",
            each(|of| real(of.permits.taken)),
        )?;
        self.gauges(
            "wayfare_supplier_permits_waiting",
            "How many calls wait for a permit",
            each(|of| real(of.permits.waiting)),
        )?;
        let turned_away = all.iter();
        self.counters(
            "wayfare_supplier_permits_turned_away",
            "Calls that got no permit in time and were not sent",
            turned_away.map(|(code, of)| (vec![("supplier", *code)], of.permits.turned_away)),
        )?;
        self.read_losses(&all)?;
        let mut calls = self.0.encode_descriptor(
            "wayfare_supplier_call_duration_seconds",
            "Calls to suppliers with their wait for a permit, by purpose and outcome",
            None,
            MetricType::Histogram,
        )?;
        for (code, of) in &all {
            for counted in &of.calls {
                let labels =
                    [("supplier", *code), ("purpose", counted.purpose), ("outcome", counted.outcome)];
                counted.seconds.encode(calls.encode_family(&labels)?)?;
            }
        }
        Ok(())
    }

    fn read_losses(&mut self, suppliers: &BTreeMap<&str, SupplierMetrics>) -> fmt::Result {
        let losses = suppliers.iter().flat_map(|(code, of)| {
            of.losses.iter().map(move |loss| {
                let labels =
                    vec![("supplier", *code), ("field", loss.field.as_str()), ("kind", loss.kind.label())];
                (labels, loss.count)
            })
        });
        self.counters(
            "wayfare_supplier_read_losses",
            "What was lost where the supplier's answers were read: rounded amounts, parts that were left out",
            losses,
        )
    }

    fn pool(&mut self, platform: &Platform) -> fmt::Result {
        let used = platform.core.database.pool_use();
        let state = |state, count| (vec![("state", state)], real(count));
        self.gauges(
            "db_client_connection_count",
            "Connections of the pool to PostgreSQL",
            [state("used", used.in_use), state("idle", used.size.saturating_sub(used.in_use))],
        )?;
        self.gauges(
            "db_client_connection_max",
            "How many connections the pool may have",
            [(Labels::new(), real(used.most))],
        )?;
        self.gauges(
            "db_client_connection_pending_requests",
            "How many wait for a connection",
            [(Labels::new(), real(used.waiting))],
        )?;
        self.counters(
            "db_client_connection_timeouts",
            "Waits for a connection that were given up",
            [(Labels::new(), used.timeouts)],
        )?;
        self.histogram(
            "db_client_connection_wait_time_seconds",
            "How long callers waited for a connection of the pool, or for one to be made",
            platform.core.database.pool_waits(),
        )
    }

    fn look_to_book(&mut self, platform: &Platform) -> fmt::Result {
        let counted = platform.suppliers.look_to_book.since_start();
        let rows = counted.iter().flat_map(|(supplier, counts)| {
            let kinds = [("asked", counts.asked), ("shared", counts.shared), ("booked", counts.booked)];
            let row = move |(kind, count)| (vec![("supplier", supplier.as_str()), ("kind", kind)], count);
            kinds.into_iter().map(row)
        });
        self.counters(
            "wayfare_look_to_book",
            "Calls for searches, searches that shared an answer, and orders that were made",
            rows,
        )?;
        let redis = platform.core.redis.as_ref();
        self.gauges(
            "wayfare_redis_up",
            "1 while the Redis answers through which servers share searches",
            redis.map(|redis| (Labels::new(), f64::from(u8::from(redis.is_up())))),
        )
    }

    fn retention(&mut self, platform: &Platform) -> fmt::Result {
        let (rows, done) = platform.retention_metrics.counted();
        self.counters(
            "wayfare_retention_rows",
            "Old rows that were removed, or read and left to a booking",
            rows.iter().map(|(what, rows)| (vec![("what", *what)], *rows)),
        )?;
        let ago = done.map(|done| (Labels::new(), done.as_secs_f64()));
        self.gauges("wayfare_retention_age_seconds", "How long ago all old rows were worked off", ago)
    }

    fn clock(&mut self, platform: &Platform) -> fmt::Result {
        let ahead = platform.core.shared_time.own_clock_ahead();
        self.gauges(
            "wayfare_clock_ahead_seconds",
            "By how much this machine's clock is ahead of PostgreSQL's; below 0 it is behind",
            [(Labels::new(), ahead.as_seconds_f64())],
        )
    }

    /// Under the names of before, too, for one more release.
    fn group_commit(&mut self, platform: &Platform) -> fmt::Result {
        let counted = &platform.engine.commit_metrics;
        for name in ["wayfare_committer", "wayfare_writer"] {
            self.gauges(
                &format!("{name}_queue"),
                "Commands of the group commit that are not answered yet",
                [(Labels::new(), real(platform.engine.commands_under_way()))],
            )?;
            self.histogram(
                &format!("{name}_batch_size"),
                "Commands in one transaction of the group commit",
                &counted.batch_size,
            )?;
            self.histogram(
                &format!("{name}_commit_seconds"),
                "How long a transaction of the group commit took, whatever came of it",
                &counted.seconds,
            )?;
            self.counters(
                &format!("{name}_unknown"),
                "Commands of which nobody knows whether they were committed",
                [(Labels::new(), counted.unknown.get())],
            )?;
        }
        Ok(())
    }

    fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) -> fmt::Result {
        let metric = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        histogram.encode(metric)
    }

    /// What was counted last, which grows old while the database can't be asked; nothing before the first time.
    fn gathered(&mut self, gathered: &GatheredState) -> fmt::Result {
        self.gauges(
            "wayfare_database_up",
            "1 if PostgreSQL answered when it was last asked for what waits there; 0 before",
            [(Labels::new(), f64::from(u8::from(!gathered.has_failed && gathered.counted_at.is_some())))],
        )?;
        let Some(counted_at) = gathered.counted_at else { return Ok(()) };
        self.gauges(
            "wayfare_database_counted_age_seconds",
            "How old the figures are of what waits in the database",
            [(Labels::new(), counted_at.elapsed().as_secs_f64())],
        )?;
        self.waiting_bookings(&gathered.waiting)?;
        self.waiting_output(&gathered.waiting)
    }

    fn waiting_bookings(&mut self, waiting: &[Waiting]) -> fmt::Result {
        let step = |row: &'_ Waiting| vec![("kind", row.kind.clone()), ("supplier", row.supplier.clone())];
        let currency = |row: &Waiting| vec![("currency", row.kind.clone())];
        let kind = |row: &Waiting| vec![("kind", row.kind.clone())];
        let number = |row: &Waiting| real(usize::try_from(row.number).unwrap_or_default());
        let oldest = |row: &Waiting| row.oldest_seconds.unwrap_or_default();
        self.rows(waiting, "step", "wayfare_steps_open", "Open steps at suppliers", step, number)?;
        self.rows(
            waiting,
            "step",
            "wayfare_step_oldest_seconds",
            "The age of the oldest open step",
            step,
            oldest,
        )?;
        self.rows(waiting, "hold", "wayfare_holds_open", "Holds of wallets that are open", currency, number)?;
        self.rows(
            waiting,
            "hold",
            "wayfare_holds_amount",
            "Money that is set aside, about",
            currency,
            |row| row.amount,
        )?;
        self.rows(
            waiting,
            "incident",
            "wayfare_incidents_open",
            "Incidents that nobody has closed",
            kind,
            number,
        )
    }

    fn waiting_output(&mut self, waiting: &[Waiting]) -> fmt::Result {
        let number = |row: &Waiting| real(usize::try_from(row.number).unwrap_or_default());
        let oldest = |row: &Waiting| row.oldest_seconds.unwrap_or_default();
        let nothing = |_: &Waiting| Vec::new();
        self.rows(
            waiting,
            "unpublished",
            "wayfare_feed_unpublished_oldest_seconds",
            "The age of the oldest event that has no number in its feed yet",
            nothing,
            oldest,
        )?;
        self.rows(
            waiting,
            "delivery",
            "wayfare_webhook_deliveries_pending",
            "Webhook deliveries that wait",
            nothing,
            number,
        )?;
        self.rows(
            waiting,
            "delivery",
            "wayfare_webhook_oldest_pending_seconds",
            "The age of the oldest webhook delivery that waits",
            nothing,
            oldest,
        )?;
        self.rows(waiting, "report", "wayfare_reports_due", "Reports that are due", nothing, number)?;
        self.rows(
            waiting,
            "proof",
            "wayfare_ledger_last_verified_seconds",
            "How long ago the ledger was proven",
            nothing,
            oldest,
        )?;
        self.rows(
            waiting,
            "proof",
            "wayfare_ledger_problems",
            "What did not agree when the ledger was proven last, wrong wallets among it",
            nothing,
            number,
        )?;
        self.rows(
            waiting,
            "wrong_wallets",
            "wayfare_ledger_wrong_wallets",
            "Wallets whose chain was not as it had been written when the ledger was proven last",
            nothing,
            number,
        )
    }

    /// A gauge of what waits, of one sort of rows.
    fn rows(
        &mut self,
        waiting: &[Waiting],
        what: &str,
        name: &str,
        help: &str,
        labels: impl Fn(&Waiting) -> Vec<(&'static str, String)>,
        value: impl Fn(&Waiting) -> f64,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for row in waiting.iter().filter(|row| row.what == what) {
            let labels = labels(row);
            match labels.is_empty() {
                true => metric.encode_gauge(&value(row))?,
                false => metric.encode_family(&labels)?.encode_gauge(&value(row))?,
            }
        }
        Ok(())
    }
}

fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
