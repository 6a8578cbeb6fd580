//! What Hotelbeds calls what guests find in houses and rooms.

use crate::hotels::{Amenity, Bed};

/// Something that guests find, under a number within a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facility {
    pub(super) group: u16,
    pub(super) code: u16,
    pub(super) description: &'static str,
}

const fn facility(group: u16, code: u16, description: &'static str) -> Facility {
    Facility { group, code, description }
}

/// The groups of facilities, by their numbers.
pub(super) const GROUPS: [(u16, &str); 9] = [
    (40, "Distances (in meters)"),
    (60, "Room facilities (Standard room)"),
    (61, "Room distribution"),
    (70, "Facilities"),
    (71, "Catering"),
    (72, "Business"),
    (73, "Entertainment"),
    (74, "Health"),
    (85, "Things to keep in mind"),
];

/// How far the middle of the city is, in metres.
pub(super) const CITY_CENTRE: Facility = facility(40, 10, "City centre");
pub(super) const CHECK_IN: Facility = facility(70, 260, "Check-in hour");
pub(super) const CHECK_OUT: Facility = facility(70, 390, "Check-out hour");
pub(super) const ROOM_SIZE: Facility = facility(60, 295, "Room size (sqm)");

/// What houses have, in the order of the inventory's amenities.
const OF_HOUSES: [Facility; 14] = [
    facility(70, 550, "Wi-fi"),
    facility(85, 562, "Non-smoking establishment"),
    facility(70, 30, "24-hour reception"),
    facility(70, 559, "Luggage room"),
    facility(70, 320, "Car park"),
    facility(70, 70, "Lift access"),
    facility(71, 200, "Restaurant"),
    facility(71, 130, "Bar"),
    facility(70, 470, "Gym"),
    facility(73, 363, "Outdoor freshwater pool"),
    facility(74, 460, "Spa treatments"),
    facility(70, 562, "Airport Shuttle"),
    facility(72, 575, "Meeting room"),
    facility(70, 596, "Family rooms"),
];

/// What rooms have, under the inventory's names.
const OF_ROOMS: [(&str, Facility); 8] = [
    ("Air conditioning", facility(60, 180, "Individually adjustable air conditioning")),
    ("Private bathroom", facility(60, 10, "Bathroom")),
    ("Flat-screen TV", facility(60, 55, "TV")),
    ("Hairdryer", facility(60, 40, "Hairdryer")),
    ("Safe", facility(60, 200, "Safe")),
    ("Minibar", facility(60, 120, "Minibar")),
    ("Bathrobe", facility(60, 280, "Bathrobes")),
    ("Kitchen", facility(60, 110, "Kitchenette")),
];

const SINGLE_BED: Facility = facility(61, 1, "Single bed 80-130 width");
const DOUBLE_BED: Facility = facility(61, 150, "Double bed 131-150 width");
const KING_SIZE_BED: Facility = facility(61, 155, "King-size bed 150-183 width");
const SOFA_BED: Facility = facility(61, 65, "Sofa bed");

impl Facility {
    pub(super) fn of_house(amenity: &Amenity) -> Option<Self> {
        OF_HOUSES.get(usize::from(amenity.number.checked_sub(1)?)).copied()
    }

    pub(super) fn of_room(amenity: &str) -> Option<Self> {
        let found = OF_ROOMS.iter().find(|(name, _)| *name == amenity);
        found.map(|(_, facility)| *facility)
    }

    pub(super) fn of_bed(bed: Bed) -> Self {
        match bed {
            Bed::Single => SINGLE_BED,
            Bed::Double | Bed::Queen => DOUBLE_BED,
            Bed::King => KING_SIZE_BED,
            Bed::Sofa => SOFA_BED,
        }
    }
}

pub(super) fn all() -> Vec<Facility> {
    let of_rooms = OF_ROOMS.iter().map(|(_, facility)| *facility);
    let others =
        [CITY_CENTRE, CHECK_IN, CHECK_OUT, ROOM_SIZE, SINGLE_BED, DOUBLE_BED, KING_SIZE_BED, SOFA_BED];
    let mut all: Vec<Facility> = OF_HOUSES.into_iter().chain(of_rooms).chain(others).collect();
    all.sort_by_key(|facility| (facility.group, facility.code));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hotels::{AMENITIES, RoomKind};

    #[test]
    fn everything_that_guests_find_has_a_number_in_a_group() {
        for amenity in &AMENITIES {
            assert!(Facility::of_house(amenity).is_some(), "{}", amenity.name);
        }
        for amenity in RoomKind::all().flat_map(|kind| kind.room_type().amenities()) {
            assert!(Facility::of_room(amenity).is_some(), "{amenity}");
        }
        let all = all();
        let mut numbers: Vec<(u16, u16)> = all.iter().map(|each| (each.group, each.code)).collect();
        numbers.dedup();
        assert_eq!(numbers.len(), all.len());
        assert!(numbers.iter().all(|(group, _)| GROUPS.iter().any(|(number, _)| number == group)));
    }
}
