//! What flights are searched between: airports, and cities by the code that their airports share.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use strum::{AsRefStr, EnumString, VariantNames};
use wayfare_domain::Zone;

use crate::{
    Airport, airport, airports,
    code_index::CodeIndex,
    country,
    geometry::Point,
    text::{leak, microdegrees, rows},
};

const FILE: &[u8] = include_bytes!("../data/city_codes.csv");

/// The numbers of the cities that have airports with scheduled flights.
pub(crate) static SERVED: LazyLock<BTreeSet<u32>> = LazyLock::new(|| {
    let airports = airports().iter().filter(|airport| airport.has_flights);
    let of_airports = airports.filter_map(|airport| airport.town);
    let cities = airport_cities().iter();
    let with_flights = cities.filter(|city| city.airports.iter().any(|airport| airport.has_flights));
    of_airports.chain(with_flights.filter_map(|city| city.town)).collect()
});

/// Nothing is lost here: a test reads the same file and fails if one row of it is refused.
static CITIES: LazyLock<Vec<AirportCity>> = LazyLock::new(|| {
    let mut members: BTreeMap<&str, Vec<&'static Airport>> = BTreeMap::new();
    for airport in airports() {
        members.entry(airport.city_code).or_default().push(airport);
    }
    rows(FILE, row)
        .filter_map(Result::ok)
        .map(|mut city| {
            city.airports = members.remove(city.code).unwrap_or_default();
            // Only what is sold; of a city without scheduled flights nobody knows better.
            if city.airports.iter().any(|airport| airport.has_flights) {
                city.airports.retain(|airport| airport.has_flights);
            }
            city.airports.sort_by_key(|airport| (Reverse(airport.rank), airport.iata));
            city
        })
        .collect()
});

/// What a code of three letters stands for.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    AsRefStr,
    EnumString,
    VariantNames,
    Serialize,
    Deserialize,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum PlaceKind {
    /// An airport.
    #[default]
    Airport,
    /// A city, and with it all its airports.
    City,
}

/// A city whose code is not just that of its one airport.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AirportCity {
    /// IATA code: three upper-case letters, `LON`. One of its airports may have the same.
    pub code: &'static str,
    /// Its name, `London`.
    pub name: &'static str,
    /// Country by ISO 3166-1 alpha-2.
    pub iso_country: &'static str,
    /// The country's English name.
    pub country: &'static str,
    /// The zone its clocks follow.
    pub time_zone: Zone,
    /// Where its centre lies.
    pub point: Point,
    /// How important it is, in millionths.
    pub rank: u32,
    /// Its number at GeoNames, where it is among the cities.
    pub town: Option<u32>,
    /// The airports with scheduled flights that serve it, the most important first; where none has them, all. Never empty.
    pub airports: Vec<&'static Airport>,
}

impl AirportCity {
    /// Whether it is more than one airport with scheduled flights, or one of another code.
    pub(crate) fn is_of_several(&self) -> bool {
        let mut sold = self.airports.iter().filter(|airport| airport.has_flights);
        sold.next().is_some_and(|airport| airport.iata != self.code || sold.next().is_some())
    }
}

/// An airport or a city.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum Place {
    /// An airport.
    Airport(&'static Airport),
    /// A city with its airports.
    City(&'static AirportCity),
}

impl Place {
    /// What the code (upper case) stands for: the airport where there is one, else the city, unless it is said which.
    /// A city of one airport that has its code is that airport.
    pub fn of(code: &str, kind: Option<PlaceKind>) -> Option<Self> {
        let known_airport = || airport(code).map(Self::Airport);
        let known_city = || airport_city(code).map(Self::City);
        match kind {
            None => known_airport().or_else(known_city),
            Some(PlaceKind::Airport) => known_airport(),
            Some(PlaceKind::City) => {
                let alone = airport(code).filter(|airport| airport.city_code == code);
                known_city().or(alone.map(Self::Airport))
            }
        }
    }

    /// IATA code of the airport or the city.
    pub fn code(self) -> &'static str {
        match self {
            Self::Airport(airport) => airport.iata,
            Self::City(city) => city.code,
        }
    }

    /// How answers name what it is: `airport` or `city`.
    pub fn kind(self) -> PlaceKind {
        match self {
            Self::Airport(_) => PlaceKind::Airport,
            Self::City(_) => PlaceKind::City,
        }
    }

    /// Its airports, the most important first.
    pub fn airports(self) -> Vec<&'static Airport> {
        match self {
            Self::Airport(airport) => vec![airport],
            Self::City(city) => city.airports.clone(),
        }
    }

    /// How important it is, in millionths.
    pub fn rank(self) -> u32 {
        match self {
            Self::Airport(airport) => airport.rank,
            Self::City(city) => city.rank,
        }
    }

    /// Whether an airport belongs to both.
    pub fn meets(self, other: Self) -> bool {
        let others = other.airports();
        self.airports().iter().any(|airport| others.contains(airport))
    }

    /// The day that it is there at this instant; where its airports' clocks differ, the latest.
    pub fn day_at(self, now: chrono::DateTime<chrono::Utc>) -> NaiveDate {
        let days = self.airports().into_iter().map(|airport| airport.local_time_at(now).date());
        days.max().unwrap_or_else(|| now.date_naive())
    }
}

