//! Hotels that were found, as cards: filtered, sorted and cut into pages, with how many each filter leaves.

use std::{cmp::Reverse, collections::BTreeMap};

use rust_decimal::Decimal;
use wayfare_client::hotels::{HotelResult, HotelsFound};

use super::{
    rates::{self, Kind, Rate, RateView},
    stay::Stay,
};
use crate::{BASE, form::Fields, money::money};

const CARDS: usize = 20;

/// What is wanted of what was found.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// `price`, `stars` or `name`.
    pub sort: String,
    /// Stars, halves counted as the whole below, half a star as one.
    pub stars: Vec<String>,
    pub boards: Vec<String>,
    pub suppliers: Vec<String>,
    pub is_refundable: bool,
    pub min: String,
    pub max: String,
    /// From 1.
    pub page: usize,
}

impl Wanted {
    pub fn read(fields: &Fields) -> Self {
        let list = |name| fields.all(name).map(str::to_owned).collect();
        let sort = fields.given("sort").filter(|sort| SORTS.iter().any(|(known, _)| known == sort));
        Self {
            sort: sort.unwrap_or_else(|| "price".to_owned()),
            stars: list("stars"),
            boards: list("board"),
            suppliers: list("supplier"),
            is_refundable: fields.is_ticked("refundable"),
            min: fields.get("min").to_owned(),
            max: fields.get("max").to_owned(),
            page: fields.number("page").unwrap_or(1).max(1),
        }
    }

    fn query(&self, sort: &str, page: usize) -> String {
        let page = page.to_string();
        let mut pairs = vec![("wait", "1"), ("sort", sort)];
        for (name, values) in [("stars", &self.stars), ("board", &self.boards), ("supplier", &self.suppliers)]
        {
            pairs.extend(values.iter().map(|value| (name, value.as_str())));
        }
        for (name, value) in [("min", &self.min), ("max", &self.max)] {
            if !value.is_empty() {
                pairs.push((name, value));
            }
        }
        if self.is_refundable {
            pairs.push(("refundable", "on"));
        }
        pairs.push(("page", &page));
        serde_urlencoded::to_string(pairs).unwrap_or_default()
    }

    fn takes_rate(&self, rate: &Rate<'_>) -> bool {
        let pricing = &rate.room.pricing;
        (!self.is_refundable || pricing.refundable == Some(true))
            && is_in(&self.boards, pricing.meal_plan.as_str())
    }

    fn takes_total(&self, total: Decimal) -> bool {
        let limit = |text: &str| text.parse::<Decimal>().ok();
        limit(&self.min).is_none_or(|least| total >= least)
            && limit(&self.max).is_none_or(|most| total <= most)
    }

    fn takes_hotel(&self, hotel: &HotelResult) -> bool {
        is_in(&self.suppliers, &hotel.provider) && is_in(&self.stars, &stars(hotel))
    }
}

fn is_in(wanted: &[String], value: &str) -> bool {
    wanted.is_empty() || wanted.iter().any(|one| one == value)
}

/// Whole stars; `0` where they are not told.
fn stars(hotel: &HotelResult) -> String {
    let stars = hotel.star_rating.map(|stars| stars.0.floor().max(Decimal::ONE));
    stars.unwrap_or_default().normalize().to_string()
}

/// The ways to sort, with their names.
pub const SORTS: [(&str, &str); 3] = [("price", "Cheapest"), ("stars", "Most stars"), ("name", "Name")];

pub struct Facet {
    pub value: String,
    pub label: String,
    pub count: usize,
    pub is_on: bool,
}

pub struct Card {
    pub name: String,
    pub about: String,
    /// `4.5`.
    pub stars: Option<String>,
    pub supplier: String,
    pub picture: Option<String>,
    /// Its cheapest rates, one for each kind of room.
    pub rates: Vec<RateView>,
    /// What they cost together.
    pub price: String,
    pub address: String,
}

/// A page of the list, and what is round it.
pub struct Listed {
    pub cards: Vec<Card>,
    pub all: usize,
    /// How many of them pass the filters.
    pub matching: usize,
    pub cheapest: String,
    pub stars: Vec<Facet>,
    pub boards: Vec<Facet>,
    pub suppliers: Vec<Facet>,
    /// Queries of the orders: their name, and whether it is this one.
    pub sorts: Vec<(String, &'static str, bool)>,
    /// This page, from 1.
    pub page: usize,
    pub pages: usize,
    /// The query of the page before.
    pub before: Option<String>,
    pub next: Option<String>,
}

struct Found<'a> {
    hotel: &'a HotelResult,
    cheapest: Vec<Rate<'a>>,
    total: Decimal,
}

