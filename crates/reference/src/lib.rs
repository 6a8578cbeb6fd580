#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod airline;
mod airport;
mod city;
mod city_names;
mod code_index;
mod country;
mod date;
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
pub use date::TABLES_DATE;
pub use geometry::{Point, distance_m};
pub use name_index::plain as plain_name;
pub use place::{AirportCity, Place, PlaceKind, airport_cities, airport_city};
pub use place_names::find_places;
pub use table::{airport, airports};
pub use telephone::{Telephone, TelephoneFault, calling_code, calling_code_of, telephone_digits};
