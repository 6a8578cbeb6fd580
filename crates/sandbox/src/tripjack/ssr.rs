//! Special service requests: what can be bought besides the fare, on a flight, by its code.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::World;
use super::sold_fare::Sold;
use crate::airlines::Style;
use crate::ancillaries::{self, AncillaryKind};
use crate::itinerary::Journey;
use crate::json::Number;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ssr {
    pub(super) code: String,
    pub(super) description: String,
    pub(super) amount: Decimal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SsrKind {
    Bag,
    Meal,
    Seat,
    FastForward,
}

impl SsrKind {
    pub(super) const ALL: [Self; 4] = [Self::Bag, Self::Meal, Self::Seat, Self::FastForward];

    /// TripJack's name for a traveller's list of them.
    pub(super) fn list(self) -> &'static str {
        match self {
            Self::Bag => "ssrBaggageInfos",
            Self::Meal => "ssrMealInfos",
            Self::Seat => "ssrSeatInfos",
            Self::FastForward => "ssrFastForwardInfos",
        }
    }
}

/// Code, words and price in US cents of what low-cost airlines serve.
const MEALS: [(&str, &str, u64); 4] = [
    ("LCVS", "Low cal salad Vegetarian", 0),
    ("VGSW", "Veg Sandwich/Wrap/Sub", 215),
    ("VGML", "Veg Meal", 330),
    ("NVML", "Non Veg Meal", 330),
];

/// What is sold on each flight of a fare, counted over all its journeys. A bag is bought on the first flight of a journey
/// and goes all the way.
#[derive(Debug, Default)]
pub(super) struct Offering {
    bags: BTreeMap<usize, Vec<Ssr>>,
    meals: BTreeMap<usize, Vec<Ssr>>,
    fast_forwards: BTreeMap<usize, Vec<Ssr>>,
    /// Of the flights to which a bag goes on, where it was bought.
    bag_from: BTreeMap<usize, usize>,
}

impl Offering {
    pub(super) fn of(world: &World, sold: &Sold) -> Self {
        let search = &sold.search();
        let bags = ancillaries::bags(world.seed, &world.tariff, &sold.bundle, search);
        let mut offering = Self::default();
        let mut flight = 0;
        for (at, journey) in sold.journeys().enumerate() {
            // Every traveller with a seat can have the same.
            if let Some(bag) = bags.iter().find(|bag| bag.journey == at)
                && let AncillaryKind::CheckedBag { kilograms } = bag.kind
            {
                let pieces = (1..=bag.most).map(|pieces| Ssr {
                    code: format!("EB{}", kilograms * pieces),
                    description: format!("{}KG", kilograms * pieces),
                    amount: bag.price * Decimal::from(pieces),
                });
                offering.bags.insert(flight, pieces.collect());
            }
            let last = flight + Journey::flights(journey).count();
            offering.bag_from.extend((flight + 1..last).map(|on| (on, flight)));
            if sold.bundle.airline.style == Style::LowCost && !search.scenario.no_extras {
                offering.fast_forwards.insert(flight, vec![fast_forward(world)]);
                for each in flight..last {
                    offering.meals.insert(each, meals(world));
                }
            }
            flight = last;
        }
        offering
    }

    /// What is sold of a kind on a flight; of seats nothing, which have a call of their own.
    pub(super) fn sold(&self, kind: SsrKind, flight: usize) -> &[Ssr] {
        let by_flight = match kind {
            SsrKind::Bag => &self.bags,
            SsrKind::Meal => &self.meals,
            SsrKind::FastForward => &self.fast_forwards,
            SsrKind::Seat => return &[],
        };
        by_flight.get(&flight).map_or(&[], Vec::as_slice)
    }

    /// TripJack's words for what is sold on a flight, where something is. A bag that goes on has no amount.
    pub(super) fn info(&self, flight: usize) -> Option<Value> {
        let priced =
            |ssr: &Ssr| json!({ "code": ssr.code, "amount": Number(ssr.amount), "desc": ssr.description });
        let going_on = |ssr: &Ssr| json!({ "code": ssr.code, "desc": ssr.description });
        let listed = |kind| self.sold(kind, flight).iter().map(priced);
        let from = self.bag_from.get(&flight);
        let bags_going_on = from.map(|from| self.sold(SsrKind::Bag, *from)).into_iter().flatten();
        let lists: [(&str, Vec<Value>); 3] = [
            ("BAGGAGE", listed(SsrKind::Bag).chain(bags_going_on.map(going_on)).collect()),
            ("MEAL", listed(SsrKind::Meal).collect()),
            ("FASTFORWARD", listed(SsrKind::FastForward).collect()),
        ];
        let info: serde_json::Map<String, Value> = lists
            .into_iter()
            .filter(|(_, all)| !all.is_empty())
            .map(|(name, all)| (name.to_owned(), all.into()))
            .collect();
        (!info.is_empty()).then_some(Value::Object(info))
    }
}

fn fast_forward(world: &World) -> Ssr {
    Ssr {
        code: "FFWD".to_owned(),
        description: "Fast Forward".to_owned(),
        amount: world.tariff.of_cents(480),
    }
}

fn meals(world: &World) -> Vec<Ssr> {
    MEALS
        .iter()
        .map(|(code, words, cents)| Ssr {
            code: (*code).to_owned(),
            description: (*words).to_owned(),
            amount: world.tariff.of_cents(*cents),
        })
        .collect()
}
