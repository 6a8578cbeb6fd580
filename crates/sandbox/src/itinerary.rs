//! What is asked for and what is flown, in no supplier's words.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use wayfare_reference::{Airport, Place, PlaceKind};

use crate::aircraft::Aircraft;
use crate::airlines::{Airline, Cabin};

/// A search: who wants to go where, when and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Search {
    pub(crate) slices: Vec<Slice>,
    pub(crate) party: Vec<Traveller>,
    /// The class asked for; without one, all classes are offered.
    pub(crate) cabin: Option<Cabin>,
    pub(crate) max_connections: u8,
    pub(crate) scenario: RouteScenario,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) from: Location,
    pub(crate) to: Location,
    pub(crate) date: NaiveDate,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) code: String,
    pub(crate) airports: Vec<&'static Airport>,
    /// Whether the code is a city's and no airport's.
    pub(crate) is_city: bool,
}

impl Location {
    /// The airport with this code, else the airports with scheduled flights of the city with this code.
    pub(crate) fn of(code: &str) -> Option<Self> {
        let place = Place::of(code, None)?;
        Some(Self {
            code: code.to_owned(),
            airports: place.airports(),
            is_city: place.kind() == PlaceKind::City,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PassengerType {
    Adult,
    Child,
    /// Under two years, on somebody's lap.
    Infant,
}

impl PassengerType {
    pub(crate) const ALL: [Self; 3] = [Self::Adult, Self::Child, Self::Infant];

    pub(crate) fn number_in(self, party: &[Traveller]) -> usize {
        party.iter().filter(|traveller| traveller.kind == self).count()
    }
}

/// One person of a search: by kind, or by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Traveller {
    pub(crate) kind: PassengerType,
    /// The age, where the search gave one instead of a kind.
    pub(crate) age: Option<u8>,
}

/// What a search is to find, whatever the schedule says: suppliers rehearse situations on fixed routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct RouteScenario {
    pub(crate) no_flights: bool,
    pub(crate) only_connections: bool,
    pub(crate) a_stop_on_the_way: bool,
    pub(crate) no_bags: bool,
    pub(crate) no_extras: bool,
    pub(crate) only_holds: bool,
    /// Flights between airports of one city are sold, too.
    pub(crate) within_a_city: bool,
    /// Each reading of an order's schedule changes makes one.
    #[serde(default)]
    pub(crate) changes_when_read: bool,
}

/// One flight: one flight number, one aircraft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Flight {
    pub(crate) airline: &'static Airline,
    pub(crate) operator: &'static Airline,
    pub(crate) number: u32,
    #[serde(with = "by_code")]
    pub(crate) from: &'static Airport,
    #[serde(with = "by_code")]
    pub(crate) to: &'static Airport,
    pub(crate) from_terminal: Option<u8>,
    pub(crate) to_terminal: Option<u8>,
    /// Local time at `from`.
    pub(crate) departs: NaiveDateTime,
    /// Local time at `to`.
    pub(crate) arrives: NaiveDateTime,
    pub(crate) km: u32,
    pub(crate) aircraft: &'static Aircraft,
    pub(crate) stops: Vec<Stop>,
}

impl Flight {
    pub(crate) fn duration(&self) -> TimeDelta {
        self.to.instant_of(self.arrives) - self.from.instant_of(self.departs)
    }
}

/// A landing on the way, without a change of flight number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stop {
    #[serde(with = "by_code")]
    pub(crate) at: &'static Airport,
    pub(crate) arrives: NaiveDateTime,
    pub(crate) departs: NaiveDateTime,
}

/// The flights of one leg, in order; never empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Journey {
    pub(crate) first: Flight,
    pub(crate) then: Vec<Flight>,
}

impl Journey {
    pub(crate) fn flights(&self) -> impl Iterator<Item = &Flight> {
        std::iter::once(&self.first).chain(&self.then)
    }

    pub(crate) fn last(&self) -> &Flight {
        self.then.last().unwrap_or(&self.first)
    }

    pub(crate) fn departure(&self) -> DateTime<Utc> {
        self.first.from.instant_of(self.first.departs)
    }

    /// From departure to arrival, waiting included.
    pub(crate) fn duration(&self) -> TimeDelta {
        self.last().to.instant_of(self.last().arrives) - self.departure()
    }

    /// Lets all its flights leave so much later.
    pub(crate) fn put_off(&mut self, by: TimeDelta) {
        for flight in std::iter::once(&mut self.first).chain(&mut self.then) {
            flight.departs += by;
            flight.arrives += by;
            for stop in &mut flight.stops {
                stop.arrives += by;
                stop.departs += by;
            }
        }
    }

    pub(crate) fn km(&self) -> u32 {
        self.flights().map(|flight| flight.km).sum()
    }
}

/// How much a fare includes and how much it forgives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Brand {
    Basic,
    Standard,
    Flex,
}

/// What is sold as one: a journey for each leg, in one class and brand, by one airline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Bundle {
    pub(crate) airline: &'static Airline,
    pub(crate) journeys: Vec<Journey>,
    pub(crate) cabin: Cabin,
    pub(crate) brand: Brand,
}

impl Bundle {
    pub(crate) fn departure(&self) -> Option<DateTime<Utc>> {
        self.journeys.first().map(Journey::departure)
    }

    /// A name for this bundle that only the same flights, class and brand share.
    pub(crate) fn name(&self) -> String {
        let mut name = format!("{}/{:?}/{:?}", self.airline.code, self.cabin, self.brand);
        for flight in self.journeys.iter().flat_map(Journey::flights) {
            name +=
                &format!("/{}{}{}{}", flight.airline.code, flight.number, flight.from.iata, flight.departs);
        }
        name
    }
}

/// Airports are stored by their code.
mod by_code {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use wayfare_reference::{Airport, airport};

    pub(super) fn serialize<S: Serializer>(
        airport: &&'static Airport,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(airport.iata)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<&'static Airport, D::Error> {
        let code = String::deserialize(deserializer)?;
        airport(&code).ok_or_else(|| D::Error::custom(format!("no airport {code}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_flies_from_an_airport_of_a_city_without_scheduled_flights() {
        let london = Location::of("LON").unwrap();
        let codes: Vec<&str> = london.airports.iter().map(|airport| airport.iata).collect();
        assert_eq!(codes, ["LHR", "LGW", "LTN", "LCY", "STN", "SEN"]);
        assert!(london.is_city);
        // Biggin Hill, which is asked for alone, is an airport all the same.
        assert_eq!(Location::of("BQH").unwrap().airports.len(), 1);
    }
}
