//! Search sessions in Redis, so that an offer that one process showed can be priced by another.
//!
//! `wayfare:answer:<id>` is a supplier's answer, compressed, stored once for all searches that show it. `wayfare:search:<id>` is a hash:
//! `head` says whose search it is; each other field is the place of a supplier's first offer, and says which answer that was
//! and what of it was shown. A part that is written twice is there once. The offers of a part that was not written have
//! expired. Both keys expire by themselves.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use wayfare_domain::{AnswerId, OrganizationId, SearchId, UserId};
use wayfare_flights::{Offers, Query};

use super::{
    offer_cache::CachedOffers,
    session::{DisplayedAmounts, SearchSession, SessionPart},
};
use crate::{
    Error, Redis, Result,
    tools::{
        broadcast::Broadcast,
        search_memory::packed::{pack, unpack},
    },
};

const ANSWER_KEY: &str = "wayfare:answer:";
const SEARCH_KEY: &str = "wayfare:search:";
const HEAD_FIELD: &str = "head";
const RESERVATION_KEY: &str = "wayfare:claim:";
/// Who holds an answer of which an order was made: no search.
const SPENT: &str = "spent";

pub(crate) struct SessionRedis {
    pub(super) redis: Arc<Redis>,
    pub(super) broadcast: Arc<Broadcast>,
    validity: Duration,
    /// For how long an answer serves other servers.
    pub(super) search_cache_ttl: Duration,
}

#[derive(Serialize, Deserialize)]
struct StoredHead<Q> {
    organization: OrganizationId,
    user: UserId,
    query: Q,
}

#[derive(Serialize, Deserialize)]
struct StoredPart<S> {
    answer: AnswerId,
    #[serde(rename = "shown")]
    displayed: S,
}

#[derive(Serialize, Deserialize)]
struct StoredAnswer<S, F> {
    supplier: S,
    found: F,
}

impl SessionRedis {
    /// Keeps searches for so long, and tells the other servers of answers that are cached for so long.
    pub(crate) fn new(
        redis: Arc<Redis>,
        broadcast: Arc<Broadcast>,
        validity: Duration,
        search_cache_ttl: Duration,
    ) -> Self {
        Self { redis, broadcast, validity, search_cache_ttl }
    }

    /// Stores an answer for as long as the last search that shows it lives; none where Redis does not take it.
    pub(super) async fn store_answer(&self, cached: &Arc<CachedOffers>) -> Option<()> {
        let mut is_new = false;
        let write = async || {
            is_new = true;
            self.write_answer(cached).await.ok_or(())
        };
        // Whoever comes meanwhile waits for the same.
        cached.in_redis().get_or_try_init(write).await.ok()?;
        if is_new {
            return Some(());
        }
        let renewed = self.redis.ask(async |connection| {
            let mut renew = redis::cmd("EXPIRE");
            renew.arg(answer_key(cached.id)).arg(self.seconds());
            renew.query_async::<bool>(connection).await
        });
        match renewed.await? {
            true => Some(()),
            // Redis has lost it.
            false => self.write_answer(cached).await,
        }
    }

    async fn write_answer(&self, cached: &Arc<CachedOffers>) -> Option<()> {
        if !self.redis.is_up() {
            return None;
        }
        let whole = cached.clone();
        let packed =
            off_thread(move || pack(&StoredAnswer { supplier: &whole.supplier, found: &whole.found }));
        let packed = packed.await;
        let packed = packed.inspect_err(|error| tracing::error!(%error, "an answer can't be shared"));
        let packed = packed.ok()?;
        let set = self.redis.ask(async |connection| {
            let mut set = redis::cmd("SET");
            set.arg(answer_key(cached.id)).arg(&packed);
            set.arg("EX").arg(self.seconds());
            set.exec_async(connection).await
        });
        set.await
    }

    /// The answer of this name, to be cached until then.
    pub(super) async fn find_answer(&self, id: AnswerId, ends: Instant) -> Option<Arc<CachedOffers>> {
        let found = self.redis.ask(async |connection| {
            let mut get = redis::cmd("GET");
            get.arg(answer_key(id));
            get.query_async::<Option<Vec<u8>>>(connection).await
        });
        let packed = found.await??;
        match off_thread(move || read_answer(&packed)).await {
            Ok(stored) => {
                let cached = CachedOffers::from_redis(id, stored.supplier, stored.found, ends);
                Some(Arc::new(cached))
            }
            Err(error) => {
                tracing::error!(%error, answer = %id, "a shared answer can't be read");
                None
            }
        }
    }

    fn seconds(&self) -> u64 {
        self.validity.as_secs().max(1)
    }

    /// Adds the newest part of a search, or logs why it could not.
    pub(crate) async fn add_part(&self, search: &SearchSession, part: &SessionPart) {
        if let Err(error) = self.try_add_part(search, part).await {
            tracing::error!(%error, search = %search.id, "a search can't be shared");
        }
    }

