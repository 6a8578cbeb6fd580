//! Flight search: ask every supplier at once, price each answer for the caller as it comes, and store the search session.

pub(crate) mod offer_cache;
pub(crate) mod offer_id;
pub(crate) mod priced;
pub(crate) mod session;
pub(crate) mod session_cache;
pub(crate) mod session_redis;
mod shared_query;

use std::{sync::Arc, time::Duration};

use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use tokio::time::Instant;
use wayfare_boxed::boxed;
use wayfare_domain::{AnswerId, Currency, OrganizationId, ProductKind, SearchId};
use wayfare_flights::{FlightSupplier, Query};

use crate::{
    Caller, Flights, Result, SupplierReport,
    pricing::tariff::Tariff,
    tools::search_memory::{answer_cache::SupplierSearch, fair_store::KeptFor, query_hash::QueryHash},
};
use offer_cache::{CachedOffers, SupplierAnswer};
use priced::{PricedSupplierResult, SearchContext};
use session::{SearchSession, SessionPart};
use shared_query::answered_once;

/// What is asked, with what only concerns the asker.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    pub query: Query,
    /// The currency in which prices are shown; the wallet's when none.
    pub preferred_currency: Option<Currency>,
    /// How many offers at most, the cheapest first.
    pub max_results: Option<usize>,
}

/// A supplier's code, what it was asked ([`SupplierReport::searched`]), and what it answered.
type NamedAnswer = (String, Vec<Vec<[String; 2]>>, SupplierAnswer);

/// A running search: one [`PricedSupplierResult`] after the other, until every supplier has answered or failed. Dropping it
/// cancels the supplier calls that nobody else waits for.
pub struct Search {
    flights: Arc<Flights>,
    context: SearchContext,
    max_results: Option<usize>,
    started: Instant,
    skipped: Vec<SupplierReport>,
    pending: FuturesUnordered<BoxFuture<'static, NamedAnswer>>,
    session: SearchSession,
    /// Priced, and not returned yet: the caller may stop waiting while it is stored.
    unread: Option<(PricedSupplierResult, Option<Arc<SessionPart>>)>,
}

#[boxed]
impl Search {
    /// Asks every supplier at once.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] for a query that can't be asked.
    pub async fn begin(flights: &Arc<Flights>, caller: &Caller, request: SearchRequest) -> Result<Self> {
        request.query.check(flights.core.clock.now())?;
        let started = Instant::now();
        let created_at = flights.core.clock.now();
        let query = Arc::new(request.query);
        let asker = KeptFor { organization: caller.organization(), user: caller.user() };
        let mut skipped = Vec::new();
        let pending = FuturesUnordered::new();
        for (code, supplier) in &flights.engine.suppliers.flights {
            let barred = flights.engine.suppliers.not_for_sale(caller, code).map(str::to_owned);
            match barred.or_else(|| supplier.declines(&query)) {
                None => {
                    let name = QueryHash::of(&flights.core.secrets, supplier.config(), &*query)?;
                    let searches = supplier.searches(&query);
                    let count = LookCount {
                        flights: flights.clone(),
                        organization: caller.organization(),
                        supplier: code.clone(),
                        calls: searches.len(),
                    };
                    let ask = || offers_of(supplier, &query, name, count.clone());
                    let (call, cost) = flights.offer_cache.search(name, asker, ask);
                    if cost == SupplierSearch::Shared {
                        count.add(cost);
                    }
                    let (code, searched) = (code.clone(), instead_of(&query, &searches));
                    pending.push(call.map(|answer| (code, searched, answer)).boxed());
                }
                Some(reason) => skipped.push(SupplierReport::skipped(code, reason)),
            }
        }
        // Suppliers work meanwhile.
        let tariff = Tariff::of(&flights.core, caller, ProductKind::Flight).await?;
        let id = SearchId::new(&flights.core.clock);
        Ok(Self {
            flights: flights.clone(),
            session: SearchSession::new(id, caller.organization(), caller.user(), query.clone()),
            context: SearchContext {
                id,
                organization: caller.organization(),
                user: caller.user(),
                query,
                created_at,
                expires_at: created_at + flights.core.durations.offer_validity,
                currency: request.preferred_currency.unwrap_or_else(|| caller.currency()),
                tariff: Arc::new(tariff),
            },
            max_results: request.max_results,
            started,
            skipped,
            pending,
            unread: None,
        })
    }

    /// What the search is, and for whom.
    pub fn context(&self) -> &SearchContext {
        &self.context
    }

    /// How many offers the caller wants at most, the cheapest first.
    pub fn max_results(&self) -> Option<usize> {
        self.max_results
    }

    /// The suppliers that were not asked, and why.
    pub fn skipped(&self) -> &[SupplierReport] {
        &self.skipped
    }

    pub fn duration(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether a supplier is still to answer.
    pub fn is_over(&self) -> bool {
        self.pending.is_empty()
    }

    /// The next supplier's part; none when all have answered. Its offers can be priced and booked from now on. A
    /// supplier's failure is a line in its report, never the search's. Nothing is lost when it is dropped before its
    /// end.
    pub async fn next(&mut self) -> Option<PricedSupplierResult> {
        if self.unread.is_none() {
            let (code, searched, answer) = self.pending.next().await?;
            let first = self.session.offer_count();
            let secrets = &self.flights.core.secrets;
            let (mut result, part) =
                self.context.price_supplier_result(secrets, first, code, self.started.elapsed(), answer);
            result.report.searched = searched;
            let part = part.map(Arc::new);
            self.session.add_part(part.clone());
            self.unread = Some((result, part));
        }
        if let Some((_, Some(part))) = &self.unread {
            self.flights.sessions.store(&self.session, part).await;
        }
        self.unread.take().map(|(result, _)| result)
    }
}

/// A search of one agency at one supplier, to be counted once it is known whether it costs so many calls.
#[derive(Clone)]
struct LookCount {
    flights: Arc<Flights>,
    organization: OrganizationId,
    supplier: String,
    calls: usize,
}

impl LookCount {
    fn add(&self, cost: SupplierSearch) {
        let counters = &self.flights.engine.suppliers.look_to_book;
        counters.count(self.organization, &self.supplier, cost, self.calls);
    }
}

/// What the supplier offers, as it is cached: as another server was answered, or as this one is.
fn offers_of(
    supplier: &Arc<dyn FlightSupplier>,
    query: &Arc<Query>,
    name: QueryHash,
    count: LookCount,
) -> impl Future<Output = SupplierAnswer> + Send + use<> {
    let (supplier, query) = (supplier.clone(), query.clone());
    async move {
        let flights = &count.flights;
        let id = AnswerId::new(&flights.core.clock);
        let mut cost = SupplierSearch::Shared;
        let ask = || {
            cost = SupplierSearch::Asked;
            count.add(cost);
            async {
                let found = supplier.search(&query).await;
                let code = supplier.config().code.clone();
                found.map(|found| CachedOffers::new(id, code, found))
            }
        };
        let answer = answered_once(flights.sessions.shared(), name, id, ask).await;
        if cost == SupplierSearch::Shared {
            count.add(cost);
        }
        answer
    }
}

/// The airports of each search that is made instead of the one that was asked for; none where it is made as it is.
fn instead_of(query: &Query, searches: &[Query]) -> Vec<Vec<[String; 2]>> {
    let routes = |search: &Query| {
        let slices = search.slices.iter();
        slices.map(|slice| [slice.origin.clone(), slice.destination.clone()]).collect()
    };
    match searches {
        [only] if only == query => Vec::new(),
        searches => searches.iter().map(routes).collect(),
    }
}
