//! What suppliers say to a search, shared by all who ask the same: a question that is under way is asked once, and its
//! answer is kept for a short time, without anybody's prices.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};
use moka::{future::Cache, policy::EvictionPolicy};
use tokio::runtime::Handle;
use wayfare_domain::{AnswerId, Clock, SearchId};
use wayfare_flights::{FlightSupplier, FoundOffers, Query};
use wayfare_supply::Answer;

use crate::{asking::begin, looks::Look};

/// Offers of answers that are kept in memory at most.
const KEPT_OFFERS: u64 = 100_000;

/// A supplier's usable answer.
#[derive(Debug)]
pub struct Heard {
    /// Names it wherever it is kept.
    pub id: AnswerId,
    /// The supplier's code.
    pub supplier: String,
    /// What it offers.
    pub found: FoundOffers,
    /// The search that buys of it, where the supplier sells it once.
    claim: OnceLock<SearchId>,
}

impl Heard {
    /// What a supplier of this code said.
    pub fn new(id: AnswerId, supplier: String, found: FoundOffers) -> Self {
        Self {
            id,
            supplier,
            found,
            claim: OnceLock::new(),
        }
    }

    /// Whether this search is the first in this process that wants to buy of it.
    pub(super) fn is_claimed_by(&self, search: SearchId) -> bool {
        *self.claim.get_or_init(|| search) == search
    }
}

/// How a question ended, for everybody who asked it.
pub type SupplierAnswer = Answer<Arc<Heard>>;

type Question = (String, Arc<Query>);
type Asking = Shared<BoxFuture<'static, SupplierAnswer>>;

/// The questions under way, and the answers of the last moments.
pub(crate) struct Answers {
    under_way: Arc<UnderWay>,
    kept: Cache<Question, Arc<Heard>>,
    /// Where suppliers are asked: not on the runtime of a request, which may end before its answer comes.
    runtime: Handle,
    clock: Clock,
}

impl Answers {
    /// Keeps answers for so long; not at all for no time.
    pub(crate) fn new(validity: Duration, runtime: Handle, clock: Clock) -> Self {
        Self {
            under_way: Arc::default(),
            kept: Cache::builder()
                .weigher(|_, heard: &Arc<Heard>| {
                    u32::try_from(heard.found.offers.len().max(1)).unwrap_or(u32::MAX)
                })
                .max_capacity(if validity.is_zero() { 0 } else { KEPT_OFFERS })
                .eviction_policy(EvictionPolicy::lru())
                .time_to_live(validity)
                .build(),
            runtime,
            clock,
        }
    }

    /// What the supplier says to this query. The supplier is left in peace when nobody waits for the answer any more.
    pub(crate) async fn ask(&self, supplier: &Arc<dyn FlightSupplier>, query: &Arc<Query>) -> (Asking, Look) {
        let question = (supplier.config().code.clone(), query.clone());
        if let Some(heard) = self.kept.get(&question).await {
            return told_already(heard);
        }
        let mut under_way = self.under_way.lock();
        if let Some(asking) = under_way
            .asked
            .get(&question)
            .and_then(|(_, weak)| weak.upgrade())
        {
            return (asking, Look::Shared);
        }
        // It may have ended since we looked: it is kept before it is no longer under way.
        if let Some(Some(heard)) = self.kept.get(&question).now_or_never() {
            return told_already(heard);
        }
        under_way.last += 1;
        let number = under_way.last;
        let entry = Entry {
            under_way: self.under_way.clone(),
            question: question.clone(),
            number,
        };
        let asking = self.asking(supplier.clone(), entry).shared();
        let weak = asking.downgrade();
        under_way
            .asked
            .extend(weak.map(|weak| (question, (number, weak))));
        (asking, Look::Asked)
    }

    /// Forgets the answer: something of it was sold or is gone, and whoever searches again must not be told the same.
    pub(crate) async fn forget(&self, supplier: &str, query: &Query) {
        let question = (supplier.to_owned(), Arc::new(query.clone()));
        self.kept.invalidate(&question).await;
    }

    /// Asks at once, whether anybody waits yet or not.
    fn asking(&self, supplier: Arc<dyn FlightSupplier>, entry: Entry) -> BoxFuture<'static, SupplierAnswer> {
        let query = entry.question.1.clone();
        let asking = begin(&self.runtime, async move { supplier.search(&query).await });
        let (kept, clock) = (self.kept.clone(), self.clock.clone());
        async move {
            let answer = asking
                .await
                .map(|found| Arc::new(Heard::new(AnswerId::new(&clock), entry.question.0.clone(), found)));
            if let Answer::Done(heard) = &answer {
                kept.insert(entry.question.clone(), heard.clone()).await;
            }
            answer
        }
        .boxed()
    }
}

fn told_already(heard: Arc<Heard>) -> (Asking, Look) {
    let asking = std::future::ready(Answer::Done(heard)).boxed().shared();
    (asking, Look::Shared)
}

#[derive(Default)]
struct UnderWay(Mutex<Questions>);

#[derive(Default)]
struct Questions {
    /// Each with the number under which it was asked, since a later one may have taken its place.
    asked: HashMap<Question, (u64, WeakShared<BoxFuture<'static, SupplierAnswer>>)>,
    last: u64,
}

impl UnderWay {
    fn lock(&self) -> std::sync::MutexGuard<'_, Questions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question's place among those under way, until it has ended or nobody waits any more.
struct Entry {
    under_way: Arc<UnderWay>,
    question: Question,
    number: u64,
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut under_way = self.under_way.lock();
        if under_way
            .asked
            .get(&self.question)
            .is_some_and(|(number, _)| *number == self.number)
        {
            under_way.asked.remove(&self.question);
        }
    }
}
