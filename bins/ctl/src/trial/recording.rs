//! A recording of a trial: what was sent and answered, with a stand-in in the place of each text that is somebody's.
//!
//! The same text has the same stand-in wherever it is, also in longer texts and in addresses. Numbers stay as they came, digit
//! by digit, unless their field is private. A field that no list names stops the recording.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use chrono::{NaiveDate, TimeDelta};
use rust_decimal::Decimal;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json, value::RawValue};
use wayfare_launch::SupplierKind;
use wayfare_supply::ObservedExchange;

use super::fields::{Field, Fields};

/// Shorter texts are words of any text; of digits alone, numbers.
const SHORTEST_WORD: usize = 3;
const SHORTEST_NUMBER: usize = 7;
/// No field of a supplier's has a longer path; each level makes it longer.
const LONGEST_PATH: usize = 1_000;

/// The recording of these exchanges, as JSON.
///
/// # Errors
/// The fields that no list names, each with where it is.
pub fn recording(
    kind: SupplierKind,
    key: &SecretString,
    exchanges: &[ObservedExchange],
) -> Result<String, BTreeSet<String>> {
    let mut recorder = Recorder {
        fields: Fields::of(kind),
        stand_ins: BTreeMap::new(),
        words: Vec::new(),
        unknown: BTreeSet::new(),
    };
    for part in key.expose_secret().split(':') {
        recorder.stand_in(part);
    }
    // Whoever is named anywhere is known before the first text is written.
    recorder.written(exchanges);
    if !recorder.unknown.is_empty() {
        return Err(recorder.unknown);
    }
    recorder.collect_words();
    let lines = recorder.written(exchanges).join(",\n");
    let supplier: &str = kind.into();
    Ok(format!("{{\"supplier\":\"{supplier}\",\"exchanges\":[\n{lines}\n]}}\n"))
}

struct Recorder {
    fields: Fields,
    /// By text in small letters.
    stand_ins: BTreeMap<String, String>,
    /// Those that are looked for in other texts, the longest first.
    words: Vec<(String, String)>,
    unknown: BTreeSet<String>,
}

/// A body that is neither JSON nor a stream of it.
struct Unreadable;

impl From<serde_json::Error> for Unreadable {
    fn from(_: serde_json::Error) -> Self {
        Self
    }
}

impl Recorder {
    fn written(&mut self, exchanges: &[ObservedExchange]) -> Vec<String> {
        (1..).zip(exchanges).map(|(number, exchange)| self.exchange(number, exchange)).collect()
    }

    fn exchange(&mut self, number: usize, exchange: &ObservedExchange) -> String {
        let ObservedExchange { method, path, query, sent, answer } = exchange;
        let place = |what: &str| format!("{what} {number} ({method} {path})");
        let mut parameters = Vec::new();
        for (name, value) in query {
            let place = format!("{}.{name}", place("query"));
            if let Some(field) = self.field("query", name, place) {
                parameters.push([name.clone(), self.text(value, field)]);
            }
        }
        let sent = self.body(sent, &place("request"));
        let (status, came, problem) = match answer {
            Ok((status, body)) => (json!(status), self.body(body, &place("answer")), Value::Null),
            Err(problem) => (Value::Null, "null".to_owned(), json!(problem)),
        };
        let (method, path, query) = (json!(method), json!(self.without_names(path)), json!(parameters));
        format!(
            "{{\"method\":{method},\"path\":{path},\"query\":{query},\"sent\":{sent},\
             \"status\":{status},\"problem\":{problem},\"answer\":{came}}}"
        )
    }

    /// What the field holds; one that no list names is noted.
    fn field(&mut self, parent: &str, name: &str, path: String) -> Option<Field> {
        let field = self.fields.get(parent, name);
        if field.is_none() {
            self.unknown.insert(path);
        }
        field
    }

