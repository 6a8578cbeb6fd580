#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod conformance;
mod content;
mod hotel;
pub mod hotelbeds;
pub mod liteapi;
mod policy;
mod query;
mod rate;
mod rate_matching;
#[cfg(test)]
#[path = "../../flights/src/reading_alike.rs"]
mod reading_alike;
mod stay;
mod supplier;

pub use content::{CONTENT_PAGE, HotelContent, RoomContent};
pub use hotel::{Address, HotelDetails, HotelResult, HotelResults, Image};
pub use policy::{CancellationPolicy, Deadline, PENALTY_WORDS, arrival};
pub use query::{Query, RoomGuests, SearchArea, kinds};
pub use rate::{HotelFee, MealPlan, PaymentPlace, RateParts, RoomRate};
pub use stay::{
    Guest, GuestKind, HotelNumber, Lookup, QuotedRates, RoomRequest, Stay, StayContact, StayPeople, StayRate,
    StayRequest, StoredGuest, StoredRoom, StoredStay, StoredStayRequest, SupplierStay,
};
pub use supplier::{HotelSupplier, PricedStay};
