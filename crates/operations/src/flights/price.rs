//! Flight price: the offers priced again by their suppliers, and the quote that booking keys name.

use std::{mem::take, sync::Arc};

use futures_util::future::try_join_all;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::flights::PriceRequest;
use wayfare_domain::{AnswerId, Currency, Faults, Money, Party, ProductKind, QuoteId};
use wayfare_flights::{Ancillary, Offer, PassengerShare, PricedOrder, Query, Requirements, joined};
use wayfare_pricing::{Sale, Totals};
use wayfare_store::{
    booking::quotes::{self, Quote},
    money::wallets,
};
use wayfare_supply::{Answer, on_behalf_of};

use super::{
    search::{
        priced::shown_shares,
        session::{DisplayedAmounts, SearchSession},
    },
    trip_selection::{self, SelectedOrder},
};
use crate::{
    Caller, ChangedFare, Core, Engine, Error, Flights, Result,
    engine::quotes::{expiry, readable},
    pricing::tariff::Tariff,
    reason::Fare,
    suppliers::answers::price_result,
};

/// One supplier order of a quote, with everything that a booking needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QuotedOrder {
    /// The supplier's offers as they were quoted.
    pub priced: PricedOrder,
    pub party: Party,
    pub sale: Sale,
    /// By passenger type, in the wallet's currency.
    pub shares: Vec<PassengerShare>,
    /// The supplier's answer that is spent by this order; none where it has one of its own, or more can be made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerId>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FlightQuote {
    pub query: Query,
    /// The wallet's currency.
    pub currency: Currency,
    /// One for each order at a supplier, in order of their numbers.
    pub orders: Vec<QuotedOrder>,
}

impl FlightQuote {
    /// What it comes to.
    pub fn totals(&self) -> Result<Totals> {
        let sales: Vec<Sale> = self.orders.iter().map(|order| order.sale.clone()).collect();
        Ok(Totals::of(&sales, self.currency)?)
    }

    /// Every offer, one for each booking key, in order.
    pub fn offers(&self) -> impl Iterator<Item = &Offer> {
        self.orders.iter().flat_map(|order| &order.priced.offers)
    }

    /// What is wanted of the travellers for all of it.
    pub fn requires(&self) -> Requirements {
        Requirements::together(self.offers().map(|offer| &offer.requires))
    }
}

/// What can be bought with the fares of a quote, in order of its orders. It is most of a quote, and only who chooses
/// ancillaries or reads the rules of a fare needs it: it is stored beside the quote.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Catalog(Vec<OrderCatalog>);

/// The same of one order, as in [`PricedOrder`].
#[derive(Serialize, Deserialize)]
struct OrderCatalog {
    ancillaries: Vec<Ancillary>,
    #[serde(rename = "shelf")]
    ancillary_catalog: Value,
}

impl Catalog {
    fn take(quote: &mut FlightQuote) -> Self {
        let priced = quote.orders.iter_mut().map(|order| &mut order.priced);
        let catalogs = priced.map(|priced| OrderCatalog {
            ancillaries: take(&mut priced.ancillaries),
            ancillary_catalog: take(&mut priced.ancillary_catalog),
        });
        Self(catalogs.collect())
    }

    fn put(self, quote: &mut FlightQuote) {
        for (order, catalog) in quote.orders.iter_mut().zip(self.0) {
            order.priced.ancillaries = catalog.ancillaries;
            order.priced.ancillary_catalog = catalog.ancillary_catalog;
        }
    }
}

/// Reads what can be bought with the fares of a quote that was found without.
pub(super) async fn read_catalog(core: &Core, quote: &mut Quote<FlightQuote>) -> Result<()> {
    let mut connection = core.database.connection().await?;
    let catalog = quotes::catalog(&mut connection, quote.organization, quote.id).await;
    let catalog: Option<Catalog> = readable(catalog, quote.id, Error::KeyExpired)?;
    // A server of before has stored it with the quote.
    if let Some(catalog) = catalog {
        catalog.put(&mut quote.content);
    }
    Ok(())
}

/// What one booking key names: an offer of a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookingKey {
    pub quote: QuoteId,
    /// Which of its offers, from 0.
    pub index: usize,
}

impl BookingKey {
    const PREFIX: &'static str = "bk_";

    /// The key that this text is.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a text that is none.
    pub fn read(text: &str) -> Result<Self> {
        let (id, index) =
            text.strip_prefix(Self::PREFIX).and_then(|key| key.split_once('_')).ok_or(Error::NotFound)?;
        let quote = Uuid::try_parse(id).map_err(|_| Error::NotFound)?;
        let key =
            Self { quote: QuoteId::from_uuid(quote), index: index.parse().map_err(|_| Error::NotFound)? };
        // One key has one spelling.
        if key.to_string() == text { Ok(key) } else { Err(Error::NotFound) }
    }
}

impl std::fmt::Display for BookingKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}_{}", Self::PREFIX, self.quote.uuid().simple(), self.index)
    }
}

