//! Search sessions in Redis, so that an offer that one process showed can be priced by another.
//!
//! `wayfare:answer:<id>` is a supplier's answer, stored once for all searches that show it. `wayfare:search:<id>` is a hash:
//! `head` says whose search it is; each other field is the place of a supplier's first offer, and says which answer that was
//! and what of it was shown. A part that is written twice is there once. The offers of a part that was not written have
//! expired. Both keys expire by themselves.

use std::{collections::HashMap, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use wayfare_domain::{AnswerId, OrganizationId, SearchId, UserId};
use wayfare_flights::{Offers, Query};

use super::{
    offer_cache::CachedOffers,
    session::{DisplayedAmounts, SearchSession, SessionPart},
};
use crate::Redis;

const ANSWER_KEY: &str = "wayfare:answer:";
const SEARCH_KEY: &str = "wayfare:search:";
const HEAD_FIELD: &str = "head";
const RESERVATION_KEY: &str = "wayfare:claim:";
/// Who holds an answer of which an order was made: no search.
const SPENT: &str = "spent";

/// The search sessions in one Redis.
pub(crate) struct SessionRedis {
    redis: Arc<Redis>,
    validity: Duration,
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
    /// Keeps searches for so long.
    pub(crate) fn new(redis: Arc<Redis>, validity: Duration) -> Self {
        Self { redis, validity }
    }

    /// Adds the newest part of a search, or logs why it could not.
    pub(crate) async fn add_part(&self, search: &SearchSession, part: &SessionPart) {
        if let Err(error) = self.try_add_part(search, part).await {
            tracing::error!(%error, search = %search.id, "a search can't be shared");
        }
    }

    async fn try_add_part(&self, search: &SearchSession, part: &SessionPart) -> serde_json::Result<()> {
        let cached = &part.cached;
        let (key, answer) = (
            format!("{SEARCH_KEY}{}", search.id),
            format!("{ANSWER_KEY}{}", cached.id),
        );
        let seconds = self.validity.as_secs().max(1);
        // An answer lives as long as the last search that shows it.
        let renewed = self.redis.ask(async |connection| {
            let mut renew = redis::cmd("EXPIRE");
            renew.arg(&answer).arg(seconds);
            renew.query_async::<bool>(connection).await
        });
        let stored = match renewed.await {
            None => return Ok(()),
            Some(true) => None,
            Some(false) => Some(serde_json::to_vec(&StoredAnswer {
                supplier: &cached.supplier,
                found: &cached.found,
            })?),
        };
        let head = serde_json::to_vec(&StoredHead {
            organization: search.organization,
            user: search.user,
            query: &*search.query,
        })?;
        let first = part.first;
        let part = serde_json::to_vec(&StoredPart {
            answer: cached.id,
            displayed: &part.displayed,
        })?;
        let added = self.redis.ask(async |connection| {
            let mut all = redis::pipe();
            all.atomic();
            if let Some(stored) = &stored {
                all.cmd("SET")
                    .arg(&answer)
                    .arg(stored)
                    .arg("EX")
                    .arg(seconds)
                    .ignore();
            }
            let hash = all.cmd("HSET").arg(&key);
            hash.arg(HEAD_FIELD).arg(&head).arg(first).arg(&part).ignore();
            all.cmd("EXPIRE").arg(&key).arg(seconds).ignore();
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

    async fn try_find(&self, id: SearchId) -> serde_json::Result<Option<SearchSession>> {
        let hash = self.redis.ask(async |connection| {
            let mut all = redis::cmd("HGETALL");
            all.arg(format!("{SEARCH_KEY}{id}"));
            all.query_async::<HashMap<String, Vec<u8>>>(connection).await
        });
        let mut hash = hash.await.unwrap_or_default();
        let Some(head) = hash.remove(HEAD_FIELD) else {
            return Ok(None);
        };
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
        let answers: Vec<String> = parts
            .iter()
            .map(|(_, part)| format!("{ANSWER_KEY}{}", part.answer))
            .collect();
        let stored = self.redis.ask(async |connection| {
            let mut all = redis::cmd("MGET");
            all.arg(&answers);
            all.query_async::<Vec<Option<Vec<u8>>>>(connection).await
        });
        for ((first, part), stored) in parts.into_iter().zip(stored.await.unwrap_or_default()) {
            let Some(stored) = stored else { continue };
            let stored: StoredAnswer<String, Offers> = serde_json::from_slice(&stored)?;
            search.add_part(Some(Arc::new(SessionPart {
                first,
                cached: Arc::new(CachedOffers::new(part.answer, stored.supplier, stored.found)),
                displayed: part.displayed,
            })));
        }
        Ok(Some(search))
    }

    /// Takes the answer from whichever search has reserved it.
    pub(crate) async fn spend(&self, answer: AnswerId) {
        let seconds = self.validity.as_secs().max(1);
        let spent = self.redis.ask(async |connection| {
            let mut set = redis::cmd("SET");
            set.arg(format!("{RESERVATION_KEY}{answer}")).arg(SPENT);
            set.arg("EX").arg(seconds);
            set.exec_async(connection).await
        });
        spent.await;
    }

    /// Whether this search is the first that wants to buy of the answer; none when Redis does not answer.
    pub(crate) async fn reserve_for(&self, answer: AnswerId, search: SearchId) -> Option<bool> {
        let key = format!("{RESERVATION_KEY}{answer}");
        let reserved = self.redis.ask(async |connection| {
            let mut both = redis::pipe();
            let seconds = self.validity.as_secs().max(1);
            both.cmd("SET").arg(&key).arg(search.to_string());
            both.arg("NX").arg("EX").arg(seconds).ignore();
            both.cmd("GET").arg(&key);
            both.query_async::<(String,)>(connection).await
        });
        reserved.await.map(|(holder,)| holder == search.to_string())
    }
}
