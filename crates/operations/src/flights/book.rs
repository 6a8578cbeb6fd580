//! Book: from a booking key to a confirmed itinerary, or to the one clear reason why not.

use std::{collections::HashSet, sync::Arc};

use rust_decimal::Decimal;
use serde_json::Value;
use wayfare_domain::{
    BookingRef, BookingStatus, Contact, Faults, PassengerType, ProductKind, QuoteId, Traveller,
};
use wayfare_flights::{FoundOffer, Itinerary, ItineraryOrder, OrderMode, OrderRequest, SupplierOrder};
use wayfare_store::{
    StoreError,
    bookings::{Booking, Order, Summary},
    effects::Effect,
    quotes::{self, Quote},
};
use wayfare_supply::{Answer, RefusalKind};

use super::price::{BookingKey, FlightQuote, PriceRequest, QuotedOrder, price};
use crate::{
    Caller, Error, Platform, Result, effects,
    idempotency::IdempotencyKey,
    purchase::{self, Ending, Intent, Opened, OrderIntent},
    testing::{moment, planted},
};

/// What is to be booked: priced, or not yet.
#[derive(Clone, Debug)]
pub enum Bought {
    /// Booking keys of one price call, all of them.
    Keys(Vec<String>),
    /// Offers, which are priced in the same call (decisions, detail 77).
    Offers(Vec<String>),
}

/// What the client states it agreed to; it changes no price (decisions, prices).
#[derive(Clone, Copy, Debug)]
pub struct AgreedPrice {
    /// In the wallet's currency.
    pub agent_fare: Decimal,
}

/// A flight order.
#[derive(Clone, Debug)]
pub struct FlightOrder {
    /// What.
    pub bought: Bought,
    /// For whom; in any order of their indices.
    pub travellers: Vec<Traveller>,
    /// How they are reached.
    pub contact: Contact,
    /// What the client agreed to.
    pub agreed: Option<AgreedPrice>,
    /// Hold instead of buying at once, where the supplier can.
    pub hold: bool,
}

/// A booking as it stands.
#[derive(Clone, Debug)]
pub struct Booked {
    /// The booking.
    pub booking: Booking<Itinerary>,
    /// Its supplier orders, in order of their numbers.
    pub orders: Vec<Order<SupplierOrder>>,
}

/// Books: the money is held and the intent written before the supplier is asked; the hold is posted or voided
/// when its answer is known. A silent supplier leaves the booking pending.
///
/// # Errors
/// The decided errors of decisions, detail 76; nothing stays held then.
pub async fn book(
    platform: &Arc<Platform>,
    caller: &Caller,
    order: FlightOrder,
    key: Option<&IdempotencyKey>,
) -> Result<Booked> {
    check_shape(&order)?;
    let quote = quoted(platform, caller, &order.bought).await?;
    if let Some(reference) = used_by(platform, &quote).await? {
        return Err(Error::KeyUsed(reference));
    }
    if platform.clock.now() >= quote.expires_at {
        return Err(Error::KeyExpired);
    }
    // Until one order can be given back when the next one is refused, several are not made.
    if quote.content.orders.len() > 1 {
        let reason = "are of several orders, which can't be booked together yet";
        return Err(Faults::of("booking_keys", reason).into());
    }
    let totals = quote.content.totals()?;
    if order
        .agreed
        .is_some_and(|agreed| agreed.agent_fare != totals.agent_fare.amount())
    {
        return Err(Error::FareChanged);
    }
    for quoted in &quote.content.orders {
        platform
            .flight_seller(caller, &quoted.sale.supplier)?
            .check_travellers(&order.travellers)
            .or(())?;
    }
    let travellers = fitting(&quote.content, order.travellers)?;
    let intent = intent(platform, &quote, travellers, order.contact, order.hold)?;
    let key = key.filter(|_| !planted("bug:skip-the-key"));
    let opened = purchase::open(platform, caller, intent, key).await?;
    let reference = opened.booking.reference.clone();
    let pending = Booked {
        booking: opened.booking.clone(),
        orders: opened.orders.clone(),
    };
    let carried_out = {
        let (platform, caller) = (platform.clone(), caller.clone());
        async move { ask_and_close(&platform, &caller, opened).await }
    };
    effects::in_background(platform, &reference, pending, carried_out).await
}

