//! Destinations: every city is one, under the IATA code of its airports where they have one of their own, else under a
//! code made of its number.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use wayfare_reference::{City, airports, city, city_named, distance_m};

/// Every destination has one zone.
pub(super) const ZONE: u32 = 1;
/// An airport serves a city of its name that is not further away.
const FURTHEST_AIRPORT_M: u32 = 100_000;
const RADIX: u32 = 36;

#[derive(Default)]
struct Iata {
    by_city: HashMap<u32, &'static str>,
    by_code: HashMap<&'static str, u32>,
}

static IATA: LazyLock<Iata> = LazyLock::new(|| {
    let mut airports_of: HashMap<(&'static str, u32), usize> = HashMap::new();
    for airport in airports() {
        let served = city_named(airport.city, Some(airport.iso_country))
            .filter(|city| distance_m(airport.point, city.point) <= FURTHEST_AIRPORT_M);
        if let Some(city) = served {
            *airports_of.entry((airport.city_code, city.code)).or_default() += 1;
        }
    }
    // London has airports under codes of their own, too, and Newark's is one of New York's.
    let mut pairs: Vec<_> = airports_of.into_iter().collect();
    pairs.sort_unstable_by_key(|(pair, airports)| (Reverse(*airports), *pair));
    let mut all = Iata::default();
    for ((code, city), _) in pairs {
        if !all.by_code.contains_key(code) && !all.by_city.contains_key(&city) {
            all.by_code.insert(code, city);
            all.by_city.insert(city, code);
        }
    }
    all
});

/// The code of a city: `LON`, or `0` and what no IATA code begins with.
pub(super) fn code_of(city: &City) -> String {
    match IATA.by_city.get(&city.code) {
        Some(code) => (*code).to_owned(),
        None => numbered(city.code),
    }
}

pub(super) fn city_of(code: &str) -> Option<&'static City> {
    let number = IATA.by_code.get(code).copied().or_else(|| {
        let digits = code.strip_prefix('0')?;
        u32::from_str_radix(digits, RADIX).ok()
    });
    city(number?).filter(|city| code_of(city) == code)
}

fn numbered(number: u32) -> String {
    let mut digits = Vec::new();
    let mut rest = number;
    while rest > 0 {
        digits.extend(char::from_digit(rest % RADIX, RADIX));
        rest /= RADIX;
    }
    let digits = digits.iter().rev().map(char::to_ascii_uppercase);
    std::iter::once('0').chain(digits).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use wayfare_reference::cities;

    use super::*;

    #[test]
    fn every_city_has_a_code_of_its_own_that_leads_back_to_it() {
        let codes: HashSet<String> = cities().iter().map(code_of).collect();
        assert_eq!(codes.len(), cities().len());
        assert!(codes.iter().all(|code| code.len() >= 3));
        for city in cities() {
            assert_eq!(city_of(&code_of(city)).map(|city| city.code), Some(city.code));
        }
        assert!(city_of("").is_none() && city_of("0").is_none() && city_of("QQQ").is_none());
    }

    #[test]
    fn cities_with_airports_are_known_by_the_code_of_these() {
        for (name, code) in [("London", "LON"), ("New York City", "NYC"), ("Mumbai", "BOM"), ("Paris", "PAR")]
        {
            assert_eq!(code_of(city_named(name, None).unwrap()), code, "{name}");
        }
    }
}
