//! What can still be bought for a booking.

use wayfare_contract::flights::{SegmentServices, Service, ServiceDetails, Services};
use wayfare_flights::{AncillaryKind, Itinerary, Segment};
use wayfare_operations::{Booking, flights::OrderServices};

use crate::resources::common::{amount, code};

/// Each flight of these orders with what is sold for it.
pub fn services(booking: &Booking<Itinerary>, orders: Vec<OrderServices>) -> Services {
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
                here.map(|(ancillary, price)| Service {
                    code: ancillary.code.clone(),
                    description: ancillary.name.clone(),
                    price: amount(*price),
                    currency: code(price.currency()),
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
                origin: flight.origin.to_string(),
                destination: flight.destination.to_string(),
                meals: sold(AncillaryKind::Meal),
                baggage: sold(AncillaryKind::Baggage),
                seats: sold(AncillaryKind::Seat),
                others: sold(AncillaryKind::Other),
            });
        }
    }
    Services { details: ServiceDetails { segments } }
}

pub fn segment_id(place: usize) -> String {
    format!("s{}", place + 1)
}
