//! Hotel search: ask every supplier at once, price the answers for the caller, and store all of it as a search session.

pub(crate) mod criteria;
pub(crate) mod hotel_cache;
pub(crate) mod rates;
pub(crate) mod session;
pub(crate) mod session_cache;

use std::{collections::HashSet, sync::Arc, time::Instant};

use futures_util::{FutureExt, future::join_all};
use tracing::Span;
use wayfare_boxed::boxed;
use wayfare_domain::{Currency, ProductKind, SearchId};
use wayfare_hotels::{HotelResult, HotelSupplier, Query, RoomRate};
use wayfare_pricing::Totals;
use wayfare_supply::{Answer, off_runtime};

use super::{Criteria, RatePrice, SearchSession, SessionHotel, content};
use crate::{
    Caller, Error, Hotels, Result, SupplierReport,
    pricing::tariff::Tariff,
    suppliers::report::SupplierState,
    tools::{
        detached::spawn_detached,
        search_memory::{fair_store::KeptFor, query_hash::QueryHash},
    },
};
use hotel_cache::CachedHotels;

/// The search of this name if it is of the same criteria, else a new one under it, which is one for all who ask for it
/// at the same time; under a name of its own without one. A supplier's failure is a line in its report, never the
/// search's.
#[boxed]
pub async fn search(
    hotels: &Arc<Hotels>,
    caller: &Caller,
    id: Option<&str>,
    criteria: Criteria,
) -> Result<Arc<SearchSession>> {
    let Some(id) = id else {
        let id = SearchId::new(&hotels.core.clock).to_string();
        return search_anew(hotels, caller, id, criteria).await;
    };
    let named = (caller.user(), id.to_owned(), Arc::new(criteria));
    let found = hotels.sessions.running.join(&named, || {
        let (hotels, caller, (user, id, criteria)) = (hotels.clone(), caller.clone(), named.clone());
        let runtime = hotels.core.runtime.clone();
        let search = async move {
            match hotels.sessions.find(user, &id).await {
                Some(found) if found.criteria == *criteria => Ok(found),
                _ => search_anew(&hotels, &caller, id, Arc::unwrap_or_clone(criteria)).await,
            }
        };
        let search = spawn_detached(&runtime, search);
        async move { search.await?.map_err(|error| error.to_string()) }.boxed()
    });
    found.await.map_err(Error::Internal)
}

async fn search_anew(
    hotels: &Arc<Hotels>,
    caller: &Caller,
    id: String,
    criteria: Criteria,
) -> Result<Arc<SearchSession>> {
    let created_at = hotels.core.clock.now();
    let (answers, tariff) = futures_util::join!(
        query_suppliers(hotels, caller, &criteria),
        Tariff::of(&hotels.core, caller, ProductKind::Hotel)
    );
    let tariff = tariff?;
    let whose = (caller.organization(), caller.user());
    let lives = (created_at, created_at + hotels.core.durations.offer_validity);
    let mut session = SearchSession::new(id, whose, criteria, lives);
    // Thousands of rates would hold up every other request of this thread.
    let span = Span::current();
    let priced = hotels.core.runtime.spawn_blocking(move || {
        let _inside = span.entered();
        for (report, answer) in answers {
            session.add(&tariff, report, answer);
        }
        session
    });
    let session = Arc::new(priced.await.map_err(|lost| Error::Internal(lost.to_string()))?);
    hotels.sessions.store(&session).await;
    Ok(session)
}

/// What a supplier answered, for everybody who asked the same.
pub type SupplierHotels = Answer<Arc<CachedHotels>>;

type SupplierPart = (SupplierReport, Option<SupplierHotels>);

/// Each supplier's answer, in order of their codes; none of one that was not asked.
async fn query_suppliers(hotels: &Arc<Hotels>, caller: &Caller, criteria: &Criteria) -> Vec<SupplierPart> {
    let asker = KeptFor { organization: caller.organization(), user: caller.user() };
    let calls = hotels.engine.suppliers.hotels.iter().map(|(code, supplier)| {
        let query = match (hotels.engine.suppliers.not_for_sale(caller, code), criteria.query(code)) {
            (Some(reason), _) => Err(reason.to_owned()),
            (None, None) => Err("none of its hotels were asked for".to_owned()),
            (None, Some(query)) => supplier.declines(&query).map_or(Ok(query), Err),
        };
        let began = Instant::now();
        let call = query.and_then(|query| {
            let name = QueryHash::of(&hotels.core.secrets, supplier.config(), &query);
            let name = name.map_err(|error| error.to_string())?;
            let ask = || hotels_of(hotels, supplier, query);
            let (call, cost) = hotels.cache.search(name, asker, ask);
            hotels.engine.suppliers.look_to_book.count(caller.organization(), code, cost, 1);
            Ok(call)
        });
        async move {
            let answer = match call {
                Ok(call) => call.await,
                Err(reason) => return (SupplierReport::skipped(code, reason), None),
            };
            (SupplierReport::unanswered(code, began.elapsed()), Some(answer))
        }
        .boxed()
    });
    join_all(calls).await
}

