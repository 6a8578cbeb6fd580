//! Examples for the OpenAPI document, out of the answers that tests are given: of each operation's successes the one that
//! says most. Only where `WAYFARE_RENEW_EXAMPLES` is set; `just examples` does it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex},
};

use serde_json::{Map, Value, json};

pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bins/api/src/openapi/examples.json")
}

/// An example and how good it is: how many different fields have something, then how short it is.
struct Best {
    fields: usize,
    length: usize,
    example: Value,
}

static BEST: LazyLock<Mutex<BTreeMap<(String, u16), Best>>> = LazyLock::new(Mutex::default);

/// Takes an answer for an example where it says more than the one before.
pub fn offer(operation: &str, status: u16, is_json: bool, body: &str) {
    if std::env::var_os("WAYFARE_RENEW_EXAMPLES").is_none() || !(200..300).contains(&status) {
        return;
    }
    let example = match is_json {
        true => shortened(&serde_json::from_str(body).unwrap()),
        false => beginning(body),
    };
    let example = match operation {
        // All of it would be this document in itself.
        "getOpenApiDocument" | "getOperatorOpenApiDocument" => {
            json!({ "openapi": example["openapi"], "info": example["info"] })
        }
        _ => example,
    };
    let mut names = BTreeSet::new();
    fields(&example, "", &mut names);
    let (fields, length) = (names.len(), example.to_string().len());
    // Hostile texts are no examples.
    if length > 12_000 || !example.to_string().is_ascii() || body.contains("\\u") {
        return;
    }
    let mut best = BEST.lock().unwrap();
    let key = (operation.to_owned(), status);
    let is_better = best
        .get(&key)
        .is_none_or(|known| fields > known.fields || (fields == known.fields && length < known.length));
    if is_better {
        best.insert(key, Best { fields, length, example });
        write(&best);
    }
}

fn write(best: &BTreeMap<(String, u16), Best>) {
    // Some of the tests may be run: the others' examples stay.
    let known = fs::read_to_string(path()).unwrap_or_default();
    let mut examples: Map<String, Value> = serde_json::from_str(&known).unwrap_or_default();
    for ((operation, status), best) in best {
        let of_operation = examples.entry(operation.clone()).or_insert_with(|| json!({}));
        of_operation[status.to_string()] = best.example.clone();
    }
    fs::write(path(), format!("{:#}\n", Value::Object(examples))).unwrap();
}

/// The first lines of a text, and of each what fits.
fn beginning(text: &str) -> Value {
    let lines: Vec<String> = text.lines().take(4).map(|line| line.chars().take(400).collect()).collect();
    json!(lines.join("\n"))
}

/// Lists and tables of two items at most, and no token or secret.
fn shortened(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().take(2).map(shortened).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| match (name.as_str(), value) {
                ("access_token", _) => (name.clone(), json!("eyJhbGciOi...")),
                ("refresh_token", _) => (name.clone(), json!("rt_3yJb0pVZ...")),
                ("secret", _) => (name.clone(), json!("whsec_...")),
                // What begins so says whose session it is of.
                ("token", Value::String(token)) => {
                    let kind: String = token.chars().take(4).collect();
                    (name.clone(), json!(format!("{kind}3yJb0pVZ...")))
                }
                ("password", Value::String(_)) => (name.clone(), json!("shown once")),
                ("airlines" | "airports" | "baggage" | "refund_policies", Value::Object(table)) => {
                    let some = table.iter().take(2);
                    (name.clone(), some.map(|(name, value)| (name.clone(), shortened(value))).collect())
                }
                (_, value) => (name.clone(), shortened(value)),
            });
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// The names of fields that have something, with the way to them.
fn fields(value: &Value, at: &str, names: &mut BTreeSet<String>) {
    match value {
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        Value::Array(items) => items.iter().for_each(|item| fields(item, at, names)),
        Value::Object(inner) => {
            inner.iter().for_each(|(name, value)| fields(value, &format!("{at}.{name}"), names))
        }
        _ => _ = names.insert(at.to_owned()),
    }
}
