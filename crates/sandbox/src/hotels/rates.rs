//! What a room costs, for whom, with which meals and on which terms.

use chrono::{DateTime, Datelike, NaiveDate, Utc, Weekday};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::hotel::{Hotel, Style};
use super::levies::DueThere;
use super::rooms::{Board, Guests, RoomKind, RoomType, Stay};
use super::terms::{self, Step, Terms};
use crate::tariff::Tariff;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct RateKey {
    pub(crate) room: RoomKind,
    pub(crate) board: Board,
    pub(crate) terms: Terms,
}

/// A rate of one room for one party, in the currency it was asked in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rate {
    pub(crate) key: RateKey,
    /// The price of each night, taxes included, what is due at the hotel not.
    pub(crate) nights: Vec<Decimal>,
    /// The tax that is within the price of all nights.
    pub(crate) tax: Decimal,
    pub(crate) discount: Option<Discount>,
    /// What the guests pay at the hotel.
    pub(crate) due_there: Vec<DueThere>,
    /// The penalties of a cancellation, in order of time; none where it is the whole price.
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Discount {
    /// In whole percent of the price before.
    pub(crate) percent: u32,
    pub(crate) amount: Decimal,
}

impl Rate {
    /// The price of the stay, taxes included.
    pub(crate) fn total(&self) -> Decimal {
        self.nights.iter().sum()
    }

    /// The penalty of a cancellation at an instant.
    pub(crate) fn penalty_at(&self, now: DateTime<Utc>) -> Decimal {
        terms::penalty_at(&self.steps, self.total(), now)
    }

    /// Whether anything comes back when it is given back at an instant.
    pub(crate) fn is_refundable(&self, now: DateTime<Utc>) -> bool {
        self.penalty_at(now) < self.total()
    }

    /// Whether all of it is lost at once, when the day of arrival begins.
    pub(crate) fn is_undated(&self) -> bool {
        self.steps.len() == 1
    }

    /// Until when it can be given back for nothing, where that time has not passed.
    pub(crate) fn free_until(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let first = self.steps.first()?;
        (now < first.from).then_some(first.from)
    }

    /// The rate after its price moved by so many percent; what is due at the hotel stays.
    pub(crate) fn moved(&self, tariff: &Tariff, percent: Decimal) -> Self {
        let nights: Vec<Decimal> = self.nights.iter().map(|night| tariff.moved(*night, percent)).collect();
        let total = nights.iter().sum();
        let first_night = nights.first().copied().unwrap_or_default();
        let penalties = if self.is_undated() { vec![total] } else { vec![first_night, total] };
        let steps = self.steps.iter().zip(penalties);
        Self {
            key: self.key,
            nights,
            tax: tariff.moved(self.tax, percent),
            discount: self.discount.as_ref().map(|discount| Discount {
                percent: discount.percent,
                amount: tariff.moved(discount.amount, percent),
            }),
            due_there: self.due_there.clone(),
            steps: steps.map(|(step, penalty)| Step { from: step.from, penalty }).collect(),
        }
    }
}

/// A standard double room by stars, in US cents a night.
const BY_STARS: [u64; 5] = [2_600, 4_200, 7_400, 12_800, 26_500];

impl Hotel {
    /// Every rate that these guests of one room can have, the simplest room first. How many rooms are left is another
    /// question. Empty for stays of no night or of more than [`Stay::LONGEST`].
    pub(crate) fn rates(&self, tariff: &Tariff, stay: Stay, guests: &Guests) -> Vec<Rate> {
        if !(1..=Stay::LONGEST).contains(&stay.number_of_nights()) {
            return Vec::new();
        }
        let house = House::of(self, stay, guests);
        let mut rates = Vec::new();
        for room in self.rooms().filter(|room| room.fits(guests)) {
            for board in self.boards() {
                for terms in &house.terms {
                    let key = RateKey { room: room.kind, board: *board, terms: *terms };
                    rates.push(house.rate(tariff, key, room));
                }
            }
        }
        rates
    }

    /// One rate, where these guests can have it.
    pub(crate) fn rate(&self, tariff: &Tariff, stay: Stay, guests: &Guests, key: RateKey) -> Option<Rate> {
        let mut all = self.rates(tariff, stay, guests).into_iter();
        all.find(|rate| rate.key == key)
    }

    /// What a standard double room costs that night, in US cents.
    fn double_room(&self, night: NaiveDate) -> u64 {
        let by_stars = BY_STARS.get(usize::from(self.stars.saturating_sub(1)));
        let chance = self.rng(&format!("night/{night}")).between(950, 1_060);
        let thousandths = [self.level, self.season(night), self.weekday(night), chance];
        let price = by_stars.copied().unwrap_or(12_800);
        thousandths.iter().fold(price, |price, each| price * u64::from(*each) / 1_000)
    }

