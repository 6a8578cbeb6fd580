//! Which journeys of a booking a new itinerary takes the place of, and the orders that are given back with them.
//! Nothing is given back that the request does not name, by its number or by its cities (D-123).

use std::collections::{BTreeMap, BTreeSet};

use wayfare_contract::WholeOrder;
use wayfare_domain::{Faults, OrderPart, PartyMember, Traveller};
use wayfare_flights::{Cabin, Itinerary, Journey};
use wayfare_reference::airport;

use super::super::order::abilities::taken_of;
use crate::{Engine, Error, Result, engine::booking_state::is_live, flights::Booked, people::sealed::ERASED};

pub(crate) const NOT_LIVE: &str = "is no journey of the booking that stands";
const OTHER_CITIES: &str = "must go between the cities of the new flights, one for each of them";

/// From which city to which, by their codes.
pub(super) type Route = (String, String);

/// The cities between which a journey goes.
pub(super) fn route_of(journey: &Journey) -> Route {
    let (first, last) = (journey.segments.first(), journey.segments.last());
    (
        first.map(|flight| city(&flight.origin)).unwrap_or_default(),
        last.map(|flight| city(&flight.destination)).unwrap_or_default(),
    )
}

/// The city of an airport; of one that nobody knows its own code.
pub(super) fn city(code: &str) -> String {
    airport(code).map_or(code, |known| known.city_code).to_owned()
}

/// A journey of a booking as one of its live orders has it.
struct LiveJourney<'a> {
    /// Its place among all journeys of the booking, from 0: `leg_index` of the API.
    place: usize,
    order: u16,
    route: Route,
    travellers: BTreeSet<u32>,
    journey: &'a Journey,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    orders: Vec<u16>,
    gone: OrderPart,
    /// The numbers of those whose supplier takes a journey back by itself.
    cut: BTreeSet<u16>,
}

pub(super) fn live_orders(engine: &Engine, booked: &Booked) -> Live {
    let live = || booked.orders.iter().filter(|order| is_live(order));
    let parts = live().flat_map(|order| &order.given_back);
    Live {
        orders: live().map(|order| order.number).collect(),
        gone: OrderPart(parts.flat_map(|one| one.part.0.iter().cloned()).collect()),
        cut: live()
            .filter(|order| taken_of(engine, booked, order).journeys)
            .map(|order| order.number)
            .collect(),
    }
}

/// The journeys of the live orders that somebody flies.
fn live_journeys<'a>(itinerary: &'a Itinerary, remaining: &Live) -> Result<Vec<LiveJourney<'a>>> {
    let numbered = (0..).zip(numbered(itinerary));
    let live = numbered.filter(|(_, (order, _))| remaining.orders.contains(order));
    let live: Vec<_> = live
        .map(|(place, (order, journey))| LiveJourney {
            place,
            order,
            route: route_of(journey),
            travellers: on_order(itinerary, order)
                .into_iter()
                .filter(|who| !remaining.gone.has(place, *who))
                .collect(),
            journey,
        })
        .filter(|journey| !journey.travellers.is_empty())
        .collect();
    match live.is_empty() {
        true => Err(Error::BookingCancelled),
        false => Ok(live),
    }
}

/// The number of the order of each journey, in order.
pub(super) fn numbered(itinerary: &Itinerary) -> impl Iterator<Item = (u16, &Journey)> {
    let orders = (1_u16..).zip(&itinerary.orders);
    orders.flat_map(|(number, order)| order.journeys.iter().map(move |journey| (number, journey)))
}

/// The indices of those who travel by this order.
pub(super) fn on_order(itinerary: &Itinerary, number: u16) -> BTreeSet<u32> {
    let place = usize::from(number).saturating_sub(1);
    let named = itinerary.orders.get(place).map(|order| &order.travellers);
    match named.filter(|named| !named.is_empty()) {
        Some(named) => named.iter().copied().collect(),
        None => itinerary.party.iter().map(|who| who.index).collect(),
    }
}

