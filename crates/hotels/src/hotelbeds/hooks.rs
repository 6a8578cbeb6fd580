//! Hotelbeds' hooks: they push the numbers under which hotels know their guests.

use serde_json::Value;
use wayfare_supply::{Hook, hook_word, reading::trimmed};

/// The booking that a push is about. It has no id of its own.
pub(super) fn read(body: &[u8]) -> Option<Hook> {
    let pushed: Value = serde_json::from_slice(trimmed(body)).ok()?;
    Some(Hook {
        event_id: None,
        kind: hook_word(pushed.get("type"))?.to_owned(),
        order_id: hook_word(pushed.pointer("/booking/reference")).map(str::to_owned),
        ends_making: false,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_push_names_its_booking() {
        let pushed = br#"{"type": "NEW_BOOKING_RECONFIRMATION", "booking": {"reference": "102-10878296", "hotel": {"rooms": []}}}"#;
        let hook = read(pushed).unwrap();
        assert_eq!(hook.kind, "NEW_BOOKING_RECONFIRMATION");
        assert_eq!(hook.order_id.as_deref(), Some("102-10878296"));
        let marked = [b"\xef\xbb\xbf ", &pushed[..]].concat();
        assert_eq!(read(&marked), Some(hook));
        assert_eq!(read(b"{}"), None);
        assert_eq!(read(b"<html>"), None);
    }

    proptest! {
        #[test]
        fn no_body_panics(body in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&body);
        }
    }
}
