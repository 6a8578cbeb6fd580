//! The keys that access tokens are signed with: a set that can change while the service runs.

use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretSlice};
use sha2::Sha256;

use crate::{Error, Result};

/// The shortest key, in bytes.
const SHORTEST: usize = 32;

/// A key that signs access tokens, or did.
#[derive(Debug)]
pub struct SigningKey {
    id: String,
    secret: SecretSlice<u8>,
    accepted_until: Option<DateTime<Utc>>,
}

impl SigningKey {
    /// A key whose tokens are accepted until this time, or for as long as it is there.
    ///
    /// # Errors
    /// When it has under 32 bytes.
    pub fn new(secret: SecretSlice<u8>, accepted_until: Option<DateTime<Utc>>) -> Result<Self> {
        let weak = || Error::Internal(format!("a signing key must have at least {SHORTEST} bytes"));
        if secret.expose_secret().len() < SHORTEST {
            return Err(weak());
        }
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose_secret()).map_err(|_| weak())?;
        mac.update(b"key-id");
        let [a, b, c, d, ..]: [u8; 32] = mac.finalize().into_bytes().into();
        Ok(Self { id: format!("{a:02x}{b:02x}{c:02x}{d:02x}"), secret, accepted_until })
    }

    /// The `kid` of its tokens: names the key without telling it.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn secret(&self) -> &[u8] {
        self.secret.expose_secret()
    }

    fn is_accepted(&self, now: DateTime<Utc>) -> bool {
        self.accepted_until.is_none_or(|until| now < until)
    }
}

/// Tells the keys anew when they have changed since it was last asked. It is asked for each token: it must be quick.
pub type Renewal = Box<dyn Fn() -> Option<Vec<SigningKey>> + Send + Sync>;

/// The keys as they are now; the first one signs.
pub struct SigningKeys {
    present: RwLock<Arc<[SigningKey]>>,
    renewal: Renewal,
}

impl SigningKeys {
    /// These keys, of which the first signs, until they are told anew.
    ///
    /// # Errors
    /// When there is none.
    pub fn new(keys: Vec<SigningKey>, renewal: Renewal) -> Result<Self> {
        if keys.is_empty() {
            return Err(Error::Internal("there is no signing key".to_owned()));
        }
        Ok(Self { present: RwLock::new(keys.into()), renewal })
    }

    /// One key that never changes.
    ///
    /// # Errors
    /// When it has under 32 bytes.
    pub fn only(secret: SecretSlice<u8>) -> Result<Self> {
        Self::new(vec![SigningKey::new(secret, None)?], Box::new(|| None))
    }

    fn present(&self) -> Arc<[SigningKey]> {
        match (self.renewal)() {
            Some(keys) if !keys.is_empty() => {
                let keys: Arc<[SigningKey]> = keys.into();
                tracing::info!(
                    signing = keys.first().map(SigningKey::id),
                    count = keys.len(),
                    "signing keys renewed"
                );
                *self.present.write().unwrap_or_else(PoisonError::into_inner) = keys.clone();
                keys
            }
            _ => self.present.read().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// Works with the key that signs now.
    pub(crate) fn with_newest<T>(&self, work: impl FnOnce(&SigningKey) -> Result<T>) -> Result<T> {
        let keys = self.present();
        work(keys.first().ok_or_else(|| Error::Internal("there is no signing key".to_owned()))?)
    }

    /// Works with the key of this `kid`, if tokens of it are accepted now.
    pub(crate) fn with<T>(
        &self,
        id: &str,
        now: DateTime<Utc>,
        work: impl FnOnce(&SigningKey) -> Result<T>,
    ) -> Result<T> {
        let keys = self.present();
        let key = keys.iter().find(|key| key.id == id && key.is_accepted(now));
        work(key.ok_or(Error::Unauthenticated)?)
    }
}
