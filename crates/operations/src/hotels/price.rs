//! Hotel price: the rates priced again by their supplier, and the quote that a price id names.

use std::{collections::HashSet, time::Duration};

use futures_util::join;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use wayfare_boxed::boxed;
use wayfare_contract::hotels::{HotelPriceRequest, RoomSelection};
use wayfare_domain::{Currency, Faults, Money, ProductKind, QuoteId, ReasonCode, Zone};
use wayfare_hotels::{
    Address, CancellationPolicy, HotelDetails, HotelFee, HotelResult, HotelSupplier, PaymentPlace,
    PricedStay, Query, RoomRate, arrival,
};
use wayfare_pricing::{Sale, Totals};
use wayfare_reference::time_zone_at;
use wayfare_store::booking::quotes::{self, Quote};
use wayfare_supply::{Answer, on_behalf_of};

use super::{
    HotelId, SessionHotel, content,
    search::rates::{self, Breakdown},
};
use crate::{
    Caller, Core, Engine, Error, Hotels, Reason, Result, engine::quotes::expiry, flights::PriceChange,
    pricing::tariff::Tariff, reason::Fare, suppliers::answers::price_result,
};

/// How long a price waits for its hotel's details.
const CONTENT_PATIENCE: Duration = Duration::from_secs(3);

/// A rate of a quote, under the ids that the client knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QuotedRate {
    pub rate_id: String,
    /// As it was priced; its key may be another.
    pub rate: RoomRate,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HotelQuote {
    pub supplier: String,
    pub hotel: String,
    pub hotel_name: String,
    pub address: Address,
    /// The time zone it lies in, where that is known.
    pub time_zone: Option<Zone>,
    pub query: Query,
    pub rates: Vec<QuotedRate>,
    /// What the adapter needs again to book it.
    pub memory: serde_json::Value,
    /// The wallet's currency.
    pub currency: Currency,
    pub sale: Sale,
    /// What giving all of it back costs.
    pub policy: CancellationPolicy,
}

impl HotelQuote {
    pub fn hotel_id(&self) -> HotelId {
        HotelId { supplier: self.supplier.clone(), hotel: self.hotel.clone() }
    }

    /// What it comes to.
    pub fn totals(&self) -> Result<Totals> {
        Ok(Totals::of(std::slice::from_ref(&self.sale), self.currency)?)
    }

    /// What T is made of.
    pub fn breakdown(&self) -> Result<Breakdown> {
        let parts = self.rates.iter().map(|quoted| &quoted.rate.parts);
        Ok(Breakdown::of(parts, &self.sale)?)
    }

    /// What the guests must be told, in the supplier's words, each once.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = Vec::new();
        for remark in self.rates.iter().flat_map(|quoted| &quoted.rate.remarks) {
            if !remarks.contains(remark) {
                remarks.push(remark.clone());
            }
        }
        remarks
    }

    /// What is paid at the hotel beside it.
    pub fn fees_at_hotel(&self) -> impl Iterator<Item = &HotelFee> {
        self.rates.iter().flat_map(|quoted| &quoted.rate.fees_at_hotel)
    }
}

#[derive(Clone, Debug)]
pub struct Priced {
    pub quote: Quote<HotelQuote>,
    pub totals: Totals,
    pub breakdown: Breakdown,
    /// Whether it differs from what the search showed.
    pub change: Option<PriceChange>,
}

