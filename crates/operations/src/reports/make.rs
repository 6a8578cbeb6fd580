//! Makes reports, and removes what is not kept any more. It may run in any number of processes: each report is taken by
//! one of them, under a lease that ends by itself if the taker dies.

use std::{ops::Range, panic::AssertUnwindSafe, time::Duration};

use chrono::{DateTime, Utc};
use diesel_async::AsyncConnection;
use futures_util::FutureExt;
use wayfare_boxed::boxed;
use wayfare_domain::{Actor, EventKind, ReportId, ReportStatus};
use wayfare_store::{
    batch::writes::Writes,
    reports::{self, Due, Report},
};

use super::{event, file_name, progress::Progress, tables};
use crate::{
    Core, Reports,
    tools::lease::{LEASE, renewing},
};
use crate::{Error, Result, tools::failpoints::moment};

/// A file that takes longer is given up.
const LONGEST: Duration = Duration::from_secs(240);
/// How often a report is begun before it has failed for good.
const MOST_ATTEMPTS: i32 = 5;
/// How long a file is kept (P-123).
const KEPT_DAYS: i64 = 30;
/// How often the loop looks for work when there is none.
const PAUSE: Duration = Duration::from_secs(1);

/// Makes one report after the other until the process ends.
pub(crate) async fn make_for_ever(reports: &Reports) {
    loop {
        if let Err(error) = make_due(reports).await {
            tracing::error!(%error, "reports could not be made");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Makes every report that is due now, and removes files that are not kept any more; how many reports it was at.
#[boxed]
pub async fn make_due(reports: &Reports) -> Result<usize> {
    let mut taken = 0;
    while let Some(due) = take(&reports.core).await? {
        taken += 1;
        let report = match due {
            Due::Report(report) => report,
            // It is tried again when its lease has ended, perhaps by a version that can read it.
            Due::Unreadable(id, error) => {
                tracing::error!(%error, report = %id, "a report can't be read");
                continue;
            }
        };
        match report.status {
            ReportStatus::Queued | ReportStatus::Processing => make(reports, report).await?,
            ReportStatus::Ready | ReportStatus::Failed => forget(reports, &report).await?,
        }
    }
    Ok(taken)
}

async fn take(core: &Core) -> Result<Option<Due>> {
    let now = core.shared_time.now();
    let mut connection = core.database.connection().await?;
    Ok(reports::take_due(&mut connection, now, now + LEASE).await?)
}

/// One attempt at a report. Whatever goes wrong with it, a panic included, is its own problem and never the loop's.
async fn make(reports: &Reports, mut report: Report) -> Result<()> {
    let attempt = report.attempts;
    let progress = Progress::of(&report);
    let made = match attempt <= MOST_ATTEMPTS {
        true => {
            let work = progress.shown_while(&reports.core, &report, write(reports, &report, &progress));
            renewing("a report", work.boxed(), || renew(&reports.core, &report)).await
        }
        // Every worker that started it has crashed, and it may be the report's fault.
        false => Err("gave up: every worker that started this report crashed".to_owned()),
    };
    moment("report:written");
    let (now, shared_now) = (reports.core.clock.now(), reports.core.shared_time.now());
    let kept = chrono::Duration::days(KEPT_DAYS);
    let (due_at, report_event) = match made {
        Ok(bytes) => {
            report.status = ReportStatus::Ready;
            report.problem = None;
            report.bytes = Some(bytes);
            report.rows = Some(progress.rows());
            report.progress = Some(100);
            report.generated_at = Some(now);
            report.expires_at = Some(now + kept);
            (shared_now + kept, Some(EventKind::ReportReady))
        }
        Err(problem) => {
            tracing::error!(problem, report = %report.id, attempt, "a report could not be made");
            report.problem = Some(problem);
            if attempt < MOST_ATTEMPTS {
                (shared_now + back_off(attempt), None)
            } else {
                report.status = ReportStatus::Failed;
                (shared_now + kept, Some(EventKind::ReportFailed))
            }
        }
    };
    let saved = save(&reports.core, &report, due_at, report_event).await?;
    moment("report:saved");
    let useless = match (saved, report.status) {
        (true, ReportStatus::Ready) => 1..attempt,
        (true, _) => 1..attempt + 1,
        // Somebody else has taken it meanwhile: only what was written here is not needed.
        (false, _) => attempt..attempt + 1,
    };
    if let Err(error) = remove(reports, report.id, useless).await {
        tracing::warn!(%error, report = %report.id, "files of earlier attempts are removed when the report expires");
    }
    Ok(())
}

async fn renew(core: &Core, report: &Report) -> Result<bool> {
    let mut connection = core.database.connection().await?;
    Ok(reports::renew(&mut connection, report, core.shared_time.now() + LEASE).await?)
}

/// Writes what has come of an attempt, with its event, unless another one has begun meanwhile; whether it was written.
async fn save(
    core: &Core,
    report: &Report,
    due_at: DateTime<Utc>,
    event_kind: Option<EventKind>,
) -> Result<bool> {
    let mut connection = core.database.connection().await?;
    let saved = connection.transaction(async |connection| {
        let saved = reports::save(connection, report, Some(due_at)).await?;
        if let (true, Some(action)) = (saved, event_kind) {
            let mut writes = Writes::default();
            writes.event(&event(core, &Actor::system(), report, action));
            writes.send(connection).await?;
        }
        Ok::<_, Error>(saved)
    });
    saved.await
}

/// How long after its first, second … attempt a report is begun again: 10 s, 40 s, 160 s, 640 s.
fn back_off(attempt: i32) -> chrono::Duration {
    let exponent = u32::try_from(attempt.saturating_sub(1)).unwrap_or_default();
    chrono::Duration::seconds(10 * 4_i64.saturating_pow(exponent.min(8)))
}

/// Writes the file; how many bytes it has, or why there is none.
async fn write(reports: &Reports, report: &Report, progress: &Progress) -> Result<i64, String> {
    let name = file_name(report.id, report.attempts);
    let mut begun = None;
    let written = async {
        let file = begun.insert(reports.files.begin(&name).await?);
        tables::write(&reports.core, report, file, progress).await?;
        file.finish().await
    };
    let ended = tokio::time::timeout(LONGEST, AssertUnwindSafe(written).catch_unwind()).await;
    let problem = match ended {
        Ok(Ok(Ok(bytes))) => return Ok(bytes),
        Ok(Ok(Err(error))) => error.to_string(),
        Ok(Err(_)) => "its maker panicked".to_owned(),
        Err(_) => format!("it took longer than {} s", LONGEST.as_secs()),
    };
    if let Some(file) = begun {
        file.abandon().await;
    }
    Err(problem)
}

/// Removes every file that was ever begun of a finished report.
async fn forget(reports: &Reports, report: &Report) -> Result<()> {
    if let Err(error) = remove(reports, report.id, 1..report.attempts + 1).await {
        // It is tried again when the lease has ended.
        tracing::error!(%error, report = %report.id, "a report's files could not be removed");
        return Ok(());
    }
    let mut connection = reports.core.database.connection().await?;
    Ok(reports::without_files(&mut connection, report).await?)
}

/// Removes the files of these attempts.
async fn remove(reports: &Reports, report: ReportId, attempts: Range<i32>) -> Result<()> {
    for attempt in attempts {
        reports.files.remove(&file_name(report, attempt)).await?;
    }
    Ok(())
}
