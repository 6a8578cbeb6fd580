//! Flights: search, price, book, look at, give back.

mod after_sales;
pub(crate) mod answers;
mod book;
mod fare_rules;
pub(crate) mod kept;
mod offer_id;
mod offers;
mod price;
mod search;
mod selection;
mod shared_searches;
pub(crate) mod ticket;

pub use after_sales::{Cancelled, Penalty, cancel, cancellation, detail, list, penalty};
pub use answers::{Heard, SupplierAnswer};
pub use book::{AgreedPrice, Booked, Bought, FlightOrder, book};
pub use fare_rules::{FareRulesRequest, RulesOfFare, fare_rules};
pub use kept::{KeptPart, KeptSearch};
pub use offers::{Arrival, FoundPrice, Showing, SupplierReport, SupplierState};
pub use price::{BookingKey, FlightQuote, PriceChange, PriceRequest, Priced, QuotedOrder, price};
pub use search::{Search, SearchRequest};
pub use ticket::{StatedFare, Ticketed, issue_ticket, ticket};
