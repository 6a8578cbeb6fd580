//! Notifications.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use wayfare_domain::EventId;
use wayfare_operations::events::notifications;

/// What the caller was told of an event.
#[derive(Serialize, JsonSchema)]
pub struct Notification {
    id: EventId,
    kind: String,
    title: String,
    message: String,
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
