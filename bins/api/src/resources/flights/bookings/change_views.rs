//! What airlines have changed of a booking, and what is under way on one, as answers show it.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{ChangeId, ChangeKind, ChangeState, PendingWhat};
use wayfare_flights::{Segment, SharedText};
use wayfare_operations::{bookings::Pending, flights::ShownChange};

use crate::resources::common::local;

/// Something that is under way on a booking.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PendingStep")]
pub struct PendingStepView {
    what: PendingWhat,
    since: DateTime<Utc>,
}

impl From<Pending> for PendingStepView {
    fn from(pending: Pending) -> Self {
        Self { what: pending.what, since: pending.since }
    }
}

/// A change of a booking's flights that an airline has made.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FlightChange")]
pub struct ChangeView {
    id: ChangeId,
    kind: ChangeKind,
    minutes: Option<i32>,
    before: Vec<ChangedFlight>,
    after: Vec<ChangedFlight>,
    state: ChangeState,
    actions: Vec<String>,
    decide_by: Option<DateTime<Utc>>,
    found_at: DateTime<Utc>,
}

#[derive(Serialize, JsonSchema)]
struct ChangedFlight {
    airline: SharedText,
    flight_number: SharedText,
    origin: SharedText,
    destination: SharedText,
    departure: String,
    arrival: String,
}

impl From<&Segment> for ChangedFlight {
    fn from(segment: &Segment) -> Self {
        Self {
            airline: segment.airline.clone(),
            flight_number: segment.flight_number.clone(),
            origin: segment.origin.clone(),
            destination: segment.destination.clone(),
            departure: local(segment.departure),
            arrival: local(segment.arrival),
        }
    }
}

impl From<ShownChange> for ChangeView {
    fn from(shown: ShownChange) -> Self {
        let change = shown.change;
        Self {
            id: change.id,
            kind: change.kind,
            minutes: change.minutes,
            before: shown.before.iter().map(ChangedFlight::from).collect(),
            after: shown.after.iter().map(ChangedFlight::from).collect(),
            state: change.state,
            actions: change.actions,
            decide_by: change.decide_by,
            found_at: change.found_at,
        }
    }
}
