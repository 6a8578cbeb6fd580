//! What can be done with a booking later: look at it, add to it, move it, see its refunds (docs/API.md, After-sales).

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::changes::ChangedFlight;
use super::{Contact, Gst, HoldTerms, Papers, Requirement};
use crate::{
    Amount,
    enums::{
        AncillaryType, BookingStatus, Cabin, Gender, OrderStatus, OriginalStatus, PassengerType,
        RefundStatus, RescheduleWay, TicketStatus, Title,
    },
    users::exposed_if_any,
};

/// A booking as it is kept beside what its suppliers show.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Retrieved {
    /// As it is kept.
    pub local: LocalBooking,
    /// What the first order's supplier shows; none where it doesn't say.
    pub provider: Option<ShownOrder>,
    /// What each order's supplier shows; Wayfare's addition.
    #[serde(default)]
    pub orders: Vec<Option<ShownOrder>>,
}

/// A booking as it is kept.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct LocalBooking {
    /// Its reference.
    pub booking_ref: String,
    /// Its locator.
    pub pnr: String,
    /// Where it stands.
    pub status: BookingStatus,
    /// The supplier's code.
    pub provider: String,
}

/// A supplier order as its supplier shows it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ShownOrder {
    /// The booking.
    pub booking_ref: String,
    /// The order: `FA-…-1`.
    pub order_ref: Option<String>,
    /// The supplier's code.
    pub provider: Option<String>,
    /// Its locator.
    pub pnr: String,
    /// Where it stands.
    pub status: OrderStatus,
    /// The supplier's id of it.
    pub provider_booking_id: String,
    /// Where its tickets stand.
    pub ticket_status: TicketStatus,
    /// What the airline changed by itself; Wayfare's addition.
    #[serde(default)]
    pub airline_changes: Vec<AirlineChange>,
}

/// Flights that an airline changed by itself.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct AirlineChange {
    /// The supplier's id of it.
    pub id: String,
    /// What is no longer flown.
    pub removed: Vec<ChangedFlight>,
    /// What is flown instead.
    pub added: Vec<ChangedFlight>,
    /// What was done about it.
    pub action_taken: Option<String>,
    /// What can be done about it.
    pub available_actions: Vec<String>,
    /// When it was told, UTC.
    pub told_at: Option<DateTime<Utc>>,
}

/// What a booking's suppliers say of it, in their own words.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Tracked {
    /// The first order's supplier.
    pub provider: String,
    /// What it says.
    pub order: Value,
    /// Each order.
    pub orders: Vec<TrackedOrder>,
}

/// What a supplier says of an order, in its own words.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TrackedOrder {
    /// The order: `FA-…-1`.
    pub booking_track_id: String,
    /// The supplier's code.
    pub provider: String,
    /// What it says, as far as it is passed on.
    pub order: Value,
    /// How many members of it are not passed on.
    pub omitted: u32,
}

/// What can still be bought for a booking.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Services {
    /// By flight.
    #[serde(rename = "SsrDetails")]
    pub details: ServiceDetails,
}

/// What can still be bought, by flight.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ServiceDetails {
    /// The flights, in order.
    #[serde(rename = "Segments")]
    pub segments: Vec<SegmentServices>,
}

/// What can still be bought for a flight.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase")]
#[non_exhaustive]
pub struct SegmentServices {
    /// Its place, from 1.
    pub segment_no: u32,
    /// What it is asked for with; Wayfare's addition.
    pub segment_id: Option<String>,
    /// IATA; Wayfare's addition.
    pub origin: Option<String>,
    /// IATA; Wayfare's addition.
    pub destination: Option<String>,
    /// Meals.
    pub meals: Vec<Service>,
    /// Bags.
    pub baggage: Vec<Service>,
    /// Seats.
    pub seats: Vec<Service>,
    /// Anything else; Wayfare's addition.
    #[serde(default)]
    pub others: Vec<Service>,
}

/// Something that can still be bought.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "PascalCase")]
#[non_exhaustive]
pub struct Service {
    /// What it is ordered with.
    pub code: String,
    /// In words.
    pub description: String,
    /// Of one.
    pub price: Amount,
    /// Of the price, ISO 4217.
    pub currency: String,
    /// All flights that it covers; Wayfare's addition.
    #[serde(default)]
    pub segment_ids: Vec<String>,
    /// How many a traveller may have; Wayfare's addition.
    pub max_quantity: Option<u32>,
}

/// What is to be bought for a booking that stands, all of it of one supplier order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServiceOrder {
    /// The same twice is two of it.
    #[serde(rename = "ssr")]
    pub services: Vec<ServiceRequest>,
    /// Read, and changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
}

impl ServiceOrder {
    /// These.
    pub fn of(services: Vec<ServiceRequest>) -> Self {
        Self { services, remarks: None }
    }
}