    /// Summer by hemisphere, and the turn of the year.
    fn season(&self, night: NaiveDate) -> u32 {
        let is_south = self.point.north < 0;
        match (night.month(), night.day()) {
            (12, 20..) | (1, ..=3) => 1_350,
            (6..=8, _) if !is_south => 1_180,
            (12 | 1 | 2, _) if is_south => 1_180,
            (2 | 11, _) => 880,
            _ => 1_000,
        }
    }

    /// Weekends where people rest, working days where they work.
    fn weekday(&self, night: NaiveDate) -> u32 {
        match (self.style, night.weekday()) {
            (Style::Resort | Style::GuestHouse, Weekday::Fri | Weekday::Sat) => 1_150,
            (Style::Hotel | Style::Apartments, Weekday::Tue | Weekday::Wed | Weekday::Thu) => 1_080,
            (Style::Hotel | Style::Apartments, Weekday::Sun) => 900,
            _ => 1_000,
        }
    }
}

/// What all rates of a hotel have in common for a party.
struct House<'a> {
    hotel: &'a Hotel,
    stay: Stay,
    guests: &'a Guests,
    /// Of a standard double room, in US cents.
    nights: Vec<u64>,
    /// What is sold: some houses have one kind of terms only.
    terms: Vec<Terms>,
    discount_percent: Option<u32>,
    due_there: Vec<DueThere>,
}

impl<'a> House<'a> {
    fn of(hotel: &'a Hotel, stay: Stay, guests: &'a Guests) -> Self {
        let terms = match hotel.rng("sells").between(1, 8) {
            1 => vec![Terms::NonRefundable],
            2 => vec![Terms::Flexible],
            _ => vec![Terms::NonRefundable, Terms::Flexible],
        };
        let mut offers = hotel.rng("discount");
        Self {
            hotel,
            stay,
            guests,
            nights: stay.nights().map(|night| hotel.double_room(night)).collect(),
            terms,
            discount_percent: offers.one_in(4).then(|| offers.between(1, 4) * 5),
            due_there: hotel.due_there(stay, guests),
        }
    }

    fn rate(&self, tariff: &Tariff, key: RateKey, room: &RoomType) -> Rate {
        let percent_off = self.discount_percent.unwrap_or_default();
        let price = |double_room: &u64| {
            let cents = double_room * u64::from(room.level) / 1_000 * self.people(room) / 1_000;
            let cents = cents + self.meals(key.board);
            match key.terms {
                Terms::Flexible => cents,
                Terms::NonRefundable => cents * 880 / 1_000,
            }
        };
        let before: Vec<u64> = self.nights.iter().map(price).collect();
        let lowered = |cents: &u64| tariff.of_cents(cents * u64::from(100 - percent_off) / 100);
        let nights: Vec<Decimal> = before.iter().map(lowered).collect();
        let total: Decimal = nights.iter().sum();
        let first_night = nights.first().copied().unwrap_or_default();
        let rate = self.hotel.sales_tax();
        Rate {
            key,
            nights,
            tax: tariff.rounded(total * Decimal::from(rate) / Decimal::from(1_000 + rate)),
            discount: self.discount_percent.map(|percent| Discount {
                percent,
                amount: before.iter().map(|cents| tariff.of_cents(*cents)).sum::<Decimal>() - total,
            }),
            due_there: self.due_there.clone(),
            steps: self.hotel.steps(key.terms, self.stay, first_night, total),
        }
    }

    /// What this party pays, in thousandths of the room's price for two: children cost less than adults.
    fn people(&self, room: &RoomType) -> u64 {
        let adults = match (self.guests.adults, room.max_adults) {
            // A room for one is priced for one.
            (1, 2..) => 920,
            (..=2, _) => 1_000,
            (more, _) => 1_000 + 220 * u64::from(more - 2),
        };
        let child = |age: &u8| match *age {
            ..Guests::INFANT_BELOW => 0,
            Guests::INFANT_BELOW..Guests::TEENAGER_FROM => 100,
            Guests::TEENAGER_FROM.. => 160,
        };
        adults + self.guests.children.iter().map(child).sum::<u64>()
    }

    /// What the party's meals cost a night, in US cents: children eat for half, infants for nothing.
    fn meals(&self, board: Board) -> u64 {
        let child = |age: &u8| if *age < Guests::INFANT_BELOW { 0 } else { 50 };
        let adults = 100 * u64::from(self.guests.adults);
        let hundredths = adults + self.guests.children.iter().map(child).sum::<u64>();
        board.us_cents() * hundredths / 100 * u64::from(self.hotel.level) / 1_000
    }
}