/// What can be said of the order without its quote.
fn check_shape(order: &FlightOrder) -> Result<()> {
    let mut faults = Faults::default();
    let mut seen = HashSet::new();
    for (place, traveller) in order.travellers.iter().enumerate() {
        if !seen.insert(traveller.index) {
            faults.add(format!("passengers[{place}].pax_index"), "must be unique");
        }
    }
    if order.travellers.is_empty() {
        faults.add("passengers", "this field is required");
    }
    Ok(faults.or(())?)
}

async fn quoted(platform: &Platform, caller: &Caller, bought: &Bought) -> Result<Quote<FlightQuote>> {
    match bought {
        Bought::Keys(texts) => {
            let keys = texts
                .iter()
                .map(|text| BookingKey::read(text))
                .collect::<Result<Vec<_>>>()?;
            let first = keys
                .first()
                .ok_or_else(|| Faults::of("booking_keys", "this field is required"))?;
            let quote = find(platform, caller, first.quote).await?;
            let named: HashSet<usize> = keys
                .iter()
                .filter(|key| key.quote == quote.id)
                .map(|key| key.index)
                .collect();
            let offers = quote.content.offers().count();
            let whole = keys.len() == offers && (0..offers).all(|index| named.contains(&index));
            if !whole {
                return Err(
                    Faults::of("booking_keys", "must be all keys of one price call, each once").into(),
                );
            }
            Ok(quote)
        }
        Bought::Offers(offer_ids) => {
            let request = PriceRequest {
                offer_ids: offer_ids.clone(),
                adults: None,
                children: None,
                infants: None,
            };
            let now = price(platform, caller, &request).await?;
            if now.totals.agent_fare.amount() > now.shown_agent_fare.amount() {
                return Err(Error::FareChanged);
            }
            Ok(now.quote)
        }
    }
}

pub(super) async fn find(platform: &Platform, caller: &Caller, id: QuoteId) -> Result<Quote<FlightQuote>> {
    let mut connection = platform.database.connection().await?;
    let quote = quotes::find(
        &mut connection,
        caller.organization(),
        caller.user(),
        ProductKind::Flight,
        id,
    )
    .await;
    match quote {
        // Promised by a program of another version: it would have ended within minutes anyway.
        Err(error @ StoreError::Corrupt { .. }) => {
            tracing::warn!(%error, quote = %id, "a quote can't be read any more");
            Err(Error::KeyExpired)
        }
        quote => quote?.ok_or(Error::NotFound),
    }
}

/// The booking that has used the quote: told even after the quote's time is over.
async fn used_by(platform: &Platform, quote: &Quote<FlightQuote>) -> Result<Option<BookingRef>> {
    if quote.booking.is_none() {
        return Ok(None);
    }
    let mut connection = platform.database.connection().await?;
    Ok(quotes::used_by(&mut connection, quote.organization, quote.id).await?)
}

/// The travellers in order of their index, if they are the party that was quoted: as many of each type, of the
/// right age at the last flight, each infant on an adult of its own (decisions, detail 57).
fn fitting(quote: &FlightQuote, mut travellers: Vec<Traveller>) -> Result<Vec<Traveller>> {
    // Faults name travellers by their place in the request: in order of index come only those without any.
    let mut faults = Faults::default();
    let party = quote.query.party;
    for (kind, expected) in [
        (PassengerType::Adult, party.adults),
        (PassengerType::Child, party.children),
        (PassengerType::Infant, party.infants),
    ] {
        let count = travellers
            .iter()
            .filter(|traveller| traveller.kind == kind)
            .count();
        if count != usize::from(expected) {
            faults.add(
                "passengers",
                format!("must have {expected} of type {} but has {count}", kind.as_ref()),
            );
        }
    }
    let last_day = quote
        .offers()
        .flat_map(FoundOffer::segments)
        .map(|segment| segment.departure.date())
        .max();
    for (place, traveller) in travellers.iter().enumerate() {
        if last_day.is_some_and(|day| PassengerType::on(traveller.born_on, day) != Some(traveller.kind)) {
            let reason = format!(
                "does not make a {} on the day of the last flight",
                traveller.kind.as_ref()
            );
            faults.add(format!("passengers[{place}].dob"), reason);
        }
    }
    seat_infants(&mut travellers, &mut faults);
    Ok(faults.or(travellers)?)
}

