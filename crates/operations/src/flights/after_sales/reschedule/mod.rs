//! Rescheduling: a search, a booking and a cancellation, for every supplier (P-110). The new itinerary is
//! booked first; only when it stands are the journeys given back that it takes the place of, and when it does not the
//! original is untouched.

mod carry_out;
mod chosen;
mod exchange;
mod options;
mod penalty;
pub(crate) mod rebook;
pub(crate) mod replaced_journeys;
mod replaced_parts;
mod same_travellers;

pub use self::{
    carry_out::{OriginalState, RescheduleOrder, Rescheduled, original, reschedule, rescheduled},
    chosen::NewFlights,
    exchange::{JourneyOffer, NewJourney},
    options::{NewItinerary, new_flights},
    penalty::{ReschedulePenalty, reschedule_penalty},
    same_travellers::SameTraveller,
};
