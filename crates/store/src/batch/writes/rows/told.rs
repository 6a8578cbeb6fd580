//! What is told of events: to people, and to agencies' own programs.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;
use wayfare_domain::{Event, Notice as Told, Publication, UserId};

#[derive(Serialize)]
pub(in crate::batch::writes) struct Notice {
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

impl Notice {
    pub(in crate::batch::writes) fn of(event: &Event) -> Option<Self> {
        let told = Told::of(event)?;
        Some(Self {
            org_id: event.organization.uuid(),
            id: event.id.uuid(),
            user_id: told.user.map(UserId::uuid),
            to_admins: told.admins,
            kind: told.kind,
            title: told.title,
            message: told.message,
            data: told.data,
            created_at: event.at,
        })
    }
}

#[derive(Serialize)]
pub(in crate::batch::writes) struct PublicEvent {
    org_id: Uuid,
    id: Uuid,
    kind: &'static str,
    subject: String,
    data: Value,
    created_at: DateTime<Utc>,
}

impl PublicEvent {
    pub(in crate::batch::writes) fn of(event: &Event) -> Option<Self> {
        let publication = Publication::of(event)?;
        Some(Self {
            org_id: event.organization.uuid(),
            id: event.id.uuid(),
            kind: publication.kind,
            subject: publication.subject,
            data: publication.data,
            created_at: event.at,
        })
    }
}
