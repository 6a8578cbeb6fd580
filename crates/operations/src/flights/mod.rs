//! Flights: search, price, book, look at, give back.

pub(crate) mod after_sales;
pub(crate) mod answers;
mod book;
mod extras;
mod fare_rules;
pub(crate) mod kept;
mod offer_id;
mod offers;
mod passengers;
mod price;
mod refunds;
mod reschedule;
mod search;
mod selection;
pub(crate) mod services;
mod shared_searches;
pub(crate) mod ticket;

pub use after_sales::{Retrieved, Tracked, retrieve, track};
pub use answers::{Heard, SupplierAnswer};
pub use book::{AgreedPrice, Bought, ExtraWish, FlightOrder, OrderTerms, book};
pub use fare_rules::{FareRulesRequest, RulesOfFare, fare_rules};
pub use kept::{KeptPart, KeptSearch};
pub use offers::{Arrival, FoundPrice, Showing};
pub use price::{BookingKey, FlightQuote, PriceChange, PriceRequest, Priced, QuotedOrder, price};
pub use refunds::{RefundState, refund_state, refunds};
pub use reschedule::{
    NewItinerary, NewJourney, OriginalState, RescheduleOrder, ReschedulePenalty, Rescheduled, SameTraveller,
    itineraries, reschedule, reschedule_penalty, rescheduled,
};
pub use search::{Search, SearchRequest};
pub use services::{Added, OrderServices, ServiceWish, add_services, added, services};
pub use ticket::{StatedFare, Ticketed, issue_ticket, ticket};
pub use wayfare_store::refunds::RefundRow;

/// A flight booking as it stands.
pub type Booked = crate::bookings::Booked<wayfare_flights::Itinerary>;
