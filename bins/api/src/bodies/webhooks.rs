//! The body of a webhook.

use serde_json::json;
use wayfare_operations::events::webhooks::{Draft, LONGEST_DESCRIPTION, LONGEST_URL, event_types};

use super::examples::{self, Example};
use crate::form::{Form, FromForm};

/// `POST /org/webhooks` and `PUT /org/webhooks/{id}`.
pub struct Webhook(pub Draft);

impl FromForm for Webhook {
    fn read(form: &mut Form<'_>) -> Option<Self> {
        let url = form.text("url", LONGEST_URL);
        let description = form.short_text("description", LONGEST_DESCRIPTION);
        let chosen = form.texts("event_types", event_types().count());
        let is_active = form.boolean("is_active");
        form.note(
            "event_types",
            || json!({ "items": { "enum": event_types().collect::<Vec<_>>() } }),
        );
        Some(Self(Draft {
            url: url?,
            description: description.unwrap_or_default(),
            event_types: chosen.unwrap_or_default(),
            is_active,
        }))
    }

    fn examples() -> Vec<Example> {
        examples::webhook()
    }
}
