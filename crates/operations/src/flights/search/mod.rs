//! Search: ask every supplier at once, price what comes for this caller as it comes, and keep it without the caller's
//! prices.

pub(crate) mod offer_cache;
pub(crate) mod offer_id;
pub(crate) mod priced;
pub(crate) mod session_cache;
pub(crate) mod session_redis;

use std::{sync::Arc, time::Duration};

use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use tokio::time::Instant;
use wayfare_domain::{Currency, ProductKind, SearchId};
use wayfare_flights::Query;

use crate::{Caller, Platform, Result, SupplierReport, pricing::tariff::Tariff};
use offer_cache::SupplierAnswer;
use priced::{Arrival, Showing};
use session_cache::{KeptPart, KeptSearch};

/// What is asked, with what only concerns the asker.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// What suppliers are asked.
    pub query: Query,
    /// The currency in which prices are shown; the wallet's when none.
    pub preferred_currency: Option<Currency>,
    /// How many offers at most, the cheapest first.
    pub max_results: Option<usize>,
}

/// A search under way: one [`Arrival`] after the other, until every supplier has answered or failed. Who lets go of it
/// stops the work that nobody else waits for.
pub struct Search {
    platform: Arc<Platform>,
    showing: Showing,
    max_results: Option<usize>,
    started: Instant,
    skipped: Vec<SupplierReport>,
    asked: FuturesUnordered<BoxFuture<'static, (String, SupplierAnswer)>>,
    kept: KeptSearch,
    /// Came, and is not told yet.
    arrived: Option<(Arrival, Option<Arc<KeptPart>>)>,
}

impl Search {
    /// Asks every supplier at once.
    ///
    /// # Errors
    /// [`crate::Error::Invalid`] for a query that can't be asked.
    pub async fn begin(platform: &Arc<Platform>, caller: &Caller, request: SearchRequest) -> Result<Self> {
        request.query.check(platform.clock.now())?;
        let started = Instant::now();
        let created_at = platform.clock.now();
        let query = Arc::new(request.query);
        let mut skipped = Vec::new();
        let asked = FuturesUnordered::new();
        for (code, supplier) in &platform.flights {
            let barred = (!caller.may_buy_from(code)).then(|| "not available to this agency".to_owned());
            match barred.or_else(|| supplier.declines(&query)) {
                None => {
                    let (asking, look) = platform.answers.ask(supplier, &query).await;
                    platform.looks.note(caller.organization(), code, look);
                    let code = code.clone();
                    asked.push(asking.map(|answer| (code, answer)).boxed());
                }
                Some(reason) => skipped.push(SupplierReport::skipped(code, reason)),
            }
        }
        // The suppliers are at it meanwhile.
        let tariff = Tariff::of(platform, caller, ProductKind::Flight).await?;
        let id = SearchId::new(&platform.clock);
        Ok(Self {
            platform: platform.clone(),
            kept: KeptSearch::new(id, caller.organization(), caller.user(), query.clone()),
            showing: Showing {
                id,
                organization: caller.organization(),
                user: caller.user(),
                query,
                created_at,
                expires_at: created_at + platform.durations.offer_validity,
                currency: request.preferred_currency.unwrap_or_else(|| caller.currency()),
                tariff: Arc::new(tariff),
            },
            max_results: request.max_results,
            started,
            skipped,
            asked,
            arrived: None,
        })
    }

    /// What the search is, and for whom.
    pub fn showing(&self) -> &Showing {
        &self.showing
    }

    /// How many offers the caller wants at most, the cheapest first.
    pub fn max_results(&self) -> Option<usize> {
        self.max_results
    }

    /// The suppliers that were not asked, and why.
    pub fn skipped(&self) -> &[SupplierReport] {
        &self.skipped
    }

    /// How long it has been under way.
    pub fn duration(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether a supplier is still to answer.
    pub fn is_over(&self) -> bool {
        self.asked.is_empty()
    }

    /// The next supplier's part; none when all have answered. Its offers can be priced and booked from now on. A
    /// supplier's failure is a line in its report, never the search's. Nothing is lost when it is dropped before its
    /// end.
    pub async fn next(&mut self) -> Option<Arrival> {
        if self.arrived.is_none() {
            let (code, answer) = self.asked.next().await?;
            let first = self.kept.offers();
            let secrets = &self.platform.secrets;
            let (arrival, part) = self
                .showing
                .arrival(secrets, first, code, self.started.elapsed(), answer);
            let part = part.map(Arc::new);
            self.kept.extend(part.clone());
            self.arrived = Some((arrival, part));
        }
        if let Some((_, Some(part))) = &self.arrived {
            self.platform.searches.keep(&self.kept, part).await;
        }
        self.arrived.take().map(|(arrival, _)| arrival)
    }
}