/// What the supplier sells, as it is cached.
fn hotels_of(
    hotels: &Arc<Hotels>,
    supplier: &Arc<dyn HotelSupplier>,
    query: Query,
) -> impl Future<Output = SupplierHotels> + Send + use<> {
    let (hotels, supplier) = (hotels.clone(), supplier.clone());
    async move {
        match supplier.search(&query).await {
            Answer::Done(mut found) => {
                content::complete(&hotels, supplier.as_ref(), &query.language, &mut found.hotels).await;
                let cached = move || {
                    let hotels = found.hotels.iter_mut();
                    hotels.for_each(|hotel| hotel.date_arrivals(query.check_in));
                    Answer::Done(Arc::new(CachedHotels::from(found)))
                };
                off_runtime(cached).await
            }
            failed => failed.map(|found| Arc::new(CachedHotels::from(found))),
        }
    }
}

impl SearchSession {
    /// Prices a supplier's answer, none where it was not asked, for the caller with this tariff.
    pub fn add(&mut self, tariff: &Tariff, mut report: SupplierReport, answer: Option<SupplierHotels>) {
        match answer {
            None => {}
            Some(Answer::Done(found)) => {
                report.state = SupplierState::Success;
                report.errors.clone_from(&found.unusable);
                self.hotels.reserve(found.hotels.len());
                for hotel in &found.hotels {
                    if let Some(priced) = priced(tariff, &mut report, hotel, self.criteria.currency) {
                        report.results += 1;
                        self.hotels.push(priced);
                    }
                }
            }
            Some(failed) => {
                let problem = failed.problem().unwrap_or_default().to_owned();
                tracing::warn!(supplier = report.code, problem, "a supplier did not answer a search");
                report.errors.push(problem);
            }
        }
        self.reports.push(report);
    }
}

/// The hotel with the caller's prices; none where none of its rates has one. A rate that can't be priced is a line of the
/// report, never the search's end.
fn priced(
    tariff: &Tariff,
    report: &mut SupplierReport,
    hotel: &Arc<HotelResult>,
    currency: Currency,
) -> Option<SessionHotel> {
    let mut prices = Vec::with_capacity(hotel.rates.len());
    let mut unpriced = HashSet::new();
    for (place, rate) in hotel.rates.iter().enumerate() {
        match price(tariff, &report.code, rate, currency) {
            Ok(price) => prices.push(price),
            Err(error) => {
                unpriced.insert(place);
                let line = error.to_string();
                if !report.errors.contains(&line) {
                    report.errors.push(line);
                }
            }
        }
    }
    if prices.is_empty() {
        return None;
    }
    let hotel = match unpriced.is_empty() {
        true => hotel.clone(),
        false => {
            let rates = hotel.rates.iter().enumerate();
            let rates = rates.filter(|(place, _)| !unpriced.contains(place));
            Arc::new(HotelResult {
                rates: rates.map(|(_, rate)| rate.clone()).collect(),
                ..HotelResult::clone(hotel)
            })
        }
    };
    Some(SessionHotel { supplier: report.code.clone(), hotel, prices })
}

/// What a rate costs this caller. What is shown is what is charged: where the currency is another it is converted once
/// more.
fn price(tariff: &Tariff, supplier: &str, rate: &RoomRate, currency: Currency) -> Result<RatePrice> {
    let sales = rates::sales(tariff, supplier, rate, false)?;
    let Totals { total, agent_fare, .. } = Totals::of(&sales, tariff.rules.currency())?;
    // Where they differ by a minor unit, the dearest.
    let room = sales.last().ok_or(Error::OfferGone)?;
    let room = match room.price.currency() == currency {
        true => room.price,
        false => {
            let rate = tariff.rates.rate(room.price.currency(), currency)?;
            room.price.shown_in(rate, currency)?
        }
    };
    Ok(RatePrice { room, total, agent_fare: Some(agent_fare) })
}
