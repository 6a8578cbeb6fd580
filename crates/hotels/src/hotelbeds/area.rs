//! Where a search looks, in their words. A city is searched around its centre: the codes of their destinations stand in their content,
//! which must not be asked for beside a search (D-594).

use rust_decimal::Decimal;
use wayfare_domain::Amount;

use super::{codes, wire};
use crate::SearchArea;

/// Around the centre of a city; kilometres.
const CITY_RADIUS: u32 = 20;
/// Around an airport; kilometres.
const AIRPORT_RADIUS: u32 = 25;

/// Says where to search.
pub(super) fn set_area(area: &SearchArea, body: &mut wire::NewSearch<'_>) -> Result<(), String> {
    match area {
        SearchArea::Hotels(ids) => {
            let hotel: Vec<u32> = ids.iter().filter_map(|id| codes::hotel_code(id)).collect();
            if hotel.is_empty() {
                return Err("a hotel's code is a number".to_owned());
            }
            body.hotels = Some(wire::NewHotels { hotel });
        }
        SearchArea::City { latitude, longitude, .. } => {
            body.geolocation = Some(around(*latitude, *longitude, CITY_RADIUS.into()))
        }
        SearchArea::Airport { latitude, longitude, .. } => {
            body.geolocation = Some(around(*latitude, *longitude, AIRPORT_RADIUS.into()))
        }
        SearchArea::Around { latitude, longitude, radius_m } => {
            let radius = Decimal::new((*radius_m).into(), 3).normalize();
            body.geolocation = Some(around(*latitude, *longitude, radius));
        }
    }
    Ok(())
}

fn around(latitude: Decimal, longitude: Decimal, radius_km: Decimal) -> wire::NewGeolocation {
    wire::NewGeolocation {
        latitude: Amount(latitude),
        longitude: Amount(longitude),
        radius: Amount(radius_km),
        unit: "km",
    }
}
