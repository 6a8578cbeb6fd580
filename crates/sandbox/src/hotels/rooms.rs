//! Rooms, boards, and who stays how long.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use super::hotel::{Hotel, Style};

/// From the first day on until the last, on which it is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stay {
    pub(crate) check_in: NaiveDate,
    pub(crate) check_out: NaiveDate,
}

impl Stay {
    /// The longest that is sold, in nights.
    pub(crate) const LONGEST: i64 = 30;

    pub(crate) fn number_of_nights(self) -> i64 {
        (self.check_out - self.check_in).num_days()
    }

    pub(crate) fn nights(self) -> impl Iterator<Item = NaiveDate> {
        let first = self.check_in;
        let number = u64::try_from(self.number_of_nights()).unwrap_or_default();
        (0..number).filter_map(move |night| first.checked_add_days(Days::new(night)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Guests {
    pub(crate) adults: u8,
    /// The age of each child, 0 to 17.
    pub(crate) children: Vec<u8>,
}

impl Guests {
    /// Infants sleep with their parents.
    pub(super) const INFANT_BELOW: u8 = 2;
    /// Older children cost more.
    pub(super) const TEENAGER_FROM: u8 = 12;

    fn number_of_children(&self) -> u8 {
        u8::try_from(self.children.len()).unwrap_or(u8::MAX)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bed {
    Single,
    Double,
    Queen,
    King,
    Sofa,
}

impl Bed {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Single => "Single bed",
            Self::Double => "Double bed",
            Self::Queen => "Queen bed",
            Self::King => "King bed",
            Self::Sofa => "Sofa bed",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoomKind {
    Single,
    Double,
    Twin,
    Superior,
    Triple,
    Family,
    JuniorSuite,
    Suite,
    Studio,
    OneBedroom,
    TwoBedrooms,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RoomType {
    pub(crate) kind: RoomKind,
    /// As Hotelbeds writes it: `DBL.ST`.
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) beds: &'static [(Bed, u8)],
    pub(crate) max_adults: u8,
    pub(crate) max_children: u8,
    pub(crate) max_occupancy: u8,
    pub(crate) square_metres: u32,
    /// What it costs, in thousandths of a standard double room.
    pub(super) level: u32,
}

const fn room(
    kind: RoomKind,
    code: &'static str,
    name: &'static str,
    beds: &'static [(Bed, u8)],
    (max_adults, max_children, max_occupancy): (u8, u8, u8),
    square_metres: u32,
    level: u32,
) -> RoomType {
    RoomType { kind, code, name, beds, max_adults, max_children, max_occupancy, square_metres, level }
}

#[rustfmt::skip]
const ROOMS: [RoomType; 11] = {
    use Bed::{Double, King, Queen, Single, Sofa};
    [
        room(RoomKind::Single, "SGL.ST", "Standard Single Room", &[(Single, 1)], (1, 0, 1), 14, 780),
        room(RoomKind::Double, "DBL.ST", "Standard Double Room", &[(Double, 1)], (2, 1, 3), 20, 1_000),
        room(RoomKind::Twin, "TWN.ST", "Standard Twin Room", &[(Single, 2)], (2, 1, 3), 21, 1_000),
        room(RoomKind::Superior, "DBL.SU", "Superior King Room", &[(King, 1)], (2, 1, 3), 27, 1_240),
        room(RoomKind::Triple, "TPL.ST", "Triple Room", &[(Double, 1), (Single, 1)], (3, 2, 3), 26, 1_320),
        room(RoomKind::Family, "FAM.ST", "Family Room", &[(Queen, 1), (Single, 2)], (4, 3, 5), 36, 1_620),
        room(RoomKind::JuniorSuite, "JSU.ST", "Junior Suite", &[(King, 1), (Sofa, 1)], (3, 2, 4), 42, 1_850),
        room(RoomKind::Suite, "SUI.DX", "Deluxe Suite", &[(King, 1), (Sofa, 1)], (3, 2, 4), 58, 2_600),
        room(RoomKind::Studio, "STU.ST", "Studio", &[(Queen, 1)], (2, 1, 3), 28, 1_080),
        room(RoomKind::OneBedroom, "APT.B1", "One-Bedroom Apartment", &[(Queen, 1), (Sofa, 1)], (3, 2, 4), 45, 1_450),
        room(RoomKind::TwoBedrooms, "APT.B2", "Two-Bedroom Apartment", &[(Queen, 1), (Single, 2)], (4, 4, 6), 70, 2_050),
    ]
};

impl RoomKind {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        ROOMS.iter().map(|room| room.kind)
    }

    pub(crate) fn room_type(self) -> &'static RoomType {
        let [first, ..] = &ROOMS;
        ROOMS.iter().find(|room| room.kind == self).unwrap_or(first)
    }
}

impl RoomType {
    pub(crate) fn fits(&self, guests: &Guests) -> bool {
        let children = guests.number_of_children();
        guests.adults <= self.max_adults
            && children <= self.max_children
            && guests.adults.saturating_add(children) <= self.max_occupancy
    }

    pub(crate) fn amenities(&self) -> &'static [&'static str] {
        let all = &[
            "Air conditioning",
            "Private bathroom",
            "Flat-screen TV",
            "Hairdryer",
            "Safe",
            "Minibar",
            "Bathrobe",
            "Kitchen",
        ];
        match self.kind {
            RoomKind::Single | RoomKind::Double | RoomKind::Twin | RoomKind::Triple | RoomKind::Family => {
                all.get(..5).unwrap_or_default()
            }
            RoomKind::Superior | RoomKind::JuniorSuite | RoomKind::Suite => all.get(..7).unwrap_or_default(),
            RoomKind::Studio | RoomKind::OneBedroom | RoomKind::TwoBedrooms => all,
        }
    }
}

#[allow(clippy::enum_variant_names, reason = "half board and full board are the trade's words")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Board {
    RoomOnly,
    Breakfast,
    HalfBoard,
    FullBoard,
    AllInclusive,
}

impl Board {
    pub(crate) const ALL: [Self; 5] =
        [Self::RoomOnly, Self::Breakfast, Self::HalfBoard, Self::FullBoard, Self::AllInclusive];

    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::RoomOnly => "RO",
            Self::Breakfast => "BB",
            Self::HalfBoard => "HB",
            Self::FullBoard => "FB",
            Self::AllInclusive => "AI",
        }
    }

    /// What it costs one adult a night, in US cents, before the hotel's level.
    pub(super) fn us_cents(self) -> u64 {
        match self {
            Self::RoomOnly => 0,
            Self::Breakfast => 1_100,
            Self::HalfBoard => 2_900,
            Self::FullBoard => 4_300,
            Self::AllInclusive => 6_900,
        }
    }
}

impl Hotel {
    pub(crate) fn rooms(&self) -> impl Iterator<Item = &'static RoomType> + use<> {
        use RoomKind::*;
        let kinds: &[RoomKind] = match (self.style, self.stars) {
            (Style::Hotel, ..=3) => &[Single, Double, Twin, Triple, Family],
            (Style::Hotel, 4) => &[Single, Double, Twin, Superior, Family, JuniorSuite],
            (Style::Hotel, _) => &[Double, Twin, Superior, JuniorSuite, Suite],
            (Style::Resort, _) => &[Double, Twin, Superior, Family, Suite],
            (Style::Apartments, _) => &[Studio, OneBedroom, TwoBedrooms],
            (Style::GuestHouse, _) => &[Single, Double, Twin, Triple],
        };
        kinds.iter().map(|kind| kind.room_type())
    }

    pub(crate) fn boards(&self) -> &'static [Board] {
        use Board::*;
        match (self.style, self.stars) {
            (Style::Hotel, ..=3) => &[RoomOnly, Breakfast],
            (Style::Hotel, 4) => &[RoomOnly, Breakfast, HalfBoard],
            (Style::Hotel, _) => &[Breakfast, HalfBoard],
            (Style::Resort, _) if self.id.place.is_multiple_of(2) => &[Breakfast, HalfBoard, AllInclusive],
            (Style::Resort, _) => &[Breakfast, HalfBoard, FullBoard],
            (Style::Apartments, _) => &[RoomOnly],
            (Style::GuestHouse, _) => &[RoomOnly, Breakfast],
        }
    }
}
