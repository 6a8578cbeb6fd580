//! Search: ask every supplier at once, price what came for this caller, keep it without the caller's prices.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use tokio::{task::JoinSet, time::Instant};
use wayfare_domain::{Currency, Money, OrganizationId, Party, SearchId, UserId};
use wayfare_flights::{
    Airline, Charge, FlightSupplier, FoundOffer, FoundOffers, PassengerShare, Query, shares,
};
use wayfare_pricing::{NoRate, Offered, Price, Sale, Terms, price};
use wayfare_supply::Answer;

use super::offer_id::OfferId;
use crate::{Caller, Error, Platform, Result};

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

/// A search as it is kept: what suppliers said, without anybody's prices.
pub struct KeptSearch {
    pub(crate) organization: OrganizationId,
    pub(crate) user: UserId,
    pub(crate) query: Query,
    pub(crate) by_supplier: Vec<(String, FoundOffers)>,
}

impl KeptSearch {
    /// How many offers it keeps.
    pub fn offers(&self) -> usize {
        self.by_supplier.iter().map(|(_, found)| found.offers.len()).sum()
    }

    /// The offer at this place among all, and its supplier.
    pub(crate) fn offer(&self, index: u32) -> Option<(&str, &FoundOffer)> {
        let offers = self
            .by_supplier
            .iter()
            .flat_map(|(code, found)| found.offers.iter().map(move |offer| (code.as_str(), offer)));
        offers.into_iter().nth(usize::try_from(index).ok()?)
    }
}

/// How a supplier's part of a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SupplierState {
    /// It answered.
    Success,
    /// It failed, refused or was silent.
    Error,
    /// It was not asked: it never takes such a party.
    Skipped,
}

/// One supplier's part of a search.
#[derive(Clone, Debug)]
pub struct SupplierReport {
    /// Its code.
    pub code: String,
    /// How it ended.
    pub state: SupplierState,
    /// From question to answer.
    pub duration: Duration,
    /// Usable offers.
    pub results: usize,
    /// What went wrong, for `debug.provider_errors`.
    pub errors: Vec<String>,
}

/// One offer with the caller's price.
#[derive(Clone, Debug)]
pub struct FoundPrice {
    /// The id that this caller prices and books it by.
    pub id: String,
    /// Ties the id to the amounts shown.
    pub integrity: String,
    /// The supplier's code.
    pub supplier: String,
    /// The offer.
    pub offer: FoundOffer,
    /// Its price in the shown currency.
    pub sale: Sale,
    /// By passenger type, in the shown currency; adds up to T.
    pub shares: Vec<PassengerShare>,
    /// When it ends, UTC.
    pub expires_at: DateTime<Utc>,
}

/// What a search found for this caller.
pub struct Found {
    /// The search's id.
    pub id: SearchId,
    /// The currency in which prices are shown.
    pub currency: Currency,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
    /// When all of it ends, UTC.
    pub expires_at: DateTime<Utc>,
    /// From question to answer.
    pub duration: Duration,
    /// Every supplier's part.
    pub suppliers: Vec<SupplierReport>,
    /// The cheapest first.
    pub offers: Vec<FoundPrice>,
    /// Airlines by IATA code, as suppliers name them.
    pub airlines: BTreeMap<String, Airline>,
}

