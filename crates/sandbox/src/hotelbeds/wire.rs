//! Hotelbeds' words for instants, countries, categories and boards; written from here.

use chrono::{DateTime, Utc};
use wayfare_reference::City;

use crate::hotels::{Board, Hotel, Style};

/// An instant by a city's clocks and with their offset: `2024-04-01T14:00:00+01:00`.
pub(super) fn instant(city: &City, at: DateTime<Utc>) -> String {
    let local = at.with_timezone(&city.time_zone);
    local.format("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// Hotelbeds' code of a country, which is ISO's but for one.
pub(super) fn country_code(iso: &'static str) -> &'static str {
    if iso == "GB" { "UK" } else { iso }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Category {
    /// `4EST`, or `3LL` where apartments have keys for stars.
    pub(super) code: String,
    pub(super) name: String,
    pub(super) simple_code: u8,
    pub(super) group: String,
}

impl Category {
    pub(super) fn of(hotel: &Hotel) -> Self {
        if hotel.style == Style::Apartments { Self::keys(hotel.stars) } else { Self::stars(hotel.stars) }
    }

    pub(super) fn stars(number: u8) -> Self {
        Self {
            code: format!("{number}EST"),
            name: format!("{number} STAR{}", plural(number)),
            simple_code: number,
            group: format!("GRUPO{number}"),
        }
    }

    pub(super) fn keys(number: u8) -> Self {
        Self {
            code: format!("{number}LL"),
            name: format!("{number} KEY{}", plural(number)),
            simple_code: number,
            group: "GRUPO7".to_owned(),
        }
    }
}

fn plural(number: u8) -> &'static str {
    if number == 1 { "" } else { "S" }
}

pub(super) fn category_group_name(code: &str) -> String {
    match code.strip_prefix("GRUPO") {
        Some("7") => "Includes apartments of every number of keys".to_owned(),
        stars => format!("Includes {}-star hotels", stars.unwrap_or_default()),
    }
}

pub(super) fn accommodation(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Hotel => ("H", "Hotel"),
        Style::Resort => ("R", "Resort"),
        Style::Apartments => ("A", "Apartment"),
        Style::GuestHouse => ("G", "Guest house"),
    }
}

pub(super) fn board_name(board: Board) -> &'static str {
    match board {
        Board::RoomOnly => "ROOM ONLY",
        Board::Breakfast => "BED AND BREAKFAST",
        Board::HalfBoard => "HALF BOARD",
        Board::FullBoard => "FULL BOARD",
        Board::AllInclusive => "ALL INCLUSIVE",
    }
}
