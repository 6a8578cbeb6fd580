//! Reads JSON and refuses a key that an object has twice: two readers of it could each take another of the two values.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value, map::Entry};

/// As which `serde_json` shows a number that is no integer of 64 bits, with all its digits: an object of this key and a text.
const DIGITS: &str = "$serde_json::private::Number";

/// Any JSON, read once; a key that stands twice in its object is an error.
pub struct UniqueKeys(pub Value);

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyJson).map(Self)
    }
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(UniqueKeys(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.is_empty() && name == DIGITS {
                let number: Number = fields.next_value::<String>()?.parse().map_err(A::Error::custom)?;
                return Ok(Value::Number(number));
            }
            match object.entry(name) {
                Entry::Occupied(_) => return Err(A::Error::custom("a key stands twice")),
                Entry::Vacant(field) => {
                    let UniqueKeys(value) = fields.next_value()?;
                    field.insert(value);
                }
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stands_once_in_its_object() {
        for (text, expected) in [
            (r#"{"a": 1, "b": [{"a": 1.50}, {"a": -1e400}], "c": {"a": null}}"#, true),
            (r#"[true, "a", "a", 18446744073709551616]"#, true),
            (r#"{"a": 1, "a": 1}"#, false),
            (r#"{"a": {"b": 1, "c": 2, "b": 3}}"#, false),
            (r#"[{"a": 1, "\u0061": 1}]"#, false),
        ] {
            let read: Result<UniqueKeys, _> = serde_json::from_str(text);
            let expected: Option<Value> = expected.then(|| serde_json::from_str(text).unwrap());
            assert_eq!(read.ok().map(|UniqueKeys(value)| value), expected, "{text}");
        }
    }
}
