//! Suppliers' JSON read: typed, borrowing, and with the name of the field where it can't be.

use std::{borrow::Cow, fmt, ops::Deref};

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

/// A body that is not what was asked for; says which field, where one is to blame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(String);

impl Unreadable {
    pub(crate) fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

/// The whole body as this type.
pub(crate) fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Unreadable> {
    let mut json = serde_json::Deserializer::from_slice(body);
    let content = serde_path_to_error::deserialize(&mut json).map_err(Unreadable::new)?;
    json.end().map_err(Unreadable::new)?;
    Ok(content)
}

/// The same faster, for what is nearly always well: an error has no field's name.
pub(crate) fn parse_fast<'a, T: Deserialize<'a>>(body: &'a [u8]) -> serde_json::Result<T> {
    match std::str::from_utf8(body) {
        // Looked at once as a whole, instead of every text by itself.
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(body),
    }
}

/// Their text, borrowed from the answer where it stands there as it is, without escapes.
#[derive(Debug)]
pub(crate) struct Text<'a>(Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(text.into())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrow;
        impl<'de> Visitor<'de> for Borrow {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(text.into()))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(text.to_owned().into()))
            }
        }
        deserializer.deserialize_str(Borrow)
    }
}

/// The text, unless there is nothing in it.
pub(crate) fn filled<T: Deref<Target = str>>(text: &Option<T>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

/// Deserializes text through a function, so that a failure has the field's path.
pub(crate) struct Through<T>(pub &'static str, pub fn(&str) -> Option<T>);

impl<T> Visitor<'_> for Through<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

/// A local time without zone, with or without seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalTime(pub NaiveDateTime);

/// Years outside these are no flight, and the arithmetic of zones need not bear them.
pub(crate) fn local_time(text: &str) -> Option<NaiveDateTime> {
    let (date, time) = text.split_once('T')?;
    let date: NaiveDate = date.parse().ok()?;
    let time: NaiveTime = time.parse().ok()?;
    (1970..=2200).contains(&date.year()).then(|| date.and_time(time))
}

impl<'de> Deserialize<'de> for LocalTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_str(Through("a local time without zone", local_time))
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_times_have_seconds_or_none_and_a_year_in_which_one_flies() {
        for (text, expected) in [
            ("2024-06-07T14:30", Some("2024-06-07T14:30:00")),
            ("2024-06-07T14:30:05", Some("2024-06-07T14:30:05")),
            ("2025-05-09T10:57:56.051", Some("2025-05-09T10:57:56.051")),
            ("2024-06-07 14:30", None),
            ("2024-06-07T", None),
            ("2024-06-07", None),
            ("2024-06-07T14:30Z", None),
            ("1969-06-07T14:30", None),
            ("+262142-12-31T23:59:59", None),
        ] {
            assert_eq!(
                local_time(text),
                expected.map(|text| text.parse().unwrap()),
                "{text}"
            );
        }
    }
}
