#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

use std::{borrow::Cow, collections::BTreeMap, fmt, sync::LazyLock};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, Unexpected, Visitor},
};
use serde_json::{Number, Value, value::RawValue};

#[doc(hidden)]
pub use serde;

/// By this name serde_json is asked for a value's text, and gives it as a map of one member. Others hand on what they hold.
const RAW: &str = "$serde_json::private::RawValue";

/// So deep serde_json reads.
const DEEPEST: usize = 128;

/// So many digits a float of 64 bits always keeps.
const SURE_DIGITS: usize = 15;

/// A number that a float prints otherwise.
const NO_FLOAT: &str = "1.10";

/// Whether this program's serde_json keeps all digits anyway, by its feature `arbitrary_precision`.
pub fn serde_json_keeps_digits() -> bool {
    static KEEPS: LazyLock<bool> = LazyLock::new(|| {
        let number: Result<Number, _> = serde_json::from_str(NO_FLOAT);
        number.is_ok_and(|number| number.to_string() == NO_FLOAT)
    });
    *KEEPS
}

/// A number as it was written, or what stands in a text: for `#[serde(deserialize_with = …)]`. What is no number is its JSON, of which
/// nobody can make one.
///
/// # Errors
/// For a number that was a float before and may have lost digits there.
pub fn exact_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let json = Json::deserialize(deserializer)?;
    match json.text.starts_with('"') {
        true => serde_json::from_str(&json.text).map_err(D::Error::custom),
        false => json.digits().map_err(D::Error::custom),
    }
}

/// A number as it was written, and nothing else: what we wrote ourselves has no texts for numbers.
///
/// # Errors
/// For what is no number, and for one that was a float before and may have lost digits there.
pub fn exact_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let json = Json::deserialize(deserializer)?;
    match is_number(&json.text) {
        true => json.digits().map_err(D::Error::custom),
        false => Err(D::Error::invalid_type(Unexpected::Other("other JSON"), &"a number")),
    }
}

/// Any JSON. A number that is no integer of 64 bits is the text of its digits where it is read out of text.
#[derive(Debug)]
pub struct Tree(pub Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        json.tree(DEEPEST).map(Self).map_err(D::Error::custom)
    }
}

/// A value's JSON, and whether it has surely been read out of text: a `Value` prints its floats.
struct Json<'a> {
    text: Cow<'a, str>,
    is_as_written: bool,
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(RAW, AnyJson)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut member: A) -> Result<Json<'de>, A::Error> {
        member.next_key::<IgnoredAny>()?;
        let Text(text) = member.next_value()?;
        let is_as_written = matches!(text, Cow::Borrowed(_));
        Ok(Json { text, is_as_written })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        let held = Value::deserialize(deserializer)?;
        Ok(Json { text: Cow::Owned(held.to_string()), is_as_written: false })
    }
}

#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Json<'_> {
    /// A number's own text.
    fn digits(self) -> Result<String, String> {
        match self.is_as_written || !is_float(&self.text) {
            true => Ok(self.text.into_owned()),
            false => unrounded(self.text.into_owned()),
        }
    }

    fn tree(self, deepest: usize) -> serde_json::Result<Value> {
        let inner = |part: &RawValue| match deepest.checked_sub(1) {
            Some(deepest) => {
                let text = Cow::Borrowed(part.get());
                Json { text, is_as_written: self.is_as_written }.tree(deepest)
            }
            None => Err(serde_json::Error::custom("recursion limit exceeded")),
        };
        match self.text.as_bytes().first() {
            Some(b'{') => {
                let members: BTreeMap<String, &RawValue> = serde_json::from_str(&self.text)?;
                members.into_iter().map(|(name, part)| Ok((name, inner(part)?))).collect()
            }
            Some(b'[') => {
                serde_json::from_str::<Vec<&RawValue>>(&self.text)?.into_iter().map(inner).collect()
            }
            _ if is_float(&self.text) => self.digits().map(Value::String).map_err(serde_json::Error::custom),
            _ => serde_json::from_str(&self.text),
        }
    }
}

fn is_number(json: &str) -> bool {
    json.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// Whether it is a number for which serde_json takes a float.
fn is_float(json: &str) -> bool {
    is_number(json)
        && (json.contains(['.', 'e', 'E']) || json.parse::<u64>().is_err() && json.parse::<i64>().is_err())
}

/// The number again, which was a float until now, where it has surely kept all of its digits.
fn unrounded(float: String) -> Result<String, String> {
    let digits = float.bytes().filter(u8::is_ascii_digit).skip_while(|digit| *digit == b'0').count();
    match digits > SURE_DIGITS && !serde_json_keeps_digits() {
        true => Err(format!("{float} may have been rounded: read it out of JSON's text")),
        false => Ok(float),
    }
}

/// Reads types whose flattened parts have numbers that must keep their digits. `#[serde(remote = "Self")]` on each makes what these
/// call. Such a number's type has to take a text with digits, too: it is one there.
#[macro_export]
macro_rules! keep_digits {
    ($($type:ident),+) => {$(
        impl $crate::serde::Serialize for $type {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, serializer)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let $crate::Tree(tree) = $crate::serde::Deserialize::deserialize(deserializer)?;
                Self::deserialize(tree).map_err($crate::serde::de::Error::custom)
            }
        }
    )+};
}
