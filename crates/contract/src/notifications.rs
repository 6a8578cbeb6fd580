//! What happened that concerns a user, for people.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use serde_json::Map;
use serde_json::Value;
use uuid::Uuid;

/// The kinds of notifications.
pub const NOTIFICATION_KINDS: &[&str] = &[
    "booking.confirmed",
    "booking.cancelled",
    "booking.failed",
    "booking.rescheduled",
    "booking.hold_expiring",
    "booking.airline_changed",
    "booking.change_expiring",
    "booking.hold_price_ending",
    "booking.hold_paid",
    "booking.lapsed",
    "booking.cancelled_by_supplier",
    "booking.hotel_confirmed",
    "booking.hotel_unconfirmed",
    "ticket.issued",
    "ticket.auto_refused",
    "refund.completed",
    "refund.adjusted",
    "booking.debit_note",
    "booking.debit_due",
    "booking.debit_withdrawn",
    "wallet.allocated",
    "wallet.topped_up",
    "wallet.low_balance",
    "report.ready",
    "report.failed",
    "security.password_changed",
];

/// What the caller was told of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Notification {
    /// Its id.
    pub id: Uuid,
    /// What it is about.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = NOTIFICATION_KINDS)))]
    pub kind: String,
    /// The heading.
    pub title: String,
    /// What happened, in a sentence.
    pub message: String,
    /// The same for programs.
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub data: Value,
    /// Whether the caller has read it.
    pub is_read: bool,
    /// When the caller read it, UTC; null: not yet.
    pub read_at: Option<DateTime<Utc>>,
    /// When it happened, UTC.
    pub created_at: DateTime<Utc>,
}

/// How many the caller has not read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unread {
    /// So many.
    pub unread: i64,
}
