//! What answers a search: trips, each with its fares, and one fare again by its price id.

use rust_decimal::Decimal;

use super::World;
use super::errors::ApiError;
use super::price_ids::{PriceRef, Request};
use super::pricing::Price;
use super::sold_fare::Sold;
use super::trip_parts::{self, Part, TripType};
use crate::airlines::Style;
use crate::fault_injection::InjectedFault;
use crate::inventory::Inventory;
use crate::itinerary::Bundle;

#[derive(Debug, Clone)]
pub(super) struct Offered {
    pub(super) price_ref: PriceRef,
    pub(super) sold: Sold,
    pub(super) searched: Price,
    pub(super) gone: bool,
}

/// The same flights, and every fare that they are sold at.
pub(super) struct Trip {
    pub(super) fares: Vec<Fare>,
}

pub(super) struct Fare {
    pub(super) offered: Offered,
    /// Its own name, and that of the fare of the other way that it is sold with.
    pub(super) pairing: Option<Pairing>,
}

/// How two fares that are sold together name each other.
pub(super) struct Pairing {
    pub(super) own: String,
    pub(super) other: String,
}

/// A trip of the inventory: its bundles, each with its place among all of the part.
type Group = Vec<(u16, Bundle)>;

fn groups(world: &World, part: &Part) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (place, bundle) in (0..).zip(world.inventory.bundles(&part.search)) {
        let same_trip = |group: &&mut Group| {
            group.first().is_some_and(|(_, first)| {
                first.airline == bundle.airline && first.journeys == bundle.journeys
            })
        };
        match groups.last_mut().filter(same_trip) {
            Some(group) => group.push((place, bundle)),
            None => groups.push(vec![(place, bundle)]),
        }
    }
    groups
}

fn flown(group: &Group) -> Option<&Bundle> {
    group.first().map(|(_, bundle)| bundle)
}

/// All trips that answer a search, under the key of each part. Airlines are codes; without one, all are asked.
pub(super) fn answering(world: &World, request: &Request, airlines: &[String]) -> Vec<(String, Vec<Trip>)> {
    let search = &request.stamped.search;
    let is_wanted = |group: &Group| {
        flown(group).is_some_and(|bundle| {
            let connects = bundle.journeys.iter().any(|journey| !journey.then.is_empty());
            Inventory::is_sold_at(bundle, request.stamped.at)
                && (connects || !request.only_connections)
                && (airlines.is_empty() || airlines.iter().any(|code| code == bundle.airline.code))
        })
    };
    let parts: Vec<(Part, Vec<(usize, Group)>)> = trip_parts::parts(search)
        .into_iter()
        .map(|part| {
            let groups = groups(world, &part).into_iter().enumerate();
            let wanted = groups.filter(|(_, group)| is_wanted(group)).collect();
            (part, wanted)
        })
        .collect();
    let pairs = match parts.as_slice() {
        [(_, onward), (_, back)] if TripType::of(search) == TripType::Return => pairs(onward, back),
        _ => Vec::new(),
    };
    (0_u8..)
        .zip(parts)
        .map(|(at, (part, groups))| {
            let own_pairs: Vec<(Twin, Twin)> =
                pairs
                    .iter()
                    .map(|(onward, back)| {
                        if at == 0 { (onward.clone(), back.clone()) } else { (back.clone(), onward.clone()) }
                    })
                    .collect();
            let trips = groups
                .into_iter()
                .map(|(trip, group)| Trip { fares: fares(world, request, at, trip, &group, &own_pairs) });
            (part.key, trips.collect())
        })
        .collect()
}

/// A fare that is sold together with another.
#[derive(Clone)]
struct Twin {
    place: u16,
    name: String,
}

/// The fares of a domestic return that are sold for both ways together, one to one: those of the first trips of each
/// network airline that fit behind each other.
fn pairs(onward: &[(usize, Group)], back: &[(usize, Group)]) -> Vec<(Twin, Twin)> {
    let mut pairs = Vec::new();
    let mut paired: Vec<&str> = Vec::new();
    for (_, there) in onward {
        let Some(first) = flown(there) else { continue };
        let airline = first.airline;
        if airline.style != Style::Network || paired.contains(&airline.code) {
            continue;
        }
        let fits = |(_, group): &&(usize, Group)| {
            flown(group).is_some_and(|bundle| bundle.airline == airline && follows(first, bundle))
        };
        let Some((_, here)) = back.iter().find(fits) else { continue };
        paired.push(airline.code);
        for (place, fare) in there {
            let same = here.iter().find(|(_, other)| other.cabin == fare.cabin && other.brand == fare.brand);
            if let Some((other_place, other)) = same {
                pairs.push((Twin::of(*place, fare), Twin::of(*other_place, other)));
            }
        }
    }
    pairs
}

