//! What can still be bought for a booking.

use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{Amount, Currency};
use wayfare_flights::{AncillaryKind, Itinerary, Segment, SharedText};
use wayfare_operations::{Booking, flights::OrderServices};

use crate::resources::common::CurrencyCode;

/// What can be bought for a booking that stands.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Services")]
pub struct ServicesView {
    #[serde(rename = "SsrDetails")]
    details: SegmentsView,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SegmentsWithServices")]
struct SegmentsView {
    #[serde(rename = "Segments")]
    segments: Vec<SegmentServices>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct SegmentServices {
    segment_no: usize,
    /// What a service for this flight is asked for with.
    segment_id: String,
    origin: SharedText,
    destination: SharedText,
    meals: Vec<ServiceView>,
    baggage: Vec<ServiceView>,
    seats: Vec<ServiceView>,
    others: Vec<ServiceView>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Service")]
#[serde(rename_all = "PascalCase")]
struct ServiceView {
    code: String,
    description: String,
    price: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    /// All flights that it covers.
    segment_ids: Vec<String>,
    max_quantity: u32,
}

impl ServicesView {
    /// Each flight of these orders with what is sold for it.
    pub fn of(booking: &Booking<Itinerary>, orders: Vec<OrderServices>) -> Self {
        let flights: Vec<&Segment> = booking.product.journeys().flat_map(|leg| &leg.segments).collect();
        let mut segments = Vec::new();
        for order in orders {
            let own = flights.iter().enumerate().skip(order.first_segment).take(order.segments);
            for (place, flight) in own {
                let sold = |kind| {
                    let here = order.sold.iter().filter(|(ancillary, _)| {
                        let covers = |covered: &u16| order.first_segment + usize::from(*covered) == place;
                        ancillary.kind == kind && ancillary.segments.iter().any(covers)
                    });
                    here.map(|(ancillary, price)| ServiceView {
                        code: ancillary.code.clone(),
                        description: ancillary.name.clone(),
                        price: price.number(),
                        currency: price.currency(),
                        segment_ids: ancillary
                            .segments
                            .iter()
                            .map(|covered| segment_id(order.first_segment + usize::from(*covered)))
                            .collect(),
                        max_quantity: ancillary.most,
                    })
                    .collect()
                };
                segments.push(SegmentServices {
                    segment_no: place + 1,
                    segment_id: segment_id(place),
                    origin: flight.origin.clone(),
                    destination: flight.destination.clone(),
                    meals: sold(AncillaryKind::Meal),
                    baggage: sold(AncillaryKind::Baggage),
                    seats: sold(AncillaryKind::Seat),
                    others: sold(AncillaryKind::Other),
                });
            }
        }
        Self { details: SegmentsView { segments } }
    }
}

pub fn segment_id(place: usize) -> String {
    format!("s{}", place + 1)
}
