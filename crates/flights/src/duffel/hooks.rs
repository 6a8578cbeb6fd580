//! Duffel's hooks: their proof, what is read of them, and the calls that set up where they are sent.

use async_trait::async_trait;
use secrecy::SecretString;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use wayfare_supply::reading::Unreadable;
use wayfare_supply::{
    Answer, Hook, HookAddress, HookProof, HookRegistry, Method, SupplierConfig, done_or_return, hook_word,
    id_or_unknown, reading::trimmed,
};

use super::errors::Call;
use super::wire::Envelope;
use super::{Duffel, PAGE_SIZE, read};

const SIGNATURE: &str = "X-Duffel-Signature";
/// What is told of: orders that are made or not, after they were accepted or not, are paid, and that airlines change.
const EVENTS: [&str; 5] = [
    "order.created",
    "order.creation_failed",
    "payment.created",
    "order.airline_initiated_change_detected",
    "ping.triggered",
];

pub(super) fn proof(config: &SupplierConfig) -> Option<HookProof<'_>> {
    let secret = config.hook_secret.as_ref()?;
    Some(HookProof::Signature(SIGNATURE, secret))
}

/// Orders are named in one place or another, by version and kind: any id of an order will do.
pub(super) fn read(body: &[u8]) -> Option<Hook> {
    let event: Value = serde_json::from_slice(trimmed(body)).ok()?;
    let kind = hook_word(event.get("type"))?;
    let places =
        ["/data/object/id", "/data/object/order_id", "/data/id", "/data/order_id", "/idempotency_key"];
    let mut ids = places.iter().filter_map(|place| hook_word(event.pointer(place)));
    Some(Hook {
        event_id: Some(hook_word(event.get("id"))?.to_owned()),
        kind: kind.to_owned(),
        order_id: ids.find(|id| id.starts_with("ord_")).map(str::to_owned),
        ends_making: matches!(kind, "order.created" | "order.creation_failed"),
    })
}

#[derive(Deserialize)]
struct Address {
    id: String,
    url: String,
    #[serde(default)]
    active: bool,
}

#[derive(Deserialize)]
struct NewAddress {
    secret: String,
}

#[async_trait]
impl HookRegistry for Duffel {
    async fn hook_addresses(&self) -> Answer<Vec<HookAddress>> {
        let request = self.request(Method::GET, "/air/webhooks");
        let request = request.query(&[("limit", PAGE_SIZE)]);
        let answer = self.ask(request, Call::Read).await.unless_refused();
        answer.and_read(|body| {
            let listed: Vec<Address> = parse(&body)?;
            let addresses = listed.into_iter().map(|address| HookAddress {
                id: address.id,
                url: address.url,
                is_active: address.active,
            });
            Ok::<_, Unreadable>(addresses.collect())
        })
    }

    async fn add_hook_address(&self, url: &str) -> Answer<SecretString> {
        let body = json!({ "data": { "url": url, "events": EVENTS } });
        let request = self.request(Method::POST, "/air/webhooks").json(&body);
        let answer = self.ask(request, Call::Read).await;
        answer.and_read(|body| parse::<NewAddress>(&body).map(|new| new.secret.into()))
    }

    async fn ping_hook_address(&self, id: &str) -> Answer<()> {
        done_or_return!(id_or_unknown(id, "a webhook"));
        let path = format!("/air/webhooks/{id}/actions/ping");
        self.ask(self.request(Method::POST, &path), Call::Read).await.map(drop)
    }

    async fn remove_hook_address(&self, id: &str) -> Answer<()> {
        done_or_return!(id_or_unknown(id, "a webhook"));
        let path = format!("/air/webhooks/{id}");
        self.ask(self.request(Method::DELETE, &path), Call::Read).await.map(drop)
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Unreadable> {
    let envelope: Envelope<T> = read::parse(body)?;
    Ok(envelope.data)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn order_of(event: &Value) -> Option<String> {
        read(event.to_string().as_bytes()).unwrap().order_id
    }

    #[test]
    fn an_order_is_found_wherever_it_is_named() {
        for event in [
            json!({ "id": "wev_1", "type": "order.created", "data": { "object": { "id": "ord_1" } } }),
            json!({ "id": "wev_1", "type": "order.created", "data": { "id": "ord_1" } }),
            json!({ "id": "wev_1", "type": "order.created", "data": { "object": {} }, "idempotency_key": "ord_1" }),
            json!({ "id": "wev_1", "type": "order.airline_initiated_change_detected", "idempotency_key": "aic_1",
                "data": { "object": { "id": "aic_1", "order_id": "ord_1" } } }),
        ] {
            assert_eq!(order_of(&event).as_deref(), Some("ord_1"), "{event}");
        }
        let ping = json!({ "id": "wev_1", "type": "ping.triggered", "data": { "object": {} } });
        assert_eq!(order_of(&ping), None);
    }

    #[test]
    fn what_is_no_event_is_none_and_no_word_is_long_or_strange() {
        let long = "x".repeat(201);
        for event in [
            json!({}),
            json!([]),
            json!({ "type": "order.created" }),
            json!({ "id": 5, "type": "order.created" }),
            json!({ "id": "wev_1", "type": "order\u{0}created" }),
            json!({ "id": long, "type": "order.created" }),
        ] {
            assert_eq!(read(event.to_string().as_bytes()), None, "{event}");
        }
        let strange = json!({ "id": "wev_1", "type": "x", "data": { "id": "ord_\u{0}" } });
        assert_eq!(order_of(&strange), None);
    }

    proptest! {
        #[test]
        fn no_body_panics(body in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = read(&body);
        }

        #[test]
        fn what_is_read_are_words(id in ".{0,300}", kind in ".{0,300}", order in ".{0,300}") {
            let event = json!({ "id": id, "type": kind, "data": { "object": { "id": format!("ord_{order}") } } });
            if let Some(hook) = read(event.to_string().as_bytes()) {
                for word in hook.event_id.iter().chain(&hook.order_id).chain([&hook.kind]) {
                    prop_assert!(word.len() <= 200 && word.bytes().all(|byte| byte.is_ascii_graphic()));
                }
            }
        }
    }
}