/// Each infant sits on the adult that `infant_ref` names, or on the next free one; all in order of their index.
fn seat_infants(travellers: &mut [Traveller], faults: &mut Faults) {
    let mut adults: Vec<u32> = travellers
        .iter()
        .filter(|traveller| traveller.kind == PassengerType::Adult)
        .map(|traveller| traveller.index)
        .collect();
    adults.sort_unstable();
    let mut taken: HashSet<u32> = HashSet::new();
    for (place, infant) in travellers.iter().enumerate() {
        if let (PassengerType::Infant, Some(adult)) = (infant.kind, infant.held_by)
            && (!adults.contains(&adult) || !taken.insert(adult))
        {
            faults.add(
                format!("passengers[{place}].infant_ref"),
                "must be the pax_index of an adult without an infant",
            );
        }
    }
    let mut free = adults.into_iter().filter(|adult| !taken.contains(adult));
    travellers.sort_by_key(|traveller| traveller.index);
    for infant in travellers.iter_mut() {
        match infant.kind {
            PassengerType::Infant if infant.held_by.is_none() => infant.held_by = free.next(),
            PassengerType::Infant => {}
            _ => infant.held_by = None,
        }
    }
}

fn intent(
    platform: &Platform,
    quote: &Quote<FlightQuote>,
    travellers: Vec<Traveller>,
    contact: Contact,
    hold: bool,
) -> Result<Intent<Itinerary, OrderRequest>> {
    let reference = BookingRef::random(ProductKind::Flight);
    let mut requests = Vec::new();
    let mut orders = Vec::new();
    for (number, quoted) in (1_u16..).zip(&quote.content.orders) {
        let offers = &quoted.priced.offers;
        let first = offers.first().ok_or(Error::OfferGone)?;
        let supplier = quoted.sale.supplier.clone();
        let deadline = platform.flight_supplier(&supplier)?.config().effect_deadline;
        let request = OrderRequest {
            reference: reference.order(number),
            offer_token: first.token.clone(),
            memory: quoted.priced.memory.clone(),
            mode: mode(quoted, hold)?,
            total: quoted.sale.supplier_total,
            travellers: travellers.clone(),
            contact: contact.clone(),
            extras: Vec::new(),
        };
        orders.push(ItineraryOrder {
            supplier: supplier.clone(),
            legs: offers.iter().flat_map(|offer| offer.legs.clone()).collect(),
            fare: first.fare.clone(),
            shares: quoted.shares.clone(),
        });
        requests.push(OrderIntent {
            supplier,
            request,
            deadline,
        });
    }
    let product = Itinerary {
        orders,
        travellers,
        contact,
    };
    let ends = product.legs().next().map(|leg| {
        let place = |segment: Option<&wayfare_flights::Segment>, origin: bool| {
            segment.map_or(String::new(), |segment| {
                if origin {
                    segment.origin.clone()
                } else {
                    segment.destination.clone()
                }
            })
        };
        (
            place(leg.segments.first(), true),
            place(leg.segments.last(), false),
        )
    });
    let (origin, destination) = ends.unwrap_or_default();
    let summary = Summary {
        provider: quote
            .content
            .orders
            .first()
            .map(|order| order.sale.supplier.clone())
            .unwrap_or_default(),
        pnr: String::new(),
        origin,
        destination,
        passenger_count: i32::try_from(product.travellers.len()).unwrap_or(i32::MAX),
    };
    let sales = quote
        .content
        .orders
        .iter()
        .map(|order| order.sale.clone())
        .collect();
    Ok(Intent {
        quote: quote.id,
        reference,
        summary,
        product,
        sales,
        requests,
    })
}

