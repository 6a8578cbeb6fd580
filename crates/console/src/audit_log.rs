//! Pages of audit logs: what is looked for, and who did what, when and from where, with what it was before and after.

use serde_json::Value;
use wayfare_client::{AuditEntry, AuditFilter, List, Page};

use crate::{
    day::Moment,
    failure::{Failure, sentence},
    form::{Fields, Wrongs},
    page::Pager,
};

const ROWS: u32 = 25;
/// What entries of agencies are about.
pub const KINDS: [&str; 13] = [
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

pub struct Row {
    pub at: Moment,
    pub who: String,
    /// From where; empty where nobody may know.
    pub address: String,
    /// What: `user.created`.
    pub action: String,
    /// What kind of thing it was done to, as it is read.
    pub kind: String,
    pub thing: String,
    /// Where everything that was done to it is found; empty where there is no such page.
    pub history: String,
    pub changes: Vec<Change>,
    /// Whether there was anything before.
    pub has_before: bool,
}

/// A value, before and after.
#[derive(Debug, PartialEq)]
pub struct Change {
    pub name: String,
    pub before: String,
    pub after: String,
    pub is_changed: bool,
}

/// A page of a log, and the form above it.
pub struct Log {
    /// Where it is found.
    pub place: String,
    pub typed: Fields,
    pub wrongs: Wrongs,
    pub is_filtered: bool,
    pub rows: Vec<Row>,
    /// None where something is wrong with what was typed.
    pub pager: Option<Pager>,
}

impl Log {
    /// A page of this list, which was asked for by these fields.
    pub async fn read<T: serde::de::DeserializeOwned + Send + 'static>(
        place: String,
        typed: Fields,
        mut wrongs: Wrongs,
        names: &[&'static str],
        list: List<T>,
        row: impl Fn(&T, &str) -> Row,
    ) -> Result<Self, Failure> {
        let mut found: Option<Page<T>> = None;
        if wrongs.is_empty() {
            match list.per_page(ROWS).page(typed.number("page").unwrap_or(1)).await {
                Ok(page) => found = Some(page),
                Err(error) => wrongs = Wrongs::refused(error, "action")?,
            }
        }
        let address = format!("{place}?{}", typed.query(names));
        Ok(Self {
            rows: found.iter().flat_map(|page| &page.items).map(|entry| row(entry, &place)).collect(),
            pager: found.as_ref().map(|page| Pager::of(page, &address)),
            is_filtered: typed.says_something(names),
            place,
            typed,
            wrongs,
        })
    }
}

/// What entries of agencies can be about.
pub fn kinds() -> [(&'static str, String); 13] {
    KINDS.map(|kind| (kind, sentence(&kind.replace('_', " "))))
}

/// What is looked for in an agency's log.
pub fn filter(typed: &Fields, wrongs: &mut Wrongs) -> AuditFilter {
    AuditFilter {
        actor_id: typed.number("actor_id"),
        entity_type: typed.given("entity_type"),
        entity_id: typed.given("entity_id"),
        action: typed.given("action"),
        from: typed.day("from", wrongs),
        to: typed.day("to", wrongs),
    }
}

/// An entry of an agency's log, which is found at this address.
pub fn row(entry: &AuditEntry, who: &str, log: &str) -> Row {
    let history =
        serde_urlencoded::to_string([("entity_type", &entry.entity_type), ("entity_id", &entry.entity_id)]);
    let history = history.map(|query| format!("{log}?{query}"));
    Row {
        at: Moment::of(entry.created_at),
        who: who.to_owned(),
        address: entry.ip_address.clone(),
        action: entry.action.clone(),
        kind: sentence(&entry.entity_type.replace('_', " ")),
        history: match entry.entity_id.as_str() {
            "" => String::new(),
            _ => history.unwrap_or_default(),
        },
        thing: entry.entity_id.clone(),
        changes: changes(entry.old_value.as_ref(), entry.new_value.as_ref()),
        has_before: matches!(&entry.old_value, Some(value) if !value.is_null()),
    }
}

/// Side by side, by name; what is no object has none.
pub fn changes(before: Option<&Value>, after: Option<&Value>) -> Vec<Change> {
    let parts = |value: Option<&Value>| -> Vec<(String, String)> {
        match value {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Object(fields)) => {
                fields.iter().map(|(name, value)| (name.clone(), text(value))).collect()
            }
            Some(other) => vec![(String::new(), text(other))],
        }
    };
    let (before, after) = (parts(before), parts(after));
    let find = |all: &[(String, String)], name: &str| {
        let found = all.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let only_before = before.iter().filter(|(name, _)| !after.iter().any(|(other, _)| other == name));
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_changed_stands_side_by_side() {
        let (old, new) = (json!({"name": "A", "age": 1}), json!({"name": "B", "age": 1, "is_new": null}));
        let found = changes(Some(&old), Some(&new));
        let found: Vec<(&str, &str, &str, bool)> = found
            .iter()
            .map(|one| (one.name.as_str(), one.before.as_str(), one.after.as_str(), one.is_changed))
            .collect();
        assert!(found.contains(&("Name", "A", "B", true)));
        assert!(found.contains(&("Age", "1", "1", false)));
        assert!(found.contains(&("Is new", "", "–", true)));
        assert!(!changes(None, Some(&new)).iter().any(|one| one.is_changed));
        assert_eq!(changes(None, None), []);
    }
}
