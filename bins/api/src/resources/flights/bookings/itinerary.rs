//! The itinerary of a booking: legs that point to segments.

use wayfare_contract::{
    flights::{BaggageAllowance, Itinerary, ItineraryLeg, ItinerarySegment},
    vocabulary::SegmentStatus,
};
use wayfare_domain::{OrderStatus, Product as _};
use wayfare_flights::{Flown, FlownFlight, SupplierOrder};
use wayfare_operations::Order;

use crate::resources::common::local;

/// Where one flight stands.
fn status_of(flight: &FlownFlight, order: Option<OrderStatus>, is_given_back: bool) -> SegmentStatus {
    match order {
        Some(OrderStatus::Held | OrderStatus::Confirmed) if is_given_back => SegmentStatus::Cancelled,
        Some(OrderStatus::Held | OrderStatus::Confirmed) if flight.is_cancelled => SegmentStatus::Cancelled,
        Some(OrderStatus::Held | OrderStatus::Confirmed) if !flight.replaces.is_empty() => {
            SegmentStatus::Changed
        }
        Some(OrderStatus::Held) => SegmentStatus::Held,
        Some(OrderStatus::Confirmed) => SegmentStatus::Confirmed,
        Some(OrderStatus::Cancelled) => SegmentStatus::Cancelled,
        Some(OrderStatus::Failed) => SegmentStatus::Failed,
        Some(OrderStatus::Pending) | None => SegmentStatus::Pending,
    }
}

/// The name of a flight of a booking: those that were sold are numbered from 1, those that came in their place after them.
pub fn segment_id(number: usize) -> String {
    format!("s{number}")
}

/// The itinerary as it stands, or as it was sold; the orders say where each flight does.
pub fn itinerary(
    product: &wayfare_flights::Itinerary,
    flown: &Flown,
    orders: &[Order<SupplierOrder>],
) -> Itinerary {
    let mut legs = Vec::new();
    let mut segments = Vec::new();
    for (number, flights) in (1..).zip(flown.orders()) {
        let order = orders.iter().find(|order| order.number == number);
        let status = order.map(|order| order.status);
        let remaining = order.map(|order| order.remaining(&product.whole_order(number)).journeys());
        for flown in flights.chunk_by(|one, next| one.journey == next.journey) {
            let is_given_back = remaining.as_ref().is_some_and(|places| !places.contains(&legs.len()));
            legs.push(leg(legs.len(), flown));
            segments.extend(flown.iter().map(|flight| segment(flight, status, is_given_back)));
        }
    }
    Itinerary { legs, segments }
}

/// What each segment allows to carry.
pub fn allowances(itinerary: &Itinerary) -> Vec<BaggageAllowance> {
    let of_segment = |segment: &ItinerarySegment| BaggageAllowance {
        segment_id: segment.segment_id.clone(),
        check_in: segment.baggage.clone(),
        cabin: segment.cabin_baggage.clone(),
    };
    itinerary.segments.iter().map(of_segment).collect()
}

fn leg(leg_index: usize, flights: &[FlownFlight]) -> ItineraryLeg {
    let (first, last) = (flights.first(), flights.last());
    ItineraryLeg {
        leg_index,
        origin: first.map(|flight| flight.segment.origin.to_string()).unwrap_or_default(),
        destination: last.map(|flight| flight.segment.destination.to_string()).unwrap_or_default(),
        segment_refs: flights.iter().map(|flight| segment_id(flight.number)).collect(),
    }
}

fn segment(flight: &FlownFlight, status: Option<OrderStatus>, is_given_back: bool) -> ItinerarySegment {
    let segment = flight.segment.clone();
    ItinerarySegment {
        segment_id: segment_id(flight.number),
        airline: segment.airline.into(),
        flight_number: segment.flight_number.into(),
        origin: segment.origin.into(),
        destination: segment.destination.into(),
        departure: local(segment.departure),
        arrival: local(segment.arrival),
        duration_minutes: segment.duration_minutes,
        cabin: segment.cabin.map(|cabin| cabin.as_ref().into()),
        rbd: segment.booking_class.map(String::from),
        baggage: segment.baggage.check_in.map(String::from),
        cabin_baggage: segment.baggage.cabin.map(String::from),
        operating_carrier: segment.operating_carrier.map(String::from),
        status: status_of(flight, status, is_given_back),
        replaces: flight.replaces.iter().map(|number| segment_id(*number)).collect(),
    }
}
