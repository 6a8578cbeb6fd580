//! Airports, cities and airlines, as somebody types them.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::Amount;

/// An airport or a city that was typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AirportOrCity"))]
pub struct FoundPlace {
    /// What a search takes: an airport's or a city's IATA code.
    pub code: String,
    /// `airport` or `city`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["airport", "city"])))]
    pub kind: String,
    /// The name.
    pub name: String,
    /// The city that the airport serves; of a city its own name.
    pub city: String,
    /// IATA code of the city; one of several airports or just this one may have it.
    pub city_code: String,
    /// ISO 3166-1 alpha-2; `XK` stands for Kosovo.
    pub country: String,
    /// The country's English name.
    pub country_name: String,
    /// The zone its clocks follow.
    pub time_zone: String,
    /// Degrees to the north.
    pub latitude: Amount,
    /// Degrees to the east.
    pub longitude: Amount,
    /// Its airports by IATA code, the most important first; of an airport only itself.
    pub airports: Vec<String>,
}

/// An airline that has or had a code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownAirline {
    /// IATA code.
    pub code: String,
    /// The airline's ICAO code; null where nobody knows.
    pub icao: Option<String>,
    /// The name.
    pub name: String,
    /// A picture of the airline's logo; null where nobody has one.
    pub logo_url: Option<String>,
    /// Since when the airline has the code; null where nobody knows.
    pub from: Option<NaiveDate>,
    /// Until when the airline had the code; null where it has it, as far as anybody knows.
    pub until: Option<NaiveDate>,
}
