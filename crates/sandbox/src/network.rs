//! Who flies between two places, and through which hub.

use wayfare_reference::{Airport, airport};

use crate::airlines::{AIRLINES, Airline, Cabin, Style};
use crate::itinerary::Slice;

/// How an airline gets from one airport to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Direct,
    Through(&'static Airport),
}

const LONGEST_FLIGHT_KM: u32 = 15_400;
const LONGEST_LOW_COST_FLIGHT_KM: u32 = 4_800;
/// Below this, nobody changes planes.
const SHORTEST_CONNECTION_KM: u32 = 320;

/// An airline's direct flight, where it has one.
pub(crate) fn direct(airline: &Airline, from: &Airport, to: &Airport) -> Option<Way> {
    let km = from.distance_km(to);
    let domestic = from.iso_country == to.iso_country;
    let at_home = |airport: &Airport| airline.home.contains(&airport.iso_country);
    let at_hub = |airport: &Airport| airline.hubs.contains(&airport.iata);
    let flies = match airline.style {
        Style::Everywhere => km <= LONGEST_FLIGHT_KM,
        // Within its home anywhere, else only where it has a hub at one end.
        Style::Network if domestic => at_home(from) && km <= LONGEST_FLIGHT_KM,
        Style::Network => (at_hub(from) || at_hub(to)) && km <= LONGEST_FLIGHT_KM,
        Style::LowCost if domestic => at_home(from),
        Style::LowCost => (at_hub(from) || at_hub(to)) && km <= LONGEST_LOW_COST_FLIGHT_KM,
    };
    flies.then_some(Way::Direct)
}

/// An airline's best hub between two airports, and the detour over it in thousandths of the direct distance.
pub(crate) fn through_hub(
    airline: &Airline,
    from: &Airport,
    to: &Airport,
    longest_detour: u32,
) -> Option<(Way, u32)> {
    let km = from.distance_km(to);
    if km < SHORTEST_CONNECTION_KM {
        return None;
    }
    let domestic = from.iso_country == to.iso_country;
    if domestic && airline.style != Style::Everywhere && !airline.home.contains(&from.iso_country) {
        return None;
    }
    airline
        .hubs
        .iter()
        .filter_map(|hub| airport(hub))
        .filter(|hub| hub.city_code != from.city_code && hub.city_code != to.city_code)
        .filter(|hub| direct(airline, from, hub).is_some() && direct(airline, hub, to).is_some())
        .map(|hub| (Way::Through(hub), (from.distance_km(hub) + hub.distance_km(to)) * 1000 / km.max(1)))
        .filter(|(_, detour)| *detour <= longest_detour)
        .min_by_key(|(_, detour)| *detour)
}

/// The airlines that sell every leg in a class, best first: the shortest detours, and always the one that flies everywhere.
pub(crate) fn sellers(slices: &[Slice], cabin: Option<Cabin>, at_most: usize) -> Vec<&'static Airline> {
    let mut ranked = rank(slices, cabin, 1_700);
    if ranked.len() < 3 {
        ranked = rank(slices, cabin, 4_000);
    }
    ranked.truncate(at_most.saturating_sub(1));
    ranked.extend(
        AIRLINES.iter().filter(|airline| airline.style == Style::Everywhere).map(|airline| (0, airline)),
    );
    ranked.into_iter().map(|(_, airline)| airline).collect()
}

fn rank(slices: &[Slice], cabin: Option<Cabin>, longest_detour: u32) -> Vec<(u32, &'static Airline)> {
    let detour = |airline: &Airline, slice: &Slice| {
        let (from, to) = (slice.from.airports.first()?, slice.to.airports.first()?);
        match direct(airline, from, to) {
            Some(_) => Some(1000),
            None => through_hub(airline, from, to, longest_detour).map(|(_, detour)| detour),
        }
    };
    let mut ranked: Vec<(u32, &'static Airline)> = AIRLINES
        .iter()
        .filter(|airline| airline.style != Style::Everywhere)
        .filter(|airline| cabin.is_none_or(|cabin| cabin <= airline.best_cabin))
        .filter_map(|airline| {
            let detours: Option<Vec<u32>> = slices.iter().map(|slice| detour(airline, slice)).collect();
            Some((detours?.into_iter().max()?, airline))
        })
        .collect();
    ranked.sort_by_key(|(detour, airline)| (*detour, airline.code));
    ranked
}

/// Hubs of the world, for a landing on the way: the one with the smallest detour.
pub(crate) fn stop_between(from: &Airport, to: &Airport) -> Option<&'static Airport> {
    AIRLINES
        .iter()
        .flat_map(|airline| airline.hubs)
        .filter_map(|hub| airport(hub))
        .filter(|hub| hub.distance_km(from) > 500 && hub.distance_km(to) > 500)
        .min_by_key(|hub| (hub.distance_km(from) + hub.distance_km(to), hub.iata))
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::itinerary::Location;

    fn slice(from: &str, to: &str) -> Slice {
        let date = NaiveDate::from_ymd_opt(2027, 3, 1).unwrap();
        Slice { from: Location::of(from).unwrap(), to: Location::of(to).unwrap(), date }
    }

    fn codes(from: &str, to: &str) -> Vec<&'static str> {
        sellers(&[slice(from, to)], None, 8).iter().map(|airline| airline.code).collect()
    }

    #[test]
    fn indian_routes_are_flown_by_indian_airlines() {
        assert_eq!(codes("DEL", "BOM"), ["6E", "AI", "IX", "QP", "SG", "ZZ"]);
    }

    #[test]
    fn long_routes_are_flown_by_both_homes_and_by_hubs_between_them() {
        let codes = codes("DEL", "LHR");
        assert!(["AI", "BA"].iter().all(|code| codes.contains(code)), "{codes:?}");
        assert_eq!(codes.len(), 8);
    }

    #[test]
    fn remote_airports_have_more_than_one_airline() {
        for (from, to) in [("LYR", "HGA"), ("AKL", "FAE"), ("USH", "YEV")] {
            assert!(codes(from, to).len() >= 2, "{from}-{to}: {:?}", codes(from, to));
        }
    }
}
