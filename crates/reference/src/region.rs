//! What people call a destination and is neither a city nor an airport: states, islands, valleys, coasts, countries.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::{LazyLock, OnceLock},
};

use crate::{
    Place, airport_cities, airports, cities, country,
    geometry::{Point, distance_km},
    name_index::{NameIndex, plain},
    nearby,
    text::{leak, microdegrees, names, rows},
};

const STATES: &[u8] = include_bytes!("../data/regions.csv");
const DESTINATIONS: &[u8] = include_bytes!("../data/destinations.csv");

/// So many cities and airports of a region are kept: nobody is told more.
const MOST: usize = 100;
/// So many regions are looked at while a name is not yet whole.
const OF_A_BEGINNING: usize = 3;

pub(crate) struct Region {
    name: &'static str,
    other_names: Vec<&'static str>,
    /// Alpha-2; of several countries the first.
    country: &'static str,
    area: Area,
    /// How many people live in its cities.
    population: u64,
    cities: OnceLock<Vec<u32>>,
    places: OnceLock<Vec<Place>>,
}

/// Where it lies.
#[derive(Debug, PartialEq, Eq)]
enum Area {
    Country,
    /// Several countries, alpha-2.
    Countries(Vec<&'static str>),
    /// States by GeoNames' codes.
    States(Vec<&'static str>),
    /// Within so many kilometres of a point.
    Around(Point, u32),
}

/// By which of its names a region is found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    /// One that is its alone.
    Clear,
    /// One that a place with scheduled flights has, too: New York, Victoria.
    Shared,
}

struct Regions {
    all: Vec<Region>,
    index: NameIndex<Name>,
}

static REGIONS: LazyLock<Regions> = LazyLock::new(|| {
    let all = all();
    let mut index = NameIndex::default();
    let taken: BTreeSet<String> = airports()
        .iter()
        .filter(|airport| airport.has_flights)
        .map(|airport| plain(airport.city))
        .chain(airport_cities().iter().map(|city| plain(city.name)))
        .chain(
            cities()
                .iter()
                .filter(|city| crate::place::SERVED.contains(&city.code))
                .map(|city| plain(city.name)),
        )
        .collect();
    // Destinations come first in the table; of those nobody means the place.
    let destinations = destinations(DESTINATIONS).count();
    for (region, place) in all.iter().zip(0..) {
        let mut names: Vec<String> =
            [&region.name].into_iter().chain(&region.other_names).map(|name| plain(name)).collect();
        names.sort_unstable();
        names.dedup();
        for name in names.iter().filter(|name| !name.is_empty()) {
            let is_shared =
                usize::try_from(place).is_ok_and(|place| place >= destinations) && taken.contains(name);
            index.add(name, place, if is_shared { Name::Shared } else { Name::Clear });
        }
    }
    Regions { all, index: index.sorted() }
});

/// The regions that are called just so, each once, with whether no place with scheduled flights is called so, too.
pub(crate) fn called(name: &str) -> impl Iterator<Item = (&'static Region, bool)> {
    let named = REGIONS.index.named(name);
    named.filter_map(|(name, place)| Some((at(place)?, name == Name::Clear)))
}

/// The largest regions of which a name begins so, and is longer.
pub(crate) fn beginning_with(typed: &str, home: Option<&str>) -> impl Iterator<Item = &'static Region> {
    let begun = REGIONS.index.beginning_with(typed).begun.into_iter();
    let mut begun: Vec<&Region> = begun.filter_map(|(_, place)| at(place)).collect();
    begun.sort_by_key(|region| Reverse(region.size(home)));
    begun.into_iter().take(OF_A_BEGINNING)
}

fn at(place: u32) -> Option<&'static Region> {
    REGIONS.all.get(usize::try_from(place).ok()?)
}

