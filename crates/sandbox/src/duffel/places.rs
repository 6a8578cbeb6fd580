//! Duffel's words for airports, cities, airlines and aircraft.

use rust_decimal::Decimal;
use serde::Serialize;
use wayfare_reference::Airport;

use super::ids;
use crate::aircraft::Aircraft;
use crate::airlines::{Airline, Style};
use crate::itinerary::Location;

/// An airport.
#[derive(Serialize)]
pub(super) struct AirportBody {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'static str,
    iata_code: &'static str,
    iata_city_code: &'static str,
    iata_country_code: &'static str,
    icao_code: Option<&'static str>,
    #[serde(serialize_with = "rust_decimal::serde::arbitrary_precision::serialize")]
    latitude: Decimal,
    #[serde(serialize_with = "rust_decimal::serde::arbitrary_precision::serialize")]
    longitude: Decimal,
    time_zone: &'static str,
    city_name: &'static str,
    city: CityBody,
    airports: Option<()>,
}

impl From<&'static Airport> for AirportBody {
    fn from(airport: &'static Airport) -> Self {
        Self {
            id: format!(
                "arp_{}_{}",
                airport.iata.to_lowercase(),
                airport.iso_country.to_lowercase()
            ),
            kind: "airport",
            name: airport.name,
            iata_code: airport.iata,
            iata_city_code: airport.city_code,
            iata_country_code: airport.iso_country,
            icao_code: airport.icao,
            latitude: airport.latitude(),
            longitude: airport.longitude(),
            time_zone: airport.time_zone.name(),
            city_name: airport.city,
            city: CityBody::of(airport, None),
            airports: None,
        }
    }
}

/// A city.
#[derive(Serialize)]
pub(super) struct CityBody {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'static str,
    iata_code: &'static str,
    iata_city_code: &'static str,
    iata_country_code: &'static str,
    icao_code: Option<()>,
    latitude: Option<()>,
    longitude: Option<()>,
    time_zone: Option<()>,
    city_name: Option<()>,
    city: Option<()>,
    #[serde(skip_serializing_if = "Option::is_none")]
    airports: Option<Vec<AirportBody>>,
}

impl CityBody {
    fn of(airport: &'static Airport, airports: Option<Vec<AirportBody>>) -> Self {
        Self {
            id: format!(
                "cit_{}_{}",
                airport.city_code.to_lowercase(),
                airport.iso_country.to_lowercase()
            ),
            kind: "city",
            name: airport.city,
            iata_code: airport.city_code,
            iata_city_code: airport.city_code,
            iata_country_code: airport.iso_country,
            icao_code: None,
            latitude: None,
            longitude: None,
            time_zone: None,
            city_name: None,
            city: None,
            airports,
        }
    }
}

/// What a search asked for: an airport or a city.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum PlaceBody {
    Airport(Box<AirportBody>),
    City(CityBody),
}

impl PlaceBody {
    /// The place, and the word for what it is.
    pub(super) fn of(place: &Location) -> Option<(Self, &'static str)> {
        let airport = place.airports.first()?;
        Some(if place.is_city {
            let airports = place
                .airports
                .iter()
                .map(|airport| AirportBody::from(*airport))
                .collect();
            (Self::City(CityBody::of(airport, Some(airports))), "city")
        } else {
            (Self::Airport(Box::new((*airport).into())), "airport")
        })
    }
}

/// An airline.
#[derive(Serialize)]
pub(super) struct AirlineBody {
    id: String,
    name: &'static str,
    iata_code: &'static str,
    logo_symbol_url: String,
    logo_lockup_url: Option<String>,
    conditions_of_carriage_url: Option<()>,
}

impl From<&'static Airline> for AirlineBody {
    fn from(airline: &'static Airline) -> Self {
        let logo = |kind| {
            format!(
                "https://assets.duffel.com/img/airlines/for-light-background/{kind}/{}.svg",
                airline.code
            )
        };
        Self {
            id: ids::named("arl", 0, airline.code),
            name: airline.name,
            iata_code: airline.code,
            logo_symbol_url: logo("full-color-logo"),
            logo_lockup_url: (airline.style == Style::Network).then(|| logo("full-color-lockup")),
            conditions_of_carriage_url: None,
        }
    }
}

/// A type of aircraft.
#[derive(Serialize)]
pub(super) struct AircraftBody {
    id: String,
    name: &'static str,
    iata_code: &'static str,
}

impl From<&'static Aircraft> for AircraftBody {
    fn from(aircraft: &'static Aircraft) -> Self {
        Self {
            id: ids::named("arc", 0, aircraft.code),
            name: aircraft.name,
            iata_code: aircraft.code,
        }
    }
}
