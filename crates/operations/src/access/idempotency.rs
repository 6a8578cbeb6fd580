//! Idempotency-Keys: a request that is sent again under the same key is answered, not carried out again.
//!
//! The key is written in the transaction that does the work, so a crash never leaves one "running". Which
//! requests still run is known to the process that runs them; another process finds the key taken.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use chrono::{DateTime, Duration, Utc};
use diesel_async::AsyncPgConnection;
use wayfare_boxed::boxed;
use wayfare_domain::{Faults, SealedKind, UserId};
use wayfare_store::{
    StoreError,
    access::idempotency::{self, NewKey, StoredAnswer},
    batch::writes::Writes,
    booking::people,
};

pub use wayfare_store::access::idempotency::CreatedResource;

use crate::{
    Access, Core, Error, Person, Result,
    people::sealed::{self, AnswerKey},
};

/// How long a key is kept (P-112).
const KEPT_HOURS: i64 = 24;

/// A key and the request that is made under it.
#[derive(Clone, Debug)]
pub struct IdempotencyKey {
    pub(crate) key: String,
    fingerprint: [u8; 32],
    answers: Arc<OnceLock<Option<AnswerKey>>>,
}

impl IdempotencyKey {
    /// The header's value as the key of the request that consists of these parts: method, path, body. Only a keyed
    /// hash of them is kept, since a body may hold a password, and who reads the table must not be able to guess at it.
    ///
    /// # Errors
    /// Names the header whose value can't be a key.
    pub fn new(core: &Core, key: String, request: [&[u8]; 3]) -> Result<Self, Faults> {
        if !(1..=255).contains(&key.len()) {
            let reason = "must have between 1 and 255 characters";
            return Err(Faults::of("Idempotency-Key", reason));
        }
        let mut content = Vec::new();
        for part in request {
            content.extend((part.len() as u64).to_be_bytes());
            content.extend(part);
        }
        let fingerprint = core.secrets.mac("idempotency-key", &content);
        Ok(Self { key, fingerprint, answers: Arc::default() })
    }

    /// The key itself, where what is made under it is found by it again.
    pub fn text(&self) -> &str {
        &self.key
    }

    /// Says that the request is tied to a booking: its answer names people, and is kept under this key of the booking's, or not
    /// at all.
    pub(crate) fn seal_answer_with(&self, answers: Option<AnswerKey>) {
        // Whoever opens a booking under this key does so once.
        let _ = self.answers.set(answers);
    }

    /// This key as this person's, to be recorded with what the request creates, in the same transaction.
    pub(crate) fn of(&self, person: &Person) -> NewKey<'_> {
        NewKey {
            organization: person.organization(),
            user: person.user(),
            key: &self.key,
            fingerprint: &self.fingerprint,
        }
    }

    /// Checks that no other process has carried this person's request out since it began here. Asked under the lock that the
    /// other one would hold, so that its result is not reported as a conflict.
    ///
    /// # Errors
    /// [`Error::KeyRunning`].
    pub(crate) async fn still_free(
        &self,
        core: &Core,
        connection: &mut AsyncPgConnection,
        person: &Person,
    ) -> Result<()> {
        let key = (person.organization(), person.user(), self.key.as_str());
        let used = idempotency::used(connection, &[key], since(core)).await?;
        if used.is_empty() { Ok(()) } else { Err(Error::KeyRunning) }
    }

    /// Records what this person's key has created, in the transaction that created it.
    ///
    /// # Errors
    /// [`Error::KeyRunning`] when another process was faster.
    pub(crate) async fn record(
        &self,
        core: &Core,
        connection: &mut AsyncPgConnection,
        person: &Person,
        created: CreatedResource,
    ) -> Result<()> {
        let mut writes = Writes::default();
        writes.key(self.of(person), created, core.clock.now());
        writes.send(connection).await.map_err(key_conflict)
    }
}

/// The error of writes that conflict, where only the key can be there already.
pub(crate) fn key_conflict(error: StoreError) -> Error {
    match error {
        StoreError::Overtaken => Error::KeyRunning,
        error => error.into(),
    }
}

/// The keys whose requests run in this process, and the fingerprint of each request.
#[derive(Default)]
pub(crate) struct InFlightKeys(Mutex<HashMap<(UserId, String), [u8; 32]>>);

impl InFlightKeys {
    /// A guard, if the key is free.
    ///
    /// # Errors
    /// [`Error::KeyMismatch`] when another request holds it.
    fn begin(&self, id: (UserId, String), fingerprint: [u8; 32]) -> Result<Option<InFlightGuard<'_>>> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(id) {
            Entry::Vacant(free) => {
                let id = free.key().clone();
                free.insert(fingerprint);
                Ok(Some(InFlightGuard { keys: self, id }))
            }
            Entry::Occupied(held) if *held.get() != fingerprint => Err(Error::KeyMismatch),
            Entry::Occupied(_) => Ok(None),
        }
    }
}

