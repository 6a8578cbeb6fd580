//! Proofs of the ledger: how far one is that runs, and what those of before found.

use chrono::{DateTime, Utc};
use diesel::{
    OptionalExtension, sql_query,
    sql_types::{BigInt, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{OperatorId, Page, PageRequest, VerificationId, VerificationState};

use super::audit::chain::{AuditProgress, AuditReport};
use crate::{StoreError, error::word, statements::by_name::by_name};

/// A proof of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    pub id: VerificationId,
    pub state: VerificationState,
    /// The username of the operator who asked for it; none at the command line.
    pub by: Option<String>,
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

by_name! {
    struct Row {
        id: Uuid = SqlUuid,
        state: String = Text,
        username: Option<String> = Nullable<Text>,
        started_at: DateTime<Utc> = Timestamptz,
        commit: String = Text,
        read: i64 = BigInt,
        total: i64 = BigInt,
        elapsed_ms: i64 = BigInt,
        wallets: Option<i64> = Nullable<BigInt>,
        found: Option<i64> = Nullable<BigInt>,
        first_fault: Option<String> = Nullable<Text>,
        ended_at: Option<DateTime<Utc>> = Nullable<Timestamptz>,
    }
}

by_name! {
    struct Counted {
        total: i64 = BigInt,
    }
}

impl TryFrom<Row> for Verification {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: VerificationId::from_uuid(row.id),
            state: word("ledger_verifications.state", &row.state)?,
            by: row.username,
            started_at: row.started_at,
            commit: row.commit,
            read: row.read,
            total: row.total,
            elapsed_ms: row.elapsed_ms,
            wallets: row.wallets,
            found: row.found,
            first_fault: row.first_fault,
            ended_at: row.ended_at,
        })
    }
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
) -> Result<bool, StoreError> {
    sql_query(
        "update ledger_verifications set state = 'lost', ended_at = leased_until, leased_until = null
         where state = 'running' and leased_until <= $1",
    )
    .bind::<Timestamptz, _>(new.started_at)
    .execute(connection)
    .await?;
    let begun = sql_query(
        "insert into ledger_verifications (id, state, started_by, started_at, commit, leased_until)
         values ($1, 'running', $2, $3, $4, $5)
         on conflict (state) where state = 'running' do nothing",
    )
    .bind::<SqlUuid, _>(new.id.uuid())
    .bind::<Nullable<SqlUuid>, _>(new.by.map(OperatorId::uuid))
    .bind::<Timestamptz, _>(new.started_at)
    .bind::<Text, _>(new.commit)
    .bind::<Timestamptz, _>(leased_until)
    .execute(connection)
    .await?;
    Ok(begun == 1)
}

/// Writes how far a proof is, and keeps it running until then. False when it does not run any more: it was taken for lost.
#[boxed]
pub async fn advance(
    connection: &mut AsyncPgConnection,
    id: VerificationId,
    progress: AuditProgress,
    elapsed_ms: i64,
    leased_until: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let advanced = sql_query(
        "update ledger_verifications set read = $2, total = $3, elapsed_ms = $4, leased_until = $5
         where id = $1 and state = 'running'",
    )
    .bind::<SqlUuid, _>(id.uuid())
    .bind::<BigInt, _>(progress.done)
    .bind::<BigInt, _>(progress.total)
    .bind::<BigInt, _>(elapsed_ms)
    .bind::<Timestamptz, _>(leased_until)
    .execute(connection)
    .await?;
    Ok(advanced == 1)
}

