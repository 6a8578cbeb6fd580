//! The itinerary of a booking: legs that point to segments.

use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{OrderStatus, Product as _};
use wayfare_flights::{Cabin, Flown, FlownFlight, Itinerary, SharedText, SupplierOrder};
use wayfare_operations::Order;

use crate::resources::common::local;

/// The itinerary.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Itinerary")]
pub struct ItineraryView {
    legs: Vec<LegView>,
    segments: Vec<SegmentView>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookedLegRefs")]
struct LegView {
    leg_index: usize,
    origin: SharedText,
    destination: SharedText,
    segment_refs: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BookedSegment")]
struct SegmentView {
    segment_id: String,
    airline: SharedText,
    flight_number: SharedText,
    origin: SharedText,
    destination: SharedText,
    departure: String,
    arrival: String,
    duration_minutes: Option<u32>,
    cabin: Option<Cabin>,
    rbd: Option<SharedText>,
    baggage: Option<SharedText>,
    cabin_baggage: Option<SharedText>,
    operating_carrier: Option<SharedText>,
    status: SegmentStatus,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaces: Vec<String>,
}

/// Where one flight stands.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SegmentStatus {
    /// Asked for; nothing known yet.
    Pending,
    /// Held and not paid.
    Held,
    /// Bought, and flown as it was sold.
    Confirmed,
    /// Bought, and flown otherwise than it was sold.
    Changed,
    /// Given back, or not flown.
    Cancelled,
    /// Refused.
    Failed,
}

impl SegmentStatus {
    fn of(flight: &FlownFlight, order: Option<OrderStatus>, is_given_back: bool) -> Self {
        match order {
            Some(OrderStatus::Held | OrderStatus::Confirmed) if is_given_back => Self::Cancelled,
            Some(OrderStatus::Held | OrderStatus::Confirmed) if flight.is_cancelled => Self::Cancelled,
            Some(OrderStatus::Held | OrderStatus::Confirmed) if !flight.replaces.is_empty() => Self::Changed,
            Some(OrderStatus::Held) => Self::Held,
            Some(OrderStatus::Confirmed) => Self::Confirmed,
            Some(OrderStatus::Cancelled) => Self::Cancelled,
            Some(OrderStatus::Failed) => Self::Failed,
            Some(OrderStatus::Pending) | None => Self::Pending,
        }
    }
}

/// The name of a flight of a booking: those that were sold are numbered from 1, those that came in their place after them.
pub fn segment_id(number: usize) -> String {
    format!("s{number}")
}

/// What one segment allows.
#[derive(Serialize, JsonSchema)]
pub struct Allowance {
    segment_id: String,
    check_in: Option<SharedText>,
    cabin: Option<SharedText>,
}

impl ItineraryView {
    /// The itinerary as it stands, or as it was sold; the orders say where each flight does.
    pub fn of(product: &Itinerary, flown: &Flown, orders: &[Order<SupplierOrder>]) -> Self {
        let mut legs = Vec::new();
        let mut segments = Vec::new();
        for (number, flights) in (1..).zip(flown.orders()) {
            let order = orders.iter().find(|order| order.number == number);
            let status = order.map(|order| order.status);
            let remaining = order.map(|order| order.remaining(&product.whole_order(number)).journeys());
            for leg in flights.chunk_by(|one, next| one.journey == next.journey) {
                let is_given_back = remaining.as_ref().is_some_and(|places| !places.contains(&legs.len()));
                legs.push(LegView::of(legs.len(), leg));
                segments.extend(leg.iter().map(|flight| SegmentView::of(flight, status, is_given_back)));
            }
        }
        Self { legs, segments }
    }

    /// What each segment allows to carry.
    pub fn allowances(&self) -> Vec<Allowance> {
        self.segments
            .iter()
            .map(|segment| Allowance {
                segment_id: segment.segment_id.clone(),
                check_in: segment.baggage.clone(),
                cabin: segment.cabin_baggage.clone(),
            })
            .collect()
    }
}

impl LegView {
    fn of(leg_index: usize, flights: &[FlownFlight]) -> Self {
        let (first, last) = (flights.first(), flights.last());
        Self {
            leg_index,
            origin: first.map(|flight| flight.segment.origin.clone()).unwrap_or_default(),
            destination: last.map(|flight| flight.segment.destination.clone()).unwrap_or_default(),
            segment_refs: flights.iter().map(|flight| segment_id(flight.number)).collect(),
        }
    }
}

impl SegmentView {
    fn of(flight: &FlownFlight, status: Option<OrderStatus>, is_given_back: bool) -> Self {
        let segment = &flight.segment;
        Self {
            segment_id: segment_id(flight.number),
            airline: segment.airline.clone(),
            flight_number: segment.flight_number.clone(),
            origin: segment.origin.clone(),
            destination: segment.destination.clone(),
            departure: local(segment.departure),
            arrival: local(segment.arrival),
            duration_minutes: segment.duration_minutes,
            cabin: segment.cabin,
            rbd: segment.booking_class.clone(),
            baggage: segment.baggage.check_in.clone(),
            cabin_baggage: segment.baggage.cabin.clone(),
            operating_carrier: segment.operating_carrier.clone(),
            status: SegmentStatus::of(flight, status, is_given_back),
            replaces: flight.replaces.iter().map(|number| segment_id(*number)).collect(),
        }
    }
}