/// Journeys with their parts: where a party was shared out over several orders, each of them has the same journey for
/// other travellers.
fn joined<'s, 'a>(parts: impl IntoIterator<Item = &'s LiveJourney<'a>>) -> Vec<Vec<&'s LiveJourney<'a>>> {
    let mut journeys: Vec<Vec<&LiveJourney<'_>>> = Vec::new();
    for part in parts {
        let same = journeys.iter_mut().find(|others| {
            let mut others = others.iter();
            others.all(|other| other.route == part.route && other.travellers.is_disjoint(&part.travellers))
        });
        match same {
            Some(same) => same.push(part),
            None => journeys.push(vec![part]),
        }
    }
    journeys
}

fn travellers_of(journey: &[&LiveJourney<'_>]) -> BTreeSet<u32> {
    journey.iter().flat_map(|part| &part.travellers).copied().collect()
}

/// The routes in an order that is the same for the same ones.
fn sorted<'r>(routes: impl IntoIterator<Item = &'r Route>) -> Vec<&'r Route> {
    let mut routes: Vec<_> = routes.into_iter().collect();
    routes.sort();
    routes
}

/// The journeys of a booking that new flights take the place of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReplacedJourneys {
    /// Their places among all journeys of the booking, from 0.
    pub places: Vec<usize>,
    /// The numbers of the orders that are given back with them, or of which they are given back, in order.
    pub orders: Vec<u16>,
    /// Who flies them, in order of their indices.
    pub travellers: Vec<Traveller>,
}

impl ReplacedJourneys {
    /// Those that are `named` by their places; where none is, those that go between the cities of the new flights. A
    /// booking of one journey needs no names (D-123).
    ///
    /// # Errors
    /// [`Error::Invalid`] when they are not one for one with the new ones, [`Error::PartOfOrder`] when orders
    /// would be given back of which other journeys were not named.
    pub(super) fn of(
        itinerary: &Itinerary,
        remaining: &Live,
        named: &[usize],
        new: &[Route],
    ) -> Result<Self> {
        let live = live_journeys(itinerary, remaining)?;
        let is_only_one = joined(&live).len() == 1;
        let chosen: Vec<&LiveJourney<'_>> = match named {
            [] if is_only_one => live.iter().collect(),
            [] => live.iter().filter(|part| new.contains(&part.route)).collect(),
            named => by_place(&live, named)?,
        };
        let replaced = joined(chosen.iter().copied());
        let routes = replaced.iter().filter_map(|parts| parts.first()).map(|part| &part.route);
        let is_one_for_one = sorted(routes) == sorted(new);
        match named {
            [] if is_one_for_one || is_only_one => {}
            [] => return Err(Faults::of("journeys", "this field is required").into()),
            _ if is_one_for_one => {}
            _ => return Err(Faults::of("journeys", OTHER_CITIES).into()),
        }
        let travellers = replaced.first().map(|parts| travellers_of(parts)).unwrap_or_default();
        if replaced.iter().any(|parts| travellers_of(parts) != travellers) {
            return Err(Faults::of("journeys", "must be of the same travellers").into());
        }
        check_whole_orders(&live, &chosen, &remaining.cut)?;
        let places: BTreeSet<usize> = chosen.iter().map(|part| part.place).collect();
        let orders: BTreeSet<u16> = chosen.iter().map(|part| part.order).collect();
        Ok(Self {
            places: places.into_iter().collect(),
            orders: orders.into_iter().collect(),
            travellers: named_among(itinerary, &travellers)?,
        })
    }
}

/// The places of these orders' journeys among all of the booking.
pub(super) fn places_of(itinerary: &Itinerary, orders: &[u16]) -> Vec<usize> {
    let places = numbered(itinerary).enumerate();
    let theirs = places.filter(|(_, (number, _))| orders.contains(number));
    theirs.map(|(place, _)| place).collect()
}

/// For whom a journey is searched for anew, and in which cabin they fly it now.
pub(super) struct Flown {
    pub party: Vec<PartyMember>,
    pub cabin: Cabin,
}

