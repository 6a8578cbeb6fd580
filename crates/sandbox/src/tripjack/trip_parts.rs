//! How TripJack cuts a search: within one country each way is sold by itself, across borders the trip is sold whole.

use crate::itinerary::Search;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TripType {
    OneWay,
    /// There, and back to where it began.
    Return,
    MultiCity,
}

/// What is sold by itself: a key of the answer, and the search behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) key: String,
    pub(super) search: Search,
}

impl TripType {
    pub(super) fn of(search: &Search) -> Self {
        match search.slices.as_slice() {
            [_] => Self::OneWay,
            [there, back] if there.from.code == back.to.code && there.to.code == back.from.code => {
                Self::Return
            }
            _ => Self::MultiCity,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OneWay => "ONEWAY",
            Self::Return => "RETURN",
            Self::MultiCity => "MULTICITY",
        }
    }
}

/// Whether all airports of a search are in one country.
pub(super) fn is_domestic(search: &Search) -> bool {
    let places = search.slices.iter().flat_map(|slice| [&slice.from, &slice.to]);
    let mut countries = places.flat_map(|place| &place.airports).map(|airport| airport.iso_country);
    let first = countries.next();
    countries.all(|country| Some(country) == first)
}

/// What a search is sold as, in the order of travel.
pub(super) fn parts(search: &Search) -> Vec<Part> {
    let trip = TripType::of(search);
    if trip != TripType::OneWay && !is_domestic(search) {
        return vec![Part { key: "COMBO".to_owned(), search: search.clone() }];
    }
    let key = |at: usize| match (trip, at) {
        (TripType::MultiCity, at) => at.to_string(),
        (_, 0) => "ONWARD".to_owned(),
        _ => "RETURN".to_owned(),
    };
    let part = |(at, slice): (usize, &crate::itinerary::Slice)| Part {
        key: key(at),
        search: Search { slices: vec![slice.clone()], ..search.clone() },
    };
    search.slices.iter().enumerate().map(part).collect()
}