impl Region {
    /// How large it counts beside others of its name for somebody of a country: the own country first, then countries,
    /// then by people.
    pub fn size(&self, home: Option<&str>) -> u64 {
        let of_home = if home == Some(self.country) { 1_000 } else { 1 };
        let of_countries = if self.area == Area::Country { 10 } else { 1 };
        self.population.max(1).saturating_mul(of_home * of_countries)
    }

    /// Its cities by their places in the table, the largest first; where it has none, the nearest.
    pub fn cities(&self) -> &[u32] {
        self.cities.get_or_init(|| {
            let inside =
                (0..).zip(cities()).filter(|(_, city)| self.contains(city.country, city.region, city.point));
            let inside: Vec<u32> = inside.map(|(place, _)| place).take(MOST).collect();
            match (&self.area, inside.is_empty()) {
                (Area::Around(point, _), true) => {
                    let here = (0..).zip(cities()).filter(|(_, city)| city.country == self.country);
                    let nearest = here.min_by_key(|(_, city)| distance_km(*point, city.point));
                    nearest.map(|(place, _)| place).into_iter().collect()
                }
                _ => inside,
            }
        })
    }

    /// Its airports with scheduled flights and the cities of several, the most important first; where it has none, the
    /// nearest.
    pub fn places(&self) -> &[Place] {
        self.places.get_or_init(|| {
            let inside = airports().iter().filter(|airport| {
                let (country, state) = airport.region.split_once('.').unwrap_or((airport.iso_country, ""));
                airport.has_flights && self.contains(country, state, airport.point)
            });
            let mut inside: Vec<&crate::Airport> = inside.collect();
            inside.sort_by_key(|airport| (Reverse(airport.rank), airport.iata));
            let mut places: Vec<Place> = Vec::new();
            for airport in inside.into_iter().take(MOST) {
                let city = crate::airport_city(airport.city_code).filter(|city| city.is_of_several());
                let city = city.map(Place::City).filter(|city| !places.contains(city));
                places.extend(city.into_iter().chain([Place::Airport(airport)]));
            }
            if places.is_empty() {
                let middle = match self.area {
                    Area::Around(point, _) => Some(point),
                    Area::Country | Area::Countries(_) | Area::States(_) => self
                        .cities()
                        .first()
                        .and_then(|city| cities().get(usize::try_from(*city).ok()?).map(|city| city.point)),
                };
                places.extend(
                    middle
                        .map(|point| nearby::airports_near(point, self.country))
                        .into_iter()
                        .flatten()
                        .map(Place::Airport),
                );
            }
            places
        })
    }

    /// Whether the city lies in this destination around a point, or as far outside of it at most as it is wide: the circles are
    /// drawn for the airports, and Zermatt is at the edge of the Alps.
    pub fn has_town(&self, city: &crate::City) -> bool {
        match &self.area {
            Area::Around(middle, radius_km) => {
                city.country == self.country
                    && distance_km(*middle, city.point) <= radius_km.saturating_mul(2)
            }
            Area::Country | Area::Countries(_) | Area::States(_) => false,
        }
    }

    fn contains(&self, country: &str, state: &str, point: Point) -> bool {
        match &self.area {
            Area::Country => country == self.country,
            Area::Countries(countries) => countries.contains(&country),
            Area::States(states) => country == self.country && states.contains(&state),
            Area::Around(middle, radius_km) => {
                country == self.country && distance_km(*middle, point) <= *radius_km
            }
        }
    }
}

/// Destinations, then states, then the countries that are no destinations.
fn all() -> Vec<Region> {
    let mut all: Vec<Region> =
        destinations(DESTINATIONS).chain(states(STATES)).filter_map(Result::ok).collect();
    let known: BTreeSet<&str> =
        all.iter().filter(|region| region.area == Area::Country).map(|region| region.country).collect();
    let countries: BTreeSet<&str> =
        cities().iter().map(|city| city.country).filter(|country| !known.contains(country)).collect();
    all.extend(
        countries
            .into_iter()
            .filter_map(|code| Some(region(country::english_name(code)?, Vec::new(), code, Area::Country))),
    );
    let mut people: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for city in cities() {
        *people.entry((city.country, city.region)).or_default() += u64::from(city.population);
    }
    for region in &mut all {
        let of_states = people.iter().filter(|((country, state), _)| {
            let is_around = matches!(region.area, Area::Around(..));
            !is_around && region.contains(country, state, Point { north: 0, east: 0 })
        });
        region.population = of_states.map(|(_, people)| *people).sum();
    }
    all
}

