//! Reissues of a ticketed booking for another flight: what it would cost, a session for it, and making it, once in a booking's
//! life. Only bookings of one trip are reissued here: what becomes of the others nobody has written down.

use std::sync::Arc;

use actix_web::web::{Bytes, Data};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::World;
use super::book::{Payment, check_amount};
use super::bookings::{self, Booking, OrderStatus, Reissue};
use super::errors::{ApiError, ApiResult, done, json_body};
use super::pricing::Price;
use super::reviews::fresh_booking_id;
use super::rules::change_fee;
use super::search::Route;
use super::sold_fare::Sold;
use super::travellers::Person;
use super::trip_body;
use super::wire::{airline, kind_name};
use crate::fault_injection::InjectedFault;
use crate::inventory::Inventory;
use crate::itinerary::{Location, PassengerType, Search, Slice};
use crate::json::Number;
use crate::rng::{REFERENCE_LETTERS, fresh_letters};
use crate::search_ids::{opened, sealed};
use crate::test_routes;

const SESSION_SECONDS: u32 = 900;
/// An airline whose tickets TripJack does not reissue.
const WITHOUT_REISSUES: &str = "QP";

/// A question for other flights, wholly in its id.
#[derive(Clone, Serialize, Deserialize)]
struct Wanted {
    booking_id: String,
    at: DateTime<Utc>,
    from: String,
    to: String,
    date: NaiveDate,
}

impl Wanted {
    fn price_id(&self, seed: u64, place: usize) -> String {
        format!("4-R_{}", sealed(seed, &(self, place)))
    }

    fn of_price_id(seed: u64, id: &str) -> Option<(Self, usize)> {
        opened(seed, id.strip_prefix("4-R_")?)
    }

    fn expires_at(&self) -> DateTime<Utc> {
        self.at + TimeDelta::minutes(30)
    }

    fn slice(&self) -> Option<Slice> {
        Some(Slice { from: Location::of(&self.from)?, to: Location::of(&self.to)?, date: self.date })
    }
}

/// A booking as it would be after its reissue, and what that costs.
#[derive(Debug, Clone)]
pub(super) struct Reissued {
    sold: Sold,
    /// For one traveller of each kind: how much more base and taxes are, and the fee.
    by_kind: Vec<(PassengerType, u32, [Decimal; 3])>,
}

impl Reissued {
    fn of(world: &World, before: &Sold, sold: Sold) -> Option<Self> {
        let kinds = sold.price.by_kind.iter().zip(&before.price.by_kind);
        let by_kind = kinds.map(|((kind, count, price), (.., old))| {
            let fee = change_fee(&world.tariff, before, *kind)?;
            let (base, tax) = (price.base - old.base, price.tax() - old.tax());
            Some((*kind, *count, [base, tax, fee]))
        });
        let by_kind = by_kind.collect::<Option<Vec<_>>>()?;
        Some(Self { sold, by_kind })
    }

    /// What all travellers pay, or would get.
    fn total(&self) -> Decimal {
        let of_kind = |(_, count, parts): &(_, u32, [Decimal; 3])| {
            parts.iter().sum::<Decimal>() * Decimal::from(*count)
        };
        self.by_kind.iter().map(of_kind).sum()
    }

    fn amounts([base, tax, fee]: [Decimal; 3]) -> Value {
        json!({
            "fC": {
                "BF": Number(base), "TAF": Number(tax), "AFS": Number(fee), "RSSR": 0,
                "TF": Number(base + tax + fee),
            },
            "afC": { "AFS": { "ARF": Number(fee) } },
        })
    }

    fn fare(&self) -> Value {
        let each = self.by_kind.iter();
        let by_kind: Map<String, Value> =
            each.map(|(kind, _, parts)| (kind_name(*kind).to_owned(), Self::amounts(*parts))).collect();
        let seller = airline(self.sold.bundle.airline);
        json!({ "id": self.sold.id, "fd": by_kind, "fareIdentifier": "PUBLISHED", "pc": seller })
    }

    fn trip(&self) -> Value {
        json!({ "sI": trip_body::segments(&self.sold), "totalPriceList": [self.fare()] })
    }

    fn of_all(&self) -> Value {
        let sum = |place: usize| -> Decimal {
            let each = self.by_kind.iter();
            each.map(|(_, count, parts)| {
                parts.get(place).copied().unwrap_or_default() * Decimal::from(*count)
            })
            .sum()
        };
        Self::amounts([sum(0), sum(1), sum(2)])
    }
}

