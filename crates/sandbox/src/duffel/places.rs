//! Duffel's words for airports, cities, airlines and aircraft.

use serde_json::{Value, json};
use wayfare_reference::Airport;

use super::ids;
use crate::aircraft::Aircraft;
use crate::airlines::{Airline, Style};
use crate::itinerary::Location;
use crate::json::{Number, insert};

fn id(kind: &str, code: &str, airport: &Airport) -> String {
    format!("{kind}_{code}_{}", airport.iso_country).to_lowercase()
}

pub(super) fn airport(airport: &Airport) -> Value {
    json!({
        "id": id("arp", airport.iata, airport),
        "type": "airport",
        "name": airport.name,
        "iata_code": airport.iata,
        "iata_city_code": airport.city_code,
        "iata_country_code": airport.iso_country,
        "icao_code": airport.icao,
        "latitude": Number(airport.point.latitude()),
        "longitude": Number(airport.point.longitude()),
        "time_zone": airport.time_zone.name(),
        "city_name": airport.city,
        "city": city(airport),
        "airports": null,
    })
}

fn city(airport: &Airport) -> Value {
    json!({
        "id": id("cit", airport.city_code, airport),
        "type": "city",
        "name": airport.city,
        "iata_code": airport.city_code,
        "iata_city_code": airport.city_code,
        "iata_country_code": airport.iso_country,
        "icao_code": null, "latitude": null, "longitude": null, "time_zone": null, "city_name": null, "city": null,
    })
}

/// What a search asked for, and the word for what it is.
pub(super) fn place(location: &Location) -> Option<(Value, &'static str)> {
    let first = location.airports.first()?;
    if !location.is_city {
        return Some((airport(first), "airport"));
    }
    let mut body = city(first);
    let airports: Vec<Value> = location.airports.iter().map(|each| airport(each)).collect();
    insert(&mut body, "airports", airports);
    Some((body, "city"))
}

pub(super) fn airline(airline: &Airline) -> Value {
    let base = "https://assets.duffel.com/img/airlines/for-light-background";
    let logo = |kind| format!("{base}/{kind}/{}.svg", airline.code);
    json!({
        "id": ids::named("arl", 0, airline.code),
        "name": airline.name,
        "iata_code": airline.code,
        "logo_symbol_url": logo("full-color-logo"),
        "logo_lockup_url": (airline.style == Style::Network).then(|| logo("full-color-lockup")),
        "conditions_of_carriage_url": null,
    })
}

pub(super) fn aircraft(aircraft: &Aircraft) -> Value {
    json!({ "id": ids::named("arc", 0, aircraft.code), "name": aircraft.name, "iata_code": aircraft.code })
}
