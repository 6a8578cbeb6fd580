//! What proves us to Hotelbeds: a key that is sent, and a secret that only signs.

use std::fmt;

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// A token that is not a key and its secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the token of a Hotelbeds supplier must be its API key and its secret with a colon between: key:secret"
)]
pub struct NoSecret;

/// An API key and its secret.
#[derive(Clone)]
pub(super) struct Credentials {
    key: SecretString,
    secret: SecretString,
}

impl Credentials {
    /// `key:secret`; both are there.
    pub fn of(token: &SecretString) -> Result<Self, NoSecret> {
        let parts = token.expose_secret().split_once(':');
        let (key, secret) =
            parts.filter(|(key, secret)| !key.is_empty() && !secret.is_empty()).ok_or(NoSecret)?;
        Ok(Self { key: key.to_owned().into(), secret: secret.to_owned().into() })
    }

    pub fn key(&self) -> &str {
        self.key.expose_secret()
    }

    /// Of a call at this instant: SHA-256 over key, secret and the seconds since 1970, in hexadecimal digits.
    pub fn signature(&self, now: DateTime<Utc>) -> String {
        let mut hash = Sha256::new();
        hash.update(self.key());
        hash.update(self.secret.expose_secret());
        hash.update(now.timestamp().to_string());
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The text with neither of them in it.
    pub fn hide(&self, text: &str) -> String {
        text.replace(self.key(), "***").replace(self.secret.expose_secret(), "***")
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(token: &str) -> Result<Credentials, NoSecret> {
        Credentials::of(&token.to_owned().into())
    }

    #[test]
    fn a_signature_is_the_hash_of_key_secret_and_seconds() {
        let credentials = of("hdg7z8yx4pq2wm6k9vtr3sb5:8Jx2mQ4wTz").unwrap();
        let now = "2026-03-01T12:00:00.999Z".parse().unwrap();
        assert_eq!(
            credentials.signature(now),
            "313d8b763e0020e2c5b243fd186bdf9c7052625e0ca595807c1dcc25fa4314bf"
        );
        let debugged = format!("{credentials:?}");
        assert_eq!(debugged, "Credentials");
    }

    #[test]
    fn a_token_without_a_secret_is_none() {
        for token in ["", "key", "key:", ":secret", ":"] {
            assert_eq!(of(token).unwrap_err(), NoSecret, "{token}");
        }
        assert_eq!(of("a:b:c").unwrap().hide("a b:c"), "*** ***");
    }
}
