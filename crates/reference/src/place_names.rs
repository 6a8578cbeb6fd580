//! Airports and the cities that they serve, by what somebody types: a code, a name of the place in any script, a region.

use std::{cmp::Reverse, sync::LazyLock};

use crate::{
    Place, airport_cities, airport_city, airports, city,
    city_names::{self, is_code},
    name_index::{NameIndex, best, plain, without_blanks},
    nearby::airports_near,
    ranking::{self, LONG_ENOUGH, Match, Order, order},
    region,
};

/// By which of its names a place is found, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    /// Its code.
    Code,
    /// The code of its city.
    CityCode,
    /// Its own name, or its city's.
    Own,
    /// Another name of its city.
    Other,
    /// A later word of its own name.
    Word,
}

/// So many cities without flights of their own are looked at: each stands for the airports nearby.
const UNSERVED: usize = 3;
/// So many airports of a region, or near a city, are shown while its name is not yet whole.
const OF_A_BEGINNING: usize = 3;

struct Names {
    /// All places with scheduled flights, the most important first.
    places: Vec<Place>,
    index: NameIndex<Name>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let cities = airport_cities().iter().filter(|city| city.is_of_several());
    let airports = airports().iter().filter(|airport| airport.has_flights);
    let mut places: Vec<Place> = cities.map(Place::City).chain(airports.map(Place::Airport)).collect();
    // A city comes before its only ranked airport: the sort is stable.
    places.sort_by_key(|place| Reverse(place.rank()));
    let mut index = NameIndex::default();
    for (place, at) in places.iter().zip(0..) {
        index.add(&plain(place.code()), at, Name::Code);
        if let Place::Airport(airport) = place {
            index.add(&plain(airport.city_code), at, Name::CityCode);
        }
        let mut own: Vec<String> = own_names(*place).into_iter().map(plain).collect();
        own.sort_unstable();
        own.dedup();
        for name in &own {
            index.add(name, at, Name::Own);
            index.add_later_words(name, at, Name::Word);
            if let Some(joined) = without_blanks(name) {
                index.add(&joined, at, Name::Own);
            }
        }
        let mut others: Vec<String> =
            other_names(*place).into_iter().filter(|name| !is_code(name)).map(plain).collect();
        others.sort_unstable();
        others.dedup();
        for name in others.iter().filter(|name| !name.is_empty() && !own.contains(name)) {
            index.add(name, at, Name::Other);
        }
    }
    Names { places, index: index.sorted() }
});

/// The airports and cities with scheduled flights that somebody of this country means by what was typed, whatever accents,
/// case or script.
///
/// First those of their own country that are called just so, then those of a region that is; then those with this code, the
/// airports of the city with this code, and all that are called so, by size, the own country's first; cities without flights
/// stand for the airports nearby. Then those whose own name begins so, those with another name that does, and those with a
/// later word that does, each group by importance (D-620).
pub fn find_places(typed: &str, home: Option<&str>, limit: usize) -> Vec<Place> {
    let typed = plain(typed);
    if typed.is_empty() || limit == 0 {
        return Vec::new();
    }
    let mut found = called(&typed, home, limit);
    found.extend(beginning(&typed, home, limit));
    if let Some(joined) = without_blanks(&typed) {
        found.extend(called(&joined, home, limit));
    }
    let mut shorter = typed.as_str();
    while let (true, Some(rest)) = (found.is_empty(), ranking::without_last_word(shorter)) {
        shorter = rest;
        found = called(shorter, home, limit);
    }
    best(found, limit)
}

fn at(place: u32) -> Option<Place> {
    NAMES.places.get(usize::try_from(place).ok()?).copied()
}

/// What has this name or code as a whole.
fn called(name: &str, home: Option<&str>, limit: usize) -> Vec<(Order, Place)> {
    let class = |by: Name, place: Place| match by {
        Name::Code => Match::Code,
        Name::CityCode => Match::CityCode,
        Name::Word => Match::Word,
        Name::Own | Name::Other if home == Some(country(place)) => Match::Home,
        Name::Own | Name::Other => Match::Named,
    };
    let named = NAMES.index.named(name).filter_map(|(by, number)| {
        let place = at(number)?;
        let class = class(by, place);
        let size = match class {
            Match::Home | Match::Named => {
                ranking::size(people(place), home == Some(country(place)), by == Name::Own)
            }
            _ => rank(place, home),
        };
        Some((order(class, size, number), place))
    });
    let mut found: Vec<(Order, Place)> = named.collect();
    for (region, is_clear) in region::called(name) {
        let class = if is_clear { Match::Region } else { Match::RegionToo };
        let places = region.places().iter().take(limit).zip(0..);
        found.extend(places.map(|(place, number)| (order(class, region.size(home), number), *place)));
    }
    found.extend(nearby(name, home, true));
    found
}

