//! How fields look in the OpenAPI documents whose Rust types say less.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

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
