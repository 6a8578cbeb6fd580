//! Cities by what somebody types: the beginning of any of their names, or of a word of it, in any script.

use std::sync::LazyLock;

use crate::{
    City, cities, cities_near,
    name_index::{NameIndex, best, plain},
};

/// How good a match is, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// By the city's own name.
    Own,
    /// By another name.
    Other,
    /// By a later word of its own name.
    Word,
}

static NAMES: LazyLock<NameIndex<Rank>> = LazyLock::new(names_of_all);

/// The cities of which a name begins with what was typed, whatever accents, case or script: first those whose own name
/// does, or which are called just so; then those with another name that does; then those with a later word that does.
/// Each group by population.
pub fn find_cities(typed: &str, limit: usize) -> Vec<&'static City> {
    let typed = plain(typed);
    if typed.is_empty() || limit == 0 {
        return Vec::new();
    }
    let found = NAMES.beginning_with(&typed).map(|found| match found.is_whole {
        true => (Rank::Own, found.place),
        false => (found.rank, found.place),
    });
    let place = |city: u32| cities().get(usize::try_from(city).ok()?);
    best(found, limit).into_iter().filter_map(place).collect()
}

/// The largest city of this name, or of this IATA code, in this country where one is given.
pub fn city_named(name: &str, country: Option<&str>) -> Option<&'static City> {
    let name = plain(name);
    let whole = NAMES.beginning_with(&name).filter(|found| found.is_whole);
    let mut found: Vec<(Rank, u32)> = whole.map(|found| (found.rank, found.place)).collect();
    found.sort_unstable();
    let mut named = found
        .iter()
        .filter_map(|(_, city)| cities().get(usize::try_from(*city).ok()?));
    let of_country = |city: &&City| country.is_none_or(|country| city.country == country);
    named.find(of_country).or_else(|| {
        // The code of an airport whose city has no such name in the table.
        let airport = crate::airport(&name.to_uppercase())?;
        let near = cities_near(airport.latitude(), airport.longitude(), 60);
        let served = near
            .iter()
            .find(|(city, _)| plain(city.name) == plain(airport.city));
        served.or(near.first()).map(|(city, _)| *city).filter(of_country)
    })
}

fn names_of_all() -> NameIndex<Rank> {
    let mut names = NameIndex::default();
    for (city, place) in cities().iter().zip(0..) {
        let own = plain(city.name);
        let mut others: Vec<String> = city.other_names.iter().map(|name| plain(name)).collect();
        others.sort_unstable();
        others.dedup();
        for other in others.iter().filter(|other| !other.is_empty() && **other != own) {
            names.add(other, place, Rank::Other);
        }
        names.add_later_words(&own, place, Rank::Word);
        names.add(&own, place, Rank::Own);
    }
    names.sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(typed: &str) -> Vec<&'static str> {
        find_cities(typed, 3).iter().map(|city| city.name).collect()
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
        for typed in ["s", "san", "del", "new"] {
            let all = find_cities(typed, 500);
            let own = all.iter().filter(|city| plain(city.name).starts_with(typed));
            assert!(
                own.clone()
                    .is_sorted_by(|one, two| one.population >= two.population),
                "{typed}"
            );
            assert_eq!(all.len(), find_cities(typed, 500).len());
        }
        assert_eq!(found("delhi")[0], "Delhi");
    }

    #[test]
    fn a_name_or_a_code_is_one_city() {
        let name = |name, country| city_named(name, country).map(|city| (city.name, city.country));
        assert_eq!(name("London", None), Some(("London", "GB")));
        assert_eq!(name("london", Some("CA")), Some(("London", "CA")));
        assert_eq!(name("DEL", None), Some(("Delhi", "IN")));
        assert_eq!(name("LHR", None), Some(("London", "GB")));
        assert_eq!(name("nowhere at all", None), None);
    }
}