    async fn try_add_part(&self, search: &SearchSession, part: &SessionPart) -> Result<()> {
        if self.store_answer(&part.cached).await.is_none() {
            return Ok(());
        }
        let key = format!("{SEARCH_KEY}{}", search.id);
        let head = serde_json::to_vec(&StoredHead {
            organization: search.organization,
            user: search.user,
            query: &*search.query,
        })?;
        let first = part.first;
        let part = serde_json::to_vec(&StoredPart { answer: part.cached.id, displayed: &part.displayed })?;
        let added = self.redis.ask(async |connection| {
            let mut all = redis::pipe();
            all.atomic();
            let hash = all.cmd("HSET").arg(&key);
            hash.arg(HEAD_FIELD).arg(&head).arg(first).arg(&part).ignore();
            all.cmd("EXPIRE").arg(&key).arg(self.seconds()).ignore();
            all.exec_async(connection).await
        });
        added.await;
        Ok(())
    }

    /// The search of this id; none where it has expired or Redis does not answer.
    pub(crate) async fn find(&self, id: SearchId) -> Option<SearchSession> {
        match self.try_find(id).await {
            Ok(found) => found,
            // A program of another version may have written it.
            Err(error) => {
                tracing::error!(%error, search = %id, "a shared search can't be read");
                None
            }
        }
    }

    async fn try_find(&self, id: SearchId) -> Result<Option<SearchSession>> {
        let hash = self.redis.ask(async |connection| {
            let mut all = redis::cmd("HGETALL");
            all.arg(format!("{SEARCH_KEY}{id}"));
            all.query_async::<HashMap<String, Vec<u8>>>(connection).await
        });
        let mut hash = hash.await.unwrap_or_default();
        let Some(head) = hash.remove(HEAD_FIELD) else { return Ok(None) };
        let head: StoredHead<Query> = serde_json::from_slice(&head)?;
        let mut parts = Vec::new();
        for (first, part) in &hash {
            let part: StoredPart<Vec<Option<DisplayedAmounts>>> = serde_json::from_slice(part)?;
            parts.extend(first.parse::<usize>().ok().map(|first| (first, part)));
        }
        let mut search = SearchSession::new(id, head.organization, head.user, Arc::new(head.query));
        if parts.is_empty() {
            return Ok(Some(search));
        }
        let answers: Vec<String> = parts.iter().map(|(_, part)| answer_key(part.answer)).collect();
        let stored = self.redis.ask(async |connection| {
            let mut all = redis::cmd("MGET");
            all.arg(&answers);
            all.query_async::<Vec<Option<Vec<u8>>>>(connection).await
        });
        for ((first, part), stored) in parts.into_iter().zip(stored.await.unwrap_or_default()) {
            let Some(stored) = stored else { continue };
            let stored = off_thread(move || read_answer(&stored)).await?;
            let (supplier, found) = (stored.supplier, stored.found);
            search.add_part(Some(Arc::new(SessionPart {
                first,
                cached: Arc::new(CachedOffers::from_redis(part.answer, supplier, found, Instant::now())),
                displayed: part.displayed,
            })));
        }
        Ok(Some(search))
    }

    /// Takes the answer from whichever search has reserved it.
    pub(crate) async fn spend(&self, answer: AnswerId) {
        let spent = self.redis.ask(async |connection| {
            let mut set = redis::cmd("SET");
            set.arg(format!("{RESERVATION_KEY}{answer}")).arg(SPENT);
            set.arg("EX").arg(self.seconds());
            set.exec_async(connection).await
        });
        spent.await;
    }

    /// Whether this search is the first that wants to buy of the answer; none when Redis does not answer.
    pub(crate) async fn reserve_for(&self, answer: AnswerId, search: SearchId) -> Option<bool> {
        let key = format!("{RESERVATION_KEY}{answer}");
        let reserved = self.redis.ask(async |connection| {
            let mut both = redis::pipe();
            both.cmd("SET").arg(&key).arg(search.to_string());
            both.arg("NX").arg("EX").arg(self.seconds()).ignore();
            both.cmd("GET").arg(&key);
            both.query_async::<(String,)>(connection).await
        });
        reserved.await.map(|(holder,)| holder == search.to_string())
    }
}

fn answer_key(id: AnswerId) -> String {
    format!("{ANSWER_KEY}{id}")
}

/// An answer as it was packed, or as servers of before have written it.
fn read_answer(bytes: &[u8]) -> Result<StoredAnswer<String, Offers>> {
    match bytes.starts_with(br#"{"supplier":"#) {
        true => Ok(serde_json::from_slice(bytes)?),
        false => unpack(bytes),
    }
}

/// A thousand offers would hold up every other request of this thread.
async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let done = spawn_blocking(work).await;
    done.map_err(|lost| Error::Internal(lost.to_string()))?
}
