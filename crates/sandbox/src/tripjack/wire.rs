//! TripJack's words for money, times, people, places and airlines; written from here, read by nobody in this project.

use chrono::NaiveDateTime;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Value, json};
use wayfare_reference::Airport;

use crate::airlines::{Airline, Cabin, Style};
use crate::itinerary::{Location, PassengerType};

/// An amount as a JSON number, exact.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Money(#[serde(with = "rust_decimal::serde::arbitrary_precision")] pub(super) Decimal);

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
    let cabins = [
        Cabin::Economy,
        Cabin::PremiumEconomy,
        Cabin::Business,
        Cabin::First,
    ];
    cabins.into_iter().find(|cabin| cabin_name(*cabin) == name)
}

pub(super) fn airline(airline: &Airline) -> Value {
    json!({
        "code": airline.code,
        "name": airline.name,
        "isLcc": airline.style == Style::LowCost,
    })
}

/// An airport, and the terminal where it has one.
pub(super) fn airport(airport: &Airport, terminal: Option<u8>) -> Value {
    let mut body = json!({
        "code": airport.iata,
        "name": airport.name,
        "cityCode": airport.city_code,
        "city": airport.city,
        "country": airport.country,
        "countryCode": airport.iso_country,
    });
    if let (Value::Object(members), Some(number)) = (&mut body, terminal) {
        members.insert("terminal".to_owned(), json!(format!("Terminal {number}")));
    }
    body
}

/// What a search asked for, an airport or a city: a city goes by its first airport.
pub(super) fn place(place: &Location) -> Value {
    place
        .airports
        .first()
        .map_or(Value::Null, |first| airport(first, None))
}
