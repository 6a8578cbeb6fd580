//! Reports that were asked for: how far each is, and who is at it.

pub mod day_bounds;
pub mod rows;

use chrono::{DateTime, Utc};
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, Queryable, Selectable, SelectableHelper, pg::Pg,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{
    BookingStatus, ListRequest, OrganizationId, Page, ProductKind, ReportId, ReportKind, ReportStatus, Scope,
    UserId,
};
use wayfare_ledger::{Reason, Side};

use crate::{
    Result, StoreError,
    error::{corrupt_json, from_json, word},
    schema::reports,
    service::leases::CANDIDATES,
    statements::{
        Write as _,
        anchored::{beyond, ordered},
    },
};

#[derive(Clone, Debug)]
pub struct Report {
    pub id: ReportId,
    /// What it is of: an agency, or a user's own. Who may see it follows from that.
    pub scope: Scope,
    pub requested_by: UserId,
    pub kind: ReportKind,
    /// Of which rows it tells; nothing means all.
    pub filters: ReportFilters,
    /// The first instant of its period, UTC.
    pub period_start: DateTime<Utc>,
    /// The first instant after it, UTC.
    pub period_end: DateTime<Utc>,
    pub status: ReportStatus,
    pub attempts: i32,
    /// What its last attempt failed of, for the operator.
    pub problem: Option<String>,
    /// How many bytes its file has; none while there is no file.
    pub bytes: Option<i64>,
    /// How many rows it has so far; none where that is not known.
    pub rows: Option<i64>,
    /// Which share of its period these are of, in per cent; none where that is not known.
    pub progress: Option<i16>,
    /// When it was asked for, UTC.
    pub created_at: DateTime<Utc>,
    /// When its file was made, UTC.
    pub generated_at: Option<DateTime<Utc>>,
    /// Until when the file is kept, UTC.
    pub expires_at: Option<DateTime<Utc>>,
}

impl Report {
    /// Whether it has a file to be fetched.
    pub fn has_file(&self, now: DateTime<Utc>) -> bool {
        self.bytes.is_some() && self.expires_at > Some(now)
    }

    /// Whose rows it tells of: of an agency's report a filter may name one user.
    pub fn rows_of(&self) -> Scope {
        match (self.scope, self.filters.agent_id) {
            (Scope::Organization(organization), Some(agent)) => Scope::User(organization, agent),
            (scope, _) => scope,
        }
    }
}

/// Which rows; nothing means all. What a kind of report has no such column for, it does not look at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportFilters {
    pub agent_id: Option<UserId>,
    /// Those of bookings that stand so when the report is made.
    pub status: Option<BookingStatus>,
    pub product: Option<ProductKind>,
    /// Those of the supplier of this code.
    pub supplier: Option<String>,
    pub ref_type: Option<Reason>,
    pub side: Option<Side>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = reports, check_for_backend(Pg))]
struct Row {
    org_id: Uuid,
    id: Uuid,
    user_id: Uuid,
    scope: String,
    kind: String,
    filters: Value,
    period_start: DateTime<Utc>,
    period_end: DateTime<Utc>,
    status: String,
    attempts: i32,
    problem: Option<String>,
    bytes: Option<i64>,
    row_count: Option<i64>,
    progress: Option<i16>,
    created_at: DateTime<Utc>,
    generated_at: Option<DateTime<Utc>>,
    expires_at: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for Report {
    type Error = StoreError;
    fn try_from(row: Row) -> Result<Self> {
        let (organization, user) = (OrganizationId::from_uuid(row.org_id), UserId::from_uuid(row.user_id));
        let scope = match row.scope.as_str() {
            ORGANIZATION => Scope::Organization(organization),
            USER => Scope::User(organization, user),
            _ => {
                return Err(StoreError::Corrupt { what: "reports.scope", value: row.scope });
            }
        };
        Ok(Self {
            id: ReportId::from_uuid(row.id),
            scope,
            requested_by: user,
            kind: word("reports.type", &row.kind)?,
            filters: from_json("reports.filters", row.filters)?,
            period_start: row.period_start,
            period_end: row.period_end,
            status: word("reports.status", &row.status)?,
            attempts: row.attempts,
            problem: row.problem,
            bytes: row.bytes,
            rows: row.row_count,
            progress: row.progress,
            created_at: row.created_at,
            generated_at: row.generated_at,
            expires_at: row.expires_at,
        })
    }
}

const ORGANIZATION: &str = "organization";
const USER: &str = "user";

pub fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Organization(_) => ORGANIZATION,
        Scope::User(..) => USER,
    }
}

