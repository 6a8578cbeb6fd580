//! The locators of a booking, and what was bought with the flights of each.

use wayfare_contract::flights::{BoughtAncillary, OrderAbilities, PnrDetail, Ticket};
use wayfare_flights::{self as flights, Flown, FlownFlight, Itinerary, Locator, SupplierOrder};
use wayfare_operations::{Booking, Order, flights::Can};
use wayfare_pricing::SoldAncillary;

use super::itinerary::segment_id;
use crate::resources::common::amount;

/// One for each locator of the order: airlines that fly different parts of it may each have their own.
pub fn pnr_details(
    booking: &Booking<Itinerary>,
    flown: &Flown,
    order: &Order<SupplierOrder>,
    can: Can,
) -> Vec<PnrDetail> {
    let can = OrderAbilities {
        cancel_journeys: can.cancel_journeys,
        cancel_passengers: can.cancel_passengers,
        change_journeys: can.change_journeys,
    };
    let flights = flights_of(flown, order.number);
    let content = order.content.as_ref();
    let (Some(content), false) = (content, content.is_none_or(|content| content.locators.is_empty())) else {
        let airline_pnr = content.map(|content| content.airline_pnr.as_str()).unwrap_or_default();
        return vec![pnr_detail(booking, order, airline_pnr, &flights, can)];
    };
    let locators = content.locators.iter();
    let detail = |locator: &Locator| {
        let flown = flights.iter().filter(|flight| is_of(flight, &locator.route));
        let flown: Vec<_> = flown.cloned().collect();
        pnr_detail(booking, order, &locator.pnr, &flown, can)
    };
    locators.map(detail).collect()
}

/// The tickets of an order, each with the locator and the flights of its own routes.
pub fn tickets(flown: &Flown, order: &Order<SupplierOrder>) -> Vec<Ticket> {
    let Some(content) = &order.content else { return Vec::new() };
    let flights = flights_of(flown, order.number);
    let view = |ticket: &flights::Ticket| {
        let has_route = |flight: &&Flight<'_>| ticket.routes.iter().any(|route| is_of(flight, route));
        let mut flown: Vec<&Flight<'_>> = flights.iter().filter(has_route).collect();
        if flown.is_empty() {
            flown = flights.iter().collect();
        }
        let mut locators = content.locators.iter();
        let own = locators.find(|locator| ticket.routes.contains(&locator.route));
        Ticket {
            tkt_number: ticket.number.clone(),
            pax_id: ticket.traveller.map(|index| index.to_string()).unwrap_or_default(),
            pnr_ref: own.map_or(&content.pnr, |locator| &locator.pnr).clone(),
            status: ticket.status.as_ref().into(),
            segment_refs: flown.into_iter().map(|(name, ..)| name.clone()).collect(),
        }
    };
    content.tickets.iter().map(view).collect()
}

/// How a flight is referred to, its journey's route (`DEL-BOM`), and the flight.
type Flight<'a> = (String, String, &'a FlownFlight);

/// Whether it is of this route: its own, or its journey's.
fn is_of((_, of_journey, flight): &Flight<'_>, route: &str) -> bool {
    let segment = &flight.segment;
    of_journey == route || route == format!("{}-{}", segment.origin, segment.destination)
}

/// The flights of the `number`-th order as they stand.
fn flights_of(flown: &Flown, number: u16) -> Vec<Flight<'_>> {
    let journeys = flown.of_order(number).chunk_by(|one, next| one.journey == next.journey);
    let flights = journeys.flat_map(|journey| {
        let origin = journey.first().map(|flight| flight.segment.origin.as_str());
        let destination = journey.last().map(|flight| flight.segment.destination.as_str());
        let route = format!("{}-{}", origin.unwrap_or_default(), destination.unwrap_or_default());
        journey.iter().map(move |flight| (segment_id(flight.number), route.clone(), flight))
    });
    flights.collect()
}

fn pnr_detail(
    booking: &Booking<Itinerary>,
    order: &Order<SupplierOrder>,
    airline_pnr: &str,
    flights: &[Flight<'_>],
    can: OrderAbilities,
) -> PnrDetail {
    let content = order.content.as_ref();
    let airline = flights.first().map(|(_, _, flight)| flight.segment.airline.to_string());
    let segment_refs: Vec<String> = flights.iter().map(|(name, ..)| name.clone()).collect();
    let bought = sold(booking, order.number).iter().map(|sold| bought_ancillary(flights, sold));
    PnrDetail {
        pnr: content.map(|content| content.pnr.clone()).unwrap_or_default(),
        airline_pnr: airline_pnr.to_owned(),
        airline: airline.unwrap_or_default(),
        supplier: order.supplier.clone(),
        supplier_ref: order.supplier_order_id.clone().unwrap_or_default(),
        status: order.status.as_ref().into(),
        can,
        ancillaries: bought
            .filter(|bought| bought.segment_refs.iter().any(|name| segment_refs.contains(name)))
            .collect(),
        segment_refs,
    }
}

/// What was sold with the `number`-th order beside the fare.
pub fn sold(booking: &Booking<Itinerary>, number: u16) -> &[SoldAncillary] {
    let sale = booking.sale(number);
    sale.map(|sale| sale.ancillaries.as_slice()).unwrap_or_default()
}

/// It goes with the flights that came in the place of those for which it was sold.
fn bought_ancillary(flights: &[Flight<'_>], sold: &SoldAncillary) -> BoughtAncillary {
    let covers = |flight: &FlownFlight| {
        let mut places = flight.sold_places.iter();
        places.any(|place| sold.segments.contains(place))
    };
    BoughtAncillary {
        kind: sold.kind.as_str().into(),
        code: sold.code.clone(),
        name: sold.name.clone(),
        pax_id: sold.traveller.to_string(),
        segment_refs: flights
            .iter()
            .filter(|(_, _, flight)| covers(flight))
            .map(|(name, ..)| name.clone())
            .collect(),
        quantity: sold.quantity,
        price: amount(sold.total),
    }
}
