//! Reports: the organization's, and everybody's own.

use actix_web::{
    HttpResponse,
    body::SizedStream,
    http::header::{ContentDisposition, DispositionParam, DispositionType},
    web::Path,
};
use chrono::{DateTime, Utc};
use futures_util::TryStreamExt;
use serde_json::json;
use wayfare_contract::{NewReport, Report};
use wayfare_domain::{ListRequest, ReportId, ReportKind, ReportStatus, Scope};
use wayfare_operations::{
    Admin, Caller,
    access::idempotency::IdempotencyKey,
    reports::{self, Report as Requested, ReportFilters, ReportScope},
};

use super::common::record_id;
use crate::http::{
    App, BASE,
    csv_style::CsvStyle,
    extract::{Ask, Body, Keyed, Query},
    idempotent::idempotent,
    json_body::{FromJson, JsonObject},
    reply::{Csv, Paged, Replied, Reply, WithMessage, paged, with_message},
};

/// `POST /org/reports`.
pub async fn request_of_organization(
    app: App,
    ask: Ask<Admin, Keyed<Body<reports::NewReport>>>,
) -> Replied<WithMessage<Report, 201>> {
    request(&app, &ReportScope::of_organization(&ask.who), ask.what).await
}

/// `POST /reports`.
pub async fn request_own(
    app: App,
    ask: Ask<Caller, Keyed<Body<reports::NewReport>>>,
) -> Replied<WithMessage<Report, 201>> {
    request(&app, &ReportScope::own(&ask.who), ask.what).await
}

/// `GET /org/reports`.
pub async fn of_organization(app: App, ask: Ask<Admin, Query<ListRequest>>) -> Replied<Paged<Report>> {
    list(&app, &ReportScope::of_organization(&ask.who), ask.what).await
}

/// `GET /reports`.
pub async fn own(app: App, ask: Ask<Caller, Query<ListRequest>>) -> Replied<Paged<Report>> {
    list(&app, &ReportScope::own(&ask.who), ask.what).await
}

/// `GET /org/reports/{id}/download`.
pub async fn download_of_organization(
    app: App,
    ask: Ask<Admin, Query<CsvStyle>>,
    id: Path<String>,
) -> Replied<Csv> {
    let (Query(style), scope) = (ask.what, ReportScope::of_organization(&ask.who));
    download(&app, &scope, record_id(&id)?, style).await
}

/// `GET /reports/{id}/download`.
pub async fn download_own(app: App, ask: Ask<Caller, Query<CsvStyle>>, id: Path<String>) -> Replied<Csv> {
    let (Query(style), scope) = (ask.what, ReportScope::own(&ask.who));
    download(&app, &scope, record_id(&id)?, style).await
}

async fn request(
    app: &App,
    scope: &ReportScope<'_>,
    asked: Keyed<Body<reports::NewReport>>,
) -> Replied<WithMessage<Report, 201>> {
    let (Body(new), key) = (asked.body, asked.key);
    let queued =
        |report: Requested| with_message("report queued for generation", shown(app.core.clock.now(), report));
    let carry_out = async |key: Option<&IdempotencyKey>| queued(scope.request(&app.core, new, key).await?);
    let rebuild = async |id: ReportId| queued(scope.get(&app.core, id).await?);
    idempotent(app, scope.person(), key, carry_out, rebuild).await
}

async fn list(app: &App, scope: &ReportScope<'_>, Query(page): Query<ListRequest>) -> Replied<Paged<Report>> {
    let found = scope.list(&app.core, page).await?;
    paged(found.map(|report| shown(app.core.clock.now(), report)))
}

/// Sent as it is read. An error on the way breaks the connection off, and the client knows how much it should get of a file as it
/// was made.
async fn download(app: &App, scope: &ReportScope<'_>, id: ReportId, style: CsvStyle) -> Replied<Csv> {
    let file = scope.download(&app.reports, id).await?;
    let kind: &str = file.report.kind.into();
    let content =
        file.content.inspect_err(|error| tracing::error!(%error, "the download of a report broke off"));
    let mut response = HttpResponse::Ok();
    response.content_type("text/csv; charset=utf-8").insert_header(ContentDisposition {
        disposition: DispositionType::Attachment,
        parameters: vec![DispositionParam::Filename(format!("report-{kind}-{id}.csv"))],
    });
    Ok(Reply::of(match style.is_plain() {
        true => response.body(SizedStream::new(file.length, content)),
        false => response.streaming(style.written(scope.person().time_zone(), content)),
    }))
}

/// `POST /org/reports` and `POST /reports`.
impl FromJson for reports::NewReport {
    const NAME: &str = "ReportRequest";
    type Declared = NewReport;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let kind = body.word::<ReportKind>("type");
        let first_day = body.date("period_start");
        let last_day = body.date("period_end");
        if let (Some(first_day), Some(last_day)) = (first_day, last_day) {
            body.append(reports::check_period(first_day, last_day));
        }
        let filters = body.object("filters", |body| Some(filters(body)));
        Some(Self {
            kind: kind?,
            first_day: first_day?,
            last_day: last_day?,
            filters: filters.unwrap_or_default(),
        })
    }
}

fn filters(body: &mut JsonObject<'_>) -> ReportFilters {
    let agent_id = body.optional_text("agent_id").filter(|id| !id.is_empty());
    let agent_id = agent_id.map(|id| id.parse().ok());
    body.note("agent_id", || json!({ "format": "uuid" }));
    if agent_id == Some(None) {
        body.fault("agent_id", "must be a UUID");
    }
    ReportFilters {
        agent_id: agent_id.flatten(),
        status: body.filter_word("status"),
        product: body.filter_word("product"),
        supplier: body.short_text("supplier", 64).filter(|code| !code.is_empty()),
        ref_type: body.filter_word("ref_type"),
        side: body.filter_word("type"),
    }
}

/// A report as it stands now.
fn shown(now: DateTime<Utc>, report: Requested) -> Report {
    let scope = match report.scope {
        Scope::Organization(_) => "/org/reports",
        Scope::User(..) => "/reports",
    };
    let file_url = report.has_file(now).then(|| format!("{BASE}{scope}/{}/download", report.id));
    Report {
        id: report.id.uuid(),
        kind: report.kind.as_ref().into(),
        status: report.status.as_ref().into(),
        // Reports of before were made without it.
        progress: match report.status {
            ReportStatus::Ready => Some(100),
            ReportStatus::Queued | ReportStatus::Processing | ReportStatus::Failed => report.progress,
        },
        rows: report.rows,
        period_start: report.period_start,
        period_end: report.period_end,
        requested_by: report.requested_by.uuid(),
        requester_type: "org_user".to_owned(),
        org_id: report.scope.organization().uuid(),
        created_at: report.created_at,
        file_url,
        generated_at: report.generated_at,
        expires_at: report.expires_at,
    }
}