/// Something to be bought for a booking that stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServiceRequest {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: AncillaryType,
    /// Its code.
    pub code: String,
    /// For which traveller, from 1.
    pub pax_ref: u32,
    /// On which flight.
    pub segment_id: String,
    /// Read, and changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Money on its way back: a row for each supplier order that was given back.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RefundRow {
    /// The booking.
    pub booking_ref: String,
    /// Its locator.
    pub pnr: String,
    /// Where the booking stands.
    pub booking_status: BookingStatus,
    /// Where the refund stands.
    pub refund_status: RefundStatus,
    /// The supplier's id of it; empty until it tells one.
    pub provider_refund_id: String,
    /// What the supplier keeps.
    pub cancellation_charge: Amount,
    /// What the supplier gives back.
    pub provider_refund_amount: Amount,
    /// What the platform keeps.
    pub platform_charges: Amount,
    /// What comes back to the wallet.
    pub refund_to_wallet: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// Who booked.
    pub agent_name: String,
    /// When the booking was cancelled, UTC.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// When the money came back, UTC.
    pub refunded_at: Option<DateTime<Utc>>,
}

/// How a booking's refunds stand together.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RefundState {
    /// The booking.
    pub booking_ref: String,
    /// That of the one that has come least far.
    pub status: RefundStatus,
    /// The supplier's code.
    pub provider: String,
    /// What the suppliers keep.
    pub cancellation_charge: Amount,
    /// What the suppliers give back.
    pub provider_refund_amount: Amount,
    /// What the platform keeps.
    pub platform_charges: Amount,
    /// What comes back to the wallet.
    pub refund_to_wallet: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// The suppliers' ids of them.
    pub refund_id: String,
    /// Empty where no supplier tells one.
    pub credit_note_no: String,
    /// When the money came back, UTC.
    pub refunded_at: Option<DateTime<Utc>>,
    /// In words.
    pub message: String,
}

/// Where and when a booking is to fly instead.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NewJourney {
    /// IATA.
    pub origin: String,
    /// IATA.
    pub destination: String,
    /// By the clocks of the origin.
    pub new_date: NaiveDate,
    /// Which journey of the booking it is instead of (`leg_index`); none = the one between these cities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journey: Option<u32>,
    /// Whether changes at the supplier are told beside itineraries to be booked; Wayfare's addition.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub include_changes: bool,
    /// Read, and changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
}

impl NewJourney {
    /// From one airport (IATA) to another on a day.
    pub fn of(origin: &str, destination: &str, new_date: NaiveDate) -> Self {
        Self {
            origin: origin.to_owned(),
            destination: destination.to_owned(),
            new_date,
            journey: None,
            include_changes: false,
            remarks: None,
        }
    }
}

/// An itinerary that could be flown instead.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct NewItinerary {
    /// Its name within this answer.
    pub itinerary_id: String,
    /// The supplier's code.
    pub source: String,
    /// Who sells it.
    pub validating_carrier: Carrier,
    /// What it costs.
    pub pricing: NewItineraryPrice,
    /// Its journeys.
    pub slices: Vec<NewSlice>,
    /// What it is asked for with.
    pub fare_key: String,
    /// Whether it can be held; none from a server that does not tell. Wayfare's addition.
    pub hold: Option<HoldTerms>,
    /// What the supplier wants of the travellers; Wayfare's addition.
    #[serde(default)]
    pub requires: Vec<Requirement>,
    /// How it is had, where changes were asked for; Wayfare's addition.
    pub way: Option<RescheduleWay>,
}

/// An airline.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Carrier {
    /// IATA.
    pub code: String,
    /// Its name.
    pub name: Option<String>,
    /// Where its logo is.
    pub logo_url: Option<String>,
}

/// What an itinerary costs that could be flown instead.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct NewItineraryPrice {
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// The supplier's total.
    pub total: Amount,
    /// Base fares.
    pub base: Amount,
    /// Taxes.
    pub taxes: Amount,
    /// The platform's.
    pub fees: Amount,
    /// Whether anything comes back of it.
    pub is_refundable: Option<bool>,
    /// What the wallet pays.
    pub provider_agent_fare: Amount,
    /// What a change at the supplier comes to; Wayfare's addition.
    pub change: Option<ChangePrice>,
}

/// What a change at the supplier comes to; amounts are below zero where something comes back.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ChangePrice {
    /// What is paid beside the difference.
    pub penalty: Amount,
    /// By how much the new flights cost more or less.
    pub difference: Amount,
    /// Both: what the wallet pays, or gets.
    pub total: Amount,
}

/// A journey that could be flown instead.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct NewSlice {
    /// Its name within this itinerary.
    pub slice_id: String,
    /// Changes included, minutes.
    pub duration_minutes: Option<u32>,
    /// Its flights.
    pub segments: Vec<NewSegment>,
}