/// Bought at once wherever the supplier allows it; held where it allows nothing else or the client wants it
/// and the supplier can (decisions, detail 13).
fn mode(quoted: &QuotedOrder, hold: bool) -> Result<OrderMode> {
    let offers = &quoted.priced.offers;
    let holdable = offers.iter().all(|offer| offer.holdable);
    let instant = offers.iter().all(|offer| offer.instant);
    match (hold, holdable, instant) {
        (true, true, _) | (false, true, false) => Ok(OrderMode::Hold),
        (false, _, true) => Ok(OrderMode::Instant),
        (true, false, _) => Err(Faults::of("hold", "the supplier can't hold this offer").into()),
        (false, false, false) => Err(Error::OfferGone),
    }
}

async fn ask_and_close(platform: &Platform, caller: &Caller, opened: Opened<Itinerary>) -> Result<Booked> {
    let (mut booking, mut orders) = (opened.booking, opened.orders);
    for effect in &opened.effects {
        moment("book:opened");
        let asked = ask(platform, effect).await?;
        moment("book:answered");
        match asked {
            Asked::Ended(ending, error) => {
                let closed = purchase::close::<Itinerary>(platform, &caller.actor(), effect, *ending).await?;
                orders = closed
                    .orders
                    .into_iter()
                    .map(Order::read)
                    .collect::<Result<_, _>>()?;
                booking = closed.booking.with(booking.product);
                if let Some(error) = error
                    && booking.status == BookingStatus::Failed
                {
                    return Err(error);
                }
            }
            Asked::Unknown(reason) => {
                // The booking stays pending and its money held; the worker finds out.
                tracing::warn!(booking = %booking.reference, reason, "a supplier's answer to a booking is not known");
                effects::postpone(platform, effect, &reason).await?;
            }
        }
    }
    if booking.status == BookingStatus::Failed {
        return Err(Error::SupplierRefused(booking.failure.unwrap_or_default()));
    }
    Ok(Booked { booking, orders })
}

enum Asked {
    /// How it ended, and what the caller is told if the booking failed by it.
    Ended(Box<Ending<SupplierOrder>>, Option<Error>),
    Unknown(String),
}

async fn ask(platform: &Platform, effect: &Effect) -> Result<Asked> {
    let supplier = platform.flight_supplier(&effect.supplier)?;
    let request: OrderRequest = serde_json::from_value::<OrderRequest>(Value::clone(&effect.request))?;
    if !purchase::in_time(platform, effect) {
        let reason = "it could not be sent in time".to_owned();
        return Ok(Asked::Ended(
            Box::new(Ending::Refused(reason)),
            Some(Error::SupplierUnavailable(None)),
        ));
    }
    let mut answer = supplier.book(&request).await;
    if planted("bug:retry-blindly") && matches!(answer, Answer::Unknown(_)) {
        answer = supplier.book(&request).await;
    }
    Ok(match answer {
        Answer::Done(order) => match purchase::ending::<Itinerary>(order) {
            Some(Ending::Refused(reason)) => {
                let error = Error::SupplierRefused(reason.clone());
                Asked::Ended(Box::new(Ending::Refused(reason)), Some(error))
            }
            Some(done) => Asked::Ended(Box::new(done), None),
            None => Asked::Unknown("the supplier is still at it".to_owned()),
        },
        Answer::Refused(refusal) => {
            let error = match refusal.kind {
                RefusalKind::PriceChanged => Error::FareChanged,
                _ => Error::SupplierRefused(refusal.text.clone()),
            };
            Asked::Ended(Box::new(Ending::Refused(refusal.text)), Some(error))
        }
        Answer::Unavailable(outage) => Asked::Ended(
            Box::new(Ending::Refused(outage.reason)),
            Some(Error::SupplierUnavailable(outage.retry_after)),
        ),
        Answer::Unknown(reason) if planted("bug:silence-is-refusal") => Asked::Ended(
            Box::new(Ending::Refused(reason)),
            Some(Error::SupplierUnavailable(None)),
        ),
        Answer::Unknown(reason) => Asked::Unknown(reason),
    })
}