/// The price moved since the search (P-16).
#[derive(Clone, Copy, Debug)]
pub struct PriceChange {
    pub old_total: Money,
    pub new_total: Money,
    /// What the wallet would have paid by what the search showed; none where a server of before has kept the search.
    pub old_agent_fare: Option<Money>,
    pub new_agent_fare: Money,
}

impl PriceChange {
    /// From the total and the agent fare that were shown to these; none where both are the same.
    pub fn between(shown: (Money, Option<Money>), now: &Totals) -> Option<Self> {
        let (old_total, old_agent_fare) = shown;
        let (new_total, new_agent_fare) = (now.total, now.agent_fare);
        let has_moved = old_total != new_total || old_agent_fare.is_some_and(|old| old != new_agent_fare);
        has_moved.then_some(Self { old_total, new_total, old_agent_fare, new_agent_fare })
    }
}

#[derive(Clone, Debug)]
pub struct Priced {
    pub quote: Quote<FlightQuote>,
    pub totals: Totals,
    /// Whether it differs from what the search showed.
    pub change: Option<PriceChange>,
}

impl Priced {
    /// Whether the wallet would pay more than the search showed.
    pub(crate) fn is_dearer(&self) -> bool {
        let now = self.totals.agent_fare.amount();
        let shown = self.change.and_then(|change| change.old_agent_fare);
        shown.is_some_and(|shown| now > shown.amount())
    }

    /// From what the search showed to what it is now.
    pub(crate) fn changed_fare(&self) -> ChangedFare {
        let now = (self.totals.total, self.totals.agent_fare);
        let shown = |change: PriceChange| (change.old_total, change.old_agent_fare.unwrap_or(now.1));
        ChangedFare::between(self.change.map_or(now, shown), Some(now))
    }
}

/// Orders of a quote, to be read again.
pub(super) struct QuotedOffers(Vec<(String, Vec<String>, Party)>);

impl QuotedOffers {
    /// Those of this quote.
    pub fn of(quote: &FlightQuote) -> Self {
        let tokens = |order: &QuotedOrder| {
            let offers = order.priced.offers.iter();
            offers.map(|offer| offer.token.clone()).collect()
        };
        let orders = quote.orders.iter();
        Self(orders.map(|order| (order.sale.supplier.clone(), tokens(order), order.party)).collect())
    }

    /// What they cost this caller now; none where a supplier does not say.
    pub async fn fare_now(&self, engine: &Engine, caller: &Caller) -> Option<Fare> {
        let tariff = Tariff::of(&engine.core, caller, ProductKind::Flight).await.ok()?;
        let mut sales = Vec::new();
        for (supplier, tokens, party) in &self.0 {
            let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
            let asked = engine.suppliers.flight_supplier(supplier).ok()?.price(&tokens, *party).await;
            let Answer::Done(priced) = asked else { return None };
            for offer in &priced.offers {
                sales.push(tariff.sale(supplier, offer).ok()?);
            }
        }
        let totals = Totals::of(&sales, caller.currency()).ok()?;
        Some((totals.total, totals.agent_fare))
    }
}

/// Prices the offers again with their suppliers, checks that the wallet can pay, and stores the quote.
///
/// # Errors
/// [`Error::OfferExpired`], [`Error::OfferGone`], [`Error::SupplierUnavailable`], [`Error::InsufficientFunds`],
/// [`Error::NoRate`], [`Error::Invalid`] for a party that is not the search's and for offers that can't be bought
/// together.
#[boxed]
pub async fn price(flights: &Flights, caller: &Caller, request: &PriceRequest) -> Result<Priced> {
    let (search, places) = trip_selection::search_of(flights, caller, &request.offer_ids).await?;
    check_party(request, search.query.party)?;
    let tariff = Tariff::of(&flights.core, caller, ProductKind::Flight).await?;
    let (selected, orders) = ordered(flights, caller, &tariff, &search, &places).await?;
    store_quote(&flights.core, caller, Query::clone(&search.query), &selected, orders).await
}

/// Offers of one search or several, to be bought together one after the other, as [`price`] prices those of one.
///
/// # Errors
/// As [`price`].
pub(super) async fn price_each(
    flights: &Flights,
    caller: &Caller,
    searches: &[(Arc<SearchSession>, Vec<u32>)],
) -> Result<Priced> {
    let tariff = Tariff::of(&flights.core, caller, ProductKind::Flight).await?;
    let mut whole: Option<Query> = None;
    let (mut all_selected, mut all_orders) = (Vec::new(), Vec::new());
    for (search, places) in searches {
        let (selected, orders) = ordered(flights, caller, &tariff, search, places).await?;
        all_selected.extend(selected);
        all_orders.extend(orders);
        whole = Some(match whole {
            None => Query::clone(&search.query),
            Some(mut query) => {
                query.slices.extend(search.query.slices.iter().cloned());
                query
            }
        });
    }
    let query = whole.ok_or(Error::OfferGone)?;
    store_quote(&flights.core, caller, query, &all_selected, all_orders).await
}

