//! Cards of a search, and which of them are wanted.

use rust_decimal::Decimal;

use crate::form::Fields;

/// So many cards are shown at first, and so many more each time.
pub const CARDS: usize = 30;

#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// One of [`SORTS`].
    pub sort: String,
    /// `0`, `1`, or `2` for two and more.
    pub stops: Vec<String>,
    /// Airlines, IATA.
    pub airlines: Vec<String>,
    /// Parts of the day of the first departure.
    pub times: Vec<String>,
    pub suppliers: Vec<String>,
    pub is_refundable: bool,
    pub by_halves: bool,
    /// The half that was chosen.
    pub first: Option<String>,
    pub cards: usize,
}

pub const SORTS: [(&str, &str); 4] =
    [("best", "Best"), ("cheapest", "Cheapest"), ("fastest", "Fastest"), ("earliest", "Earliest")];

/// Parts of the day with their names and hours.
pub const TIMES: [(&str, &str, u32, u32); 4] = [
    ("night", "Before 6:00", 0, 6),
    ("morning", "6:00 to 12:00", 6, 12),
    ("afternoon", "12:00 to 18:00", 12, 18),
    ("evening", "After 18:00", 18, 24),
];

impl Wanted {
    pub fn read(fields: &Fields) -> Self {
        let all = |name: &'static str| fields.all(name).map(str::to_owned).collect();
        let sort = SORTS.into_iter().find(|(name, _)| *name == fields.get("sort"));
        Self {
            sort: sort.map_or("best", |(name, _)| name).to_owned(),
            stops: all("stops"),
            airlines: all("airline"),
            times: all("time"),
            suppliers: all("supplier"),
            is_refundable: fields.is_ticked("refundable"),
            by_halves: fields.get("mode") == "halves",
            first: fields.given("first"),
            cards: fields.number("cards").unwrap_or(CARDS).clamp(1, 1_000),
        }
    }

    /// The same as a query, with another order.
    pub fn query_sorted(&self, sort: &str) -> String {
        let mut pairs = vec![("sort", sort)];
        pairs.extend(self.filters());
        pairs.extend(self.halves());
        serde_urlencoded::to_string(pairs).unwrap_or_default()
    }

    /// The same, with so many cards more.
    pub fn query_more(&self, more: usize) -> String {
        let cards = self.cards + more;
        format!("{}&cards={cards}", self.query_sorted(&self.sort))
    }

    pub fn query(&self) -> String {
        self.query_more(0)
    }

    fn halves(&self) -> Vec<(&str, &str)> {
        let mut pairs = Vec::new();
        if self.by_halves {
            pairs.push(("mode", "halves"));
        }
        pairs.extend(self.first.as_deref().map(|first| ("first", first)));
        pairs
    }

    fn filters(&self) -> Vec<(&str, &str)> {
        let named = |name, values: &'static str| (name, values);
        let lists = [
            ("stops", &self.stops),
            ("airline", &self.airlines),
            ("time", &self.times),
            ("supplier", &self.suppliers),
        ];
        let listed = lists
            .into_iter()
            .flat_map(|(name, values)| values.iter().map(move |value| (name, value.as_str())));
        listed.chain(self.is_refundable.then(|| named("refundable", "on"))).collect()
    }

    pub(super) fn takes(&self, card: &Card) -> bool {
        let is_in =
            |wanted: &[String], value: &str| wanted.is_empty() || wanted.iter().any(|one| one == value);
        is_in(&self.stops, card.stops_key())
            && (self.airlines.is_empty()
                || card.airlines.iter().any(|airline| self.airlines.contains(airline)))
            && is_in(&self.times, card.time_key())
            && (self.suppliers.is_empty()
                || card.fares.iter().any(|fare| self.suppliers.contains(&fare.supplier)))
            && (!self.is_refundable || card.fares.iter().any(|fare| fare.is_refundable == Some(true)))
    }

    pub(super) fn takes_fare(&self, fare: &Fare) -> bool {
        (self.suppliers.is_empty() || self.suppliers.contains(&fare.supplier))
            && (!self.is_refundable || fare.is_refundable == Some(true))
    }
}

/// The same flights with all their fares.
pub struct Card {
    pub legs: Vec<Leg>,
    /// The cheapest first.
    pub fares: Vec<Fare>,
    /// Who flies it, IATA.
    pub airlines: Vec<String>,
    pub(super) least: Decimal,
    pub(super) minutes: u32,
    pub(super) stops: u32,
    pub(super) hour: u32,
    pub(super) departs: String,
}

pub struct Leg {
    pub airline: String,
    /// Its flights: `6E 203, 6E 87`.
    pub flights: String,
    /// By the clocks there.
    pub departs: String,
    /// By the clocks there.
    pub arrives: String,
    /// How many days later; nothing on the same day.
    pub later: String,
    /// The day: `Tue 19 Jan 2027`.
    pub day: String,
    /// IATA.
    pub origin: String,
    /// IATA.
    pub destination: String,
    pub from_city: String,
    pub to_city: String,
    pub duration: String,
    /// Nonstop, or where.
    pub stops: String,
}

pub struct Fare {
    pub name: String,
    pub marks: Vec<String>,
    pub is_refundable: Option<bool>,
    /// How many seats are left, if that is few.
    pub seats: Option<u32>,
    pub supplier: String,
    pub price: String,
    /// What the traveller pays, where that is another amount.
    pub public: Option<String>,
    pub address: String,
    pub is_half: bool,
    pub rules: String,
    pub can_hold: bool,
    pub(super) amount: Decimal,
}

impl Card {
    /// The filter by landings that takes it.
    pub fn stops_key(&self) -> &'static str {
        match self.stops {
            0 => "0",
            1 => "1",
            _ => "2",
        }
    }

    /// The part of the day in which it leaves.
    pub fn time_key(&self) -> &'static str {
        let part = TIMES.into_iter().find(|(.., end)| self.hour < *end);
        part.map_or("evening", |(name, ..)| name)
    }
}
