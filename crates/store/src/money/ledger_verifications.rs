//! Proofs of the ledger: how far one is that runs, and what those of before found.

use chrono::{DateTime, Utc};
use diesel::{OptionalExtension, sql_query};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{OperatorId, Page, PageRequest, VerificationId, VerificationState};

use super::audit::chain::{AuditProgress, AuditReport};
use crate::{
    Result,
    statements::{Columns, Write as _, by_name, statement},
};

by_name! {
    /// A proof of the ledger.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Verification {
        pub id: VerificationId,
        pub state: VerificationState,
        /// The username of the operator who asked for it; none at the command line.
        pub by: Option<String> = username,
        /// When it began, UTC: it sees what was committed then.
        pub started_at: DateTime<Utc>,
        /// What the program was built from that proves.
        pub commit: String,
        /// Entries that need not be looked at any more.
        pub read: i64,
        /// All entries that there should be.
        pub total: i64,
        /// How long it took up to the last word of it, in milliseconds.
        pub elapsed_ms: i64,
        /// Wallets that were added up again; none until it is done.
        pub wallets: Option<i64>,
        /// How much does not agree; none until it is done.
        pub found: Option<i64>,
        /// The first of what does not agree.
        pub first_fault: Option<String>,
        /// When it ended, UTC. Of a lost one: until when its server was believed to live.
        pub ended_at: Option<DateTime<Utc>>,
    }
}

/// A proof that begins.
#[derive(Clone, Copy, Debug)]
pub struct NewVerification<'a> {
    pub id: VerificationId,
    /// Who asked for it; none at the command line.
    pub by: Option<OperatorId>,
    /// When it begins, UTC.
    pub started_at: DateTime<Utc>,
    pub commit: &'a str,
}

/// What has come of a proof.
#[derive(Clone, Copy, Debug)]
pub struct VerificationEnd<'a> {
    /// What it found; none: it broke off.
    pub report: Option<&'a AuditReport>,
    pub progress: AuditProgress,
    /// How long it took, in milliseconds.
    pub elapsed_ms: i64,
    /// When it ended, UTC.
    pub at: DateTime<Utc>,
}

impl VerificationEnd<'_> {
    fn state(&self) -> VerificationState {
        match self.report {
            Some(_) => VerificationState::Done,
            None => VerificationState::Failed,
        }
    }

    fn wallets(&self) -> Option<i64> {
        self.report.map(|report| count(report.wallets))
    }

    fn found(&self) -> Option<i64> {
        self.report.map(|report| count(report.problems.len()))
    }

    fn first_fault(&self) -> Option<&str> {
        match self.report?.problems.as_slice() {
            [first, ..] => Some(first),
            [] => None,
        }
    }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// All of them as they stand at `$1`: one whose server has said nothing for the time of its lease is lost.
const STAND: &str = "select v.id, case when v.leased_until <= $1 then 'lost' else v.state end as state, o.username, v.started_at,
        v.commit, v.read, v.total, v.elapsed_ms, v.wallets, v.found, v.first_fault,
        case when v.leased_until <= $1 then v.leased_until else v.ended_at end as ended_at
    from ledger_verifications v left join operators o on o.id = v.started_by";

/// Begins a proof that runs, unless one does; whether it was begun. To be called in a transaction: what is lost is written
/// first.
#[boxed]
pub async fn begin(
    connection: &mut AsyncPgConnection,
    new: &NewVerification<'_>,
    leased_until: DateTime<Utc>,
) -> Result<bool> {
    statement(
        "update ledger_verifications set state = 'lost', ended_at = leased_until, leased_until = null
         where state = 'running' and leased_until <= $1",
        new.started_at,
    )
    .execute(connection)
    .await?;
    statement(
        "insert into ledger_verifications (id, state, started_by, started_at, commit, leased_until)
         values ($1, 'running', $2, $3, $4, $5)
         on conflict (state) where state = 'running' do nothing",
        (new.id, new.by, new.started_at, new.commit, leased_until),
    )
    .write_one(connection)
    .await
}

/// Writes how far a proof is, and keeps it running until then. False when it does not run any more: it was taken for lost.
#[boxed]
pub async fn advance(
    connection: &mut AsyncPgConnection,
    id: VerificationId,
    progress: AuditProgress,
    elapsed_ms: i64,
    leased_until: DateTime<Utc>,
) -> Result<bool> {
    statement(
        "update ledger_verifications set read = $2, total = $3, elapsed_ms = $4, leased_until = $5
         where id = $1 and state = 'running'",
        (id, progress.done, progress.total, elapsed_ms, leased_until),
    )
    .write_one(connection)
    .await
}

/// Writes what has come of a proof that runs. False when it was taken for lost meanwhile: then nothing is written.
#[boxed]
pub async fn finish(
    connection: &mut AsyncPgConnection,
    id: VerificationId,
    end: &VerificationEnd<'_>,
) -> Result<bool> {
    statement(
        "update ledger_verifications set state = $2, read = $3, total = $4, elapsed_ms = $5, wallets = $6, found = $7,
             first_fault = $8, ended_at = $9, leased_until = null
         where id = $1 and state = 'running'",
        (
            id,
            end.state().as_ref(),
            end.progress.done,
            end.progress.total,
            end.elapsed_ms,
            end.wallets(),
            end.found(),
            end.first_fault(),
            end.at,
        ),
    )
    .write_one(connection)
    .await
}

/// Writes a proof that has ended already, whatever runs.
#[boxed]
pub async fn record(
    connection: &mut AsyncPgConnection,
    new: &NewVerification<'_>,
    end: &VerificationEnd<'_>,
) -> Result<()> {
    statement(
        "insert into ledger_verifications (id, state, started_by, started_at, commit, read, total, elapsed_ms, wallets, found,
             first_fault, ended_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        (
            new.id,
            end.state().as_ref(),
            new.by,
            new.started_at,
            new.commit,
            end.progress.done,
            end.progress.total,
            end.elapsed_ms,
            end.wallets(),
            end.found(),
            end.first_fault(),
            end.at,
        ),
    )
    .write(connection)
    .await
}

/// The proof of this id.
#[boxed]
pub async fn find(
    connection: &mut AsyncPgConnection,
    id: VerificationId,
    now: DateTime<Utc>,
) -> Result<Option<Verification>> {
    let query = format!("{STAND} where v.id = $2");
    Ok(statement(query, (now, id)).get_result(connection).await.optional()?)
}

/// The proof that runs now, if one does.
#[boxed]
pub async fn running(connection: &mut AsyncPgConnection, now: DateTime<Utc>) -> Result<Option<Verification>> {
    let query = format!("{STAND} where v.state = 'running' and v.leased_until > $1");
    Ok(statement(query, now).get_result(connection).await.optional()?)
}

/// The proof that began last of those that came to their end.
#[boxed]
pub async fn last_done(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
) -> Result<Option<Verification>> {
    let query = format!("{STAND} where v.state = 'done' order by v.started_at desc, v.id desc limit 1");
    Ok(statement(query, now).get_result(connection).await.optional()?)
}

/// A page of all proofs, the newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    request: PageRequest,
    now: DateTime<Utc>,
) -> Result<Page<Verification>> {
    let Columns(total) =
        sql_query("select count(*) as total from ledger_verifications").get_result(connection).await?;
    let query = format!("{STAND} order by v.started_at desc, v.id desc limit $2 offset $3");
    let items =
        statement(query, (now, i64::from(request.per_page), request.offset())).load(connection).await?;
    Ok(Page { items, request, total })
}
