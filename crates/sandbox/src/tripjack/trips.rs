//! TripJack's words for flights and fares, in a search as in a review and in a booking.

use serde_json::{Map, Value, json};

use super::offers::{Fare, Offered};
use super::pricing::PaxPrice;
use super::wire::{airline, airport, cabin_name, kind_name, local};
use crate::airlines::Style;
use crate::dice::Dice;
use crate::fares;
use crate::itinerary::{Brand, Flight, Journey, Kind, Traveller};
use crate::server::World;

/// The flights of a fare.
pub(super) fn segments(offered: &Offered) -> Vec<Value> {
    let mut segments = Vec::new();
    for (at, journey) in offered.journeys().enumerate() {
        let is_way_back = offered.is_way_back(at);
        for (place, flight) in journey.flights().enumerate() {
            let id = offered.segment_id(segments.len());
            segments.push(segment(&id, journey, place, flight, is_way_back));
        }
    }
    segments
}

fn segment(id: &str, journey: &Journey, place: usize, flight: &Flight, is_way_back: bool) -> Value {
    let mut body = json!({
        "id": id,
        "fD": {
            "aI": airline(flight.airline),
            "fN": flight.number.to_string(),
            "eT": flight.aircraft.code,
        },
        "stops": flight.stops.len(),
        "so": flight.stops.iter().map(|stop| airport(stop.at, None)).collect::<Vec<_>>(),
        "duration": flight.duration().num_minutes(),
        "da": airport(flight.from, flight.from_terminal),
        "aa": airport(flight.to, flight.to_terminal),
        "dt": local(flight.departs),
        "at": local(flight.arrives),
        // Recorded as false of flights that arrive a day later, too.
        "iand": false,
        "isRs": is_way_back,
        "sN": place,
    });
    if let Value::Object(members) = &mut body {
        if let Some(next) = journey.flights().nth(place + 1) {
            let wait = next.departs - flight.arrives;
            members.insert("cT".to_owned(), json!(wait.num_minutes()));
        }
        if flight.operator != flight.airline {
            members.insert("oB".to_owned(), airline(flight.operator));
        }
    }
    body
}

/// Whether a fare comes without checked baggage, and is sold as such.
fn is_hand_baggage_only(offered: &Offered) -> bool {
    let bundle = &offered.bundle;
    bundle.airline.style == Style::LowCost && bundle.brand == Brand::Basic
}

/// TripJack's name for a kind of fare.
pub(super) fn fare_identifier(offered: &Offered) -> &'static str {
    if offered.price_ref.twin.is_some() {
        "SPECIAL_RETURN"
    } else if is_hand_baggage_only(offered) {
        "HANDBAGGAGE"
    } else {
        "PUBLISHED"
    }
}

/// A fare as a search lists it.
pub(super) fn listed(world: &World, fare: &Fare) -> Value {
    let offered = &fare.offered;
    let mut body = json!({
        "fd": fares_by_kind(world, offered, Told::AtSearch),
        "fareIdentifier": fare_identifier(offered),
        "id": offered.id,
        "msri": fare.pairing.iter().map(|pairing| &pairing.other).collect::<Vec<_>>(),
        "messages": [],
        "tai": { "tbi": baggage_by_segment(world, offered) },
        "icca": false,
    });
    if let (Value::Object(members), Some(pairing)) = (&mut body, &fare.pairing) {
        members.insert("sri".to_owned(), json!(pairing.own));
    }
    body
}

/// Where fares are told: only a review tells what they give back, and whether they are for hand baggage only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    AtSearch,
    AtReview,
}

/// The fare of each kind of traveller.
pub(super) fn fares_by_kind(world: &World, offered: &Offered, told: Told) -> Value {
    let fares = offered.price.by_kind.iter().map(|(kind, _, price)| {
        let body = pax_fare(world, offered, *kind, price, told);
        (kind_name(*kind).to_owned(), Value::Object(body))
    });
    Value::Object(fares.collect())
}

