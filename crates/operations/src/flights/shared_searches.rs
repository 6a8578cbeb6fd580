//! Searches in Redis, so that an offer that one process showed can be priced by another.
//!
//! `wayfare:answer:<id>` is what a supplier said, once for all who were told it. `wayfare:search:<id>` is a list: whose
//! search it is, then for each supplier that answered which answer and what of it was shown. Both end by themselves.

use std::{sync::Arc, time::Duration};

use redis::RedisError;
use serde::{Deserialize, Serialize};
use wayfare_domain::{AnswerId, OrganizationId, SearchId, UserId};
use wayfare_flights::{FoundOffers, Query};

use super::{
    answers::Heard,
    kept::{KeptPart, KeptSearch, Shown},
};
use crate::Redis;

const ANSWER: &str = "wayfare:answer:";
const SEARCH: &str = "wayfare:search:";
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
        let part = serde_json::to_vec(&Part {
            answer: heard.id,
            shown: &part.shown,
        })?;
        let is_first = search.parts().len() == 1;
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
            if is_first {
                all.cmd("RPUSH").arg(&key).arg(&head).ignore();
            }
            all.cmd("RPUSH").arg(&key).arg(&part).ignore();
            all.cmd("EXPIRE").arg(&key).arg(seconds).ignore();
            all.exec_async(connection).await
        });
        added.await;
        Ok(())
    }

    /// The search of this id; none where it is over, or Redis can't tell.
    pub(crate) async fn find(&self, id: SearchId) -> Option<KeptSearch> {
        let found = self.redis.ask(async |connection| {
            let mut list = redis::cmd("LRANGE");
            list.arg(format!("{SEARCH}{id}")).arg(0).arg(-1);
            let list: Vec<Vec<u8>> = list.query_async(connection).await?;
            let Some((head, parts)) = list.split_first() else {
                return Ok(None);
            };
            let head: Head<Query> = read(head)?;
            let mut search = KeptSearch::new(id, head.organization, head.user, Arc::new(head.query));
            for part in parts {
                let part: Part<Vec<Option<Shown>>> = read(part)?;
                let mut get = redis::cmd("GET");
                get.arg(format!("{ANSWER}{}", part.answer));
                let Some(said) = get.query_async::<Option<Vec<u8>>>(connection).await? else {
                    return Ok(None);
                };
                let said: Said<String, FoundOffers> = read(&said)?;
                search.extend(Some(Arc::new(KeptPart {
                    heard: Arc::new(Heard::new(part.answer, said.supplier, said.found)),
                    shown: part.shown,
                })));
            }
            Ok(Some(search))
        });
        found.await.flatten()
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

fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, RedisError> {
    serde_json::from_slice(bytes).map_err(|error| std::io::Error::other(error).into())
}
