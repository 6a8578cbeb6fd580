//! Who did what: in an agency, and about operators, suppliers and exchange rates, which are of no agency.

use wayfare_client::{
    AuditFilter,
    operator::{Agency, NamedAuditEntry, NamedOperator, OperatorEvent, OperatorEventFilter},
};

use super::signed::OperatorSigned;
use crate::{
    audit_log::{self, Log, Row},
    failure::sentence,
    prelude::*,
};

const OF_AGENCY: [&str; 5] = ["entity_type", "entity_id", "action", "from", "to"];
/// The page of what was done about operators, suppliers and rates, which are of no agency.
const BESIDE_AGENCIES: &str = "/operator/people/audit";
const OF_OPERATORS: [&str; 5] = ["actor_id", "operator_id", "action", "from", "to"];

pub fn address_of(code: &str) -> String {
    format!("/operator/agencies/{code}/audit")
}

pub fn row(named: &NamedAuditEntry, log: &str) -> Row {
    let who = match (&named.by, named.entry.actor_type.as_str()) {
        (Some(name), "operator") => format!("{name}, operator"),
        (Some(name), _) => name.clone(),
        (None, "operator") => "Command line".to_owned(),
        (None, "system") => "The service".to_owned(),
        (None, _) => "Somebody who is gone".to_owned(),
    };
    audit_log::row(&named.entry, &who, log)
}

#[derive(Template)]
#[template(path = "operator/agency_audit.html")]
struct AgencyPage {
    shell: Shell,
    agency: Agency,
    log: Log,
}

/// `GET /operator/agencies/{code}/audit`.
pub async fn of_agency(signed: OperatorSigned, code: Path<String>, typed: Fields) -> Answer {
    let mut wrongs = Wrongs::default();
    let filter = AuditFilter { actor_id: None, ..audit_log::filter(&typed, &mut wrongs) };
    let session = &signed.session;
    let (shell, agency) =
        futures_util::try_join!(signed.shell("Audit log", Area::Agencies), session.agency(&code))?;
    let list = session.agency_audit_logs(&code, &filter);
    let log = Log::read(address_of(&agency.agent_id), typed, wrongs, &OF_AGENCY, list, row).await?;
    page::html_with(log.wrongs.status(), &AgencyPage { shell, agency, log })
}

#[derive(Template)]
#[template(path = "operator/people_audit.html")]
struct PeoplePage {
    shell: Shell,
    /// Ids and names of the operators.
    people: Vec<(String, String)>,
    log: Log,
}

fn event_row(event: &OperatorEvent, log: &str) -> Row {
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
            Some(operator) => format!("{log}?operator_id={}", operator.id),
            None => String::new(),
        },
        changes: audit_log::changes(None, Some(&event.details)),
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
        from: typed.day("from", &mut wrongs),
        to: typed.day("to", &mut wrongs),
    };
    let session = &signed.session;
    let (shell, people) =
        futures_util::try_join!(signed.shell("What was done", Area::Elsewhere), session.operators())?;
    let list = session.operator_events(&filter);
    let log = Log::read(BESIDE_AGENCIES.to_owned(), typed, wrongs, &OF_OPERATORS, list, event_row).await?;
    let people = people.into_iter().map(|one| (one.id.to_string(), one.name)).collect();
    page::html_with(log.wrongs.status(), &PeoplePage { shell, people, log })
}
