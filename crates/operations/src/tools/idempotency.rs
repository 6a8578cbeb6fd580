//! Idempotency-Keys: a request that is made again under the same key is answered, not carried out again.
//!
//! The key is written in the transaction that does the work, so a crash never leaves one "running". Which
//! requests still run is known to the process that runs them; another process finds the key taken.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, Duration, Utc};
use diesel_async::AsyncPgConnection;
use wayfare_domain::{Faults, UserId};
use wayfare_store::{
    StoreError,
    access::idempotency::{self, NewKey},
    batch::writes::Writes,
};

pub use wayfare_store::access::idempotency::Tied;

use crate::{Caller, Error, Platform, Result};

/// How long a key is kept (P-112).
const KEPT_HOURS: i64 = 24;

/// A key and the request that is made under it.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    pub(crate) key: String,
    fingerprint: [u8; 32],
}

impl IdempotencyKey {
    /// The header's value as the key of the request that consists of these parts: method, path, body. Only a keyed
    /// hash of them is kept, since a body may hold a password, and who reads the table must not be able to guess at it.
    ///
    /// # Errors
    /// Names the header whose value can't be a key.
    pub fn new(platform: &Platform, key: String, request: [&[u8]; 3]) -> Result<Self, Faults> {
        if !(1..=255).contains(&key.len()) {
            let reason = "must have between 1 and 255 characters";
            return Err(Faults::of("Idempotency-Key", reason));
        }
        let mut content = Vec::new();
        for part in request {
            content.extend((part.len() as u64).to_be_bytes());
            content.extend(part);
        }
        let fingerprint = platform.secrets.mac("idempotency-key", &content);
        Ok(Self { key, fingerprint })
    }

    /// This key as this caller's, to be tied to what the request makes in the transaction that makes it.
    pub(crate) fn of(&self, caller: &Caller) -> NewKey<'_> {
        NewKey {
            organization: caller.organization(),
            user: caller.user(),
            key: &self.key,
            fingerprint: &self.fingerprint,
        }
    }

    /// That no other process has carried this caller's request out since it began here: asked under a lock that it
    /// would have taken too, before what it made stands in the way.
    ///
    /// # Errors
    /// [`Error::KeyRunning`].
    pub(crate) async fn still_free(
        &self,
        platform: &Platform,
        connection: &mut AsyncPgConnection,
        caller: &Caller,
    ) -> Result<()> {
        let key = (caller.organization(), caller.user(), self.key.as_str());
        let used = idempotency::used(connection, &[key], since(platform)).await?;
        if used.is_empty() {
            Ok(())
        } else {
            Err(Error::KeyRunning)
        }
    }

    /// Ties this caller's key to what was made, in the transaction that made it.
    ///
    /// # Errors
    /// [`Error::KeyRunning`] when another process was faster.
    pub(crate) async fn tie(
        &self,
        platform: &Platform,
        connection: &mut AsyncPgConnection,
        caller: &Caller,
        tied: Tied,
    ) -> Result<()> {
        let mut writes = Writes::default();
        writes.key(self.of(caller), tied, platform.clock.now());
        writes.send(connection).await.map_err(taken)
    }
}

/// What it means that writes were overtaken of which only a key can be there already.
pub(crate) fn taken(error: StoreError) -> Error {
    match error {
        StoreError::Overtaken => Error::KeyRunning,
        error => error.into(),
    }
}

/// The keys whose requests run in this process, and what tells one request from another.
#[derive(Default)]
pub(crate) struct Running(Mutex<HashMap<(UserId, String), [u8; 32]>>);

impl Running {
    /// A turn, if nobody has it.
    ///
    /// # Errors
    /// [`Error::KeyMismatch`] when another request has it.
    fn begin(&self, id: (UserId, String), fingerprint: [u8; 32]) -> Result<Option<Turn<'_>>> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(id) {
            Entry::Vacant(free) => {
                let id = free.key().clone();
                free.insert(fingerprint);
                Ok(Some(Turn { running: self, id }))
            }
            Entry::Occupied(held) if *held.get() != fingerprint => Err(Error::KeyMismatch),
            Entry::Occupied(_) => Ok(None),
        }
    }
}

/// A key's request runs; dropped, it no longer does.
pub struct Turn<'a> {
    running: &'a Running,
    id: (UserId, String),
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.running
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.id);
    }
}

/// How a request under a key begins.
pub enum Begun<'a> {
    /// Nobody has used the key: the request is to be carried out while the turn is held.
    First(Turn<'a>),
    /// It was answered, with this status and body.
    Answered(u16, String),
    /// It was carried out but its answer is not known any more, or was that it is pending: the present state of
    /// what it made is the answer.
    Look(Tied),
}

/// Begins a request under a key.
///
/// # Errors
/// [`Error::KeyMismatch`] for another request under the same key, [`Error::KeyRunning`] while the first runs.
pub async fn begin<'a>(platform: &'a Platform, caller: &Caller, key: &IdempotencyKey) -> Result<Begun<'a>> {
    // Held before the look into the database, so that nobody finishes in between unseen.
    let turn = platform
        .running
        .begin((caller.user(), key.key.clone()), key.fingerprint)?;
    let mut connection = platform.database.connection().await?;
    let since = since(platform);
    let kept = idempotency::find(
        &mut connection,
        caller.organization(),
        caller.user(),
        &key.key,
        since,
    )
    .await?;
    match (kept, turn) {
        (Some(kept), _) if kept.fingerprint != key.fingerprint => Err(Error::KeyMismatch),
        (_, None) => Err(Error::KeyRunning),
        (None, Some(turn)) => Ok(Begun::First(turn)),
        (Some(kept), Some(_)) => Ok(match kept.answer {
            Some((status, answer)) if status != 202 => Begun::Answered(status, answer),
            _ => Begun::Look(kept.tied),
        }),
    }
}

/// Keys that were used before are free again.
pub(crate) fn since(platform: &Platform) -> DateTime<Utc> {
    platform.clock.now() - Duration::hours(KEPT_HOURS)
}

/// Keeps what the caller was answered. Best effort: without it the present state of what was made is the answer.
pub async fn answered(platform: &Platform, caller: &Caller, key: &IdempotencyKey, status: u16, answer: &str) {
    let kept = async {
        let mut connection = platform.database.connection().await?;
        let (organization, user) = (caller.organization(), caller.user());
        idempotency::answered(&mut connection, organization, user, &key.key, status, answer).await
    };
    if let Err(error) = kept.await {
        tracing::warn!(%error, "an answer could not be kept for its Idempotency-Key");
    }
}
