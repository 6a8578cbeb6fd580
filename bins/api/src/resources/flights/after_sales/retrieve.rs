//! What suppliers say of an order now, read and in their own words.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use wayfare_domain::{BookingRef, BookingStatus, OrderReference, OrderStatus, TicketStatus};
use wayfare_flights::{AirlineChange, Segment, SharedText, SupplierOrder};
use wayfare_operations::{
    Order,
    flights::{Retrieved, Tracked},
};

use crate::resources::common::local;

/// A booking as we hold it beside what its suppliers show.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Retrieved")]
pub struct RetrievedView {
    local: LocalView,
    /// Of the first order; null when its supplier does not say.
    provider: Option<ShownOrder>,
    /// Of each order, in order of their numbers.
    orders: Vec<Option<ShownOrder>>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookingHeld")]
struct LocalView {
    booking_ref: BookingRef,
    pnr: String,
    status: BookingStatus,
    provider: String,
}

#[derive(Clone, Serialize, JsonSchema)]
struct ShownOrder {
    booking_ref: BookingRef,
    order_ref: OrderReference,
    provider: String,
    pnr: String,
    status: OrderStatus,
    provider_booking_id: String,
    ticket_status: TicketStatus,
    airline_changes: Vec<AirlineChangeView>,
}

/// Flights that an airline has changed by itself.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "AirlineChange")]
struct AirlineChangeView {
    id: String,
    removed: Vec<FlightView>,
    added: Vec<FlightView>,
    action_taken: Option<String>,
    available_actions: Vec<String>,
    told_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "FlightOfChange")]
struct FlightView {
    airline: SharedText,
    flight_number: SharedText,
    origin: SharedText,
    destination: SharedText,
    departure: String,
    arrival: String,
}

impl From<Retrieved> for RetrievedView {
    fn from(Retrieved { booked, found }: Retrieved) -> Self {
        let orders: Vec<Option<ShownOrder>> = booked
            .orders
            .iter()
            .zip(found)
            .map(|(order, found)| found.map(|found| ShownOrder::of(&booked.booking.reference, order, found)))
            .collect();
        Self {
            provider: orders.first().cloned().flatten(),
            orders,
            local: LocalView {
                booking_ref: booked.booking.reference,
                pnr: booked.booking.summary.pnr,
                status: booked.booking.status,
                provider: booked.booking.summary.provider,
            },
        }
    }
}

impl ShownOrder {
    fn of(booking: &BookingRef, order: &Order<SupplierOrder>, shown: SupplierOrder) -> Self {
        let status = shown.tickets.first().map(|ticket| ticket.status);
        Self {
            booking_ref: booking.clone(),
            order_ref: order.reference.clone(),
            provider: order.supplier.clone(),
            pnr: shown.pnr,
            status: shown.status,
            provider_booking_id: shown.id,
            ticket_status: status.unwrap_or(TicketStatus::Pending),
            airline_changes: shown.airline_changes.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<AirlineChange> for AirlineChangeView {
    fn from(change: AirlineChange) -> Self {
        Self {
            id: change.id,
            removed: change.removed.iter().map(FlightView::of).collect(),
            added: change.added.iter().map(FlightView::of).collect(),
            action_taken: change.action_taken,
            available_actions: change.available_actions,
            told_at: change.told_at,
        }
    }
}

impl FlightView {
    fn of(segment: &Segment) -> Self {
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

/// What suppliers say of a booking's orders, in their own words.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Tracked")]
pub struct TrackedView {
    /// The first order's supplier.
    provider: String,
    /// What it says, as it says it.
    #[schemars(with = "Map<String, Value>")]
    order: Value,
    /// Of each order, in order of their numbers.
    orders: Vec<TrackedOrder>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TrackedSupplierOrder")]
struct TrackedOrder {
    booking_track_id: OrderReference,
    provider: String,
    #[schemars(with = "Map<String, Value>")]
    order: Value,
    omitted: usize,
}

impl TrackedView {
    /// What was told of each order.
    pub fn of(tracked: Vec<Tracked>) -> Self {
        let first = tracked.first();
        Self {
            provider: first.map(|order| order.supplier.clone()).unwrap_or_default(),
            order: first.map(|order| order.order.clone()).unwrap_or_default(),
            orders: tracked
                .into_iter()
                .map(|order| TrackedOrder {
                    booking_track_id: order.reference,
                    provider: order.supplier,
                    order: order.order,
                    omitted: order.omitted,
                })
                .collect(),
        }
    }
}
