//! The offer cache: one supplier call serves everybody who searches the same, at the same time or within
//! `search_cache_ttl`. Its offers carry nobody's prices.

use std::{
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::BoxFuture};
use serde::{Deserialize, Serialize};
use tokio::runtime::Handle;
use wayfare_domain::{AnswerId, Clock, SearchId};
use wayfare_flights::{FlightSupplier, Offers, Query};
use wayfare_supply::{Answer, HeldBytes, on_behalf_of};

use crate::tools::{
    detached::query_supplier,
    look_to_book::SupplierSearch,
    search_memory::{
        SearchMemoryUse,
        fair_store::{FairStore, Kept, KeptFor},
    },
    single_flight::{SharedCall, SingleFlight},
};

/// A supplier's usable answer to a search.
#[derive(Debug, Serialize, Deserialize)]
pub struct CachedOffers {
    /// Names it wherever it is kept.
    pub id: AnswerId,
    /// The supplier's code.
    pub supplier: String,
    /// What it offers.
    pub found: Offers,
    /// The search that buys of it, where the supplier's offers are single-use. All copies of the answer have the same one.
    #[serde(skip)]
    reservation: Reservation,
    /// How many bytes it takes.
    bytes: usize,
}

/// Which search buys of an answer.
pub(super) type Reservation = Arc<OnceLock<SearchId>>;

impl CachedOffers {
    /// What the supplier of this code answered.
    pub fn new(id: AnswerId, supplier: String, found: Offers) -> Self {
        Self {
            bytes: size_of::<Self>() + supplier.held_bytes() + found.held_bytes(),
            id,
            supplier,
            found,
            reservation: Reservation::default(),
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn reservation(&self) -> &Reservation {
        &self.reservation
    }

    /// Makes this a copy of the answer that has this reservation.
    pub(super) fn share_reservation(&mut self, reservation: Reservation) {
        self.reservation = reservation;
    }

    /// Whether this search is the first in this process that wants to buy of it.
    pub(super) fn reserve_for(&self, search: SearchId) -> bool {
        *self.reservation.get_or_init(|| search) == search
    }
}

/// What a supplier answered, for everybody who asked the same.
pub type SupplierAnswer = Answer<Arc<CachedOffers>>;

/// A supplier and what it is asked.
type CacheKey = (String, Arc<Query>);
type SupplierCall = SharedCall<SupplierAnswer>;
type CachedAnswers = FairStore<CacheKey, Arc<CachedOffers>>;

/// The supplier calls that run, and the answers of the last moments, each kept for whoever caused its call.
pub(crate) struct OfferCache {
    calls: SingleFlight<CacheKey, SupplierAnswer>,
    answers: Arc<Mutex<CachedAnswers>>,
    ttl: Duration,
    /// Where suppliers are asked: not on the runtime of a request, which may end before its answer comes.
    runtime: Handle,
    clock: Clock,
}

impl OfferCache {
    /// A cache of so many bytes whose answers live so long; nothing is cached for no time.
    pub(crate) fn new(ttl: Duration, bound: usize, runtime: Handle, clock: Clock) -> Self {
        Self {
            calls: SingleFlight::default(),
            answers: Arc::new(Mutex::new(FairStore::new(if ttl.is_zero() { 0 } else { bound }))),
            ttl,
            runtime,
            clock,
        }
    }

    /// The supplier's answer to this query, and whether it cost a call. The call is cancelled when nobody waits for it any
    /// more.
    pub(crate) fn search(
        &self,
        supplier: &Arc<dyn FlightSupplier>,
        query: &Arc<Query>,
        asker: KeptFor,
    ) -> (SupplierCall, SupplierSearch) {
        let key = (supplier.config().code.clone(), query.clone());
        if let Some(cached) = self.cached(&key) {
            let hit = std::future::ready(Answer::Done(cached)).boxed().shared();
            return (hit, SupplierSearch::Shared);
        }
        let mut cost = SupplierSearch::Shared;
        let call = self.calls.join(&key, || {
            // A call may have ended since we looked: its answer is cached before the call is forgotten.
            match self.cached(&key) {
                Some(cached) => std::future::ready(Answer::Done(cached)).boxed(),
                None => {
                    cost = SupplierSearch::Asked;
                    self.query(supplier.clone(), key.clone(), asker)
                }
            }
        });
        (call, cost)
    }

    /// Forgets an answer of which something was sold or is gone, so that the next search asks the supplier again.
    pub(crate) fn forget(&self, supplier: &str, query: &Query) {
        let key = (supplier.to_owned(), Arc::new(query.clone()));
        lock(&self.answers).remove(&key);
    }

    /// Forgets what has expired.
    pub(crate) fn sweep(&self) {
        lock(&self.answers).remove_expired(Instant::now());
    }

    /// What is kept now. What is put out of it is asked for again: nobody was promised to find it here.
    pub(crate) fn used(&self) -> SearchMemoryUse {
        lock(&self.answers).used("offer cache")
    }

    fn cached(&self, key: &CacheKey) -> Option<Arc<CachedOffers>> {
        Some(lock(&self.answers).get(key)?.value.clone())
    }

    /// Asks the supplier at once, whether anybody waits yet or not.
    fn query(
        &self,
        supplier: Arc<dyn FlightSupplier>,
        key: CacheKey,
        asker: KeptFor,
    ) -> BoxFuture<'static, SupplierAnswer> {
        let query = key.1.clone();
        let asked = on_behalf_of(asker.organization, async move { supplier.search(&query).await });
        let answer = query_supplier(&self.runtime, asked);
        let (answers, clock, ttl) = (self.answers.clone(), self.clock.clone(), self.ttl);
        async move {
            let answer = answer
                .await
                .map(|found| Arc::new(CachedOffers::new(AnswerId::new(&clock), key.0.clone(), found)));
            if let Answer::Done(cached) = &answer {
                let kept = Kept {
                    value: cached.clone(),
                    owner: asker,
                    bytes: cached.bytes(),
                    ends: Instant::now() + ttl,
                };
                lock(&answers).insert(key, kept);
            }
            answer
        }
        .boxed()
    }
}

fn lock(answers: &Mutex<CachedAnswers>) -> MutexGuard<'_, CachedAnswers> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}
