//! Their bodies in our words, without a network.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use wayfare_domain::Money;
pub use wayfare_supply::reading::Unreadable;
use wayfare_supply::reading::{is_word, parse, parse_if, parse_repetitive};
use wayfare_supply::{
    CancellationQuote, ListedOrder, SweptOrder, lenient::parse_leniently, plain_text::name_of,
};

pub use super::order::Sold;
use super::order::{Booked, hotel_numbers};
use super::parts::{CHECKED, FOUND};
use super::{codes, rate, wire};
use crate::{HotelResult, HotelResults, Query, RoomRate, StayRequest, SupplierStay};

/// What a search found; what a hotel looks like is told elsewhere. A hotel or a rate that can't be used costs only itself.
pub fn search(body: &[u8], query: &Query, now: DateTime<Utc>) -> Result<HotelResults, Unreadable> {
    let mut found = HotelResults::default();
    let mut places = Places::new();
    // Nearly always everything is well, and one pass straight into the types is the fastest.
    if let Some(all) = parse_repetitive::<wire::Search<wire::Hotel<wire::Rate>>>(body) {
        for theirs in all.hotels.hotels.unwrap_or_default() {
            let hotel = hotel(theirs, Ok, query, now, &mut found.unusable);
            add(hotel, &mut places, &mut found);
        }
        return Ok(found.with_few_complaints());
    }
    let hotels = parse_leniently::<wire::Search<&RawValue>>(body, "", &FOUND)?.hotels.hotels;
    for raw in hotels.unwrap_or_default() {
        match parse_leniently::<wire::Hotel<&RawValue>>(raw.get().as_bytes(), "hotels.hotels[]", &FOUND) {
            Ok(theirs) => {
                let rate = |raw: &RawValue| {
                    let at = "hotels.hotels[].rooms[].rates[]";
                    let rate = parse_leniently::<wire::Rate>(raw.get().as_bytes(), at, &FOUND);
                    rate.map_err(|error| error.to_string())
                };
                let hotel = hotel(theirs, rate, query, now, &mut found.unusable);
                add(hotel, &mut places, &mut found);
            }
            Err(reason) => {
                let code = parse_if::<wire::Named>(raw.get().as_bytes()).map(|named| named.code);
                let code = code.map_or("a hotel".to_owned(), |code| format!("hotel {code}"));
                found.unusable.push(format!("{code}: {reason}"));
            }
        }
    }
    Ok(found.with_few_complaints())
}

/// Where each hotel is among those found.
type Places = HashMap<String, usize>;

fn add(hotel: HotelResult, places: &mut Places, found: &mut HotelResults) {
    if hotel.rates.is_empty() {
        return;
    }
    let place = *places.entry(hotel.id.clone()).or_insert(found.hotels.len());
    match found.hotels.get_mut(place) {
        Some(known) => more_of(known, hotel, &mut found.unusable),
        None => found.hotels.push(hotel),
    }
}

/// What is told of a hotel a second time: its rates are more of the same hotel's.
fn more_of(known: &mut HotelResult, again: HotelResult, unusable: &mut Vec<String>) {
    for rate in again.rates {
        if known.rates.iter().any(|one| one.token == rate.token) {
            unusable.push(format!("hotel {}: a rateKey comes twice", known.id));
        } else {
            known.rates.push(rate);
        }
    }
    known.rates.sort_by_key(price);
}

fn price(rate: &RoomRate) -> Decimal {
    rate.parts.total().map(Money::amount).unwrap_or_default()
}

