//! Search memory: what is kept of searches until it expires, within so many bytes, shared fairly among agencies and users.

pub(crate) mod answer_cache;
pub(crate) mod fair_store;
pub(crate) mod packed;
pub(crate) mod query_hash;

use std::{
    collections::HashMap,
    fmt::Debug,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use serde::{Serialize, de::DeserializeOwned};
use tokio::{runtime::Handle, sync::watch, time::timeout};

use fair_store::{FairStore, Kept, KeptFor};
use packed::Packed;

/// Of the bytes of a kind of session, the part that holds sessions as they are read: one in so many.
const READABLE_SHARE: usize = 4;
/// The part that holds those that wait to be packed.
const WAITING_SHARE: usize = 16;
/// For how long a search waits until others are packed.
const PATIENCE: Duration = Duration::from_secs(2);

/// The bytes that may be kept of searches, for each use a part of them.
#[derive(Clone, Copy, Debug)]
pub struct SearchMemoryBounds {
    total: usize,
}

impl SearchMemoryBounds {
    /// Parts of so many bytes.
    pub fn of(total: usize) -> Self {
        Self { total }
    }

    /// Suppliers' answers that serve others who ask the same.
    pub(crate) fn offer_cache(self) -> usize {
        self.total / 8
    }

    pub(crate) fn flight_sessions(self) -> usize {
        self.total / 8 * 3
    }

    pub(crate) fn hotel_cache(self) -> usize {
        self.total / 16
    }

    pub(crate) fn hotel_sessions(self) -> usize {
        self.total / 8 * 3
    }

    /// Names of hotel searches, longer than the searches.
    pub(crate) fn hotel_names(self) -> usize {
        self.total / 32
    }

    /// Single-use answers of which an order was made.
    pub(crate) fn spent_answers(self) -> usize {
        self.total / 32
    }
}

/// What one use of search memory keeps now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchMemoryUse {
    pub kind: &'static str,
    /// How many bytes it may keep.
    pub bound: usize,
    pub bytes: usize,
    pub entries: usize,
    /// How many were put out before they had expired, since the start.
    pub put_out: u64,
}

impl<K: Clone + Eq + Hash, V> FairStore<K, V> {
    pub(crate) fn used(&self, kind: &'static str) -> SearchMemoryUse {
        SearchMemoryUse {
            kind,
            bound: self.bound(),
            bytes: self.bytes(),
            entries: self.len(),
            put_out: self.put_out(),
        }
    }
}

pub(crate) trait KeptSession: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// What stays as it is while the session is packed.
    type Beside: Clone + Send + Sync + 'static;

    fn owner(&self) -> KeptFor;

    /// About how many bytes it takes as it is.
    fn bytes(&self) -> usize;

    fn beside(&self) -> Self::Beside;

    /// Gives back to a session that was unpacked what stayed.
    fn restore(&mut self, beside: Self::Beside);
}

/// Search sessions of one kind. The newest, and those that somebody reads, are kept as they are. The others are packed,
/// into a fifth to a tenth of the bytes, and unpacked when they are asked for. What does not fit any more either is lost.
///
/// One thread packs, in the background: a search does not wait until older ones are packed, unless more of them wait than
/// there is room for.
pub(crate) struct SessionMemory<K, S: KeptSession> {
    kind: &'static str,
    lifetime: Duration,
    sessions: Mutex<Sessions<K, S>>,
    /// How many bytes wait to be packed.
    waiting: watch::Sender<usize>,
    most_waiting: usize,
    /// Where sessions are packed: not on the runtime of a request, which may end before that.
    runtime: Handle,
}

struct Sessions<K, S: KeptSession> {
    readable: FairStore<K, Readable<S>>,
    /// On their way from one store to the other.
    waiting: HashMap<K, Kept<Readable<S>>>,
    is_packing: bool,
    packed: FairStore<K, Arc<Packed<S>>>,
}

struct Readable<S: KeptSession> {
    session: Arc<S>,
    /// Kept of one that was packed before, which is then not done again.
    packed: Option<Arc<Packed<S>>>,
}

/// A session that waits, and as it was packed before.
type Waiting<K, S> = (K, Arc<S>, Option<Arc<Packed<S>>>);

