//! Rates of a hotel: which rooms of the search each is for, which are sold together, and what the whole stay costs.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use sha2::{Digest, Sha256};
use wayfare_client::{
    enums::MealPlan,
    hotels::{FoundRoom, HotelResult, HotelSearch, RoomPricing},
};

use crate::money::money;

/// A kind of room: its adults, and its children's ages, the youngest first.
pub type Kind = (u8, Vec<u8>);

/// The kind of a room with these people.
pub fn kind(adults: u8, ages: &[u8]) -> Kind {
    let mut ages = ages.to_vec();
    ages.sort_unstable();
    (adults, ages)
}

/// The kinds of rooms that are searched for, each with how many of it.
pub fn kinds(search: &HotelSearch) -> Vec<(Kind, u16)> {
    let mut kinds: Vec<(Kind, u16)> = Vec::new();
    for room in &search.rooms {
        let kind = kind(room.adults, &room.children_ages);
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    kinds
}

/// A kind in words: `2 adults, children of 4 and 9`.
pub fn kind_name((adults, ages): &Kind) -> String {
    let adults = match adults {
        1 => "1 adult".to_owned(),
        count => format!("{count} adults"),
    };
    let ages: Vec<String> = ages.iter().map(ToString::to_string).collect();
    match ages.split_last() {
        None => adults,
        Some((age, [])) => format!("{adults}, a child of {age}"),
        Some((last, others)) => format!("{adults}, children of {} and {last}", others.join(", ")),
    }
}

/// A rate for all rooms of its kind.
#[derive(Clone, Copy)]
pub struct Rate<'a> {
    pub room: &'a FoundRoom,
    /// The place of its kind in the search.
    pub kind: usize,
    /// Whom it is for.
    people: Option<&'a Kind>,
    /// What the agency pays for all rooms of the kind.
    pub total: Decimal,
    pub public: Decimal,
    pub quantity: u16,
}

pub fn rates<'a>(hotel: &'a HotelResult, kinds: &'a [(Kind, u16)]) -> Vec<Rate<'a>> {
    let of_room = |room: &'a FoundRoom| {
        let known = kind(room.occupancy.adults, &room.occupancy.children_ages);
        let place = kinds.iter().position(|(kind, _)| *kind == known)?;
        let quantity = room.pricing.quantity;
        let (agent, public) = of_one(&room.pricing);
        Some(Rate {
            room,
            kind: place,
            people: kinds.get(place).map(|(kind, _)| kind),
            total: agent * Decimal::from(quantity),
            public: public * Decimal::from(quantity),
            quantity,
        })
    };
    hotel.rooms.iter().filter_map(of_room).collect()
}

/// What one room costs the agency and the guest.
fn of_one(pricing: &RoomPricing) -> (Decimal, Decimal) {
    (pricing.agent_price.agent_fare.0, pricing.agent_price.public_fare.0)
}

pub fn currency(pricing: &RoomPricing) -> &str {
    &pricing.agent_price.currency
}

/// What can be bought as it is: one rate for each kind, the cheapest first. Rates of several kinds that are not sold together
/// are chosen kind by kind instead.
pub fn packages<'a>(rates: &[Rate<'a>], kinds: usize) -> Vec<Vec<Rate<'a>>> {
    let mut packages: Vec<Vec<Rate<'a>>> = match kinds {
        0 | 1 => rates.iter().map(|rate| vec![*rate]).collect(),
        _ => {
            let mut groups = BTreeMap::<&str, Vec<Rate<'a>>>::new();
            for rate in rates {
                if let Some(group) = rate.room.pricing.sold_with.as_deref() {
                    groups.entry(group).or_default().push(*rate);
                }
            }
            let whole = |group: &Vec<Rate<'a>>| {
                group.len() == kinds && (0..kinds).all(|kind| group.iter().any(|rate| rate.kind == kind))
            };
            groups.into_values().filter(whole).collect()
        }
    };
    packages.sort_by_key(|package| total(package));
    packages
}

