//! Bookings as their suppliers show them, what can be added to them, and how their refunds stand.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use serde_json::Map;
use serde_json::Value;

use super::changes::ChangedFlight;
#[cfg(feature = "schema")]
use super::changes::FlightOfChange;
#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CurrencyCode, OrderReference};
use crate::{
    Amount, RefundAmounts,
    vocabulary::{AncillaryType, BookingStatus, OrderStatus, RefundStatus, TicketStatus},
};

/// A booking as we hold it beside what its suppliers show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Retrieved {
    /// The booking as we have it.
    pub local: LocalBooking,
    /// What the first order's supplier shows; null where it doesn't say.
    pub provider: Option<ShownOrder>,
    /// Of each order, in order of their numbers.
    #[serde(default)]
    pub orders: Vec<Option<ShownOrder>>,
}

/// A booking as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookingHeld"))]
pub struct LocalBooking {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// Where it stands.
    pub status: BookingStatus,
    /// The supplier's code.
    pub provider: String,
}

/// A supplier order as its supplier shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownOrder {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The order's reference, such as `FA-7K2M9Q4X-1`.
    #[cfg_attr(feature = "schema", schemars(with = "OrderReference"))]
    pub order_ref: String,
    /// The supplier's code.
    pub provider: String,
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// Where it stands.
    pub status: OrderStatus,
    /// The supplier's own id of the order.
    pub provider_booking_id: String,
    /// Where the tickets stand.
    pub ticket_status: TicketStatus,
    /// Changes that an airline made by itself.
    #[serde(default)]
    pub airline_changes: Vec<AirlineChange>,
}

/// Flights that an airline has changed by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AirlineChange {
    /// The supplier's id of the change.
    pub id: String,
    /// The flights that are no more.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<FlightOfChange>"))]
    pub removed: Vec<ChangedFlight>,
    /// The flights that came instead.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<FlightOfChange>"))]
    pub added: Vec<ChangedFlight>,
    /// What was done about the change at the supplier; null if nothing was.
    pub action_taken: Option<String>,
    /// What may be done about the change at the supplier.
    pub available_actions: Vec<String>,
    /// When we were told of it, UTC.
    pub told_at: Option<DateTime<Utc>>,
}

/// What suppliers say of a booking's orders, in their own words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tracked {
    /// The first order's supplier.
    pub provider: String,
    /// What it says, as it says it.
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub order: Value,
    /// Of each order, in order of their numbers.
    pub orders: Vec<TrackedOrder>,
}

/// What a supplier says of an order, in its own words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TrackedSupplierOrder"))]
pub struct TrackedOrder {
    /// Our own reference of the supplier order, such as `FA-7K2M9Q4X-1`.
    #[cfg_attr(feature = "schema", schemars(with = "OrderReference"))]
    pub booking_track_id: String,
    /// The supplier's code.
    pub provider: String,
    /// What it says, as far as it is passed on.
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    pub order: Value,
    /// How many members of the supplier's answer are not passed on: those that its list does not name.
    pub omitted: usize,
}

/// What can be bought for a booking that stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Services {
    /// What can be bought.
    #[serde(rename = "SsrDetails")]
    pub details: ServiceDetails,
}

/// What can still be bought, by flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SegmentsWithServices"))]
pub struct ServiceDetails {
    /// The booking's segments with what can be bought for each.
    #[serde(rename = "Segments")]
    pub segments: Vec<SegmentServices>,
}

/// What can still be bought for a flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SegmentServices {
    /// The segment's place in the booking, from 1.
    pub segment_no: usize,
    /// What a service for this flight is asked for with.
    pub segment_id: String,
    /// IATA code of the airport where the segment begins.
    pub origin: String,
    /// IATA code of the airport where the segment ends.
    pub destination: String,
    /// Meals that can be bought for the segment.
    pub meals: Vec<Service>,
    /// Bags that can be bought for the segment.
    pub baggage: Vec<Service>,
    /// Seats that can be bought on the segment.
    pub seats: Vec<Service>,
    /// What else can be bought for the segment.
    #[serde(default)]
    pub others: Vec<Service>,
}

/// Something that can still be bought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Service {
    /// What `ssr[].code` takes.
    pub code: String,
    /// The service in the supplier's words.
    pub description: String,
    /// For one piece for one traveller, in the wallet's currency.
    pub price: Amount,
    /// Of the price, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// All flights that it covers.
    #[serde(default)]
    pub segment_ids: Vec<String>,
    /// How many of it one traveller may have.
    pub max_quantity: u32,
}

/// What is to be bought for a booking that stands, all of it of one supplier order.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AddServicesRequest"))]
pub struct ServiceOrder {
    /// What is bought; all of it of one order.
    #[serde(rename = "ssr")]
    pub services: Vec<ServiceRequest>,
    /// For the audit log, without names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
}
body! { ServiceOrder of(services: Vec<ServiceRequest>) { remarks: &str } }

/// Something to be bought for a booking that stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AddServicesService"))]
pub struct ServiceRequest {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: AncillaryType,
    /// The code of the service, as `GET …/ssr` lists it.
    pub code: String,
    /// The `pax_index` of the traveller who gets it.
    pub pax_ref: u32,
    /// The segment's id, such as `s1`.
    pub segment_id: String,
    /// Not used; without card numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}
body! { ServiceRequest of(kind: AncillaryType, code: &str, pax_ref: u32, segment_id: &str) { name: &str } }

/// How a booking's refunds stand together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefundState {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// That of the one that has come least far.
    pub status: RefundStatus,
    /// The supplier's code.
    pub provider: String,
    /// What returned, and what was kept.
    #[serde(flatten)]
    pub amounts: RefundAmounts,
    /// The suppliers' ids of the refunds.
    pub refund_id: String,
    /// Empty where no supplier tells one.
    pub credit_note_no: String,
    /// When the money was in the wallet; null until then.
    pub refunded_at: Option<DateTime<Utc>>,
    /// How the refund stands, in words.
    pub message: String,
}

wayfare_digits::keep_digits!(RefundState);
