#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod ancillary;
mod cabin;
pub mod conformance;
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
pub use spread::search as search_each;
pub use supplier::{FlightSupplier, PricedOrder};
