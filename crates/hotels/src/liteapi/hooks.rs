//! LiteAPI's hooks. Nothing is published of their form: whatever has a `bookingId` is about that booking.

use serde_json::Value;
use wayfare_supply::{Hook, hook_word, reading::trimmed};

/// The booking that a hook is about, wherever it names it.
pub(super) fn read(body: &[u8]) -> Option<Hook> {
    let event: Value = serde_json::from_slice(trimmed(body)).ok()?;
    let kind = ["event", "event_name", "type"];
    let mut kinds = kind.iter().filter_map(|name| hook_word(event.get(name)));
    Some(Hook {
        event_id: None,
        kind: kinds.next().unwrap_or("untold").to_owned(),
        order_id: Some(booking_in(&event)?.to_owned()),
        ends_making: false,
    })
}

/// Objects within each other are no deeper than their reader lets them be.
fn booking_in(value: &Value) -> Option<&str> {
    match value {
        Value::Object(members) => {
            let own = hook_word(members.get("bookingId"));
            own.or_else(|| members.values().find_map(booking_in))
        }
        Value::Array(items) => items.iter().find_map(booking_in),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_booking_is_found_wherever_it_is_named() {
        for body in [
            r#"{"bookingId": "uSQ1"}"#,
            r#"{"event": "booking.cancelled", "data": {"bookingId": "uSQ1"}}"#,
            r#"{"items": [{"id": 4}, {"booking": {"bookingId": "uSQ1"}}]}"#,
        ] {
            let hook = read(body.as_bytes()).unwrap();
            assert_eq!(hook.order_id.as_deref(), Some("uSQ1"), "{body}");
        }
        for body in ["{}", "[]", r#"{"bookingId": 7}"#, "bookingId"] {
            assert_eq!(read(body.as_bytes()), None, "{body}");
        }
    }

    proptest! {
        #[test]
        fn no_body_panics(body in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&body);
        }
    }
}
