//! Notifications of the caller.

use actix_web::web::Path;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use wayfare_domain::{EventId, ListRequest};
use wayfare_operations::{Caller, events::notifications};

use super::common::record_id;
use crate::http::{
    App,
    extract::{Ask, Nothing, Query},
    reply::{Data, Message, Paged, Replied, data, message, paged},
};

/// `GET /notifications`.
pub async fn list(app: App, ask: Ask<Caller, Query<ListRequest>>) -> Replied<Paged<Notification>> {
    let Query(page) = ask.what;
    paged(notifications::list(&app.core, &ask.who, page).await?.map(Notification::from))
}

/// `GET /notifications/unread-count`.
pub async fn unread_count(app: App, ask: Ask<Caller, Nothing>) -> Replied<Data<Unread>> {
    data(Unread { unread: notifications::unread(&app.core, &ask.who).await? })
}

/// `PUT /notifications/{id}/read`.
pub async fn read(app: App, ask: Ask<Caller, Nothing>, id: Path<String>) -> Replied<Message> {
    notifications::read(&app.core, &ask.who, record_id(&id)?).await?;
    message("notification marked as read")
}

/// `PUT /notifications/read-all`.
pub async fn read_all(app: App, ask: Ask<Caller, Nothing>) -> Replied<Message> {
    notifications::read_all(&app.core, &ask.who).await?;
    message("all notifications marked as read")
}

/// The kinds of notifications (docs/API.md, Notifications).
const KINDS: [&str; 26] = [
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
#[derive(Serialize, JsonSchema)]
pub struct Notification {
    id: EventId,
    #[schemars(extend("enum" = KINDS))]
    kind: String,
    title: String,
    message: String,
    #[schemars(with = "Map<String, Value>")]
    data: Value,
    is_read: bool,
    read_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

impl From<notifications::Notification> for Notification {
    fn from(told: notifications::Notification) -> Self {
        Self {
            id: told.id,
            kind: told.kind,
            title: told.title,
            message: told.message,
            data: told.data,
            is_read: told.read_at.is_some(),
            read_at: told.read_at,
            created_at: told.created_at,
        }
    }
}

/// How many the caller has not read.
#[derive(Serialize, JsonSchema)]
pub struct Unread {
    /// So many.
    pub unread: i64,
}
