//! The incidents desk: what waits for a person, the oldest first; one case with its evidence in order of time; and the ruling,
//! whose buttons say what they do in money.

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;
use wayfare_client::{
    Error,
    enums::{ClosedBy, IncidentKind, IncidentOutcome, StepKind},
    operator::{Incident, IncidentClaim, IncidentFilter, Resolution},
};

use super::{
    evidence::{self, Entry},
    signed::OperatorSigned,
};
use crate::{day, prelude::*};

/// Cases of a page, and of the queue beside one.
const ROWS: u32 = 50;
/// What says what is looked at.
const FILTERS: [&str; 4] = ["kind", "age", "agency", "all"];
/// Kinds of incidents, as they are stored and as they read.
pub const KINDS: [(&str, &str); 10] = [
    ("outcome_unknown", "Outcome not known"),
    ("order_without_booking", "Order without a booking"),
    ("other_total", "Charged another total"),
    ("penalty_kept", "Penalty kept"),
    ("cancelled_by_supplier", "Cancelled by the supplier"),
    ("other_refund", "Another refund"),
    ("involuntary_refund", "Involuntary refund"),
    ("travellers_unclear", "Travellers unclear"),
    ("refund_unclear", "Refund not clear"),
    ("order_unsettled", "Order not settled"),
];
/// Ages that can be chosen, in hours.
const AGES: [(&str, i64, &str); 3] =
    [("1", 1, "Older than an hour"), ("4", 4, "Older than four hours"), ("24", 24, "Older than a day")];

#[derive(Template)]
#[template(path = "operator/incidents.html")]
struct QueuePage {
    shell: Shell,
    filter: Fields,
    rows: Vec<Incident>,
    pager: Pager,
}

#[derive(Template)]
#[template(path = "operator/incident.html")]
struct CasePage {
    shell: Shell,
    filter: Fields,
    queue: Vec<Incident>,
    case: Incident,
    evidence: Vec<Entry>,
    /// The username of whoever looks.
    me: String,
    typed: Fields,
    wrongs: Wrongs,
    done: &'static str,
}

/// What is looked at; it stays while one goes from case to case.
fn filter_of(fields: &Fields) -> Fields {
    let given = FILTERS.iter().filter_map(|name| Some((*name, fields.given(name)?)));
    Fields::of(given.map(|(name, value)| match name {
        "agency" => (name, value.to_ascii_uppercase()),
        _ => (name, value),
    }))
}

fn asked(filter: &Fields) -> IncidentFilter {
    let hours = AGES.into_iter().find(|(word, ..)| *word == filter.get("age"));
    IncidentFilter {
        kind: filter.given("kind"),
        agency: filter.given("agency"),
        all: filter.is_ticked("all"),
        raised_before: hours.and_then(|(_, hours, _)| day::now().checked_sub_signed(TimeDelta::hours(hours))),
    }
}

/// An outcome that can be chosen, and what that does in money.
struct Choice {
    outcome: &'static str,
    key: usize,
    tone: &'static str,
    text: String,
}

impl CasePage {
    /// What was ruled and not found at the supplier can be ruled otherwise.
    fn is_open(&self) -> bool {
        self.case.closed_by.is_none()
    }

    fn wants_order_id(&self) -> bool {
        self.case.kind == IncidentKind::OutcomeUnknown
            && self.case.step.as_ref().is_some_and(|step| step.kind == StepKind::Book)
    }

    fn claim(&self) -> Option<&IncidentClaim> {
        self.case.claimed_by.as_ref().filter(|_| self.is_open())
    }

    fn is_own(&self) -> bool {
        self.claim().is_some_and(|claim| claim.username == self.me)
    }

    fn is_anothers(&self) -> bool {
        self.claim().is_some_and(|claim| claim.username != self.me)
    }

    /// What is known of it beside its step: of a step, that says what the step says.
    fn details(&self) -> Vec<(String, String)> {
        match self.case.step.is_some() && self.case.kind == IncidentKind::OutcomeUnknown {
            true => Vec::new(),
            false => evidence::facts(&self.case.details, &self.case.currency),
        }
    }

    /// Where the case is that stands so many places further in the queue.
    fn beside(&self, step: isize) -> Option<String> {
        let place = self.queue.iter().position(|one| one.id == self.case.id)?;
        let other = self.queue.get(place.checked_add_signed(step)?)?;
        Some(address_of(other, &self.filter))
    }
}

pub fn kind_name(kind: &str) -> &str {
    name_of(&KINDS, kind)
}

/// How long ago, in the largest unit that is whole.
pub fn age(since: &DateTime<Utc>) -> String {
    lasted(day::now().signed_duration_since(*since))
}