/// Rates of several kinds that are chosen one by one, kind by kind, the cheapest first; nothing where a kind has none.
pub fn by_kind<'a>(rates: &[Rate<'a>], kinds: usize) -> Vec<Vec<Rate<'a>>> {
    if kinds < 2 {
        return Vec::new();
    }
    let of_kind = |kind: usize| {
        let loose = rates.iter().filter(|rate| rate.kind == kind && rate.room.pricing.sold_with.is_none());
        let mut loose: Vec<Rate<'a>> = loose.copied().collect();
        loose.sort_by_key(|rate| rate.total);
        loose
    };
    let all: Vec<_> = (0..kinds).map(of_kind).collect();
    match all.iter().any(Vec::is_empty) {
        true => Vec::new(),
        false => all,
    }
}

/// What these cost together.
pub fn total(rates: &[Rate<'_>]) -> Decimal {
    rates.iter().map(|rate| rate.total).sum()
}

/// The cheapest way to buy all rooms; none where they can't be bought.
pub fn cheapest<'a>(rates: &[Rate<'a>], kinds: usize) -> Option<Vec<Rate<'a>>> {
    let package = packages(rates, kinds).into_iter().next();
    let loose: Vec<Rate<'a>> =
        by_kind(rates, kinds).iter().filter_map(|rates| rates.first().copied()).collect();
    let loose = Some(loose).filter(|loose| !loose.is_empty());
    package.into_iter().chain(loose).min_by_key(|rates| total(rates))
}

/// What a rate is called in addresses: suppliers' ids may be long.
pub fn pick(room: &FoundRoom) -> String {
    let (people, rate) = (&room.occupancy, &room.pricing.rate_id);
    let hash = Sha256::digest(format!("{} {rate} {people:?}", room.room_id));
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

pub fn board(plan: &MealPlan) -> &str {
    match plan {
        MealPlan::RoomOnly => "Room only",
        MealPlan::Breakfast => "Breakfast",
        MealPlan::HalfBoard => "Half board",
        MealPlan::FullBoard => "Full board",
        MealPlan::AllInclusive => "All inclusive",
        MealPlan::Other => "Other board",
        other => other.as_str(),
    }
}

pub fn supplier(code: &str) -> String {
    match code {
        "liteapi" => "LiteAPI".to_owned(),
        "hotelbeds" => "Hotelbeds".to_owned(),
        other => other.to_owned(),
    }
}

impl Rate<'_> {
    fn money(&self, amount: Decimal) -> String {
        money(amount.into(), currency(&self.room.pricing))
    }

    pub fn price(&self) -> String {
        self.money(self.total)
    }

    /// What guests pay, where that is something else.
    pub fn public_price(&self) -> Option<String> {
        (self.public != self.total).then(|| self.money(self.public))
    }

    /// How many rooms, for whom, and their beds.
    pub fn about(&self) -> String {
        let rooms = (self.quantity > 1).then(|| format!("{} rooms", self.quantity));
        let about = [rooms, self.people.map(kind_name), self.room.bed_type.clone()];
        about.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    /// How many are left, where those are few.
    pub fn left(&self) -> Option<u32> {
        self.room.availability.rooms_left.filter(|left| *left <= 4)
    }

    /// Below which it may not be sold to the public.
    pub fn minimum(&self) -> Option<String> {
        let pricing = &self.room.pricing;
        let currency = pricing.minimum_selling_price_currency.as_deref();
        let minimum = pricing.minimum_selling_price.zip(currency);
        minimum.map(|(amount, currency)| money(amount, currency))
    }
}

/// What is paid at the hotel, line by line.
pub fn at_hotel(pricing: &RoomPricing) -> Vec<String> {
    let lines = pricing.pay_at_hotel_fee_lines.iter();
    let lines: Vec<String> =
        lines.map(|fee| format!("{}: {}", fee.name, money(fee.amount, &fee.currency))).collect();
    let sum = pricing
        .pay_at_hotel_fees_currency
        .as_deref()
        .filter(|_| lines.is_empty() && !pricing.pay_at_hotel_fees.0.is_zero());
    let sum = sum.map(|currency| money(pricing.pay_at_hotel_fees, currency));
    lines.into_iter().chain(sum).collect()
}
