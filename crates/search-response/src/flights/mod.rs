//! Answers to searches of flights.

mod airlines;
mod answer;
mod json_interner;
mod json_text;
mod other_currency_fee;
mod requirements;
mod response;
mod views;

pub use airlines::{AirlineLogos, airline_logo, airline_name};
pub use answer::{Answer, Sending};
pub use other_currency_fee::other_currency_fees;
pub use requirements::{hold_terms, requirements};
pub use response::SearchResponseBuilder;
pub use views::subtotal;
