//! What is sent to webhooks, by kinds of events; the feed has the same events.

use chrono::{DateTime, Utc};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};
use uuid::Uuid;
use wayfare_contract::{
    Amount,
    schema::BookingRef,
    vocabulary::{BookingStatus, ProductKind, ReportStatus, ReportType, Role, Standing},
};
use wayfare_domain::EventKind;

/// Their section is their own: OpenAPI Generator writes them into one file, and the operations of a section into another of
/// the same name.
pub const TAG: &str = "Webhook events";

/// OpenAPI Generator writes a type of its own at each parameter of a Python client, but forgets to in `webhooks`: without
/// these words the whole client is no valid Python.
const TYPE_IN_PYTHON: &str = "x-py-typing";

/// Each published event, with what its receiver is sent and what it may answer.
pub fn all(schemas: &mut SchemaGenerator) -> Map<String, Value> {
    let mut webhooks = Map::new();
    for kind in EventKind::published() {
        webhooks.insert(kind.text().to_owned(), json!({ "post": sent(kind, schemas) }));
    }
    webhooks
}

fn sent(kind: EventKind, schemas: &mut SchemaGenerator) -> Value {
    let (name, fields) = data_of(kind);
    let schema = event(name, fields, schemas);
    json!({
        "operationId": format!("on{}", pascal(kind.text())),
        "summary": format!("{} has happened", kind.text()),
        "description": "Sent to every webhook that wants it, signed as Standard Webhooks. Answer 2xx within 10 s, and work \
                        afterwards; it may come twice, with the same `webhook-id`.",
        "tags": [TAG],
        "security": [],
        "parameters": [
            header("webhook-id", "The event's id."),
            header("webhook-timestamp", "When it was sent, seconds since 1970."),
            header("webhook-signature", "One or more of `v1,<base64>`, separated by spaces."),
        ],
        "requestBody": {
            "required": true,
            TYPE_IN_PYTHON: name,
            "content": { "application/json": { "schema": schema } },
        },
        "responses": {
            "2XX": { "description": "It is accepted, whatever body follows." },
            "410": { "description": "The webhook is switched off." },
            "default": { "description": "It is sent again, for three days." },
        },
    })
}

fn header(name: &str, text: &str) -> Value {
    json!({
        "name": name,
        "in": "header",
        "required": true,
        "description": text,
        "schema": { "type": "string" },
        TYPE_IN_PYTHON: "StrictStr",
    })
}

/// The schema of the events whose data has these fields, under its name.
fn event(name: &str, fields: &[&str], schemas: &mut SchemaGenerator) -> Value {
    let kinds: Vec<&str> =
        EventKind::published().filter(|kind| data_of(*kind).0 == name).map(EventKind::text).collect();
    let properties: Map<String, Value> =
        fields.iter().map(|field| ((*field).to_owned(), field_of(name, field, schemas))).collect();
    let id = schemas.subschema_for::<Uuid>();
    let data = format!("{name}Data");
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let whole = json!({
        "type": "object",
        "description": "An event as it is sent.",
        "properties": {
            "id": id,
            "type": { "type": "string", "enum": kinds },
            "timestamp": { "type": "string", "format": "date-time" },
            "data": reference(&data),
        },
        "required": ["id", "type", "timestamp", "data"],
    });
    let data_schema = json!({
        "type": "object",
        "description": "What is published of the event.",
        "properties": properties,
        "required": fields,
    });
    let definitions = schemas.definitions_mut();
    definitions.insert(data, data_schema);
    definitions.insert(name.to_owned(), whole);
    reference(name)
}

/// The name of the events that have the same data, and its fields.
fn data_of(kind: EventKind) -> (&'static str, &'static [&'static str]) {
    match (kind, kind.entity()) {
        (EventKind::RefundCompleted, _) => (
            "RefundEvent",
            &["booking_ref", "product", "refund_id", "amount", "cancellation_charge", "currency", "user_id"],
        ),
        (
            EventKind::RefundAdjusted
            | EventKind::BookingDebitNote
            | EventKind::BookingDebitDue
            | EventKind::BookingDebitWithdrawn,
            _,
        ) => ("RulingEvent", &["booking_ref", "product", "amount", "currency", "user_id"]),
        (
            EventKind::BookingHoldExpiring | EventKind::BookingHoldPriceEnding | EventKind::TicketAutoRefused,
            _,
        ) => (
            "HoldEvent",
            &[
                "booking_ref",
                "product",
                "status",
                "amount",
                "currency",
                "user_id",
                "pay_by",
                "price_guaranteed_until",
                "minutes_left",
            ],
        ),
        (_, "wallet") => data_of_wallet(kind),
        (_, "user") => ("UserEvent", &["user_id", "role", "status"]),
        (_, "report") => ("ReportEvent", &["report_id", "type", "status", "scope", "user_id"]),
        (_, "webhook") => ("WebhookEvent", &["webhook_id"]),
        _ => ("BookingEvent", &["booking_ref", "product", "status", "amount", "currency", "user_id"]),
    }
}

/// The same of a wallet's events.
fn data_of_wallet(kind: EventKind) -> (&'static str, &'static [&'static str]) {
    match kind {
        EventKind::WalletLowBalance => {
            ("LowBalanceEvent", &["wallet_id", "available", "threshold", "currency", "user_id"])
        }
        EventKind::WalletCreditLimitChanged => {
            ("CreditLimitEvent", &["wallet_id", "credit_limit", "currency"])
        }
        EventKind::WalletFrozen | EventKind::WalletUnfrozen => {
            ("WalletFrozenEvent", &["wallet_id", "is_active"])
        }
        _ => ("WalletEvent", &["wallet_id", "amount", "balance", "currency", "user_id"]),
    }
}

/// A field of the data of an event.
fn field_of(event: &str, field: &str, schemas: &mut SchemaGenerator) -> Value {
    fn of<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Value {
        schemas.subschema_for::<T>().to_value()
    }
    match (field, event) {
        ("booking_ref", _) => of::<BookingRef>(schemas),
        ("product", _) => json!({ "type": "string", "enum": ProductKind::WORDS }),
        ("status", "UserEvent") => of::<Standing>(schemas),
        ("status", "ReportEvent") => of::<ReportStatus>(schemas),
        ("status", _) => of::<BookingStatus>(schemas),
        ("type", _) => of::<ReportType>(schemas),
        ("role", _) => of::<Role>(schemas),
        ("scope", _) => json!({ "type": "string", "enum": ["organization", "user"] }),
        ("currency", _) => json!({ "type": "string", "pattern": "^[A-Z]{3}$", "description": "ISO 4217" }),
        ("is_active", _) => json!({ "type": "boolean" }),
        ("user_id", "WalletEvent" | "LowBalanceEvent") => of::<Option<Uuid>>(schemas),
        ("user_id" | "wallet_id" | "report_id" | "webhook_id", _) => of::<Uuid>(schemas),
        ("pay_by" | "price_guaranteed_until", _) => of::<Option<DateTime<Utc>>>(schemas),
        ("minutes_left", _) => json!({ "type": ["integer", "null"], "minimum": 0 }),
        ("refund_id", _) => json!({ "type": "string" }),
        _ => of::<Amount>(schemas),
    }
}

/// `BookingConfirmed` of `booking.confirmed`.
fn pascal(text: &str) -> String {
    text.split(['.', '_'])
        .filter_map(|word| word.split_at_checked(1))
        .map(|(first, rest)| first.to_uppercase() + rest)
        .collect()
}
