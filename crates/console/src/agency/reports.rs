//! Reports: asked for, watched while they are made, downloaded.

use actix_web::{
    HttpRequest,
    http::StatusCode,
    web::{self, Path, ServiceConfig},
};
use askama::Template;
use chrono::Days;
use serde_json::{Map, Value};
use uuid::Uuid;
use wayfare_client::{
    CsvStyle, NewReport, Report,
    enums::{ReportStatus, ReportType},
};

use super::{Choice, ROWS, choices, day, id, new_key, people::People, refused, transactions::file};
use crate::{
    BASE,
    day::{Moment, now},
    failure::Failure,
    form::{Fields, Wrongs},
    page::{self, Answer, Pager, Shell, Status},
    see_other,
    session::Signed,
    side::Area,
};

const KINDS: [(&str, &str); 4] = [
    ("sales", "Sales"),
    ("booking", "Bookings"),
    ("agent_activity", "What each agent did"),
    ("wallet", "Wallet"),
];
const PRODUCTS: [(&str, &str); 2] = [("flight", "Flights"), ("hotel", "Hotels")];
const STATES: [(&str, &str); 4] = [
    ("confirmed", "Confirmed"),
    ("pending", "Being confirmed"),
    ("cancelled", "Cancelled"),
    ("failed", "Failed"),
];
/// What a report can leave out; the API ignores what its type has no column for.
const FILTERS: [&str; 4] = ["agent_id", "product", "status", "supplier"];

pub fn mount(config: &mut ServiceConfig) {
    config
        .service(web::resource("/agency/reports").get(show).post(create))
        .service(web::resource("/agency/reports/{id}/download").get(download));
}

#[derive(Template)]
#[template(path = "agency/reports.html")]
struct ReportsPage {
    shell: Shell,
    typed: Fields,
    kinds: Vec<Choice>,
    agents: Vec<Choice>,
    products: Vec<Choice>,
    states: Vec<Choice>,
    from: String,
    to: String,
    key: String,
    listed: Listed,
    wrongs: Wrongs,
    done: &'static str,
}

#[derive(Template)]
#[template(path = "agency/reports_part.html")]
struct ReportsPart {
    listed: Listed,
}

/// A page of the reports that there are.
struct Listed {
    /// Where the same is again, while one of them is being made.
    again: Option<String>,
    rows: Vec<Row>,
    pager: Pager,
}

struct Row {
    id: Uuid,
    kind: &'static str,
    from: Moment,
    to: Moment,
    asked: Moment,
    who: String,
    status: Status,
    rows: Option<String>,
    /// How far it is while it is made, per cent.
    progress: Option<u8>,
    until: Option<Moment>,
    can_download: bool,
}

fn row(report: &Report, people: &People) -> Row {
    let kind = KINDS.iter().find(|(word, _)| *word == report.kind.as_str());
    let who = report.requested_by.to_string();
    Row {
        id: report.id,
        kind: kind.map_or("Report", |(_, name)| name),
        from: Moment::of(report.period_start),
        to: Moment::of(report.period_end),
        asked: Moment::of(report.created_at),
        who: people.name(&who).unwrap_or("Somebody who is gone").to_owned(),
        status: match &report.status {
            ReportStatus::Queued => Status::new("info", "○", "Waiting"),
            ReportStatus::Processing => Status::new("info", "◐", "Being made"),
            ReportStatus::Ready if report.file_url.is_some() => Status::new("ok", "●", "Ready"),
            ReportStatus::Ready => Status::new("", "✕", "Removed"),
            ReportStatus::Failed => Status::new("bad", "✕", "Failed"),
            other => Status::new("", "?", other.as_str()),
        },
        rows: report.rows.map(|rows| match rows {
            1 => "1 row".to_owned(),
            rows => format!("{rows} rows"),
        }),
        progress: report.progress.filter(|_| report.status == ReportStatus::Processing),
        until: report.expires_at.map(Moment::of),
        can_download: report.file_url.is_some(),
    }
}

