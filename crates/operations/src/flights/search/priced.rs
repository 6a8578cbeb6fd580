//! Suppliers' offers with one caller's prices: neither the database nor a supplier is asked here.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use wayfare_domain::{Currency, Money, MoneyError, OrganizationId, Party, SearchId, UserId};
use wayfare_flights::{Offer, PassengerShare, Query, TaxPart, shares};
use wayfare_pricing::{Price, Sale};
use wayfare_supply::Answer;

use super::{
    offer_cache::{CachedOffers, SupplierAnswer},
    offer_id::OfferId,
    session::{DisplayedAmounts, SessionPart},
};
use crate::{
    Result, Secrets,
    pricing::tariff::Tariff,
    suppliers::report::{SupplierReport, SupplierState},
};

/// One caller's search: everything that its prices and ids depend on beside what suppliers answer.
#[derive(Clone)]
pub struct SearchContext {
    pub id: SearchId,
    pub organization: OrganizationId,
    pub user: UserId,
    pub query: Arc<Query>,
    pub created_at: DateTime<Utc>,
    /// When all of it ends, UTC.
    pub expires_at: DateTime<Utc>,
    /// The currency in which prices are shown.
    pub currency: Currency,
    /// What makes suppliers' amounts the caller's prices.
    pub tariff: Arc<Tariff>,
}

/// One offer's price for the caller.
#[derive(Clone, Debug)]
pub struct DisplayedPrice {
    /// The id that this caller prices and books it by.
    pub id: String,
    /// Ties the id to the amounts shown.
    pub integrity: String,
    /// What the caller would pay, in the wallet's currency.
    pub sale: Sale,
    /// The same price in the currency that is shown.
    pub shown: Price,
    /// Units of the shown currency for one of the supplier's.
    pub shown_rate: Decimal,
    /// By passenger type, in the shown currency; adds up to T.
    pub shares: Vec<PassengerShare>,
    pub expires_at: DateTime<Utc>,
}

pub struct PricedSupplierResult {
    pub report: SupplierReport,
    /// Its offers, where it answered.
    pub cached: Option<Arc<CachedOffers>>,
    /// The caller's price of each offer of the answer, in its order; none for one that is not shown.
    prices: Vec<Option<DisplayedPrice>>,
}

impl PricedSupplierResult {
    /// The offers that are shown, in the supplier's order.
    pub fn offers(&self) -> impl Iterator<Item = (&Offer, &DisplayedPrice)> {
        let offers = self.cached.iter().flat_map(|cached| &cached.found.offers);
        offers.zip(&self.prices).filter_map(|(offer, price)| Some((offer, price.as_ref()?)))
    }
}

impl SearchContext {
    /// A supplier's answer with the caller's prices, and the part of the search session that it makes. Its offers have their
    /// places from `first` on.
    pub fn price_supplier_result(
        &self,
        secrets: &Secrets,
        first: usize,
        code: String,
        duration: Duration,
        answer: SupplierAnswer,
    ) -> (PricedSupplierResult, Option<SessionPart>) {
        let mut report = SupplierReport::unanswered(&code, duration);
        let cached = match answer {
            Answer::Done(cached) => cached,
            failed => {
                let problem = failed.problem().unwrap_or_default().to_owned();
                tracing::warn!(supplier = report.code, problem, "a supplier did not answer a search");
                report.errors.push(problem);
                let nothing = PricedSupplierResult { report, cached: None, prices: Vec::new() };
                return (nothing, None);
            }
        };
        report.state = SupplierState::Success;
        report.errors.clone_from(&cached.found.unusable);
        let prices = self.price_offers(secrets, first, &cached, &mut report.errors);
        let displayed = prices.iter().map(|price| {
            price.as_ref().map(|found| DisplayedAmounts {
                total: found.sale.price.total().amount(),
                agent_fare: found.sale.price.agent_fare().amount(),
            })
        });
        let part = SessionPart { first, displayed: displayed.collect(), cached: cached.clone() };
        report.results = prices.iter().flatten().count();
        let result = PricedSupplierResult { report, cached: Some(cached), prices };
        (result, Some(part))
    }

    /// The price of each offer, numbered from `first` on; none for one that the query does not want or that can't be priced.
    /// The latter is a line of `errors`, never the search's end.
    fn price_offers(
        &self,
        secrets: &Secrets,
        first: usize,
        cached: &CachedOffers,
        errors: &mut Vec<String>,
    ) -> Vec<Option<DisplayedPrice>> {
        let mut prices = Vec::with_capacity(cached.found.offers.len());
        for (place, offer) in (first..).zip(&cached.found.offers) {
            let price = self.query.wants(offer).then(|| self.priced(secrets, place, &cached.supplier, offer));
            prices.push(match price {
                None => None,
                Some(Ok(price)) => Some(price),
                Some(Err(unpriced)) => {
                    let line = unpriced.to_string();
                    if !errors.contains(&line) {
                        errors.push(line);
                    }
                    None
                }
            });
        }
        prices
    }

    /// The offer at this place among all, for this caller.
    fn priced(
        &self,
        secrets: &Secrets,
        index: usize,
        supplier: &str,
        offer: &Offer,
    ) -> Result<DisplayedPrice> {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let expires_at = offer.expires_at.map_or(self.expires_at, |end| end.min(self.expires_at));
        let sale = self.tariff.sale(supplier, offer)?;
        // What is shown is what is charged: where the currency is another it is converted once more.
        let rate = self.tariff.rates.rate(sale.price.currency(), self.currency)?;
        let shown = if self.currency == sale.price.currency() {
            sale.price
        } else {
            sale.price.shown_in(rate, self.currency)?
        };
        let shown_rate = sale.exchange_rate.checked_mul(rate).ok_or(MoneyError::TooLarge)?;
        Ok(DisplayedPrice {
            id: OfferId::new(self.id, index, expires_at).print(secrets, self.organization, self.user),
            integrity: integrity(secrets, self.id, index, &shown),
            shares: shown_shares(offer, shown_rate, &shown, self.query.party)?,
            sale,
            shown,
            shown_rate,
            expires_at,
        })
    }
}

/// The party's price by passenger type, exact in sum: what the supplier says, converted, if that still adds
/// up, else equal shares.
pub(crate) fn shown_shares(
    offer: &Offer,
    rate: Decimal,
    price: &Price,
    party: Party,
) -> Result<Vec<PassengerShare>> {
    let currency = price.currency();
    if let Some(shares) = &offer.shares {
        let converted = shares
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
        Ok::<_, MoneyError>(TaxPart { code: part.code.clone(), amount })
    };
    let converted = parts.iter().map(convert).collect::<Result<Vec<_>, _>>()?;
    let sum = Money::sum(currency, converted.iter().map(|part| part.amount))?;
    Ok(if sum == taxes { converted } else { Vec::new() })
}

fn integrity(secrets: &Secrets, search: SearchId, index: u32, price: &Price) -> String {
    let [total, agent_fare] = [price.total(), price.agent_fare()].map(|money| money.amount().serialize());
    let search = search.uuid();
    let content: [&[u8]; 5] =
        [search.as_bytes(), &index.to_be_bytes(), price.currency().code().as_bytes(), &total, &agent_fare];
    let mac = secrets.mac_of("offer-price", content);
    let digits = |byte: &u8| [byte >> 4, byte & 15];
    let digits = mac.iter().take(16).flat_map(digits);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}
