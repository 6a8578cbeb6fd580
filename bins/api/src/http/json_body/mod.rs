//! Reads a JSON body field by field and names every field at fault, not only the first.
//!
//! Serde stops at the first wrong field and turns large numbers into floats; the API names all faults
//! (422) and money wants exact digits, so bodies are read out of a parsed value with this small reader.

#[cfg(test)]
mod declaration;
#[cfg(test)]
pub mod examples;
mod lists;
pub mod schema;
#[cfg(test)]
mod shape;
mod unique_keys;
mod watcher;

use std::{ops::RangeInclusive, str::FromStr};

use arrayvec::ArrayString;
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use secrecy::SecretString;
use serde::Serialize;
use serde_json::{Map, Value, json};
use strum::VariantNames;
use wayfare_domain::{Currency, Faults, INVISIBLE, NO_CARD_NUMBER, has_card_number, is_invisible};

#[cfg(test)]
pub use self::declaration::beside_null;
pub use self::unique_keys::UniqueKeys;
use self::watcher::Watcher;

const REQUIRED: &str = "this field is required";

/// A request body that can be read out of a body.
#[cfg_attr(not(test), allow(dead_code, reason = "what only the document needs, and tests make that"))]
pub trait FromJson: Sized {
    /// What the document calls it; its parts are called after it, and its examples stand under it in `openapi/bodies.json`.
    const NAME: &str;

    /// The body as `wayfare_contract` declares it: says what its fields mean.
    #[cfg(test)]
    type Declared: schemars::JsonSchema;
    /// The same, without its schema.
    #[cfg(not(test))]
    type Declared;

    /// Reads every field; none when one of them is at fault, which the object then knows.
    fn read(body: &mut JsonObject<'_>) -> Option<Self>;
}

/// What is known when a body is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// The present, for rules about days.
    pub now: DateTime<Utc>,
    /// The caller's, for rules about money; none where nobody is signed in.
    pub currency: Option<Currency>,
    /// The country of the caller's agency, alpha-2, for telephone numbers without a calling code; none where nobody is signed in.
    pub country: Option<ArrayString<2>>,
}

/// A body out of a whole JSON document.
///
/// # Errors
/// Every field at fault.
pub fn read<T: FromJson>(document: &Value, known: Known) -> Result<T, Faults> {
    read_watched(document, known, Watcher::default())
}

fn read_watched<T: FromJson>(document: &Value, known: Known, watcher: Watcher<'_>) -> Result<T, Faults> {
    let Some(object) = document.as_object() else { return Err(Faults::of("body", "must be an object")) };
    let mut faults = Faults::default();
    let read = T::read(&mut JsonObject { object, path: String::new(), faults: &mut faults, known, watcher });
    match read {
        Some(value) => faults.or(value),
        None if faults.is_empty() => Err(Faults::of("body", REQUIRED)),
        None => Err(faults),
    }
}

/// A whole number of some size.
pub trait Number: TryFrom<i64> + PartialOrd + Copy + std::fmt::Display + Serialize {}

impl<T: TryFrom<i64> + PartialOrd + Copy + std::fmt::Display + Serialize> Number for T {}

/// One JSON object and the path to it.
pub struct JsonObject<'a> {
    object: &'a Map<String, Value>,
    path: String,
    faults: &'a mut Faults,
    known: Known,
    watcher: Watcher<'a>,
}

