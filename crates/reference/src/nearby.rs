//! The airports from which one goes on by road to a place that has no scheduled flights of its own.

use std::cmp::Reverse;

use crate::{
    Airport, airports,
    geometry::{Point, distance_km},
};

/// So far people drive as a matter of course, kilometres.
const USUAL_KM: u32 = 150;
/// And so far where there is nothing nearer.
const FARTHEST_KM: u32 = 400;
/// So many are shown.
const MOST: usize = 3;
/// In millionths; new airports have no rank yet.
const LEAST_RANK: u32 = 4_000;
/// A border on the way costs as much as if the airport were so many times less important.
const BORDER: u64 = 20;

/// The airports for a place of a country, that which most take first: a large one somewhat farther off counts for more than
/// a small one around the corner.
pub(crate) fn airports_near(point: Point, country: &str) -> Vec<&'static Airport> {
    let within = |limit_km: u32| {
        let degrees = i32::try_from(limit_km).unwrap_or(i32::MAX).saturating_mul(10_000);
        let all = airports().iter().filter(|airport| airport.has_flights);
        // A degree of latitude is 111 km: most are ruled out by it.
        let near =
            all.filter(move |airport| airport.point.north.abs_diff(point.north) <= degrees.unsigned_abs());
        let with_distance = near.map(move |airport| (distance_km(point, airport.point), airport));
        with_distance.filter(move |(km, _)| *km <= limit_km)
    };
    let score = |(km, airport): &(u32, &Airport)| {
        // Twice as far counts as sixteen times less important.
        let away = u64::from(km + 20).pow(4);
        let rank = u64::from(airport.rank.max(LEAST_RANK)) * 1_000_000_000;
        let border = if airport.iso_country == country { 1 } else { BORDER };
        Reverse(rank / (away * border))
    };
    let mut usual: Vec<_> = within(USUAL_KM).collect();
    usual.sort_by_key(|near| (score(near), near.1.iata));
    if usual.is_empty() {
        usual.extend(within(FARTHEST_KM).min_by_key(|(km, _)| *km));
    }
    usual.into_iter().take(MOST).map(|(_, airport)| airport).collect()
}
