//! Webhooks: where events are sent to, and proof that they come from the service (docs/API.md, feed and webhooks).

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use standardwebhooks::{HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP, WebhookError};
use uuid::Uuid;
use wayfare_boxed::boxed;
pub use wayfare_contract::{Delivery, EVENT_TYPES, Webhook, WebhookDraft, WebhookWithSecret};

use crate::{
    Event, Keyed,
    call::{Ask, read},
    enums::DeliveryStatus,
    error::Result,
    list::List,
    session::part_of_session,
};

/// Standard Webhooks wants keys of at least 24 bytes, which are 32 letters of base64. With less anybody could sign.
const SHORTEST_KEY: usize = 32;

/// Why something that came to a webhook is not an event of the service.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Rejected {
    /// Its signature is missing, wrong, or older or newer than five minutes.
    #[error("the signature is not good: {0}")]
    Signature(#[from] WebhookError),
    /// The secret that it is checked with is none.
    #[error("the secret is too short")]
    Secret,
    /// It is signed, and no event.
    #[error("it is no event: {0}")]
    Content(String),
}

/// The event that came to a webhook, when it is signed with the webhook's secret (Standard Webhooks: HMAC-SHA-256, compared
/// in constant time, at most five minutes old). Headers are those of the request, as any server has them; the body is
/// taken to the byte, before anybody has read it as JSON. Events come at least once: remember the ids that were taken.
///
/// ```
/// # fn handler(secret: &secrecy::SecretString, headers: &reqwest::header::HeaderMap, body: &[u8]) -> u16 {
/// match wayfare_client::webhooks::verify(secret, headers, body) {
///     Ok(event) => {
///         println!("{} {}", event.kind, event.data);
///         204
///     }
///     Err(rejected) => {
///         eprintln!("{rejected}");
///         400
///     }
/// }
/// # }
/// ```
///
/// # Errors
/// [`Rejected`]: it may be anybody's.
pub fn verify<Name: AsRef<str>, Text: AsRef<[u8]>>(
    secret: &SecretString,
    headers: impl IntoIterator<Item = (Name, Text)>,
    body: &[u8],
) -> Result<Event, Rejected> {
    let secret = secret.expose_secret();
    let key = secret.strip_prefix("whsec_").unwrap_or(secret);
    if key.len() < SHORTEST_KEY {
        return Err(Rejected::Secret);
    }
    let mut signed = HeaderMap::new();
    for (name, text) in headers {
        let wanted = [HEADER_WEBHOOK_ID, HEADER_WEBHOOK_TIMESTAMP, HEADER_WEBHOOK_SIGNATURE]
            .into_iter()
            .find(|wanted| wanted.eq_ignore_ascii_case(name.as_ref()));
        if let (Some(name), Ok(text)) = (wanted, HeaderValue::from_bytes(text.as_ref())) {
            signed.insert(HeaderName::from_static(name), text);
        }
    }
    standardwebhooks::Webhook::new(secret)?.verify(body, &signed)?;
    read(body).map_err(Rejected::Content)
}

part_of_session! {
    /// The organization's webhooks, for its admins.
    Webhooks, webhooks
}