impl JsonObject<'_> {
    /// Notes what is known of a field, for the document: JSON Schema's keywords.
    pub fn note(&mut self, name: &str, keywords: impl FnOnce() -> Value) {
        self.watcher.note(name, keywords);
    }

    /// Notes what is known of a field, and that what was noted before is said by it.
    pub fn note_only(&mut self, name: &str, keywords: impl FnOnce() -> Value) {
        self.watcher.note_only(name, keywords);
    }

    fn at(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Where it stands in the body, such as `passengers[0]`; empty for the body itself.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Notes that a field is at fault.
    pub fn fault(&mut self, name: &str, reason: impl Into<String>) {
        let path = self.at(name);
        self.faults.add(path, reason);
    }

    /// What was read of a field; where that is nothing, the field is at fault.
    pub fn or_fault<T>(&mut self, name: &str, read: Option<T>, reason: &str) -> Option<T> {
        if read.is_none() {
            self.fault(name, reason);
        }
        read
    }

    /// The field's value; absent and null are the same.
    fn value(&self, name: &str) -> Option<&Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    fn typed<T>(&mut self, name: &str, wanted: &str, read: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let found = read(self.value(name)?);
        if found.is_none() {
            self.fault(name, format!("must be {wanted}"));
        }
        found
    }

    /// The present, for rules about days.
    pub fn now(&self) -> DateTime<Utc> {
        self.known.now
    }

    /// The caller's currency, for rules about money; none where nobody is signed in.
    pub fn currency(&self) -> Option<Currency> {
        self.known.currency
    }

    /// The country of the caller's agency, alpha-2; empty where nobody is signed in.
    pub fn country(&self) -> &str {
        self.known.country.as_deref().unwrap_or_default()
    }

    /// Notes more faults, whose paths are whole; a field is named once.
    pub fn append(&mut self, faults: Faults) {
        self.faults.append_new(faults);
    }

    /// Whether anything is at fault already.
    pub fn is_at_fault(&self) -> bool {
        !self.faults.is_empty()
    }

    /// Whether the field is there.
    pub fn has(&mut self, name: &str) -> bool {
        self.watcher.looked_for(name);
        self.value(name).is_some()
    }

    /// Notes a missing field; what is found is passed on.
    pub fn required<T>(&mut self, name: &str, found: Option<T>) -> Option<T> {
        self.watcher.needed(name);
        let path = self.at(name);
        if found.is_none() && !self.faults.names(&path) && self.value(name).is_none() {
            self.faults.add(path, REQUIRED);
        }
        found
    }

    /// A text, trimmed, without a NUL: no database keeps one, and none is looked for.
    pub fn optional_text(&mut self, name: &str) -> Option<String> {
        self.note(name, || json!({ "type": "string", "pattern": "^[^\\u0000]*$" }));
        let text = self.typed(name, "a string", |value| value.as_str().map(|text| text.trim().to_owned()))?;
        if text.contains('\0') {
            self.fault(name, "must not contain NUL");
            return None;
        }
        Some(text)
    }

    /// A text that must be there and not be empty, of at most `longest` characters.
    pub fn text(&mut self, name: &str, longest: usize) -> Option<String> {
        let text = self.optional_text(name);
        // Blanks at both ends are left out.
        self.note(name, || json!({ "pattern": "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$", "minLength": 1 }));
        let text = self.required(name, text)?;
        if text.is_empty() {
            self.fault(name, REQUIRED);
            return None;
        }
        self.at_most(name, longest, text)
    }

    /// A text that people know somebody or something by, of at most `longest` characters: all of it is seen as it is.
    pub fn label(&mut self, name: &str, longest: usize) -> Option<String> {
        let text = self.text(name, longest);
        self.note(name, seen_only);
        let text = self.seen(name, text?)?;
        self.without_card_number(name, text)
    }

    /// A text of which all is seen as it is.
    pub fn seen(&mut self, name: &str, text: String) -> Option<String> {
        self.note(name, seen_only);
        if text.contains(is_invisible) {
            self.fault(name, "must not contain characters that are not seen");
            return None;
        }
        Some(text)
    }

    /// A text that may be missing or empty, of at most `longest` characters.
    pub fn short_text(&mut self, name: &str, longest: usize) -> Option<String> {
        let text = self.optional_text(name)?;
        self.at_most(name, longest, text)
    }

    /// What somebody says in their own words, of at most `longest` characters; none where that is nothing. It is stored where
    /// many read it, so that it has no number of a payment card.
    pub fn free_text(&mut self, name: &str, longest: usize) -> Option<String> {
        let text = self.short_text(name, longest)?;
        self.without_card_number(name, text).filter(|text| !text.is_empty())
    }

    fn without_card_number(&mut self, name: &str, text: String) -> Option<String> {
        if has_card_number(&text) {
            self.fault(name, NO_CARD_NUMBER);
            return None;
        }
        Some(text)
    }

    fn at_most(&mut self, name: &str, longest: usize, text: String) -> Option<String> {
        self.note(name, || json!({ "maxLength": longest }));
        if text.chars().count() > longest {
            self.fault(name, format!("must have at most {longest} characters"));
            return None;
        }
        Some(text)
    }

    /// A secret: like a text, but to the letter.
    pub fn secret(&mut self, name: &str) -> Option<String> {
        self.note(name, || json!({ "type": "string", "minLength": 1, "format": "password" }));
        let secret = self.typed(name, "a string", |value| value.as_str().map(str::to_owned));
        let secret = self.required(name, secret)?;
        if secret.is_empty() {
            self.fault(name, REQUIRED);
            return None;
        }
        Some(secret)
    }

    /// A secret that may be missing.
    pub fn optional_secret(&mut self, name: &str) -> Option<SecretString> {
        self.note(name, || json!({ "type": "string", "format": "password" }));
        self.typed(name, "a string", |value| value.as_str().map(SecretString::from))
    }

    /// A whole number in a range.
    pub fn number<T: Number>(&mut self, name: &str, range: RangeInclusive<T>) -> Option<T> {
        self.note(name, || json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() }));
        let number = self.typed(name, "a whole number", Value::as_i64)?;
        match T::try_from(number) {
            Ok(number) if range.contains(&number) => Some(number),
            _ => {
                self.fault(name, format!("must be between {} and {}", range.start(), range.end()));
                None
            }
        }
    }

    /// True or false.
    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        self.note(name, || json!({ "type": "boolean" }));
        self.typed(name, "true or false", Value::as_bool)
    }

    /// An exact number.
    pub fn decimal(&mut self, name: &str) -> Option<Decimal> {
        self.note(name, || json!({ "type": "number" }));
        self.typed(name, "a number", |value| decimal(value.as_number()?))
    }

    /// An exact number that must be there and greater than 0.
    pub fn positive(&mut self, name: &str) -> Option<Decimal> {
        let number = self.decimal(name);
        self.note(name, || json!({ "exclusiveMinimum": 0 }));
        let number = self.required(name, number)?;
        if number <= Decimal::ZERO {
            self.fault(name, "must be greater than 0");
            return None;
        }
        Some(number)
    }

    /// A day, `YYYY-MM-DD`.
    pub fn date(&mut self, name: &str) -> Option<NaiveDate> {
        self.note(name, || json!({ "type": "string", "format": "date" }));
        let day = self.typed(name, "a date (YYYY-MM-DD)", |value| day(value.as_str()?));
        self.required(name, day)
    }

    /// One of a word's variants, as the API spells them.
    pub fn word<T: FromStr + VariantNames>(&mut self, name: &str) -> Option<T> {
        let text = self.text(name, 64);
        self.note_only(name, schema::words::<T>);
        let word = text?.parse().ok();
        if word.is_none() {
            self.fault(name, format!("must be one of {}", T::VARIANTS.join(", ")));
        }
        word
    }

    /// A word that narrows a search or a list, where it is said; an empty one narrows nothing.
    pub fn filter_word<T: FromStr + VariantNames>(&mut self, name: &str) -> Option<T> {
        self.watcher.looked_for(name);
        match self.value(name)? {
            Value::String(text) if text.trim().is_empty() => None,
            _ => self.word(name),
        }
    }

    /// One of a word's variants, small or capital; `spellings` are all that it is read from.
    pub fn word_in_any_case<T: FromStr + VariantNames>(
        &mut self,
        name: &str,
        spellings: &[&str],
    ) -> Option<T> {
        let word = self.word(name);
        self.note_only(
            name,
            || json!({ "type": "string", "pattern": in_any_case(spellings), "examples": T::VARIANTS }),
        );
        word
    }

    /// A nested object.
    pub fn object<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut JsonObject<'_>) -> Option<T>,
    ) -> Option<T> {
        self.object_of_kind(name, "", read)
    }

    /// A nested object that has other fields for each word that its field `tag` may be.
    pub fn object_of_kind<T>(
        &mut self,
        name: &str,
        tag: &str,
        read: impl FnOnce(&mut JsonObject<'_>) -> Option<T>,
    ) -> Option<T> {
        self.watcher.looked_for(name);
        let path = self.at(name);
        match self.object.get(name).filter(|value| !value.is_null()) {
            None => None,
            Some(Value::Object(object)) => {
                let kind = object.get(tag).and_then(Value::as_str).unwrap_or_default();
                let mut body = JsonObject {
                    object,
                    path,
                    faults: self.faults,
                    known: self.known,
                    watcher: self.watcher.inner(name, || schema::object(tag), kind),
                };
                read(&mut body)
            }
            Some(_) => {
                self.faults.add(path, "must be an object");
                None
            }
        }
    }
}

