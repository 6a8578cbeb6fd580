//! What airlines fly, by distance.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Aircraft {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    /// Two aisles.
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

static SHORT: [Aircraft; 2] = [
    aircraft("AT7", "ATR 72", false),
    aircraft("E90", "Embraer 190", false),
];
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

/// A type of aircraft is kept by its code.
impl Serialize for Aircraft {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code)
    }
}

impl<'de> Deserialize<'de> for &'static Aircraft {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Aircraft::of(&code).ok_or_else(|| D::Error::custom(format!("no aircraft {code}")))
    }
}
