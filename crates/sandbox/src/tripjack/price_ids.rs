//! Price ids, which hold their whole search, so that none has to be remembered.

use crate::itinerary::{Bundle, Journey};
use crate::rng::Rng;
use crate::search_ids::{Reader, StampedSearch, opened, sealed};

/// No fare that this one must be sold with.
const ALONE: u16 = u16::MAX;

/// A search of TripJack's: what was asked for, and what no search of the inventory knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) stamped: StampedSearch,
    /// Trips with a change of planes and no others.
    pub(super) only_connections: bool,
}

impl Request {
    /// The number of a request, as it shows in price ids and reviews.
    pub(super) fn number(&self, seed: u64) -> u32 {
        Rng::of(seed, &sealed(seed, self.stamped.bytes())).between(1_000_000_000, u32::MAX)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The id, which begins as TripJack's do and shows the flights.
    pub(super) fn id(&self, seed: u64, bundle: &Bundle) -> String {
        let mut bytes = self.request.stamped.bytes();
        bytes.extend([u8::from(self.request.only_connections), self.part]);
        bytes.extend(self.place.to_be_bytes());
        bytes.extend(self.twin.unwrap_or(ALONE).to_be_bytes());
        let flights: String = bundle
            .journeys
            .iter()
            .flat_map(Journey::flights)
            .map(|flight| {
                format!(
                    "{}{}{}{}",
                    flight.from.iata, flight.to.iata, flight.airline.code, flight.number
                )
            })
            .collect();
        format!(
            "4-{}_{}{flights}~{}",
            self.request.number(seed),
            self.part,
            sealed(seed, bytes)
        )
    }

    /// The fare of an id, where the sandbox of this seed made it.
    pub(super) fn of_id(seed: u64, id: &str) -> Option<Self> {
        let (_, held) = id.split_once('~')?;
        let bytes = opened(seed, held)?;
        let mut rest = Reader(&bytes);
        let stamped = StampedSearch::read(&mut rest)?;
        let only_connections = rest.byte()? != 0;
        let part = rest.byte()?;
        let place = u16::from_be_bytes(rest.take()?);
        let twin = u16::from_be_bytes(rest.take()?);
        rest.0.is_empty().then_some(Self {
            request: Request {
                stamped,
                only_connections,
            },
            part,
            place,
            twin: (twin != ALONE).then_some(twin),
        })
    }
}
