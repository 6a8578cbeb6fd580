//! How fields look in the OpenAPI documents whose Rust types say less.
//!
//! ```
//! use schemars::schema_for;
//! use wayfare_contract::Wallet;
//!
//! let wallet = schema_for!(Wallet);
//! assert_eq!(wallet.pointer("/properties/balance/description"), Some(&"What the wallet has, holds included.".into()));
//! ```

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{ACTOR_TYPES, vocabulary::BookingStatus};

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

/// The reference of a supplier order.
pub struct OrderReference;

impl JsonSchema for OrderReference {
    fn schema_name() -> Cow<'static, str> {
        "OrderReference".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^(FA|HTL)-[0-9A-Z]{8}-[0-9]+$",
            "description": "Our own reference of one supplier order, `FA-7K2M9Q4X-1`.",
        })
    }
}

/// The status of a booking where it is written in capitals.
pub struct CapitalStatus;

impl JsonSchema for CapitalStatus {
    fn schema_name() -> Cow<'static, str> {
        "CapitalStatus".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<String> = BookingStatus::WORDS.iter().map(|word| word.to_uppercase()).collect();
        json_schema!({
            "type": "string",
            "enum": words,
            "description": "Where a booking stands, in capitals; otherwise as BookingStatus.",
        })
    }
}

/// Who did something, as timelines name them.
pub struct ActorWord;

impl JsonSchema for ActorWord {
    fn schema_name() -> Cow<'static, str> {
        "ActorWord".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "enum": ACTOR_TYPES,
            "description": "A user of the agency, the operator, or the service itself.",
        })
    }
}

/// The dotted name of an event in a timeline. Its words are added by the server, which has them.
pub struct TimelineAction;

impl JsonSchema for TimelineAction {
    fn schema_name() -> Cow<'static, str> {
        "TimelineAction".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "What happened to a booking. Later versions may add kinds: pass over what you don't know.",
        })
    }
}

/// What a thing is called within one answer: `s1`, `b2`.
pub struct Name;

impl JsonSchema for Name {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[a-z][0-9]+$" })
    }
}

/// Types that have a second name in the documents.
macro_rules! also_named {
    ($($name:ident of $kind:ty,)*) => {$(
        #[doc = concat!("`", stringify!($kind), "` under another name.")]
        pub struct $name;

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$kind>::json_schema(generator)
            }
        }
    )*};
}

pub(crate) use also_named;
