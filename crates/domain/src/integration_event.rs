//! Integration events: which audit events an agency's programs may read, and what of them.

use serde_json::{Map, Value};

use crate::{AuditEvent, EventKind};

/// An audit event as an agency's own programs read it: no secrets, nothing about travellers, no free texts.
#[derive(Clone, Debug, PartialEq)]
pub struct IntegrationEvent {
    /// The event's action.
    pub kind: EventKind,
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
            EventKind::WebhookTest => format!(":{}", event.id),
            _ => String::new(),
        };
        event.action.is_published().then(|| Self {
            kind: event.action,
            subject: format!("{}:{}{which}", event.action.entity(), event.entity_id),
            data: Value::Object(facts(event)),
        })
    }
}

/// What of an event may be published: its entity's name, and those of its values that are known to be harmless. Texts that
/// people or suppliers wrote are not.
pub(crate) fn facts(event: &AuditEvent) -> Map<String, Value> {
    let (name, fields): (_, &[&str]) = match event.action.entity() {
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
                "pay_by",
                "price_guaranteed_until",
                "minutes_left",
                "change_id",
                "kind",
                "minutes",
                "state",
                "decide_by",
                "journeys",
                "passengers",
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
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_known_to_be_harmless_is_published() {
        let values: Value = serde_json::from_str(
            r#"{"status":"failed","amount":4810.50,"currency":"INR","failure":"Asha Rao is on a list","reason":"secret"}"#,
        )
        .unwrap();
        let published = IntegrationEvent::of(&AuditEvent::sample(EventKind::BookingFailed, values)).unwrap();
        assert_eq!(published.subject, "booking:FA-7K2M9QX4");
        assert_eq!(
            published.data.to_string(),
            r#"{"amount":4810.50,"booking_ref":"FA-7K2M9QX4","currency":"INR","status":"failed"}"#
        );
    }

    #[test]
    fn the_entity_of_every_published_event_has_a_name() {
        for kind in EventKind::published() {
            let data = facts(&AuditEvent::sample(kind, json!({})));
            assert!(!data.contains_key("id"), "{} is of something without a name", kind.text());
        }
    }

    #[test]
    fn what_is_not_on_the_list_is_not_published() {
        for action in [
            EventKind::SettingUpdated,
            EventKind::ExceptionRaised,
            EventKind::AuthLoginRefused,
            EventKind::BookingOrderUndone,
        ] {
            assert_eq!(IntegrationEvent::of(&AuditEvent::sample(action, json!({}))), None, "{action:?}");
        }
    }
}