/// The same of a time that is over.
pub fn lasted(past: TimeDelta) -> String {
    match (past.num_days(), past.num_hours(), past.num_minutes()) {
        (2.., _, _) => format!("{} days", past.num_days()),
        (_, 1.., _) => format!("{} h {:02} min", past.num_hours(), past.num_minutes() % 60),
        (_, _, 1..) => format!("{} min", past.num_minutes()),
        _ => format!("{} s", past.num_seconds().max(0)),
    }
}

fn status(incident: &Incident) -> Status {
    match (&incident.closed_by, &incident.outcome, &incident.claimed_by) {
        (Some(ClosedBy::Operator), _, _) => Status::new("ok", "●", "Ruled"),
        (Some(_), _, _) => Status::new("", "●", "Closed by itself"),
        (None, Some(_), _) => Status::new("info", "◐", "Ruled, being looked up"),
        (None, None, Some(claim)) => Status::new("info", "○", format!("With {}", claim.name)),
        (None, None, None) => Status::new("bad", "!", "Open"),
    }
}

/// Where it is found; what is looked at stays.
fn address_of(incident: &Incident, filter: &Fields) -> String {
    address(&incident.id.to_string(), filter)
}

fn address(id: &str, filter: &Fields) -> String {
    match filter.query(&FILTERS).as_str() {
        "" => format!("/operator/incidents/{id}"),
        query => format!("/operator/incidents/{id}?{query}"),
    }
}

fn choices(incident: &Incident) -> Vec<Choice> {
    let held = money(incident.money_held, &incident.currency);
    let is_held = incident.money_held.0 > Decimal::ZERO;
    let agency = &incident.agency;
    let Some(step) = incident.step.as_ref().filter(|_| incident.kind == IncidentKind::OutcomeUnknown) else {
        return vec![Choice {
            outcome: "noted",
            key: 1,
            tone: "primary",
            text: "Noted: it was handled, no money moves".to_owned(),
        }];
    };
    let (done, not) = match step.kind {
        StepKind::Book => (
            format!("Done: {held} of {agency} stay held until the order is looked up, then they are charged"),
            format!("Refused: release {held} to {agency}"),
        ),
        StepKind::Cancel => (
            format!("Done: pay the quoted refund to {agency}"),
            "Refused: the booking stands, nothing is paid back".to_owned(),
        ),
        StepKind::Compensate => (
            "Done: the order is given back, no wallet is charged".to_owned(),
            "Refused: the supplier keeps the order, no wallet is charged".to_owned(),
        ),
        StepKind::Ticket => (
            "Done: no money moves; the order is looked up until it has its tickets".to_owned(),
            "Refused: the order stays held, no money moves".to_owned(),
        ),
        _ if is_held => (
            format!("Done: {held} of {agency} stay held until the order shows it, then they are charged"),
            format!("Refused: release {held} to {agency}"),
        ),
        _ => {
            ("Done: no money moves until the order shows it".to_owned(), "Refused: no money moves".to_owned())
        }
    };
    let choice = |outcome, key, tone, text| Choice { outcome, key, tone, text };
    vec![choice("done", 1, "", done), choice("refused", 2, "danger", not)]
}

/// How it was closed, in a sentence.
fn closed(incident: &Incident) -> String {
    let Some(at) = incident.closed_at else { return String::new() };
    let by = match (&incident.closed_by, &incident.resolved_by) {
        (Some(ClosedBy::Operator), Some(name)) => format!("a ruling of {name}"),
        (Some(ClosedBy::Operator), None) => "a ruling".to_owned(),
        _ => "the supplier's answer".to_owned(),
    };
    let outcome = incident.outcome.as_ref().map_or("none", IncidentOutcome::as_str);
    match &incident.note {
        Some(note) => format!("Closed by {by} {} ago. Outcome: {outcome}. Note: {note}", age(&at)),
        None => format!("Closed by {by} {} ago.", age(&at)),
    }
}

/// `GET /operator/incidents`.
pub async fn queue(signed: OperatorSigned, fields: Fields) -> Answer {
    let filter = filter_of(&fields);
    let list = signed.session.incidents(&asked(&filter)).per_page(ROWS);
    let number = fields.number("page").unwrap_or(1);
    let (shell, page) =
        futures_util::try_join!(signed.shell("Incidents", Area::Incidents), list.page(number))?;
    page::html(&QueuePage {
        shell,
        pager: Pager::of(&page, &format!("/operator/incidents?{}", filter.query(&FILTERS))),
        rows: page.items,
        filter,
    })
}

