//! Cards of a search, and which of them are wanted.

use rust_decimal::Decimal;

use crate::{facets::Chosen, form::Fields};

/// So many cards are shown at first, and so many more each time.
pub const CARDS: usize = 30;

/// What can be chosen of what was found.
const FILTERS: [&str; 5] = ["stops", "airline", "time", "supplier", "refundable"];

#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// One of [`SORTS`].
    pub sort: &'static str,
    pub chosen: Chosen,
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

/// How often flights land on the way.
pub const STOPS: [(&str, &str); 3] = [("0", "Nonstop"), ("1", "1 stop"), ("2", "2 stops and more")];

impl Wanted {
    pub fn read(fields: &Fields) -> Self {
        Self {
            sort: fields.one_of("sort", &SORTS).unwrap_or("best"),
            chosen: Chosen::read(fields, &FILTERS),
            by_halves: fields.get("mode") == "halves",
            first: fields.given("first"),
            cards: fields.number("cards").unwrap_or(CARDS).clamp(1, 1_000),
        }
    }

    /// The same as a query, with another order.
    pub fn query_sorted(&self, sort: &str) -> String {
        let mut pairs = vec![("sort", sort)];
        pairs.extend(self.chosen.pairs());
        if self.by_halves {
            pairs.push(("mode", "halves"));
        }
        pairs.extend(self.first.as_deref().map(|first| ("first", first)));
        serde_urlencoded::to_string(pairs).unwrap_or_default()
    }

    /// The same, with so many cards more.
    pub fn query_more(&self, more: usize) -> String {
        let cards = self.cards + more;
        format!("{}&cards={cards}", self.query_sorted(self.sort))
    }

    pub fn query(&self) -> String {
        self.query_more(0)
    }

    pub fn is_refundable(&self) -> bool {
        self.chosen.0.is_ticked("refundable")
    }

    /// Whether these flights are wanted, if any of their fares is.
    pub(super) fn takes(&self, card: &Card) -> bool {
        self.chosen.takes("stops", [card.stops_key()])
            && self.chosen.takes("airline", card.airlines.iter().map(String::as_str))
            && self.chosen.takes("time", [card.time_key()])
    }

    pub(super) fn takes_fare(&self, fare: &Fare) -> bool {
        self.chosen.takes("supplier", [fare.supplier.as_str()])
            && (!self.is_refundable() || fare.is_refundable == Some(true))
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
    pub(super) stops: usize,
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
    /// Its word of [`STOPS`].
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