/// The reports of this scope: an agency's are not its users' own.
fn in_scope(scope: Scope) -> reports::BoxedQuery<'static, Pg> {
    let query = reports::table
        .filter(reports::org_id.eq(scope.organization().uuid()))
        .filter(reports::scope.eq(scope_word(scope)))
        .into_boxed();
    match scope.user() {
        Some(user) => query.filter(reports::user_id.eq(user.uuid())),
        None => query,
    }
}

/// Writes a new report, to be made then.
#[boxed]
pub async fn insert(
    connection: &mut AsyncPgConnection,
    report: &Report,
    due_at: DateTime<Utc>,
) -> Result<()> {
    let filters = serde_json::to_value(&report.filters).map_err(corrupt_json("reports.filters"))?;
    diesel::insert_into(reports::table)
        .values((
            reports::org_id.eq(report.scope.organization().uuid()),
            reports::id.eq(report.id.uuid()),
            reports::user_id.eq(report.requested_by.uuid()),
            reports::scope.eq(scope_word(report.scope)),
            reports::kind.eq(report.kind.as_ref()),
            reports::filters.eq(filters),
            reports::period_start.eq(report.period_start),
            reports::period_end.eq(report.period_end),
            reports::status.eq(report.status.as_ref()),
            reports::due_at.eq(due_at),
            reports::created_at.eq(report.created_at),
        ))
        .write(connection)
        .await
}

/// The report of this id, if it is in scope.
#[boxed]
pub async fn find(connection: &mut AsyncPgConnection, scope: Scope, id: ReportId) -> Result<Option<Report>> {
    let row: Option<Row> = in_scope(scope)
        .filter(reports::id.eq(id.uuid()))
        .select(Row::as_select())
        .first(connection)
        .await
        .optional()?;
    row.map(Report::try_from).transpose()
}

/// A page of the reports of this scope, newest first: two statements.
#[boxed]
pub async fn list(
    connection: &mut AsyncPgConnection,
    scope: Scope,
    request: impl Into<ListRequest>,
) -> Result<Page<Report>> {
    let ListRequest { page: request, anchor } = request;
    let left = || beyond!(in_scope(scope), reports::id, anchor);
    let total = left().count().get_result(connection).await?;
    let rows: Vec<Row> = ordered!(left(), reports::id, anchor)
        .limit(request.per_page.into())
        .offset(request.offset())
        .select(Row::as_select())
        .load(connection)
        .await?;
    let items = rows.into_iter().map(Report::try_from).collect::<Result<_, _>>()?;
    Ok(Page { items, request, total })
}

/// How many reports of the agency, its users' own included, are still to be made.
#[boxed]
pub async fn unfinished(connection: &mut AsyncPgConnection, organization: OrganizationId) -> Result<i64> {
    let unfinished =
        [ReportStatus::Queued, ReportStatus::Processing].map(|status| status.as_ref().to_owned());
    Ok(reports::table
        .filter(reports::org_id.eq(organization.uuid()))
        .filter(reports::status.eq_any(unfinished))
        // As all of them are; by it the index of what is due is taken.
        .filter(reports::due_at.is_not_null())
        .count()
        .get_result(connection)
        .await?)
}

/// A report of which something is due.
#[derive(Debug)]
pub enum Due {
    /// One that is to be made is [`ReportStatus::Processing`] now and has one attempt more, one that is finished has
    /// files to be removed.
    Report(Report),
    /// This version does not know what stands in it, and why.
    Unreadable(ReportId, StoreError),
}

