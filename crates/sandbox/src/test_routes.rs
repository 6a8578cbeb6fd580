//! The routes on which a situation is rehearsed, one way only. Duffel's test mode names them, and the flights that every
//! supplier sells there follow it; what happens besides happens to Duffel's offers alone, but for the balance that is too low,
//! which is too low at TripJack too.

use crate::itinerary::{RouteScenario, Slice};

/// What happens on a route, besides what its flights look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Situation {
    SearchTimesOut,
    /// Each offer is gone when it is read.
    OfferGone,
    /// Each reading of an offer finds it dearer by 10.00.
    PriceRises,
    /// The offers can be held, and nothing else.
    OnlyHolds,
    OrderFails,
    NoBalance,
}

fn route(slices: &[Slice]) -> Option<(&str, &str)> {
    match slices {
        [slice] => Some((&slice.from.code, &slice.to.code)),
        _ => None,
    }
}

pub(crate) fn situation(slices: &[Slice]) -> Option<Situation> {
    match route(slices)? {
        ("STN", "LHR") => Some(Situation::SearchTimesOut),
        ("LGW", "LHR") => Some(Situation::OfferGone),
        ("LHR", "STN") => Some(Situation::PriceRises),
        ("JFK", "EWR") => Some(Situation::OnlyHolds),
        ("LHR", "LGW") => Some(Situation::OrderFails),
        ("LGW", "STN") => Some(Situation::NoBalance),
        _ => None,
    }
}

/// What the flights of this search's route must look like.
pub(crate) fn scenario(slices: &[Slice]) -> RouteScenario {
    let mut scenario =
        RouteScenario { within_a_city: situation(slices).is_some(), ..RouteScenario::default() };
    match route(slices) {
        Some(("PVD", "RAI")) => scenario.no_flights = true,
        Some(("JFK", "EWR")) => scenario.only_holds = true,
        Some(("LHR", "DXB")) => scenario.only_connections = true,
        Some(("DXB", "AMS")) => scenario.a_stop_on_the_way = true,
        Some(("BTS", "MRU")) => scenario.no_bags = true,
        Some(("BTS", "ABV")) => scenario.no_extras = true,
        Some(("LHR", "LTN")) => {
            scenario.within_a_city = true;
            scenario.changes_when_read = true;
        }
        _ => {}
    }
    scenario
}
