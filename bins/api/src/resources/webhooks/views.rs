//! Webhooks and their deliveries.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use strum::VariantNames;
use wayfare_domain::{EventId, WebhookId};
use wayfare_operations::events::webhooks;

use crate::resources::common::EventType;

/// A webhook.
#[derive(Serialize, JsonSchema)]
pub struct Webhook {
    id: WebhookId,
    url: String,
    description: String,
    #[schemars(with = "Vec<EventType>")]
    event_types: Vec<String>,
    is_active: bool,
    disabled_reason: Option<String>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<webhooks::Webhook> for Webhook {
    fn from(webhook: webhooks::Webhook) -> Self {
        Self {
            id: webhook.id,
            url: webhook.url,
            description: webhook.description,
            event_types: webhook.event_types,
            is_active: webhook.is_active,
            disabled_reason: webhook.disabled_reason,
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
        }
    }
}

/// A webhook with its secret, which is shown when it is made and when it is rotated.
#[derive(Serialize, JsonSchema)]
pub struct WebhookWithSecret {
    #[serde(flatten)]
    webhook: Webhook,
    secret: String,
    previous_secret_until: Option<DateTime<Utc>>,
}

impl WebhookWithSecret {
    /// This webhook with this secret.
    pub fn of(webhook: webhooks::Webhook, secret: String) -> Self {
        Self { previous_secret_until: webhook.previous_until, webhook: webhook.into(), secret }
    }
}

/// An event at a webhook.
#[derive(Serialize, JsonSchema)]
pub struct Delivery {
    id: EventId,
    #[schemars(with = "EventType")]
    event_type: String,
    sequence: i64,
    #[schemars(extend("enum" = webhooks::DeliveryState::VARIANTS))]
    status: &'static str,
    attempts: i32,
    next_attempt_at: Option<DateTime<Utc>>,
    last_attempt_at: Option<DateTime<Utc>>,
    delivered_at: Option<DateTime<Utc>>,
    response_status: Option<i16>,
    response_excerpt: Option<String>,
    duration_ms: Option<i32>,
    created_at: DateTime<Utc>,
}

impl From<webhooks::Delivery> for Delivery {
    fn from(delivery: webhooks::Delivery) -> Self {
        let is_pending = delivery.state == webhooks::DeliveryState::Pending;
        Self {
            id: delivery.event,
            event_type: delivery.kind,
            sequence: delivery.sequence,
            status: delivery.state.into(),
            attempts: delivery.attempts,
            next_attempt_at: is_pending.then_some(delivery.due_at),
            last_attempt_at: delivery.attempted_at,
            delivered_at: delivery.delivered_at,
            response_status: delivery.status,
            response_excerpt: delivery.answer,
            duration_ms: delivery.duration_ms,
            created_at: delivery.created_at,
        }
    }
}
