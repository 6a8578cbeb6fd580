//! Hotel searches as they are kept, so that pages can be cut from them and rooms priced: in this process, and where
//! other processes find them.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use moka::{future::Cache, policy::EvictionPolicy};
use tokio::task::spawn_blocking;
use wayfare_domain::{Clock, UserId};

use crate::{
    Caller, Error, Redis, Result,
    hotels::{Criteria, Snapshot},
    tools::single_flight::UnderWay,
};

/// Rates that are kept in memory at most, over all searches.
const KEPT_RATES: u64 = 200_000;
/// For how long it is known of a search that it was, once it is over.
const REMEMBERED: Duration = Duration::from_secs(24 * 3600);
/// How many of them.
const MOST_REMEMBERED: u64 = 100_000;

type Key = (UserId, String);

/// A search under a name, as it is asked for.
type Named = (UserId, String, Arc<Criteria>);

/// Every search that can still be read.
///
/// In Redis `wayfare:hotels:<user>:<name>` is a whole search, and `wayfare:hotels-head:<user>:<name>` when it was made: by
/// it a process knows whether its own copy is still what the name stands for, and, once the search is over, that it was.
pub(crate) struct Snapshots {
    /// Those that are asked for under a name and not found yet.
    pub(super) under_way: UnderWay<Named, std::result::Result<Arc<Snapshot>, String>>,
    own: Cache<Key, Arc<Snapshot>>,
    /// So that a search that is over can be told from one that never was.
    known: Cache<Key, ()>,
    shared: Option<Arc<Redis>>,
    validity: Duration,
    clock: Clock,
}

impl Snapshots {
    /// Keeps searches for so long.
    pub(crate) fn new(validity: Duration, clock: Clock, redis: Option<Arc<Redis>>) -> Self {
        Self {
            under_way: UnderWay::default(),
            own: Cache::builder()
                .weigher(|_, kept: &Arc<Snapshot>| u32::try_from(kept.weight()).unwrap_or(u32::MAX))
                .max_capacity(KEPT_RATES)
                // The usual policy keeps what was asked for often and would turn a new search away at once.
                .eviction_policy(EvictionPolicy::lru())
                .time_to_live(validity)
                .build(),
            known: Cache::builder()
                .max_capacity(MOST_REMEMBERED)
                .time_to_live(REMEMBERED)
                .build(),
            shared: redis,
            validity,
            clock,
        }
    }

    /// Keeps a search in the place of what the user had under its name.
    pub(crate) async fn keep(&self, snapshot: &Arc<Snapshot>) {
        let key = (snapshot.user, snapshot.id.clone());
        self.known.insert(key.clone(), ()).await;
        self.own.insert(key, snapshot.clone()).await;
        if let Some(redis) = &self.shared {
            let whole = snapshot.clone();
            match aside(move || serde_json::to_vec(&*whole)).await {
                Ok(bytes) => self.share(redis, snapshot, bytes).await,
                Err(error) => tracing::error!(%error, search = snapshot.id, "a search can't be shared"),
            }
        }
    }

    async fn share(&self, redis: &Redis, snapshot: &Snapshot, bytes: Vec<u8>) {
        let seconds = self.validity.as_secs().max(1);
        let set = redis.ask(async |connection| {
            let mut both = redis::pipe();
            let whole = both.atomic().cmd("SET");
            whole.arg(shared_key(snapshot.user, &snapshot.id)).arg(&bytes);
            whole.arg("EX").arg(seconds).ignore();
            let head = both.cmd("SET").arg(head_key(snapshot.user, &snapshot.id));
            head.arg(snapshot.created_at.to_rfc3339());
            head.arg("EX").arg(seconds.max(REMEMBERED.as_secs())).ignore();
            both.exec_async(connection).await
        });
        set.await;
    }

    /// The user's search of this name; none when there is none, or it is over.
    pub(crate) async fn find(&self, user: UserId, id: &str) -> Option<Arc<Snapshot>> {
        let found = self.newest(user, id).await?;
        (found.expires_at > self.clock.now()).then_some(found)
    }

    async fn newest(&self, user: UserId, id: &str) -> Option<Arc<Snapshot>> {
        let key = (user, id.to_owned());
        if let Some(own) = self.own.get(&key).await {
            // What Redis does not know nobody else has made since.
            let made = self.head(user, id).await;
            if made.is_none_or(|made| made <= own.created_at) {
                return Some(own);
            }
        }
        let found = self.shared.as_ref()?.ask(async |connection| {
            let mut get = redis::cmd("GET");
            get.arg(shared_key(user, id));
            get.query_async::<Option<Vec<u8>>>(connection).await
        });
        let bytes = found.await??;
        match aside(move || serde_json::from_slice(&bytes)).await {
            Ok(snapshot) => {
                let snapshot = Arc::new(snapshot);
                self.own.insert(key, Arc::clone(&snapshot)).await;
                Some(snapshot)
            }
            // Of a program of another version, say.
            Err(error) => {
                tracing::error!(%error, search = id, "a shared search can't be read");
                None
            }
        }
    }

    /// When the newest search of this name was made; none where Redis does not know of one, or can't tell.
    async fn head(&self, user: UserId, id: &str) -> Option<DateTime<Utc>> {
        let found = self.shared.as_ref()?.ask(async |connection| {
            let mut get = redis::cmd("GET");
            get.arg(head_key(user, id));
            get.query_async::<Option<String>>(connection).await
        });
        found.await??.parse().ok()
    }

    /// The caller's search of this name, to buy of it.
    ///
    /// # Errors
    /// [`Error::OfferExpired`] for one that is over, [`Error::NotFound`] for one that never was theirs.
    pub(crate) async fn of(&self, caller: &Caller, id: &str) -> Result<Arc<Snapshot>> {
        if let Some(snapshot) = self.find(caller.user(), id).await {
            return Ok(snapshot);
        }
        let key = (caller.user(), id.to_owned());
        let was = self.known.contains_key(&key) || self.head(caller.user(), id).await.is_some();
        Err(if was { Error::OfferExpired } else { Error::NotFound })
    }
}

/// Reads or writes a whole search: thousands of rates would hold up all whom this thread serves.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> serde_json::Result<T> + Send + 'static,
) -> Result<T> {
    let done = spawn_blocking(work).await;
    Ok(done.map_err(|lost| Error::Internal(lost.to_string()))??)
}

fn shared_key(user: UserId, id: &str) -> String {
    format!("wayfare:hotels:{user}:{id}")
}

fn head_key(user: UserId, id: &str) -> String {
    format!("wayfare:hotels-head:{user}:{id}")
}
