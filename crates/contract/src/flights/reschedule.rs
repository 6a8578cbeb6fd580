//! Other flights in the place of those of a booking.

use chrono::{NaiveDate, NaiveDateTime};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::{
    order::Contact,
    papers::{Gst, Papers},
    price::{HoldTerms, Requirement},
};
#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CapitalStatus, CurrencyCode};
use crate::{
    Amount,
    vocabulary::{BookingStatus, Cabin, Gender, OriginalStatus, PassengerType, RescheduleWay, Title},
};

/// Where and when a booking is to fly instead.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RescheduleOptionsRequest"))]
pub struct NewJourney {
    /// IATA code of the airport of departure.
    pub origin: String,
    /// IATA code of the airport of arrival.
    pub destination: String,
    /// The day of the new flight, `YYYY-MM-DD` or `YYYYMMDD`.
    pub new_date: NaiveDate,
    /// Which journey of the booking it is instead of (`leg_index`); null: the one between these cities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journey: Option<usize>,
    /// Whether changes at the supplier are told beside itineraries to be booked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub include_changes: bool,
    /// Not used; without card numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
}
body! { NewJourney of(origin: &str, destination: &str, new_date: NaiveDate) {
    journey: usize, include_changes: bool, remarks: &str,
} }

/// An itinerary that could be flown instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewItinerary {
    /// Names the itinerary in this answer.
    pub itinerary_id: String,
    /// The supplier's code.
    pub source: String,
    /// The airline that issues the tickets.
    pub validating_carrier: Carrier,
    /// What it costs.
    pub pricing: NewItineraryPrice,
    /// The journeys, in order.
    pub slices: Vec<NewSlice>,
    /// What `reschedule-penalty` and `reschedule` take.
    pub fare_key: String,
    /// Whether it can be held and paid later.
    pub hold: HoldTerms,
    /// What the supplier wants of the travellers.
    #[serde(default)]
    pub requires: Vec<Requirement>,
    /// How it is had, where changes were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way: Option<RescheduleWay>,
}

/// An airline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Carrier {
    /// IATA code of the airline.
    pub code: String,
    /// Its name.
    pub name: String,
    /// A picture of the airline's logo; null where nobody has one.
    pub logo_url: Option<String>,
}

/// What an itinerary costs that could be flown instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Pricing"))]
pub struct NewItineraryPrice {
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// The supplier's total.
    pub total: Amount,
    /// Base fares.
    pub base: Amount,
    /// Taxes that the price has in it.
    pub taxes: Amount,
    /// Service fee, its tax and the platform's charge together.
    pub fees: Amount,
    /// Whether money comes back; null where it isn't known.
    pub is_refundable: Option<bool>,
    /// What the agency pays.
    pub provider_agent_fare: Amount,
    /// What a change comes to: its `total` is what the wallet pays, or gets below zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ChangePrice>,
}

/// What a change at the supplier comes to; amounts are below zero where something comes back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChangePricing"))]
pub struct ChangePrice {
    /// What is paid beside the difference of the fares.
    pub penalty: Amount,
    /// By how much the new flights cost more; below zero where they cost less.
    pub difference: Amount,
    /// Penalty and difference: what the wallet pays, or gets below zero.
    pub total: Amount,
}

/// A journey that could be flown instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Slice"))]
pub struct NewSlice {
    /// Names the journey in this answer.
    pub slice_id: String,
    /// Changes included, minutes.
    pub duration_minutes: Option<u32>,
    /// The flights.
    pub segments: Vec<NewSegment>,
}

/// A flight that could be flown instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewSegment {
    /// The segment's place in the itinerary, such as `s1`.
    pub id: String,
    /// The airline's code and number, such as `AI 805`.
    pub flight_number: String,
    /// IATA code of the airline that sells the flight.
    pub airline: String,
    /// IATA code of the airline that flies; null where it is the same or not known.
    pub operating_carrier: Option<String>,
    /// The airport of departure.
    pub origin: NewPlace,
    /// The airport of arrival.
    pub destination: NewPlace,
    /// When it departs, local time of the airport.
    pub departure: NaiveDateTime,
    /// When it arrives, local time of the airport.
    pub arrival: NaiveDateTime,
    /// In the air, minutes.
    pub duration_minutes: Option<u32>,
    /// How many seats the supplier still offers.
    pub seats_available: Option<u32>,
    /// The class of travel.
    pub cabin: Option<Cabin>,
}

/// An airport of a flight that could be flown instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Place"))]
pub struct NewPlace {
    /// IATA code of the airport.
    pub code: String,
    /// Its name.
    pub name: Option<String>,
    /// The city that the airport serves.
    pub city: Option<String>,
    /// The country's name.
    pub country: Option<String>,
    /// Which terminal.
    pub terminal: Option<String>,
}

