//! The keys of keys: they wrap the data keys of sealed rows. The newest wraps, all of them unwrap.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use aws_lc_rs::aead::{AES_256_GCM_SIV, RandomizedNonceKey};
use secrecy::{ExposeSecret, SecretSlice};

use crate::{Error, Result};

/// The length of every key, in bytes.
pub(crate) const KEY_LEN: usize = 32;

pub struct PeopleKey {
    /// Its number: of several the greatest is the newest.
    pub id: u32,
    /// 32 bytes.
    pub secret: SecretSlice<u8>,
}

/// Tells the keys anew when they have changed since it was last asked. It is asked for each booking: it must be quick.
type Renewal = Box<dyn Fn() -> Option<Vec<PeopleKey>> + Send + Sync>;
type Ring = BTreeMap<u32, RandomizedNonceKey>;

/// The keys of keys as they are now.
pub struct PeopleKeys {
    present: RwLock<Arc<Ring>>,
    renewal: Renewal,
}

impl PeopleKeys {
    /// These keys, until they are told anew.
    ///
    /// # Errors
    /// When there is none, or one has not 32 bytes.
    pub fn new(keys: Vec<PeopleKey>, renewal: Renewal) -> Result<Self> {
        Ok(Self { present: RwLock::new(Arc::new(ring(keys)?)), renewal })
    }

    /// One key that never changes.
    ///
    /// # Errors
    /// When it has not 32 bytes.
    pub fn only(secret: SecretSlice<u8>) -> Result<Self> {
        Self::new(vec![PeopleKey { id: 1, secret }], Box::new(|| None))
    }

    fn present(&self) -> Arc<Ring> {
        if let Some(keys) = (self.renewal)() {
            match ring(keys) {
                Ok(keys) => {
                    tracing::info!(newest = keys.keys().last(), count = keys.len(), "keys of people renewed");
                    let keys = Arc::new(keys);
                    *self.present.write().unwrap_or_else(PoisonError::into_inner) = keys.clone();
                    return keys;
                }
                Err(error) => tracing::error!(%error, "the new keys of people can't be used"),
            }
        }
        self.present.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The id of the key that wraps now.
    pub(crate) fn newest(&self) -> String {
        self.present().keys().last().copied().unwrap_or_default().to_string()
    }

    /// Works with the newest key, which has this id.
    pub(crate) fn with_newest<T>(
        &self,
        work: impl FnOnce(&str, &RandomizedNonceKey) -> Result<T>,
    ) -> Result<T> {
        let keys = self.present();
        let (id, key) = keys.last_key_value().ok_or_else(none)?;
        work(&id.to_string(), key)
    }

    pub(crate) fn with<T>(&self, id: &str, work: impl FnOnce(&RandomizedNonceKey) -> Result<T>) -> Result<T> {
        let keys = self.present();
        let key = id.parse().ok().and_then(|id: u32| keys.get(&id));
        work(key.ok_or_else(|| Error::Internal(format!("there is no key {id} of people")))?)
    }
}

fn ring(keys: Vec<PeopleKey>) -> Result<Ring> {
    if keys.is_empty() {
        return Err(none());
    }
    let numbered = |one: PeopleKey| Ok((one.id, key(one.secret.expose_secret())?));
    keys.into_iter().map(numbered).collect()
}

fn none() -> Error {
    Error::Internal("there is no key of people".to_owned())
}

/// A key of these bytes.
pub(crate) fn key(bytes: &[u8]) -> Result<RandomizedNonceKey> {
    RandomizedNonceKey::new(&AES_256_GCM_SIV, bytes)
        .map_err(|_| Error::Internal(format!("a key of people must have {KEY_LEN} bytes")))
}
