//! What airlines have changed of bookings, and what became of it.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::reschedule::NewItinerary;
#[cfg(feature = "schema")]
use crate::schema::BookingRef;
use crate::{
    RefundAmounts,
    vocabulary::{BookingStatus, ChangeKind, ChangeState, ChangeWish},
};

/// A change of a booking's flights that an airline has made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightChange {
    /// Its id.
    pub id: Uuid,
    /// What is changed.
    pub kind: ChangeKind,
    /// By how many minutes what is flown moves; null where that has no meaning.
    pub minutes: Option<i32>,
    /// The flights that are not flown any more.
    pub before: Vec<ChangedFlight>,
    /// The flights that are flown in their place, if any.
    pub after: Vec<ChangedFlight>,
    /// Where the change stands.
    pub state: ChangeState,
    /// What the supplier lets one do about it, in its own words.
    pub actions: Vec<String>,
    /// Until when it can be decided on; null where nothing is to be decided.
    pub decide_by: Option<DateTime<Utc>>,
    /// When it was found, UTC.
    pub found_at: DateTime<Utc>,
}

/// A change in the list of all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightChangeRow {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// Where the booking stands.
    pub booking_status: BookingStatus,
    /// The name of the user who booked it.
    pub agent_name: String,
    /// The change.
    #[serde(flatten)]
    pub change: FlightChange,
}

/// A flight of a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangedFlight {
    /// IATA code of the airline that sells the flight.
    pub airline: String,
    /// The airline's code and number, such as `AI 805`.
    pub flight_number: String,
    /// IATA code of the airport of departure.
    pub origin: String,
    /// IATA code of the airport of arrival.
    pub destination: String,
    /// When it departs, local time of the airport.
    pub departure: NaiveDateTime,
    /// When it arrives, local time of the airport.
    pub arrival: NaiveDateTime,
}

/// What is wanted instead of a schedule change that is refused.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RefuseFlightChangeRequest"))]
pub struct ChangeRefusal {
    /// What is wanted instead: the money, or other flights.
    pub wish: ChangeWish,
    /// The day on which other flights leave, local at the origin: `YYYY-MM-DD` or `YYYYMMDD`; null: as now. Of `rebook` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_date: Option<NaiveDate>,
}
body! { ChangeRefusal of(wish: ChangeWish) { new_date: NaiveDate } }

/// A change that was decided on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecidedChange {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The change's id.
    pub id: Uuid,
    /// Where the change stands.
    pub state: ChangeState,
    /// When it was decided, UTC.
    pub decided_at: Option<DateTime<Utc>>,
    /// What came back of the order; null where it was not given back.
    pub cancellation: Option<RefundAmounts>,
    /// The number of the journey that is to be flown otherwise, where other flights were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journey: Option<usize>,
    /// What can be flown instead of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub itineraries: Option<Vec<NewItinerary>>,
}

#[cfg(feature = "schema")]
crate::schema::also_named! {
    FlightOfChange of ChangedFlight,
}