/// What [`wayfare_domain::is_email`] takes, for the document; blanks at both ends are left out.
pub fn like_an_email() -> Value {
    json!({ "pattern": r"^\s*[!-?A-~]+@[!-\-/-?A-~]+(\.[!-\-/-?A-~]+)+\s*$" })
}

/// A text that is not blank and has nothing in it that is not seen, for the document; blanks at both ends are left out.
fn seen_only() -> Value {
    let unseen: String = INVISIBLE.iter().map(in_a_class).collect();
    json!({ "pattern": format!(r"^[^\u0000{unseen}]*[^\s\u0000{unseen}][^\u0000{unseen}]*$") })
}

/// The range as a class of a pattern has it.
fn in_a_class(range: &RangeInclusive<char>) -> String {
    let code = |letter: &char| format!(r"\u{:04x}", u32::from(*letter));
    format!("{}-{}", code(range.start()), code(range.end()))
}

/// Fits these words, small or capital: patterns have no flag for it.
fn in_any_case(words: &[&str]) -> String {
    let either = |letter: char| format!("[{}{}]", letter.to_ascii_uppercase(), letter.to_ascii_lowercase());
    let words: Vec<String> = words.iter().map(|word| word.chars().map(either).collect()).collect();
    format!("^({})$", words.join("|"))
}

/// A day as the API writes it, `YYYY-MM-DD`.
pub fn day(text: &str) -> Option<NaiveDate> {
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    day.filter(|_| text.len() == 10)
}

/// An exact number; none of more digits than a decimal has.
pub fn decimal(number: &serde_json::Number) -> Option<Decimal> {
    let text = number.to_string();
    let exact = Decimal::from_str_exact(&text).or_else(|_| Decimal::from_scientific(&text));
    exact.ok()
}

#[cfg(test)]
mod tests;
