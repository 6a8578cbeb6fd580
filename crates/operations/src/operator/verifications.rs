//! Proofs of the ledger: at the command line, and by a server for an operator, who sees how far it is.

use std::{
    convert::Infallible,
    panic::AssertUnwindSafe,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use futures_util::{
    FutureExt,
    future::{Either, select},
};
use tokio::sync::watch;
use tracing::Instrument;
use wayfare_boxed::boxed;
use wayfare_contract::operator::LedgerVerification;
use wayfare_domain::{Page, PageRequest, VerificationId};
use wayfare_store::money::{
    audit::{chain, purpose},
    ledger_proofs,
    ledger_verifications::{self, NewVerification, Verification, VerificationEnd},
};

use crate::{
    AuditProgress, AuditReport, Error, Platform, Result,
    access::operators::{Finance, OperatorProof},
    tools::lease::LEASE,
};

/// How far a proof is, is written so often, and its lease is renewed with it (D-545).
const WRITTEN_EVERY: Duration = Duration::from_secs(1);
/// How often it is looked who is faster, where several begin at once and each has just ended.
const TRIES: usize = 5;

/// What a proof came to.
struct Proven {
    at: DateTime<Utc>,
    report: AuditReport,
    wrong_wallets: usize,
}

/// Proves the books in one snapshot of the database; `tell` hears how far it is, up to the end.
///
/// # Errors
/// When the database can't be asked; what is wrong in the books is in the report.
pub async fn verify_ledger(
    platform: &Platform,
    mut tell: impl FnMut(AuditProgress) + Send,
) -> Result<AuditReport> {
    let begun = Instant::now();
    let mut last = NOTHING_READ;
    let proven = prove(platform, |progress| {
        last = progress;
        tell(progress);
    })
    .await?;
    let end = VerificationEnd {
        report: Some(&proven.report),
        progress: last,
        elapsed_ms: millis(begun.elapsed()),
        at: platform.core.shared_time.now(),
    };
    // For servers, and for whoever looks at them. What was found is told all the same.
    if let Err(error) = record(platform, &proven, &end).await {
        tracing::warn!(%error, "that the ledger was proven could not be written");
    }
    Ok(proven.report)
}

/// Writes a proof of the command line, which has ended. The older table is written too: servers of the version before read it.
async fn record(platform: &Platform, proven: &Proven, end: &VerificationEnd<'_>) -> Result<()> {
    let new = NewVerification {
        id: VerificationId::at(proven.at),
        by: None,
        started_at: proven.at,
        commit: platform.commit,
    };
    let mut connection = platform.core.database.connection().await?;
    let recorded = connection.transaction(async |connection| {
        ledger_verifications::record(connection, &new, end).await?;
        record_last(connection, proven).await
    });
    recorded.await
}

/// Writes what the last proof found, as servers print it.
async fn record_last(connection: &mut AsyncPgConnection, proven: &Proven) -> Result<()> {
    Ok(ledger_proofs::record(connection, proven.at, &proven.report, proven.wrong_wallets).await?)
}

async fn prove(platform: &Platform, tell: impl FnMut(AuditProgress) + Send) -> Result<Proven> {
    let mut connection = platform.core.database.connection().await?;
    let mut snapshot = connection.build_transaction().read_only().repeatable_read();
    let at = platform.core.shared_time.now();
    let proof = snapshot.run(async |connection| {
        let mut report = chain::audit(connection, &platform.core.secrets.chain, tell).await?;
        let wrong_wallets = report.problems.len();
        report.problems.extend(purpose::problems(connection).await?);
        Ok::<_, Error>(Proven { at, report, wrong_wallets })
    });
    proof.await
}

/// Begins a proof of the ledger, which this server carries out while nobody waits for it. While one runs there is no other:
/// whoever asks for it has that one (D-544).
#[boxed]
pub async fn begin_verification(platform: &Arc<Platform>, finance: &Finance) -> Result<LedgerVerification> {
    let by = finance.viewer().id();
    let mut connection = platform.core.database.connection().await?;
    for _ in 0..TRIES {
        let now = platform.core.shared_time.now();
        let new = NewVerification {
            id: VerificationId::at(now),
            by: Some(by),
            started_at: now,
            commit: platform.commit,
        };
        let begun = connection.transaction(async |connection| {
            Ok::<_, Error>(ledger_verifications::begin(connection, &new, now + LEASE).await?)
        });
        if begun.await? {
            let span = tracing::error_span!("ledger verification", id = %new.id);
            platform.core.runtime.spawn(carry_out(platform.clone(), new.id).instrument(span));
            let found = ledger_verifications::find(&mut connection, new.id, now).await?;
            let begun = found.map(shown);
            return begun.ok_or_else(|| Error::Internal("a proof that has begun is gone".to_owned()));
        }
        if let Some(running) = ledger_verifications::running(&mut connection, now).await? {
            return Ok(shown(running));
        }
    }
    Err(Error::Internal("other proofs of the ledger begin and end again and again".to_owned()))
}

/// Proves the ledger, and writes meanwhile how far that is. Whatever goes wrong with it, a panic included, ends it.
async fn carry_out(platform: Arc<Platform>, id: VerificationId) {
    let begun = Instant::now();
    let (tell, progress) = watch::channel(NOTHING_READ);
    let proof = prove(&platform, |progress| {
        tell.send_replace(progress);
    });
    let writing = write_for_ever(&platform, id, progress.clone(), begun);
    let proof = AssertUnwindSafe(proof).catch_unwind();
    let proven = match select(pin!(proof), pin!(writing)).await {
        Either::Left((proven, _)) => proven,
        Either::Right((never, _)) => match never {},
    };
    let proven = match proven {
        Ok(Ok(proven)) => Some(proven),
        Ok(Err(error)) => {
            tracing::error!(%error, "a proof of the ledger broke off");
            None
        }
        Err(_) => {
            tracing::error!("a proof of the ledger panicked");
            None
        }
    };
    let end = VerificationEnd {
        report: proven.as_ref().map(|proven| &proven.report),
        progress: *progress.borrow(),
        elapsed_ms: millis(begun.elapsed()),
        at: platform.core.shared_time.now(),
    };
    if let Some(problem) = proven.as_ref().and_then(|proven| proven.report.problems.first()) {
        tracing::error!(problem, "the ledger does not agree");
    }
    match finish(&platform, id, proven.as_ref(), &end).await {
        Ok(true) => {}
        Ok(false) => tracing::warn!("a proof of the ledger was taken for lost before it ended"),
        Err(error) => tracing::error!(%error, "what a proof of the ledger found could not be written"),
    }
}

/// Writes what has come of a proof; whether it was still this server's.
async fn finish(
    platform: &Platform,
    id: VerificationId,
    proven: Option<&Proven>,
    end: &VerificationEnd<'_>,
) -> Result<bool> {
    let mut connection = platform.core.database.connection().await?;
    let finished = connection.transaction(async |connection| {
        if let Some(proven) = proven {
            record_last(connection, proven).await?;
        }
        Ok::<_, Error>(ledger_verifications::finish(connection, id, end).await?)
    });
    finished.await
}

/// Writes how far a proof is, from time to time. What can't be written is no reason to stop it.
async fn write_for_ever(
    platform: &Platform,
    id: VerificationId,
    progress: watch::Receiver<AuditProgress>,
    begun: Instant,
) -> Infallible {
    loop {
        tokio::time::sleep(WRITTEN_EVERY).await;
        let now = *progress.borrow();
        if let Err(error) = advance(platform, id, now, millis(begun.elapsed())).await {
            tracing::warn!(%error, "how far a proof of the ledger is could not be written");
        }
    }
}

async fn advance(
    platform: &Platform,
    id: VerificationId,
    progress: AuditProgress,
    elapsed_ms: i64,
) -> Result<()> {
    let mut connection = platform.core.database.connection().await?;
    let leased_until = platform.core.shared_time.now() + LEASE;
    ledger_verifications::advance(&mut connection, id, progress, elapsed_ms, leased_until).await?;
    Ok(())
}

/// A page of all proofs of the ledger, the newest first.
#[boxed]
pub async fn verifications(platform: &Platform, request: PageRequest) -> Result<Page<LedgerVerification>> {
    let mut connection = platform.core.database.connection().await?;
    let now = platform.core.shared_time.now();
    Ok(ledger_verifications::list(&mut connection, request, now).await?.map(shown))
}

/// A proof of the ledger.
///
/// # Errors
/// [`Error::NotFound`].
#[boxed]
pub async fn verification(platform: &Platform, id: VerificationId) -> Result<LedgerVerification> {
    let mut connection = platform.core.database.connection().await?;
    let found = ledger_verifications::find(&mut connection, id, platform.core.shared_time.now()).await?;
    found.map(shown).ok_or(Error::NotFound)
}

pub(super) fn shown(of: Verification) -> LedgerVerification {
    LedgerVerification {
        id: of.id.uuid(),
        state: of.state.as_ref().into(),
        by: of.by,
        started_at: of.started_at,
        commit: of.commit,
        read: of.read,
        total: of.total,
        elapsed_ms: of.elapsed_ms,
        wallets: of.wallets,
        found: of.found,
        first_fault: of.first_fault,
        ended_at: of.ended_at,
    }
}

/// Before the first chunk.
const NOTHING_READ: AuditProgress = AuditProgress { done: 0, total: 0 };

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
