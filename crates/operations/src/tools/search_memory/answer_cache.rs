//! The answer cache: one supplier call serves everybody who asks the same, at the same time or within
//! `search_cache_ttl`. An answer carries nobody's prices.

use std::{
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::{FutureExt, future::BoxFuture};
use tokio::runtime::Handle;
use wayfare_supply::{Answer, on_behalf_of};

use super::{
    SearchMemoryUse,
    fair_store::{FairStore, Kept, KeptFor},
};
use crate::tools::{
    detached::query_supplier,
    look_to_book::SupplierSearch,
    single_flight::{SharedCall, SingleFlight},
};

/// A supplier's usable answer, as it is cached.
pub(crate) trait CachedAnswer: Send + Sync + 'static {
    /// About how many bytes it takes.
    fn bytes(&self) -> usize;
}

/// A supplier and what it is asked.
type CacheKey<Q> = (String, Arc<Q>);
type CachedAnswers<Q, T> = FairStore<CacheKey<Q>, Arc<T>>;

/// The supplier calls that run, and the answers of the last moments, each kept for whoever caused its call.
pub(crate) struct AnswerCache<Q, T> {
    kind: &'static str,
    calls: SingleFlight<CacheKey<Q>, Answer<Arc<T>>>,
    answers: Arc<Mutex<CachedAnswers<Q, T>>>,
    ttl: Duration,
    /// Where suppliers are asked: not on the runtime of a request, which may end before its answer comes.
    runtime: Handle,
}

impl<Q, T> AnswerCache<Q, T>
where
    Q: Clone + Eq + Hash + Send + Sync + 'static,
    T: CachedAnswer,
{
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

    /// The answer of the supplier of this code to this query, and whether it cost a call, which is what `ask` makes. The
    /// call is cancelled when nobody waits for it any more.
    pub(crate) fn search<F>(
        &self,
        supplier: &str,
        query: &Arc<Q>,
        asker: KeptFor,
        ask: impl FnOnce() -> F,
    ) -> (SharedCall<Answer<Arc<T>>>, SupplierSearch)
    where
        F: Future<Output = Answer<T>> + Send + 'static,
    {
        let key = (supplier.to_owned(), query.clone());
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
                    self.query(key.clone(), asker, ask())
                }
            }
        });
        (call, cost)
    }

    /// Forgets an answer of which something was sold or is gone, so that the next search asks the supplier again.
    pub(crate) fn forget(&self, supplier: &str, query: &Q) {
        let key = (supplier.to_owned(), Arc::new(query.clone()));
        lock(&self.answers).remove(&key);
    }

    /// Forgets what has expired.
    pub(crate) fn sweep(&self) {
        lock(&self.answers).remove_expired(Instant::now());
    }

    /// What is kept now. What is put out of it is asked for again: nobody was promised to find it here.
    pub(crate) fn used(&self) -> SearchMemoryUse {
        lock(&self.answers).used(self.kind)
    }

    fn cached(&self, key: &CacheKey<Q>) -> Option<Arc<T>> {
        Some(lock(&self.answers).get(key)?.value.clone())
    }

    /// Asks the supplier at once, whether anybody waits yet or not.
    fn query(
        &self,
        key: CacheKey<Q>,
        asker: KeptFor,
        asked: impl Future<Output = Answer<T>> + Send + 'static,
    ) -> BoxFuture<'static, Answer<Arc<T>>> {
        let answer = query_supplier(&self.runtime, on_behalf_of(asker.organization, asked));
        let (answers, ttl) = (self.answers.clone(), self.ttl);
        async move {
            let answer = answer.await.map(Arc::new);
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

fn lock<Q, T>(answers: &Mutex<CachedAnswers<Q, T>>) -> MutexGuard<'_, CachedAnswers<Q, T>> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}