impl Twin {
    fn of(place: u16, bundle: &Bundle) -> Self {
        let flights = bundle
            .journeys
            .first()
            .map(|journey| format!("{}{}", journey.first.airline.code, journey.first.number));
        Self { place, name: format!("{}{}", 4_000 + u32::from(place), flights.unwrap_or_default()) }
    }
}

/// Whether one can fly `back` after `there` has arrived.
pub(super) fn follows(there: &Bundle, back: &Bundle) -> bool {
    let arrival = there.journeys.last().map(|journey| journey.departure() + journey.duration());
    arrival <= back.departure()
}

/// All fares of a trip: first those that are sold with another, then those that stand alone.
fn fares(
    world: &World,
    request: &Request,
    part: u8,
    trip: usize,
    group: &Group,
    pairs: &[(Twin, Twin)],
) -> Vec<Fare> {
    let fare = |place: u16, bundle: &Bundle, twin: Option<&(Twin, Twin)>| {
        let price_ref =
            PriceRef { request: request.clone(), part, place, twin: twin.map(|(_, other)| other.place) };
        Fare {
            offered: offered(world, price_ref, trip, bundle.clone()),
            pairing: twin.map(|(own, other)| Pairing { own: own.name.clone(), other: other.name.clone() }),
        }
    };
    let special = group.iter().filter_map(|(place, bundle)| {
        let twin = pairs.iter().find(|(own, _)| own.place == *place)?;
        Some(fare(*place, bundle, Some(twin)))
    });
    let alone = group.iter().map(|(place, bundle)| fare(*place, bundle, None));
    special.chain(alone).collect()
}

fn offered(world: &World, price_ref: PriceRef, trip: usize, bundle: Bundle) -> Offered {
    let id = price_ref.id(world.seed, &bundle);
    let search = &price_ref.request.stamped.search;
    let changes = world.state.changes.get(&id).unwrap_or_default();
    let is_special = price_ref.twin.is_some();
    let price = |percents: &[Decimal]| Price::of(world, &bundle, &search.party, is_special, percents);
    Offered {
        searched: price(&[]),
        gone: changes.sold_out,
        sold: Sold {
            id,
            part: price_ref.part,
            trip,
            is_of_return: TripType::of(search) == TripType::Return,
            is_special,
            price: price(&changes.percents),
            bundle,
            party: search.party.clone(),
            scenario: search.scenario,
        },
        price_ref,
    }
}

/// A fare by its price id, where its time is not over.
pub(super) fn find(world: &World, id: &str) -> Result<Offered, ApiError> {
    let price_ref = PriceRef::of_id(world.seed, id).ok_or_else(ApiError::expired)?;
    let stamped = &price_ref.request.stamped;
    if stamped.expires_at() <= world.clock.now() {
        return Err(ApiError::expired());
    }
    let part = trip_parts::parts(&stamped.search)
        .into_iter()
        .nth(usize::from(price_ref.part))
        .ok_or_else(ApiError::expired)?;
    let mut places = groups(world, &part)
        .into_iter()
        .enumerate()
        .flat_map(|(trip, group)| group.into_iter().map(move |fare| (trip, fare)));
    let (trip, (_, bundle)) =
        places.find(|(_, (place, _))| *place == price_ref.place).ok_or_else(ApiError::expired)?;
    Ok(offered(world, price_ref, trip, bundle))
}

/// A fare by its price id, after an injected fault.
pub(super) fn read(world: &World, id: &str, injected: InjectedFault) -> Result<Offered, ApiError> {
    Ok(find(world, id)?.read_again(world, injected))
}

impl Offered {
    /// The fare as the airline sees it now, however old its price id is, after an injected fault.
    pub(super) fn read_again(&self, world: &World, injected: InjectedFault) -> Self {
        let (id, expires_at) = (self.sold.id.clone(), self.price_ref.request.stamped.expires_at());
        world.state.changes.after(id, injected, expires_at, world.clock.now());
        offered(world, self.price_ref.clone(), self.sold.trip, self.sold.bundle.clone())
    }
}