impl<K, S> SessionMemory<K, S>
where
    K: Clone + Debug + Eq + Hash + Send + 'static,
    S: KeptSession,
{
    /// Keeps sessions so long, in so many bytes.
    pub(crate) fn new(kind: &'static str, bound: usize, lifetime: Duration, runtime: Handle) -> Arc<Self> {
        let (readable, most_waiting) = (bound / READABLE_SHARE, bound / WAITING_SHARE);
        Arc::new(Self {
            kind,
            lifetime,
            sessions: Mutex::new(Sessions {
                readable: FairStore::new(readable),
                waiting: HashMap::new(),
                is_packing: false,
                packed: FairStore::new(bound - readable - most_waiting),
            }),
            waiting: watch::Sender::new(0),
            most_waiting,
            runtime,
        })
    }

    /// Keeps this session, in place of what was kept under its key.
    pub(crate) async fn store(self: &Arc<Self>, key: K, session: Arc<S>) {
        {
            let mut sessions = self.lock();
            self.forget_waiting(&mut sessions, &key);
            sessions.packed.remove(&key);
            let kept = Kept {
                owner: session.owner(),
                bytes: session.bytes(),
                ends: Instant::now() + self.lifetime,
                value: Readable { session, packed: None },
            };
            self.make_readable(&mut sessions, key, kept);
        }
        let is_roomy = |waiting: &usize| *waiting <= self.most_waiting;
        // Memory that grows for a moment is better than a search that waits for ever.
        let _ = timeout(PATIENCE, self.waiting.subscribe().wait_for(is_roomy)).await;
    }

    pub(crate) async fn find(self: &Arc<Self>, key: &K) -> Option<Arc<S>> {
        let kept = {
            let sessions = self.lock();
            let kept = sessions.readable.get(key).or_else(|| sessions.waiting.get(key));
            if let Some(kept) = kept {
                return Some(Arc::clone(&kept.value.session));
            }
            sessions.packed.get(key)?.clone()
        };
        let (memory, key) = (Arc::clone(self), key.clone());
        let unpacked = self.runtime.spawn_blocking(move || memory.unpack(key, kept));
        unpacked.await.ok().flatten()
    }

    pub(crate) fn remove_expired(&self) {
        let mut sessions = self.lock();
        let now = Instant::now();
        sessions.readable.remove_expired(now);
        sessions.packed.remove_expired(now);
    }

    pub(crate) fn used(&self) -> SearchMemoryUse {
        let sessions = self.lock();
        SearchMemoryUse {
            kind: self.kind,
            bound: sessions.readable.bound() + self.most_waiting + sessions.packed.bound(),
            bytes: sessions.readable.bytes() + *self.waiting.borrow() + sessions.packed.bytes(),
            entries: sessions.readable.len() + sessions.waiting.len() + sessions.packed.len(),
            put_out: sessions.packed.put_out(),
        }
    }

    /// Keeps it readable. What gives way for it waits to be packed.
    fn make_readable(self: &Arc<Self>, sessions: &mut Sessions<K, S>, key: K, kept: Kept<Readable<S>>) {
        for (key, kept) in sessions.readable.insert(key, kept) {
            self.waiting.send_modify(|waiting| *waiting += kept.bytes);
            sessions.waiting.insert(key, kept);
        }
        if !sessions.waiting.is_empty() && !sessions.is_packing {
            sessions.is_packing = true;
            let memory = Arc::clone(self);
            // It ends by itself, whether anybody waits for it or not.
            drop(self.runtime.spawn_blocking(move || memory.pack()));
        }
    }

    fn forget_waiting(&self, sessions: &mut Sessions<K, S>, key: &K) {
        if let Some(kept) = sessions.waiting.remove(key) {
            self.waiting.send_modify(|waiting| *waiting -= kept.bytes);
        }
    }

    /// Packs all that waits, one after the other.
    fn pack(&self) {
        while let Some((key, session, known)) = self.next_waiting() {
            let packed = match known {
                Some(packed) => Ok(packed),
                None => Packed::of(&*session).map(Arc::new),
            };
            let mut sessions = self.lock();
            let newest = sessions.waiting.get(&key);
            let Some(kept) = newest.filter(|newest| Arc::ptr_eq(&newest.value.session, &session)) else {
                // Another has taken its place meanwhile.
                continue;
            };
            let (owner, ends) = (kept.owner, kept.ends);
            self.forget_waiting(&mut sessions, &key);
            match packed {
                Ok(packed) => {
                    let kept = Kept { bytes: packed.bytes(), value: packed, owner, ends };
                    let lost = sessions.packed.insert(key, kept);
                    drop(sessions);
                    lost.iter().for_each(|(key, kept)| log_put_out(self.kind, key, kept));
                }
                Err(error) => tracing::error!(%error, kind = self.kind, ?key, "a search can't be packed"),
            }
        }
    }

    /// One that waits; none says that nobody packs any more.
    fn next_waiting(&self) -> Option<Waiting<K, S>> {
        let mut sessions = self.lock();
        let next = sessions.waiting.iter().next();
        let next = next.map(|(key, kept)| {
            let Readable { session, packed } = &kept.value;
            (key.clone(), Arc::clone(session), packed.clone())
        });
        sessions.is_packing = next.is_some();
        next
    }

    fn unpack(self: &Arc<Self>, key: K, kept: Kept<Arc<Packed<S>>>) -> Option<Arc<S>> {
        let session = match kept.value.unpack() {
            Ok(session) => Arc::new(session),
            Err(error) => {
                tracing::error!(%error, kind = self.kind, ?key, "a search can't be unpacked");
                return None;
            }
        };
        let mut sessions = self.lock();
        let current = sessions.packed.get(&key);
        if current.is_some_and(|current| Arc::ptr_eq(&current.value, &kept.value)) {
            sessions.packed.remove(&key);
            let kept = Kept {
                owner: kept.owner,
                bytes: session.bytes() + kept.value.bytes(),
                ends: kept.ends,
                value: Readable { session: Arc::clone(&session), packed: Some(kept.value) },
            };
            self.make_readable(&mut sessions, key, kept);
        }
        Some(session)
    }

    fn lock(&self) -> MutexGuard<'_, Sessions<K, S>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Logs that something was put out before its time.
fn log_put_out<K: Debug, V>(kind: &str, key: &K, kept: &Kept<V>) {
    let left = kept.ends.saturating_duration_since(Instant::now());
    tracing::warn!(
        kind,
        organization = %kept.owner.organization,
        user = %kept.owner.user,
        ?key,
        bytes = kept.bytes,
        left_s = left.as_secs(),
        "search memory is full: what has not expired is put out"
    );
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use uuid::Uuid;
    use wayfare_domain::{OrganizationId, UserId};

    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Texts {
        agency: u8,
        texts: Vec<String>,
        #[serde(skip)]
        mark: Arc<Mutex<u32>>,
    }

    impl KeptSession for Texts {
        type Beside = Arc<Mutex<u32>>;

        fn owner(&self) -> KeptFor {
            let id = Uuid::from_u128(self.agency.into());
            KeptFor { organization: OrganizationId::from_uuid(id), user: UserId::from_uuid(id) }
        }

        fn bytes(&self) -> usize {
            self.texts.iter().map(String::len).sum()
        }

        fn beside(&self) -> Self::Beside {
            Arc::clone(&self.mark)
        }

        fn restore(&mut self, beside: Self::Beside) {
            self.mark = beside;
        }
    }

    impl PartialEq for Texts {
        fn eq(&self, other: &Self) -> bool {
            (self.agency, &self.texts) == (other.agency, &other.texts)
        }
    }

    fn texts(agency: u8, number: u32) -> Arc<Texts> {
        Arc::new(Texts {
            agency,
            texts: (0..100).map(|line| format!("text {line} of session {number}")).collect(),
            mark: Arc::default(),
        })
    }

    fn memory(bound: usize) -> Arc<SessionMemory<u32, Texts>> {
        SessionMemory::new("texts", bound, Duration::from_secs(1000), Handle::current())
    }

    async fn all_packed(memory: &SessionMemory<u32, Texts>) {
        let mut waiting = memory.waiting.subscribe();
        waiting.wait_for(|waiting| *waiting == 0).await.unwrap();
    }

    #[tokio::test]
    async fn who_brings_more_than_can_wait_waits_until_it_is_packed() {
        let memory = memory(40_000);
        for number in 0..200 {
            memory.store(number, texts(1, number)).await;
            // One more than there is room for, at most: whoever brought it has waited.
            let waiting = *memory.waiting.borrow();
            assert!(waiting <= 40_000 / WAITING_SHARE, "{waiting}");
        }
        all_packed(&memory).await;
        assert!(memory.used().bytes <= 40_000, "{:?}", memory.used());
    }

    #[tokio::test]
    async fn what_is_packed_is_read_as_it_was_stored() {
        let memory = memory(40_000);
        let stored: Vec<_> = (0..20).map(|number| texts(1, number)).collect();
        for (key, session) in (0..).zip(&stored) {
            memory.store(key, Arc::clone(session)).await;
        }
        all_packed(&memory).await;
        let used = memory.used();
        assert_eq!((used.entries, used.put_out), (20, 0));
        assert!(used.bytes <= 40_000, "{used:?}");
        assert!(memory.lock().packed.len() > 10);
        for (key, session) in (0..).zip(&stored) {
            let found = memory.find(&key).await.unwrap();
            assert_eq!(found, *session);
            assert!(Arc::ptr_eq(&found.mark, &session.mark));
        }
        assert_eq!(memory.used().entries, 20);
    }

    #[tokio::test]
    async fn a_session_that_is_stored_again_is_the_newest_wherever_it_is() {
        let memory = memory(40_000);
        for number in 0..20 {
            memory.store(number, texts(1, number)).await;
        }
        let newer = texts(1, 99);
        memory.store(0, Arc::clone(&newer)).await;
        assert_eq!(memory.find(&0).await.unwrap(), newer);
        for number in 1..20 {
            memory.store(number, texts(1, number)).await;
        }
        assert_eq!(memory.find(&0).await.unwrap(), newer);
        assert_eq!(memory.used().entries, 20);
    }

    #[tokio::test]
    async fn a_flood_of_one_agency_leaves_the_searches_of_another() {
        let memory = memory(20_000);
        let first = texts(1, 0);
        memory.store(0, Arc::clone(&first)).await;
        for number in 1..300 {
            memory.store(number, texts(2, number)).await;
        }
        all_packed(&memory).await;
        assert_eq!(memory.find(&0).await.unwrap(), first);
        all_packed(&memory).await;
        let used = memory.used();
        assert!(used.put_out > 200 && used.bytes <= 20_000, "{used:?}");
        assert!(memory.find(&1).await.is_none());
        assert!(memory.find(&299).await.is_some());
    }
}
