//! Which hotel: a city and a place in it, and the ids under which suppliers know it.

use serde::{Deserialize, Serialize};

/// GeoNames counts cities with 24 bits, and no city has more hotels than fit in 6.
const CITY_BITS: u32 = 24;
const PLACE_BITS: u32 = 6;

/// A hotel, whatever the seed: the same number names another hotel in another world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct HotelId {
    /// The code of its city in the reference table.
    pub(crate) city: u32,
    /// Its place among the city's hotels, counted from 0.
    pub(crate) place: u8,
}

impl HotelId {
    /// LiteAPI's id of it: `lp` and a hexadecimal number.
    pub(crate) fn liteapi(self) -> String {
        format!("lp{:x}", self.city << PLACE_BITS | u32::from(self.place))
    }

    /// The hotel of one of LiteAPI's ids, whether or not it exists.
    pub(crate) fn of_liteapi(text: &str) -> Option<Self> {
        let number = u32::from_str_radix(text.strip_prefix("lp")?, 16).ok()?;
        let id =
            Self { city: number >> PLACE_BITS, place: u8::try_from(number & ((1 << PLACE_BITS) - 1)).ok()? };
        (id.liteapi() == text).then_some(id)
    }

    /// Hotelbeds' code of it: a number below 2³¹.
    pub(crate) fn hotelbeds(self) -> u32 {
        u32::from(self.place) << CITY_BITS | self.city
    }

    /// The hotel of one of Hotelbeds' codes, whether or not it exists.
    pub(crate) fn of_hotelbeds(code: u32) -> Option<Self> {
        Some(Self { city: code & ((1 << CITY_BITS) - 1), place: u8::try_from(code >> CITY_BITS).ok()? })
    }

    pub(crate) fn named(self, topic: &str) -> String {
        format!("hotel/{}/{}/{topic}", self.city, self.place)
    }
}

#[cfg(test)]
mod tests {
    use wayfare_reference::cities;

    use super::*;

    #[test]
    fn both_suppliers_ids_tell_the_hotel() {
        for city in cities().iter().step_by(977) {
            for place in [0, 9, 59, 63] {
                let id = HotelId { city: city.code, place };
                assert_eq!(HotelId::of_liteapi(&id.liteapi()), Some(id));
                assert_eq!(HotelId::of_hotelbeds(id.hotelbeds()), Some(id));
            }
        }
        assert!(cities().iter().all(|city| city.code < 1 << CITY_BITS));
        for text in ["lp", "lp01897", "lpX", "1897", "lpfffffffff"] {
            assert_eq!(HotelId::of_liteapi(text), None, "{text}");
        }
    }
}
