//! Suppliers' JSON read: typed, borrowing, and with the name of the field where it can't be.

use std::{borrow::Cow, collections::HashSet, fmt, ops::Deref};

use memchr::{memchr, memmem};
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_json::Value;
use wayfare_domain::{Currency, parse_currency};

use crate::json;
pub use crate::json::{Comparison, compare};

/// More than so much is not looked at for a body's first token.
const LONGEST_START: usize = 4096;

/// A body that is not what was asked for; says which field, where one is to blame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(String);

impl Unreadable {
    /// For this reason.
    pub fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

/// The whole body as this type.
///
/// # Errors
/// Where it is not, and why.
pub fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, Unreadable> {
    let body = trimmed(body);
    match json::parse(body, false) {
        Some(content) => Ok(content),
        // To keep account of the place costs more than the reading.
        None => json::parse_placed(body).map_err(Unreadable::new),
    }
}

/// The same, by one pass: none where it is not.
pub fn parse_if<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Option<T> {
    json::parse(trimmed(body), false)
}

/// The same for long answers that say much again and again, such as those to searches.
pub fn parse_repetitive<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Option<T> {
    json::parse(trimmed(body), true)
}

/// The whole body as a tree.
///
/// # Errors
/// Where it is no JSON, and why.
pub fn parse_tree(body: &[u8]) -> Result<Value, Unreadable> {
    serde_json::from_slice(trimmed(body)).map_err(Unreadable::new)
}

/// What we wrote ourselves as a tree, such as what must be remembered to book an offer.
///
/// # Errors
/// Where it is something else, and why.
pub fn read_tree<T: DeserializeOwned>(tree: &Value) -> Result<T, Unreadable> {
    parse(tree.to_string().as_bytes())
}

/// The body from its first token on: without a byte order mark, and without what JSON takes for no blank though it is one.
pub fn trimmed(body: &[u8]) -> &[u8] {
    // Nearly always the first byte is it.
    if body.first().is_none_or(|byte| byte.is_ascii_graphic()) {
        return body;
    }
    let start = body.get(..LONGEST_START.min(body.len())).unwrap_or(body);
    let blank = |c: &char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}');
    let text = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let length: usize = text.chars().take_while(blank).map(char::len_utf8).sum();
    body.get(length..).unwrap_or(body)
}

/// The body without any `\u0000` in its texts: PostgreSQL keeps no such text, so that an answer that has one could never
/// be written down.
pub(crate) fn without_nul(body: Vec<u8>) -> Vec<u8> {
    const NUL: &[u8] = br"\u0000";
    if memmem::find(&body, NUL).is_none() {
        return body;
    }
    let mut clean = Vec::with_capacity(body.len());
    let mut rest = body.as_slice();
    while let Some(place) = memchr(b'\\', rest) {
        let (plain, escape) = rest.split_at(place);
        clean.extend_from_slice(plain);
        // An escape may be of a backslash, after which `u0000` is what it says.
        let (escaped, after) = match escape.strip_prefix(NUL) {
            Some(after) => (&[][..], after),
            None => escape.split_at(escape.len().min(2)),
        };
        clean.extend_from_slice(escaped);
        rest = after;
    }
    clean.extend_from_slice(rest);
    clean
}

/// Their text, borrowed from the answer where it stands there as it is, without escapes.
#[derive(Debug, Default)]
pub struct Text<'a>(Cow<'a, str>);

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

impl<'a> From<Text<'a>> for Cow<'a, str> {
    fn from(text: Text<'a>) -> Self {
        text.0
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

/// A code in capitals and without blanks around, whichever way it is written.
pub fn code(theirs: &str) -> Cow<'_, str> {
    let code = theirs.trim();
    match code.bytes().any(|byte| byte.is_ascii_lowercase()) {
        true => Cow::Owned(code.to_ascii_uppercase()),
        false => Cow::Borrowed(code),
    }
}

/// The currency of a code, whichever way that is written.
pub fn currency(theirs: &str) -> Option<Currency> {
    parse_currency(&code(theirs))
}

/// Whether their word is this one, in whatever case.
pub fn is_word(theirs: &str, word: &str) -> bool {
    theirs.trim().eq_ignore_ascii_case(word)
}

/// The text, unless there is nothing in it.
pub fn filled<T: Deref<Target = str>>(text: &Option<T>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

/// Each text once, in order, and none that is empty.
pub fn distinct<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    let texts = texts.into_iter();
    texts.filter(|text| !text.is_empty() && seen.insert(*text)).collect()
}

/// Deserializes text through a function, so that a failure has the field's path.
pub struct Through<T>(
    /// What the text should have been.
    pub &'static str,
    /// Reads it.
    pub fn(&str) -> Option<T>,
);

impl<T> Visitor<'_> for Through<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

/// A currency that is money.
#[derive(Clone, Copy, Debug)]
pub struct Iso(
    /// Which one.
    pub Currency,
);

impl<'de> Deserialize<'de> for Iso {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Through("an ISO 4217 currency code", currency)).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_begins_with_its_first_token_whatever_is_before_it() {
        for start in
            ["", "\u{feff}", "\u{feff}\r\n", " \t\r\n\n", "\u{a0}\u{2028}", "\u{feff}\u{feff} \u{85}"]
        {
            let body = format!("{start}{{\"a\":1}}\r\n");
            assert_eq!(trimmed(body.as_bytes()), b"{\"a\":1}\r\n", "{start:?}");
            assert_eq!(parse::<serde_json::Value>(body.as_bytes()).unwrap()["a"], 1, "{start:?}");
        }
        for body in [&b""[..], b"\xff\xfe{", b"\xef\xbb", b"\xef\xbb\xbf", b"   "] {
            assert!(parse::<serde_json::Value>(body).is_err(), "{body:?}");
        }
    }

    #[test]
    fn nul_is_left_out_of_texts_and_nothing_else_is() {
        for (body, expected) in [
            (r#"{"a":"x\u0000y"}"#, r#"{"a":"xy"}"#),
            (r#"["\u0000","\u0000\u0000"]"#, r#"["",""]"#),
            (r#"["\\u0000"]"#, r#"["\\u0000"]"#),
            (r#"["\\\u0000\n\u0001\"\u0000"]"#, r#"["\\\n\u0001\""]"#),
            (r#"["\u00001"]"#, r#"["1"]"#),
            (r"\u0000\", r"\"),
            ("\\", "\\"),
            ("[1]", "[1]"),
        ] {
            let clean = without_nul(body.as_bytes().to_vec());
            assert_eq!(std::str::from_utf8(&clean).unwrap(), expected, "{body}");
        }
    }
}
