//! Parts of supplier orders: some of their travellers on some of their journeys.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// A part of a supplier order, journey by journey. Steps, orders and refunds store it: of people it has their indices alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OrderPart(pub Vec<PartOfJourney>);

/// Some of those who fly one journey of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartOfJourney {
    /// Its place among all journeys of the booking, from 0.
    pub journey: usize,
    /// Where it was sold to begin.
    pub origin: String,
    /// Where it was sold to end.
    pub destination: String,
    /// On which day, by the clocks there.
    pub day: NaiveDate,
    /// Its flights as they were sold: `DEL-BOM`.
    pub routes: Vec<String>,
    /// The indices of those who fly it, in order.
    pub travellers: Vec<u32>,
}

/// What a cancellation gives back of an order, where that was named, or is not the order as it was sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelledPart {
    /// What is given back.
    pub part: OrderPart,
    /// Whether nothing of the order stands then.
    pub is_last: bool,
    /// Whether it is the order as it was sold: its supplier is told no part of it.
    #[serde(default)]
    pub is_whole: bool,
}

impl PartOfJourney {
    /// From where to where: `DEL-BOM`.
    pub fn route(&self) -> String {
        format!("{}-{}", self.origin, self.destination)
    }

    /// Whether this is its route, or that of one of its flights.
    pub fn flies(&self, route: &str) -> bool {
        let is_it = |flown: &str| flown.eq_ignore_ascii_case(route.trim());
        is_it(&self.route()) || self.routes.iter().any(|flight| is_it(flight))
    }

    fn keeping(&self, keeps: impl Fn(u32) -> bool) -> Self {
        let travellers = self.travellers.iter().copied().filter(|index| keeps(*index));
        Self { travellers: travellers.collect(), ..self.clone() }
    }
}

impl OrderPart {
    /// Whether nobody flies any of it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|journey| journey.travellers.is_empty())
    }

    /// Whether this traveller flies this journey by it.
    pub fn has(&self, journey: usize, traveller: u32) -> bool {
        let mut journeys = self.0.iter();
        journeys.any(|one| one.journey == journey && one.travellers.contains(&traveller))
    }

    /// Those of it for which this holds, of a journey's place and a traveller's index.
    #[must_use]
    pub fn only(&self, keeps: impl Fn(usize, u32) -> bool) -> Self {
        let kept = self.0.iter();
        let kept = kept.map(|one| one.keeping(|traveller| keeps(one.journey, traveller)));
        Self(kept.filter(|one| !one.travellers.is_empty()).collect())
    }

    /// What is left of it without these parts.
    #[must_use]
    pub fn without<'a>(&self, parts: impl Iterator<Item = &'a Self> + Clone) -> Self {
        self.only(|journey, traveller| !parts.clone().any(|part| part.has(journey, traveller)))
    }

    /// The places of its journeys, in order.
    pub fn journeys(&self) -> Vec<usize> {
        let journeys: BTreeSet<usize> = self.0.iter().map(|one| one.journey).collect();
        journeys.into_iter().collect()
    }

    /// The indices of its travellers, in order.
    pub fn travellers(&self) -> Vec<u32> {
        let travellers: BTreeSet<u32> = self.0.iter().flat_map(|one| &one.travellers).copied().collect();
        travellers.into_iter().collect()
    }
}