/// Writes what has come of a proof that runs. False when it was taken for lost meanwhile: then nothing is written.
#[boxed]
pub async fn finish(
    connection: &mut AsyncPgConnection,
    id: VerificationId,
    end: &VerificationEnd<'_>,
) -> Result<bool, StoreError> {
    let finished = sql_query(
        "update ledger_verifications set state = $2, read = $3, total = $4, elapsed_ms = $5, wallets = $6, found = $7,
             first_fault = $8, ended_at = $9, leased_until = null
         where id = $1 and state = 'running'",
    )
    .bind::<SqlUuid, _>(id.uuid())
    .bind::<Text, _>(end.state().as_ref())
    .bind::<BigInt, _>(end.progress.done)
    .bind::<BigInt, _>(end.progress.total)
    .bind::<BigInt, _>(end.elapsed_ms)
    .bind::<Nullable<BigInt>, _>(end.wallets())
    .bind::<Nullable<BigInt>, _>(end.found())
    .bind::<Nullable<Text>, _>(end.first_fault())
    .bind::<Timestamptz, _>(end.at)
    .execute(connection)
    .await?;
    Ok(finished == 1)
}

/// Writes a proof that has ended already, whatever runs.
#[boxed]
pub async fn record(
    connection: &mut AsyncPgConnection,
    new: &NewVerification<'_>,
    end: &VerificationEnd<'_>,
) -> Result<(), StoreError> {
    sql_query(
        "insert into ledger_verifications (id, state, started_by, started_at, commit, read, total, elapsed_ms, wallets, found,
             first_fault, ended_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind::<SqlUuid, _>(new.id.uuid())
    .bind::<Text, _>(end.state().as_ref())
    .bind::<Nullable<SqlUuid>, _>(new.by.map(OperatorId::uuid))
    .bind::<Timestamptz, _>(new.started_at)
    .bind::<Text, _>(new.commit)
    .bind::<BigInt, _>(end.progress.done)
    .bind::<BigInt, _>(end.progress.total)
    .bind::<BigInt, _>(end.elapsed_ms)
    .bind::<Nullable<BigInt>, _>(end.wallets())
    .bind::<Nullable<BigInt>, _>(end.found())
    .bind::<Nullable<Text>, _>(end.first_fault())
    .bind::<Timestamptz, _>(end.at)
    .execute(connection)
    .await?;
    Ok(())
}

/// The proof of this id.
#[boxed]
pub async fn find(
    connection: &mut AsyncPgConnection,
    id: VerificationId,
    now: DateTime<Utc>,
) -> Result<Option<Verification>, StoreError> {
    let row: Option<Row> = sql_query(format!("{STAND} where v.id = $2"))
        .bind::<Timestamptz, _>(now)
        .bind::<SqlUuid, _>(id.uuid())
        .get_result(connection)
        .await
        .optional()?;
    row.map(Verification::try_from).transpose()
}

/// The proof that runs now, if one does.
#[boxed]
pub async fn running(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
) -> Result<Option<Verification>, StoreError> {
    let row: Option<Row> = sql_query(format!("{STAND} where v.state = 'running' and v.leased_until > $1"))
        .bind::<Timestamptz, _>(now)
        .get_result(connection)
        .await
        .optional()?;
    row.map(Verification::try_from).transpose()
}

/// The proof that began last of those that came to their end.
#[boxed]
pub async fn last_done(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
) -> Result<Option<Verification>, StoreError> {
    let query = format!("{STAND} where v.state = 'done' order by v.started_at desc, v.id desc limit 1");
    let row: Option<Row> =
        sql_query(query).bind::<Timestamptz, _>(now).get_result(connection).await.optional()?;
    row.map(Verification::try_from).transpose()
}

/// A page of all proofs, the newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    request: PageRequest,
    now: DateTime<Utc>,
) -> Result<Page<Verification>, StoreError> {
    let counted: Counted =
        sql_query("select count(*) as total from ledger_verifications").get_result(connection).await?;
    let query = format!("{STAND} order by v.started_at desc, v.id desc limit $2 offset $3");
    let rows: Vec<Row> = sql_query(query)
        .bind::<Timestamptz, _>(now)
        .bind::<BigInt, _>(i64::from(request.per_page))
        .bind::<BigInt, _>(request.offset())
        .load(connection)
        .await?;
    let items = rows.into_iter().map(Verification::try_from);
    Ok(Page { items: items.collect::<Result<_, _>>()?, request, total: counted.total })
}
