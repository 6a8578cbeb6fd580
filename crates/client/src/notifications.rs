//! Notifications: what happened that concerns the caller (docs/API.md, Notifications).

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;
use wayfare_boxed::boxed;

use crate::{call::Ask, error::Result, list::List, session::part_of_session};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Notification {
    /// Its id.
    pub id: Uuid,
    /// What: `booking.confirmed`.
    pub kind: String,
    /// In two words.
    pub title: String,
    /// In a sentence.
    pub message: String,
    /// The same for programs.
    pub data: Value,
    /// Whether it was read.
    pub is_read: bool,
    /// When, UTC.
    pub read_at: Option<DateTime<Utc>>,
    /// When it happened, UTC.
    pub created_at: DateTime<Utc>,
}

#[derive(Deserialize)]
struct Unread {
    unread: u64,
}

part_of_session! {
    /// What the caller is told.
    Notifications, notifications
}

#[boxed]
impl Notifications<'_> {
    /// `GET /notifications`, newest first.
    pub fn list(&self) -> List<Notification> {
        List::of(self.0, &["notifications"], Vec::new())
    }

    /// `GET /notifications/unread-count`.
    pub async fn unread(&self) -> Result<u64> {
        let count: Unread = self.0.data(Ask::get(&["notifications", "unread-count"])).await?;
        Ok(count.unread)
    }

    /// `PUT /notifications/{id}/read`.
    pub async fn mark_read(&self, id: Uuid) -> Result<()> {
        self.0.done(Ask::set(&["notifications", &id.to_string(), "read"])).await
    }

    /// `PUT /notifications/read-all`.
    pub async fn mark_all_read(&self) -> Result<()> {
        self.0.done(Ask::set(&["notifications", "read-all"])).await
    }
}