/// Prices the rates again with their supplier and stores the quote.
///
/// # Errors
/// [`Error::OfferExpired`], [`Error::OfferGone`], [`Error::SupplierUnavailable`], [`Error::NoRate`], [`Error::NotFound`]
/// for a search or a hotel in it that is not the caller's, [`Error::Invalid`] for an id that can't be routed and for
/// rates that are not for the rooms that were searched,
/// [`Error::NotSupported`] for what is paid at the hotel.
#[boxed]
pub async fn price(hotels: &Hotels, caller: &Caller, request: &HotelPriceRequest) -> Result<Priced> {
    let id = HotelId::read(&hotels.engine, "hotel_id", &request.hotel_id)?;
    let search = hotels.sessions.find_to_buy(caller, &request.search_id).await?;
    let kept = search.hotel(&id).ok_or(Error::NotFound)?;
    let supplier = hotels.engine.suppliers.hotel_seller(caller, &id.supplier)?;
    let query = search.criteria.query(&id.supplier).ok_or(Error::NotFound)?;
    let chosen = chosen(kept, &query, &request.room_selections)?;
    let wanted: Vec<&RoomRate> = chosen.iter().filter_map(|place| kept.hotel.rates.get(*place)).collect();
    let tariff = Tariff::of(&hotels.core, caller, ProductKind::Hotel).await?;
    let asked = async {
        join!(
            supplier.price(&query, &id.hotel, &wanted),
            missing_details(&hotels.core, supplier.as_ref(), kept, &query.language)
        )
    };
    let (priced, details) = on_behalf_of(caller.organization(), asked).await;
    if matches!(priced, Answer::Refused(_)) {
        // The next search must not show it again.
        hotels.engine.suppliers.forget_answer(&id.supplier, &query);
    }
    let priced = price_result(&hotels.engine.suppliers, &id.supplier, priced)?;
    check_priced(&id.supplier, &wanted, &priced.rates)?;
    let mut sales = Vec::new();
    for rate in &priced.rates {
        sales.extend(rates::sales(&tariff, &id.supplier, rate, true).map_err(no_price)?);
    }
    let now = hotels.core.clock.now();
    let theirs = priced.rates.iter().map(|rate| rate.expires_at);
    let expires_at = expiry(&hotels.core, now, theirs.chain([priced.expires_at]));
    let quote = Quote {
        id: QuoteId::new(&hotels.core.clock),
        organization: caller.organization(),
        user: caller.user(),
        created_at: now,
        expires_at,
        content: quote_content(
            kept,
            details,
            query,
            &wanted,
            priced,
            rates::together(sales)?,
            caller.currency(),
        )
        .map_err(no_price)?,
        used_by: None,
    };
    let mut connection = hotels.core.database.connection().await?;
    quotes::insert(&mut connection, ProductKind::Hotel, &quote, None).await?;
    let totals = quote.content.totals()?;
    let shown = || chosen.iter().filter_map(|place| kept.prices.get(*place));
    let currency = caller.currency();
    let agent_fares: Option<Vec<Money>> = shown().map(|price| price.agent_fare).collect();
    let shown = (
        Money::sum(currency, shown().map(|price| price.total))?,
        agent_fares.map(|fares| Money::sum(currency, fares)).transpose()?,
    );
    Ok(Priced {
        breakdown: quote.content.breakdown()?,
        change: PriceChange::between(shown, &totals),
        quote,
        totals,
    })
}

/// Whether these are the rates that were asked for, and can be paid for from a wallet.
fn check_priced(supplier: &str, wanted: &[&RoomRate], priced: &[RoomRate]) -> Result<()> {
    // The wallet would pay for what the guest pays again, and no card can be given.
    let mut all = wanted.iter().copied().chain(priced);
    if all.any(|rate| rate.payment == PaymentPlace::PayAtHotel) {
        let error = Error::NotSupported("rates that are paid at the hotel can't be booked from a wallet");
        return Err(error.because(Reason::at(ReasonCode::NotForSale, supplier)));
    }
    let same = |(now, then): (&RoomRate, &&RoomRate)| now.rooms == then.rooms && now.kind == then.kind;
    match priced.len() == wanted.len() && priced.iter().zip(wanted).all(same) {
        true => Ok(()),
        false => Err(Error::Internal(format!("{supplier} priced other rates"))),
    }
}

/// What the rates of a quote cost this caller now; none where their supplier does not say.
pub(super) async fn fare_now(engine: &Engine, caller: &Caller, quote: &HotelQuote) -> Option<Fare> {
    let tariff = Tariff::of(&engine.core, caller, ProductKind::Hotel).await.ok()?;
    let rates: Vec<&RoomRate> = quote.rates.iter().map(|quoted| &quoted.rate).collect();
    let supplier = engine.suppliers.hotel_supplier(&quote.supplier).ok()?;
    let asked = supplier.price(&quote.query, &quote.hotel, &rates);
    let Answer::Done(priced) = on_behalf_of(caller.organization(), asked).await else { return None };
    let mut sales = Vec::new();
    for rate in &priced.rates {
        sales.extend(rates::sales(&tariff, &quote.supplier, rate, false).ok()?);
    }
    let totals = Totals::of(&[rates::together(sales).ok()?], quote.currency).ok()?;
    Some((totals.total, totals.agent_fare))
}

/// Amounts of a supplier's that are no price are an answer that can't be used.
fn no_price(error: Error) -> Error {
    match error {
        Error::Internal(reason) => {
            tracing::warn!(reason, "a supplier's amounts are no price");
            Error::SupplierUnavailable(None)
        }
        other => other,
    }
}