/// The journey of this place, which has to be between these cities; where none is named all that are; where none is
/// between them, everything that stands.
///
/// # Errors
/// [`Error::Invalid`] for a place without a journey, or with one between other cities.
pub(super) fn flown(
    itinerary: &Itinerary,
    remaining: &Live,
    named: Option<usize>,
    route: &Route,
) -> Result<Flown> {
    let live = live_journeys(itinerary, remaining)?;
    let mut flown: Vec<&LiveJourney<'_>> = match named {
        Some(place) => vec![at(&live, place).ok_or_else(|| Faults::of("journey", NOT_LIVE))?],
        None => live.iter().filter(|part| part.route == *route).collect(),
    };
    if let (Some(_), Some(journey)) = (named, flown.first()) {
        let mut faults = Faults::default();
        if journey.route.0 != route.0 {
            faults.add("origin", "must be of the city from which the journey leaves");
        }
        if journey.route.1 != route.1 {
            faults.add("destination", "must be of the city to which the journey goes");
        }
        faults.or(())?;
    }
    if flown.is_empty() {
        flown = live.iter().collect();
    }
    let flights = flown.iter().flat_map(|part| &part.journey.segments);
    let cabin = flights.filter_map(|flight| flight.cabin).next();
    Ok(Flown {
        party: members_among(itinerary, &travellers_of(&flown)),
        cabin: cabin.unwrap_or(Cabin::Economy),
    })
}

fn at<'s, 'a>(live: &'s [LiveJourney<'a>], place: usize) -> Option<&'s LiveJourney<'a>> {
    live.iter().find(|part| part.place == place)
}

fn by_place<'s, 'a>(live: &'s [LiveJourney<'a>], named: &[usize]) -> Result<Vec<&'s LiveJourney<'a>>> {
    let mut faults = Faults::default();
    let mut found = BTreeMap::new();
    for (index, place) in named.iter().enumerate() {
        match at(live, *place) {
            None => faults.add(format!("journeys[{index}]"), NOT_LIVE),
            Some(part) if found.insert(*place, part).is_some() => {
                faults.add(format!("journeys[{index}]"), "must be named once");
            }
            Some(_) => {}
        }
    }
    Ok(faults.or(found.into_values().collect())?)
}

