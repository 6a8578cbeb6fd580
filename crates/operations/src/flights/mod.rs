//! Flights: search, price, book, look at, give back.

mod after_sales;
mod book;
mod offer_id;
mod price;
mod search;
pub(crate) mod ticket;

pub use after_sales::{Cancelled, Detail, Penalty, cancel, cancellation, detail, list, penalty};
pub use book::{AgreedPrice, Booked, Bought, FlightOrder, book};
pub use price::{BookingKey, FlightQuote, PriceChange, PriceRequest, Priced, QuotedOffer, price};
pub use search::{Found, FoundPrice, KeptSearch, SearchRequest, SupplierReport, SupplierState, search};
pub use ticket::{StatedFare, Ticketed, issue_ticket, ticket};
