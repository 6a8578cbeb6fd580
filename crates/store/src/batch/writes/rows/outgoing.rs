//! What leaves an audit event: notifications for people, and the outbox for agencies' programs.

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{AuditEvent, IntegrationEvent, UserId};

use super::rows;

rows! {
    Notification of (event: &AuditEvent, notification: wayfare_domain::Notification) {
        org_id: Uuid = event.organization.uuid(),
        id: Uuid = event.id.uuid(),
        user_id: Option<Uuid> = notification.user.map(UserId::uuid),
        to_admins: bool = notification.admins,
        kind: &'static str = notification.kind,
        title: &'static str = notification.title,
        message: String = notification.message,
        data: Value = notification.data,
        created_at: DateTime<Utc> = event.at,
    }

    OutboxEvent of (event: &AuditEvent, published: IntegrationEvent) {
        org_id: Uuid = event.organization.uuid(),
        id: Uuid = event.id.uuid(),
        kind: &'static str = published.kind.text(),
        subject: String = published.subject,
        data: Value = published.data,
        created_at: DateTime<Utc> = event.at,
    }
}
