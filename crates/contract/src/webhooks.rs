//! What happened, for an agency's own programs: the feed, and webhooks with their deliveries.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use serde_json::Map;
use serde_json::Value;
use uuid::Uuid;

use crate::vocabulary::DeliveryStatus;

/// The events that are published, of which a webhook may choose.
pub const EVENT_TYPES: &[&str] = &[
    "booking.requested",
    "booking.confirmed",
    "booking.failed",
    "booking.cancel_requested",
    "booking.cancelled",
    "booking.cancel_refused",
    "booking.partly_cancelled",
    "booking.rescheduled",
    "booking.lapsed",
    "booking.hold_expiring",
    "booking.hold_price_ending",
    "booking.hold_paid",
    "booking.cancelled_by_supplier",
    "booking.hotel_confirmed",
    "booking.hotel_unconfirmed",
    "booking.airline_changed",
    "booking.change_expiring",
    "booking.change_accepted",
    "booking.change_accept_refused",
    "booking.change_refused",
    "booking.changed",
    "booking.journey_change_refused",
    "booking.service_requested",
    "booking.service_added",
    "booking.service_refused",
    "ticket.requested",
    "ticket.issued",
    "ticket.refused",
    "ticket.auto_refused",
    "refund.completed",
    "refund.adjusted",
    "booking.debit_note",
    "booking.debit_due",
    "booking.debit_withdrawn",
    "wallet.allocated",
    "wallet.deallocated",
    "wallet.topped_up",
    "wallet.deducted",
    "wallet.low_balance",
    "wallet.credit_limit_changed",
    "wallet.frozen",
    "wallet.unfrozen",
    "report.ready",
    "report.failed",
    "user.created",
    "user.suspended",
    "user.activated",
    "user.deleted",
    "webhook.disabled",
    "webhook.test",
];

/// The kind of a published event.
#[cfg(feature = "schema")]
pub struct EventType;

#[cfg(feature = "schema")]
impl schemars::JsonSchema for EventType {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EventType".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "enum": EVENT_TYPES,
            "description": "What happened. Later versions may add kinds: pass over what you don't know.",
        })
    }
}

/// An event of the feed: as it is delivered, and its number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FeedEvent"))]
pub struct Event {
    /// The event's number in the agency's feed, from 1 without gaps; a webhook does not bring it.
    #[cfg_attr(feature = "schema", schemars(with = "i64"))]
    pub sequence: Option<i64>,
    /// Its id: the same each time it comes.
    pub id: Uuid,
    /// What happened.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(with = "EventType"))]
    pub kind: String,
    /// When it happened, UTC.
    pub timestamp: DateTime<Utc>,
    /// What is published of the event; the webhooks of this document have it by kind.
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub data: Value,
}

/// A part of the feed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Feed"))]
pub struct FeedPart {
    /// The events, in order of their numbers.
    pub events: Vec<Event>,
    /// The number to continue after.
    pub next: i64,
    /// True if there are more events after these.
    pub has_more: bool,
}

/// Where events are to be sent to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WebhookRequest"))]
pub struct WebhookDraft {
    /// Where events are sent: https, an address that is public.
    pub url: String,
    /// For people, at most 500 characters; default "".
    pub description: String,
    /// The events that are sent; empty: all. A `webhook.test` is sent whatever stands here.
    pub event_types: Vec<String>,
    /// Whether anything is sent to it; default true. `PUT` without it changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_active: Option<bool>,
}
body! { WebhookDraft of(url: &str) { description: &str, event_types: Vec<String>, is_active: bool } }

/// A webhook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Webhook {
    /// Its id.
    pub id: Uuid,
    /// Where events are sent.
    pub url: String,
    /// What it is, in words.
    pub description: String,
    /// The events that are sent; empty: all. A `webhook.test` is sent whatever stands here.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<EventType>"))]
    pub event_types: Vec<String>,
    /// Whether anything is sent to it.
    pub is_active: bool,
    /// Why the service switched the webhook off; null if it didn't.
    pub disabled_reason: Option<String>,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
    /// When it was last changed, UTC.
    pub updated_at: DateTime<Utc>,
}

/// A webhook with its secret, which is shown when it is made and when it is rotated.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebhookWithSecret {
    /// The webhook.
    #[serde(flatten)]
    pub webhook: Webhook,
    /// Signs what is sent; shown only when it is made or rotated.
    #[serde(with = "crate::secret")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub secret: SecretString,
    /// Until when the secret before this one still signs; null: it doesn't.
    pub previous_secret_until: Option<DateTime<Utc>>,
}

/// An event at a webhook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Delivery {
    /// The event's id, which is sent as `webhook-id`.
    pub id: Uuid,
    /// What happened.
    #[cfg_attr(feature = "schema", schemars(with = "EventType"))]
    pub event_type: String,
    /// The event's number in the agency's feed.
    pub sequence: i64,
    /// Where it stands.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = DeliveryStatus::WORDS)))]
    pub status: DeliveryStatus,
    /// How often it was tried.
    pub attempts: i32,
    /// When it is tried next; null if it isn't.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// When it was last tried; null: never.
    pub last_attempt_at: Option<DateTime<Utc>>,
    /// When the receiver accepted it; null until then.
    pub delivered_at: Option<DateTime<Utc>>,
    /// The receiver's status; null while there is no answer.
    pub response_status: Option<i16>,
    /// The beginning of the receiver's answer, or why there was none.
    pub response_excerpt: Option<String>,
    /// How long it took, milliseconds.
    pub duration_ms: Option<i32>,
    /// When it was published, UTC.
    pub created_at: DateTime<Utc>,
}
