//! The body of a webhook, and which deliveries are wanted.

use serde_json::json;
use wayfare_contract::WebhookDraft;
use wayfare_operations::events::webhooks::{DeliveryState, LONGEST_DESCRIPTION, LONGEST_URL, event_types};

use crate::http::{
    json_body::{FromJson, JsonObject, schema::NAME},
    query::{FromQuery, Parameters},
};

/// `POST /org/webhooks` and `PUT /org/webhooks/{id}`.
impl FromJson for WebhookDraft {
    const NAME: &str = "WebhookRequest";
    type Declared = Self;

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let url = body.text("url", LONGEST_URL);
        let description = body.free_text("description", LONGEST_DESCRIPTION);
        let chosen = body.texts("event_types", event_types().count());
        let is_active = body.boolean("is_active");
        body.note(
            "event_types",
            || json!({ "items": { "type": "string", "enum": event_types().collect::<Vec<_>>(), NAME: "EventType" } }),
        );
        Some(Self {
            url: url?,
            description: description.unwrap_or_default(),
            event_types: chosen.unwrap_or_default(),
            is_active,
        })
    }
}

/// In which state the deliveries of a list are to be, where it is said.
pub struct Delivered(pub Option<DeliveryState>);

impl FromQuery for Delivered {
    fn read(query: &mut Parameters) -> Self {
        Self(query.word("status"))
    }
}
