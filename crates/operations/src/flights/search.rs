//! Search: ask every supplier at once, price what came for this caller, keep it without the caller's prices.

use std::{sync::Arc, time::Duration};

use tokio::{task::JoinSet, time::Instant};
use wayfare_domain::{Currency, SearchId};
use wayfare_flights::{FlightSupplier, FoundOffer, Query};
use wayfare_pricing::{Rules, Sale};

use super::offers::{Found, KeptSearch, Showing, SupplierAnswer, SupplierReport, SupplierState, asked};
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

/// Asks every supplier at once. A supplier's failure is a line in its report, never the search's.
///
/// # Errors
/// [`Error::Invalid`] for a query that can't be asked.
pub async fn search(platform: &Platform, caller: &Caller, request: SearchRequest) -> Result<Found> {
    request.query.check(platform.clock.now())?;
    let started = Instant::now();
    let created_at = platform.clock.now();
    let currency = request.preferred_currency.unwrap_or_else(|| caller.currency());
    let mut declined = Vec::new();
    let mut asked = Vec::new();
    for supplier in platform.flights.values() {
        let code = &supplier.config().code;
        let barred = (!caller.may_buy_from(code)).then(|| "not available to this agency".to_owned());
        match barred.or_else(|| supplier.declines(&request.query)) {
            None => asked.push(supplier),
            Some(reason) => declined.push(SupplierReport {
                code: code.clone(),
                state: SupplierState::Skipped,
                duration: Duration::ZERO,
                results: 0,
                errors: vec![reason],
            }),
        }
    }
    let answers = ask_all(asked.into_iter(), &request.query).await;
    let showing = Showing {
        id: SearchId::new(&platform.clock),
        organization: caller.organization(),
        user: caller.user(),
        query: request.query,
        max_results: request.max_results,
        created_at,
        expires_at: created_at + platform.durations.offer_validity,
        currency,
        rules: Rules::none(currency),
        rates: platform.rates.as_ref(),
        secrets: &platform.secrets,
    };
    let (kept, mut found) = showing.found(declined, answers);
    platform.searches.insert(found.id, Arc::new(kept)).await;
    found.duration = started.elapsed();
    Ok(found)
}

async fn ask_all<'a>(
    suppliers: impl Iterator<Item = &'a Arc<dyn FlightSupplier>>,
    query: &Query,
) -> Vec<SupplierAnswer> {
    let mut asked = JoinSet::new();
    for supplier in suppliers {
        let (supplier, query) = (supplier.clone(), query.clone());
        asked.spawn(async move {
            let started = Instant::now();
            let answer = supplier.search(&query).await;
            SupplierAnswer {
                code: supplier.config().code.clone(),
                duration: started.elapsed(),
                answer,
            }
        });
    }
    let mut answers = asked.join_all().await;
    answers.sort_by(|a, b| a.code.cmp(&b.code));
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

/// What a supplier asks for this offer, converted once into `currency` and priced, with the whole calculation.
///
/// # Errors
/// [`Error::NoRate`] for a pair that nobody quotes.
pub(crate) fn priced(
    platform: &Platform,
    offer: &FoundOffer,
    supplier: &str,
    currency: Currency,
) -> Result<Sale> {
    let rate = platform.rates.rate(offer.charge.total.currency(), currency)?;
    let rules = Rules::none(currency);
    Ok(Sale::explained(&rules, &asked(supplier, offer), rate)?)
}
