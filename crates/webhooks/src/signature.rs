//! Signatures as <https://www.standardwebhooks.com> defines them: receivers check them with libraries of their own.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// What a receiver and we know.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub(crate) [u8; 32]);

impl Secret {
    /// These bytes as a secret.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// As the receiver is given it: `whsec_` and base64.
    pub fn to_text(&self) -> String {
        format!("whsec_{}", STANDARD.encode(self.0))
    }

    /// A secret as its receiver was given it; none of a text that is none.
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.strip_prefix("whsec_")?).ok()?;
        bytes.try_into().ok().map(Self)
    }

    fn sign(&self, content: &[&[u8]]) -> String {
        let Some(mac) = mac_of(&self.0, content) else { return String::new() };
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

/// What signs these parts, one after the other.
pub(crate) fn mac_of(key: &[u8], content: &[&[u8]]) -> Option<Hmac<Sha256>> {
    // A key of any length will do.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    for part in content {
        mac.update(part);
    }
    Some(mac)
}

/// What a signature is of.
pub(crate) fn signed_content<'a>(id: &'a str, timestamp: &'a str, body: &'a [u8]) -> [&'a [u8]; 5] {
    [id.as_bytes(), b".", timestamp.as_bytes(), b".", body]
}

/// Without the secret.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// What is sent.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The same at each attempt, so that the receiver knows what it has seen: printable ASCII.
    pub id: &'a str,
    /// When it is sent, UTC: a receiver refuses what is older than some minutes.
    pub at: DateTime<Utc>,
    /// JSON, to the letter as it is signed.
    pub body: &'a str,
    /// Those that are good now; it is signed with each.
    pub secrets: &'a [Secret],
}

impl Message<'_> {
    /// `webhook-timestamp`: seconds since 1970.
    pub fn timestamp(&self) -> String {
        self.at.timestamp().to_string()
    }

    /// `webhook-signature`: one for each secret, separated by spaces.
    pub fn signatures(&self) -> String {
        let timestamp = self.timestamp();
        let content = signed_content(self.id, &timestamp, self.body.as_bytes());
        let signatures: Vec<_> = self.secrets.iter().map(|secret| secret.sign(&content)).collect();
        signatures.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's own libraries.
    #[test]
    fn it_signs_as_the_specification_does() {
        let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(br#"msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}"#);
        assert_eq!(
            STANDARD.encode(mac.finalize().into_bytes()),
            "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }

    #[test]
    fn each_secret_signs() {
        let secrets = [Secret::new([1; 32]), Secret::new([2; 32])];
        let message =
            |secrets| Message { id: "id", at: "2026-03-01T00:00:00Z".parse().unwrap(), body: "{}", secrets };
        let both = message(&secrets[..]).signatures();
        assert_eq!(both, [&secrets[..1], &secrets[1..]].map(|one| message(one).signatures()).join(" "));
        assert_eq!(format!("{:?}", secrets[0]), "Secret");
    }
}
