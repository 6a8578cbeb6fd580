//! Cities of more than 15,000 people, and smaller ones that many travel to: what they are called, where they lie, what time it is there.

use std::{cmp::Reverse, sync::LazyLock};

use chrono::{DateTime, NaiveDateTime, Utc};
use flate2::read::DeflateDecoder;
use rust_decimal::Decimal;
use wayfare_domain::Zone;

use crate::{
    airport::offset,
    geometry::{Point, distance_km},
    text::{leak, microdegrees, names, rows},
};

/// Compressed by `build.rs`.
const FILE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cities.csv"));

/// Nothing is lost here: a test reads the same file and fails if one row of it is refused.
static CITIES: LazyLock<Vec<City>> =
    LazyLock::new(|| rows(DeflateDecoder::new(FILE), row).filter_map(Result::ok).collect());

/// The places of the cities in the table, by their codes.
static BY_CODE: LazyLock<Vec<(u32, usize)>> = LazyLock::new(|| {
    let mut codes: Vec<(u32, usize)> = CITIES.iter().map(|city| city.code).zip(0..).collect();
    codes.sort_unstable();
    codes
});

/// A city of GeoNames, in which hotels are searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct City {
    /// Its number at GeoNames, by which clients name it.
    pub code: u32,
    /// Its usual name in English.
    pub name: &'static str,
    /// Country by ISO 3166-1 alpha-2; `XK` stands for Kosovo, which ISO does not list.
    pub country: &'static str,
    /// The zone its clocks follow.
    pub time_zone: Zone,
    /// Where its centre lies.
    pub point: Point,
    /// GeoNames' code of the region it lies in, within its country: `16`; may be empty.
    pub region: &'static str,
    /// How many people live there.
    pub population: u32,
    /// Its names in other languages and spellings, and the IATA codes that stand for it.
    pub other_names: Vec<&'static str>,
}

impl City {
    /// The instant at which the clocks here show `local`: an hour that they skip takes the offset from before they moved;
    /// one that they show twice, the first.
    pub fn instant_of(&self, local: NaiveDateTime) -> DateTime<Utc> {
        DateTime::from_naive_utc_and_offset(local - offset(self.time_zone, local), Utc)
    }
}

/// All cities, the largest first.
pub fn cities() -> &'static [City] {
    &CITIES
}

/// The city of this code, if there is one.
pub fn city(code: u32) -> Option<&'static City> {
    let place = BY_CODE.binary_search_by_key(&code, |(code, _)| *code).ok()?;
    BY_CODE.get(place).and_then(|(_, place)| CITIES.get(*place))
}

/// The cities whose centres lie within so many kilometres of a point in degrees, with their distances in whole
/// kilometres, the nearest first.
pub fn cities_near(latitude: Decimal, longitude: Decimal, radius_km: u32) -> Vec<(&'static City, u32)> {
    let Some(point) = point(latitude, longitude) else { return Vec::new() };
    let mut near: Vec<(&City, u32)> =
        distances(point).filter(|(_, distance)| *distance <= radius_km).collect();
    near.sort_by_key(|(city, distance)| (*distance, Reverse(city.population)));
    near
}

/// The time zone of the place at this point in degrees: that of the nearest city.
pub fn time_zone_at(latitude: Decimal, longitude: Decimal) -> Option<Zone> {
    let nearest = distances(point(latitude, longitude)?).min_by_key(|(_, distance)| *distance);
    nearest.map(|(city, _)| city.time_zone)
}

fn point(latitude: Decimal, longitude: Decimal) -> Option<Point> {
    let degrees = |degrees: Decimal, limit| microdegrees(&degrees.round_dp(6).to_string(), limit).ok();
    Some(Point { north: degrees(latitude, 90)?, east: degrees(longitude, 180)? })
}

fn distances(point: Point) -> impl Iterator<Item = (&'static City, u32)> {
    cities().iter().map(move |city| (city, distance_km(point, city.point)))
}

fn row(record: &csv::StringRecord) -> Result<City, &'static str> {
    let field = |at: usize| record.get(at).filter(|text| !text.is_empty()).ok_or("an empty field");
    let country = field(2)?;
    crate::country_name(country).ok_or("an unknown country")?;
    Ok(City {
        code: field(0)?.parse().map_err(|_| "a code that is no number")?,
        name: leak(field(1)?),
        country: leak(country),
        time_zone: field(3)?.parse().map_err(|_| "an unknown time zone")?,
        point: Point { north: microdegrees(field(4)?, 90)?, east: microdegrees(field(5)?, 180)? },
        population: field(6)?.parse().map_err(|_| "a population that is no number")?,
        region: field(7).map_or("", leak),
        other_names: names(record.get(8)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_file_is_a_city() {
        let refused: Vec<String> = rows(DeflateDecoder::new(FILE), row).filter_map(Result::err).collect();
        assert!(refused.is_empty(), "{refused:#?}");
        assert_eq!(cities().len(), 34_203);
        assert!(cities().is_sorted_by_key(|city| Reverse(city.population)));
        assert!(cities().iter().all(|each| city(each.code) == Some(each)));
    }

    #[test]
    fn a_place_has_the_time_of_the_nearest_city() {
        let zone = |latitude: &str, longitude: &str| {
            time_zone_at(latitude.parse().unwrap(), longitude.parse().unwrap()).map(Zone::name)
        };
        assert_eq!(zone("48.8738", "2.2950"), Some("Europe/Paris"));
        assert_eq!(zone("15.2993", "74.1240"), Some("Asia/Kolkata"));
        assert_eq!(zone("91", "0"), None);
    }

    #[test]
    fn what_lies_around_a_point_comes_nearest_first() {
        let near = cities_near("51.5085".parse().unwrap(), "-0.1257".parse().unwrap(), 8);
        assert_eq!(near[0].0.name, "London");
        assert!(near.len() > 5 && near.is_sorted_by_key(|(_, distance)| *distance), "{near:?}");
    }
}
