//! Which hotels a search or a list means: by their ids, by country and city, or around a point.

use rust_decimal::Decimal;
use serde_json::Number;
use wayfare_reference::{City, cities, city_named, city_of_airport};

use crate::hotels::{Area, Hotel, HotelId, hotels_in, hotels_within};

#[derive(Debug, Clone)]
pub(super) enum HotelLookup {
    Ids(Vec<HotelId>),
    Cities(Vec<&'static City>),
    Around(Area),
}

/// Where to look, as both kinds of requests say it.
#[derive(Debug, Clone, Default)]
pub(super) struct LookupFields<'a> {
    pub(super) hotel_ids: Option<Vec<&'a str>>,
    pub(super) country_code: Option<&'a str>,
    pub(super) city_name: Option<&'a str>,
    pub(super) latitude: Option<Decimal>,
    pub(super) longitude: Option<Decimal>,
    pub(super) radius_m: Option<u32>,
    pub(super) iata_code: Option<&'a str>,
}

/// The least and the default radius, in metres.
const RADIUS_M: u32 = 1_000;

impl HotelLookup {
    /// What is asked for; none where nothing says where to look. The first way to say it wins.
    pub(super) fn of(place: &LookupFields<'_>) -> Option<Self> {
        if let Some(ids) = &place.hotel_ids {
            let ids = ids.iter().filter_map(|id| HotelId::of_liteapi(id));
            return Some(Self::Ids(ids.collect()));
        }
        if let (Some(latitude), Some(longitude)) = (place.latitude, place.longitude) {
            return Some(Self::Around(Area {
                latitude,
                longitude,
                radius_m: place.radius_m.unwrap_or(RADIUS_M).max(RADIUS_M),
            }));
        }
        if let Some(code) = place.iata_code {
            let city = city_of_airport(code).or_else(|| city_named(code, None));
            return Some(Self::Cities(city.into_iter().collect()));
        }
        let country = place.country_code?;
        let country = country.to_uppercase();
        let named = match place.city_name {
            Some(name) => city_named(name, Some(&country)).into_iter().collect(),
            None => cities().iter().filter(|city| city.country == country).collect(),
        };
        Some(Self::Cities(named))
    }

    pub(super) fn hotels(self, seed: u64) -> Box<dyn Iterator<Item = Hotel>> {
        match self {
            Self::Ids(ids) => Box::new(ids.into_iter().filter_map(move |id| Hotel::of(seed, id))),
            Self::Cities(cities) => Box::new(cities.into_iter().flat_map(move |city| hotels_in(seed, city))),
            Self::Around(area) => Box::new(hotels_within(seed, area)),
        }
    }
}

/// A number of a body as an exact decimal.
pub(super) fn decimal(number: &Number) -> Option<Decimal> {
    let text = number.to_string();
    text.parse().or_else(|_| Decimal::from_scientific(&text)).ok()
}
