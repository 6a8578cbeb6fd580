//! Which hotels there are: of a city, or around a point.

use rust_decimal::Decimal;
use wayfare_reference::{City, Point, cities_near, distance_m};

use super::hotel::{Hotel, number_of_hotels};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    pub(crate) latitude: Decimal,
    pub(crate) longitude: Decimal,
    pub(crate) radius_m: u32,
}

/// Hotels stand at most so far from the centre of their city.
const FURTHEST_FROM_CENTRE_KM: u32 = 18;

pub(crate) fn hotels_in(seed: u64, city: &'static City) -> impl Iterator<Item = Hotel> {
    (0..number_of_hotels(city)).filter_map(move |place| Hotel::in_city(seed, city, place))
}

/// All hotels of an area, city by city, the nearest city first. They are made as they are asked for.
pub(crate) fn hotels_within(seed: u64, area: Area) -> impl Iterator<Item = Hotel> {
    let radius_km = area.radius_m.div_ceil(1_000).saturating_add(FURTHEST_FROM_CENTRE_KM);
    let micro =
        |degrees: Decimal| i32::try_from((degrees * Decimal::from(1_000_000)).round()).unwrap_or_default();
    let centre = Point { north: micro(area.latitude), east: micro(area.longitude) };
    cities_near(area.latitude, area.longitude, radius_km)
        .into_iter()
        .flat_map(move |(city, _)| hotels_in(seed, city))
        .filter(move |hotel| distance_m(centre, hotel.point) <= area.radius_m)
}
