//! The audit log: who changed what, when and from where, with what it was before and after.

use actix_web::{
    HttpResponse,
    http::StatusCode,
    web::{self, Query, ServiceConfig},
};
use askama::Template;
use serde_json::Value;
use wayfare_client::{AuditEntry, AuditFilter};

use super::{Choice, ROWS, choices, day, people::People, query, refused, says_something};
use crate::{
    BASE,
    day::Moment,
    failure::{Failure, sentence},
    form::{Fields, Wrongs},
    page::{self, Pager, Shell},
    session::Signed,
};

const PLACE: &str = "audit";
const FILTERS: [&str; 6] = ["actor_id", "entity_type", "action", "entity_id", "from", "to"];
/// What entries are about.
const KINDS: [&str; 13] = [
    "booking",
    "user",
    "wallet",
    "package",
    "hotel_package",
    "webhook",
    "report",
    "setting",
    "organization",
    "session",
    "terms",
    "contract",
    "exception",
];

/// Mounts it.
pub fn mount(config: &mut ServiceConfig) {
    config.service(web::resource("/agency/audit").get(show));
}

#[derive(Template)]
#[template(path = "agency/audit.html")]
struct AuditPage {
    shell: Shell,
    place: &'static str,
    typed: Fields,
    people: Vec<Choice>,
    kinds: Vec<Choice>,
    is_filtered: bool,
    rows: Vec<Row>,
    pager: Option<Pager>,
    wrongs: Wrongs,
}

struct Row {
    at: Moment,
    who: String,
    address: String,
    action: String,
    kind: String,
    thing: String,
    history: String,
    changes: Vec<Change>,
}

/// A value, before and after.
#[derive(Debug, PartialEq)]
struct Change {
    name: String,
    before: String,
    after: String,
    is_changed: bool,
}

fn row(entry: &AuditEntry, people: &People) -> Row {
    let who = match entry.actor_type.as_str() {
        "operator" => "The operator",
        "system" => "The service",
        _ => people.name(&entry.actor_id).unwrap_or("Somebody who is gone"),
    };
    let history = serde_urlencoded::to_string([
        ("entity_type", &entry.entity_type),
        ("entity_id", &entry.entity_id),
    ]);
    Row {
        at: Moment::of(entry.created_at),
        who: who.to_owned(),
        address: entry.ip_address.clone(),
        action: entry.action.clone(),
        kind: sentence(&entry.entity_type.replace('_', " ")),
        thing: entry.entity_id.clone(),
        history: history.unwrap_or_default(),
        changes: changes(entry.old_value.as_ref(), entry.new_value.as_ref()),
    }
}

/// Side by side, by name; what is no object has none.
fn changes(before: Option<&Value>, after: Option<&Value>) -> Vec<Change> {
    let parts = |value: Option<&Value>| -> Vec<(String, String)> {
        match value {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Object(fields)) => fields
                .iter()
                .map(|(name, value)| (name.clone(), text(value)))
                .collect(),
            Some(other) => vec![(String::new(), text(other))],
        }
    };
    let (before, after) = (parts(before), parts(after));
    let find = |all: &[(String, String)], name: &str| {
        let found = all.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let only_before = before
        .iter()
        .filter(|(name, _)| !after.iter().any(|(other, _)| other == name));
    let names = after.iter().chain(only_before).map(|(name, _)| name);
    let change = |name: &String| {
        let (old, new) = (find(&before, name), find(&after, name));
        Change {
            is_changed: !before.is_empty() && !after.is_empty() && old != new,
            name: sentence(&name.replace('_', " ")),
            before: old,
            after: new,
        }
    };
    names.map(change).collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `GET /console/agency/audit`.
async fn show(signed: Signed, sent: Query<Vec<(String, String)>>) -> Result<HttpResponse, Failure> {
    let typed = Fields(sent.into_inner());
    let mut wrongs = Wrongs::default();
    let filter = AuditFilter {
        actor_id: typed.number("actor_id"),
        entity_type: typed.given("entity_type"),
        entity_id: typed.given("entity_id"),
        action: typed.given("action"),
        from: day(&typed, "from", &mut wrongs),
        to: day(&typed, "to", &mut wrongs),
    };
    let (shell, people) = futures_util::try_join!(signed.shell("Audit log", "agency"), People::of(&signed))?;
    let mut found = None;
    if wrongs.is_empty() {
        let list = signed.session.organization().audit_logs(&filter).per_page(ROWS);
        match list.page(typed.number("page").unwrap_or(1)).await {
            Ok(page) => found = Some(page),
            Err(error) => wrongs = refused(&error, "action", str::to_owned).ok_or(error)?,
        }
    }
    let address = format!("{BASE}/agency/audit?{}", query(&typed, &FILTERS));
    let status = match wrongs.is_empty() {
        true => StatusCode::OK,
        false => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let kinds = KINDS.map(|kind| (kind, sentence(&kind.replace('_', " "))));
    let entries = found.iter().flat_map(|page| &page.items);
    let shown = AuditPage {
        shell,
        place: PLACE,
        kinds: choices(kinds, typed.get("entity_type")),
        is_filtered: says_something(&typed, &FILTERS),
        rows: entries.map(|entry| row(entry, &people)).collect(),
        people: people.choices(typed.get("actor_id")),
        pager: found.as_ref().map(|page| Pager::of(page, &address)),
        typed,
        wrongs,
    };
    page::html_with(status, &shown)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_changed_stands_side_by_side() {
        let (old, new) = (
            json!({"name": "A", "age": 1}),
            json!({"name": "B", "age": 1, "is_new": null}),
        );
        let found = changes(Some(&old), Some(&new));
        let found: Vec<(&str, &str, &str, bool)> = found
            .iter()
            .map(|one| {
                (
                    one.name.as_str(),
                    one.before.as_str(),
                    one.after.as_str(),
                    one.is_changed,
                )
            })
            .collect();
        assert!(found.contains(&("Name", "A", "B", true)));
        assert!(found.contains(&("Age", "1", "1", false)));
        assert!(found.contains(&("Is new", "", "–", true)));
        assert!(!changes(None, Some(&new)).iter().any(|one| one.is_changed));
        assert_eq!(changes(None, None), []);
    }
}
