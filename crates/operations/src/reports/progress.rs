//! How far a report is, as its rows are written, for whoever waits for it.

use std::{
    convert::Infallible,
    pin::pin,
    sync::atomic::{AtomicI64, Ordering::Relaxed},
    time::Duration,
};

use chrono::{DateTime, Utc};
use futures_util::future::{Either, select};
use wayfare_store::reports::{self, Report};

use crate::{Core, Result};

/// It is written at most so often.
const EVERY: Duration = Duration::from_secs(1);

/// Counts the rows of one attempt. Rows come newest first: by the time of the last one it is known which share of the period
/// is read.
pub(super) struct Progress {
    start: DateTime<Utc>,
    end: DateTime<Utc>,
    rows: AtomicI64,
    /// Per cent; below zero while nothing is known.
    percent: AtomicI64,
}

impl Progress {
    pub(super) fn of(report: &Report) -> Self {
        Self {
            start: report.period_start,
            end: report.period_end,
            rows: AtomicI64::new(0),
            percent: AtomicI64::new(-1),
        }
    }

    /// So many rows are written, of which the last is of this time, where rows have one.
    pub(super) fn add(&self, rows: usize, last: Option<DateTime<Utc>>) {
        self.rows.fetch_add(i64::try_from(rows).unwrap_or_default(), Relaxed);
        let Some(last) = last else { return };
        let (read, all) = ((self.end - last).num_seconds(), (self.end - self.start).num_seconds());
        // It is at its end only when the file is there.
        let percent = read.saturating_mul(100).checked_div(all).unwrap_or_default();
        self.percent.store(percent.clamp(0, 99), Relaxed);
    }

    pub(super) fn rows(&self) -> i64 {
        self.rows.load(Relaxed)
    }

    fn percent(&self) -> Option<i16> {
        i16::try_from(self.percent.load(Relaxed)).ok().filter(|percent| *percent >= 0)
    }

    /// Does the work, and shows meanwhile how far it is. What can't be shown is no reason to stop it.
    pub(super) async fn shown_while<T>(
        &self,
        core: &Core,
        report: &Report,
        work: impl Future<Output = T>,
    ) -> T {
        let showing = self.show_for_ever(core, report);
        match select(pin!(work), pin!(showing)).await {
            Either::Left((done, _)) => done,
            Either::Right((never, _)) => match never {},
        }
    }

    async fn show_for_ever(&self, core: &Core, report: &Report) -> Infallible {
        let mut shown = 0;
        loop {
            tokio::time::sleep(EVERY).await;
            let rows = self.rows();
            if rows == shown {
                continue;
            }
            match self.show(core, report, rows).await {
                Ok(()) => shown = rows,
                Err(error) => {
                    tracing::warn!(%error, report = %report.id, "how far a report is could not be written");
                }
            }
        }
    }

    async fn show(&self, core: &Core, report: &Report, rows: i64) -> Result<()> {
        let report = Report { rows: Some(rows), progress: self.percent(), ..report.clone() };
        let mut connection = core.database.connection().await?;
        Ok(reports::advance(&mut connection, &report).await?)
    }
}
