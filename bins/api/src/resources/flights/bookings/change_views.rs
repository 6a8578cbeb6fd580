//! What airlines have changed of a booking, as answers show it.

use wayfare_contract::flights::{ChangedFlight, FlightChange};
use wayfare_flights::Segment;
use wayfare_operations::flights::ShownChange;

use crate::resources::common::local;

/// A flight of a change.
pub fn flight(segment: &Segment) -> ChangedFlight {
    ChangedFlight {
        airline: segment.airline.to_string(),
        flight_number: segment.flight_number.to_string(),
        origin: segment.origin.to_string(),
        destination: segment.destination.to_string(),
        departure: local(segment.departure),
        arrival: local(segment.arrival),
    }
}

/// A change of a booking's flights that an airline has made.
pub fn change(shown: ShownChange) -> FlightChange {
    let change = shown.change;
    FlightChange {
        id: change.id.uuid(),
        kind: change.kind.as_ref().into(),
        minutes: change.minutes,
        before: shown.before.iter().map(flight).collect(),
        after: shown.after.iter().map(flight).collect(),
        state: change.state.as_ref().into(),
        actions: change.actions,
        decide_by: change.decide_by,
        found_at: change.found_at,
    }
}