    /// JSON as JSON, and a stream of events as a text. What is neither can't be searched for what is somebody's: only its length
    /// is kept.
    fn body(&mut self, body: &[u8], path: &str) -> String {
        if body.is_empty() {
            return "null".to_owned();
        }
        let text = std::str::from_utf8(body).map_err(|_| Unreadable);
        let written = text.and_then(|text| match text.starts_with(['{', '[']) {
            true => self.value(text, path, "", Field::Plain),
            false => self.stream(text, path).map(|stream| json!(stream).to_string()),
        });
        written.unwrap_or_else(|Unreadable| json!({ "bytes_left_out": body.len() }).to_string())
    }

    fn stream(&mut self, text: &str, path: &str) -> Result<String, Unreadable> {
        let lines = text.lines().map(|line| match line.strip_prefix("data:").map(str::trim) {
            Some("[DONE]" | "") => Ok(line.to_owned()),
            Some(event) => Ok(format!("data: {}", self.value(event, path, "", Field::Plain)?)),
            None if line.is_empty() || line.starts_with("event:") => Ok(line.to_owned()),
            None => Err(Unreadable),
        });
        Ok(lines.collect::<Result<Vec<_>, _>>()?.join("\n"))
    }

    /// The value with stand-ins; its numbers are the text that came.
    fn value(&mut self, json: &str, path: &str, parent: &str, field: Field) -> Result<String, Unreadable> {
        if path.len() > LONGEST_PATH {
            return Err(Unreadable);
        }
        match json.trim_start().as_bytes().first() {
            Some(b'{') => {
                let mut written = Vec::new();
                for (name, value) in serde_json::from_str::<BTreeMap<String, &RawValue>>(json)? {
                    let path = format!("{path}.{name}");
                    let field = match field {
                        Field::Private => Some(Field::Private),
                        Field::Plain => self.field(parent, &name, path.clone()),
                    };
                    if let Some(field) = field {
                        let value = self.value(value.get(), &path, &name, field)?;
                        written.push(format!("{}:{value}", json!(self.without_names(&name))));
                    }
                }
                Ok(format!("{{{}}}", written.join(",")))
            }
            Some(b'[') => {
                let (items, path) = (serde_json::from_str::<Vec<&RawValue>>(json)?, format!("{path}[]"));
                let items = items.into_iter().map(|item| self.value(item.get(), &path, parent, field));
                Ok(format!("[{}]", items.collect::<Result<Vec<_>, _>>()?.join(",")))
            }
            Some(b'"') => Ok(json!(self.text(&serde_json::from_str::<String>(json)?, field)).to_string()),
            Some(b'-' | b'0'..=b'9') if field == Field::Private => Ok(self.stand_in(json)),
            _ => Ok(serde_json::from_str::<&RawValue>(json)?.get().to_owned()),
        }
    }

    fn text(&mut self, text: &str, field: Field) -> String {
        match field {
            Field::Plain => self.without_names(text),
            Field::Private => self.stand_in(text),
        }
    }

    /// What stands in the recording for this text.
    fn stand_in(&mut self, text: &str) -> String {
        let (number, text) = (self.stand_ins.len() + 1, text.trim());
        if !text.contains(char::is_alphanumeric) {
            return text.to_owned();
        }
        let known = self.stand_ins.entry(text.to_ascii_lowercase());
        known.or_insert_with(|| made_up(text, number)).clone()
    }

    fn collect_words(&mut self) {
        let is_long = |word: &str| {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            word.chars().count() >= if is_number { SHORTEST_NUMBER } else { SHORTEST_WORD }
        };
        let word = |text: &str| text.trim_matches(|one: char| !one.is_alphanumeric()).to_owned();
        let words = self.stand_ins.iter().map(|(text, stand_in)| (word(text), word(stand_in)));
        self.words = words.filter(|(text, _)| is_long(text)).collect();
        self.words.sort_by_key(|(text, _)| Reverse(text.len()));
    }

    /// The text with stand-ins for what is somebody's in it. An amount has nobody's name.
    fn without_names(&self, text: &str) -> String {
        if text.contains('.') && text.parse::<Decimal>().is_ok() {
            return text.to_owned();
        }
        let replace = |text: String, (word, stand_in): &(String, String)| replaced(&text, word, stand_in);
        self.words.iter().fold(text.to_owned(), replace)
    }
}

