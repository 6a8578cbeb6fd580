//! Webhooks and their deliveries, as they are shown.

use wayfare_contract::{Delivery, Webhook, WebhookWithSecret};
use wayfare_operations::events::webhooks;

pub fn webhook(webhook: webhooks::Webhook) -> Webhook {
    Webhook {
        id: webhook.id.uuid(),
        url: webhook.url,
        description: webhook.description,
        event_types: webhook.event_types,
        is_active: webhook.is_active,
        disabled_reason: webhook.disabled_reason,
        created_at: webhook.created_at,
        updated_at: webhook.updated_at,
    }
}

pub fn with_secret(stored: webhooks::Webhook, secret: String) -> WebhookWithSecret {
    WebhookWithSecret {
        previous_secret_until: stored.previous_until,
        webhook: webhook(stored),
        secret: secret.into(),
    }
}

pub fn delivery(delivery: webhooks::Delivery) -> Delivery {
    let is_pending = delivery.state == webhooks::DeliveryState::Pending;
    Delivery {
        id: delivery.event.uuid(),
        event_type: delivery.kind,
        sequence: delivery.sequence,
        status: delivery.state.as_ref().into(),
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
