//! Answers as texts for snapshots: whole, to the digit, without what differs from run to run.
//!
//! Snapshots belong to worlds whose time stands still: then times, prices and flights are the same each time.

use serde_json::{Map, Value};

/// Fields whose texts are random: what a supplier or an airline calls its order, and what is made of it.
const RANDOM: &[&str] = &[
    "airline_pnr",
    "confirmation_number",
    "pnr",
    "pnr_ref",
    "provider_booking_id",
    "provider_confirmation",
    "provider_pnr",
    "provider_ref",
    "provider_refund_id",
    "refund_id",
    "slug",
    "supplier_ref",
    "ticket_number",
    "tkt_number",
];

/// The answer as indented JSON, with placeholders for what is random: ids, references, tokens, durations.
#[must_use]
pub fn redacted(answer: &Value) -> String {
    serde_json::to_string_pretty(&redact("", answer)).unwrap_or_default()
}

/// The answer with the first entry of each array only: enough to see the shape of a long one.
#[must_use]
pub fn sample(answer: &Value) -> Value {
    match answer {
        Value::Array(entries) => entries.iter().take(1).map(sample).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), sample(value))).collect())
        }
        plain => plain.clone(),
    }
}

fn redact(name: &str, value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (text(name), redact(name, value)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Value::Array(entries) => entries.iter().map(|entry| redact(name, entry)).collect(),
        Value::Number(_) if name == "duration_ms" => "[duration]".into(),
        Value::String(whole) if !whole.is_empty() && RANDOM.contains(&name) => format!("[{name}]").into(),
        Value::String(whole) => text(whole).into(),
        plain => plain.clone(),
    }
}

/// The text with each random word in it replaced.
fn text(whole: &str) -> String {
    let is_of_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let mut shown = String::new();
    let mut rest = whole;
    while !rest.is_empty() {
        let end = rest.find(|letter| !is_of_word(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        shown.push_str(&placeholder(word));
        let gap = after.find(is_of_word).unwrap_or(after.len());
        let (between, next) = after.split_at(gap);
        shown.push_str(between);
        rest = next;
    }
    shown
}

fn placeholder(word: &str) -> String {
    let is_code = |code: &str, length: usize| {
        code.len() == length
            && code.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
    };
    let suffix = |start: &str, length: usize| {
        let (code, suffix) = word.strip_prefix(start)?.split_at_checked(length)?;
        (is_code(code, length) && (suffix.is_empty() || suffix.starts_with('-'))).then(|| suffix.to_owned())
    };
    if let Some(suffix) = suffix("FA-", 8).or_else(|| suffix("HTL-", 8)) {
        return format!("[booking]{suffix}");
    }
    if let Some(suffix) = suffix("WF", 6) {
        return format!("[agency]{suffix}");
    }
    let is_uuid = word.len() == 36 && word.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    if is_uuid {
        return "[id]".to_owned();
    }
    // As Hotelbeds numbers its bookings.
    let number = word.split_once('-').filter(|(office, _)| office.len() == 1);
    if number
        .is_some_and(|(_, number)| number.len() > 5 && number.bytes().all(|digit| digit.is_ascii_digit()))
    {
        return "[reference]".to_owned();
    }
    // Offers, keys, tokens and seals. One in a thousand has no digit.
    let mixed = word.chars().any(|letter| letter.is_ascii_lowercase())
        && word.chars().skip(1).any(|letter| letter.is_ascii_uppercase());
    if word.len() >= 24 && (mixed || word.chars().any(|letter| letter.is_ascii_digit())) {
        return "[token]".to_owned();
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_random_is_replaced_and_the_rest_stays() {
        let answer = json!({
            "id": "0198c1c8-3b5e-7cc1-8b5a-1f4b3b0d9a11", "amount": 12, "duration_ms": 7,
            "created_at": "2027-01-15T08:00:00Z", "text": "refund of booking FA-1A2B3C4D-1", "agent": "WF7K2M9Q-A0002",
        });
        let expected = json!({
            "id": "[id]", "amount": 12, "duration_ms": "[duration]", "created_at": "2027-01-15T08:00:00Z",
            "text": "refund of booking [booking]-1", "agent": "[agency]-A0002",
        });
        assert_eq!(redact("", &answer), expected);
        assert_eq!(sample(&json!({ "all": [[1, 2], 3] })), json!({ "all": [[1]] }));
    }
}