/// Asks every supplier at once. A supplier's failure is a line in its report, never the search's.
///
/// # Errors
/// [`Error::Invalid`] for a query that can't be asked.
pub async fn search(platform: &Platform, caller: &Caller, request: SearchRequest) -> Result<Found> {
    request.query.check(platform.clock.now())?;
    let started = Instant::now();
    let created_at = platform.clock.now();
    let expires_at = created_at + platform.durations.offer_validity;
    let id = SearchId::new(&platform.clock);
    let currency = request.preferred_currency.unwrap_or_else(|| caller.currency());

    let mut suppliers = Vec::new();
    let mut asked = Vec::new();
    for supplier in platform.flights.values() {
        match supplier.declines(&request.query) {
            None => asked.push(supplier),
            Some(reason) => suppliers.push(SupplierReport {
                code: supplier.config().code.clone(),
                state: SupplierState::Skipped,
                duration: Duration::ZERO,
                results: 0,
                errors: vec![reason],
            }),
        }
    }
    let skipped = suppliers.len();
    let answers = ask_all(asked.into_iter(), &request.query).await;
    let mut by_supplier = Vec::new();
    for (code, duration, answer) in answers {
        let (state, errors, found) = match answer {
            Answer::Done(found) => (SupplierState::Success, found.unusable.clone(), found),
            other => {
                let problem = other.problem().unwrap_or_default().to_owned();
                tracing::warn!(supplier = code, problem, "a supplier did not answer a search");
                (SupplierState::Error, vec![problem], FoundOffers::default())
            }
        };
        suppliers.push(SupplierReport {
            code: code.clone(),
            state,
            duration,
            results: found.offers.len(),
            errors,
        });
        by_supplier.push((code, found));
    }

    let mut offers = Vec::new();
    let mut index = 0_u32;
    for ((code, found), report) in by_supplier.iter().zip(suppliers.iter_mut().skip(skipped)) {
        for offer in &found.offers {
            let expires_at = offer.expires_at.map_or(expires_at, |end| end.min(expires_at));
            match priced(platform, offer.charge, code, currency) {
                Ok(sale) => offers.push(FoundPrice {
                    id: OfferId::new(id, index, expires_at).print(platform, caller),
                    integrity: integrity(platform, id, index, &sale.price),
                    supplier: code.clone(),
                    shares: shown_shares(offer, &sale, request.query.party)?,
                    sale,
                    offer: offer.clone(),
                    expires_at,
                }),
                // One offer that can't be priced is a line, never the search's end.
                Err(unpriced) => {
                    report.results -= 1;
                    let line = unpriced.to_string();
                    if !report.errors.contains(&line) {
                        report.errors.push(line);
                    }
                }
            }
            index += 1;
        }
    }
    offers.sort_by_key(|found| found.sale.price.agent_fare().amount());
    offers.truncate(request.max_results.unwrap_or(usize::MAX));

    let airlines = by_supplier
        .iter()
        .flat_map(|(_, found)| found.airlines.clone())
        .collect();
    let kept = KeptSearch {
        organization: caller.organization(),
        user: caller.user(),
        query: request.query,
        by_supplier,
    };
    platform.searches.insert(id, Arc::new(kept)).await;
    Ok(Found {
        id,
        currency,
        created_at,
        expires_at,
        duration: started.elapsed(),
        suppliers,
        offers,
        airlines,
    })
}

type Asked = (String, Duration, Answer<FoundOffers>);

async fn ask_all<'a>(
    suppliers: impl Iterator<Item = &'a Arc<dyn FlightSupplier>>,
    query: &Query,
) -> Vec<Asked> {
    let mut asked = JoinSet::new();
    for supplier in suppliers {
        let (supplier, query) = (supplier.clone(), query.clone());
        asked.spawn(async move {
            let started = Instant::now();
            let answer = supplier.search(&query).await;
            (supplier.config().code.clone(), started.elapsed(), answer)
        });
    }
    let mut answers = asked.join_all().await;
    answers.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    answers
}

/// The kept search that an offer id names, if it is this caller's.
pub(crate) async fn kept(platform: &Platform, caller: &Caller, id: SearchId) -> Result<Arc<KeptSearch>> {
    // An unexpired id whose search is gone: this process was restarted or had to make room.
    let kept = platform.searches.get(&id).await.ok_or(Error::OfferExpired)?;
    if (kept.organization, kept.user) != (caller.organization(), caller.user()) {
        return Err(Error::NotFound);
    }
    Ok(kept)
}

/// What a supplier asks, converted once into `currency` and priced.
///
/// # Errors
/// [`Error::NoRate`] for a pair that nobody quotes.
pub(crate) fn priced(
    platform: &Platform,
    charge: Charge,
    supplier: &str,
    currency: Currency,
) -> Result<Sale> {
    let exchange_rate = platform
        .rates
        .rate(charge.total.currency(), currency)
        .map_err(|error: NoRate| error)?;
    let convert = |amount: Money| amount.converted(exchange_rate, currency);
    let offered = Offered {
        base: convert(charge.base)?,
        taxes: convert(charge.taxes)?,
        commission: charge.commission.map_or(Ok(Money::zero(currency)), convert)?,
    };
    Ok(Sale {
        supplier: supplier.to_owned(),
        supplier_total: charge.total,
        exchange_rate,
        price: price(offered, None, Terms::none(currency))?,
    })
}

/// The party's price by passenger type, exact in sum: what the supplier says, converted, if that still adds
/// up, else equal shares.
pub(crate) fn shown_shares(offer: &FoundOffer, sale: &Sale, party: Party) -> Result<Vec<PassengerShare>> {
    let price = &sale.price;
    let currency = price.currency();
    if let Some(told) = &offer.shares {
        let converted = told
            .iter()
            .map(|share| {
                Ok(PassengerShare {
                    base: share.base.converted(sale.exchange_rate, currency)?,
                    taxes: share.taxes.converted(sale.exchange_rate, currency)?,
                    ..share.clone()
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let mut sum = Money::zero(currency);
        for share in &converted {
            sum = sum.plus(share.base.plus(share.taxes)?.times(share.count.into())?)?;
        }
        if sum == price.total() {
            return Ok(converted);
        }
    }
    Ok(shares(price.base(), price.taxes(), party))
}

fn integrity(platform: &Platform, search: SearchId, index: u32, price: &Price) -> String {
    let content = format!("{search}:{index}:{:?}:{:?}", price.total(), price.agent_fare());
    let mac = platform.secrets.mac("offer-price", content.as_bytes());
    mac.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
