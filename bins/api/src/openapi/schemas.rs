//! Schemas as generators of clients read them: what schemars writes in ways that many of them refuse or misread is
//! written plainly.

use schemars::Schema;
use serde_json::{Value, json};

/// Words as one `enum`, with their meanings in the description: `oneOf` of constants makes a type of each word.
pub fn words_in_one_enum(schema: &mut Schema) {
    let Some(fields) = schema.as_object_mut() else { return };
    let Some(words) = fields.get("oneOf").and_then(Value::as_array).and_then(|each| words(each)) else {
        return;
    };
    let mut text = fields.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    for (word, meaning) in &words {
        if !meaning.is_empty() {
            text.push_str(&format!("\n* `{word}`: {}", in_a_list(meaning)));
        }
    }
    let words: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
    let plain = json!({ "type": "string", "enum": words, "description": text.trim_start() });
    fields.remove("oneOf");
    fields.extend(plain.as_object().cloned().unwrap_or_default());
}

/// Each word with its meaning; none when one of them is no word.
fn words(variants: &[Value]) -> Option<Vec<(String, String)>> {
    let mut words = Vec::new();
    for variant in variants {
        let meaning = variant["description"].as_str().unwrap_or_default();
        match (variant["const"].as_str(), variant["enum"].as_array()) {
            (Some(word), _) => words.push((word.to_owned(), meaning.to_owned())),
            (None, Some(several)) => {
                for word in several {
                    words.push((word.as_str()?.to_owned(), meaning.to_owned()));
                }
            }
            (None, None) => return None,
        }
    }
    Some(words)
}

/// A meaning without its line breaks and its full stop.
fn in_a_list(meaning: &str) -> String {
    let line = meaning.split_whitespace().collect::<Vec<_>>().join(" ");
    line.strip_suffix('.').unwrap_or(&line).to_owned()
}

/// Without what is said to those who work on the code: where a rule comes from.
pub fn without_sources(schema: &mut Schema) {
    let Some(Value::String(text)) = schema.get_mut("description") else { return };
    for source in [" (P-", " (D-", " (docs/API.md"] {
        if let Some((before, rest)) = text.split_once(source)
            && let Some((_, after)) = rest.split_once(')')
        {
            *text = format!("{before}{after}");
        }
    }
}

/// Without what is read for a field that an older server does not send: this one sends it.
pub fn without_defaults(schema: &mut Schema) {
    schema.remove("default");
}

/// Without the format of local times: it is schemars' own, and generators of clients take it for another.
pub fn local_times_as_texts(schema: &mut Schema) {
    if schema.get("format").is_some_and(|format| format == "partial-date-time") {
        schema.remove("format");
    }
}
