//! Reports: asked for, watched while they are made, downloaded.

use chrono::Days;
use wayfare_client::{
    CsvStyle, NewReport, Report, ReportFilters,
    enums::{BookingStatus, ProductKind, ReportStatus, ReportType},
};

use super::{ROWS, id, people::People, transactions::file};
use crate::{day::now, prelude::*};

pub const KINDS: [(&str, &str); 4] = [
    ("sales", "Sales"),
    ("booking", "Bookings"),
    ("agent_activity", "What each agent did"),
    ("wallet", "Wallet"),
];
pub const PRODUCTS: [(&str, &str); 2] = [("flight", "Flights"), ("hotel", "Hotels")];
pub const STATES: [(&str, &str); 4] = [
    ("confirmed", "Confirmed"),
    ("pending", "Being confirmed"),
    ("cancelled", "Cancelled"),
    ("failed", "Failed"),
];
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
    rows: Vec<Report>,
    people: People,
    pager: Pager,
}

impl Listed {
    fn asked_by(&self, report: &Report) -> &str {
        self.people.name(&report.requested_by.to_string()).unwrap_or("Somebody who is gone")
    }
}

fn kind(report: &Report) -> &str {
    name_of(&KINDS, report.kind.as_str())
}

fn status(report: &Report) -> Status {
    match &report.status {
        ReportStatus::Queued => Status::new("info", "○", "Waiting"),
        ReportStatus::Processing => Status::new("info", "◐", "Being made"),
        ReportStatus::Ready if report.file_url.is_some() => Status::new("ok", "●", "Ready"),
        ReportStatus::Ready => Status::new("", "✕", "Removed"),
        ReportStatus::Failed => Status::new("bad", "✕", "Failed"),
        other => Status::new("", "?", other.as_str()),
    }
}

async fn listed(signed: &Signed, people: People, number: u32) -> Result<Listed> {
    let reports = signed.session.organization_reports().list().per_page(ROWS);
    let page = reports.page(number).await?;
    let address = format!("{BASE}/agency/reports?");
    let is_under_way =
        |report: &Report| matches!(report.status, ReportStatus::Queued | ReportStatus::Processing);
    Ok(Listed {
        again: page.items.iter().any(is_under_way).then(|| format!("{address}page={number}")),
        pager: Pager::of(&page, &address),
        rows: page.items,
        people,
    })
}

async fn page_of(signed: &Signed, typed: Fields, wrongs: Wrongs, number: u32) -> Result<ReportsPage> {
    let (shell, people) =
        futures_util::try_join!(signed.shell("Reports", Area::Reports), People::of(signed))?;
    let today = now().date_naive();
    let earlier = today.checked_sub_days(Days::new(30)).unwrap_or(today);
    let usual = [("period_start", earlier), ("period_end", today)];
    let usual = usual.into_iter().filter(|(name, _)| typed.given(name).is_none());
    Ok(ReportsPage {
        shell,
        typed: Fields::of(usual.map(|(name, day)| (name, day.to_string()))).over(typed.clone()),
        listed: listed(signed, people, number).await?,
        wrongs,
        done: "",
    })
}

/// `GET /console/agency/reports`: all of it, or the list alone while it is watched.
async fn show(signed: Signed, request: HttpRequest, fields: Fields) -> Answer {
    let number = fields.number("page").unwrap_or(1);
    if page::wants_part(&request) {
        let people = People::of(&signed).await?;
        return page::html(&ReportsPart { listed: listed(&signed, people, number).await? });
    }
    let done = fields.done(&[("asked", "The report is asked for. It is ready when its state says so.")]);
    let shown = page_of(&signed, Fields::default(), Wrongs::default(), number).await?;
    page::html(&ReportsPage { done, ..shown })
}

/// `POST /console/agency/reports`, under the form's key, so that a form that comes twice asks for one report.
async fn create(signed: Signed, fields: Fields) -> Answer {
    let session = signed.session.keyed(fields.key()?);
    let mut wrongs = Wrongs::default();
    let mut at = |name: &str| {
        let typed = fields.day(name, &mut wrongs);
        if typed.is_none() && fields.get(name).is_empty() {
            wrongs.add(name, "Which day?");
        }
        typed
    };
    if let (Some(from), Some(to)) = (at("period_start"), at("period_end")) {
        // The API ignores what the report's type has no column for.
        let filters = ReportFilters {
            agent_id: fields.given("agent_id"),
            product: fields.given("product").map(|word| ProductKind::from(word.as_str())),
            status: fields.given("status").map(|word| BookingStatus::from(word.as_str())),
            supplier: fields.given("supplier"),
            ..ReportFilters::default()
        };
        let new = NewReport { filters, ..NewReport::of(ReportType::from(fields.get("type")), from, to) };
        let Err(error) = session.organization_reports().create(&new).await else {
            return Ok(see_other(&format!("{BASE}/agency/reports?done=asked")));
        };
        let rename = |field: &str| field.trim_start_matches("filters.").to_owned();
        wrongs = Wrongs::refused(error, "type")?.renamed(rename);
    }
    page::unprocessable(&page_of(&signed, fields, wrongs, 1).await?)
}

/// `GET /console/agency/reports/{id}/download`: as it comes.
async fn download(signed: Signed, report: Path<String>) -> Answer {
    let reports = signed.session.organization_reports();
    let style = CsvStyle::for_spreadsheets();
    Ok(file(reports.download_as(id(&report)?, style).await?))
}
