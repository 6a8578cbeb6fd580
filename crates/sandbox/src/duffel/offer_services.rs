//! What an offer sells besides the fare, under ids that are new at each reading, and the buying of it.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::World;
use super::bookings::Bought;
use super::errors::ApiError;
use super::errors::{INCLUSION, UNIQUE};
use super::fields::Fields;
use super::ids::segment_id;
use super::offered::Offered;
use super::service_body::{Quantity, service};
use crate::ancillaries::{self, Ancillary, AncillaryKind};
use crate::itinerary::PassengerType;
use crate::rng::Rng;
use crate::search_ids::{opened, sealed};
use crate::tariff::Tariff;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServiceRequest {
    pub(super) id: String,
    pub(super) quantity: u32,
}

pub(super) fn cost(tariff: &Tariff, bought: &[Bought]) -> Decimal {
    bought.iter().fold(tariff.zero(), |sum, each| sum + each.extra.price * Decimal::from(each.quantity))
}

/// The bags that an offer sells, as one reading of it lists them.
pub(super) fn bag_bodies(
    world: &World,
    offered: &Offered,
    reading: u32,
    passenger_ids: &[String],
) -> Vec<Value> {
    let segment = |slice, flight| segment_id(world.seed, &offered.id, (slice, flight), 0);
    let search = &offered.stamped.search;
    let bags = ancillaries::bags(world.seed, &world.tariff, &offered.bundle, search);
    let body = |(place, bag): (usize, &Ancillary)| {
        let id = ServiceRef::Bag(place).id(world, &offered.id, reading);
        let quantity = Quantity::AtMost(bag.most);
        service(&id, bag, quantity, world.tariff.currency, passenger_ids, segment)
    };
    bags.iter().enumerate().map(body).collect()
}

/// The id under which a seat is sold to a traveller, in one reading of the seat maps.
pub(super) fn seat_id(
    world: &World,
    offer_id: &str,
    reading: u32,
    place: (usize, usize),
    traveller: usize,
    designator: &str,
) -> String {
    let seat =
        ServiceRef::Seat { journey: place.0, flight: place.1, traveller, designator: designator.to_owned() };
    seat.id(world, offer_id, reading)
}

#[derive(Serialize, Deserialize)]
enum ServiceRef {
    /// By its place in the offer's list of bags.
    Bag(usize),
    Seat {
        journey: usize,
        flight: usize,
        traveller: usize,
        designator: String,
    },
}

impl ServiceRef {
    fn id(&self, world: &World, offer_id: &str, reading: u32) -> String {
        let offer = Rng::of(world.seed, offer_id).next_u64();
        format!("ase_{}", sealed(world.seed, &(offer, reading, self)))
    }

    /// The service and its reading, where the id is one of this offer's.
    fn of_id(world: &World, offer_id: &str, id: &str) -> Option<(Self, u32)> {
        let (offer, reading, service): (u64, _, _) = opened(world.seed, id.strip_prefix("ase_")?)?;
        (offer == Rng::of(world.seed, offer_id).next_u64()).then_some((service, reading))
    }
}

pub(super) fn wanted(fields: &Fields<'_>, name: &str) -> Vec<ServiceRequest> {
    let request = |service: &Fields<'_>| {
        let id = service.text("id")?.to_owned();
        let quantity = if service.has("quantity") { service.optional_number("quantity", 1, 9)? } else { 1 };
        Some(ServiceRequest { id, quantity: u32::try_from(quantity).ok()? })
    };
    let requests: Vec<ServiceRequest> = fields.optional_list(name).iter().filter_map(request).collect();
    for (at, request) in requests.iter().enumerate() {
        if requests.iter().take(at).any(|earlier| earlier.id == request.id) {
            fields.wrong(&format!("{name}/{at}/id"), UNIQUE, "must be unique");
        }
    }
    requests
}

/// What was asked for, where the offer sells it.
pub(super) fn buy(
    world: &World,
    offered: &Offered,
    requests: &[ServiceRequest],
    fields: &Fields<'_>,
    name: &str,
) -> Result<Vec<Bought>, ApiError> {
    let mut bought: Vec<Bought> = Vec::new();
    for (at, request) in requests.iter().enumerate() {
        let extra = extra(world, offered, &request.id);
        let extra = extra.ok_or_else(|| ApiError::linked_record_not_found(&format!("/{name}/{at}/id")))?;
        if request.quantity > extra.most {
            let message = format!("must be at most {}", extra.most);
            fields.wrong(&format!("{name}/{at}/quantity"), INCLUSION, message);
        }
        let is_seat = matches!(extra.kind, AncillaryKind::Seat { .. });
        let clashes = |other: &&Bought| {
            let same_flight = other.extra.journey == extra.journey && other.extra.flights == extra.flights;
            let same = other.extra.traveller == extra.traveller || other.extra.kind == extra.kind;
            is_seat && same_flight && same && matches!(other.extra.kind, AncillaryKind::Seat { .. })
        };
        if bought.iter().any(|other| clashes(&other)) {
            let message = "Each passenger can only have one seat per segment, and each seat one passenger";
            fields.wrong_message(&format!("{name}/{at}/id"), UNIQUE, message);
        }
        bought.push(Bought { extra, quantity: request.quantity });
    }
    Ok(bought)
}

/// What is sold under the id of a service, where it comes from the latest reading.
fn extra(world: &World, offered: &Offered, id: &str) -> Option<Ancillary> {
    let (service, reading) = ServiceRef::of_id(world, &offered.id, id)?;
    let search = &offered.stamped.search;
    let latest = match service {
        ServiceRef::Bag(_) => offered.state.bags_reading,
        ServiceRef::Seat { .. } => offered.state.seats_reading,
    };
    // After a restart no reading is known, and any is as good.
    if latest.is_some_and(|latest| latest != reading) {
        return None;
    }
    match service {
        ServiceRef::Bag(place) => {
            ancillaries::bags(world.seed, &world.tariff, &offered.bundle, search).into_iter().nth(place)
        }
        ServiceRef::Seat { journey, flight, traveller, designator } => {
            let plans = ancillaries::seat_plans(world.seed, &world.tariff, &offered.bundle, search);
            let plan = plans.iter().find(|plan| plan.journey == journey && plan.flight == flight)?;
            let kind: PassengerType = search.party.get(traveller)?.kind;
            ancillaries::seat(plan, &designator, traveller, kind)
        }
    }
}
