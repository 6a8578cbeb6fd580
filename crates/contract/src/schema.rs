//! How fields look in the OpenAPI documents whose Rust types say less.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::EVENT_TYPES;

/// The code of a currency, for `schemars(with = "…")`.
pub struct CurrencyCode;

impl JsonSchema for CurrencyCode {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "CurrencyCode".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[A-Z]{3}$", "description": "ISO 4217" })
    }
}

/// The reference of a booking.
pub struct BookingRef;

impl JsonSchema for BookingRef {
    fn schema_name() -> Cow<'static, str> {
        "BookingRef".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^(FA|HTL)-[0-9A-Z]{8}$",
            "description": "The public reference of a booking: `FA-` or `HTL-` and eight characters of Crockford's base 32.",
        })
    }
}

/// A moment, or "" where there was none.
pub struct LastAllocation;

impl JsonSchema for LastAllocation {
    fn schema_name() -> Cow<'static, str> {
        "LastAllocation".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "string" }],
            "description": "A moment, or \"\" where there was none.",
        })
    }
}

/// The kind of a published event.
pub struct EventType;

impl JsonSchema for EventType {
    fn schema_name() -> Cow<'static, str> {
        "EventType".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "enum": EVENT_TYPES,
            "description": "What happened. Later versions may add kinds: pass over what you don't know.",
        })
    }
}