/// What was reviewed, under the id that the booking gets.
#[derive(Debug)]
pub(super) struct Session {
    old_id: String,
    reissued: Reissued,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Query {
    old_booking_id: String,
    pnr: String,
    pax_ids: Vec<String>,
    pax_info: std::collections::HashMap<String, usize>,
    route_infos: Vec<Route>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Searched {
    request_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToReview {
    old_booking_id: String,
    price_ids: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToMake {
    booking_id: String,
    old_booking_id: String,
    payment_infos: Vec<Payment>,
    traveller_info: Vec<Person>,
}

/// TripJack's id of a traveller of a booking, by his place in it.
pub(super) fn traveller_id(place: usize) -> usize {
    10_001 + place
}

/// Whether a booking can be reissued: where it can, what is sold by it.
fn reissuable(booking: &Booking, now: DateTime<Utc>) -> Result<&Sold, ApiError> {
    let no = |message: &str| ApiError::refused(400, message);
    if booking.reissue.is_some() {
        return Err(no("A booking can be reissued once"));
    }
    let is_whole = booking.standing(now).len() == booking.people.len() * booking.ways().count();
    let is_ticketed = booking.order_status(now) == OrderStatus::Success;
    if !is_ticketed || !is_whole || booking.is_being_cancelled(now) || booking.has_departed(now) {
        return Err(no("Reissue is not allowed for this booking"));
    }
    let [sold] = booking.fares.as_slice() else { return Err(no("Only bookings of one trip are reissued")) };
    if sold.journeys().count() > 1 {
        return Err(no("Only bookings of one trip are reissued"));
    }
    if sold.bundle.airline.code == WITHOUT_REISSUES {
        let message = "No matching reissue configuration found for the given supplier";
        return Err(ApiError::refused(1157, message));
    }
    Ok(sold)
}

/// `POST /fms/v1/reissue/poll/searchquery-list`: a name for a search for other flights.
pub(super) async fn query(world: Data<World>, body: Bytes) -> ApiResult {
    let query: Query = json_body(&body)?;
    let no = |message: &str| ApiError::refused(400, message);
    let now = world.clock.now();
    let order = bookings::find(&world, &query.old_booking_id)?;
    let booking = &order.booking;
    let sold = reissuable(booking, now)?;
    let [route] = query.route_infos.as_slice() else { return Err(no("One trip can be reissued at a time")) };
    if !booking.pnrs.contains(&query.pnr) {
        return Err(no("The pnr is not of this booking"));
    }
    let mut ids: Vec<String> =
        (0..booking.people.len()).map(|place| traveller_id(place).to_string()).collect();
    let mut named = query.pax_ids.clone();
    ids.sort();
    named.sort();
    if ids != named {
        return Err(no("paxIds must name the travellers of the booking"));
    }
    let counts = |kind: &PassengerType| {
        let given = query.pax_info.get(kind_name(*kind)).copied().unwrap_or_default();
        given == kind.number_in(&sold.party)
    };
    if !PassengerType::ALL.iter().all(counts) {
        return Err(no("paxInfo is not that of the booking"));
    }
    let wanted = Wanted {
        booking_id: order.id.clone(),
        at: now,
        from: route.from_city_or_airport.code.clone(),
        to: route.to_city_or_airport.code.clone(),
        date: route.travel_date,
    };
    let slice = wanted.slice().ok_or_else(|| no("Invalid city or airport code"))?;
    let flown = sold.journeys().next();
    let is_route = flown.is_some_and(|flown| {
        let has_airport = |place: &Location, iata| place.airports.iter().any(|each| each.iata == iata);
        has_airport(&slice.from, flown.first.from.iata) && has_airport(&slice.to, flown.last().to.iata)
    });
    if !is_route {
        return Err(no("The trip is not of this booking"));
    }
    let name = sealed(world.seed, &wanted);
    Ok(done(json!({ "searchIds": [format!("5-R-{name}")], "requestIds": [name] })))
}

/// Flights of the same airline, cabin and brand, with what the reissue for each costs.
fn offers(world: &World, before: &Sold, wanted: &Wanted) -> Vec<Reissued> {
    let Some(slice) = wanted.slice() else { return Vec::new() };
    let slices = vec![slice];
    let search = Search { scenario: test_routes::scenario(&slices), slices, ..before.search() };
    let bundles = world.inventory.bundles(&search).into_iter();
    let fitting = bundles.filter(|bundle| {
        bundle.airline.code == before.bundle.airline.code
            && bundle.brand == before.bundle.brand
            && Inventory::is_sold_at(bundle, wanted.at)
    });
    let offers = fitting.enumerate().filter_map(|(place, bundle)| {
        let sold = Sold {
            id: wanted.price_id(world.seed, place),
            price: Price::of(world, &bundle, &before.party, false, &[]),
            bundle,
            is_of_return: false,
            is_special: false,
            ..before.clone()
        };
        Reissued::of(world, before, sold)
    });
    offers.collect()
}

/// `POST /fms/v1/reissue/poll/search`: the flights that a name of a search stands for.
pub(super) async fn search(world: Data<World>, body: Bytes) -> ApiResult {
    let body: Searched = json_body(&body)?;
    let wanted: Wanted = opened(world.seed, &body.request_id).ok_or_else(ApiError::expired)?;
    let now = world.clock.now();
    if wanted.expires_at() <= now {
        return Err(ApiError::expired());
    }
    let order = bookings::find(&world, &wanted.booking_id)?;
    let offers = offers(&world, reissuable(&order.booking, now)?, &wanted);
    if offers.is_empty() {
        let message = "No reissue results found for the given booking";
        return Err(ApiError::refused(1148, message));
    }
    let trips: Vec<Value> = offers.iter().map(Reissued::trip).collect();
    Ok(done(json!({ "searchResult": { "tripInfos": { "ONWARD": trips } } })))
}

/// `POST /fms/v1/reissue/review`: a session for a flight, under the id that the booking gets.
pub(super) async fn review(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let body: ToReview = json_body(&body)?;
    let now = world.clock.now();
    let [id] = body.price_ids.as_slice() else {
        return Err(ApiError::refused(400, "One trip can be reissued at a time"));
    };
    let (wanted, place) = Wanted::of_price_id(world.seed, id).ok_or_else(ApiError::expired)?;
    if wanted.expires_at() <= now || wanted.booking_id != body.old_booking_id {
        return Err(ApiError::expired());
    }
    let order = bookings::find(&world, &body.old_booking_id)?;
    let before = reissuable(&order.booking, now)?;
    let offer = offers(&world, before, &wanted).into_iter().nth(place);
    let mut reissued = offer.ok_or_else(ApiError::expired)?;
    if let Some(percent) = injected.price_changed {
        let mut sold = reissued.sold;
        sold.price = sold.price.moved(&world.tariff, percent);
        reissued = Reissued::of(&world, before, sold).ok_or_else(ApiError::expired)?;
    }
    let new_id = fresh_booking_id();
    let people = order.booking.people.iter().enumerate();
    let travellers = people.map(|(place, person)| {
        let mut body = json!(person);
        crate::json::insert(&mut body, "id", traveller_id(place).to_string());
        body
    });
    let body = json!({
        "bookingId": new_id,
        "oldBookingId": order.id,
        "tripInfos": [reissued.trip()],
        "totalPriceInfo": { "totalFareDetail": reissued.of_all() },
        "travellers": travellers.collect::<Vec<_>>(),
        "conditions": { "st": SESSION_SECONDS },
    });
    let session = Session { old_id: order.id.clone(), reissued };
    let expires_at = now + TimeDelta::seconds(SESSION_SECONDS.into());
    let sessions = &world.state.reissues;
    sessions.insert(new_id, Arc::new(session), expires_at, now);
    Ok(done(body))
}

/// `POST /oms/v1/air/amendment/auto-reissue`: the ticket is reissued and paid, at once or, under `pending`, when the time has come.
pub(super) async fn make(world: Data<World>, injected: InjectedFault, body: Bytes) -> ApiResult {
    let body: ToMake = json_body(&body)?;
    let session = world.state.reissues.get_live(&body.booking_id, world.clock.now());
    let session = session.ok_or_else(ApiError::expired)?;
    if session.old_id != body.old_booking_id {
        return Err(ApiError::refused(400, "The reissue is of another booking"));
    }
    bookings::change(&world, &session.old_id, |booking, now| {
        reissuable(booking, now)?;
        let name = |person: &Person| format!("{} {}", person.first_name, person.last_name).to_uppercase();
        if !body.traveller_info.iter().map(name).eq(booking.people.iter().map(name)) {
            return Err(ApiError::refused(400, "travellerInfo must be that of the booking"));
        }
        let due = session.reissued.total().max(Decimal::ZERO);
        check_amount(&body.payment_infos, due)?;
        let before = booking.clone();
        booking.fares = vec![session.reissued.sold.clone()];
        booking.pnrs = vec![fresh_letters::<6>(REFERENCE_LETTERS)];
        booking.pay(now);
        booking.pending_until = injected.pending_until(now);
        booking.reissue = Some(Reissue { id: body.booking_id.clone(), before: Box::new(before) });
        Ok(())
    })?;
    Ok(done(json!({ "bookingId": body.booking_id })))
}
