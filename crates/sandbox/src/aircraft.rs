//! What airlines fly, by distance.

use crate::json::by_code;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Aircraft {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) wide: bool,
}

impl Aircraft {
    pub(crate) fn of(code: &str) -> Option<&'static Self> {
        [SHORT.as_slice(), MEDIUM.as_slice(), LONG.as_slice()]
            .into_iter()
            .flatten()
            .find(|aircraft| aircraft.code == code)
    }

    pub(crate) fn for_distance(km: u32) -> &'static [Self] {
        match km {
            0..=450 => &SHORT,
            451..=4_600 => &MEDIUM,
            _ => &LONG,
        }
    }
}

/// For any distance, where the choice does not matter.
pub(crate) static USUAL_AIRCRAFT: Aircraft = aircraft("320", "Airbus A320", false);

const fn aircraft(code: &'static str, name: &'static str, wide: bool) -> Aircraft {
    Aircraft { code, name, wide }
}

static SHORT: [Aircraft; 2] = [aircraft("AT7", "ATR 72", false), aircraft("E90", "Embraer 190", false)];
static MEDIUM: [Aircraft; 4] = [
    aircraft("320", "Airbus A320", false),
    aircraft("32N", "Airbus A320neo", false),
    aircraft("321", "Airbus A321", false),
    aircraft("738", "Boeing 737-800", false),
];
static LONG: [Aircraft; 4] = [
    aircraft("77W", "Boeing 777-300ER", true),
    aircraft("789", "Boeing 787-9", true),
    aircraft("333", "Airbus A330-300", true),
    aircraft("359", "Airbus A350-900", true),
];

by_code!(Aircraft, &'static Aircraft, code, Aircraft::of);
