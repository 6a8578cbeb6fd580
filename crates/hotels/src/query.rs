//! What is asked for in a hotel search.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Who sleeps in one room.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RoomGuests {
    /// 1 to 9.
    pub adults: u8,
    /// 0 to 9 children by their ages, 0 to 17.
    pub children_ages: Vec<u8>,
}

impl RoomGuests {
    /// Whether a room for these is one for those: as many adults, and children of the same ages in whatever order.
    pub fn are_like(&self, others: &Self) -> bool {
        let sorted = |ages: &[u8]| {
            let mut ages = ages.to_vec();
            ages.sort_unstable();
            ages
        };
        self.adults == others.adults && sorted(&self.children_ages) == sorted(&others.children_ages)
    }
}

/// Where hotels are searched.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(not(feature = "exhaustive"), non_exhaustive)]
pub enum SearchArea {
    /// These hotels, by the ids of the supplier that is asked.
    Hotels(Vec<String>),
    /// A city of GeoNames. Suppliers get what they know: name, code or centre.
    City {
        /// Its English name.
        name: String,
        /// ISO 3166-1 alpha-2.
        country: String,
        /// Of its centre, degrees.
        latitude: Decimal,
        /// Of its centre, degrees.
        longitude: Decimal,
    },
    /// What lies around an airport.
    Airport {
        /// IATA code.
        code: String,
        /// Degrees.
        latitude: Decimal,
        /// Degrees.
        longitude: Decimal,
    },
    /// A point and what lies around it.
    Around {
        /// Degrees.
        latitude: Decimal,
        /// Degrees.
        longitude: Decimal,
        /// Metres.
        radius_m: u32,
    },
}

/// A hotel search without the caller: what a supplier is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Query {
    /// The day of arrival, local at the hotel.
    pub check_in: NaiveDate,
    /// The day of departure, local at the hotel; after `check_in`.
    pub check_out: NaiveDate,
    /// The rooms, one entry for each; never empty.
    pub rooms: Vec<RoomGuests>,
    /// A city, an airport, a point with a radius, or named hotels.
    #[serde(rename = "place")]
    pub area: SearchArea,
    /// Of which country the guests are citizens, ISO 3166-1 alpha-2.
    pub nationality: String,
    /// In which language texts are wanted, ISO 639-1.
    pub language: String,
}

impl Query {
    /// How many nights are slept.
    pub fn nights(&self) -> u32 {
        u32::try_from((self.check_out - self.check_in).num_days()).unwrap_or(0)
    }

    /// Each kind of room that is asked for, and how many of it, in the order in which they were first named.
    pub fn kinds(&self) -> Vec<(&RoomGuests, u16)> {
        kinds(&self.rooms)
    }
}

/// Each kind of room among these, and how many of it, in the order in which they were first named.
pub fn kinds(rooms: &[RoomGuests]) -> Vec<(&RoomGuests, u16)> {
    let mut kinds: Vec<(&RoomGuests, u16)> = Vec::new();
    for room in rooms {
        match kinds.iter_mut().find(|(kind, _)| kind.are_like(room)) {
            Some((_, count)) => *count += 1,
            None => kinds.push((room, 1)),
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_of_the_same_guests_are_of_one_kind() {
        let room = |adults, ages: &[u8]| RoomGuests { adults, children_ages: ages.to_vec() };
        let query = Query {
            check_in: "2026-05-01".parse().unwrap(),
            check_out: "2026-05-04".parse().unwrap(),
            rooms: vec![room(2, &[]), room(1, &[7, 4]), room(2, &[]), room(1, &[4, 7]), room(1, &[4, 4])],
            area: SearchArea::Hotels(vec!["lp1897".to_owned()]),
            nationality: "IN".to_owned(),
            language: "en".to_owned(),
        };
        assert_eq!(query.nights(), 3);
        assert_eq!(query.kinds(), [(&room(2, &[]), 2), (&room(1, &[7, 4]), 2), (&room(1, &[4, 4]), 1)]);
    }
}
