//! Reads a query string by name, and names every parameter at fault.

use std::str::FromStr;

use actix_web::http::StatusCode;
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use strum::VariantNames;
use wayfare_domain::{Anchor, Faults, ListRequest, PageRequest};

#[cfg(test)]
use crate::http::operation::Operation;
use crate::http::{
    json_body::{self, schema},
    refusal::Refusal,
};

/// What can be read out of a query string.
pub trait FromQuery: Sized {
    /// Reads every parameter, whatever the others are: the document is made by reading an empty query.
    fn read(query: &mut Parameters) -> Self;
}

impl<A: FromQuery, B: FromQuery> FromQuery for (A, B) {
    fn read(query: &mut Parameters) -> Self {
        (A::read(query), B::read(query))
    }
}

/// A query string's value.
///
/// # Errors
/// 400 for what is no query string, 422 with every parameter at fault.
pub fn read<T: FromQuery>(text: &str) -> Result<T, Refusal> {
    let malformed = || Refusal::new(StatusCode::BAD_REQUEST, "malformed query string");
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(text).map_err(|_| malformed())?;
    // No database keeps a NUL.
    if pairs.iter().any(|(_, value)| value.contains('\0')) {
        return Err(malformed());
    }
    let mut query = Parameters { pairs, ..Parameters::default() };
    let read = T::read(&mut query);
    Ok(query.faults.or(read)?)
}

/// Adds the parameters of a `T` to the document.
#[cfg(test)]
pub fn describe<T: FromQuery>(operation: &mut Operation<'_>) {
    let mut query = Parameters { asked: Some(Vec::new()), ..Parameters::default() };
    T::read(&mut query);
    for Asked { name, schema, needed } in query.asked.into_iter().flatten() {
        operation.query(&name, schema, needed);
    }
}

/// The parameters of one request; none of their values has a NUL.
#[derive(Default)]
pub struct Parameters {
    pairs: Vec<(String, String)>,
    faults: Faults,
    /// What was asked for, when the document is made.
    #[cfg(test)]
    asked: Option<Vec<Asked>>,
}

#[cfg(test)]
struct Asked {
    name: String,
    schema: Value,
    needed: bool,
}

impl Parameters {
    /// Notes what is asked for, for the document, which tests make.
    #[cfg(test)]
    fn asks(&mut self, name: &str, needed: bool, schema: impl FnOnce() -> Value) {
        if let Some(asked) = &mut self.asked {
            asked.push(Asked { name: name.to_owned(), schema: schema(), needed });
        }
    }

    #[cfg(not(test))]
    fn asks(&mut self, _: &str, _: bool, _: impl FnOnce() -> Value) {}

    fn note(&mut self, name: &str, schema: impl FnOnce() -> Value) {
        self.asks(name, false, schema);
    }

    /// The value of this name; the last one counts, an empty one is none.
    fn value(&self, name: &str) -> Option<&str> {
        self.pairs
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
            .filter(|v| !v.is_empty())
    }

    fn typed<T>(&mut self, name: &str, reason: &str, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let found = read(self.value(name)?);
        if found.is_none() {
            self.faults.add(name, reason);
        }
        found
    }

    /// Any text.
    pub fn text(&mut self, name: &str) -> Option<String> {
        self.note(name, || json!({ "type": "string" }));
        self.value(name).map(str::to_owned)
    }

    /// A text that chooses what is changed or deleted, where it is said: an empty one chooses nothing (D-610).
    pub fn chosen_text(&mut self, name: &str) -> Option<String> {
        self.note(name, || json!({ "type": "string", "minLength": 1 }));
        let is_empty = self.pairs.iter().any(|(key, value)| key == name && value.is_empty());
        if is_empty {
            self.faults.add(name, "must not be empty");
            return None;
        }
        self.value(name).map(str::to_owned)
    }

    /// A text that must be there, of at most `longest` characters beside blanks at its ends.
    pub fn needed_text(&mut self, name: &str, longest: usize) -> Option<String> {
        let keywords = || json!({ "type": "string", "minLength": 1, "maxLength": longest, "pattern": "\\S" });
        self.asks(name, true, keywords);
        let text = self.value(name).unwrap_or_default().trim().to_owned();
        let reason = match text.chars().count() {
            0 => "this field is required".to_owned(),
            length if length > longest => format!("must have at most {longest} characters"),
            _ => return Some(text),
        };
        self.faults.add(name, reason);
        None
    }

    /// One of a word's variants, as the API spells them (P-58).
    pub fn word<T: FromStr + VariantNames>(&mut self, name: &str) -> Option<T> {
        self.note(name, schema::words::<T>);
        let reason = format!("must be one of {}", T::VARIANTS.join(", "));
        self.typed(name, &reason, |text| text.parse().ok())
    }

    /// An id.
    pub fn id<T: FromStr>(&mut self, name: &str) -> Option<T> {
        self.note(name, || json!({ "type": "string", "format": "uuid" }));
        self.typed(name, "must be a UUID", |text| text.parse().ok())
    }

    /// A day, `YYYY-MM-DD`.
    pub fn date(&mut self, name: &str) -> Option<NaiveDate> {
        self.note(name, || json!({ "type": "string", "format": "date" }));
        self.typed(name, "must be a date (YYYY-MM-DD)", json_body::day)
    }

    /// A moment, RFC 3339.
    pub fn instant(&mut self, name: &str) -> Option<DateTime<Utc>> {
        self.note(name, || json!({ "type": "string", "format": "date-time" }));
        self.typed(name, "must be a time such as 2027-01-31T10:00:00Z", |text| {
            DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc())
        })
    }

    /// An exact number, as JSON writes them.
    pub fn decimal(&mut self, name: &str) -> Option<Decimal> {
        self.note(name, || json!({ "type": "number" }));
        self.typed(name, "must be a number", |text| json_body::decimal(&text.parse().ok()?))
    }

    /// A place in an order that begins after 0.
    pub fn place(&mut self, name: &str) -> Option<i64> {
        self.note(name, || json!({ "type": "integer", "minimum": 0 }));
        self.typed(name, "must be a whole number of at least 0", |text| {
            text.parse().ok().filter(|place: &i64| !place.is_negative())
        })
    }

    /// A whole number from 1 to `most`.
    pub fn number(&mut self, name: &str, default: u32, most: u32) -> u32 {
        self.note(name, || json!({ "type": "integer", "minimum": 1, "maximum": most, "default": default }));
        let reason = match most {
            u32::MAX => "must be a whole number of at least 1".to_owned(),
            _ => format!("must be between 1 and {most}"),
        };
        let number =
            self.typed(name, &reason, |text| text.parse().ok().filter(|number| (1..=most).contains(number)));
        number.unwrap_or(default)
    }
}

/// A page, and `before` or `after` a row (D-655).
impl FromQuery for ListRequest {
    fn read(query: &mut Parameters) -> Self {
        let page = PageRequest::read(query);
        let (before, after) = (query.id("before"), query.id("after"));
        if before.is_some() && after.is_some() {
            query.faults.add("after", "must not be given with before");
        }
        Self { page, anchor: before.map(Anchor::Before).or(after.map(Anchor::After)) }
    }
}

/// `page` and `per_page`, in range (P-126: at most 100, out of range is 422).
impl FromQuery for PageRequest {
    fn read(query: &mut Parameters) -> Self {
        Self { page: query.number("page", 1, u32::MAX), per_page: query.number("per_page", 20, 100) }
    }
}
