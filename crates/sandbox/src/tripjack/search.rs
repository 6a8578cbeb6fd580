//! `POST /fms/v1/air-search-all`.

use std::collections::HashMap;

use actix_web::web::{Bytes, Data};
use chrono::{NaiveDate, TimeDelta};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::World;
use super::errors::{ApiError, ApiResult, done, json_body};
use super::offers::{self, Trip};
use super::price_ids::Request;
use super::trip_body;
use super::wire::cabin_of;
use crate::airlines::Cabin;
use crate::itinerary::{Location, PassengerType, Search, Slice, Traveller};
use crate::search_ids::StampedSearch;
use crate::test_routes;

const MOST_ROUTES: usize = 6;
const MOST_TRAVELLERS: usize = 9;
const MOST_AIRLINES: usize = 10;
/// An id holds a date as days in sixteen bits, until 2149.
const FURTHEST: TimeDelta = TimeDelta::days(40_000);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    search_query: Query,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Query {
    cabin_class: Option<String>,
    pax_info: HashMap<String, Value>,
    route_infos: Vec<Route>,
    #[serde(default)]
    preferred_airline: Vec<Coded>,
    #[serde(default)]
    search_modifiers: Modifiers,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Route {
    pub(super) from_city_or_airport: Coded,
    pub(super) to_city_or_airport: Coded,
    pub(super) travel_date: NaiveDate,
}

#[derive(Deserialize)]
pub(super) struct Coded {
    pub(super) code: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Modifiers {
    is_direct_flight: bool,
    is_connecting_flight: bool,
    pft: Option<String>,
}

pub(super) async fn search(world: Data<World>, body: Bytes) -> ApiResult {
    let body: Body = json_body(&body)?;
    let query = body.search_query;
    let request = request(&world, &query)?;
    if query.preferred_airline.len() > MOST_AIRLINES {
        let message = format!("preferredAirline can have at most {MOST_AIRLINES} airlines");
        return Err(ApiError::refused(400, message));
    }
    let airlines: Vec<String> = query.preferred_airline.into_iter().map(|airline| airline.code).collect();
    // Fares for students and the elderly are sold by nobody here.
    let is_regular = query.search_modifiers.pft.is_none_or(|fare_type| fare_type == "REGULAR");
    let found = if is_regular { offers::answering(&world, &request, &airlines) } else { Vec::new() };
    let trip_infos: Map<String, Value> = found
        .into_iter()
        .filter(|(_, trips)| !trips.is_empty())
        .map(|(key, trips)| (key, trips.iter().map(|trip| trip_info(&world, trip)).collect()))
        .collect();
    Ok(done(json!({ "searchResult": { "tripInfos": trip_infos } })))
}

fn trip_info(world: &World, trip: &Trip) -> Value {
    let segments = trip.fares.first().map(|fare| trip_body::segments(&fare.offered.sold));
    let fares = trip.fares.iter().filter(|fare| !fare.offered.gone);
    json!({
        "sI": segments,
        "totalPriceList": fares.map(|fare| trip_body::listed(world, fare)).collect::<Vec<_>>(),
    })
}

fn request(world: &World, query: &Query) -> Result<Request, ApiError> {
    let now = world.clock.now();
    if !(1..=MOST_ROUTES).contains(&query.route_infos.len()) {
        let message = format!("routeInfos must have 1 to {MOST_ROUTES} routes");
        return Err(ApiError::refused(400, message));
    }
    let slices = query.route_infos.iter().map(|route| {
        let place = |code: &str| {
            Location::of(code)
                .ok_or_else(|| ApiError::refused(400, format!("Invalid city or airport code {code}")))
        };
        let slice = Slice {
            from: place(&route.from_city_or_airport.code)?,
            to: place(&route.to_city_or_airport.code)?,
            date: route.travel_date,
        };
        let today = slice.from.airports.first().map(|from| from.local_time_at(now).date());
        let last = today.map(|today| today + FURTHEST);
        if Some(slice.date) < today || Some(slice.date) > last {
            let message = format!("Invalid travelDate {}", slice.date);
            return Err(ApiError::refused(400, message));
        }
        Ok(slice)
    });
    let slices: Vec<Slice> = slices.collect::<Result<_, _>>()?;
    if !slices.iter().map(|slice| slice.date).is_sorted() {
        return Err(ApiError::refused(400, "A travelDate is before that of an earlier route"));
    }
    let modifiers = &query.search_modifiers;
    // Who asks for both asks for neither.
    let only_direct = modifiers.is_direct_flight && !modifiers.is_connecting_flight;
    let only_connections = modifiers.is_connecting_flight && !modifiers.is_direct_flight;
    let search = Search {
        scenario: test_routes::scenario(&slices),
        slices,
        party: party(&query.pax_info)?,
        cabin: Some(cabin(query.cabin_class.as_deref())?),
        max_connections: u8::from(!only_direct),
    };
    Ok(Request { stamped: StampedSearch::now(now, search), only_connections })
}

fn cabin(name: Option<&str>) -> Result<Cabin, ApiError> {
    let Some(name) = name else { return Ok(Cabin::Economy) };
    cabin_of(name).ok_or_else(|| ApiError::refused(400, format!("Invalid cabinClass {name}")))
}

fn party(pax: &HashMap<String, Value>) -> Result<Vec<Traveller>, ApiError> {
    let number = |name: &str| {
        let number = match pax.get(name) {
            None | Some(Value::Null) => Some(0),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(value) => value.as_u64().and_then(|number| usize::try_from(number).ok()),
        };
        let number = number.filter(|number| *number <= 99);
        number.ok_or_else(|| ApiError::refused(400, format!("Invalid paxInfo {name}")))
    };
    let (adults, children, infants) = (number("ADULT")?, number("CHILD")?, number("INFANT")?);
    if infants > adults {
        return Err(ApiError::refused(1001, "Number of infants cannot be more than number of adults"));
    }
    if adults == 0 {
        return Err(ApiError::refused(400, "At least one adult is required"));
    }
    if adults + children > MOST_TRAVELLERS {
        return Err(ApiError::refused(1006, format!("Maximum {MOST_TRAVELLERS} passengers are allowed")));
    }
    let traveller = |kind| Traveller { kind, age: None };
    let party =
        [(PassengerType::Adult, adults), (PassengerType::Child, children), (PassengerType::Infant, infants)];
    Ok(party.into_iter().flat_map(|(kind, number)| vec![traveller(kind); number]).collect())
}
