//! The routes on which a situation is rehearsed, one way only. Duffel's test mode names them, and the flights that every
//! supplier sells there follow it; what happens besides happens to Duffel's offers alone.

use crate::itinerary::{Leg, Wishes};

/// What happens on a route, besides what its flights look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Situation {
    /// The search ends in a time-out.
    SearchTimesOut,
    /// Each offer is gone when it is read.
    OfferGone,
    /// Each reading of an offer finds it dearer by 10.00.
    PriceRises,
    /// The offers can be held, and nothing else.
    OnlyHolds,
    /// The airline fails at the order.
    OrderFails,
    /// The balance is too low to pay.
    NoBalance,
}

fn route(legs: &[Leg]) -> Option<(&str, &str)> {
    match legs {
        [leg] => Some((&leg.from.code, &leg.to.code)),
        _ => None,
    }
}

/// What happens on this search's route.
pub(crate) fn situation(legs: &[Leg]) -> Option<Situation> {
    match route(legs)? {
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
pub(crate) fn wishes(legs: &[Leg]) -> Wishes {
    let wishes = Wishes {
        within_a_city: situation(legs).is_some(),
        ..Wishes::default()
    };
    match route(legs) {
        Some(("PVD", "RAI")) => Wishes {
            no_flights: true,
            ..wishes
        },
        Some(("JFK", "EWR")) => Wishes {
            only_holds: true,
            ..wishes
        },
        Some(("LHR", "DXB")) => Wishes {
            only_connections: true,
            ..wishes
        },
        Some(("DXB", "AMS")) => Wishes {
            a_stop_on_the_way: true,
            ..wishes
        },
        Some(("BTS", "MRU")) => Wishes {
            no_bags: true,
            ..wishes
        },
        Some(("BTS", "ABV")) => Wishes {
            no_extras: true,
            ..wishes
        },
        _ => wishes,
    }
}
