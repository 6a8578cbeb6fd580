//! TripJack's words for flights and fares, in a search as in a review and in a booking.

use serde_json::{Map, Value, json};

use super::World;
use super::offers::Fare;
use super::pricing::PaxPrice;
use super::sold_fare::Sold;
use super::wire::{airline, airport, cabin_name, kind_name, local};
use crate::airlines::Style;
use crate::fares;
use crate::itinerary::{Brand, Flight, Journey, PassengerType, Traveller};
use crate::json::without_nulls;
use crate::rng::Rng;

pub(super) fn segments(sold: &Sold) -> Vec<Value> {
    let mut segments = Vec::new();
    for (at, journey) in sold.journeys().enumerate() {
        let is_way_back = sold.is_way_back(at);
        for (place, flight) in journey.flights().enumerate() {
            let id = sold.segment_id(segments.len());
            segments.push(segment(&id, journey, place, flight, is_way_back));
        }
    }
    segments
}

fn segment(id: &str, journey: &Journey, place: usize, flight: &Flight, is_way_back: bool) -> Value {
    let next = journey.flights().nth(place + 1);
    let operator = (flight.operator != flight.airline).then(|| airline(flight.operator));
    without_nulls(json!({
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
        "cT": next.map(|next| (next.departs - flight.arrives).num_minutes()),
        "oB": operator,
    }))
}

/// Whether a fare comes without checked baggage, and is sold as such.
fn is_hand_baggage_only(sold: &Sold) -> bool {
    let bundle = &sold.bundle;
    bundle.airline.style == Style::LowCost && bundle.brand == Brand::Basic
}

fn fare_identifier(sold: &Sold) -> &'static str {
    if sold.is_special {
        "SPECIAL_RETURN"
    } else if is_hand_baggage_only(sold) {
        "HANDBAGGAGE"
    } else {
        "PUBLISHED"
    }
}

pub(super) fn listed(world: &World, fare: &Fare) -> Value {
    let sold = &fare.offered.sold;
    without_nulls(json!({
        "fd": fares_by_kind(world, sold, View::Search),
        "fareIdentifier": fare_identifier(sold),
        "id": sold.id,
        "msri": fare.pairing.iter().map(|pairing| &pairing.other).collect::<Vec<_>>(),
        "messages": [],
        "tai": { "tbi": baggage_by_segment(world, sold) },
        "icca": false,
        "sri": fare.pairing.as_ref().map(|pairing| &pairing.own),
    }))
}

/// The one fare that was chosen of a trip, as reviews and bookings have it.
pub(super) fn chosen(world: &World, sold: &Sold) -> Value {
    json!({
        "fd": fares_by_kind(world, sold, View::Review),
        "fareIdentifier": fare_identifier(sold),
        "id": sold.id,
        "messages": [],
        "pc": airline(sold.bundle.airline),
    })
}

/// Where fares are sent: only a review says what they give back, and whether they are for hand baggage only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    Search,
    Review,
}

fn fares_by_kind(world: &World, sold: &Sold, view: View) -> Value {
    let fares = sold.price.by_kind.iter().map(|(kind, _, price)| {
        let body = pax_fare(world, sold, *kind, price, view);
        (kind_name(*kind).to_owned(), Value::Object(body))
    });
    Value::Object(fares.collect())
}

fn pax_fare(
    world: &World,
    sold: &Sold,
    kind: PassengerType,
    price: &PaxPrice,
    view: View,
) -> Map<String, Value> {
    let bundle = &sold.bundle;
    let mut body = price.members(view == View::Review);
    let mut put = |name: &str, value: Value| {
        body.insert(name.to_owned(), value);
    };
    if view == View::Review && is_hand_baggage_only(sold) {
        put("isHB", json!(true));
    }
    // Low-cost airlines say little of infants, who sit on laps.
    if kind == PassengerType::Infant && bundle.airline.style == Style::LowCost {
        return body;
    }
    let traveller = Traveller { kind, age: None };
    let fare_basis = fares::fare_basis(world.seed, bundle, traveller);
    if let Some(flight) = bundle.journeys.first().map(|journey| &journey.first) {
        put("bI", baggage(world, sold, flight, kind));
    }
    put("sR", json!(seats_left(world, sold)));
    put(
        "rT",
        json!(match bundle.brand {
            Brand::Basic => 0,
            Brand::Standard => 2,
            Brand::Flex => 1,
        }),
    );
    put("cc", json!(cabin_name(bundle.cabin)));
    put("cB", json!(fare_basis.chars().take(1).collect::<String>()));
    put("fB", json!(fare_basis));
    if view == View::Search {
        put("mI", json!(bundle.airline.style == Style::Network));
    }
    body
}

/// How many seats are left at the fare; always enough for the party.
fn seats_left(world: &World, sold: &Sold) -> u32 {
    let party = &sold.party;
    let seated = party.iter().filter(|traveller| traveller.kind != PassengerType::Infant);
    let fewest = u32::try_from(seated.count()).unwrap_or(9).clamp(1, 9);
    Rng::of(world.seed, &format!("left/{}", sold.bundle.name())).between(fewest, 9)
}

/// Baggage in an airline's own words, of which there are several.
fn baggage(world: &World, sold: &Sold, flight: &Flight, kind: PassengerType) -> Value {
    let bundle = &sold.bundle;
    let traveller = Traveller { kind, age: None };
    let scenario = sold.scenario;
    let bags = fares::bags(bundle, flight, traveller, scenario);
    let stays_in_country = flight.from.iso_country == flight.to.iso_country;
    let kilograms = match kind {
        PassengerType::Infant => 10,
        _ => u32::from(bags.checked) * if stays_in_country { 15 } else { 25 },
    };
    let words = Rng::of(world.seed, &format!("baggage/{}", bundle.airline.code)).between(0, 3);
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

fn baggage_by_segment(world: &World, sold: &Sold) -> Value {
    let kinds = || sold.price.by_kind.iter().map(|(kind, ..)| *kind);
    let flights = sold.flights().enumerate();
    let by_segment = flights.map(|(at, flight)| {
        let of_kind = |kind| {
            let name = kind_name(kind).to_owned();
            Value::Object(Map::from_iter([(name, baggage(world, sold, flight, kind))]))
        };
        (sold.segment_id(at), kinds().map(of_kind).collect())
    });
    Value::Object(by_segment.collect())
}
