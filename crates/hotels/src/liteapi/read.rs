//! What LiteAPI's answers mean, without any network: bytes in, our types out.
//!
//! The calls of [`super::LiteApi`] go through here; so do tests over recorded answers.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use foldhash::fast::RandomState;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use wayfare_domain::{Currency, parse_currency};
use wayfare_supply::{
    AccountBalance, ListedOrder, SweptOrder,
    lenient::parse_leniently,
    plain_text,
    reading::{Unreadable, filled, is_word, parse, parse_repetitive},
};

use super::offer::{self, Terms};
pub use super::order::{Booking, booking, cancelled, found_cancellation, sold_booking};
use super::parts::{DESCRIBED, OFFERED, ORDERED};
use super::wire::{
    Chunk, Envelope, Error, Facts, Hotel, HotelOffers, Listed, Many, OfCredit, Offer, Prebook, Rate, Word,
};
use super::{hotel, money, stream};
use crate::{HotelDetails, HotelResult, HotelResults, Query, RoomRate};

/// "No availability", which is an answer and no failure.
const NO_AVAILABILITY: i64 = 2001;

/// The answer to this search, streamed or in one piece, its prices in `currency`. An offer that can't be used is a line
/// in `unusable` and costs no other.
pub fn search(
    body: &[u8],
    query: &Query,
    currency: Currency,
    now: DateTime<Utc>,
) -> Result<HotelResults, Unreadable> {
    let mut finding = Finding {
        query,
        currency,
        now,
        places: HashMap::default(),
        seen: HashSet::default(),
        found: HotelResults::default(),
    };
    let mut facts: Vec<Facts> = Vec::new();
    let parts = stream::parts(body)?;
    for part in &parts {
        // Nearly always everything is well, and one pass straight into the types is the fastest.
        let summaries = match parse_repetitive::<Chunk<'_, HotelOffers<Offer<'_>>>>(part.as_bytes()) {
            Some(chunk) => finding.chunk(chunk, Finding::take)?,
            None => finding.chunk(parse_leniently(part.as_bytes(), "", &OFFERED)?, Finding::take_apart)?,
        };
        facts.extend(
            summaries.into_iter().filter_map(|text| {
                parse_leniently::<Facts>(text.get().as_bytes(), "hotels[]", &DESCRIBED).ok()
            }),
        );
    }
    finding.ended(&facts)
}

/// A search's answer in the making: `'t` is its text.
struct Finding<'a, 't> {
    query: &'a Query,
    currency: Currency,
    now: DateTime<Utc>,
    /// Where each hotel is among those found.
    places: HashMap<String, usize, RandomState>,
    /// The keys of their offers.
    seen: HashSet<Cow<'t, str>, RandomState>,
    found: HotelResults,
}

