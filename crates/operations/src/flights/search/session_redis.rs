//! Searches in Redis, so that an offer that one process showed can be priced by another.
//!
//! `wayfare:answer:<id>` is what a supplier said, once for all who were told it. `wayfare:search:<id>` is a hash: under
//! `head` whose search it is, and for each supplier that answered, under the place of its first offer, which answer that
//! was and what of it was shown. So a part that is written twice is there once, and one that was not leaves a hole, whose
//! offers are over. Both end by themselves.

use std::{collections::HashMap, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use wayfare_domain::{AnswerId, OrganizationId, SearchId, UserId};
use wayfare_flights::{FoundOffers, Query};

use super::{
    offer_cache::Heard,
    session_cache::{KeptPart, KeptSearch, Shown},
};
use crate::Redis;

const ANSWER: &str = "wayfare:answer:";
const SEARCH: &str = "wayfare:search:";
const HEAD: &str = "head";
const CLAIM: &str = "wayfare:claim:";

/// The searches in one Redis.
pub(crate) struct SharedSearches {
    redis: Arc<Redis>,
    validity: Duration,
}

#[derive(Serialize, Deserialize)]
struct Head<Q> {
    organization: OrganizationId,
    user: UserId,
    query: Q,
}

#[derive(Serialize, Deserialize)]
struct Part<S> {
    answer: AnswerId,
    shown: S,
}

#[derive(Serialize, Deserialize)]
struct Said<S, F> {
    supplier: S,
    found: F,
}

impl SharedSearches {
    /// Keeps searches for so long.
    pub(crate) fn new(redis: Arc<Redis>, validity: Duration) -> Self {
        Self { redis, validity }
    }

    /// Adds the newest part of a search, or says in the log why it could not.
    pub(crate) async fn add(&self, search: &KeptSearch, part: &KeptPart) {
        if let Err(error) = self.try_add(search, part).await {
            tracing::error!(%error, search = %search.id, "a search can't be shared");
        }
    }

    async fn try_add(&self, search: &KeptSearch, part: &KeptPart) -> serde_json::Result<()> {
        let heard = &part.heard;
        let (key, answer) = (format!("{SEARCH}{}", search.id), format!("{ANSWER}{}", heard.id));
        let seconds = self.validity.as_secs().max(1);
        // An answer lives as long as the last search that shows it.
        let renewed = self.redis.ask(async |connection| {
            let mut renew = redis::cmd("EXPIRE");
            renew.arg(&answer).arg(seconds);
            renew.query_async::<bool>(connection).await
        });
        let said = match renewed.await {
            None => return Ok(()),
            Some(true) => None,
            Some(false) => Some(serde_json::to_vec(&Said {
                supplier: &heard.supplier,
                found: &heard.found,
            })?),
        };
        let head = serde_json::to_vec(&Head {
            organization: search.organization,
            user: search.user,
            query: &*search.query,
        })?;
        let first = part.first;
        let part = serde_json::to_vec(&Part {
            answer: heard.id,
            shown: &part.shown,
        })?;
        let added = self.redis.ask(async |connection| {
            let mut all = redis::pipe();
            all.atomic();
            if let Some(said) = &said {
                all.cmd("SET")
                    .arg(&answer)
                    .arg(said)
                    .arg("EX")
                    .arg(seconds)
                    .ignore();
            }
            let hash = all.cmd("HSET").arg(&key);
            hash.arg(HEAD).arg(&head).arg(first).arg(&part).ignore();
            all.cmd("EXPIRE").arg(&key).arg(seconds).ignore();
            all.exec_async(connection).await
        });
        added.await;
        Ok(())
    }

    /// The search of this id; none where it is over, or Redis can't tell.
    pub(crate) async fn find(&self, id: SearchId) -> Option<KeptSearch> {
        match self.try_find(id).await {
            Ok(found) => found,
            // Of a program of another version, say.
            Err(error) => {
                tracing::error!(%error, search = %id, "a shared search can't be read");
                None
            }
        }
    }

    async fn try_find(&self, id: SearchId) -> serde_json::Result<Option<KeptSearch>> {
        let hash = self.redis.ask(async |connection| {
            let mut all = redis::cmd("HGETALL");
            all.arg(format!("{SEARCH}{id}"));
            all.query_async::<HashMap<String, Vec<u8>>>(connection).await
        });
        let mut hash = hash.await.unwrap_or_default();
        let Some(head) = hash.remove(HEAD) else {
            return Ok(None);
        };
        let head: Head<Query> = serde_json::from_slice(&head)?;
        let mut parts = Vec::new();
        for (first, part) in &hash {
            let part: Part<Vec<Option<Shown>>> = serde_json::from_slice(part)?;
            parts.extend(first.parse::<usize>().ok().map(|first| (first, part)));
        }
        let mut search = KeptSearch::new(id, head.organization, head.user, Arc::new(head.query));
        if parts.is_empty() {
            return Ok(Some(search));
        }
        let answers: Vec<String> = parts
            .iter()
            .map(|(_, part)| format!("{ANSWER}{}", part.answer))
            .collect();
        let said = self.redis.ask(async |connection| {
            let mut all = redis::cmd("MGET");
            all.arg(&answers);
            all.query_async::<Vec<Option<Vec<u8>>>>(connection).await
        });
        for ((first, part), said) in parts.into_iter().zip(said.await.unwrap_or_default()) {
            let Some(said) = said else { continue };
            let said: Said<String, FoundOffers> = serde_json::from_slice(&said)?;
            search.extend(Some(Arc::new(KeptPart {
                first,
                heard: Arc::new(Heard::new(part.answer, said.supplier, said.found)),
                shown: part.shown,
            })));
        }
        Ok(Some(search))
    }

    /// Whether this search is the first that wants to buy of the answer; none when Redis can't tell.
    pub(crate) async fn is_claimed_by(&self, answer: AnswerId, search: SearchId) -> Option<bool> {
        let key = format!("{CLAIM}{answer}");
        let claimant = self.redis.ask(async |connection| {
            let mut both = redis::pipe();
            let seconds = self.validity.as_secs().max(1);
            both.cmd("SET").arg(&key).arg(search.to_string());
            both.arg("NX").arg("EX").arg(seconds).ignore();
            both.cmd("GET").arg(&key);
            both.query_async::<(String,)>(connection).await
        });
        claimant.await.map(|(claimant,)| claimant == search.to_string())
    }
}
