//! The offer cache: one supplier call serves everybody who searches the same, at the same time or within
//! `search_cache_ttl`. Its offers carry nobody's prices.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures_util::{FutureExt, future::BoxFuture};
use moka::{future::Cache, policy::EvictionPolicy};
use tokio::runtime::Handle;
use wayfare_domain::{AnswerId, Clock, SearchId};
use wayfare_flights::{FlightSupplier, Offers, Query};
use wayfare_supply::Answer;

use crate::tools::{
    detached::query_supplier,
    look_to_book::SupplierSearch,
    single_flight::{SharedCall, SingleFlight},
};

/// Cached offers that are kept in memory at most.
const MOST_OFFERS: u64 = 100_000;

/// A supplier's usable answer to a search.
#[derive(Debug)]
pub struct CachedOffers {
    /// Names it wherever it is kept.
    pub id: AnswerId,
    /// The supplier's code.
    pub supplier: String,
    /// What it offers.
    pub found: Offers,
    /// The search that buys of it, where the supplier's offers are single-use.
    reservation: OnceLock<SearchId>,
}

impl CachedOffers {
    /// What the supplier of this code answered.
    pub fn new(id: AnswerId, supplier: String, found: Offers) -> Self {
        Self {
            id,
            supplier,
            found,
            reservation: OnceLock::new(),
        }
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

/// The supplier calls that run, and the answers of the last moments.
pub(crate) struct OfferCache {
    calls: SingleFlight<CacheKey, SupplierAnswer>,
    answers: Cache<CacheKey, Arc<CachedOffers>>,
    /// Where suppliers are asked: not on the runtime of a request, which may end before its answer comes.
    runtime: Handle,
    clock: Clock,
}

impl OfferCache {
    /// A cache whose answers live so long; nothing is cached for no time.
    pub(crate) fn new(ttl: Duration, runtime: Handle, clock: Clock) -> Self {
        Self {
            calls: SingleFlight::default(),
            answers: Cache::builder()
                .weigher(|_, cached: &Arc<CachedOffers>| {
                    u32::try_from(cached.found.offers.len().max(1)).unwrap_or(u32::MAX)
                })
                .max_capacity(if ttl.is_zero() { 0 } else { MOST_OFFERS })
                .eviction_policy(EvictionPolicy::lru())
                .time_to_live(ttl)
                .build(),
            runtime,
            clock,
        }
    }

    /// The supplier's answer to this query, and whether it cost a call. The call is cancelled when nobody waits for it any
    /// more.
    pub(crate) async fn search(
        &self,
        supplier: &Arc<dyn FlightSupplier>,
        query: &Arc<Query>,
    ) -> (SupplierCall, SupplierSearch) {
        let key = (supplier.config().code.clone(), query.clone());
        if let Some(cached) = self.answers.get(&key).await {
            let hit = std::future::ready(Answer::Done(cached)).boxed().shared();
            return (hit, SupplierSearch::Shared);
        }
        let mut cost = SupplierSearch::Shared;
        let call = self.calls.join(&key, || {
            // A call may have ended since we looked: its answer is cached before the call is forgotten.
            match self.answers.get(&key).now_or_never().flatten() {
                Some(cached) => std::future::ready(Answer::Done(cached)).boxed(),
                None => {
                    cost = SupplierSearch::Asked;
                    self.query(supplier.clone(), key.clone())
                }
            }
        });
        (call, cost)
    }

    /// Forgets an answer of which something was sold or is gone, so that the next search asks the supplier again.
    pub(crate) async fn forget(&self, supplier: &str, query: &Query) {
        let key = (supplier.to_owned(), Arc::new(query.clone()));
        self.answers.invalidate(&key).await;
    }

    /// Asks the supplier at once, whether anybody waits yet or not.
    fn query(&self, supplier: Arc<dyn FlightSupplier>, key: CacheKey) -> BoxFuture<'static, SupplierAnswer> {
        let query = key.1.clone();
        let answer = query_supplier(&self.runtime, async move { supplier.search(&query).await });
        let (answers, clock) = (self.answers.clone(), self.clock.clone());
        async move {
            let answer = answer
                .await
                .map(|found| Arc::new(CachedOffers::new(AnswerId::new(&clock), key.0.clone(), found)));
            if let Answer::Done(cached) = &answer {
                answers.insert(key, cached.clone()).await;
            }
            answer
        }
        .boxed()
    }
}
