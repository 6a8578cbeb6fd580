//! Duffel's ids of searches and offers, which hold them wholly.

use super::ids;
use crate::search_ids::{StampedSearch, opened, sealed};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OfferRef {
    pub(super) stamped: StampedSearch,
    /// Its place among the bundles of the inventory.
    pub(super) place: u16,
}

impl StampedSearch {
    pub(super) fn request_id(&self, seed: u64) -> String {
        format!("orq_{}", sealed(seed, self))
    }

    pub(super) fn offer_id(&self, seed: u64, place: u16) -> String {
        format!("off_{}", sealed(seed, &(self, place)))
    }

    /// The search of an offer request's id, where the sandbox of this seed made it.
    pub(super) fn of_request_id(seed: u64, id: &str) -> Option<Self> {
        opened(seed, id.strip_prefix("orq_")?)
    }

    /// The ids of the passengers, in the search's order.
    pub(super) fn passenger_ids(&self, seed: u64) -> Vec<String> {
        let request = self.request_id(seed);
        let places = 0..self.search.party.len();
        places.map(|place| ids::named("pas", seed, &format!("{request}/{place}"))).collect()
    }
}

impl OfferRef {
    /// The offer of an id, where the sandbox of this seed made it.
    pub(super) fn of_id(seed: u64, id: &str) -> Option<Self> {
        let (stamped, place) = opened(seed, id.strip_prefix("off_")?)?;
        Some(Self { stamped, place })
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, NaiveDate};

    use super::*;
    use crate::airlines::Cabin;
    use crate::itinerary::{Location, PassengerType, Search, Slice, Traveller};
    use crate::test_routes;

    fn stamped() -> StampedSearch {
        let date = NaiveDate::from_ymd_opt(2027, 2, 3).unwrap();
        let leg = |from, to| Slice { from: Location::of(from).unwrap(), to: Location::of(to).unwrap(), date };
        let slices = vec![leg("DEL", "LON"), leg("LHR", "DEL")];
        let party = vec![
            Traveller { kind: PassengerType::Adult, age: None },
            Traveller { kind: PassengerType::Child, age: Some(7) },
            Traveller { kind: PassengerType::Infant, age: None },
        ];
        let scenario = test_routes::scenario(&slices);
        let search = Search { slices, party, cabin: Some(Cabin::Business), max_connections: 1, scenario };
        StampedSearch::now(DateTime::from_timestamp_micros(1_780_000_000_123_456).unwrap(), search)
    }

    #[test]
    fn an_offer_id_holds_its_whole_search() {
        let stamped = stamped();
        let offer = OfferRef::of_id(9, &stamped.offer_id(9, 41)).unwrap();
        assert_eq!(offer, OfferRef { stamped: stamped.clone(), place: 41 });
        assert_eq!(StampedSearch::of_request_id(9, &stamped.request_id(9)), Some(stamped));
    }

    #[test]
    fn an_id_that_was_touched_or_made_elsewhere_is_none() {
        let id = stamped().offer_id(9, 41);
        assert_eq!(OfferRef::of_id(8, &id), None, "another seed");
        for at in 4..id.len() {
            let mut touched = id.clone().into_bytes();
            touched[at] = if touched[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(OfferRef::of_id(9, std::str::from_utf8(&touched).unwrap()), None, "at {at}");
            assert_eq!(OfferRef::of_id(9, &id[..at]), None, "cut at {at}");
        }
        assert_eq!(OfferRef::of_id(9, "off_0000AEatBx31Yi7k9beiky"), None);
    }
}