pub fn listed(found: &HotelsFound, kinds: &[(Kind, u16)], wanted: &Wanted, stay: &Stay) -> Listed {
    let of_hotel = |hotel| {
        let mut rates = rates::rates(hotel, kinds);
        rates.retain(|rate| wanted.takes_rate(rate));
        let cheapest = rates::cheapest(&rates, kinds.len())?;
        let total = rates::total(&cheapest);
        (wanted.takes_hotel(hotel) && wanted.takes_total(total)).then_some(Found { hotel, cheapest, total })
    };
    let mut matching: Vec<Found<'_>> = found.hotels.iter().filter_map(of_hotel).collect();
    let lowest = matching.iter().map(|one| one.total).min();
    match wanted.sort.as_str() {
        "stars" => {
            matching.sort_by_key(|one| (Reverse(one.hotel.star_rating.map(|stars| stars.0)), one.total))
        }
        "name" => matching.sort_by_key(|one| one.hotel.name.to_lowercase()),
        _ => matching.sort_by_key(|one| one.total),
    }
    let pages = matching.len().div_ceil(CARDS).max(1);
    let page = wanted.page.min(pages);
    let of_page = matching.iter().skip((page - 1) * CARDS).take(CARDS);
    let query = |page: usize| wanted.query(&wanted.sort, page);
    let sorts = SORTS.map(|(sort, name)| (wanted.query(sort, 1), name, wanted.sort == sort));
    let facets = Facets::of(found, kinds, wanted);
    Listed {
        cards: of_page.map(|one| card(one, kinds, &stay.query())).collect(),
        all: found.hotels.len(),
        matching: matching.len(),
        cheapest: lowest.map(|amount| money(amount.into(), &found.currency)).unwrap_or_default(),
        stars: facets.stars,
        boards: facets.boards,
        suppliers: facets.suppliers,
        sorts: sorts.into(),
        page,
        pages,
        before: (page > 1).then(|| query(page - 1)),
        next: (page < pages).then(|| query(page + 1)),
    }
}

fn card(found: &Found<'_>, kinds: &[(Kind, u16)], query: &str) -> Card {
    let hotel = found.hotel;
    let id = serde_urlencoded::to_string([("hotel", &hotel.hotel_id)]).unwrap_or_default();
    let currency = found.cheapest.first().map(|rate| rates::currency(&rate.room.pricing));
    Card {
        name: hotel.name.clone(),
        about: about(hotel),
        stars: hotel.star_rating.map(|stars| stars.0.normalize().to_string()),
        supplier: rates::supplier(&hotel.provider),
        picture: pictures(&hotel.images).next(),
        rates: found.cheapest.iter().map(|rate| RateView::of(rate, kinds)).collect(),
        price: money(found.total.into(), currency.unwrap_or_default()),
        address: format!("{BASE}/hotels/hotel?{query}&{id}"),
    }
}

pub fn about(hotel: &HotelResult) -> String {
    let address = &hotel.address;
    let parts = [&hotel.property_type, &address.line1, &address.city, &address.country];
    let parts = parts.into_iter().flatten().map(|part| part.trim());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Pictures that come by TLS: the page's policy lets no others through.
pub fn pictures(images: &[wayfare_client::hotels::Image]) -> impl Iterator<Item = String> {
    let of_tls = images.iter().filter(|image| image.url.starts_with("https://"));
    of_tls.map(|image| image.url.clone())
}

struct Facets {
    stars: Vec<Facet>,
    boards: Vec<Facet>,
    suppliers: Vec<Facet>,
}

impl Facets {
    fn of(found: &HotelsFound, kinds: &[(Kind, u16)], wanted: &Wanted) -> Self {
        let (mut stars_of, mut boards_of, mut suppliers_of) =
            (Counts::default(), Counts::default(), Counts::default());
        for hotel in &found.hotels {
            *stars_of.entry(stars(hotel)).or_default() += 1;
            *suppliers_of.entry(hotel.provider.clone()).or_default() += 1;
            let rates = rates::rates(hotel, kinds);
            let mut boards: Vec<&str> =
                rates.iter().map(|rate| rate.room.pricing.meal_plan.as_str()).collect();
            boards.sort_unstable();
            boards.dedup();
            for board in boards {
                *boards_of.entry(board.to_owned()).or_default() += 1;
            }
        }
        let star = |value: &str| match value {
            "0" => "No stars told".to_owned(),
            "1" => "1 star".to_owned(),
            value => format!("{value} stars"),
        };
        let board = |value: &str| rates::board(&value.into()).to_owned();
        let mut stars = facets(stars_of, &wanted.stars, star);
        stars.reverse();
        Self {
            stars,
            boards: facets(boards_of, &wanted.boards, board),
            suppliers: facets(suppliers_of, &wanted.suppliers, rates::supplier),
        }
    }
}

type Counts = BTreeMap<String, usize>;

fn facets(counts: Counts, chosen: &[String], label: impl Fn(&str) -> String) -> Vec<Facet> {
    let facet = |(value, count): (String, usize)| Facet {
        label: label(&value),
        is_on: chosen.contains(&value),
        count,
        value,
    };
    counts.into_iter().map(facet).collect()
}
