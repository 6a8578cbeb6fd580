//! Idempotency keys and what was made under them.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use wayfare_domain::{PackageId, ReportId, StepId, TransferId, UserId, WebhookId};

use super::{Row, bytea};
use crate::access::idempotency::{CreatedResource, NewKey};

#[derive(Serialize)]
pub(in crate::batch::writes) struct Key {
    org_id: Uuid,
    user_id: Uuid,
    key: String,
    fingerprint: String,
    booking_ref: Option<String>,
    effect_id: Option<Uuid>,
    made_user_id: Option<Uuid>,
    made_transfer_id: Option<Uuid>,
    made_package_id: Option<Uuid>,
    made_webhook_id: Option<Uuid>,
    made_report_id: Option<Uuid>,
    created_at: DateTime<Utc>,
}

impl Row for Key {}

impl Key {
    pub(in crate::batch::writes) fn of(key: NewKey<'_>, created: CreatedResource, at: DateTime<Utc>) -> Self {
        let (mut booking, mut step, mut user, mut transfer) = (None, None, None, None);
        let (mut package, mut webhook, mut report) = (None, None, None);
        match created {
            CreatedResource::Step(of, made) => (booking, step) = (Some(of), Some(made)),
            CreatedResource::User(made) => user = Some(made),
            CreatedResource::Transfer(made) => transfer = Some(made),
            CreatedResource::Package(made) => package = Some(made),
            CreatedResource::Webhook(made) => webhook = Some(made),
            CreatedResource::Report(made) => report = Some(made),
        }
        Self {
            org_id: key.organization.uuid(),
            user_id: key.user.uuid(),
            key: key.key.to_owned(),
            fingerprint: bytea(key.fingerprint),
            booking_ref: booking.map(|booking| booking.to_string()),
            effect_id: step.map(StepId::uuid),
            made_user_id: user.map(UserId::uuid),
            made_transfer_id: transfer.map(TransferId::uuid),
            made_package_id: package.map(PackageId::uuid),
            made_webhook_id: webhook.map(WebhookId::uuid),
            made_report_id: report.map(ReportId::uuid),
            created_at: at,
        }
    }
}
