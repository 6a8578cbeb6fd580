//! What answers look like: the API's field names, nothing else.

pub mod after_sales;
pub mod booking;
pub mod breakdown;
pub mod fare_rules;
pub mod fares;
pub mod hotel_price;
pub mod hotel_search;
pub mod identity;
pub mod itinerary;
pub mod notifications;
pub mod organization;
pub mod packages;
pub mod pieces;
pub mod pnr;
pub mod price;
pub mod price_rules;
pub mod reports;
pub mod search;
pub mod snapshot;
pub mod stay;
pub mod wallet;
pub mod webhooks;

use std::borrow::Cow;

use chrono::NaiveDateTime;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// A local time without zone, as the API prints it (P-66).
pub fn local(time: NaiveDateTime) -> String {
    let mut text = format!("{time:?}");
    // Without a fraction of a second.
    text.truncate("2026-01-31T23:59:59".len());
    text
}

/// How a currency is described: its type is another crate's, which knows nothing of schemas.
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