/// The orders that these offers of a search become, as their suppliers sell them now.
async fn ordered(
    flights: &Flights,
    caller: &Caller,
    tariff: &Tariff,
    search: &SearchSession,
    places: &[u32],
) -> Result<(Vec<SelectedOrder>, Vec<QuotedOrder>)> {
    let selected = trip_selection::orders(flights, caller, tariff, search, places).await?;
    let answers =
        try_join_all(selected.iter().map(|selected| requote(&flights.engine, caller, search, selected)))
            .await?;
    let mut orders = Vec::new();
    for (selected, priced) in selected.iter().zip(answers) {
        orders.push(quoted(tariff, selected, priced)?);
    }
    Ok((selected, orders))
}

/// Checks that the wallet can pay for these, and stores the quote.
async fn store_quote(
    core: &Core,
    caller: &Caller,
    query: Query,
    selected: &[SelectedOrder],
    orders: Vec<QuotedOrder>,
) -> Result<Priced> {
    let now = core.clock.now();
    let expires_at = orders
        .iter()
        .map(|order| {
            let theirs = order.priced.offers.iter().map(|offer| offer.expires_at);
            expiry(core, now, theirs.chain([order.priced.expires_at]))
        })
        .min()
        .unwrap_or(now);
    let currency = caller.currency();
    let content = FlightQuote { query, currency, orders };
    let totals = content.totals()?;
    let mut quote = Quote {
        id: QuoteId::new(&core.clock),
        organization: caller.organization(),
        user: caller.user(),
        content,
        created_at: now,
        expires_at,
        used_by: None,
    };
    let mut connection = core.database.connection().await?;
    let wallet = wallets::of(&mut connection, caller.payer()).await?.ok_or(Error::NotFound)?;
    wallet.covers(totals.agent_fare)?;
    let catalog = Catalog::take(&mut quote.content);
    let text = serde_json::to_string(&catalog)?;
    quotes::insert(&mut connection, ProductKind::Flight, &quote, Some(&text)).await?;
    catalog.put(&mut quote.content);
    let displayed = |part: fn(&DisplayedAmounts) -> Decimal| {
        Money::sum(currency, selected.iter().map(|order| Money::rounded(part(&order.displayed), currency)))
    };
    let shown = (displayed(|amounts| amounts.total)?, Some(displayed(|amounts| amounts.agent_fare)?));
    Ok(Priced { quote, totals, change: PriceChange::between(shown, &totals) })
}

/// The offers of one order at their supplier's price of now.
async fn requote(
    engine: &Engine,
    caller: &Caller,
    search: &SearchSession,
    selected: &SelectedOrder,
) -> Result<PricedOrder> {
    let supplier = engine.suppliers.flight_seller(caller, &selected.supplier)?;
    let tokens: Vec<&str> = selected.tokens.iter().map(String::as_str).collect();
    let asked = supplier.price(&tokens, selected.party);
    let answer = on_behalf_of(caller.organization(), asked).await;
    if matches!(answer, Answer::Refused(_)) {
        // The next search must not show it again.
        engine.suppliers.forget_answer(&selected.supplier, &*search.query);
    }
    let priced = price_result(&engine.suppliers, &selected.supplier, answer)?;
    if priced.offers.len() == tokens.len() {
        Ok(priced)
    } else {
        Err(Error::Internal(format!(
            "{} priced {} offers of {}",
            selected.supplier,
            priced.offers.len(),
            tokens.len()
        )))
    }
}

/// An order at this caller's price: each offer's is worked out by itself, and the order's is their sum (P-25).
fn quoted(tariff: &Tariff, selected: &SelectedOrder, priced: PricedOrder) -> Result<QuotedOrder> {
    let mut sales = Vec::new();
    let mut shares = Vec::new();
    for offer in &priced.offers {
        let sale = tariff.explained_sale(&selected.supplier, offer)?;
        shares.push(shown_shares(offer, sale.exchange_rate, &sale.price, selected.party)?);
        sales.push(sale);
    }
    Ok(QuotedOrder {
        priced,
        party: selected.party,
        sale: Sale::together(sales)?.ok_or(Error::OfferGone)?,
        shares: joined(&shares.iter().map(Vec::as_slice).collect::<Vec<_>>())?,
        answer: selected.answer,
    })
}

/// Who travels must be who was searched for, where it is said (P-55).
fn check_party(request: &PriceRequest, party: Party) -> Result<()> {
    let mut faults = Faults::default();
    for (field, stated, searched) in [
        ("adults", request.adults, party.adults),
        ("children", request.children, party.children),
        ("infants", request.infants, party.infants),
    ] {
        if stated.is_some_and(|stated| stated != searched) {
            faults.add(field, format!("must be {searched} as in the search"));
        }
    }
    Ok(faults.or(())?)
}