impl<'t> Finding<'_, 't> {
    /// Takes each hotel of a part with `take`, told its place; what the part tells of hotels.
    fn chunk<H>(
        &mut self,
        chunk: Chunk<'t, H>,
        take: impl Fn(&mut Self, usize, H),
    ) -> Result<Vec<&'t RawValue>, Unreadable> {
        let Chunk { data, rates, hotels, error } = chunk;
        if data.is_none() && rates.is_none() && hotels.is_none() && error.is_none() {
            return Err(Unreadable::new("neither `data`, `rates`, `hotels` nor `error` is there"));
        }
        self.note(error.as_ref());
        for (place, hotel) in data.into_iter().chain(rates).flatten().enumerate() {
            take(self, place, hotel);
        }
        Ok(hotels.unwrap_or_default())
    }

    fn note(&mut self, error: Option<&Error>) {
        let Some(error) = error.filter(|error| error.code != Some(NO_AVAILABILITY)) else { return };
        let text = filled(&error.description).or(filled(&error.message));
        let line = format!("the supplier says: {}", text.unwrap_or("an error without words"));
        self.found.unusable.push(line);
    }

    fn take(&mut self, _place: usize, theirs: HotelOffers<Offer<'t>>) {
        let count = theirs.room_types.len();
        for (number, offer) in theirs.room_types.into_iter().enumerate() {
            let rates = self.rates(offer);
            self.add(&theirs.hotel_id, (number, count), rates);
        }
    }

    /// The same where not all of it can be read: an offer that can't costs no other.
    fn take_apart(&mut self, place: usize, text: &'t RawValue) {
        let read = parse_leniently(text.get().as_bytes(), "rates[]", &OFFERED);
        let theirs: HotelOffers<&'t RawValue> = match read {
            Ok(theirs) => theirs,
            Err(reason) => {
                self.found.unusable.push(format!("hotels[{place}]: {reason}"));
                return;
            }
        };
        let count = theirs.room_types.len();
        for (number, text) in theirs.room_types.into_iter().enumerate() {
            let at = "rates[].roomTypes[]";
            let offer = parse_leniently::<Offer<'t>>(text.get().as_bytes(), at, &OFFERED);
            let offer = offer.map_err(|error| error.to_string());
            let rates = offer.and_then(|offer| self.rates(offer));
            self.add(&theirs.hotel_id, (number, count), rates);
        }
    }

    fn rates(&mut self, theirs: Offer<'t>) -> Result<Vec<RoomRate>, String> {
        let (rates, total) = offer::found(&theirs, self.query, self.now)?;
        if total.currency() != self.currency {
            return Err(format!("is sold in {}", total.currency().code()));
        }
        if !self.seen.insert(theirs.offer_id.into()) {
            return Err("has the offerId of another one".to_owned());
        }
        Ok(rates)
    }

    /// What was made of the offer with this number among so many of a hotel.
    fn add(&mut self, hotel_id: &str, (number, count): (usize, usize), rates: Result<Vec<RoomRate>, String>) {
        let rates = match rates {
            Ok(rates) => rates,
            Err(reason) => {
                let line = format!("{hotel_id} roomTypes[{number}]: {reason}");
                self.found.unusable.push(line);
                return;
            }
        };
        let hotels = &mut self.found.hotels;
        let known = self.places.get(hotel_id).copied();
        let place = known.unwrap_or(hotels.len());
        if known.is_none() {
            self.places.insert(hotel_id.to_owned(), place);
            let room = Vec::with_capacity(count.saturating_sub(number) * rates.len());
            hotels.push(HotelResult::named(hotel_id, "", room));
        }
        if let Some(hotel) = hotels.get_mut(place) {
            hotel.rates.extend(rates);
        }
    }

    /// All of it, with what the search itself tells of the hotels.
    fn ended(mut self, facts: &[Facts]) -> Result<HotelResults, Unreadable> {
        if let (true, Some(reason)) = (self.found.hotels.is_empty(), self.found.unusable.first())
            && reason.starts_with("the supplier says")
        {
            return Err(Unreadable::new(reason));
        }
        for facts in facts {
            if let Some(found) =
                self.places.get(&facts.id).and_then(|place| self.found.hotels.get_mut(*place))
            {
                hotel::tell(found, facts);
            }
        }
        for hotel in &mut self.found.hotels {
            hotel
                .rates
                .sort_by_cached_key(|rate| rate.parts.total().map_or(Decimal::MAX, |total| total.amount()));
        }
        Ok(self.found.with_few_complaints())
    }
}

/// An offer as it stands now.
#[derive(Clone, Debug, PartialEq)]
pub struct Prebooked {
    /// Under which it is booked.
    pub prebook_id: String,
    /// Which hotel's it is.
    pub hotel_id: String,
    /// One for each kind of room of the query, in their order.
    pub rates: Vec<RoomRate>,
}

/// What is left of our credit line, where the answer about an offer tells of it.
pub(super) fn credit_line(body: &[u8]) -> Option<AccountBalance> {
    let line = parse::<Envelope<OfCredit>>(body).ok()?.data.credit_line?;
    Some(AccountBalance {
        balance: None,
        credit: Some(line.remaining_credit.0),
        currency: parse_currency(&line.currency)?,
    })
}

