//! What is sold in the air: searches, offers, itineraries, and the port behind which suppliers stand.
//!
//! Suppliers are plural, so they are a trait, [`FlightSupplier`]; each adapter turns its supplier's words
//! into the types here and back. Amounts stay in the supplier's currency until the operations price them.
//! What reads a supplier's answer fails where the body is not what was asked for.
//!
//! ```
//! use wayfare_flights::{Cabin, Query, Slice, TripType};
//! use wayfare_domain::Party;
//!
//! let query = Query {
//!     trip_type: TripType::OneWay,
//!     party: Party { adults: 1, children: 0, infants: 0 },
//!     cabin: Cabin::Economy,
//!     slices: vec![Slice::between(("DEL", None), ("DEL", None), "2026-05-01".parse()?)],
//!     direct_only: false,
//!     airline: None,
//! };
//! let faults = query.check("2026-01-01T00:00:00Z".parse()?).unwrap_err();
//! assert_eq!(faults.to_string(), "{slices[0].destination must differ from origin}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod ancillary;
mod cabin;
pub mod duffel;
mod fare_rules;
mod flown;
mod hold;
mod itinerary;
mod journey_change;
mod local_time;
mod offer;
mod offers;
mod order;
mod passed_on;
mod people;
mod query;
#[cfg(test)]
mod reading_alike;
mod requirement;
mod shared_parts;
mod shared_text;
mod shares;
mod spelling;
mod spread;
mod supplier;
pub mod tripjack;

pub use ancillary::{AddedServices, Ancillary, AncillaryChoice, AncillaryKind, SoldServices};
pub use cabin::Cabin;
pub use fare_rules::{FareFee, FareRules, FeeKind};
pub use flown::{Flown, FlownFlight, departs_at, kind_of_change, share_a_flight};
pub use hold::HoldTerms;
pub use itinerary::{Itinerary, ItineraryOrder, StoredItinerary};
pub use journey_change::{ChangeOffer, JourneyChange};
pub use offer::{
    Baggage, Charge, Combination, FareDetails, Journey, Offer, OfferKind, RefundPolicy, Segment,
};
pub use offers::{Airline, Offers, UnknownPlace};
pub use order::{
    AirlineChange, Locator, Lookup, OrderMode, OrderRequest, StoredOrder, SupplierOrder, Ticket,
};
pub use passed_on::PassedOn;
pub use people::ItineraryPeople;
pub use query::{Query, QueryParts, Slice, SliceParts, TripType};
pub use requirement::{RequiredOf, Requirement, RequirementKind, Requirements};
pub use shared_text::SharedText;
pub use shares::{PassengerShare, TaxPart, joined, shares};
pub use supplier::{FlightSupplier, PricedOrder};
