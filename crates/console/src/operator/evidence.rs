//! What happened to a booking, as the operator reads it: each row of the desk in a sentence, and the rest of it as facts.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use wayfare_client::Amount;

use crate::{day::Moment, failure::sentence, money::money};

pub struct Entry {
    pub at: Option<Moment>,
    /// `ok`, `warn`, `bad`, or nothing.
    pub tone: &'static str,
    pub title: String,
    pub facts: Vec<(String, String)>,
}

/// A row of the desk: its columns by name.
type Row = Map<String, Value>;

/// What is said in the sentence, or says nothing to a person.
const SAID: [&str; 5] = ["at", "what", "kind", "currency", "state"];

/// Columns that are amounts, in the row's currency or the booking's.
const AMOUNTS: [&str; 12] = [
    "amount",
    "public_fare",
    "agent_fare",
    "ancillary",
    "agent_commission",
    "markup",
    "supplier_amount",
    "refund_to_wallet",
    "cancellation_charge",
    "moved",
    "total",
    "charged",
];

/// These rows, in the order in which they come.
pub fn entries<'a>(rows: impl IntoIterator<Item = &'a Row>, currency: &str) -> Vec<Entry> {
    rows.into_iter().map(|row| entry(row, currency)).collect()
}

/// The fields of a value by name, as they read.
pub fn facts(value: &Value, currency: &str) -> Vec<(String, String)> {
    value.as_object().map(|row| others(row, &[], currency)).unwrap_or_default()
}

/// The columns that are not among these by name, as they read.
pub fn others(row: &Row, known: &[&str], currency: &str) -> Vec<(String, String)> {
    let others = row.iter().filter(|(name, _)| !known.contains(&name.as_str()));
    others.filter_map(|(name, value)| Some((label(name), shown(name, value, currency)?))).collect()
}

fn entry(row: &Row, currency: &str) -> Entry {
    let currency = text(row, "currency").unwrap_or(currency);
    let facts = others(row, &SAID, currency);
    Entry { at: text(row, "at").and_then(moment), tone: tone(row), title: title(row), facts }
}

fn text<'a>(row: &'a Row, name: &str) -> Option<&'a str> {
    row.get(name).and_then(Value::as_str)
}

/// An instant as it stands in JSON.
pub fn moment(text: &str) -> Option<Moment> {
    let at: DateTime<Utc> = text.parse().ok()?;
    Some(Moment::of(at))
}

fn title(row: &Row) -> String {
    let what = text(row, "what").unwrap_or_default();
    let kind = words(text(row, "kind").unwrap_or_default());
    let state = words(text(row, "state").unwrap_or_default());
    match what {
        "step" => format!("{} at the supplier: {}", step_name(&kind), step_state(&state)),
        "hold" => "Money was set aside in the wallet".to_owned(),
        "transfer" => "Money moved in the ledger".to_owned(),
        "fare" => format!("Fare ledger: {kind}"),
        "refund" => "Refund".to_owned(),
        "incident" => format!("Incident: {kind}"),
        "ruling" => format!("Ruling: {kind}, {state}"),
        "airline_change" => format!("The airline changed it: {kind}, {state}"),
        "event" => match text(row, "action") {
            Some(action) => format!("Audit log: {action}"),
            None => "Audit log".to_owned(),
        },
        other => sentence(&words(other)),
    }
}

pub fn step_name(kind: &str) -> &'static str {
    match kind {
        "book" => "Order",
        "cancel" => "Cancellation",
        "ticket" => "Payment of a hold",
        "undo" => "Giving an order back",
        "add service" | "add_service" => "Adding a service",
        "accept change" | "accept_change" => "Accepting a schedule change",
        "change" => "Exchange of flights",
        _ => "Step",
    }
}

fn step_state(state: &str) -> &str {
    match state {
        "open" => "its outcome is not known",
        "planned" => "waits for the step before it",
        other => other,
    }
}

fn tone(row: &Row) -> &'static str {
    let state = text(row, "state").or_else(|| text(row, "outcome"));
    match (text(row, "what").unwrap_or_default(), state.unwrap_or_default()) {
        ("incident", _) if row.get("closed_at").is_none() => "bad",
        ("step", "open" | "planned") => "warn",
        ("step", "refused") => "bad",
        ("step" | "hold" | "refund" | "ruling", _) => "ok",
        _ => "",
    }
}

fn words(text: &str) -> String {
    text.replace(['_', '.'], " ")
}

fn label(name: &str) -> String {
    match name {
        "id" => "Id".to_owned(),
        "order_id" => "Supplier's id".to_owned(),
        "looked_up" => "Looked up".to_owned(),
        "user_id" => "Whose id".to_owned(),
        other => sentence(&words(other)),
    }
}

/// A value as a person reads it; none where nothing is in it.
fn shown(name: &str, value: &Value, currency: &str) -> Option<String> {
    let number = |text: &str| text.parse::<Amount>().ok();
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) if AMOUNTS.contains(&name) => {
            Some(number(text).map_or_else(|| text.clone(), |amount| money(amount, currency)))
        }
        Value::Number(digits) if AMOUNTS.contains(&name) => {
            let digits = digits.to_string();
            Some(number(&digits).map_or(digits, |amount| money(amount, currency)))
        }
        Value::String(text) => Some(moment(text).map_or_else(|| text.clone(), |at| at.text)),
        Value::Number(_) if name == "looked_up" => Some(format!("{value} times")),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().filter_map(|item| shown("", item, currency)).collect();
            Some(items.join("; ")).filter(|text| !text.is_empty())
        }
        Value::Object(fields) => {
            let fields = fields.iter().filter_map(|(name, value)| {
                Some(format!("{}: {}", words(name), shown(name, value, currency)?))
            });
            Some(fields.collect::<Vec<_>>().join("; ")).filter(|text| !text.is_empty())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(row: &Value) -> Entry {
        entry(row.as_object().unwrap(), "INR")
    }

    #[test]
    fn a_row_becomes_a_sentence_and_the_rest_becomes_facts() {
        let step = of(&json!({
            "at": "2027-01-19T08:05:00.123456+00:00", "what": "step", "kind": "book", "state": "open", "order": 1,
            "supplier": "tripjack", "looked_up": 3, "problem": "<b>time-out</b>",
        }));
        assert_eq!(step.title, "Order at the supplier: its outcome is not known");
        assert_eq!(step.tone, "warn");
        assert_eq!(step.at.unwrap().text, "19 Jan 2027, 08:05 UTC");
        let fact = |name: &str| {
            let found = step.facts.iter().find(|(label, _)| label == name);
            found.map(|(_, value)| value.as_str())
        };
        assert_eq!(fact("Looked up"), Some("3 times"));
        // Escaping is the template's part.
        assert_eq!(fact("Problem"), Some("<b>time-out</b>"));
        assert_eq!(fact("Kind"), None);
        let hold =
            of(&json!({ "at": "2027-01-19T08:05:00Z", "what": "hold", "amount": 12400.5, "outcome": null }));
        assert_eq!(hold.facts, [("Amount".to_owned(), "₹12,400.50".to_owned())]);
        let transfer = of(&json!({
            "at": "x", "what": "transfer", "currency": "USD", "legs": ["wallet:1 debit 5", "sales credit 5"], "total": "5",
        }));
        assert!(transfer.at.is_none());
        assert!(transfer.facts.contains(&("Legs".to_owned(), "wallet:1 debit 5; sales credit 5".to_owned())));
        assert!(transfer.facts.contains(&("Total".to_owned(), "$5.00".to_owned())));
    }
}
