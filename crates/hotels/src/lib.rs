//! What is sold on the ground: searches, rates, stays, and the port behind which hotel suppliers stand.
//!
//! Suppliers are plural, so they are a trait, [`HotelSupplier`]; each adapter turns its supplier's words into the types
//! here and back. Amounts stay in the supplier's currency until the operations price them.
//! What reads a supplier's answer fails where the body is not what was asked for.
//!
//! What a cancellation costs is worked out in one place, whoever asks:
//!
//! ```
//! use wayfare_domain::{Money, parse_currency};
//! use wayfare_hotels::{CancellationPolicy, Deadline};
//!
//! let rupees = parse_currency("INR").unwrap();
//! let total = Money::exact("9000".parse()?, rupees)?;
//! let policy = CancellationPolicy {
//!     refundable: Some(true),
//!     deadlines: vec![Deadline {
//!         from: "2026-05-01T12:00:00Z".parse()?,
//!         text: "2026-05-01 12:00:00 GMT".to_owned(),
//!         fee: Money::exact("3000".parse()?, rupees)?,
//!         is_arrival: false,
//!     }],
//!     remarks: Vec::new(),
//! };
//! assert_eq!(policy.fee_at("2026-05-01T11:59:59Z".parse()?, total)?, Money::zero(rupees));
//! assert_eq!(policy.fee_at("2026-05-01T12:00:00Z".parse()?, total)?, Money::exact("3000".parse()?, rupees)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

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
