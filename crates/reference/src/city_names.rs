//! Cities by what somebody types: the beginning of any of their names, or of a word of it, in any script, and the cities of
//! a region by its name.

use std::{cmp::Reverse, sync::LazyLock};

use crate::{
    City, cities, cities_near,
    name_index::{NameIndex, best, plain, without_blanks},
    place::SERVED,
    ranking::{self, LONG_ENOUGH, Match, Order, order},
    region,
};

/// By which of its names a city is found, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    /// Its own.
    Own,
    /// Another.
    Other,
    /// An IATA code.
    Code,
    /// A later word of its own.
    Word,
}

/// So many cities of a region are shown while its name is not yet whole.
const OF_A_BEGINNING: usize = 3;

static NAMES: LazyLock<NameIndex<Name>> = LazyLock::new(names_of_all);

/// The cities of which a name begins with what was typed, whatever accents, case or script, for somebody of this country.
///
/// First come those that are called just so: of their own country with scheduled flights, then those of a region of that
/// name, then others by size, where the own country's count for more; then those with this code; then those whose own name
/// begins so, those with another name that does, and those with a later word that does (D-620).
pub fn find_cities(typed: &str, home: Option<&str>, limit: usize) -> Vec<&'static City> {
    let typed = plain(typed);
    if typed.is_empty() || limit == 0 {
        return Vec::new();
    }
    let mut found = candidates(&typed, home, limit);
    if let (true, Some(joined)) = (found.is_empty(), without_blanks(&typed)) {
        found = candidates(&joined, home, limit);
    }
    let mut shorter = typed.as_str();
    while let (true, Some(rest)) = (found.is_empty(), ranking::without_last_word(shorter)) {
        shorter = rest;
        found = called(shorter, home, limit);
    }
    best(found, limit).into_iter().filter_map(at).collect()
}

/// The city that a name means, or an IATA code, or the first of the region that is called so; in this country where one is
/// given.
pub fn city_named(name: &str, country: Option<&str>) -> Option<&'static City> {
    let name = plain(name);
    let of_country = |city: &&City| country.is_none_or(|country| city.country == country);
    let mut found = called(&name, country, 1);
    found.sort_unstable();
    let mut named = found.into_iter().filter_map(|(_, city)| at(city));
    let of_airport = || city_of_airport(&name.to_uppercase()).filter(of_country);
    named.find(of_country).or_else(of_airport)
}

/// The city that somebody of this country means by a name or an IATA code, or the first of the region that is called so. A code
/// is the airport's unless a place of their own country, a destination or a town of it, or a region, is called so (D-620).
pub fn city_meant(name: &str, home: &str) -> Option<&'static City> {
    let name = plain(name);
    let named = called(&name, Some(home), 1).into_iter().min();
    let of_code = || city_of_airport(&name.to_uppercase());
    match named {
        Some(((Match::Home | Match::Town | Match::Region, ..), city)) => at(city),
        Some((_, city)) => of_code().or_else(|| at(city)),
        None => of_code(),
    }
}

/// The city that the airport of this IATA code serves, or the one that is nearest to it.
pub fn city_of_airport(code: &str) -> Option<&'static City> {
    let airport = crate::airport(code)?;
    let near = cities_near(airport.point.latitude(), airport.point.longitude(), 60);
    let served = near.iter().find(|(city, _)| plain(city.name) == plain(airport.city));
    served.or(near.first()).map(|(city, _)| *city)
}

/// The cities without scheduled flights of their own that are called just so, or of which a name begins so where that is
/// not yet whole, the best few: with whether it is the own name, and whole.
pub(crate) fn unserved(typed: &str, home: Option<&str>, few: usize) -> Vec<(&'static City, bool, bool)> {
    let is_unserved = |city: &&City| !SERVED.contains(&city.code);
    let mut whole: Vec<(Reverse<u64>, u32, bool)> = NAMES
        .named(typed)
        .filter(|(name, _)| matches!(name, Name::Own | Name::Other))
        .filter_map(|(name, place)| {
            let city = at(place).filter(is_unserved)?;
            let is_own = name == Name::Own;
            Some((Reverse(size(city, home, is_own)), place, is_own))
        })
        .collect();
    whole.sort_unstable();
    let whole = whole.into_iter().filter_map(|(_, place, own)| Some((at(place)?, own, true)));
    let mut found: Vec<_> = whole.take(few).collect();
    if found.is_empty() && typed.len() >= LONG_ENOUGH {
        let begun = NAMES.beginning_with(typed).begun.into_iter();
        let mut begun: Vec<_> = begun
            .filter(|(name, _)| *name == Name::Own)
            .filter_map(|(_, place)| at(place).filter(is_unserved))
            .map(|city| (Reverse(size(city, home, true)), city))
            .collect();
        begun.sort_unstable_by_key(|(size, city)| (*size, city.code));
        found.extend(begun.into_iter().take(few).map(|(_, city)| (city, true, false)));
    }
    found
}

