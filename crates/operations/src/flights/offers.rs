//! What suppliers offer with one caller's prices: neither a database nor a supplier is asked here.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use wayfare_domain::{Currency, Money, OrganizationId, Party, SearchId, UserId};
use wayfare_flights::{Airline, FoundOffer, FoundOffers, PassengerShare, Query, shares};
use wayfare_pricing::{Asked, Price, RateSource, Rules, Sale};
use wayfare_supply::Answer;

use super::offer_id::OfferId;
use crate::{Result, Secrets};

/// One caller's search: everything that its prices and ids depend on beside what suppliers answer.
pub struct Showing<'a> {
    /// The search's id.
    pub id: SearchId,
    /// Whose search it is.
    pub organization: OrganizationId,
    /// Who asked.
    pub user: UserId,
    /// What was asked.
    pub query: Query,
    /// How many offers at most, the cheapest first.
    pub max_results: Option<usize>,
    /// When it was made, UTC.
    pub created_at: DateTime<Utc>,
    /// When all of it ends, UTC.
    pub expires_at: DateTime<Utc>,
    /// The currency in which prices are shown.
    pub currency: Currency,
    /// What makes the caller's prices.
    pub rules: Rules,
    /// Exchange rates.
    pub rates: &'a dyn RateSource,
    /// What ids and amounts are sealed with.
    pub secrets: &'a Secrets,
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

/// What one supplier answered.
pub struct SupplierAnswer {
    /// Its code.
    pub code: String,
    /// From question to answer.
    pub duration: Duration,
    /// Its answer.
    pub answer: Answer<FoundOffers>,
}

/// A search as it is kept: what suppliers said, without anybody's prices.
pub struct KeptSearch {
    pub(crate) organization: OrganizationId,
    pub(crate) user: UserId,
    pub(crate) query: Query,
    /// Each with its supplier's code.
    offers: Vec<(Arc<str>, Arc<FoundOffer>)>,
}

impl KeptSearch {
    /// How many offers it keeps.
    pub fn offers(&self) -> usize {
        self.offers.len()
    }

    /// The offer at this place among all, and its supplier.
    pub(crate) fn offer(&self, index: u32) -> Option<(&str, &FoundOffer)> {
        let (code, offer) = self.offers.get(usize::try_from(index).ok()?)?;
        Some((code, offer))
    }
}

/// One offer with the caller's price.
#[derive(Clone, Debug)]
pub struct FoundPrice {
    /// The id that this caller prices and books it by.
    pub id: String,
    /// Ties the id to the amounts shown.
    pub integrity: String,
    /// The offer.
    pub offer: Arc<FoundOffer>,
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

impl Showing<'_> {
    /// Every usable offer with its price, and the search as it is kept. `reports` are of suppliers that were
    /// not asked. [`Found::duration`] is the caller's to set.
    pub fn found(
        self,
        mut reports: Vec<SupplierReport>,
        answers: Vec<SupplierAnswer>,
    ) -> (KeptSearch, Found) {
        let mut kept = Vec::new();
        let mut offers = Vec::new();
        let mut airlines = BTreeMap::new();
        for SupplierAnswer {
            code,
            duration,
            answer,
        } in answers
        {
            let (state, mut errors, found) = match answer {
                Answer::Done(mut found) => {
                    (SupplierState::Success, std::mem::take(&mut found.unusable), found)
                }
                other => {
                    let problem = other.problem().unwrap_or_default().to_owned();
                    tracing::warn!(supplier = code, problem, "a supplier did not answer a search");
                    (SupplierState::Error, vec![problem], FoundOffers::default())
                }
            };
            let before = offers.len();
            let shared_code: Arc<str> = code.as_str().into();
            for offer in found.offers {
                let offer = Arc::new(offer);
                match self.priced(kept.len(), &code, &offer) {
                    Ok(priced) => offers.push(priced),
                    // One offer that can't be priced is a line, never the search's end.
                    Err(unpriced) => {
                        let line = unpriced.to_string();
                        if !errors.contains(&line) {
                            errors.push(line);
                        }
                    }
                }
                kept.push((shared_code.clone(), offer));
            }
            airlines.extend(found.airlines);
            reports.push(SupplierReport {
                code,
                state,
                duration,
                results: offers.len() - before,
                errors,
            });
        }
        offers.sort_by_key(|found| found.sale.price.agent_fare().amount());
        offers.truncate(self.max_results.unwrap_or(usize::MAX));
        let found = Found {
            id: self.id,
            currency: self.currency,
            created_at: self.created_at,
            expires_at: self.expires_at,
            duration: Duration::ZERO,
            suppliers: reports,
            offers,
            airlines,
        };
        let kept = KeptSearch {
            organization: self.organization,
            user: self.user,
            query: self.query,
            offers: kept,
        };
        (kept, found)
    }

    /// The offer at this place among all, for this caller.
    fn priced(&self, index: usize, supplier: &str, offer: &Arc<FoundOffer>) -> Result<FoundPrice> {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let expires_at = offer
            .expires_at
            .map_or(self.expires_at, |end| end.min(self.expires_at));
        let rate = self.rates.rate(offer.charge.total.currency(), self.currency)?;
        let sale = Sale::new(&self.rules, &asked(supplier, offer), rate)?;
        Ok(FoundPrice {
            id: OfferId::new(self.id, index, expires_at).print(self.secrets, self.organization, self.user),
            integrity: integrity(self.secrets, self.id, index, &sale.price),
            shares: shown_shares(offer, &sale, self.query.party)?,
            sale,
            offer: offer.clone(),
            expires_at,
        })
    }
}

/// What a supplier asks for this offer, in its own currency. A contract may be for its first flight's airline and
/// cabin.
pub(crate) fn asked<'a>(supplier: &'a str, offer: &'a FoundOffer) -> Asked<'a> {
    let first = offer.segments().next();
    Asked {
        supplier,
        airline: first.map(|segment| segment.airline.as_str()),
        cabin: first
            .and_then(|segment| segment.cabin.as_ref())
            .map(AsRef::as_ref),
        base: offer.charge.base,
        taxes: offer.charge.taxes,
        commission: offer.charge.commission,
    }
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

fn integrity(secrets: &Secrets, search: SearchId, index: u32, price: &Price) -> String {
    let mut content = search.uuid().as_bytes().to_vec();
    content.extend(index.to_be_bytes());
    content.extend(price.currency().code().bytes());
    for amount in [price.total(), price.agent_fare()] {
        content.extend(amount.amount().serialize());
    }
    let mac = secrets.mac("offer-price", &content);
    let short = mac
        .iter()
        .take(16)
        .fold(0, |number: u128, byte| number << 8 | u128::from(*byte));
    format!("{short:032x}")
}
