//! Bodies that are put together of several objects.

use serde_json::Value;

/// Adds a member to an object.
pub(crate) fn insert(body: &mut Value, name: &str, value: impl Into<Value>) {
    if let Value::Object(members) = body {
        members.insert(name.to_owned(), value.into());
    }
}

/// The members of both objects.
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