fn region(name: &'static str, other_names: Vec<&'static str>, country: &'static str, area: Area) -> Region {
    Region {
        name,
        other_names,
        country,
        area,
        population: 0,
        cities: OnceLock::new(),
        places: OnceLock::new(),
    }
}

/// Each row of the states' file as a region, or the words that say what is wrong with it.
fn states(file: &'static [u8]) -> impl Iterator<Item = Result<Region, String>> {
    rows(file, |record| {
        let area = Area::States(vec![leak(field(record, 1)?)]);
        Ok(region(leak(field(record, 2)?), names(record.get(3)), known_country(field(record, 0)?)?, area))
    })
}

/// Each row of the destinations' file as a region, or the words that say what is wrong with it.
fn destinations(file: &'static [u8]) -> impl Iterator<Item = Result<Region, String>> {
    rows(file, |record| {
        let countries: Vec<&str> =
            field(record, 2)?.split(' ').map(known_country).collect::<Result<_, _>>()?;
        let first = countries.first().copied().ok_or("no country")?;
        let area = match record.get(3) {
            Some("*") if countries.len() > 1 => Area::Countries(countries),
            Some("*") => Area::Country,
            Some("") | None => {
                let radius_km = field(record, 6)?.parse().map_err(|_| "a radius that is no number")?;
                let north = microdegrees(field(record, 4)?, 90)?;
                let east = microdegrees(field(record, 5)?, 180)?;
                Area::Around(Point { north, east }, radius_km)
            }
            Some(states) => Area::States(states.split(' ').map(leak).collect()),
        };
        Ok(region(leak(field(record, 0)?), names(record.get(1)), first, area))
    })
}

fn field(record: &csv::StringRecord, at: usize) -> Result<&str, &'static str> {
    record.get(at).filter(|text| !text.is_empty()).ok_or("an empty field")
}

fn known_country(code: &str) -> Result<&'static str, &'static str> {
    country::english_name(code).ok_or("an unknown country")?;
    Ok(leak(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_files_is_a_region_with_airports_and_cities() {
        let refused: Vec<String> =
            destinations(DESTINATIONS).chain(states(STATES)).filter_map(Result::err).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        assert_eq!(states(STATES).count(), 2_760);
        for region in REGIONS.all.iter().take(destinations(DESTINATIONS).count()) {
            assert!(!region.places().is_empty(), "{} has no airport", region.name);
            assert!(!region.cities().is_empty(), "{} has no city", region.name);
            if let Area::States(codes) = &region.area {
                let known = |code: &&str| {
                    states(STATES).flatten().any(|state| {
                        let is_it =
                            matches!(&state.area, Area::States(known) if known.iter().any(|one| one == code));
                        is_it && state.country == region.country
                    })
                };
                assert!(codes.iter().all(known), "{}: {codes:?}", region.name);
            }
        }
    }

    #[test]
    fn airports_in_a_region_have_flights_and_come_by_importance() {
        let codes = |name: &str| -> Vec<&str> {
            let (region, _) = called(name).next().unwrap();
            region.places().iter().map(|place| place.code()).collect()
        };
        assert_eq!(codes("bali"), ["DPS"]);
        assert_eq!(codes("kashmir")[0], "SXR");
        assert_eq!(codes("maldives")[0], "MLE");
        assert_eq!(codes("tuscany")[..2], ["FLR", "PSA"]);
    }
}
