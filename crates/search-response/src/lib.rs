//! Answers to searches of flights and hotels, as the API prints them.
//!
//! What was found at suppliers and priced by `wayfare_operations` becomes the JSON of the contract. A search of flights is
//! printed while its suppliers answer: [`flights::SearchResponseBuilder`] prints what is new and puts together an answer of
//! what it has, and an [`encoder`] codes a stream of them. A crate of its own, since a thousand offers are printed for each
//! search: it is compiled at the highest level of optimization, and the rest of the server need not be.
//!
//! ```
//! use wayfare_search_response::flights::{AirlineLogos, airline_name};
//!
//! let logos = AirlineLogos(Some("https://logos.example/{iata}.svg".to_owned()));
//! assert_eq!(logos.of("6E").as_deref(), Some("https://logos.example/6E.svg"));
//! assert_eq!(airline_name("AI", None), "Air India");
//! ```

#![warn(missing_docs)]

mod common;
pub mod encoder;
pub mod flights;
pub mod hotels;

pub use common::{amount, code, local, milliseconds, problems, state};
