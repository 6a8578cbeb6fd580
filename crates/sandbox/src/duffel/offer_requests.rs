//! Searching: `POST /air/offer_requests`, and reading a search again.

use actix_web::HttpRequest;
use actix_web::web::{Bytes, Data, Path};
use chrono::{DateTime, Utc};
use serde_json::Value;

use super::World;
use super::errors::{ApiError, ApiResult};
use super::errors::{INCLUSION, LENGTH};
use super::fields::{Fields, Sent};
use super::offer_body::{offer, offer_request};
use super::{offered, paging, wire};
use crate::airlines::Cabin;
use crate::itinerary::{Location, PassengerType, Search, Slice, Traveller};
use crate::search_ids::{StampedSearch, kind_at};
use crate::test_routes::{self, Situation};

const MOST_SLICES: usize = 6;
const MOST_PASSENGERS: usize = 9;

pub(super) const CABINS: [(&str, Cabin); 4] = [
    ("economy", Cabin::Economy),
    ("premium_economy", Cabin::PremiumEconomy),
    ("business", Cabin::Business),
    ("first", Cabin::First),
];

pub(super) async fn create(world: Data<World>, request: HttpRequest, body: Bytes) -> ApiResult {
    let parameters = paging::parameters(request.query_string());
    let return_offers = paging::flag(&parameters, "return_offers")?.unwrap_or(true);
    paging::number(&parameters, "supplier_timeout", 2_000, 60_000)?;
    let now = world.clock.now();
    let sent = Sent::read(&request, &body)?;
    let search = search(&sent.fields(), now);
    let search = match search {
        Some(search) if sent.is_right() => search,
        _ => return Err(sent.error()),
    };
    if test_routes::situation(&search.slices) == Some(Situation::SearchTimesOut) {
        return Err(ApiError::of_status(504));
    }
    let stamped = StampedSearch::now(now, search);
    let offers = return_offers.then(|| bodies(&world, &stamped));
    Ok(wire::created(offer_request(&world, &stamped, offers)))
}

pub(super) async fn show(world: Data<World>, id: Path<String>) -> ApiResult {
    let stamped = StampedSearch::of_request_id(world.seed, &id).ok_or_else(ApiError::not_found)?;
    let offers = Some(bodies(&world, &stamped));
    Ok(wire::ok(offer_request(&world, &stamped, offers)))
}

fn bodies(world: &World, stamped: &StampedSearch) -> Vec<Value> {
    let passenger_ids = stamped.passenger_ids(world.seed);
    offered::answering(world, stamped).iter().map(|offered| offer(world, offered, &passenger_ids)).collect()
}

fn search(fields: &Fields<'_>, now: DateTime<Utc>) -> Option<Search> {
    let given = fields.list("slices");
    if given.len() > MOST_SLICES {
        fields.wrong("slices", LENGTH, format!("can have at most {MOST_SLICES} items"));
    }
    let slices: Vec<Option<Slice>> = given.iter().map(|each| slice(each, now)).collect();
    let dates: Vec<_> = slices.iter().flatten().map(|slice| slice.date).collect();
    if let Some(late) = dates.windows(2).position(|pair| pair.first() > pair.last()) {
        let name = format!("slices/{}/departure_date", late + 1);
        fields.wrong(&name, INCLUSION, "must not be before the previous slice's");
    }
    let party = party(fields);
    let cabin = match fields.has("cabin_class").then(|| fields.choice("cabin_class", &CABINS)) {
        None => None,
        Some(cabin) => Some(cabin?),
    };
    let max_connections = match fields.has("max_connections") {
        true => u8::try_from(fields.optional_number("max_connections", 0, 2)?).ok()?,
        false => 1,
    };
    let slices: Vec<Slice> = slices.into_iter().collect::<Option<_>>()?;
    let scenario = test_routes::scenario(&slices);
    Some(Search { slices, party: party?, cabin, max_connections, scenario })
}

fn slice(fields: &Fields<'_>, now: DateTime<Utc>) -> Option<Slice> {
    let place = |name: &str| {
        let code = fields.text(name)?;
        let place = Location::of(code);
        if place.is_none() {
            let message = "must be the IATA code of an airport or a city";
            fields.wrong(name, INCLUSION, message);
        }
        place
    };
    let (from, to) = (place("origin"), place("destination"));
    let date = fields.date("departure_date");
    let (from, to, date) = (from?, to?, date?);
    let today = from.airports.first().map(|airport| airport.local_time_at(now).date())?;
    // An id holds a date as days in sixteen bits, until 2149.
    if date < today || date > today + chrono::TimeDelta::days(40_000) {
        let message = format!("must be after {}", today.pred_opt().unwrap_or(today));
        fields.wrong("departure_date", INCLUSION, message);
    }
    Some(Slice { from, to, date })
}

fn party(fields: &Fields<'_>) -> Option<Vec<Traveller>> {
    let passengers = fields.list("passengers");
    if passengers.len() > MOST_PASSENGERS {
        let message = format!("can have at most {MOST_PASSENGERS} items");
        fields.wrong("passengers", LENGTH, message);
    }
    let party: Vec<Traveller> = passengers.iter().map(traveller).collect::<Option<_>>()?;
    if PassengerType::Infant.number_in(&party) > PassengerType::Adult.number_in(&party) {
        let message = "can't have more infants without a seat than adults";
        fields.wrong("passengers", INCLUSION, message);
    }
    Some(party)
}

fn traveller(passenger: &Fields<'_>) -> Option<Traveller> {
    if passenger.has("age") {
        let age = u8::try_from(passenger.optional_number("age", 0, 130)?).ok()?;
        return Some(Traveller { kind: kind_at(age), age: Some(age) });
    }
    let kinds = PassengerType::ALL.map(|kind| (wire::passenger_type(kind), kind));
    let kind = passenger.choice("type", &kinds)?;
    Some(Traveller { kind, age: None })
}