/// A hotel of theirs in our words, whose rates `read` makes of what they are.
fn hotel<R>(
    theirs: wire::Hotel<R>,
    read: impl Fn(R) -> Result<wire::Rate, String>,
    query: &Query,
    now: DateTime<Utc>,
    unusable: &mut Vec<String>,
) -> HotelResult {
    let mut rates: Vec<RoomRate> = Vec::new();
    let mut keys = HashSet::new();
    for mut room in theirs.rooms {
        for rate in std::mem::take(&mut room.rates) {
            let read = read(rate);
            let read = read.and_then(|rate| rate::found(&rate, &room, theirs.currency.0, query, None, now));
            match read {
                Ok(rate) if keys.insert(rate.token.clone()) => rates.push(rate),
                Ok(_) => {
                    unusable.push(format!("hotel {}, room {}: a rateKey comes twice", theirs.code, room.code))
                }
                Err(reason) => unusable.push(format!("hotel {}, room {}: {reason}", theirs.code, room.code)),
            }
        }
    }
    rates.sort_by_key(price);
    let degrees = |stated: Option<wire::Degrees>| stated.and_then(|degrees| degrees.0);
    let name = name_of(&theirs.name).map_or_else(|| theirs.code.to_string(), Cow::into_owned);
    HotelResult {
        stars: theirs.category_code.as_deref().and_then(codes::stars),
        latitude: degrees(theirs.latitude),
        longitude: degrees(theirs.longitude),
        ..HotelResult::named(theirs.code.to_string(), name, rates)
    }
}

/// What became of a rate that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Checked {
    /// It stands, at this price and under this key.
    Stands(Box<RoomRate>),
    /// Its key is known no more, or no room is left.
    Gone,
    /// It is only sold to whoever sends a card's data with the booking.
    WantsCard,
}

/// What became of the rate that was checked alone, which was found so before.
pub fn check(
    body: &[u8],
    query: &Query,
    hotel_id: &str,
    before: &RoomRate,
    now: DateTime<Utc>,
) -> Result<Checked, Unreadable> {
    let hotel = parse_leniently::<wire::Check>(body, "", &CHECKED)?.hotel;
    let rooms = hotel.rooms.unwrap_or_default();
    let mut lines = rooms.iter().flat_map(|room| room.rates.iter().map(move |rate| (room, rate)));
    let (room, theirs) = match (lines.next(), lines.next()) {
        (None, _) => return Ok(Checked::Gone),
        (Some(line), None) => line,
        (Some(_), Some(_)) => return Err(Unreadable::new("several rates, where one was checked")),
    };
    if hotel.payment_data_required == Some(true) {
        return Ok(Checked::WantsCard);
    }
    if hotel.code.map(|code| code.to_string()).as_deref() != Some(hotel_id) {
        return Err(Unreadable::new("hotel.code is another hotel's"));
    }
    let currency = hotel.currency.ok_or_else(|| Unreadable::new("hotel.currency is missing"))?;
    let rate = rate::found(theirs, room, currency.0, query, Some(before), now).map_err(Unreadable::new)?;
    if rate.kind != before.kind {
        return Err(Unreadable::new("it is for another room than it was"));
    }
    Ok(Checked::Stands(Box::new(rate)))
}

/// The stay that was booked by this request, where `margin` is what T has above what they charge.
///
/// # Errors
/// When the body is not a booking.
pub fn stay(
    body: &[u8],
    request: &StayRequest,
    margin: Money,
    now: DateTime<Utc>,
) -> Result<SupplierStay, Unreadable> {
    Ok(Booked::read(body)?.stay(request, margin, now))
}

/// What cancelling this booking of theirs, which was sold so, would give back: the answer to a simulation.
pub fn cancellation_quote(body: &[u8], id: &str, sold: Sold) -> Result<CancellationQuote, Unreadable> {
    let booked = Booked::read(body)?.checked(id, None);
    let quote = booked.and_then(|booked| booked.quoted(sold));
    quote.map_err(Unreadable::new)
}

/// How the cancellation of this booking of theirs stands whose quote has this id.
pub fn cancellation(body: &[u8], id: &str, cancellation_id: &str) -> Result<CancellationQuote, Unreadable> {
    let booked = Booked::read(body)?.checked(id, None);
    let cancellation = booked.and_then(|booked| booked.cancellation(cancellation_id));
    cancellation.map_err(Unreadable::new)
}

