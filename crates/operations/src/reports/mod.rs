//! Reports: files that are asked for, made by the worker, and kept for a while.

mod files;
mod make;
mod progress;
mod tables;

use std::sync::Arc;

use chrono::{Days, NaiveDate};
use diesel_async::AsyncConnection;
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_domain::{
    Actor, AuditEvent, EventKind, Faults, ListRequest, MOST_UNFINISHED_REPORTS, Page, ReportId, ReportKind,
    ReportStatus, Scope,
};
use wayfare_store::{
    access::{organizations, users},
    batch::writes::Writes,
    money::wallets::{self, Owner},
    reports,
};

pub use files::{FileContent, ReportFiles};
pub use make::make_due;
pub(crate) use make::make_for_ever;
pub use wayfare_store::reports::{Report, ReportFilters};

use crate::{
    Admin, Caller, Core, Error, Person, Result,
    access::idempotency::{CreatedResource, IdempotencyKey},
    tools::{
        audit_event::{self, Change},
        calendar::kept_days,
    },
};

/// What reports need: the database, and where their files are kept.
pub struct Reports {
    pub(crate) core: Arc<Core>,
    pub(crate) files: ReportFiles,
}

/// A report is of at most so many days: a leap year.
const MOST_DAYS: u64 = 366;

/// Where reports are asked for and fetched.
#[derive(Clone, Copy)]
pub struct ReportScope<'a> {
    person: &'a Person,
    scope: Scope,
}

#[derive(Clone, Debug)]
pub struct NewReport {
    pub kind: ReportKind,
    /// The first day, in the agency's calendar.
    pub first_day: NaiveDate,
    /// The last day, whole, in the agency's calendar.
    pub last_day: NaiveDate,
    pub filters: ReportFilters,
}

pub struct ReportFile {
    pub report: Report,
    /// How many bytes it has.
    pub length: u64,
    /// Its content, read no faster than it is taken.
    pub content: FileContent,
}

pub fn check_period(first_day: NaiveDate, last_day: NaiveDate) -> Faults {
    let mut faults = Faults::default();
    if first_day > last_day {
        faults.add("period_start", "must not be after period_end");
    } else if first_day.checked_add_days(Days::new(MOST_DAYS)).is_some_and(|too_late| last_day >= too_late) {
        let reason = format!("must be within {MOST_DAYS} days, period_start included");
        faults.add("period_end", reason);
    }
    faults
}

impl<'a> ReportScope<'a> {
    /// The agency's, whose reports its admins share. They are of all the agency has; what agents asked for themselves
    /// is not among them.
    pub fn of_organization(admin: &'a Admin) -> Self {
        let caller = admin.caller();
        Self { person: caller, scope: Scope::Organization(caller.organization()) }
    }

    /// The caller's own, for reports of what is theirs. Of the wallet it is the one that they pay from: the organization's for
    /// whoever has none.
    pub fn own(caller: &'a Caller) -> Self {
        Self { person: caller, scope: Scope::User(caller.organization(), caller.user()) }
    }

    /// Who asks.
    pub fn person(&self) -> &'a Person {
        self.person
    }

    /// Asks for a report, which the worker makes.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a period or a filter that can't be, [`Error::TooManyReports`]; those of the key.
    #[boxed]
    pub async fn request(&self, core: &Core, new: NewReport, key: Option<&IdempotencyKey>) -> Result<Report> {
        check_period(new.first_day, new.last_day).or(())?;
        let now = core.clock.now();
        let days = (Some(new.first_day), Some(new.last_day));
        let mut connection = core.database.connection().await?;
        let clock = (self.person.time_zone(), now);
        let bounds = kept_days(&mut connection, days, clock, &mut Faults::default()).await?;
        let bounds = bounds.0.zip(bounds.1);
        let (period_start, period_end) = bounds.ok_or_else(|| Faults::of("period_end", "is no day"))?;
        let report = Report {
            id: ReportId::at(now),
            scope: self.scope,
            requested_by: self.person.user(),
            kind: new.kind,
            filters: new.filters,
            period_start,
            period_end,
            status: ReportStatus::Queued,
            attempts: 0,
            problem: None,
            bytes: None,
            rows: None,
            progress: None,
            created_at: now,
            generated_at: None,
            expires_at: None,
        };
        let requested = connection.transaction(async |connection| {
            let organization = self.scope.organization();
            organizations::lock(connection, organization).await?.ok_or(Error::NotFound)?;
            if reports::unfinished(connection, organization).await? >= MOST_UNFINISHED_REPORTS {
                return Err(Error::TooManyReports);
            }
            if let Some(agent) = report.rows_of().user() {
                if !users::was_ever(connection, organization, agent).await? {
                    return Err(Faults::of("filters.agent_id", "must be a user of the organization").into());
                }
                let owner = Owner::User(organization, agent);
                let of_a_wallet = report.kind.is_of_a_wallet() && self.scope.user().is_none();
                if of_a_wallet && wallets::of(connection, owner).await?.is_none() {
                    return Err(Faults::of("filters.agent_id", "must be an agent of the organization").into());
                }
            }
            reports::insert(connection, &report, core.shared_time.now()).await?;
            let mut writes = Writes::default();
            writes.event(&event(core, &self.person.actor(), &report, EventKind::ReportRequested));
            writes.send(connection).await?;
            if let Some(key) = key {
                let created = CreatedResource::Report(report.id);
                key.record(core, connection, self.person, created).await?;
            }
            Ok(report)
        });
        requested.await
    }

    /// A page of the reports that were asked for here, newest first: two statements.
    pub async fn list(&self, core: &Core, request: impl Into<ListRequest>) -> Result<Page<Report>> {
        let mut connection = core.database.connection().await?;
        Ok(reports::list(&mut connection, self.scope, request).await?)
    }

    /// A report that was asked for here.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    #[boxed]
    pub async fn get(&self, core: &Core, id: ReportId) -> Result<Report> {
        let mut connection = core.database.connection().await?;
        let found = reports::find(&mut connection, self.scope, id).await?;
        found.ok_or(Error::NotFound)
    }

    /// The file of a report that was asked for here.
    ///
    /// # Errors
    /// [`Error::NotFound`], also when it is not kept any more; [`Error::ReportNotReady`].
    #[boxed]
    pub async fn download(&self, reports: &Reports, id: ReportId) -> Result<ReportFile> {
        let report = self.get(&reports.core, id).await?;
        if report.status != ReportStatus::Ready {
            return Err(Error::ReportNotReady);
        }
        if !report.has_file(reports.core.clock.now()) {
            return Err(Error::NotFound);
        }
        let (length, content) = reports.files.read(&file_name(report.id, report.attempts)).await?;
        if i64::try_from(length).ok() != report.bytes {
            let made = report.bytes.unwrap_or_default();
            let problem = format!("report {id} was made with {made} bytes, and has {length}");
            return Err(Error::Internal(problem));
        }
        Ok(ReportFile { report, length, content })
    }
}

/// How the file is called that this attempt at a report makes: no two write the same one.
fn file_name(report: ReportId, attempt: i32) -> String {
    format!("{report}-{attempt}.csv")
}

/// The event that a report is what it is now.
fn event(core: &Core, actor: &Actor, report: &Report, action: EventKind) -> AuditEvent {
    let new_value = json!({
        "type": report.kind,
        "status": report.status,
        "user_id": report.requested_by,
        "scope": reports::scope_word(report.scope),
    });
    audit_event::event(
        core,
        Change {
            organization: report.scope.organization(),
            actor,
            action,
            entity_id: report.id.to_string(),
            old_value: None,
            new_value: Some(new_value),
        },
    )
}