fn at(place: u32) -> Option<&'static City> {
    cities().get(usize::try_from(place).ok()?)
}

fn size(city: &City, home: Option<&str>, is_own_name: bool) -> u64 {
    ranking::size(city.population.into(), home == Some(city.country), is_own_name)
}

/// Every city that is called just so, and those of the regions that are.
fn called(name: &str, home: Option<&str>, limit: usize) -> Vec<(Order, u32)> {
    let mut found = whole(NAMES.named(name), name, home);
    for (region, is_clear) in region::called(name) {
        let class = if is_clear { Match::Region } else { Match::RegionToo };
        add(&mut found, class, region, home, limit);
    }
    found
}

fn whole(named: impl Iterator<Item = (Name, u32)>, typed: &str, home: Option<&str>) -> Vec<(Order, u32)> {
    let regions: Vec<&region::Region> = region::called(typed).map(|(region, _)| region).collect();
    let class = |name: Name, city: &City| match name {
        Name::Code => Match::RegionToo,
        Name::Word => Match::Word,
        Name::Own | Name::Other if home == Some(city.country) && SERVED.contains(&city.code) => Match::Home,
        Name::Own | Name::Other if regions.iter().any(|region| region.has_town(city)) => Match::Town,
        Name::Own | Name::Other => Match::Named,
    };
    named
        .filter_map(|(name, place)| {
            let city = at(place)?;
            let size = size(city, home, name == Name::Own);
            Some((order(class(name, city), size, place), place))
        })
        .collect()
}

/// All that begins with what was typed.
fn candidates(typed: &str, home: Option<&str>, limit: usize) -> Vec<(Order, u32)> {
    let names = NAMES.beginning_with(typed);
    let mut found = whole(names.whole.into_iter(), typed, home);
    found.extend(names.begun.into_iter().filter_map(|(name, place)| {
        let class = match name {
            Name::Own => Match::Beginning,
            Name::Other => Match::Other,
            Name::Word => Match::Word,
            // A code counts only as a whole.
            Name::Code => return None,
        };
        Some((order(class, size(at(place)?, home, false), place), place))
    }));
    for (region, is_clear) in region::called(typed) {
        let class = if is_clear { Match::Region } else { Match::RegionToo };
        add(&mut found, class, region, home, limit);
    }
    if typed.len() >= LONG_ENOUGH {
        for region in region::beginning_with(typed, home) {
            add(&mut found, Match::Beginning, region, home, limit.min(OF_A_BEGINNING));
        }
    }
    found
}

fn add(
    found: &mut Vec<(Order, u32)>,
    class: Match,
    region: &'static region::Region,
    home: Option<&str>,
    limit: usize,
) {
    let cities = region.cities().iter().take(limit).zip(0..);
    found.extend(cities.map(|(city, number)| (order(class, region.size(home), number), *city)));
}

fn names_of_all() -> NameIndex<Name> {
    let mut names = NameIndex::default();
    for (city, place) in cities().iter().zip(0..) {
        let own = plain(city.name);
        let mut others: Vec<(String, Name)> = city
            .other_names
            .iter()
            .map(|name| (plain(name), if is_code(name) { Name::Code } else { Name::Other }))
            .collect();
        others.sort_unstable();
        others.dedup_by(|two, one| two.0 == one.0);
        for (other, kind) in others.iter().filter(|(other, _)| !other.is_empty() && *other != own) {
            names.add(other, place, *kind);
        }
        names.add_later_words(&own, place, Name::Word);
        names.add(&own, place, Name::Own);
        if let Some(joined) = without_blanks(&own) {
            names.add(&joined, place, Name::Own);
        }
    }
    names.sorted()
}