/// The references under which a page of bookings has our own reference, and whether there are bookings beyond the page.
pub fn listing(body: &[u8], reference: &str) -> Result<(Vec<String>, bool), Unreadable> {
    let page = parse::<wire::Listing>(body)?.bookings;
    let bookings = match (page.bookings, page.total) {
        (Some(bookings), _) => bookings,
        (None, Some(0)) => Vec::new(),
        (None, _) => return Err(Unreadable::new("bookings.bookings is missing")),
    };
    let count = u32::try_from(bookings.len()).unwrap_or(u32::MAX);
    let is_ours = |booking: &wire::Listed| {
        let stated = booking.client_reference.as_deref();
        stated.is_some_and(|stated| is_word(stated, reference))
    };
    let ours = bookings.into_iter().filter(is_ours);
    Ok((ours.map(|booking| booking.reference).collect(), page.total.is_some_and(|total| total > count)))
}

/// A page of a list of bookings.
#[derive(Debug)]
pub struct ListPage<T> {
    /// What is wanted of it.
    pub orders: Vec<T>,
    /// How many bookings the page has.
    pub count: usize,
    /// How many all pages have, where the list says so.
    pub total: Option<usize>,
}

/// Their references of the bookings of a list of those that are cancelled.
pub fn cancelled_bookings(body: &[u8]) -> Result<ListPage<SweptOrder>, Unreadable> {
    let page = parse::<wire::Listing>(body)?.bookings;
    let swept =
        |booking: wire::Listed| SweptOrder { order_id: booking.reference, mark: "cancelled".to_owned() };
    let bookings = page.bookings.unwrap_or_default();
    Ok(ListPage {
        count: bookings.len(),
        total: page.total.and_then(|total| total.try_into().ok()),
        orders: bookings.into_iter().map(swept).collect(),
    })
}

/// The bookings of a list of all.
///
/// # Errors
/// When the body is no such list, or does not say of a booking whether it stands.
pub fn all_bookings(body: &[u8]) -> Result<ListPage<ListedOrder>, Unreadable> {
    let page = parse::<wire::Listing>(body)?.bookings;
    let listed = |booking: wire::Listed| {
        let status = booking.status;
        let status = status.ok_or_else(|| Unreadable::new("a booking is listed without its status"))?;
        Ok(ListedOrder {
            order_id: booking.reference,
            reference: booking.client_reference,
            made_at: booking.creation_date,
            is_cancelled: is_word(&status, "CANCELLED"),
        })
    };
    let bookings = page.bookings.unwrap_or_default();
    Ok(ListPage {
        count: bookings.len(),
        total: page.total.and_then(|total| total.try_into().ok()),
        orders: bookings.into_iter().map(listed).collect::<Result<_, _>>()?,
    })
}

/// Their references of the bookings of a list of those whose hotels have told their own numbers, each with those.
pub fn reconfirmed_bookings(body: &[u8]) -> Result<ListPage<SweptOrder>, Unreadable> {
    let page = parse::<wire::Reconfirmations>(body)?.bookings;
    let swept = |booking: Value| {
        let numbers = hotel_numbers(&booking);
        let numbers: Vec<&str> = numbers.iter().map(|number| number.number.as_str()).collect();
        Some(SweptOrder {
            order_id: booking.get("reference")?.as_str()?.to_owned(),
            mark: numbers.join(", "),
        })
    };
    let bookings = page.bookings.unwrap_or_default();
    let count = bookings.len();
    // Without numbers there is nothing new of it.
    let has_news = |swept: &SweptOrder| !swept.mark.is_empty();
    Ok(ListPage {
        orders: bookings.into_iter().filter_map(swept).filter(has_news).collect(),
        count,
        total: None,
    })
}

/// What an adapter remembers of rates that were priced together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SupplierContext {
    /// Each rate's key, and for how many rooms it is.
    pub rates: Vec<(String, u16)>,
    /// What T has above what they charge.
    pub margin: Money,
}