/// Details of a hotel whose name or street the search did not have: the voucher shows them. None where that fails or takes
/// too long, since the room can be bought all the same.
async fn missing_details(
    core: &Core,
    supplier: &dyn HotelSupplier,
    kept: &SessionHotel,
    language: &str,
) -> Option<HotelDetails> {
    let hotel = &kept.hotel;
    if is_named(hotel) && hotel.address.line1.is_some() {
        return None;
    }
    let ids = [hotel.id.as_str()];
    let found = async {
        let Some(language) = supplier.content_language(language) else {
            return supplier.details(&ids, language).await;
        };
        let kept = content::details(core, &supplier.config().code, language, &ids).await;
        kept.map_or_else(|error| Answer::Unknown(error.to_string()), Answer::Done)
    };
    match timeout(CONTENT_PATIENCE, found).await {
        Ok(Answer::Done(details)) => details.into_iter().find(|details| details.id == hotel.id),
        Ok(failed) => {
            let problem = failed.problem().unwrap_or_default();
            tracing::warn!(hotel = hotel.id, problem, "a hotel is sold without its name or street");
            None
        }
        Err(_) => None,
    }
}

/// Whether it has more of a name than its supplier's id.
fn is_named(hotel: &HotelResult) -> bool {
    !hotel.name.is_empty() && hotel.name != hotel.id
}

fn quote_content(
    kept: &SessionHotel,
    details: Option<HotelDetails>,
    query: Query,
    wanted: &[&RoomRate],
    priced: PricedStay,
    sale: Sale,
    currency: Currency,
) -> Result<HotelQuote> {
    let hotel = &kept.hotel;
    let (mut hotel_name, mut address) = (hotel.name.clone(), hotel.address.clone());
    if let Some(details) = details {
        if !is_named(hotel) {
            hotel_name = details.name;
        }
        address = Address {
            line1: address.line1.or(details.address.line1),
            city: address.city.or(details.address.city),
            country: address.country.or(details.address.country),
        };
    }
    let place = hotel.latitude.zip(hotel.longitude);
    let time_zone = place.and_then(|(latitude, longitude)| time_zone_at(latitude, longitude));
    let begins = arrival(query.check_in, time_zone);
    let dated = |rate: RoomRate| {
        let total = rate.parts.total()?;
        Ok::<_, Error>(RoomRate { policy: rate.policy.arriving_at(begins, total), ..rate })
    };
    let rates: Vec<RoomRate> = priced.rates.into_iter().map(dated).collect::<Result<_>>()?;
    let mut policies = rates.iter().map(|rate| Ok::<_, Error>((rate.policy.clone(), rate.parts.total()?)));
    let (first, total) = policies.next().ok_or(Error::OfferGone)??;
    let (policy, _) = policies.try_fold((first, total), |(policy, ours), next| {
        let (other, theirs) = next?;
        Ok::<_, Error>((policy.and(ours, &other, theirs)?, ours.plus(theirs)?))
    })?;
    Ok(HotelQuote {
        supplier: kept.supplier.clone(),
        hotel: hotel.id.clone(),
        hotel_name,
        address,
        time_zone,
        query,
        rates: wanted
            .iter()
            .zip(rates)
            .map(|(asked, rate)| QuotedRate { rate_id: asked.token.clone(), rate })
            .collect(),
        memory: priced.supplier_context,
        currency,
        sale,
        policy,
    })
}

/// The places of the rates that are selected: one for each kind of room that was searched, for all rooms of the kind, and
/// together what the supplier sells together.
fn chosen(kept: &SessionHotel, query: &Query, selections: &[RoomSelection]) -> Result<Vec<usize>> {
    let mut faults = Faults::default();
    let mut chosen = Vec::new();
    let mut kinds = HashSet::new();
    let mut bundle: Option<&Option<String>> = None;
    for (number, selection) in selections.iter().enumerate() {
        let at = |field: &str| format!("room_selections[{number}].{field}");
        let mut rates = kept.hotel.rates.iter().enumerate();
        let Some((place, rate)) = rates.find(|(_, rate)| rate.token == selection.rate_id) else {
            faults.add(at("rate_id"), "must be a rate of this hotel in this search");
            continue;
        };
        if rate.room_id != selection.room_id {
            faults.add(at("room_id"), "must be the room of this rate");
        }
        if selection.quantity.is_some_and(|quantity| quantity != rate.rooms) {
            let reason = format!("must be {}, as many rooms as were searched for these guests", rate.rooms);
            faults.add(at("quantity"), reason);
        }
        if !kinds.insert(rate.kind) {
            faults.add(at("rate_id"), "is for the same rooms as another selection");
        }
        if bundle.is_some_and(|bundle| *bundle != rate.bundle) {
            faults.add(at("rate_id"), "is not sold together with the first selection");
        }
        bundle.get_or_insert(&rate.bundle);
        chosen.push(place);
    }
    if faults.is_empty() && kinds.len() < query.kinds().len() {
        let reason = format!("must be for all {} rooms that were searched", query.rooms.len());
        faults.add("room_selections", reason);
    }
    Ok(faults.or(chosen)?)
}
