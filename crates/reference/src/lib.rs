//! Airports of the world, by IATA code: what they are called, where they lie, what time it is there.
//!
//! The table comes with the program (`data/airports.csv`, see `data/LICENSES.md`), is read once at its first use
//! and never changes: every look-up gives a `&'static Airport`, and nothing here fails or does I/O.

mod airport;
mod country;
mod geometry;
mod table;

pub use airport::Airport;
pub use country::english_name as country_name;
pub use table::{airport, airports};
