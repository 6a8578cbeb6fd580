//! What suppliers offer with one caller's prices: neither a database nor a supplier is asked here.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use wayfare_domain::{Currency, Money, MoneyError, OrganizationId, Party, SearchId, UserId};
use wayfare_flights::{Airline, FoundOffer, FoundOffers, PassengerShare, Query, TaxPart, shares};
use wayfare_pricing::{Price, Sale};
use wayfare_supply::Answer;

use super::offer_id::OfferId;
use crate::{Result, Secrets, tariff::Tariff};

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
    /// What makes suppliers' amounts the caller's prices.
    pub tariff: Arc<Tariff>,
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

/// A search as it is kept: what suppliers said, and what made it the caller's prices.
pub struct KeptSearch {
    pub(crate) organization: OrganizationId,
    pub(crate) user: UserId,
    pub(crate) query: Query,
    /// As it was then.
    pub(crate) tariff: Arc<Tariff>,
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
    /// What the caller would pay, in the wallet's currency.
    pub sale: Sale,
    /// The same price in the currency that is shown.
    pub shown: Price,
    /// Units of the shown currency for one of the supplier's.
    pub shown_rate: Decimal,
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
            tariff: self.tariff,
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
        let sale = self.tariff.sale(supplier, offer)?;
        // What is shown is what is charged: where the currency is another it is converted once more.
        let rate = self.tariff.rates.rate(sale.price.currency(), self.currency)?;
        let shown = if self.currency == sale.price.currency() {
            sale.price
        } else {
            sale.price.shown_in(rate, self.currency)?
        };
        let shown_rate = sale.exchange_rate.checked_mul(rate).ok_or(MoneyError::TooLarge)?;
        Ok(FoundPrice {
            id: OfferId::new(self.id, index, expires_at).print(self.secrets, self.organization, self.user),
            integrity: integrity(self.secrets, self.id, index, &shown),
            shares: shown_shares(offer, shown_rate, &shown, self.query.party)?,
            sale,
            shown,
            shown_rate,
            offer: offer.clone(),
            expires_at,
        })
    }
}

/// The party's price by passenger type, exact in sum: what the supplier says, converted, if that still adds
/// up, else equal shares.
pub(crate) fn shown_shares(
    offer: &FoundOffer,
    rate: Decimal,
    price: &Price,
    party: Party,
) -> Result<Vec<PassengerShare>> {
    let currency = price.currency();
    if let Some(told) = &offer.shares {
        let converted = told
            .iter()
            .map(|share| {
                let taxes = share.taxes.converted(rate, currency)?;
                Ok(PassengerShare {
                    kind: share.kind,
                    count: share.count,
                    base: share.base.converted(rate, currency)?,
                    taxes,
                    tax_parts: shown_parts(&share.tax_parts, rate, taxes)?,
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

/// The parts converted, if they still add up to the taxes, which are converted as a whole.
fn shown_parts(parts: &[TaxPart], rate: Decimal, taxes: Money) -> Result<Vec<TaxPart>> {
    let currency = taxes.currency();
    let convert = |part: &TaxPart| {
        let amount = part.amount.converted(rate, currency)?;
        Ok::<_, MoneyError>(TaxPart {
            code: part.code.clone(),
            amount,
        })
    };
    let converted = parts.iter().map(convert).collect::<Result<Vec<_>, _>>()?;
    let sum = Money::sum(currency, converted.iter().map(|part| part.amount))?;
    Ok(if sum == taxes { converted } else { Vec::new() })
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