fn pax_fare(
    world: &World,
    offered: &Offered,
    kind: Kind,
    price: &PaxPrice,
    told: Told,
) -> Map<String, Value> {
    let bundle = &offered.bundle;
    let mut body = price.members(told == Told::AtReview);
    let mut tell = |name: &str, value: Value| {
        body.insert(name.to_owned(), value);
    };
    if told == Told::AtReview && is_hand_baggage_only(offered) {
        tell("isHB", json!(true));
    }
    // Low-cost airlines say little of infants, who sit on laps.
    if kind == Kind::Infant && bundle.airline.style == Style::LowCost {
        return body;
    }
    let traveller = Traveller { kind, age: None };
    let fare_basis = fares::fare_basis(world.seed, bundle, traveller);
    if let Some(flight) = bundle.journeys.first().map(|journey| &journey.first) {
        tell("bI", baggage(world, offered, flight, kind));
    }
    tell("sR", json!(seats_left(world, offered)));
    tell(
        "rT",
        json!(match bundle.brand {
            Brand::Basic => 0,
            Brand::Standard => 2,
            Brand::Flex => 1,
        }),
    );
    tell("cc", json!(cabin_name(bundle.cabin)));
    tell("cB", json!(fare_basis.chars().take(1).collect::<String>()));
    tell("fB", json!(fare_basis));
    if told == Told::AtSearch {
        tell("mI", json!(bundle.airline.style == Style::Network));
    }
    body
}

/// How many seats are left at the fare; always enough for the party.
fn seats_left(world: &World, offered: &Offered) -> u32 {
    let party = &offered.price_ref.request.asked.search.party;
    let seated = party.iter().filter(|traveller| traveller.kind != Kind::Infant);
    let fewest = u32::try_from(seated.count()).unwrap_or(9).clamp(1, 9);
    Dice::of(world.seed, &format!("left/{}", offered.bundle.name())).between(fewest, 9)
}

/// Baggage in an airline's own words, of which there are several.
fn baggage(world: &World, offered: &Offered, flight: &Flight, kind: Kind) -> Value {
    let bundle = &offered.bundle;
    let traveller = Traveller { kind, age: None };
    let wishes = offered.price_ref.request.asked.search.wishes;
    let bags = fares::bags(bundle, flight, traveller, wishes);
    let stays_in_country = flight.from.iso_country == flight.to.iso_country;
    let kilograms = match kind {
        Kind::Infant => 10,
        _ => u32::from(bags.checked) * if stays_in_country { 15 } else { 25 },
    };
    let words = Dice::of(world.seed, &format!("baggage/{}", bundle.airline.code)).between(0, 3);
    let checked = match (kilograms, words) {
        (0, _) => "0Default".to_owned(),
        (_, 0) => format!("{kilograms} Kg"),
        (_, 1) => format!("{kilograms}KG"),
        (_, 2) => format!("{kilograms} Kilograms"),
        _ => format!("{kilograms} Kg ({:02} Piece only)", bags.checked.max(1)),
    };
    match words {
        // Who writes kilograms in full says nothing of the cabin.
        2 => json!({ "iB": checked }),
        1 => json!({ "iB": checked, "cB": "7Kg" }),
        _ => json!({ "iB": checked, "cB": "7 Kg" }),
    }
}

fn baggage_by_segment(world: &World, offered: &Offered) -> Value {
    let kinds = || offered.price.by_kind.iter().map(|(kind, ..)| *kind);
    let flights = offered.journeys().flat_map(Journey::flights).enumerate();
    let by_segment = flights.map(|(at, flight)| {
        let of_kind = |kind| {
            let name = kind_name(kind).to_owned();
            Value::Object(Map::from_iter([(name, baggage(world, offered, flight, kind))]))
        };
        (offered.segment_id(at), kinds().map(of_kind).collect())
    });
    Value::Object(by_segment.collect())
}
