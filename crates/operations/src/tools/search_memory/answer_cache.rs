//! The answer cache: one supplier call serves everybody who asks the same, at the same time or within
//! `search_cache_ttl`. An answer carries nobody's prices.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::BoxFuture};
use tokio::runtime::Handle;
use wayfare_supply::{Answer, on_behalf_of};

use super::{
    SearchMemoryUse,
    fair_store::{FairStore, Kept, KeptFor},
    query_hash::{Forgets, QueryHash},
};
use crate::tools::{
    detached::query_supplier,
    single_flight::{SharedCall, SingleFlight},
};

/// Whether a search cost a call to the supplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SupplierSearch {
    /// The supplier is asked because of it.
    Asked,
    /// An answer was cached, or on its way to somebody else.
    Shared,
}

/// A supplier's usable answer, as it is cached.
pub(crate) trait CachedAnswer: Send + Sync + 'static {
    /// About how many bytes it takes.
    fn bytes(&self) -> usize;

    /// Until when it is cached at most, where another server has had it for a while.
    fn ends(&self) -> Option<Instant> {
        None
    }
}

type CachedAnswers<T> = FairStore<QueryHash, Arc<T>>;

/// The supplier calls that run, and the answers of the last moments, each kept for whoever caused its call.
pub(crate) struct AnswerCache<T> {
    kind: &'static str,
    calls: SingleFlight<QueryHash, Answer<Arc<T>>>,
    answers: Arc<Mutex<CachedAnswers<T>>>,
    ttl: Duration,
    /// Where suppliers are asked: not on the runtime of a request, which may end before its answer comes.
    runtime: Handle,
}

impl<T: CachedAnswer> AnswerCache<T> {
    /// A cache of so many bytes whose answers live so long; nothing is cached for no time.
    pub(crate) fn new(kind: &'static str, ttl: Duration, bound: usize, runtime: Handle) -> Self {
        Self {
            kind,
            calls: SingleFlight::default(),
            answers: Arc::new(Mutex::new(FairStore::new(if ttl.is_zero() { 0 } else { bound }))),
            ttl,
            runtime,
        }
    }

    /// The answer to this query, and whether it cost a call, which is what `ask` makes. The call is cancelled when nobody
    /// waits for it any more.
    pub(crate) fn search<F>(
        &self,
        query: QueryHash,
        asker: KeptFor,
        ask: impl FnOnce() -> F,
    ) -> (SharedCall<Answer<Arc<T>>>, SupplierSearch)
    where
        F: Future<Output = Answer<Arc<T>>> + Send + 'static,
    {
        if let Some(cached) = self.cached(query) {
            let hit = std::future::ready(Answer::Done(cached)).boxed().shared();
            return (hit, SupplierSearch::Shared);
        }
        let mut cost = SupplierSearch::Shared;
        let call = self.calls.join(&query, || {
            // A call may have ended since we looked: its answer is cached before the call is forgotten.
            match self.cached(query) {
                Some(cached) => std::future::ready(Answer::Done(cached)).boxed(),
                None => {
                    cost = SupplierSearch::Asked;
                    self.query(query, asker, ask())
                }
            }
        });
        (call, cost)
    }

    pub(crate) fn remove_expired(&self) {
        lock(&self.answers).remove_expired(Instant::now());
    }

    /// What is kept now. What is put out of it is asked for again: nobody was promised to find it here.
    pub(crate) fn used(&self) -> SearchMemoryUse {
        lock(&self.answers).used(self.kind)
    }

    fn cached(&self, query: QueryHash) -> Option<Arc<T>> {
        Some(lock(&self.answers).get(&query)?.value.clone())
    }

    /// Asks the supplier at once, whether anybody waits yet or not.
    fn query(
        &self,
        query: QueryHash,
        asker: KeptFor,
        asked: impl Future<Output = Answer<Arc<T>>> + Send + 'static,
    ) -> BoxFuture<'static, Answer<Arc<T>>> {
        let answer = query_supplier(&self.runtime, on_behalf_of(asker.organization, asked));
        let (answers, ttl) = (self.answers.clone(), self.ttl);
        async move {
            let answer = answer.await;
            if let Answer::Done(cached) = &answer {
                let ends = Instant::now() + ttl;
                let kept = Kept {
                    value: cached.clone(),
                    owner: asker,
                    bytes: cached.bytes(),
                    ends: cached.ends().map_or(ends, |theirs| theirs.min(ends)),
                };
                lock(&answers).insert(query, kept);
            }
            answer
        }
        .boxed()
    }
}

impl<T: CachedAnswer> Forgets for AnswerCache<T> {
    fn forget(&self, query: QueryHash) {
        lock(&self.answers).remove(&query);
    }
}

fn lock<T>(answers: &Mutex<CachedAnswers<T>>) -> MutexGuard<'_, CachedAnswers<T>> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}
