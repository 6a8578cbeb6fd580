//! Search sessions of hotels, in this process and in Redis for the others: pages are cut from them and rooms priced.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use tokio::{runtime::Handle, task::spawn_blocking};
use wayfare_domain::{Clock, UserId};

use crate::{
    Caller, Error, Redis, Result,
    hotels::{Criteria, SearchSession},
    tools::{
        search_memory::{
            KeptSession, SearchMemoryBounds, SearchMemoryUse, SessionMemory,
            fair_store::{FairStore, Kept},
        },
        single_flight::SingleFlight,
    },
};

/// For how long an expired search is remembered, so that its rooms are expired and not unknown.
const REMEMBERED: Duration = Duration::from_secs(24 * 3600);

type Key = (UserId, String);

/// A search under a name, as it is asked for.
type Named = (UserId, String, Arc<Criteria>);

/// Every search that can still be read.
///
/// In Redis `wayfare:hotels:<user>:<name>` is a whole search, and `wayfare:hotels-head:<user>:<name>` says when it was made.
/// By the second a process knows whether its own copy is still the newest, and that an expired search once existed.
pub(crate) struct SearchSessions {
    /// Searches under a name that are running.
    pub(super) running: SingleFlight<Named, std::result::Result<Arc<SearchSession>, String>>,
    own: Arc<SessionMemory<Key, SearchSession>>,
    /// To distinguish a search that has expired from one that never was.
    known: Mutex<FairStore<Key, ()>>,
    shared: Option<Arc<Redis>>,
    validity: Duration,
    clock: Clock,
}

impl SearchSessions {
    /// Keeps searches for so long, all of them within these bounds.
    pub(crate) fn new(
        validity: Duration,
        bounds: SearchMemoryBounds,
        runtime: Handle,
        clock: Clock,
        redis: Option<Arc<Redis>>,
    ) -> Self {
        Self {
            running: SingleFlight::default(),
            own: SessionMemory::new("hotel searches", bounds.hotel_sessions(), validity, runtime),
            known: Mutex::new(FairStore::new(bounds.hotel_names())),
            shared: redis,
            validity,
            clock,
        }
    }

    /// Stores a search in place of what the user had under its name.
    pub(crate) async fn store(&self, session: &Arc<SearchSession>) {
        let key = (session.user, session.id.clone());
        let name = Kept {
            value: (),
            owner: session.owner(),
            bytes: key.1.len() * 3,
            ends: Instant::now() + REMEMBERED,
        };
        self.known().insert(key.clone(), name);
        self.own.store(key, session.clone()).await;
        if let Some(redis) = &self.shared {
            let whole = session.clone();
            match off_thread(move || serde_json::to_vec(&*whole)).await {
                Ok(bytes) => self.share(redis, session, bytes).await,
                Err(error) => tracing::error!(%error, search = session.id, "a search can't be shared"),
            }
        }
    }

    async fn share(&self, redis: &Redis, session: &SearchSession, bytes: Vec<u8>) {
        let seconds = self.validity.as_secs().max(1);
        let set = redis.ask(async |connection| {
            let mut both = redis::pipe();
            let whole = both.atomic().cmd("SET");
            whole.arg(shared_key(session.user, &session.id)).arg(&bytes);
            whole.arg("EX").arg(seconds).ignore();
            let head = both.cmd("SET").arg(head_key(session.user, &session.id));
            head.arg(session.created_at.to_rfc3339());
            head.arg("EX").arg(seconds.max(REMEMBERED.as_secs())).ignore();
            both.exec_async(connection).await
        });
        set.await;
    }

    /// The user's search of this name; none when there is none or it has expired.
    pub(crate) async fn find(&self, user: UserId, id: &str) -> Option<Arc<SearchSession>> {
        let found = self.newest(user, id).await?;
        (found.expires_at > self.clock.now()).then_some(found)
    }

    async fn newest(&self, user: UserId, id: &str) -> Option<Arc<SearchSession>> {
        let key = (user, id.to_owned());
        if let Some(own) = self.own.find(&key).await {
            // Redis knows of no newer one: no other process has searched under this name since.
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
        match off_thread(move || serde_json::from_slice(&bytes)).await {
            Ok(session) => {
                let session = Arc::new(session);
                self.own.store(key, Arc::clone(&session)).await;
                Some(session)
            }
            // A program of another version may have written it.
            Err(error) => {
                tracing::error!(%error, search = id, "a shared search can't be read");
                None
            }
        }
    }

    pub(crate) fn remove_expired(&self) {
        self.own.remove_expired();
        self.known().remove_expired(Instant::now());
    }

    /// What is kept now: searches, and names.
    pub(crate) fn used(&self) -> [SearchMemoryUse; 2] {
        [self.own.used(), self.known().used("hotel search names")]
    }

    fn known(&self) -> MutexGuard<'_, FairStore<Key, ()>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the newest search of this name was made; none where Redis does not know of one, or does not answer.
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
    /// [`Error::OfferExpired`] for one that has expired, [`Error::NotFound`] for one that never was theirs.
    pub(crate) async fn find_to_buy(&self, caller: &Caller, id: &str) -> Result<Arc<SearchSession>> {
        if let Some(session) = self.find(caller.user(), id).await {
            return Ok(session);
        }
        let key = (caller.user(), id.to_owned());
        let was = self.known().get(&key).is_some() || self.head(caller.user(), id).await.is_some();
        Err(if was { Error::OfferExpired } else { Error::NotFound })
    }
}

/// Reads or writes a whole search off the async threads: thousands of rates would hold up every other request.
async fn off_thread<T: Send + 'static>(
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
