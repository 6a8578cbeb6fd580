//! What an offer sells besides the fare, under ids that are new at each reading, and the buying of it.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::errors::Failure;
use super::fields::Fields;
use super::offers::Offered;
use super::service::{Pieces, ServiceBody};
use super::trip::segment_id;
use crate::asked::{opened, sealed};
use crate::dice::Dice;
use crate::extras::{self, Extra, ExtraKind};
use crate::itinerary::Kind;
use crate::server::World;
use crate::tariff::Tariff;

/// A service that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) id: String,
    pub(super) quantity: u32,
}

/// An extra that was bought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bought {
    pub(super) extra: Extra,
    pub(super) quantity: u32,
}

/// What extras cost together.
pub(super) fn cost(tariff: &Tariff, bought: &[Bought]) -> Decimal {
    bought.iter().fold(tariff.zero(), |sum, each| {
        sum + each.extra.price * Decimal::from(each.quantity)
    })
}

/// The bags that an offer sells, as one reading of it lists them.
pub(super) fn bag_bodies(
    world: &World,
    offered: &Offered,
    reading: u32,
    passenger_ids: &[String],
) -> Vec<ServiceBody> {
    let segment = |slice, flight| segment_id(world.seed, &offered.id, (slice, flight), 0);
    let bags = extras::bags(world.seed, &world.tariff, &offered.bundle, &offered.asked.search);
    let body = |(place, bag): (usize, &Extra)| {
        let id = Ware::Bag { place }.id(world, &offered.id, reading);
        ServiceBody::of(
            id,
            bag,
            Pieces::AtMost(bag.most),
            world.tariff.currency,
            passenger_ids,
            segment,
        )
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
    let seat = Ware::Seat {
        journey: place.0,
        flight: place.1,
        traveller,
        designator: designator.to_owned(),
    };
    seat.id(world, offer_id, reading)
}

/// What the id of a service stands for.
enum Ware {
    /// By its place in the offer's list of bags.
    Bag { place: usize },
    Seat {
        journey: usize,
        flight: usize,
        traveller: usize,
        designator: String,
    },
}

impl Ware {
    fn id(&self, world: &World, offer_id: &str, reading: u32) -> String {
        let byte = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        let mut bytes = Dice::of(world.seed, offer_id).roll().to_be_bytes().to_vec();
        bytes.extend(reading.to_be_bytes());
        match self {
            Self::Bag { place } => bytes.extend([b'b', byte(*place)]),
            Self::Seat {
                journey,
                flight,
                traveller,
                designator,
            } => {
                bytes.extend([b's', byte(*journey), byte(*flight), byte(*traveller)]);
                bytes.extend(designator.bytes());
            }
        }
        format!("ase_{}", sealed(world.seed, bytes))
    }

    /// The ware and its reading, where the id is one of this offer's.
    fn of_id(world: &World, offer_id: &str, id: &str) -> Option<(Self, u32)> {
        let bytes = opened(world.seed, id.strip_prefix("ase_")?)?;
        let own = Dice::of(world.seed, offer_id).roll().to_be_bytes();
        let rest = bytes.strip_prefix(&own)?;
        let (reading, rest) = rest.split_first_chunk()?;
        let ware = match rest {
            [b'b', place] => Self::Bag {
                place: usize::from(*place),
            },
            [b's', journey, flight, traveller, designator @ ..] => Self::Seat {
                journey: usize::from(*journey),
                flight: usize::from(*flight),
                traveller: usize::from(*traveller),
                designator: String::from_utf8(designator.to_vec()).ok()?,
            },
            _ => return None,
        };
        Some((ware, u32::from_be_bytes(*reading)))
    }
}

/// The services that a body asks for.
pub(super) fn wanted(fields: &Fields<'_>, name: &str) -> Vec<Wish> {
    let wish = |service: &Fields<'_>| {
        let id = service.text("id")?.to_owned();
        let quantity = if service.has("quantity") {
            service.optional_number("quantity", 1, 9)?
        } else {
            1
        };
        Some(Wish {
            id,
            quantity: u32::try_from(quantity).ok()?,
        })
    };
    let wishes: Vec<Wish> = fields.optional_list(name).iter().filter_map(wish).collect();
    for (at, wish) in wishes.iter().enumerate() {
        if wishes.iter().take(at).any(|earlier| earlier.id == wish.id) {
            fields.wrong(
                &format!("{name}/{at}/id"),
                "validation_unique",
                "Field 'id' must be unique",
            );
        }
    }
    wishes
}

/// What was asked for, where the offer sells it.
pub(super) fn buy(
    world: &World,
    offered: &Offered,
    wishes: &[Wish],
    fields: &Fields<'_>,
    name: &str,
) -> Result<Vec<Bought>, Failure> {
    let mut bought: Vec<Bought> = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        let extra = extra(world, offered, &wish.id);
        let extra = extra.ok_or_else(|| Failure::linked_record_not_found(&format!("/{name}/{at}/id")))?;
        if wish.quantity > extra.most {
            let message = format!("Field 'quantity' must be at most {}", extra.most);
            fields.wrong(&format!("{name}/{at}/quantity"), "validation_inclusion", message);
        }
        let is_seat = matches!(extra.kind, ExtraKind::Seat { .. });
        let clashes = |other: &&Bought| {
            let same_flight = other.extra.journey == extra.journey && other.extra.flights == extra.flights;
            let same = other.extra.traveller == extra.traveller || other.extra.kind == extra.kind;
            is_seat && same_flight && same && matches!(other.extra.kind, ExtraKind::Seat { .. })
        };
        if bought.iter().any(|other| clashes(&other)) {
            let message = "Each passenger can only have one seat per segment, and each seat one passenger";
            fields.wrong(&format!("{name}/{at}/id"), "validation_unique", message);
        }
        bought.push(Bought {
            extra,
            quantity: wish.quantity,
        });
    }
    Ok(bought)
}

/// What the id of a service stands for, where it comes from the latest reading.
fn extra(world: &World, offered: &Offered, id: &str) -> Option<Extra> {
    let (ware, reading) = Ware::of_id(world, &offered.id, id)?;
    let search = &offered.asked.search;
    let latest = match ware {
        Ware::Bag { .. } => offered.moved.bags_reading,
        Ware::Seat { .. } => offered.moved.seats_reading,
    };
    // After a restart no reading is known, and any is as good.
    if latest.is_some_and(|latest| latest != reading) {
        return None;
    }
    match ware {
        Ware::Bag { place } => extras::bags(world.seed, &world.tariff, &offered.bundle, search)
            .into_iter()
            .nth(place),
        Ware::Seat {
            journey,
            flight,
            traveller,
            designator,
        } => {
            let plans = extras::seat_plans(world.seed, &world.tariff, &offered.bundle, search);
            let plan = plans
                .iter()
                .find(|plan| plan.journey == journey && plan.flight == flight)?;
            let kind: Kind = search.party.get(traveller)?.kind;
            extras::seat(plan, &designator, traveller, kind)
        }
    }
}