/// GeoNames has IATA codes among the names.
pub(crate) fn is_code(name: &str) -> bool {
    name.len() == 3 && name.bytes().all(|letter| letter.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(typed: &str) -> Vec<&'static str> {
        find_cities(typed, None, 3).iter().map(|city| city.name).collect()
    }

    #[test]
    fn a_city_is_found_by_the_beginning_of_any_name_in_any_script() {
        for (typed, expected) in [
            ("mum", "Mumbai"),
            ("BOMBAY", "Mumbai"),
            ("bangalore", "Bengaluru"),
            ("zurich", "Zürich"),
            ("Zürich", "Zürich"),
            ("münch", "Munich"),
            ("köln", "Köln"),
            ("cologne", "Köln"),
            ("sao paulo", "São Paulo"),
            ("दिल्ली", "Delhi"),
            ("Москва", "Moscow"),
            ("東京", "Tokyo"),
            ("DXB", "Dubai"),
            ("new y", "New York City"),
            ("Saint-Denis", "Saint-Denis"),
            ("paris", "Paris"),
            ("londo", "London"),
        ] {
            assert!(found(typed).contains(&expected), "{typed}: {:?}", found(typed));
        }
        assert!(found("").is_empty());
        assert!(found("qqqqq").is_empty());
    }

    #[test]
    fn of_those_that_begin_so_the_largest_come_first() {
        for typed in ["s", "sa", "de", "ne"] {
            let all = find_cities(typed, None, 500);
            let own =
                all.iter().filter(|city| plain(city.name).starts_with(typed) && plain(city.name) != typed);
            assert!(own.clone().is_sorted_by(|one, two| one.population >= two.population), "{typed}");
            assert_eq!(all.len(), 500, "each once");
        }
        assert_eq!(found("delhi")[0], "Delhi");
    }

    #[test]
    fn those_of_the_own_country_count_for_more() {
        let first = |typed, home| find_cities(typed, home, 1).first().map(|city| (city.name, city.country));
        assert_eq!(first("hyderabad", Some("IN")), Some(("Hyderabad", "IN")));
        assert_eq!(first("hyderabad", Some("PK")), Some(("Hyderabad", "PK")));
        assert_eq!(first("birmingham", Some("US")), Some(("Birmingham", "US")));
        assert_eq!(first("birmingham", Some("AE")), Some(("Birmingham", "GB")));
        // A village of the own country is not what is meant.
        assert_eq!(first("paris", Some("US")), Some(("Paris", "FR")));
    }

    #[test]
    fn a_name_or_a_code_is_one_city() {
        let meant = |name, home| city_meant(name, home).map(|city| city.country);
        for (typed, home, country) in [
            ("Hyderabad", "PK", "PK"),
            ("Hyderabad", "IN", "IN"),
            ("Hyderabad", "AE", "IN"),
            ("London", "US", "GB"),
            ("Birmingham", "US", "US"),
            ("Birmingham", "GB", "GB"),
            ("BOM", "US", "IN"),
        ] {
            assert_eq!(meant(typed, home), Some(country), "{typed} for {home}");
        }
        assert_eq!(meant("Nowhere at all", "IN"), None);
        // A town is not all of the destination whose name it is, too, nor is a town of that name elsewhere.
        let town = |name| city_meant(name, "IN").map(|city| (city.name, city.country));
        for (typed, city) in [
            ("Zermatt", ("Zermatt", "CH")),
            ("Interlaken", ("Interlaken", "CH")),
            ("Positano", ("Positano", "IT")),
            ("Banff", ("Banff", "CA")),
            ("Tulum", ("Tulum", "MX")),
            ("Playa del Carmen", ("Playa del Carmen", "MX")),
            ("South Lake Tahoe", ("South Lake Tahoe", "US")),
            ("Napa", ("Napa", "US")),
            ("Niagara Falls", ("Niagara Falls", "CA")),
            ("Cali", ("Cali", "CO")),
            ("Bali", ("Denpasar", "ID")),
        ] {
            assert_eq!(town(typed), Some(city), "{typed}");
        }
        let name = |name, country| city_named(name, country).map(|city| (city.name, city.country));
        assert_eq!(name("London", None), Some(("London", "GB")));
        assert_eq!(name("london", Some("CA")), Some(("London", "CA")));
        assert_eq!(name("DEL", None), Some(("Delhi", "IN")));
        assert_eq!(name("LHR", None), Some(("London", "GB")));
        assert_eq!(name("Bali", None), Some(("Denpasar", "ID")));
        assert_eq!(name("nowhere at all", None), None);
    }
}
