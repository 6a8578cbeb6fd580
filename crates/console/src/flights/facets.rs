//! Filters of a search, each with how many results it leaves.

use std::collections::BTreeMap;

use wayfare_client::flights::FlightsFound;

use super::cards::{Card, TIMES, Wanted};

pub struct Facet {
    pub value: String,
    pub label: String,
    pub count: usize,
    pub is_on: bool,
}

fn facet(value: &str, label: &str, count: usize, chosen: &[String]) -> Facet {
    Facet {
        value: value.to_owned(),
        label: label.to_owned(),
        count,
        is_on: chosen.iter().any(|one| one == value),
    }
}

/// How often flights land on the way.
pub fn of_stops(cards: &[Card], wanted: &Wanted) -> Vec<Facet> {
    let names = [("0", "Nonstop"), ("1", "1 stop"), ("2", "2 stops and more")];
    let count = |value: &str| cards.iter().filter(|card| card.stops_key() == value).count();
    let facets = names.map(|(value, label)| facet(value, label, count(value), &wanted.stops));
    facets.into_iter().filter(|facet| facet.count > 0 || facet.is_on).collect()
}

/// When they leave.
pub fn of_times(cards: &[Card], wanted: &Wanted) -> Vec<Facet> {
    let count = |value: &str| cards.iter().filter(|card| card.time_key() == value).count();
    let facets = TIMES.map(|(value, label, ..)| facet(value, label, count(value), &wanted.times));
    facets.into_iter().filter(|facet| facet.count > 0 || facet.is_on).collect()
}

/// Who flies, the most first.
pub fn of_airlines(cards: &[Card], wanted: &Wanted, found: &FlightsFound) -> Vec<Facet> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for airline in cards.iter().flat_map(|card| &card.airlines) {
        *counts.entry(airline).or_default() += 1;
    }
    let name = |code: &str| {
        let airline = found.dictionaries.airlines.get(code);
        airline.and_then(|airline| airline.name.clone()).unwrap_or_else(|| code.to_owned())
    };
    let mut facets: Vec<Facet> =
        counts.into_iter().map(|(code, count)| facet(code, &name(code), count, &wanted.airlines)).collect();
    facets.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.label.cmp(&other.label)));
    facets
}

/// Who sells.
pub fn of_suppliers(cards: &[Card], wanted: &Wanted) -> Vec<Facet> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for card in cards {
        let mut suppliers: Vec<&str> = card.fares.iter().map(|fare| fare.supplier.as_str()).collect();
        suppliers.sort_unstable();
        suppliers.dedup();
        for supplier in suppliers {
            *counts.entry(supplier).or_default() += 1;
        }
    }
    let facets = counts.into_iter();
    facets.map(|(code, count)| facet(code, code, count, &wanted.suppliers)).collect()
}