/// That no order is given back of which a journey was not chosen, but where its supplier takes journeys back one by one.
fn check_whole_orders(
    live: &[LiveJourney<'_>],
    chosen: &[&LiveJourney<'_>],
    cut: &BTreeSet<u16>,
) -> Result<()> {
    let is_chosen = |part: &LiveJourney<'_>| chosen.iter().any(|one| one.place == part.place);
    let of_order = |order: u16| live.iter().filter(move |part| part.order == order);
    let orders: BTreeSet<u16> = chosen.iter().map(|part| part.order).collect();
    let uncut = orders.into_iter().filter(|order| !cut.contains(order) && !of_order(*order).all(is_chosen));
    let uncut: Vec<WholeOrder> = uncut
        .map(|order| WholeOrder { order, journeys: of_order(order).map(|part| part.place).collect() })
        .collect();
    match uncut.is_empty() {
        true => Ok(()),
        false => Err(Error::PartOfOrder(uncut)),
    }
}

/// Those who have these indices.
///
/// # Errors
/// [`Error::NotSupported`] when they are erased.
pub(super) fn named_among(itinerary: &Itinerary, indices: &BTreeSet<u32>) -> Result<Vec<Traveller>> {
    let people = itinerary.people.as_ref().ok_or(Error::NotSupported(ERASED))?;
    let theirs = people.travellers.iter().filter(|who| indices.contains(&who.index));
    Ok(theirs.cloned().collect())
}

/// The same without who they are.
fn members_among(itinerary: &Itinerary, indices: &BTreeSet<u32>) -> Vec<PartyMember> {
    let theirs = itinerary.party.iter().filter(|who| indices.contains(&who.index));
    theirs.copied().collect()
}

#[cfg(test)]
mod tests {
    use wayfare_domain::{BookingPapers, Contact, Gender, PassengerType, Title};
    use wayfare_flights::{FareDetails, ItineraryOrder, ItineraryPeople};

    use super::*;
    use crate::flights::trip_selection::tests::journey;

    /// Orders with their journeys, and who travels by each: everybody where nobody is named.
    fn itinerary(orders: &[(&[&str], &[u32])]) -> Itinerary {
        let traveller = |index| Traveller {
            index,
            kind: PassengerType::Adult,
            title: Title::Mr,
            first_name: "Asha".to_owned(),
            last_name: "Sharma".to_owned(),
            gender: Gender::Male,
            born_on: None,
            held_by: None,
            loyalty: Vec::new(),
        };
        let order = |(journeys, travellers): &(&[&str], &[u32])| ItineraryOrder {
            supplier: "duffel".to_owned(),
            journeys: journeys.iter().map(|route| journey(route)).collect(),
            fare: FareDetails::default(),
            shares: Vec::new(),
            travellers: travellers.to_vec(),
        };
        let people = ItineraryPeople {
            travellers: (1..=3).map(traveller).collect(),
            contact: Contact { email: String::new(), country_code: String::new(), phone: String::new() },
        };
        Itinerary::new(orders.iter().map(order).collect(), people, BookingPapers::default())
    }

    /// Places and orders of what is replaced, and who flies it; or why nothing is.
    fn remaining(orders: &[u16]) -> Live {
        Live { orders: orders.to_vec(), gone: OrderPart::default(), cut: BTreeSet::new() }
    }

    fn replaced(itinerary: &Itinerary, live: &[u16], named: &[usize], new: &[&str]) -> String {
        let new: Vec<Route> = new.iter().map(|route| route_of(&journey(route))).collect();
        match ReplacedJourneys::of(itinerary, &remaining(live), named, &new) {
            Ok(replaced) => {
                let people: Vec<u32> = replaced.travellers.iter().map(|who| who.index).collect();
                format!("{:?} of {:?} for {people:?}", replaced.places, replaced.orders)
            }
            Err(Error::PartOfOrder(whole)) => {
                let whole = whole.iter().map(|one| format!("{} has {:?}", one.order, one.journeys));
                whole.collect::<Vec<_>>().join(", ")
            }
            Err(other) => other.to_string(),
        }
    }

    /// A booking, its live orders, the named journeys, the new ones, and what is replaced by them.
    type Case<'a> = (&'a Itinerary, &'a [u16], &'a [usize], &'a [&'a str], &'a str);

    #[test]
    fn nothing_is_given_back_that_was_not_named() {
        const ALL: &[u32] = &[];
        let one_way = itinerary(&[(&["DEL-BOM"], ALL)]);
        let one_order = itinerary(&[(&["DEL-BOM", "BOM-DEL"], ALL)]);
        let two_orders = itinerary(&[(&["DEL-BOM"], ALL), (&["BOM-DEL"], ALL)]);
        let shared_out = itinerary(&[(&["DEL-BOM", "BOM-DEL"], &[1, 2]), (&["DEL-BOM", "BOM-DEL"], &[3])]);
        let there_twice = itinerary(&[(&["DEL-BOM"], ALL), (&["BOM-DEL"], ALL), (&["DEL-BOM"], ALL)]);
        let required = "{journeys this field is required}";
        let other_cities = format!("{{journeys {OTHER_CITIES}}}");
        let no_journey = format!("{{journeys[0] {NOT_LIVE}}}");
        let rows: [Case<'_>; 27] = [
            (&one_way, &[1], &[], &["DEL-BOM"], "[0] of [1] for [1, 2, 3]"),
            (&one_way, &[1], &[], &["DEL-BLR"], "[0] of [1] for [1, 2, 3]"),
            (&one_way, &[1], &[0], &["DEL-BLR"], &other_cities),
            (&one_way, &[1], &[1], &["DEL-BOM"], &no_journey),
            (&one_order, &[1], &[], &["DEL-BOM"], "1 has [0, 1]"),
            (&one_order, &[1], &[1], &["BOM-DEL"], "1 has [0, 1]"),
            (&one_order, &[1], &[], &["DEL-BOM", "BOM-DEL"], "[0, 1] of [1] for [1, 2, 3]"),
            (&one_order, &[1], &[1, 0], &["BOM-DEL", "DEL-BOM"], "[0, 1] of [1] for [1, 2, 3]"),
            (&one_order, &[1], &[], &["DEL-BLR"], required),
            (&one_order, &[1], &[], &["DEL-BOM", "BOM-BLR"], required),
            (&one_order, &[1], &[0, 0], &["DEL-BOM"], "{journeys[1] must be named once}"),
            (&two_orders, &[1, 2], &[], &["DEL-BOM"], "[0] of [1] for [1, 2, 3]"),
            (&two_orders, &[1, 2], &[], &["BOM-DEL"], "[1] of [2] for [1, 2, 3]"),
            (&two_orders, &[1, 2], &[1], &["DEL-BOM"], &other_cities),
            (&two_orders, &[1, 2], &[0, 1], &["DEL-BOM"], &other_cities),
            (&two_orders, &[1, 2], &[], &["BOM-DEL", "DEL-BOM"], "[0, 1] of [1, 2] for [1, 2, 3]"),
            // The way out was given back before.
            (&two_orders, &[2], &[0], &["DEL-BOM"], &no_journey),
            (&two_orders, &[2], &[1], &["BOM-DEL"], "[1] of [2] for [1, 2, 3]"),
            (&two_orders, &[], &[], &["BOM-DEL"], "booking is already cancelled"),
            (&shared_out, &[1, 2], &[], &["DEL-BOM"], "1 has [0, 1], 2 has [2, 3]"),
            (&shared_out, &[1, 2], &[], &["DEL-BOM", "BOM-DEL"], "[0, 1, 2, 3] of [1, 2] for [1, 2, 3]"),
            (&shared_out, &[1, 2], &[0, 1], &["DEL-BOM", "BOM-DEL"], "[0, 1] of [1] for [1, 2]"),
            (&shared_out, &[1, 2], &[0], &["DEL-BOM"], "1 has [0, 1]"),
            (&shared_out, &[2], &[], &["DEL-BOM", "BOM-DEL"], "[2, 3] of [2] for [3]"),
            (
                &shared_out,
                &[1, 2],
                &[0, 3],
                &["DEL-BOM", "BOM-DEL"],
                "{journeys must be of the same travellers}",
            ),
            (&there_twice, &[1, 2, 3], &[], &["DEL-BOM"], required),
            (&there_twice, &[1, 2, 3], &[2], &["DEL-BOM"], "[2] of [3] for [1, 2, 3]"),
        ];
        for (itinerary, live, named, new, expected) in rows {
            let found = replaced(itinerary, live, named, new);
            assert_eq!(found, expected, "{named:?} by {new:?} of {:?}", itinerary.orders.len());
        }
    }

    #[test]
    fn one_journey_of_an_order_is_replaced_where_its_supplier_takes_it_back_alone() {
        let bought = itinerary(&[(&["DEL-BOM", "BOM-DEL"], &[])]);
        let back = [route_of(&journey("BOM-DEL"))];
        let live = Live { cut: BTreeSet::from([1]), ..remaining(&[1]) };
        let replaced = ReplacedJourneys::of(&bought, &live, &[], &back).unwrap();
        assert_eq!((replaced.places, replaced.orders), (vec![1], vec![1]));
    }

    #[test]
    fn airports_of_one_city_are_one_place() {
        let bought = itinerary(&[(&["DEL-LHR"], &[]), (&["LHR-DEL"], &[])]);
        assert_eq!(replaced(&bought, &[1, 2], &[], &["LGW-DEL"]), "[1] of [2] for [1, 2, 3]");
    }

    #[test]
    fn a_journey_is_searched_for_those_who_fly_it() {
        let bought = itinerary(&[(&["DEL-BOM"], &[1, 2]), (&["DEL-BOM"], &[3])]);
        let found = |live: &[u16], named, from: &str, to: &str| {
            let route = (city(from), city(to));
            match flown(&bought, &remaining(live), named, &route) {
                Ok(flown) => format!("{:?}", flown.party.iter().map(|who| who.index).collect::<Vec<_>>()),
                Err(error) => error.to_string(),
            }
        };
        assert_eq!(found(&[1, 2], None, "DEL", "BOM"), "[1, 2, 3]");
        assert_eq!(found(&[1, 2], Some(1), "DEL", "BOM"), "[3]");
        assert_eq!(found(&[2], None, "DEL", "BOM"), "[3]");
        assert_eq!(found(&[2], None, "DEL", "BLR"), "[3]");
        assert_eq!(found(&[2], Some(0), "DEL", "BOM"), format!("{{journey {NOT_LIVE}}}"));
        let leaves = "{origin must be of the city from which the journey leaves}";
        assert_eq!(found(&[1, 2], Some(0), "BLR", "BOM"), leaves);
        let goes = "{destination must be of the city to which the journey goes}";
        assert_eq!(found(&[1, 2], Some(0), "DEL", "BLR"), goes);
    }
}