/// Takes one report of which something is due, out of reach of other takers until `leased_until`; first of agencies of
/// which no report is under a lease, so that none keeps the others waiting. None also where others take all that are due.
#[boxed]
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<Due>> {
    // No lease ends later. What has just failed and waits to be begun again may count too: it had its turn.
    let others = diesel::alias!(reports as others);
    let served = others
        .filter(others.field(reports::due_at).gt(now))
        .filter(others.field(reports::due_at).le(leased_until))
        .filter(others.field(reports::status).eq(ReportStatus::Processing.as_ref()))
        .select(others.field(reports::org_id));
    let due: Vec<(Row, Option<DateTime<Utc>>)> = reports::table
        .filter(reports::due_at.le(now))
        .order((reports::org_id.eq_any(served), reports::due_at))
        .select((Row::as_select(), reports::due_at))
        .limit(CANDIDATES)
        .load(connection)
        .await?;
    for (row, due_at) in due {
        let id = ReportId::from_uuid(row.id);
        let unchanged = reports::table
            .find((row.org_id, row.id))
            .filter(reports::due_at.eq(due_at))
            .filter(reports::attempts.eq(row.attempts));
        let (mut status, mut attempts) = (row.status.clone(), row.attempts);
        let mut report = Report::try_from(row);
        if let Ok(report) = &mut report
            && matches!(report.status, ReportStatus::Queued | ReportStatus::Processing)
        {
            report.status = ReportStatus::Processing;
            report.attempts += 1;
            (status, attempts) = (report.status.as_ref().to_owned(), report.attempts);
        }
        let taken = diesel::update(unchanged)
            .set((
                reports::due_at.eq(leased_until),
                reports::status.eq(status),
                reports::attempts.eq(attempts),
            ))
            .execute(connection)
            .await?;
        if taken == 1 {
            return Ok(Some(match report {
                Ok(report) => Due::Report(report),
                Err(error) => Due::Unreadable(id, error),
            }));
        }
    }
    Ok(None)
}

/// Keeps a report that was taken out of reach of others until then. False when somebody else has taken it meanwhile.
#[boxed]
pub async fn renew(
    connection: &mut AsyncPgConnection,
    report: &Report,
    leased_until: DateTime<Utc>,
) -> Result<bool> {
    let held = reports::table
        .find(key(report))
        .filter(reports::attempts.eq(report.attempts))
        .filter(reports::status.eq(ReportStatus::Processing.as_ref()));
    diesel::update(held).set(reports::due_at.eq(leased_until)).write_one(connection).await
}

/// Writes how far a report is that was taken: its rows and its progress. Nothing when somebody else has taken it meanwhile.
#[boxed]
pub async fn advance(connection: &mut AsyncPgConnection, report: &Report) -> Result<()> {
    let held = reports::table
        .find(key(report))
        .filter(reports::attempts.eq(report.attempts))
        .filter(reports::status.eq(ReportStatus::Processing.as_ref()));
    diesel::update(held)
        .set((reports::row_count.eq(report.rows), reports::progress.eq(report.progress)))
        .write(connection)
        .await
}

fn key(report: &Report) -> (Uuid, Uuid) {
    (report.scope.organization().uuid(), report.id.uuid())
}

/// Writes what has become of a report that was taken, and when it is due again. False when it was taken once more
/// meanwhile: then it is its next maker's, and nothing is written.
#[boxed]
pub async fn save(
    connection: &mut AsyncPgConnection,
    report: &Report,
    due_at: Option<DateTime<Utc>>,
) -> Result<bool> {
    let taken = reports::table
        .find(key(report))
        .filter(reports::attempts.eq(report.attempts))
        .filter(reports::status.eq(ReportStatus::Processing.as_ref()));
    diesel::update(taken)
        .set((
            reports::status.eq(report.status.as_ref()),
            reports::problem.eq(&report.problem),
            reports::bytes.eq(report.bytes),
            reports::row_count.eq(report.rows),
            reports::progress.eq(report.progress),
            reports::generated_at.eq(report.generated_at),
            reports::expires_at.eq(report.expires_at),
            reports::due_at.eq(due_at),
        ))
        .write_one(connection)
        .await
}

/// A finished report has no files any more, and nothing is due.
#[boxed]
pub async fn without_files(connection: &mut AsyncPgConnection, report: &Report) -> Result<()> {
    diesel::update(reports::table.find(key(report)))
        .set((reports::bytes.eq(None::<i64>), reports::due_at.eq(None::<DateTime<Utc>>)))
        .write(connection)
        .await
}