/// Marks a key whose request runs in this process, until it is dropped.
pub struct InFlightGuard<'a> {
    keys: &'a InFlightKeys,
    id: (UserId, String),
}

impl Drop for InFlightGuard<'_> {
    fn drop(&mut self) {
        self.keys.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

/// How a request under a key begins.
pub enum Replay<'a> {
    /// Nobody has used the key: the request is to be carried out while the guard is held.
    First(InFlightGuard<'a>),
    /// It was answered, with this status and body.
    Answered(u16, String),
    /// It was carried out, and its answer is not stored or was that it is pending: the answer is rebuilt from the present
    /// state of what it created.
    Rebuild(CreatedResource),
}

/// Begins a request under a key.
///
/// # Errors
/// [`Error::KeyMismatch`] for another request under the same key, [`Error::KeyRunning`] while the first runs.
#[boxed]
pub async fn begin<'a>(access: &'a Access, person: &Person, key: &IdempotencyKey) -> Result<Replay<'a>> {
    // Held before the database is read, so that no request ends unseen in between.
    let guard = access.in_flight_keys.begin((person.user(), key.key.clone()), key.fingerprint)?;
    let mut connection = access.core.database.connection().await?;
    let since = since(&access.core);
    let stored =
        idempotency::find(&mut connection, person.organization(), person.user(), &key.key, since).await?;
    match (stored, guard) {
        (Some(stored), _) if stored.fingerprint != key.fingerprint => Err(Error::KeyMismatch),
        (_, None) => Err(Error::KeyRunning),
        (None, Some(guard)) => Ok(Replay::First(guard)),
        (Some(stored), Some(_)) => {
            let created = stored.created;
            let Some((status, answer)) = stored.answer.filter(|(status, _)| *status != 202) else {
                return Ok(Replay::Rebuild(created));
            };
            Ok(match stored_answer(&access.core, &mut connection, person, key, &created, answer).await? {
                Some(answer) => Replay::Answered(status, answer),
                None => Replay::Rebuild(created),
            })
        }
    }
}

/// What was answered; none where that is erased.
async fn stored_answer(
    core: &Core,
    connection: &mut AsyncPgConnection,
    person: &Person,
    key: &IdempotencyKey,
    created: &CreatedResource,
    answer: StoredAnswer,
) -> Result<Option<String>> {
    let (answer, reference) = match (answer, created) {
        (StoredAnswer::Plain(answer), _) => return Ok(Some(answer)),
        (StoredAnswer::Sealed(answer), CreatedResource::Step(reference, _)) => (answer, reference),
        (StoredAnswer::Sealed(_), _) => return Ok(None),
    };
    let organization = person.organization();
    let row = people::of_reference(connection, organization, reference, SealedKind::AnswerKey).await?;
    let Some((booking, row)) = row else { return Ok(None) };
    let Some(answers) = sealed::answer_key(core, organization, booking, &row)? else { return Ok(None) };
    let opened = answers.open(&sealed::of_kept_answer(person.user(), &key.key), &answer)?;
    let unreadable = |_| Error::Internal("a kept answer is no text".to_owned());
    Ok(Some(String::from_utf8(opened.to_vec()).map_err(unreadable)?))
}

/// Keys that were used before are free again.
pub(crate) fn since(core: &Core) -> DateTime<Utc> {
    core.clock.now() - Duration::hours(KEPT_HOURS)
}

/// Stores the answer of the person's request. Best effort: without it the answer is rebuilt.
#[boxed]
pub async fn store_answer(core: &Core, person: &Person, key: &IdempotencyKey, status: u16, answer: &str) {
    let stored = async {
        let (organization, user, text) = (person.organization(), person.user(), key.key.as_str());
        let sealed = match key.answers.get() {
            Some(Some(answers)) => {
                Some(answers.seal(&sealed::of_kept_answer(user, text), answer.as_bytes())?)
            }
            Some(None) => return Ok(()),
            None => None,
        };
        let mut connection = core.database.connection().await?;
        match sealed {
            Some(sealed) => {
                idempotency::store_sealed_answer(&mut connection, organization, user, text, status, &sealed)
                    .await?;
            }
            None => {
                idempotency::store_answer(&mut connection, organization, user, text, status, answer).await?;
            }
        }
        Ok::<_, Error>(())
    };
    if let Err(error) = stored.await {
        tracing::warn!(%error, "an answer could not be kept for its Idempotency-Key");
    }
}