/// What has a name that begins so and goes on.
fn beginning(typed: &str, home: Option<&str>, limit: usize) -> Vec<(Order, Place)> {
    let begun = NAMES.index.beginning_with(typed).begun.into_iter();
    let begun = begun.filter_map(|(by, number)| {
        let class = match by {
            Name::Own => Match::Beginning,
            Name::Other => Match::Other,
            Name::Word => Match::Word,
            // A code counts only as a whole.
            Name::Code | Name::CityCode => return None,
        };
        let place = at(number)?;
        Some((order(class, rank(place, home), number), place))
    });
    let mut found: Vec<(Order, Place)> = begun.collect();
    if typed.len() >= LONG_ENOUGH {
        for region in region::beginning_with(typed, home) {
            let first = region.places().iter().take(limit.min(OF_A_BEGINNING));
            let best = first.clone().map(|place| rank(*place, home)).max().unwrap_or(0);
            found.extend(
                first.zip(0..).map(|(place, number)| (order(Match::Beginning, best, number), *place)),
            );
        }
        found.extend(nearby(typed, home, false));
    }
    found
}

/// The airports near the cities without flights of their own that are called so, or of which the name begins so.
fn nearby(typed: &str, home: Option<&str>, is_whole: bool) -> Vec<(Order, Place)> {
    let mut found = Vec::new();
    let unserved = city_names::unserved(typed, home, UNSERVED);
    for (city, is_own, _) in unserved.into_iter().filter(|(.., whole)| *whole == is_whole) {
        let airports = airports_near(city.point, city.country);
        let size = match is_whole {
            true => ranking::size(city.population.into(), home == Some(city.country), is_own),
            false => airports.first().map_or(0, |airport| rank(Place::Airport(airport), home)),
        };
        let class = if is_whole { Match::Named } else { Match::Other };
        let places = airports.into_iter().map(Place::Airport).zip(0..);
        found.extend(places.map(|(place, number)| (order(class, size, number), place)));
    }
    found
}

fn country(place: Place) -> &'static str {
    match place {
        Place::Airport(airport) => airport.iso_country,
        Place::City(city) => city.iso_country,
    }
}

/// How important it is for somebody of a country.
fn rank(place: Place, home: Option<&str>) -> u64 {
    ranking::size(place.rank().max(1).into(), home == Some(country(place)), false)
}

/// How many people live in its city; of a small one its importance.
fn people(place: Place) -> u64 {
    let town = match place {
        Place::Airport(airport) => airport.town.or_else(|| airport_city(airport.city_code)?.town),
        Place::City(city) => city.town,
    };
    town.and_then(city).map_or(place.rank(), |city| city.population).into()
}

fn own_names(place: Place) -> Vec<&'static str> {
    let (names, town) = match place {
        Place::City(of) => {
            // What its airports call it, too (New York, Roma), but not what others of them serve (Newark, Navi Mumbai).
            let others = of.town.and_then(city).map_or(&[][..], |town| town.other_names.as_slice());
            let names = of.airports.iter().map(|airport| airport.city);
            let names = names.filter(|name| others.contains(name));
            ([of.name].into_iter().chain(names).collect(), of.town)
        }
        Place::Airport(airport) => {
            let name = airport.name.strip_suffix(" Airport").unwrap_or(airport.name);
            let short = name.strip_suffix(" International").unwrap_or(name);
            (vec![airport.name, short, airport.city], airport.town)
        }
    };
    names.into_iter().chain(town.and_then(city).map(|city| city.name)).collect()
}

fn other_names(place: Place) -> Vec<&'static str> {
    let (names, town) = match place {
        Place::City(city) => (&[][..], city.town),
        Place::Airport(airport) => (airport.other_names.as_slice(), airport.town),
    };
    let of_town = town.and_then(city).map_or(&[][..], |city| city.other_names.as_slice());
    names.iter().chain(of_town).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(typed: &str, home: Option<&str>) -> Vec<String> {
        find_places(typed, home, 4)
            .into_iter()
            .map(|place| format!("{} {}", place.kind().as_ref(), place.code()))
            .collect()
    }

    #[test]
    fn what_is_typed_finds_codes_first_and_then_names_by_importance() {
        assert_eq!(codes("lon", None), ["city LON", "airport LHR", "airport LGW", "airport LTN"]);
        assert_eq!(codes("LHR", None), ["airport LHR"]);
        assert_eq!(codes("london", None)[..2], ["city LON", "airport LHR"]);
        assert_eq!(codes("heathrow", None), ["airport LHR"]);
        assert_eq!(codes("bom", None)[..2], ["city BOM", "airport BOM"]);
        assert_eq!(codes("zürich", None)[0], "airport ZRH");
        assert_eq!(codes(" - ", None), Vec::<String>::new());
        assert_eq!(find_places("a", None, 7).len(), 7);
    }

    #[test]
    fn only_airports_with_scheduled_flights_are_found() {
        assert_eq!(codes("bqh", None), Vec::<String>::new());
        for letter in 'a'..='z' {
            let all = find_places(&letter.to_string(), None, 500);
            assert!(all.iter().flat_map(|place| place.airports()).all(|airport| airport.has_flights));
        }
    }

    #[test]
    fn what_a_place_or_a_region_is_called_comes_before_a_code() {
        assert_eq!(codes("leh", Some("IN"))[0], "airport IXL");
        assert_eq!(codes("goa", Some("US"))[0], "city GOI");
        assert!(codes("goa", Some("US")).contains(&"airport GOA".to_owned()));
        assert_eq!(codes("pnq", Some("IN")), ["airport PNQ"]);
    }
}
