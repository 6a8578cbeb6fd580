//! Price ids, which hold their whole search, so that none has to be remembered.

use serde::{Deserialize, Serialize};

use crate::itinerary::{Bundle, Journey};
use crate::rng::Rng;
use crate::search_ids::{StampedSearch, opened, sealed};

/// A search of TripJack's: what was asked for, and what no search of the inventory knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) stamped: StampedSearch,
    /// Trips with a change of planes and no others.
    pub(super) only_connections: bool,
}

impl Request {
    /// The number of a request, as price ids and reviews have it.
    pub(super) fn number(&self, seed: u64) -> u32 {
        Rng::of(seed, &sealed(seed, &self.stamped)).between(1_000_000_000, u32::MAX)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PriceRef {
    pub(super) request: Request,
    /// Which part of the search it answers.
    pub(super) part: u8,
    /// Its place among the bundles of the part.
    pub(super) place: u16,
    /// The place, among the bundles of the other part, of the fare that it is sold with and without which it is not.
    pub(super) twin: Option<u16>,
}

impl PriceRef {
    /// The id, which begins as TripJack's do and names the flights.
    pub(super) fn id(&self, seed: u64, bundle: &Bundle) -> String {
        let flights: String = bundle
            .journeys
            .iter()
            .flat_map(Journey::flights)
            .map(|flight| {
                format!("{}{}{}{}", flight.from.iata, flight.to.iata, flight.airline.code, flight.number)
            })
            .collect();
        format!("4-{}_{}{flights}~{}", self.request.number(seed), self.part, sealed(seed, self))
    }

    /// The fare of an id, where the sandbox of this seed made it.
    pub(super) fn of_id(seed: u64, id: &str) -> Option<Self> {
        opened(seed, id.split_once('~')?.1)
    }
}