/// The answer about one offer, which was found with this search.
///
/// # Errors
/// When the body is not such an offer: of the rooms and days that were asked for, at the sum of its rooms' prices.
pub fn prebooked(
    body: &[u8],
    query: &Query,
    offer_id: &str,
    now: DateTime<Utc>,
) -> Result<Prebooked, Unreadable> {
    let theirs = parse_leniently::<Envelope<Prebook<'_>>>(body, "", &OFFERED)?.data;
    if (theirs.checkin, theirs.checkout) != (query.check_in, query.check_out) {
        let (from, to) = (theirs.checkin, theirs.checkout);
        return Err(Unreadable::new(format!("the offer is from {from} to {to}")));
    }
    let rates: Vec<&Rate<'_>> = theirs.room_types.iter().flat_map(|offer| offer.rates.iter()).collect();
    let terms =
        Terms { offer_id, room_type_id: "", rate_name: None, minimum: &theirs.suggested_selling_price };
    let (mut rates, total) = offer::by_kind(&rates, query, terms, now)
        .map_err(|reason| Unreadable::new(format!("the offer {reason}")))?;
    let price = money::money("price", theirs.price, &theirs.currency).map_err(Unreadable::new)?;
    if price != total {
        return Err(Unreadable::new(format!("the offer costs {price:?}, but its rooms {total:?}")));
    }
    if let Some(terms) = filled(&theirs.terms_and_conditions) {
        rates.iter_mut().for_each(|rate| rate.remarks.push(terms.to_owned()));
    }
    // Not in a search, which has thousands of them and shows none.
    for rate in &mut rates {
        plain_text::each_text(&mut rate.remarks);
        plain_text::each_text(&mut rate.policy.remarks);
    }
    Ok(Prebooked { prebook_id: theirs.prebook_id, hotel_id: theirs.hotel_id, rates })
}

/// The id of the booking with our reference, in the answer to a list of those that have it.
///
/// # Errors
/// When the body is not such a list, or tells bookings of which none is surely ours: those that are listed are there, and
/// which one is ours nobody knows.
pub fn listed(body: &[u8], reference: &str) -> Result<Option<String>, Unreadable> {
    // Nothing is `[]` or null, but said: a body without `data` is no list.
    let theirs = parse_leniently::<Envelope<Many<Listed>>>(body, "", &ORDERED)?.data;
    if theirs.is_empty() {
        return Ok(None);
    }
    let is_ours = |booking: &&Listed| {
        let stated = booking.client_reference.as_deref();
        stated.is_some_and(|stated| is_word(stated, reference))
    };
    let mut ours = theirs.iter().filter(is_ours);
    match (ours.next(), ours.next()) {
        (Some(only), None) => Ok(Some(only.booking_id.clone())),
        (Some(_), Some(_)) => Err(Unreadable::new("several bookings have our reference")),
        (None, _) => Err(Unreadable::new("a list of bookings, but none with our reference")),
    }
}

/// A list of bookings that are cancelled.
pub fn cancelled_bookings(body: &[u8]) -> Result<Vec<SweptOrder>, Unreadable> {
    let theirs = parse_leniently::<Envelope<Many<Listed>>>(body, "", &ORDERED)?.data;
    let swept =
        |booking: &Listed| SweptOrder { order_id: booking.booking_id.clone(), mark: "cancelled".to_owned() };
    Ok(theirs.iter().map(swept).collect())
}

/// A list of bookings.
///
/// # Errors
/// When the body is no such list, or does not say of a booking whether it stands.
pub fn all_bookings(body: &[u8]) -> Result<Vec<ListedOrder>, Unreadable> {
    let theirs = parse_leniently::<Envelope<Many<Listed>>>(body, "", &ORDERED)?.data;
    let listed = |booking: &Listed| {
        let status = booking.status.as_deref();
        let status = status.ok_or_else(|| Unreadable::new("a booking is listed without its status"))?;
        Ok(ListedOrder {
            order_id: booking.booking_id.clone(),
            reference: booking.client_reference.clone(),
            made_at: booking.created_at.clone(),
            is_cancelled: status.to_uppercase().starts_with("CANCEL"),
        })
    };
    theirs.iter().map(listed).collect()
}

/// All that is told of a hotel.
pub fn details(body: &[u8]) -> Result<HotelDetails, Unreadable> {
    Ok(hotel::details(parse_leniently::<Envelope<Hotel>>(body, "", &DESCRIBED)?.data))
}

/// A list of hotels. One that can't be read is left out: it is only told less of.
pub(super) fn facts(body: &[u8]) -> Result<Vec<Facts>, Unreadable> {
    let all = parse::<Envelope<Vec<&RawValue>>>(body)?.data;
    Ok(all
        .into_iter()
        .filter_map(|text| parse_leniently(text.get().as_bytes(), "hotels[]", &DESCRIBED).ok())
        .collect())
}

/// What hotels are described with.
pub(super) fn words(body: &[u8]) -> Result<Vec<Word>, Unreadable> {
    let all = parse::<Envelope<Vec<&RawValue>>>(body)?.data;
    let word = |text: &RawValue| parse_leniently(text.get().as_bytes(), "words[]", &DESCRIBED).ok();
    Ok(all.into_iter().filter_map(word).collect())
}
