//! What giving a fare back or changing it costs, as its supplier tells: of offers, of priced ones, of fares.

use futures_util::future::try_join_all;
use rust_decimal::Decimal;
use wayfare_boxed::boxed;
use wayfare_domain::{Currency, Faults, ProductKind, SearchId};
use wayfare_flights::{FareRules, Offer, PricedOrder};
use wayfare_supply::on_behalf_of;

use crate::{
    Caller, Engine, Error, Flights, Result,
    flights::{
        book,
        price::{BookingKey, read_catalog},
        search::offer_id::OfferId,
    },
    pricing::tariff::Tariff,
    reason::Moment,
    suppliers::answers::read_result,
};

/// Each costs a call to its supplier.
const MOST_FARES: usize = 10;

/// Whose rules are asked for; in all lists together 1 to 10.
#[derive(Clone, Debug, Default)]
pub struct FareRulesRequest {
    /// The search that offers and fares must be of, where it is said.
    pub search_id: Option<SearchId>,
    /// Ids out of a search of the caller's.
    pub offer_ids: Vec<String>,
    /// [`RulesOfFare::key`] of an offer.
    pub fare_keys: Vec<String>,
    pub booking_keys: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct RulesOfFare {
    /// Names the fare: `fk_…` for an offer's, the booking key for one that was priced.
    pub key: String,
    pub offer: Offer,
    /// What its supplier tells, in its currency.
    pub rules: FareRules,
    /// The wallet's currency.
    pub currency: Currency,
    /// Units of it for one of the supplier's; none when nobody quotes the pair.
    pub exchange_rate: Option<Decimal>,
}

/// The rules of each, in the order of the request's lists.
///
/// # Errors
/// [`Error::Invalid`] when nothing or too much is asked for, [`Error::NotFound`], [`Error::OfferExpired`],
/// [`Error::KeyExpired`]; [`Error::SupplierRefused`] and [`Error::SupplierUnavailable`] as the supplier says (P-76).
#[boxed]
pub async fn fare_rules(
    flights: &Flights,
    caller: &Caller,
    request: &FareRulesRequest,
) -> Result<Vec<RulesOfFare>> {
    let asked = request.offer_ids.len() + request.fare_keys.len() + request.booking_keys.len();
    match asked {
        0 => return Err(Faults::of("offer_ids", "this field is required").into()),
        1..=MOST_FARES => {}
        _ => return Err(Faults::of("offer_ids", format!("at most {MOST_FARES} fares at once")).into()),
    }
    let mut fares = Vec::new();
    for text in &request.offer_ids {
        fares.push(of_offer(flights, caller, request, OfferId::read(&flights.core, caller, text)?).await?);
    }
    for text in &request.fare_keys {
        fares.push(
            of_offer(flights, caller, request, OfferId::read_fare_key(&flights.core, caller, text)?).await?,
        );
    }
    for text in &request.booking_keys {
        fares.push(of_priced(&flights.engine, caller, text).await?);
    }
    let tariff = Tariff::of(&flights.core, caller, ProductKind::Flight).await?;
    let rules = fares.into_iter().map(|fare| ask(&flights.engine, caller, &tariff, fare));
    try_join_all(rules).await
}

struct Fare {
    key: String,
    supplier: String,
    offer: Offer,
    priced: Option<PricedOrder>,
}

async fn of_offer(
    flights: &Flights,
    caller: &Caller,
    request: &FareRulesRequest,
    id: OfferId,
) -> Result<Fare> {
    if request.search_id.is_some_and(|search| search != id.search) {
        return Err(Error::NotFound);
    }
    let search = flights.sessions.find(caller, id.search).await?;
    let found = search.offer(id.index)?;
    Ok(Fare {
        key: id.fare_key(&flights.core.secrets, caller.organization(), caller.user()),
        supplier: found.supplier().to_owned(),
        offer: found.offer.clone(),
        priced: None,
    })
}

async fn of_priced(engine: &Engine, caller: &Caller, text: &str) -> Result<Fare> {
    let key = BookingKey::read(text)?;
    let mut quote = book::find(engine, caller, key.quote).await?;
    if engine.core.clock.now() >= quote.expires_at {
        return Err(Error::KeyExpired);
    }
    read_catalog(&engine.core, &mut quote).await?;
    let offers = quote.content.orders.iter().flat_map(|order| {
        let offers = order.priced.offers.iter();
        offers.map(move |offer| (order, offer))
    });
    let (order, offer) = offers.into_iter().nth(key.index).ok_or(Error::NotFound)?;
    Ok(Fare {
        key: text.to_owned(),
        supplier: order.sale.supplier.clone(),
        offer: offer.clone(),
        priced: Some(order.priced.clone()),
    })
}

async fn ask(engine: &Engine, caller: &Caller, tariff: &Tariff, fare: Fare) -> Result<RulesOfFare> {
    let supplier = engine.suppliers.flight_seller(caller, &fare.supplier)?;
    let asked = supplier.fare_rules(&fare.offer, fare.priced.as_ref());
    let rules = on_behalf_of(caller.organization(), asked).await;
    let rules = read_result(&engine.suppliers, &fare.supplier, Moment::Sale, rules)?;
    let theirs = fare.offer.charge.total.currency();
    let exchange_rate = tariff.rates.rate(theirs, caller.currency()).ok();
    Ok(RulesOfFare { key: fare.key, offer: fare.offer, rules, currency: caller.currency(), exchange_rate })
}
