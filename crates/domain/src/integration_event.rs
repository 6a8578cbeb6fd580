//! Integration events: which audit events an agency's programs may read, and what of them.

use serde_json::{Map, Value};

use crate::AuditEvent;

/// The events that are published, by their actions; `docs/API.md` shows an example of each kind.
pub const PUBLISHED: [&str; 33] = [
    "booking.requested",
    "booking.confirmed",
    "booking.failed",
    "booking.cancel_requested",
    "booking.cancelled",
    "booking.cancel_refused",
    "booking.partly_cancelled",
    "booking.rescheduled",
    "booking.lapsed",
    "booking.airline_changed",
    "booking.service_requested",
    "booking.service_added",
    "booking.service_refused",
    "ticket.requested",
    "ticket.issued",
    "ticket.refused",
    "refund.completed",
    "wallet.allocated",
    "wallet.deallocated",
    "wallet.topped_up",
    "wallet.deducted",
    "wallet.low_balance",
    "wallet.credit_limit_changed",
    "wallet.frozen",
    "wallet.unfrozen",
    "report.ready",
    "report.failed",
    "user.created",
    "user.suspended",
    "user.activated",
    "user.deleted",
    "webhook.disabled",
    WEBHOOK_TEST,
];

/// The action of the event that an agency sends to one of its own webhooks, to see whether it arrives.
pub const WEBHOOK_TEST: &str = "webhook.test";

/// An audit event as an agency's own programs read it: no secrets, nothing about travellers, no free texts.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegrationEvent {
    /// The event's action.
    pub kind: &'static str,
    /// What it is about: events about one thing are sent in the order in which they happened.
    pub subject: String,
    /// What may be published of it.
    pub data: Value,
}

impl IntegrationEvent {
    /// What is published of this event, if anything.
    pub fn of(event: &AuditEvent) -> Option<Self> {
        // A test event waits for no other: it is sent because an earlier one failed.
        let which = match event.action {
            WEBHOOK_TEST => format!(":{}", event.id),
            _ => String::new(),
        };
        PUBLISHED.contains(&event.action).then(|| Self {
            kind: event.action,
            subject: format!("{}:{}{which}", event.entity_type, event.entity_id),
            data: Value::Object(facts(event)),
        })
    }
}

/// What of an event may be published: its entity's name, and those of its values that are known to be harmless. Texts that
/// people or suppliers wrote are not.
pub(crate) fn facts(event: &AuditEvent) -> Map<String, Value> {
    let (name, fields): (_, &[&str]) = match event.entity_type {
        "booking" => (
            "booking_ref",
            &[
                "product",
                "status",
                "amount",
                "currency",
                "user_id",
                "refund_id",
                "cancellation_charge",
            ],
        ),
        "wallet" => (
            "wallet_id",
            &[
                "amount",
                "balance",
                "available",
                "threshold",
                "credit_limit",
                "currency",
                "is_active",
                "user_id",
            ],
        ),
        "report" => ("report_id", &["type", "status", "scope", "user_id"]),
        "user" => ("user_id", &["role", "status"]),
        "webhook" => ("webhook_id", &[]),
        _ => ("id", &[]),
    };
    let values = event.new_value.as_ref().or(event.old_value.as_ref());
    let mut facts = Map::from_iter([(name.to_owned(), Value::from(event.entity_id.clone()))]);
    for field in fields {
        if let Some(value) = values.and_then(|values| values.get(field)) {
            facts.insert((*field).to_owned(), value.clone());
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::{Actor, EventId, OrganizationId};

    fn event(action: &'static str, entity_type: &'static str, new_value: Option<Value>) -> AuditEvent {
        let at = "2026-03-01T00:00:00Z".parse().unwrap();
        AuditEvent {
            id: EventId::at(at),
            organization: OrganizationId::at(at),
            actor: Actor::system(),
            action,
            entity_type,
            entity_id: "FA-7K2M9QX4".to_owned(),
            old_value: None,
            new_value,
            at,
        }
    }

    #[test]
    fn only_what_is_known_to_be_harmless_is_published() {
        let values: Value = serde_json::from_str(
            r#"{"status":"failed","amount":4810.50,"currency":"INR","failure":"Asha Rao is on a list","reason":"secret"}"#,
        )
        .unwrap();
        let told = IntegrationEvent::of(&event("booking.failed", "booking", Some(values))).unwrap();
        assert_eq!(told.subject, "booking:FA-7K2M9QX4");
        assert_eq!(
            told.data.to_string(),
            r#"{"amount":4810.50,"booking_ref":"FA-7K2M9QX4","currency":"INR","status":"failed"}"#
        );
    }

    #[test]
    fn what_is_not_on_the_list_is_not_published() {
        for action in [
            "setting.updated",
            "exception.raised",
            "auth.login_refused",
            "booking.order_undone",
        ] {
            assert_eq!(
                IntegrationEvent::of(&event(action, "booking", Some(json!({})))),
                None,
                "{action}"
            );
        }
        assert_eq!(PUBLISHED.iter().collect::<BTreeSet<_>>().len(), PUBLISHED.len());
    }
}
