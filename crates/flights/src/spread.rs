//! Searches of cities at a supplier that knows airports only: a search for each pair of airports, and their answers as one.

use std::cmp::Reverse;
use std::future::Future;

use futures_util::future::join_all;
use wayfare_reference::{Airport, Place, PlaceKind, airport};
use wayfare_supply::{Answer, CityCodes};

use crate::{Offer, Offers, Query, Slice};

/// So many airports of a city are searched, those of the best rank.
const MOST_AIRPORTS: usize = 3;
/// So many searches are made of one.
const MOST_SEARCHES: usize = 4;

/// Why a supplier is not asked for cities, if it isn't.
pub fn declined(query: &Query, city_codes: CityCodes) -> Option<String> {
    let names_a_city = query.places().iter().any(|place| place.kind() == PlaceKind::City);
    (names_a_city && city_codes == CityCodes::Off).then(|| "is not asked for cities".to_owned())
}

/// What is asked for this query: itself, or where cities are spread, one query for each pair of airports, the best first.
pub fn searches(query: &Query, city_codes: CityCodes) -> Vec<Query> {
    let is_spread = |place: &Place| {
        // A code of both would mean the airport.
        let sent_as_it_is = city_codes == CityCodes::AsIs && airport(place.code()).is_none();
        place.kind() == PlaceKind::City && !sent_as_it_is
    };
    // Each way to put an airport in the place of each city, with how good it is. Only the best go on: a worse one gets no
    // better with one city more.
    let mut ways: Vec<(u128, Vec<(Place, &'static Airport)>)> = vec![(1, Vec::new())];
    for city in query.places().into_iter().filter(is_spread) {
        let best = city.airports().into_iter().take(MOST_AIRPORTS);
        let mut longer = Vec::new();
        for airport in best {
            for (rank, way) in &ways {
                let rank = rank.saturating_mul(u128::from(airport.rank.max(1)));
                longer.push((rank, [way.as_slice(), &[(city, airport)]].concat()));
            }
        }
        longer.sort_by_key(|(rank, _)| Reverse(*rank));
        longer.truncate(MOST_SEARCHES);
        ways = longer;
    }
    ways.into_iter().map(|(_, way)| between(query, &way)).collect()
}

/// The query with these airports in the places of their cities.
fn between(query: &Query, way: &[(Place, &Airport)]) -> Query {
    let mut query = query.clone();
    for slice in &mut query.slices {
        let [from, to] = slice.places();
        let chosen = |place: Option<Place>| way.iter().find(|(city, _)| Some(*city) == place);
        if let Some((_, airport)) = chosen(from) {
            (slice.origin, slice.origin_kind) = (airport.iata.to_owned(), PlaceKind::Airport);
        }
        if let Some((_, airport)) = chosen(to) {
            (slice.destination, slice.destination_kind) = (airport.iata.to_owned(), PlaceKind::Airport);
        }
    }
    query
}

/// Makes the searches at once; what they find is one answer.
pub async fn search<F: Future<Output = Answer<Offers>>>(
    searches: Vec<Query>,
    ask: impl Fn(Query) -> F,
) -> Answer<Offers> {
    let answers = join_all(searches.iter().cloned().map(ask)).await;
    joined(&searches, answers)
}

/// The answers to these searches as one. One that failed costs only its own offers, and a line, unless all did.
fn joined(searches: &[Query], answers: Vec<Answer<Offers>>) -> Answer<Offers> {
    if answers.len() < 2 || !answers.iter().any(|answer| matches!(answer, Answer::Done(_))) {
        let first = answers.into_iter().next();
        return first.unwrap_or_else(|| Answer::Done(Offers::default()));
    }
    let mut all = Offers::default();
    let mut answered: Vec<&Query> = Vec::new();
    for (number, (query, answer)) in searches.iter().zip(answers).enumerate() {
        let found = match answer {
            Answer::Done(found) => found,
            failed => {
                let problem = failed.problem().unwrap_or_default();
                all.unusable.push(format!("{}: {problem}", route(query)));
                continue;
            }
        };
        let is_new = |offer: &Offer| {
            let of_another = !fits(offer, query) && searches.iter().any(|other| fits(offer, other));
            !of_another && !answered.iter().any(|earlier| is_same_half(offer, query, earlier))
        };
        let offers = found.offers.into_iter().filter(is_new);
        all.offers.extend(offers.map(|offer| in_groups_of(number, offer)));
        for (code, airline) in found.airlines {
            all.airlines.entry(code).or_insert(airline);
        }
        for (code, place) in found.places {
            all.places.entry(code).or_insert(place);
        }
        all.unusable.extend(found.unusable);
        answered.push(query);
    }
    Answer::Done(all.complete())
}

/// The airports of each journey, for people.
fn route(query: &Query) -> String {
    let slices = query.slices.iter();
    let routes: Vec<String> = slices.map(|slice| format!("{}-{}", slice.origin, slice.destination)).collect();
    routes.join(", ")
}

/// Whether the offer flies between the airports that were searched. Suppliers may find airports nearby, too.
fn fits(offer: &Offer, query: &Query) -> bool {
    let slices = query.slices.iter().skip(usize::from(offer.route_index));
    let mut both = slices.zip(&offer.journeys);
    both.all(|(slice, journey)| journey.ends() == Some([&slice.origin, &slice.destination]))
}

/// Whether an earlier search had this half too, which goes with whatever is bought beside it.
fn is_same_half(offer: &Offer, query: &Query, earlier: &Query) -> bool {
    let slice =
        |query: &Query| -> Option<Slice> { query.slices.get(usize::from(offer.route_index)).cloned() };
    let is_free_half = offer.combination.is_none() && offer.journeys.len() < query.slices.len();
    is_free_half && slice(query) == slice(earlier)
}

/// Groups are told apart by the search that found them: their names count in one answer.
fn in_groups_of(number: usize, mut offer: Offer) -> Offer {
    if let Some(pair) = &mut offer.combination {
        pair.group = format!("{number}.{}", pair.group).into();
        for group in &mut pair.with {
            *group = format!("{number}.{group}").into();
        }
    }
    offer
}

#[cfg(test)]
mod tests {
    use wayfare_domain::Party;

    use super::*;
    use crate::{Cabin, TripType};

    fn query(slices: &[(&str, &str)], kind: Option<PlaceKind>) -> Query {
        let day = "2026-05-01".parse().unwrap();
        Query {
            trip_type: TripType::MultiCity,
            party: Party { adults: 1, children: 0, infants: 0 },
            cabin: Cabin::Economy,
            slices: slices.iter().map(|(from, to)| Slice::between((from, kind), (to, kind), day)).collect(),
            direct_only: false,
            airline: None,
        }
    }

    fn routes(slices: &[(&str, &str)], kind: Option<PlaceKind>, city_codes: CityCodes) -> Vec<String> {
        searches(&query(slices, kind), city_codes).iter().map(route).collect()
    }

    #[test]
    fn two_cities_are_the_four_best_pairs_and_a_way_back_is_the_same_way() {
        use CityCodes::{AsIs, Spread};
        assert_eq!(routes(&[("LON", "NYC")], None, Spread), ["LHR-JFK", "LHR-EWR", "LGW-JFK", "LHR-LGA"]);
        assert_eq!(
            routes(&[("DEL", "LON"), ("LON", "DEL")], None, Spread),
            ["DEL-LHR, LHR-DEL", "DEL-LGW, LGW-DEL", "DEL-LTN, LTN-DEL"]
        );
        assert_eq!(routes(&[("LON", "NYC")], None, AsIs), ["LON-NYC"]);
        assert_eq!(routes(&[("DEL", "DXB")], None, Spread), ["DEL-DXB"], "the airport");
        let six =
            [("LON", "NYC"), ("NYC", "PAR"), ("PAR", "TYO"), ("TYO", "CHI"), ("CHI", "MIL"), ("MIL", "LON")];
        assert_eq!(routes(&six, None, Spread).len(), 4);
    }

    #[test]
    fn a_city_whose_code_is_an_airports_too_is_spread_wherever_it_is_meant() {
        let all = routes(&[("DXB", "BOM")], Some(PlaceKind::City), CityCodes::AsIs);
        assert_eq!(all.first().map(String::as_str), Some("DXB-BOM"));
        assert!(all.len() > 1 && all.contains(&"DWC-BOM".to_owned()), "{all:?}");
    }

    #[test]
    fn a_supplier_may_be_left_out_of_cities() {
        let declined = |slices| declined(&query(slices, None), CityCodes::Off);
        assert!(declined(&[("LON", "NYC")]).is_some());
        assert_eq!(declined(&[("LHR", "DXB")]), None);
    }

    #[test]
    fn what_failed_costs_a_line_unless_all_failed() {
        let pairs = searches(&query(&[("LON", "NYC")], None), CityCodes::Spread);
        let failed = |reason: &str| Answer::Unknown(reason.to_owned());
        let some = joined(
            &pairs,
            vec![failed("late"), Answer::Done(Offers::default()), failed("gone"), failed("x")],
        );
        let Answer::Done(found) = some else {
            panic!("{some:?}");
        };
        assert_eq!(found.unusable, ["LHR-JFK: late", "LGW-JFK: gone", "LHR-LGA: x"]);
        assert_eq!(joined(&pairs, vec![failed("late"), failed("gone")]), failed("late"));
    }
}