async fn listed(signed: &Signed, people: &People, number: u32) -> Result<Listed, Failure> {
    let reports = signed.session.organization_reports().list().per_page(ROWS);
    let page = reports.page(number).await?;
    let address = format!("{BASE}/agency/reports?");
    let is_under_way =
        |report: &Report| matches!(report.status, ReportStatus::Queued | ReportStatus::Processing);
    Ok(Listed {
        again: page.items.iter().any(is_under_way).then(|| format!("{address}page={number}")),
        rows: page.items.iter().map(|report| row(report, people)).collect(),
        pager: Pager::of(&page, &address),
    })
}

async fn page_of(
    signed: &Signed,
    typed: Fields,
    wrongs: Wrongs,
    number: u32,
) -> Result<ReportsPage, Failure> {
    let (shell, people) =
        futures_util::try_join!(signed.shell("Reports", Area::Reports), People::of(signed))?;
    let today = now().date_naive();
    let earlier = today.checked_sub_days(Days::new(30)).unwrap_or(today);
    let or = |name: &str, usual: String| typed.given(name).unwrap_or(usual);
    Ok(ReportsPage {
        shell,
        kinds: choices(KINDS, typed.get("type")),
        agents: people.choices(typed.get("agent_id")),
        products: choices(PRODUCTS, typed.get("product")),
        states: choices(STATES, typed.get("status")),
        from: or("period_start", earlier.to_string()),
        to: or("period_end", today.to_string()),
        key: new_key(),
        listed: listed(signed, &people, number).await?,
        typed,
        wrongs,
        done: "",
    })
}

/// `GET /console/agency/reports`: all of it, or the list alone while it is watched.
async fn show(signed: Signed, request: HttpRequest, fields: Fields) -> Answer {
    let number = fields.number("page").unwrap_or(1);
    if page::wants_part(&request) {
        let people = People::of(&signed).await?;
        return page::html(&ReportsPart { listed: listed(&signed, &people, number).await? });
    }
    let mut shown = page_of(&signed, Fields::default(), Wrongs::default(), number).await?;
    if fields.get("done") == "asked" {
        shown.done = "The report is asked for. It is ready when its state says so.";
    }
    page::html(&shown)
}

/// `POST /console/agency/reports`, under the form's key, so that a form that comes twice asks for one report.
async fn create(signed: Signed, fields: Fields) -> Answer {
    let session = signed.session.keyed(fields.key()?);
    let mut wrongs = Wrongs::default();
    let mut at = |name: &str| {
        let typed = day(&fields, name, &mut wrongs);
        if typed.is_none() && fields.get(name).is_empty() {
            wrongs.add(name, "Which day?");
        }
        typed
    };
    if let (Some(from), Some(to)) = (at("period_start"), at("period_end")) {
        let given = FILTERS.iter().filter_map(|name| {
            let value = fields.given(name)?;
            Some(((*name).to_owned(), Value::String(value)))
        });
        let new = NewReport {
            filters: given.collect::<Map<String, Value>>(),
            ..NewReport::of(ReportType::from(fields.get("type")), from, to)
        };
        let error = match session.organization_reports().create(&new).await {
            Ok(_) => return Ok(see_other(&format!("{BASE}/agency/reports?done=asked"))),
            Err(error) => error,
        };
        let rename = |field: &str| field.trim_start_matches("filters.").to_owned();
        wrongs = refused(&error, "type", rename).ok_or(error)?;
    }
    let shown = page_of(&signed, fields, wrongs, 1).await?;
    page::html_with(StatusCode::UNPROCESSABLE_ENTITY, &shown)
}

/// `GET /console/agency/reports/{id}/download`: as it comes.
async fn download(signed: Signed, report: Path<String>) -> Answer {
    let reports = signed.session.organization_reports();
    let style = CsvStyle::for_spreadsheets();
    Ok(file(reports.download_as(id(&report)?, style).await?))
}
