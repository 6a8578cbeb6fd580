//! The flights of a booking, with what was bought with them and issued for them.

use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

use crate::{
    Amount,
    vocabulary::{AncillaryType, Cabin, OrderStatus, SegmentStatus, TicketStatus},
};

/// The flights of a booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Itinerary {
    /// Its journeys, in order.
    pub legs: Vec<ItineraryLeg>,
    /// Its flights, in order: `s1`, `s2` …
    pub segments: Vec<ItinerarySegment>,
}

/// A journey of a booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookedLegRefs"))]
pub struct ItineraryLeg {
    /// The journey's place in the trip, from 0.
    pub leg_index: usize,
    /// IATA code of the airport of departure.
    pub origin: String,
    /// IATA code of the airport of arrival.
    pub destination: String,
    /// The ids of the segments.
    pub segment_refs: Vec<String>,
}

/// A flight of a booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookedSegment"))]
pub struct ItinerarySegment {
    /// The segment's id, such as `s1`.
    pub segment_id: String,
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
    /// In the air, minutes.
    pub duration_minutes: Option<u32>,
    /// The class of travel.
    pub cabin: Option<Cabin>,
    /// The booking class.
    pub rbd: Option<String>,
    /// Checked baggage that is included, in the supplier's words.
    pub baggage: Option<String>,
    /// Cabin baggage that is included, in the supplier's words.
    pub cabin_baggage: Option<String>,
    /// IATA code of the airline that flies; null where it is the same or not known.
    pub operating_carrier: Option<String>,
    /// Where it stands.
    pub status: SegmentStatus,
    /// The segments in whose place it came; only where it came in the place of any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<String>,
}

/// What may be carried on a flight, in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Allowance"))]
pub struct BaggageAllowance {
    /// The segment's id, such as `s1`.
    pub segment_id: String,
    /// Checked baggage that is included.
    pub check_in: Option<String>,
    /// Cabin baggage that is included.
    pub cabin: Option<String>,
}

/// One locator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PnrDetail {
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// The airline's own record locator.
    pub airline_pnr: String,
    /// IATA code of the airline that sells the flight.
    pub airline: String,
    /// The supplier's code.
    pub supplier: String,
    /// The supplier's own reference.
    pub supplier_ref: String,
    /// Where its order stands.
    pub status: OrderStatus,
    /// The ids of the segments.
    pub segment_refs: Vec<String>,
    /// What was bought with them.
    pub ancillaries: Vec<BoughtAncillary>,
    /// What can be done with parts of the order; null where that has to be asked.
    #[serde(default)]
    pub can: OrderAbilities,
}

/// What can be done with parts of an order; null where that has to be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrderAbilities {
    /// Whether some of its journeys can be given back.
    pub cancel_journeys: Option<bool>,
    /// Whether some of its travellers can be taken off it.
    pub cancel_passengers: Option<bool>,
    /// Whether some of its journeys can be flown otherwise, at its supplier.
    pub change_journeys: Option<bool>,
}

/// What a traveller gets beside the fare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoughtAncillary {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: AncillaryType,
    /// The code by which it is booked.
    pub code: String,
    /// The name.
    pub name: String,
    /// The traveller's place in the booking.
    pub pax_id: String,
    /// The ids of the segments.
    pub segment_refs: Vec<String>,
    /// How many of it.
    pub quantity: u32,
    /// Of all of them, in the booking's currency.
    pub price: Amount,
}

/// A ticket of one traveller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ticket {
    /// The ticket's number.
    pub tkt_number: String,
    /// The traveller's place in the booking; "" where nobody can tell surely whose it is.
    pub pax_id: String,
    /// The locator of the ticket's own route, else the order's PNR.
    pub pnr_ref: String,
    /// Where it stands.
    pub status: TicketStatus,
    /// The ids of the segments.
    pub segment_refs: Vec<String>,
}