async fn page_of(signed: &OperatorSigned, id: &str, fields: &Fields) -> Result<CasePage> {
    let filter = filter_of(fields);
    let id = id.parse().map_err(|_| Failure::NoPage)?;
    let list = signed.session.incidents(&asked(&filter)).per_page(ROWS);
    let (shell, page, shown, me) = futures_util::try_join!(
        signed.shell("Incident", Area::Incidents),
        list.page(1),
        signed.session.incident(id),
        signed.session.me(),
    )?;
    Ok(CasePage {
        shell,
        filter,
        queue: page.items,
        evidence: evidence::entries(&shown.happened, &shown.incident.currency),
        case: shown.incident,
        me: me.username,
        typed: Fields::default(),
        wrongs: Wrongs::default(),
        done: "",
    })
}

/// `GET /operator/incidents/{id}`.
pub async fn show(signed: OperatorSigned, id: Path<String>, fields: Fields) -> Answer {
    let mut shown = page_of(&signed, &id, &fields).await?;
    shown.done = match fields.get("done") {
        "ruled" if shown.is_open() => "The ruling is written. It is carried out when the order is looked up.",
        "ruled" => "The ruling is carried out.",
        "claimed" => "It is yours. Others see that.",
        "released" => "Anybody may take it now.",
        _ => "",
    };
    page::html(&shown)
}

/// `POST /operator/incidents/{id}/claim`, and `/release`.
pub async fn claim(signed: OperatorSigned, path: Path<(String, String)>, fields: Fields) -> Answer {
    let (id, what) = path.into_inner();
    let filter = filter_of(&fields);
    let number = id.parse().map_err(|_| Failure::NoPage)?;
    let (claimed, done) = match what.as_str() {
        "claim" if fields.is_ticked("take_over") => (signed.session.take_over(number).await, "claimed"),
        "claim" => (signed.session.claim(number).await, "claimed"),
        "release" => (signed.session.release(number).await, "released"),
        _ => return Err(Failure::NoPage),
    };
    match claimed {
        Ok(_) => Ok(see_other(&with(&address(&id, &filter), "done", done))),
        // Somebody was faster: the page says who.
        Err(error) if error.status() == Some(409) => Ok(see_other(&address(&id, &filter))),
        Err(error) => Err(error.into()),
    }
}

fn with(address: &str, name: &str, value: &str) -> String {
    let joint = if address.contains('?') { '&' } else { '?' };
    format!("{address}{joint}{name}={value}")
}

/// `POST /operator/incidents/{id}/resolve`.
pub async fn resolve(signed: OperatorSigned, id: Path<String>, fields: Fields) -> Answer {
    let ruling = Resolution {
        outcome: IncidentOutcome::from(fields.get("outcome")),
        order_id: fields.given("order_id").filter(|_| fields.get("outcome") == "done"),
        note: fields.get("note").to_owned(),
        take_over: false,
    };
    let number = id.parse().map_err(|_| Failure::NoPage)?;
    let wrongs = match signed.session.resolve(number, &ruling).await {
        Ok(_) => {
            return Ok(see_other(&with(&address(&id, &filter_of(&fields)), "done", "ruled")));
        }
        // What became of it shows on the page.
        Err(error @ Error::Unknown { .. }) => return Err(error.into()),
        Err(error) => Wrongs::refused(error, "")?,
    };
    let mut shown = page_of(&signed, &id, &fields).await?;
    shown.typed = fields;
    let mut code = StatusCode::CONFLICT;
    if shown.is_open() {
        (code, shown.wrongs) = (StatusCode::UNPROCESSABLE_ENTITY, wrongs);
    }
    page::html_with(code, &shown)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    fn incident(kind: &str) -> Incident {
        let at = "2027-01-19T08:05:00Z";
        let step = json!({
            "kind": "book", "supplier": "duffel", "reference": "FA-7K2M9QX4-1", "sent_at": at, "looked_up": 1,
        });
        let incident = json!({
            "id": "01941f29-7c00-7000-8000-000000000001", "kind": kind, "agent_id": "BLU-A0001", "agency": "Blue Sky",
            "booking_ref": "FA-7K2M9QX4", "booking_status": "pending", "money_held": 12.5, "currency": "INR",
            "problem": "no answer", "details": {}, "raised_at": at, "step": step,
        });
        serde_json::from_value(incident).unwrap()
    }

    #[test]
    fn each_outcome_has_its_button() {
        let cases = ["outcome_unknown", "other_total"].map(incident);
        let choices = cases.iter().flat_map(choices).map(|choice| choice.outcome);
        // A ruling about money is made at the booking.
        let offered: BTreeSet<&str> = choices.chain(["ruled"]).collect();
        assert_eq!(offered, IncidentOutcome::WORDS.iter().copied().collect());
    }
}
