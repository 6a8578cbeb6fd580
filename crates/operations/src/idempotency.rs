//! Idempotency-Keys: a request that is made again under the same key is answered, not carried out again.
//!
//! The key is written in the transaction that writes the effect, so a crash never leaves one "running". Which
//! requests still run is known to the process that runs them; another process finds the key taken.

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, Duration, Utc};
use wayfare_domain::{BookingRef, Faults, UserId};
use wayfare_store::idempotency::{self, NewKey};

use crate::{Caller, Error, Platform, Result};

/// How long a key is kept (decisions, bookings).
const KEPT_HOURS: i64 = 24;

/// A key and the request that is made under it.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    /// The header's value.
    pub key: String,
    /// SHA-256 of method, path and body.
    pub fingerprint: [u8; 32],
}

impl IdempotencyKey {
    /// That the header's value can be a key.
    ///
    /// # Errors
    /// Names the header.
    pub fn check(key: &str) -> Result<(), Faults> {
        if (1..=255).contains(&key.len()) {
            return Ok(());
        }
        Err(Faults::of(
            "Idempotency-Key",
            "must have between 1 and 255 characters",
        ))
    }

    /// This key as this caller's, to be tied to an effect in the effect's transaction.
    pub(crate) fn of(&self, caller: &Caller) -> NewKey<'_> {
        NewKey {
            user: caller.user(),
            key: &self.key,
            fingerprint: &self.fingerprint,
        }
    }
}

/// The keys whose requests run in this process.
#[derive(Default)]
pub(crate) struct Running(Mutex<HashSet<(UserId, String)>>);

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
    /// It was carried out but its answer is not known any more, or was that it is pending: the booking's present
    /// state is the answer.
    Look(BookingRef),
}

/// Begins a request under a key.
///
/// # Errors
/// [`Error::KeyMismatch`] for another request under the same key, [`Error::KeyRunning`] while the first runs.
pub async fn begin<'a>(platform: &'a Platform, caller: &Caller, key: &IdempotencyKey) -> Result<Begun<'a>> {
    let id = (caller.user(), key.key.clone());
    let free = platform
        .running
        .0
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(id.clone());
    // Held before the look into the database, so that nobody finishes in between unseen.
    let turn = free.then_some(Turn {
        running: &platform.running,
        id,
    });
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
            _ => Begun::Look(kept.booking),
        }),
    }
}

/// Keys that were used before are free again.
pub(crate) fn since(platform: &Platform) -> DateTime<Utc> {
    platform.clock.now() - Duration::hours(KEPT_HOURS)
}

/// Keeps what the caller was answered. Best effort: without it the booking's present state is the answer.
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
