//! Refuses a JSON text in which an object has a key twice: two readers of it could each take another of the two values.

use std::{collections::HashSet, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};

/// Reads any JSON and keeps nothing; a key that stands twice in its object is an error.
pub struct UniqueKeys;

impl<'de> Deserialize<'de> for UniqueKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for UniqueKeys {
    type Value = Self;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = fields.next_key::<String>()? {
            if !names.insert(name) {
                return Err(A::Error::custom("a key stands twice"));
            }
            fields.next_value::<Self>()?;
        }
        Ok(self)
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
            assert_eq!(read.is_ok(), expected, "{text}");
        }
    }
}
