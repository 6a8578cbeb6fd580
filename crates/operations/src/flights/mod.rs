//! Flights: search, price, book, look at, give back.

mod after_sales;
mod book;
mod offer_id;
mod offers;
mod price;
mod search;
pub(crate) mod ticket;

pub use after_sales::{Cancelled, Penalty, cancel, cancellation, detail, list, penalty};
pub use book::{AgreedPrice, Booked, Bought, FlightOrder, book};
pub use offers::{Found, FoundPrice, KeptSearch, Showing, SupplierAnswer, SupplierReport, SupplierState};
pub use price::{BookingKey, FlightQuote, PriceChange, PriceRequest, Priced, QuotedOrder, price};
pub use search::{SearchRequest, search};
pub use ticket::{StatedFare, Ticketed, issue_ticket, ticket};
