//! Special service requests: what can be bought besides the fare, on a flight, by its code.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::sold::Sold;
use super::wire::Money;
use crate::airlines::Style;
use crate::extras::{self, ExtraKind};
use crate::itinerary::Journey;
use crate::server::World;

/// Something to buy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ssr {
    pub(super) code: String,
    pub(super) description: String,
    pub(super) amount: Decimal,
}

/// Code, words and price in US cents of what low-cost airlines serve.
const MEALS: [(&str, &str, u64); 4] = [
    ("LCVS", "Low cal salad Vegetarian", 0),
    ("VGSW", "Veg Sandwich/Wrap/Sub", 215),
    ("VGML", "Veg Meal", 330),
    ("NVML", "Non Veg Meal", 330),
];

/// Bags and meals of each flight of a fare, counted over all its journeys. A bag is bought on the first flight of a
/// journey and goes all the way.
#[derive(Debug, Default)]
pub(super) struct Offering {
    pub(super) bags: BTreeMap<usize, Vec<Ssr>>,
    pub(super) meals: BTreeMap<usize, Vec<Ssr>>,
}

impl Offering {
    /// What a fare's airline sells besides it.
    pub(super) fn of(world: &World, sold: &Sold) -> Self {
        let search = &sold.search();
        let bags = extras::bags(world.seed, &world.tariff, &sold.bundle, search);
        let mut offering = Self::default();
        let mut flight = 0;
        for (at, journey) in sold.journeys().enumerate() {
            // Every traveller with a seat can have the same.
            if let Some(bag) = bags.iter().find(|bag| bag.journey == at)
                && let ExtraKind::CheckedBag { kilograms } = bag.kind
            {
                let pieces = (1..=bag.most).map(|pieces| Ssr {
                    code: format!("EB{}", kilograms * pieces),
                    description: format!("{}KG", kilograms * pieces),
                    amount: bag.price * Decimal::from(pieces),
                });
                offering.bags.insert(flight, pieces.collect());
            }
            let last = flight + Journey::flights(journey).count();
            if sold.bundle.airline.style == Style::LowCost && !search.wishes.no_extras {
                for each in flight..last {
                    offering.meals.insert(each, meals(world));
                }
            }
            flight = last;
        }
        offering
    }

    /// TripJack's words for what is sold on a flight, where something is.
    pub(super) fn info(&self, flight: usize) -> Option<Value> {
        let listed = |all: &Vec<Ssr>| -> Vec<Value> {
            let body =
                |ssr: &Ssr| json!({ "code": ssr.code, "amount": Money(ssr.amount), "desc": ssr.description });
            all.iter().map(body).collect()
        };
        let lists = [
            ("BAGGAGE", self.bags.get(&flight)),
            ("MEAL", self.meals.get(&flight)),
        ];
        let info: serde_json::Map<String, Value> = lists
            .into_iter()
            .filter_map(|(name, all)| Some((name.to_owned(), listed(all?).into())))
            .collect();
        (!info.is_empty()).then_some(Value::Object(info))
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
