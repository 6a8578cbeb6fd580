//! What airlines have changed of bookings, and what is under way on a booking (docs/API.md, After-sales).

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use super::after_sales::NewItinerary;
use crate::{
    Amount,
    enums::{BookingStatus, ChangeKind, ChangeState, PendingWhat},
};

/// Something that is under way on a booking; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PendingStep {
    /// What.
    pub what: PendingWhat,
    /// Since when, UTC.
    pub since: DateTime<Utc>,
}

/// A change of a booking's flights that an airline has made; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightChange {
    /// Its id.
    pub id: Uuid,
    /// What is changed.
    pub kind: ChangeKind,
    /// By how many minutes what is flown moves; none where that has no meaning.
    pub minutes: Option<i32>,
    /// What is no longer flown.
    pub before: Vec<ChangedFlight>,
    /// What is flown instead.
    pub after: Vec<ChangedFlight>,
    /// Where it stands.
    pub state: ChangeState,
    /// What the supplier lets one do about it.
    pub actions: Vec<String>,
    /// Until when it can be decided on, UTC.
    pub decide_by: Option<DateTime<Utc>>,
    /// When it was found, UTC.
    pub found_at: DateTime<Utc>,
}

/// A change in the list of all; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FlightChangeRow {
    /// The booking.
    pub booking_ref: String,
    /// Its locator.
    pub pnr: String,
    /// Where it stands.
    pub booking_status: BookingStatus,
    /// Who booked it.
    pub agent_name: String,
    /// The change.
    #[serde(flatten)]
    pub change: FlightChange,
}

/// A change that was decided on; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct DecidedChange {
    /// The booking.
    pub booking_ref: String,
    /// The change.
    pub id: Uuid,
    /// Where it stands.
    pub state: ChangeState,
    /// When it was decided, UTC.
    pub decided_at: Option<DateTime<Utc>>,
    /// What came back of the order; none where it was not given back.
    pub cancellation: Option<RefusedOrder>,
    /// The number of the journey that is to be flown otherwise, where other flights were asked for.
    pub journey: Option<usize>,
    /// What can be flown instead of it.
    pub itineraries: Option<Vec<NewItinerary>>,
}

/// What came back of an order that was given back because a change was refused; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RefusedOrder {
    /// What the supplier keeps.
    pub cancellation_charge: Amount,
    /// What it gives back.
    pub provider_refund_amount: Amount,
    /// Fees that stay.
    pub platform_charges: Amount,
    /// What came back.
    pub refund_to_wallet: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
}

/// A flight of a change.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ChangedFlight {
    /// IATA.
    pub airline: String,
    /// Its number.
    pub flight_number: String,
    /// IATA.
    pub origin: String,
    /// IATA.
    pub destination: String,
    /// By the clocks of the origin.
    pub departure: NaiveDateTime,
    /// By the clocks of the destination.
    pub arrival: NaiveDateTime,
}
