//! Who did what: in an agency, and about operators, suppliers and exchange rates, which are of no agency.

use actix_web::web::Path;
use askama::Template;
use wayfare_client::{
    AuditFilter,
    operator::{NamedAuditEntry, NamedOperator, OperatorEvent, OperatorEventFilter},
};

use super::signed::{OperatorSigned, refused};
use crate::{
    audit_rows::{self, Row},
    day::Moment,
    failure::sentence,
    form::{Choice, Fields, Wrongs, choices, day, query, says_something},
    page::{self, Answer, Pager, Shell},
    side::Area,
};

const ROWS: u32 = 25;
const OF_AGENCY: [&str; 5] = ["entity_type", "entity_id", "action", "from", "to"];
/// The page of what was done about operators, suppliers and rates, which are of no agency.
const BESIDE_AGENCIES: &str = "/operator/people/audit";
const OF_OPERATORS: [&str; 5] = ["actor_id", "operator_id", "action", "from", "to"];

fn address_of(code: &str) -> String {
    format!("/operator/agencies/{code}/audit")
}

pub fn row(named: &NamedAuditEntry, code: &str) -> Row {
    let who = match (&named.by, named.entry.actor_type.as_str()) {
        (Some(name), "operator") => format!("{name}, operator"),
        (Some(name), _) => name.clone(),
        (None, "operator") => "Command line".to_owned(),
        (None, "system") => "The service".to_owned(),
        (None, _) => "Somebody who is gone".to_owned(),
    };
    audit_rows::row(&named.entry, &who, &address_of(code))
}

#[derive(Template)]
#[template(path = "operator/agency_audit.html")]
struct AgencyPage {
    shell: Shell,
    code: String,
    name: String,
    log: String,
    time_zone: String,
    typed: Fields,
    kinds: Vec<Choice>,
    is_filtered: bool,
    rows: Vec<Row>,
    pager: Option<Pager>,
    wrongs: Wrongs,
}

/// `GET /operator/agencies/{code}/audit`.
pub async fn of_agency(signed: OperatorSigned, code: Path<String>, typed: Fields) -> Answer {
    let mut wrongs = Wrongs::default();
    let filter = AuditFilter {
        actor_id: None,
        entity_type: typed.given("entity_type"),
        entity_id: typed.given("entity_id"),
        action: typed.given("action"),
        from: day(&typed, "from", &mut wrongs),
        to: day(&typed, "to", &mut wrongs),
    };
    let session = &signed.session;
    let (shell, agency) =
        futures_util::try_join!(signed.shell("Audit log", Area::Agencies), session.agency(&code))?;
    let mut found = None;
    if wrongs.is_empty() {
        let list = session.agency_audit_logs(&code, &filter).per_page(ROWS);
        match list.page(typed.number("page").unwrap_or(1)).await {
            Ok(page) => found = Some(page),
            Err(error) => wrongs = refused(error)?,
        }
    }
    let log = address_of(&agency.agent_id);
    let address = format!("{log}?{}", query(&typed, &OF_AGENCY));
    let entries = found.iter().flat_map(|page| &page.items);
    let shown = AgencyPage {
        shell,
        kinds: audit_rows::kinds(typed.get("entity_type")),
        is_filtered: says_something(&typed, &OF_AGENCY),
        rows: entries.map(|entry| row(entry, &agency.agent_id)).collect(),
        pager: found.as_ref().map(|page| Pager::of(page, &address)),
        code: agency.agent_id,
        name: agency.name,
        log,
        time_zone: agency.timezone,
        typed,
        wrongs,
    };
    page::html_with(shown.wrongs.status(), &shown)
}

#[derive(Template)]
#[template(path = "operator/people_audit.html")]
struct PeoplePage {
    shell: Shell,
    log: &'static str,
    typed: Fields,
    actors: Vec<Choice>,
    operators: Vec<Choice>,
    is_filtered: bool,
    rows: Vec<Row>,
    pager: Option<Pager>,
    wrongs: Wrongs,
}

fn event_row(event: &OperatorEvent) -> Row {
    let name = |operator: &NamedOperator| operator.name.clone();
    let detail = |field: &str| event.details.get(field).and_then(|value| value.as_str());
    let kind = event.action.split('.').next().unwrap_or_default();
    let thing = match (&event.operator, detail("supplier"), detail("from").zip(detail("to"))) {
        (Some(operator), ..) => operator.name.clone(),
        (None, Some(supplier), _) => supplier.to_owned(),
        (None, None, Some((from, to))) => format!("{from} to {to}"),
        _ => String::new(),
    };
    Row {
        at: Moment::of(event.at),
        who: event.by.as_ref().map_or_else(|| "Command line".to_owned(), name),
        address: event.ip_address.clone(),
        action: event.action.clone(),
        kind: sentence(kind),
        thing,
        history: match &event.operator {
            Some(operator) => format!("{BESIDE_AGENCIES}?operator_id={}", operator.id),
            None => String::new(),
        },
        changes: audit_rows::changes(None, Some(&event.details)),
        has_before: false,
    }
}

/// `GET /operator/people/audit`: what was done about operators, suppliers and exchange rates. For admins.
pub async fn of_operators(signed: OperatorSigned, typed: Fields) -> Answer {
    let mut wrongs = Wrongs::default();
    let filter = OperatorEventFilter {
        actor_id: typed.number("actor_id"),
        operator_id: typed.number("operator_id"),
        action: typed.given("action"),
        from: day(&typed, "from", &mut wrongs),
        to: day(&typed, "to", &mut wrongs),
    };
    let session = &signed.session;
    let (shell, people) =
        futures_util::try_join!(signed.shell("What was done", Area::Elsewhere), session.operators())?;
    let mut found = None;
    if wrongs.is_empty() {
        let list = session.operator_events(&filter).per_page(ROWS);
        match list.page(typed.number("page").unwrap_or(1)).await {
            Ok(page) => found = Some(page),
            Err(error) => wrongs = refused(error)?,
        }
    }
    let address = format!("{BESIDE_AGENCIES}?{}", query(&typed, &OF_OPERATORS));
    let names = |chosen: &str| {
        let names = people.iter().map(|one| (one.id.to_string(), one.name.clone()));
        choices(names, chosen)
    };
    let events = found.iter().flat_map(|page| &page.items);
    let shown = PeoplePage {
        shell,
        log: BESIDE_AGENCIES,
        actors: names(typed.get("actor_id")),
        operators: names(typed.get("operator_id")),
        is_filtered: says_something(&typed, &OF_OPERATORS),
        rows: events.map(event_row).collect(),
        pager: found.as_ref().map(|page| Pager::of(page, &address)),
        typed,
        wrongs,
    };
    page::html_with(shown.wrongs.status(), &shown)
}
