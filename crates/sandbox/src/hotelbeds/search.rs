//! `POST /hotels`: which hotels have rooms for these parties, and at which rates.

use std::collections::HashSet;

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rust_decimal::{Decimal, dec};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::World;
use super::audit::Audit;
use super::auth;
use super::comments;
use super::destinations::{self, ZONE};
use super::errors::{ApiError, ApiResult, json_body};
use super::filters::{Boards, Filter};
use super::offers::{self, Sold};
use super::party::{Occupancy, Party};
use super::rate_body::{daily_rates, hotel_body, rate_body, room_body};
use super::rate_keys::{Found, Line, RateRef};
use crate::hotels::{Area, Hotel, HotelId, Rate, RoomType, Stay, hotels_in, hotels_within};
use crate::orders::rooms_left;

/// So many hotels can be asked for at once, and so many are answered.
const MOST_HOTELS: usize = 2_000;
const MOST_OCCUPANCIES: usize = 10;
const WIDEST_RADIUS: Decimal = dec!(200);
const USUAL_RADIUS: Decimal = dec!(20);
const METRES_PER_KILOMETRE: Decimal = dec!(1000);
const METRES_PER_MILE: Decimal = dec!(1609.344);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
    stay: Days,
    occupancies: Vec<Occupancy>,
    hotels: Option<Codes>,
    geolocation: Option<Geolocation>,
    destination: Option<Destination>,
    #[serde(default)]
    filter: Filter,
    boards: Option<Boards>,
    #[serde(default)]
    daily_rate: bool,
    /// Everybody pays the same here, and reads English.
    #[serde(rename = "sourceMarket", default)]
    _source_market: IgnoredAny,
    #[serde(rename = "language", default)]
    _language: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Days {
    check_in: NaiveDate,
    check_out: NaiveDate,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Codes {
    hotel: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Geolocation {
    #[serde(with = "rust_decimal::serde::arbitrary_precision")]
    latitude: Decimal,
    #[serde(with = "rust_decimal::serde::arbitrary_precision")]
    longitude: Decimal,
    #[serde(default, with = "rust_decimal::serde::arbitrary_precision_option")]
    radius: Option<Decimal>,
    #[serde(default)]
    unit: Unit,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    Km,
    Mi,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Destination {
    code: String,
    zone: Option<u32>,
}

struct SearchRequest {
    found: Found,
    stay: Stay,
    parties: Vec<Party>,
    filter: Filter,
    boards: Option<Boards>,
    daily_rate: bool,
}

pub(super) async fn search(world: Data<World>, http: HttpRequest, body: Bytes) -> ApiResult {
    let body: Body = json_body(&body)?;
    let now = world.clock.now();
    let stay = stay(&body.stay, now)?;
    if !(1..=MOST_OCCUPANCIES).contains(&body.occupancies.len()) {
        let message = format!("Error at property occupancies: size must be between 1 and {MOST_OCCUPANCIES}");
        return Err(ApiError::invalid(message));
    }
    let parties = body.occupancies.iter().map(Occupancy::party);
    let parties: Vec<Party> = parties.collect::<Result<_, _>>()?;
    let candidates = candidates(&world, &body)?;
    let request = SearchRequest {
        found: Found::now(now),
        stay,
        parties,
        filter: body.filter,
        boards: body.boards,
        daily_rate: body.daily_rate,
    };
    let most = request.filter.max_hotels.unwrap_or(MOST_HOTELS).min(MOST_HOTELS);
    let hotels: Vec<Value> =
        candidates.filter_map(|hotel| available(&world, &request, &hotel)).take(most).collect();
    let codes = hotels.iter().filter_map(|hotel| u32::try_from(hotel.get("code")?.as_u64()?).ok());
    world.content_calls.found(auth::key(&http), codes.collect());
    // Where there are none, only that is said.
    let body = match hotels.len() {
        0 => json!({ "total": 0 }),
        total => {
            json!({ "hotels": hotels, "checkIn": stay.check_in, "checkOut": stay.check_out, "total": total })
        }
    };
    Ok(HttpResponse::Ok().json(json!({ "auditData": Audit::of_booking(&world), "hotels": body })))
}

fn stay(days: &Days, now: DateTime<Utc>) -> Result<Stay, ApiError> {
    let stay = Stay { check_in: days.check_in, check_out: days.check_out };
    // Somewhere it is still yesterday.
    let earliest = (now - TimeDelta::hours(12)).date_naive();
    if stay.check_in < earliest {
        return Err(ApiError::invalid("The check-in must be in the future"));
    }
    if !(1..=Stay::LONGEST).contains(&stay.number_of_nights()) {
        let message = format!("The stay must be of 1 to {} nights", Stay::LONGEST);
        return Err(ApiError::invalid(message));
    }
    Ok(stay)
}

/// The hotels that were asked for, as many as there are.
fn candidates(world: &World, body: &Body) -> Result<Box<dyn Iterator<Item = Hotel>>, ApiError> {
    let seed = world.seed;
    match (&body.hotels, &body.geolocation, &body.destination) {
        (Some(codes), None, None) => {
            if !(1..=MOST_HOTELS).contains(&codes.hotel.len()) {
                let message = format!("Error at property hotels: size must be between 1 and {MOST_HOTELS}");
                return Err(ApiError::invalid(message));
            }
            let mut seen = HashSet::new();
            let codes = codes.hotel.clone().into_iter();
            let once = codes.filter(move |code| seen.insert(*code));
            Ok(Box::new(once.filter_map(move |code| Hotel::of(seed, HotelId::of_hotelbeds(code)?))))
        }
        (None, Some(place), None) => Ok(Box::new(hotels_within(seed, area(place)?))),
        (None, None, Some(destination)) => {
            let city = destinations::city_of(&destination.code).ok_or_else(|| {
                ApiError::invalid(format!("The destination {} does not exist", destination.code))
            })?;
            let is_known = destination.zone.is_none_or(|zone| zone == ZONE);
            Ok(Box::new(hotels_in(seed, city).filter(move |_| is_known)))
        }
        _ => Err(ApiError::invalid("Exactly one of hotels, geolocation and destination is needed")),
    }
}

fn area(place: &Geolocation) -> Result<Area, ApiError> {
    let radius = place.radius.unwrap_or(USUAL_RADIUS);
    let is_on_earth = place.latitude.abs() <= dec!(90) && place.longitude.abs() <= dec!(180);
    if !is_on_earth || radius <= Decimal::ZERO || radius > WIDEST_RADIUS {
        let message = format!("Error at property geolocation: the radius must be at most {WIDEST_RADIUS}");
        return Err(ApiError::invalid(message));
    }
    let metres = match place.unit {
        Unit::Km => radius * METRES_PER_KILOMETRE,
        Unit::Mi => radius * METRES_PER_MILE,
    };
    Ok(Area {
        latitude: place.latitude,
        longitude: place.longitude,
        radius_m: u32::try_from(metres.round()).unwrap_or_default(),
    })
}

/// A hotel with its rates, where it has rooms for every party.
fn available(world: &World, request: &SearchRequest, hotel: &Hotel) -> Option<Value> {
    let today = request.found.at.with_timezone(&hotel.city.time_zone).date_naive();
    if request.stay.check_in < today || !request.filter.wants(hotel) {
        return None;
    }
    let orders = world.orders.at_hotel(hotel.id);
    let left = |room: &RoomType| rooms_left(hotel, room.kind, request.stay, &orders, request.found.at);
    let rooms: Vec<(&RoomType, u32)> = hotel.rooms().map(|room| (room, left(room))).collect();
    let of_parties = request.parties.iter().map(|party| {
        let mut rates = offers::rates(world, hotel, request.stay, &party.guests);
        rates.retain(|rate| {
            let sold = Sold { hotel, party, rate };
            let is_left = |(room, left): &(&RoomType, u32)| {
                room.kind == rate.key.room && *left >= u32::from(party.rooms)
            };
            request.boards.as_ref().is_none_or(|boards| boards.want(rate.key.board))
                && request.filter.wants_price(sold.net())
                && rooms.iter().any(is_left)
        });
        (!rates.is_empty()).then_some((party, rates))
    });
    let of_parties: Vec<(&Party, Vec<Rate>)> = of_parties.collect::<Option<_>>()?;
    let prices = of_parties
        .iter()
        .flat_map(|(party, rates)| rates.iter().map(move |rate| Sold { hotel, party, rate }.net()));
    let (least, most) = (prices.clone().min()?, prices.max()?);
    let bodies = rooms.into_iter().filter_map(|(room, left)| {
        let of_room = of_parties.iter().flat_map(|(party, rates)| {
            let rates = rates.iter().filter(|rate| rate.key.room == room.kind);
            rates.map(move |rate| Sold { hotel, party, rate })
        });
        let most_rates = request.filter.max_rates_per_room.unwrap_or(usize::MAX);
        let rates: Vec<Value> =
            of_room.take(most_rates).map(|sold| rate(world, request, &sold, left)).collect();
        (!rates.is_empty()).then(|| room_body(room, rates))
    });
    let most_rooms = request.filter.max_rooms.unwrap_or(usize::MAX);
    let more = json!({
        "rooms": bodies.take(most_rooms).collect::<Vec<_>>(),
        "minRate": least,
        "maxRate": most,
        "currency": world.tariff.currency,
    });
    Some(hotel_body(hotel, more))
}

fn rate(world: &World, request: &SearchRequest, sold: &Sold, left: u32) -> Value {
    let line =
        Line { hotel: sold.hotel.id, stay: request.stay, party: sold.party.clone(), rate: sold.rate.key };
    let needs_check = offers::needs_check(world, sold.hotel, sold.rate.key);
    let has_comments = comments::has_any(world, sold.hotel);
    let more = json!({
        "rateKey": RateRef::found(request.found, line).key(world.seed),
        "rateType": if needs_check { "RECHECK" } else { "BOOKABLE" },
        "allotment": left,
        "rateCommentsId": has_comments.then(|| comments::id(sold.hotel)),
        "dailyRates": request.daily_rate.then(|| daily_rates(sold)),
    });
    rate_body(world, sold, request.found.at, more)
}