/// A text of the same form, so that readers take it: letters for letters, digits for digits, another day for a day.
fn made_up(text: &str, number: usize) -> String {
    if text.parse::<NaiveDate>().is_ok() {
        let days = TimeDelta::days(i64::try_from(number).unwrap_or_default());
        return (NaiveDate::default() + days).to_string();
    }
    let mut left = number;
    let mut next = |first: u8, count: usize| {
        let place = u8::try_from(left % count).unwrap_or_default();
        left /= count;
        char::from(first + place)
    };
    let backwards = text.chars().rev().map(|one| match one {
        // No number begins with a zero.
        digit if digit.is_numeric() => next(b'1', 9),
        capital if capital.is_uppercase() => next(b'A', 26),
        letter if letter.is_alphabetic() => next(b'a', 26),
        other => other,
    });
    let made: String = backwards.collect::<Vec<_>>().into_iter().rev().collect();
    match left {
        0 => made,
        too_short => format!("{made}{too_short}"),
    }
}

/// The text with another word in the place of this one, which is in small letters, wherever it stands as a word.
fn replaced(text: &str, word: &str, stand_in: &str) -> String {
    let (mut done, mut from) = (String::new(), 0);
    for (start, _) in text.to_ascii_lowercase().match_indices(word) {
        let end = start + word.len();
        let (before, after) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
        if !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric) {
            done += text.get(from..start).unwrap_or_default();
            done += stand_in;
            from = end;
        }
    }
    done + text.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_has_the_same_stand_in_everywhere_and_amounts_stay_as_they_came() {
        let exchange = |path: &str, sent: &str, answer: &str| ObservedExchange {
            method: "POST".to_owned(),
            path: path.to_owned(),
            query: vec![("passenger_name[]".to_owned(), "RAO".to_owned())],
            sent: sent.into(),
            answer: Ok((200, answer.into())),
        };
        let person = r#"{"data":{"given_name":"Asha","family_name":"Rao","born_on":"1988-04-12","phone_number":9812345678}}"#;
        let said = r#"{"data":{"name":"ASHA RAO, +9812345678; RAOUL; secret","amount":1.10,"total_amount":"99999999999999.99"}}"#;
        let exchanges = [
            exchange("/air/Rao", person, said),
            exchange("/", "", "<html>Rao</html>"),
            exchange("/", "", &format!("event: one\ndata: {person}\n\ndata: [DONE]")),
        ];
        let key = SecretString::from("key:secret");
        let recorded = recording(SupplierKind::Duffel, &key, &exchanges).unwrap();
        assert!(recorded.contains(r#""amount":1.10,"#), "{recorded}");
        let recorded: Value = serde_json::from_str(&recorded).unwrap();
        let [first, second, third] = [0, 1, 2].map(|place| &recorded["exchanges"][place]);
        let person =
            r#"{"born_on":"1970-01-05","family_name":"AAD","given_name":"Aaaf","phone_number":1111111117}"#;
        assert_eq!(first["sent"]["data"], serde_json::from_str::<Value>(person).unwrap());
        assert_eq!((&first["path"], &first["query"][0][1]), (&json!("/air/AAD"), &json!("AAD")));
        assert_eq!(first["answer"]["data"]["name"], "Aaaf AAD, +1111111117; RAOUL; aaaaac");
        assert_eq!(first["answer"]["data"]["total_amount"], "99999999999999.99");
        assert_eq!(second["answer"], json!({ "bytes_left_out": 16 }));
        let stream = format!("event: one\ndata: {{\"data\":{person}}}\n\ndata: [DONE]");
        assert_eq!(third["answer"], stream);
        let unknown = [exchange("/air", "", r#"{"data":[{"said_more":1}]}"#)];
        let unknown = recording(SupplierKind::Duffel, &key, &unknown).unwrap_err();
        assert_eq!(unknown.into_iter().collect::<Vec<_>>(), ["answer 1 (POST /air).data[].said_more"]);
    }
}
