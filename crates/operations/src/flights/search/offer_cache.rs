//! What suppliers say to a search, shared by all who ask the same: a question that is under way is asked once, and its
//! answer is kept for a short time, without anybody's prices.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures_util::{FutureExt, future::BoxFuture};
use moka::{future::Cache, policy::EvictionPolicy};
use tokio::runtime::Handle;
use wayfare_domain::{AnswerId, Clock, SearchId};
use wayfare_flights::{FlightSupplier, FoundOffers, Query};
use wayfare_supply::Answer;

use crate::tools::{
    detached::begin,
    look_to_book::Look,
    single_flight::{Joint, UnderWay},
};

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
type Asking = Joint<SupplierAnswer>;

/// The questions under way, and the answers of the last moments.
pub(crate) struct Answers {
    under_way: UnderWay<Question, SupplierAnswer>,
    kept: Cache<Question, Arc<Heard>>,
    /// Where suppliers are asked: not on the runtime of a request, which may end before its answer comes.
    runtime: Handle,
    clock: Clock,
}

impl Answers {
    /// Keeps answers for so long; not at all for no time.
    pub(crate) fn new(validity: Duration, runtime: Handle, clock: Clock) -> Self {
        Self {
            under_way: UnderWay::default(),
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
        let mut look = Look::Shared;
        let asking = self.under_way.join(&question, || {
            // It may have ended since we looked: it is kept before it is no longer under way.
            match self.kept.get(&question).now_or_never().flatten() {
                Some(heard) => std::future::ready(Answer::Done(heard)).boxed(),
                None => {
                    look = Look::Asked;
                    self.asking(supplier.clone(), question.clone())
                }
            }
        });
        (asking, look)
    }

    /// Forgets the answer: something of it was sold or is gone, and whoever searches again must not be told the same.
    pub(crate) async fn forget(&self, supplier: &str, query: &Query) {
        let question = (supplier.to_owned(), Arc::new(query.clone()));
        self.kept.invalidate(&question).await;
    }

    /// Asks at once, whether anybody waits yet or not.
    fn asking(
        &self,
        supplier: Arc<dyn FlightSupplier>,
        question: Question,
    ) -> BoxFuture<'static, SupplierAnswer> {
        let query = question.1.clone();
        let asking = begin(&self.runtime, async move { supplier.search(&query).await });
        let (kept, clock) = (self.kept.clone(), self.clock.clone());
        async move {
            let answer = asking
                .await
                .map(|found| Arc::new(Heard::new(AnswerId::new(&clock), question.0.clone(), found)));
            if let Answer::Done(heard) = &answer {
                kept.insert(question, heard.clone()).await;
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
