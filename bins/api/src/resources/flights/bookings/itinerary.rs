//! The itinerary of a booking: legs that point to segments.

use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::BookingStatus;
use wayfare_flights::{Cabin, Itinerary, SharedText};

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
    #[schemars(with = "BookingStatus")]
    status: String,
}

/// What one segment allows.
#[derive(Serialize, JsonSchema)]
pub struct Allowance {
    segment_id: String,
    check_in: Option<SharedText>,
    cabin: Option<SharedText>,
}

impl ItineraryView {
    /// The itinerary; each segment has the status of the booking, in lower case.
    pub fn of(itinerary: &Itinerary, status: &str) -> Self {
        let mut legs = Vec::new();
        let mut segments = Vec::new();
        for (leg_index, leg) in itinerary.journeys().enumerate() {
            let mut segment_refs = Vec::new();
            for segment in &leg.segments {
                let segment_id = format!("s{}", segments.len() + 1);
                segment_refs.push(segment_id.clone());
                segments.push(SegmentView {
                    segment_id,
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
                    status: status.to_owned(),
                });
            }
            legs.push(LegView {
                leg_index,
                origin: leg
                    .segments
                    .first()
                    .map(|segment| segment.origin.clone())
                    .unwrap_or_default(),
                destination: leg
                    .segments
                    .last()
                    .map(|segment| segment.destination.clone())
                    .unwrap_or_default(),
                segment_refs,
            });
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

    /// The segments that the `number`-th order (from 1) covers.
    pub fn refs_of_order(itinerary: &Itinerary, number: u16) -> Vec<String> {
        let before: usize = itinerary
            .orders
            .iter()
            .take(usize::from(number).saturating_sub(1))
            .map(count)
            .sum();
        let own = itinerary
            .orders
            .get(usize::from(number).saturating_sub(1))
            .map_or(0, count);
        (before + 1..=before + own)
            .map(|place| format!("s{place}"))
            .collect()
    }
}

fn count(order: &wayfare_flights::ItineraryOrder) -> usize {
    order.journeys.iter().map(|leg| leg.segments.len()).sum()
}
