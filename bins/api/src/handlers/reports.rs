//! Reports: the organization's, and everybody's own.

use actix_web::{
    HttpResponse,
    body::SizedStream,
    http::header::{ContentDisposition, DispositionParam, DispositionType},
    web::Path,
};
use futures_util::TryStreamExt;
use wayfare_domain::{PageRequest, ReportId};
use wayfare_operations::{
    Admin, Caller,
    reports::{Report as Requested, ReportScope},
    tools::idempotency::IdempotencyKey,
};

use super::{App, report_id};
use crate::{
    bodies::reports::NewReport,
    extract::{Ask, Body, Keyed, Nothing, Query},
    once::once,
    reply::{Csv, Listed, Replied, Reply, Told, list, told},
    views::reports::Report,
};

/// `POST /org/reports`.
///
/// # Errors
/// As the error table says.
pub async fn request_of_organization(
    app: App,
    ask: Ask<Admin, Keyed<Body<NewReport>>>,
) -> Replied<Told<Report, 201>> {
    request(
        &app,
        &ReportScope::of_organization(&ask.who),
        ask.who.caller(),
        ask.what,
    )
    .await
}

/// `POST /reports`.
///
/// # Errors
/// As the error table says.
pub async fn request_own(app: App, ask: Ask<Caller, Keyed<Body<NewReport>>>) -> Replied<Told<Report, 201>> {
    request(&app, &ReportScope::own(&ask.who), &ask.who, ask.what).await
}

/// `GET /org/reports`.
///
/// # Errors
/// As the error table says.
pub async fn of_organization(app: App, ask: Ask<Admin, Query<PageRequest>>) -> Replied<Listed<Report>> {
    let Query(page) = ask.what;
    let scope = ReportScope::of_organization(&ask.who);
    let found = scope.list(&app, page).await?;
    list(found, |report| Report::at(app.clock.now(), report))
}

/// `GET /reports`.
///
/// # Errors
/// As the error table says.
pub async fn own(app: App, ask: Ask<Caller, Query<PageRequest>>) -> Replied<Listed<Report>> {
    let Query(page) = ask.what;
    let scope = ReportScope::own(&ask.who);
    let found = scope.list(&app, page).await?;
    list(found, |report| Report::at(app.clock.now(), report))
}

/// `GET /org/reports/{id}/download`.
///
/// # Errors
/// As the error table says.
pub async fn download_of_organization(app: App, ask: Ask<Admin, Nothing>, id: Path<String>) -> Replied<Csv> {
    download(&app, &ReportScope::of_organization(&ask.who), report_id(&id)?).await
}

/// `GET /reports/{id}/download`.
///
/// # Errors
/// As the error table says.
pub async fn download_own(app: App, ask: Ask<Caller, Nothing>, id: Path<String>) -> Replied<Csv> {
    download(&app, &ReportScope::own(&ask.who), report_id(&id)?).await
}

async fn request(
    app: &App,
    scope: &ReportScope<'_>,
    caller: &Caller,
    asked: Keyed<Body<NewReport>>,
) -> Replied<Told<Report, 201>> {
    let (Body(NewReport(new)), key) = (asked.body, asked.key);
    let queued = |report: Requested| {
        told(
            "report queued for generation",
            Report::at(app.clock.now(), report),
        )
    };
    let first = async |key: Option<&IdempotencyKey>| queued(scope.request(app, new, key).await?);
    let look = async |id: ReportId| queued(scope.get(app, id).await?);
    once(app, caller, key, first, look).await
}

/// Sent as it is read. An error on the way breaks the connection off, and the client knows how much it should get.
async fn download(app: &App, scope: &ReportScope<'_>, id: ReportId) -> Replied<Csv> {
    let file = scope.download(app, id).await?;
    let kind: &str = file.report.kind.into();
    let content = file
        .content
        .inspect_err(|error| tracing::error!(%error, "the download of a report broke off"));
    let response = HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header(ContentDisposition {
            disposition: DispositionType::Attachment,
            parameters: vec![DispositionParam::Filename(format!("report-{kind}-{id}.csv"))],
        })
        .body(SizedStream::new(file.length, content));
    Ok(Reply::of(response))
}