#[boxed]
impl Webhooks<'_> {
    /// `GET /org/webhooks`.
    pub async fn list(&self) -> Result<Vec<Webhook>> {
        self.0.data(Ask::get(&["org", "webhooks"])).await
    }

    /// `POST /org/webhooks`: its secret is shown here, and again only to the same key.
    pub async fn create(&self, draft: &WebhookDraft) -> Result<Keyed<WebhookWithSecret>> {
        let ask = self.0.effect(&["org", "webhooks"]);
        self.0.keyed_data(ask.body(draft)?).await
    }

    /// `PUT /org/webhooks/{id}`: all of it.
    pub async fn replace(&self, id: Uuid, draft: &WebhookDraft) -> Result<Webhook> {
        let ask = Ask::set(&["org", "webhooks", &id.to_string()]);
        self.0.data(ask.body(draft)?).await
    }

    /// `DELETE /org/webhooks/{id}`. It is only sent again when it surely did nothing.
    pub async fn delete(&self, id: Uuid) -> Result<()> {
        self.0.done(Ask::delete(&["org", "webhooks", &id.to_string()])).await
    }

    /// `POST /org/webhooks/{id}/test`: sends it a `webhook.test`.
    pub async fn test(&self, id: Uuid) -> Result<Keyed<()>> {
        let ask = self.0.effect(&["org", "webhooks", &id.to_string(), "test"]);
        self.0.keyed_done(ask).await
    }

    /// `POST /org/webhooks/{id}/rotate-secret`: the one before it signs, too, for a day.
    pub async fn rotate_secret(&self, id: Uuid) -> Result<Keyed<WebhookWithSecret>> {
        let ask = self.0.effect(&["org", "webhooks", &id.to_string(), "rotate-secret"]);
        self.0.keyed_data(ask).await
    }

    /// `GET /org/webhooks/{id}/deliveries`, newest first; none = in any status.
    pub fn deliveries(&self, id: Uuid, status: Option<DeliveryStatus>) -> List<Delivery> {
        let status = status.map(|status| ("status", status.to_string()));
        let path = ["org", "webhooks", &id.to_string(), "deliveries"];
        List::of(self.0, &path, status.into_iter().collect())
    }

    /// `POST /org/webhooks/{id}/deliveries/{delivery_id}/redeliver`: sends an event again.
    pub async fn redeliver(&self, id: Uuid, delivery: Uuid) -> Result<Keyed<()>> {
        let (id, delivery) = (id.to_string(), delivery.to_string());
        let path = ["org", "webhooks", &id, "deliveries", &delivery, "redeliver"];
        self.0.keyed_done(self.0.effect(&path)).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::time::SystemTime;

    use super::*;

    const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const OTHER: &str = "whsec_D2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const BODY: &str = r#"{"id":"0198c0de-0000-7000-8000-000000000001","type":"booking.confirmed",
        "timestamp":"2027-01-15T08:00:00Z","data":{"booking_ref":"FA-7K2M9QX4","amount":4810.50}}"#;

    fn signature(secret: &str, at: i64, body: &str) -> String {
        let signer = standardwebhooks::Webhook::new(secret).unwrap();
        signer.sign("m1", at, body.as_bytes()).unwrap()
    }

    fn headers(at: i64, signature: &str) -> Vec<(String, String)> {
        let named = [
            ("Webhook-Id", "m1".to_owned()),
            ("Webhook-Timestamp", at.to_string()),
            ("Webhook-Signature", signature.to_owned()),
            ("Content-Type", "application/json".to_owned()),
        ];
        named.map(|(name, text)| (name.to_owned(), text)).to_vec()
    }

    fn now() -> i64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        i64::try_from(since.as_secs()).unwrap()
    }

    fn verify_with(secret: &str, headers: Vec<(String, String)>, body: &str) -> Result<Event, Rejected> {
        verify(&SecretString::from(secret), headers, body.as_bytes())
    }

    #[test]
    fn an_event_that_is_signed_is_read() {
        let good = signature(SECRET, now(), BODY);
        let both = format!("{} {good}", signature(OTHER, now(), BODY));
        for signature in [&good, &both] {
            let event = verify_with(SECRET, headers(now(), signature), BODY).unwrap();
            assert_eq!((event.kind.as_str(), event.sequence), ("booking.confirmed", None));
            assert_eq!(event.data["amount"].to_string(), "4810.50");
        }
        let mut map = HeaderMap::new();
        for (name, text) in headers(now(), &good) {
            map.insert(HeaderName::try_from(name).unwrap(), text.parse().unwrap());
        }
        assert!(verify(&SecretString::from(SECRET), &map, BODY.as_bytes()).is_ok());
    }

    #[test]
    fn whatever_is_not_signed_or_is_old_is_rejected() {
        let good = signature(SECRET, now(), BODY);
        let changed = BODY.replace("4810", "9810");
        let old = now() - 301;
        for (secret, headers, body) in [
            (OTHER, headers(now(), &good), BODY),
            (SECRET, headers(now(), &good), changed.as_str()),
            (SECRET, headers(now() - 7, &good), BODY),
            (SECRET, headers(now(), ""), BODY),
            (SECRET, headers(now(), good.trim_start_matches("v1,")), BODY),
            (SECRET, headers(old, &signature(SECRET, old, BODY)), BODY),
            (SECRET, headers(now() + 400, &signature(SECRET, now() + 400, BODY)), BODY),
            (SECRET, Vec::new(), BODY),
        ] {
            let rejected = verify_with(secret, headers, body).unwrap_err();
            assert!(matches!(rejected, Rejected::Signature(_)), "{rejected}");
        }
        for secret in ["", "whsec_", "whsec_c2hvcnQ="] {
            let rejected = verify_with(secret, headers(now(), &good), BODY).unwrap_err();
            assert!(matches!(rejected, Rejected::Secret), "{rejected}");
        }
        let no_event = "{\"id\":7}";
        let signed = headers(now(), &signature(SECRET, now(), no_event));
        let rejected = verify_with(SECRET, signed, no_event).unwrap_err();
        assert!(matches!(rejected, Rejected::Content(_)), "{rejected}");
    }
}
