//! What airlines have changed of bookings, and what is under way on a booking (docs/API.md, After-sales).

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use crate::enums::{BookingStatus, ChangeKind, ChangeState, PendingWhat};

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
