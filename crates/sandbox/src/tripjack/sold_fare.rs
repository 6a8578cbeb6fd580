//! A fare with its flights, as it is sent and, once booked, stored.

use serde::{Deserialize, Serialize};

use super::World;
use super::pricing::Price;
use crate::fares::{self, Fare};
use crate::itinerary::{Bundle, Flight, Journey, RouteScenario, Search, Traveller};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sold {
    pub(super) id: String,
    /// Which part of its search it answers.
    pub(super) part: u8,
    /// The place of its flights among all trips of the part.
    pub(super) trip: usize,
    /// Whether it is of a search there and back.
    pub(super) is_of_return: bool,
    /// Whether it is sold with another fare and no other way.
    pub(super) is_special: bool,
    pub(super) bundle: Bundle,
    pub(super) price: Price,
    pub(super) party: Vec<Traveller>,
    #[serde(rename = "wishes")]
    pub(super) scenario: RouteScenario,
}

impl Sold {
    /// The id of a flight, counted over all journeys of this fare; all fares of a trip share it.
    pub(super) fn segment_id(&self, flight: usize) -> String {
        format!("{}{:02}{flight}", self.part + 1, self.trip)
    }

    /// Whether a journey of this fare, counted from its first, takes the traveller back to where a return began.
    pub(super) fn is_way_back(&self, journey: usize) -> bool {
        self.is_of_return && usize::from(self.part) + journey > 0
    }

    pub(super) fn journeys(&self) -> impl Iterator<Item = &Journey> {
        self.bundle.journeys.iter()
    }

    pub(super) fn flights(&self) -> impl Iterator<Item = &Flight> {
        self.journeys().flat_map(Journey::flights)
    }

    /// The search it answers, as far as terms and extras depend on it.
    pub(super) fn search(&self) -> Search {
        Search {
            slices: Vec::new(),
            party: self.party.clone(),
            cabin: Some(self.bundle.cabin),
            max_connections: 1,
            scenario: self.scenario,
        }
    }

    /// The terms, which are the same whoever sells it.
    pub(super) fn terms(&self, world: &World) -> Fare {
        fares::fare(world.seed, &world.tariff, &self.bundle, &self.search())
    }
}