/// A flight that could be flown instead.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct NewSegment {
    /// Its name within this itinerary.
    pub id: String,
    /// Its number.
    pub flight_number: String,
    /// Who sells it, IATA.
    pub airline: String,
    /// Who flies it, IATA.
    pub operating_carrier: Option<String>,
    /// From where.
    pub origin: NewPlace,
    /// To where.
    pub destination: NewPlace,
    /// By the clocks of the origin.
    pub departure: NaiveDateTime,
    /// By the clocks of the destination.
    pub arrival: NaiveDateTime,
    /// In the air, minutes.
    pub duration_minutes: Option<u32>,
    /// How many seats are left.
    pub seats_available: Option<u32>,
    /// Its class.
    pub cabin: Option<Cabin>,
}

/// An airport of a flight that could be flown instead.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct NewPlace {
    /// IATA.
    pub code: String,
    /// Its name.
    pub name: Option<String>,
    /// Its city.
    pub city: Option<String>,
    /// Its country.
    pub country: Option<String>,
    /// Which terminal.
    pub terminal: Option<String>,
}

/// What rescheduling would come to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ReschedulePenalty {
    /// The booking.
    pub booking_ref: String,
    /// Its locator.
    pub pnr: String,
    /// What was paid.
    pub original_agent_fare: Amount,
    /// What the public pays for it.
    pub original_public_fare: Amount,
    /// What the new one costs.
    pub new_agent_fare: Amount,
    /// What the public pays for it.
    pub new_public_fare: Amount,
    /// New less old.
    pub fare_difference_agent: Amount,
    /// New less old.
    pub fare_difference_public: Amount,
    /// What the old one's suppliers keep.
    pub penalty: Amount,
    /// What comes back of the old one; Wayfare's addition.
    pub refund_to_wallet: Option<Amount>,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// New less what comes back; below zero where more does.
    pub total_reschedule_charge: Amount,
    /// Whether the supplier changes the booking, or other flights are booked first; Wayfare's addition.
    pub way: Option<RescheduleWay>,
    /// In words.
    pub note: String,
    /// The journeys that would be given back (`leg_index`), where the booking has several; Wayfare's addition.
    pub journeys: Option<Vec<u32>>,
}

/// Flights whose price is asked for, and what they would be flown instead of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NewFlights {
    /// Of each new itinerary; for a return both.
    pub fare_keys: Vec<String>,
    /// Of which journeys of the booking (`leg_index`); none = of those between the same cities. An empty list is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journeys: Option<Vec<u32>>,
}

/// A booking to be moved, or journeys of it.
#[derive(Clone, Debug, Serialize)]
pub struct Reschedule {
    /// What is to be flown instead.
    pub fare_keys: Vec<String>,
    /// Of which journeys of the booking (`leg_index`); none = of those between the same cities. An empty list is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journeys: Option<Vec<u32>>,
    /// How the travellers are reached; none = as before.
    #[serde(flatten)]
    pub contact: Option<Contact>,
    /// The same travellers, said again; empty = as before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passengers: Vec<SamePassenger>,
    /// To whom the tax is invoiced; none = as before. Wayfare's addition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gst: Option<Gst>,
    /// Read, and changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pnr: Option<String>,
    /// Read, and changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
    /// Where the organization asks for it.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exposed_if_any")]
    pub issue_ticket_password: Option<SecretString>,
}

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
pub struct SamePassenger {
    /// Their number, from 1.
    pub pax_index: u32,
    /// How they are addressed.
    pub title: Title,
    /// As in the booking.
    pub first_name: String,
    /// As in the booking.
    pub last_name: String,
    /// Their age group.
    #[serde(rename = "type")]
    pub kind: PassengerType,
    /// As in the passport.
    pub gender: Gender,
    /// Papers and memberships in the place of those of the booking.
    #[serde(flatten)]
    pub papers: Papers,
}

/// A booking that was moved: another stands in its place.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Rescheduled {
    /// The one that stands.
    pub new_booking: NewBooking,
    /// What became of the original.
    pub cancellation: OriginalCancelled,
}

/// A booking in the place of another.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct NewBooking {
    /// Its reference.
    pub booking_ref: String,
    /// Its locator.
    pub pnr: String,
    /// Where it stands.
    pub status: BookingStatus,
}

/// What became of a booking in whose place another stands.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OriginalCancelled {
    /// The original.
    pub booking_ref: String,
    /// What became of it.
    pub status: OriginalStatus,
    /// None until it is known.
    pub refund_to_wallet: Option<Amount>,
    /// Why it failed; Wayfare's addition.
    pub message: Option<String>,
    /// The journeys that are given back (`leg_index`), where the booking has several; Wayfare's addition.
    pub journeys: Option<Vec<u32>>,
}
