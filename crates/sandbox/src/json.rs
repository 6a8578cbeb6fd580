//! Exact numbers, and bodies that are put together of several objects.

use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::Value;

/// A JSON number, exact.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Number(#[serde(with = "rust_decimal::serde::arbitrary_precision")] pub(crate) Decimal);

/// Things of a table are stored by their code.
macro_rules! by_code {
    ($type:ty, $read:ty, $code:ident, $find:expr) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$code)
            }
        }

        impl<'de> serde::Deserialize<'de> for $read {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let code = String::deserialize(deserializer)?;
                let unknown =
                    || serde::de::Error::custom(format!("no {} {code}", stringify!($type).to_lowercase()));
                $find(&code).ok_or_else(unknown)
            }
        }
    };
}

pub(crate) use by_code;

pub(crate) fn insert(body: &mut Value, name: &str, value: impl Into<Value>) {
    if let Value::Object(members) = body {
        members.insert(name.to_owned(), value.into());
    }
}

pub(crate) fn merged(mut one: Value, other: Value) -> Value {
    if let (Value::Object(members), Value::Object(others)) = (&mut one, other) {
        members.extend(others);
    }
    one
}

/// An object without those of its members that are null.
pub(crate) fn without_nulls(mut body: Value) -> Value {
    if let Value::Object(members) = &mut body {
        members.retain(|_, value| !value.is_null());
    }
    body
}
