//! Search: ask every supplier at once, price what comes for this caller, and freeze all of it.

pub(crate) mod criteria;
pub(crate) mod rates;
pub(crate) mod session;
pub(crate) mod session_cache;

use std::{sync::Arc, time::Instant};

use futures_util::{FutureExt, future::join_all};
use wayfare_domain::{Currency, ProductKind, SearchId};
use wayfare_hotels::{FoundHotels, FoundRate};
use wayfare_pricing::Totals;
use wayfare_supply::Answer;

use super::{Criteria, KeptHotel, RatePrice, Snapshot};
use crate::{
    Caller, Error, Platform, Result, SupplierReport,
    pricing::tariff::Tariff,
    tools::{
        detached::{apart, begin},
        look_to_book::Look,
        supplier_report::SupplierState,
    },
};

/// The search of this name if it is of the same criteria, else a new one under it, which is one for all who ask for it
/// at the same time; under a name of its own without one. A supplier's failure is a line in its report, never the
/// search's.
///
/// # Errors
/// When the database can't be asked.
pub async fn search(
    platform: &Arc<Platform>,
    caller: &Caller,
    id: Option<&str>,
    criteria: Criteria,
) -> Result<Arc<Snapshot>> {
    let Some(id) = id else {
        let id = SearchId::new(&platform.clock).to_string();
        return anew(platform, caller, id, criteria).await;
    };
    let named = (caller.user(), id.to_owned(), Arc::new(criteria));
    let found = platform.snapshots.under_way.join(&named, || {
        let (platform, caller, (user, id, criteria)) = (platform.clone(), caller.clone(), named.clone());
        let runtime = platform.runtime.clone();
        let finding = async move {
            match platform.snapshots.find(user, &id).await {
                Some(kept) if kept.criteria == *criteria => Ok(kept),
                _ => anew(&platform, &caller, id, Arc::unwrap_or_clone(criteria)).await,
            }
        };
        let finding = apart(&runtime, finding);
        async move { finding.await?.map_err(|error| error.to_string()) }.boxed()
    });
    found.await.map_err(Error::Internal)
}

/// A new search under this name.
async fn anew(
    platform: &Arc<Platform>,
    caller: &Caller,
    id: String,
    criteria: Criteria,
) -> Result<Arc<Snapshot>> {
    let created_at = platform.clock.now();
    let (answers, tariff) = futures_util::join!(
        ask(platform, caller, &criteria),
        Tariff::of(platform, caller, ProductKind::Hotel)
    );
    let tariff = tariff?;
    let mut snapshot = Snapshot {
        id,
        organization: caller.organization(),
        user: caller.user(),
        created_at,
        expires_at: created_at + platform.durations.offer_validity,
        reports: Vec::new(),
        hotels: Vec::new(),
        criteria,
    };
    // Thousands of rates would hold up all whom a request's thread serves.
    let priced = platform.runtime.spawn_blocking(move || {
        for (report, answer) in answers {
            snapshot.add(&tariff, report, answer);
        }
        snapshot
    });
    let snapshot = Arc::new(priced.await.map_err(|lost| Error::Internal(lost.to_string()))?);
    platform.snapshots.keep(&snapshot).await;
    Ok(snapshot)
}

type Told = (SupplierReport, Option<Answer<FoundHotels>>);

/// What each supplier says, in order of their codes.
async fn ask(platform: &Arc<Platform>, caller: &Caller, criteria: &Criteria) -> Vec<Told> {
    let asked = platform.hotels.iter().map(|(code, supplier)| {
        let query = match criteria.query(code) {
            _ if !caller.may_buy_from(code) => Err("not available to this agency".to_owned()),
            None => Err("none of its hotels were asked for".to_owned()),
            Some(query) => supplier.declines(&query).map_or(Ok(query), Err),
        };
        let began = Instant::now();
        let asking = query.map(|query| {
            platform.looks.note(caller.organization(), code, Look::Asked);
            let supplier = supplier.clone();
            begin(&platform.runtime, async move { supplier.search(&query).await })
        });
        async move {
            let answer = match asking {
                Ok(asking) => asking.await,
                Err(reason) => return (SupplierReport::skipped(code, reason), None),
            };
            let report = SupplierReport {
                code: code.clone(),
                state: SupplierState::Error,
                duration: began.elapsed(),
                results: 0,
                errors: Vec::new(),
            };
            (report, Some(answer))
        }
        .boxed()
    });
    join_all(asked).await
}

impl Snapshot {
    /// Prices what a supplier said, none where it was not asked, for the caller with this tariff.
    pub fn add(&mut self, tariff: &Tariff, mut report: SupplierReport, answer: Option<Answer<FoundHotels>>) {
        match answer {
            None => {}
            Some(Answer::Done(found)) => {
                report.state = SupplierState::Success;
                report.errors = found.unusable;
                for mut hotel in found.hotels {
                    let mut prices = Vec::with_capacity(hotel.rates.len());
                    hotel.rates.retain_mut(|rate| {
                        match price(tariff, &report.code, rate, self.criteria.currency) {
                            Ok(price) => {
                                rate.shrink_to_fit();
                                prices.push(price);
                                true
                            }
                            // One rate that can't be priced is a line, never the search's end.
                            Err(unpriced) => {
                                let line = unpriced.to_string();
                                if !report.errors.contains(&line) {
                                    report.errors.push(line);
                                }
                                false
                            }
                        }
                    });
                    hotel.rates.shrink_to_fit();
                    if !prices.is_empty() {
                        report.results += 1;
                        self.hotels.push(KeptHotel {
                            supplier: report.code.clone(),
                            hotel,
                            prices,
                        });
                    }
                }
            }
            Some(failed) => {
                let problem = failed.problem().unwrap_or_default().to_owned();
                tracing::warn!(
                    supplier = report.code,
                    problem,
                    "a supplier did not answer a search"
                );
                report.errors.push(problem);
            }
        }
        self.reports.push(report);
    }
}

/// What a rate costs this caller. What is shown is what is charged: where the currency is another it is converted once
/// more.
fn price(tariff: &Tariff, supplier: &str, rate: &FoundRate, currency: Currency) -> Result<RatePrice> {
    let sales = rates::sales(tariff, supplier, rate, false)?;
    let total = Totals::of(&sales, tariff.rules.currency())?.total;
    // Where they differ by a minor unit, the dearest.
    let room = sales.last().ok_or(Error::OfferGone)?;
    let room = match room.price.currency() == currency {
        true => room.price,
        false => {
            let rate = tariff.rates.rate(room.price.currency(), currency)?;
            room.price.shown_in(rate, currency)?
        }
    };
    Ok(RatePrice { room, total })
}
