//! What leaves an audit event: notifications for people, and the outbox for agencies' programs.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{AuditEvent, IntegrationEvent, UserId};

use super::Row;

#[derive(Serialize)]
pub(in crate::batch::writes) struct Notification {
    org_id: Uuid,
    id: Uuid,
    user_id: Option<Uuid>,
    to_admins: bool,
    kind: &'static str,
    title: &'static str,
    message: String,
    data: Value,
    created_at: DateTime<Utc>,
}

impl Row for Notification {}

impl Notification {
    pub(in crate::batch::writes) fn of(event: &AuditEvent) -> Option<Self> {
        let notification = wayfare_domain::Notification::of(event)?;
        Some(Self {
            org_id: event.organization.uuid(),
            id: event.id.uuid(),
            user_id: notification.user.map(UserId::uuid),
            to_admins: notification.admins,
            kind: notification.kind,
            title: notification.title,
            message: notification.message,
            data: notification.data,
            created_at: event.at,
        })
    }
}

#[derive(Serialize)]
pub(in crate::batch::writes) struct OutboxEvent {
    org_id: Uuid,
    id: Uuid,
    kind: &'static str,
    subject: String,
    data: Value,
    created_at: DateTime<Utc>,
}

impl Row for OutboxEvent {}

impl OutboxEvent {
    pub(in crate::batch::writes) fn of(event: &AuditEvent) -> Option<Self> {
        let published = IntegrationEvent::of(event)?;
        Some(Self {
            org_id: event.organization.uuid(),
            id: event.id.uuid(),
            kind: published.kind.text(),
            subject: published.subject,
            data: published.data,
            created_at: event.at,
        })
    }
}
