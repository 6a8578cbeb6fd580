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
pub(crate) static USUAL_AIRCRAFT: Aircraft = Aircraft {
    code: "320",
    name: "Airbus A320",
    wide: false,
};

static SHORT: [Aircraft; 2] = [
    Aircraft {
        code: "AT7",
        name: "ATR 72",
        wide: false,
    },
    Aircraft {
        code: "E90",
        name: "Embraer 190",
        wide: false,
    },
];
static MEDIUM: [Aircraft; 4] = [
    Aircraft {
        code: "320",
        name: "Airbus A320",
        wide: false,
    },
    Aircraft {
        code: "32N",
        name: "Airbus A320neo",
        wide: false,
    },
    Aircraft {
        code: "321",
        name: "Airbus A321",
        wide: false,
    },
    Aircraft {
        code: "738",
        name: "Boeing 737-800",
        wide: false,
    },
];
static LONG: [Aircraft; 4] = [
    Aircraft {
        code: "77W",
        name: "Boeing 777-300ER",
        wide: true,
    },
    Aircraft {
        code: "789",
        name: "Boeing 787-9",
        wide: true,
    },
    Aircraft {
        code: "333",
        name: "Airbus A330-300",
        wide: true,
    },
    Aircraft {
        code: "359",
        name: "Airbus A350-900",
        wide: true,
    },
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