static BY_CODE: LazyLock<CodeIndex> = LazyLock::new(|| CodeIndex::of(CITIES.iter().map(|city| city.code)));

/// The city with this code (upper case), where that is not just the code of its one airport.
pub fn airport_city(code: &str) -> Option<&'static AirportCity> {
    CITIES.get(BY_CODE.place(code)?)
}

/// All such cities, by code.
pub fn airport_cities() -> &'static [AirportCity] {
    &CITIES
}

fn row(record: &csv::StringRecord) -> Result<AirportCity, &'static str> {
    let field = |at: usize| record.get(at).filter(|text| !text.is_empty()).ok_or("an empty field");
    let iso_country = leak(field(2)?);
    Ok(AirportCity {
        code: leak(crate::table::iata(field(0)?)?),
        name: leak(field(1)?),
        iso_country,
        country: country::english_name(iso_country).ok_or("an unknown country")?,
        time_zone: field(3)?.parse().map_err(|_| "an unknown time zone")?,
        point: Point { north: microdegrees(field(4)?, 90)?, east: microdegrees(field(5)?, 180)? },
        rank: field(6)?.parse().map_err(|_| "a rank that is no number")?,
        town: crate::table::town(record.get(7))?,
        airports: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_file_is_a_city_whose_airports_are_known() {
        let refused: Vec<String> = rows(FILE, row).filter_map(Result::err).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        assert_eq!(airport_cities().len(), 318);
        assert!(airport_cities().is_sorted_by(|one, next| one.code < next.code));
        for city in airport_cities() {
            assert!(!city.airports.is_empty(), "{}", city.code);
            assert!(city.airports.iter().all(|airport| airport.city_code == city.code));
            assert_eq!(airport_city(city.code), Some(city));
            let sold = city.airports.iter().filter(|airport| airport.has_flights).count();
            assert!(sold == 0 || sold == city.airports.len(), "{}", city.code);
        }
        let of_an_airport =
            airports().iter().filter(|airport| airport.has_flights && airport.city_code != airport.iata);
        for airport in of_an_airport {
            assert!(
                airport_city(airport.city_code).is_some_and(|city| city.airports.contains(&airport)),
                "{}",
                airport.iata
            );
        }
    }

    #[test]
    fn cities_have_the_airports_that_travellers_fly_to() {
        let airports = |code| {
            let city = airport_city(code).unwrap();
            city.airports.iter().map(|airport| airport.iata).collect::<Vec<_>>()
        };
        assert_eq!(airports("LON"), ["LHR", "LGW", "LTN", "LCY", "STN", "SEN"]);
        assert_eq!(airports("NYC")[..3], ["JFK", "EWR", "LGA"]);
        assert!(airports("PAR").contains(&"BVA"));
        assert_eq!(airports("BOM"), ["BOM", "NMI"]);
        assert_eq!(airport_city("DEL"), None, "Delhi's code is that of its airport alone");
    }

    #[test]
    fn a_code_of_both_is_the_airport_unless_the_city_is_meant() {
        let kind = |code, meant| Place::of(code, meant).map(|place| (place.kind(), place.airports().len()));
        use PlaceKind::{Airport, City};
        assert_eq!(kind("DXB", None), Some((Airport, 1)));
        assert!(kind("DXB", Some(City)).is_some_and(|(kind, airports)| kind == City && airports > 1));
        assert_eq!(kind("LON", None).map(|(kind, _)| kind), Some(City));
        assert_eq!(kind("LON", Some(Airport)), None);
        assert_eq!(kind("DEL", Some(City)), Some((Airport, 1)), "its only airport");
        assert_eq!(kind("LHR", Some(City)), None, "an airport of another city");
        assert_eq!(kind("QQQ", None), None);
    }

    #[test]
    fn places_share_airports_or_not() {
        let place = |code| Place::of(code, None).unwrap();
        assert!(place("LON").meets(place("LHR")) && place("LHR").meets(place("LON")));
        assert!(!place("LON").meets(place("NYC")) && !place("LHR").meets(place("LGW")));
    }
}