/// Flights whose price is asked for, and what they would be flown instead of.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ReschedulePenaltyRequest"))]
pub struct NewFlights {
    /// The `fare_key` of each itinerary of `reschedule-avail`; for a return both.
    pub fare_keys: Vec<String>,
    /// Another way to give one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fare_key: Option<String>,
    /// Ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub itinerary_id: Option<String>,
    /// Of which journeys of the booking (`leg_index`); null: of those between the same cities. An empty list is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journeys: Option<Vec<usize>>,
}
body! { NewFlights { fare_keys: Vec<String>, fare_key: &str, itinerary_id: &str, journeys: Vec<usize> } }

/// What rescheduling would come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReschedulePenalty {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// What the original booking cost the agency.
    pub original_agent_fare: Amount,
    /// What the original booking cost the traveller.
    pub original_public_fare: Amount,
    /// What the new itinerary costs the agency.
    pub new_agent_fare: Amount,
    /// What the new itinerary costs the traveller.
    pub new_public_fare: Amount,
    /// New agent fare less the original one.
    pub fare_difference_agent: Amount,
    /// New public fare less the original one.
    pub fare_difference_public: Amount,
    /// What the old one's suppliers keep.
    pub penalty: Amount,
    /// What comes back of the old one.
    pub refund_to_wallet: Amount,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// New agent fare less what comes back; below zero if more comes back.
    pub total_reschedule_charge: Amount,
    /// Whether the supplier changes the booking, or other flights are booked first.
    pub way: RescheduleWay,
    /// What rescheduling does, in words.
    pub note: String,
    /// The journeys that would be given back (`leg_index`), where the booking has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journeys: Option<Vec<usize>>,
}

/// A booking to be moved, or journeys of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RescheduleRequest"))]
pub struct Reschedule {
    /// The `fare_key` of the itinerary that is to be flown instead.
    pub fare_keys: Vec<String>,
    /// Of which journeys of the booking (`leg_index`); null: of those between the same cities. An empty list is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journeys: Option<Vec<usize>>,
    /// How the travellers are reached; null: as before.
    #[serde(flatten)]
    pub contact: Option<Contact>,
    /// The same travellers, said again; empty = as before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passengers: Vec<SamePassenger>,
    /// The company to which India's goods and services tax is invoiced: all five fields or none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gst: Option<Gst>,
    /// Read, and changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pnr: Option<String>,
    /// For the audit log and for suppliers that read it, without names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
    /// The agency's ticket password, where its settings ask for one.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::secret::exposed_if_any")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub issue_ticket_password: Option<SecretString>,
}
body! { Reschedule {
    journeys: Vec<usize>, contact: Contact, passengers: Vec<SamePassenger>, gst: Gst, pnr: &str, remarks: &str,
    issue_ticket_password: SecretString,
} }

impl Reschedule {
    /// These instead, for the same people.
    pub fn to<Key: Into<String>>(fare_keys: impl IntoIterator<Item = Key>) -> Self {
        Self {
            fare_keys: fare_keys.into_iter().map(Into::into).collect(),
            journeys: None,
            contact: None,
            passengers: Vec::new(),
            gst: None,
            pnr: None,
            remarks: None,
            issue_ticket_password: None,
        }
    }
}

/// A traveller of the booking, said again.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ReschedulePassenger"))]
pub struct SamePassenger {
    /// The traveller's place in the booking, from 1.
    pub pax_index: u32,
    /// How the person is addressed.
    pub title: Title,
    /// Given names, as in the passport.
    pub first_name: String,
    /// Family name, as in the passport.
    pub last_name: String,
    /// Their age group.
    #[serde(rename = "type")]
    pub kind: PassengerType,
    /// `M` or `F`, as in the passport.
    pub gender: Gender,
    /// When they were born.
    #[serde(rename = "dob", skip_serializing_if = "Option::is_none")]
    pub born_on: Option<NaiveDate>,
    /// Papers and memberships in the place of those of the booking.
    #[serde(flatten)]
    pub papers: Papers,
}
body! { SamePassenger of(pax_index: u32, title: Title, first_name: &str, last_name: &str, kind: PassengerType, gender: Gender) {
    born_on: NaiveDate, papers: Papers,
} }

/// A booking that was moved: another stands in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rescheduled {
    /// The booking that takes the original's place.
    pub new_booking: NewBooking,
    /// What became of the original booking.
    pub cancellation: OriginalCancelled,
}

/// A booking in the place of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewBooking {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// Where it stands.
    #[serde(serialize_with = "crate::capitals::serialize")]
    #[cfg_attr(feature = "schema", schemars(with = "CapitalStatus"))]
    pub status: BookingStatus,
}

/// What became of a booking in whose place another stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Cancellation"))]
pub struct OriginalCancelled {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// What became of it.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["cancelled", "pending", "failed", "not_needed"])))]
    pub status: OriginalStatus,
    /// Null until it is known.
    pub refund_to_wallet: Option<Amount>,
    /// Why the original could not be given back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The journeys that are given back (`leg_index`), where the booking has several; others stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journeys: Option<Vec<usize>>,
}
