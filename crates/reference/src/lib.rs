//! Airports of the world and the cities that they serve, by IATA code or by any of their names, its cities and regions by any
//! of theirs: what they are called, where they lie, what time it is there. And its airlines.
//!
//! The tables come with the program (`data/`, see `data/LICENSES.md`), are read once at their first use and never
//! change: every look-up gives a `&'static Airport` or `&'static City`, and nothing here fails or does I/O.
//!
//! ```
//! use wayfare_reference::{airport, find_cities};
//!
//! assert_eq!(airport("LHR").map(|airport| airport.city), Some("London"));
//! let names = |typed| find_cities(typed, None, 1).into_iter().map(|city| city.name).collect::<Vec<_>>();
//! assert_eq!(names("sao pau"), ["São Paulo"]);
//! assert_eq!(names("Bombay"), ["Mumbai"]);
//! ```

#![warn(missing_docs)]

mod airline;
mod airport;
mod city;
mod city_names;
mod code_index;
mod country;
mod geometry;
mod name_index;
mod nearby;
mod place;
mod place_names;
mod ranking;
mod region;
mod table;
mod telephone;
mod text;

pub use airline::{Airline, airline, airlines, find_airlines};
pub use airport::Airport;
pub use city::{City, cities, cities_near, city, time_zone_at};
pub use city_names::{city_meant, city_named, city_of_airport, find_cities};
pub use country::english_name as country_name;
pub use geometry::{Point, distance_m};
pub use name_index::plain as plain_name;
pub use place::{AirportCity, Place, PlaceKind, airport_cities, airport_city};
pub use place_names::find_places;
pub use table::{airport, airports};
pub use telephone::{Telephone, TelephoneFault, calling_code, calling_code_of, telephone_digits};
