//! Notifications: what happened that concerns the caller (docs/API.md, Notifications).

use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{Notification, Unread};

use crate::{call::Ask, error::Result, list::List, session::part_of_session};

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
    pub async fn unread(&self) -> Result<i64> {
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
