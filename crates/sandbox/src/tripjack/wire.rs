//! TripJack's words for times, people, places and airlines; written from here, read by nobody in this project.

use chrono::NaiveDateTime;
use serde_json::{Value, json};
use wayfare_reference::Airport;

use crate::airlines::{Airline, Cabin, Style};
use crate::itinerary::{Location, PassengerType};
use crate::json::without_nulls;

/// A local time without zone or seconds: `2027-02-21T06:20`.
pub(super) fn local(time: NaiveDateTime) -> String {
    time.format("%Y-%m-%dT%H:%M").to_string()
}

pub(super) fn kind_name(kind: PassengerType) -> &'static str {
    match kind {
        PassengerType::Adult => "ADULT",
        PassengerType::Child => "CHILD",
        PassengerType::Infant => "INFANT",
    }
}

pub(super) fn cabin_name(cabin: Cabin) -> &'static str {
    match cabin {
        Cabin::Economy => "ECONOMY",
        Cabin::PremiumEconomy => "PREMIUM_ECONOMY",
        Cabin::Business => "BUSINESS",
        Cabin::First => "FIRST",
    }
}

/// The class of travel of one of TripJack's words.
pub(super) fn cabin_of(name: &str) -> Option<Cabin> {
    Cabin::ALL.into_iter().find(|cabin| cabin_name(*cabin) == name)
}

pub(super) fn airline(airline: &Airline) -> Value {
    json!({
        "code": airline.code,
        "name": airline.name,
        "isLcc": airline.style == Style::LowCost,
    })
}

pub(super) fn airport(airport: &Airport, terminal: Option<u8>) -> Value {
    without_nulls(json!({
        "code": airport.iata,
        "name": airport.name,
        "cityCode": airport.city_code,
        "city": airport.city,
        "country": airport.country,
        "countryCode": airport.iso_country,
        "terminal": terminal.map(|number| format!("Terminal {number}")),
    }))
}

/// What a search asked for, an airport or a city: a city goes by its first airport.
pub(super) fn place(place: &Location) -> Value {
    place.airports.first().map_or(Value::Null, |first| airport(first, None))
}
