//! Hotels that were found, as cards: filtered, sorted and cut into pages, with how many each filter leaves.

use std::cmp::Reverse;

use rust_decimal::Decimal;
use wayfare_client::hotels::{HotelResult, HotelsFound};

use super::{
    rates::{self, Kind, Rate},
    stay::Stay,
};
use crate::{
    BASE,
    facets::{Chosen, Facet},
    form::Fields,
    money::money,
};

const CARDS: usize = 20;

/// What can be chosen of what was found.
const FILTERS: [&str; 6] = ["stars", "board", "supplier", "min", "max", "refundable"];

/// What is wanted of what was found.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// One of [`SORTS`].
    pub sort: &'static str,
    /// Stars are chosen with halves counted as the whole below, half a star as one.
    pub chosen: Chosen,
    /// From 1.
    page: usize,
}

impl Wanted {
    pub fn read(fields: &Fields) -> Self {
        Self {
            sort: fields.one_of("sort", &SORTS).unwrap_or("price"),
            chosen: Chosen::read(fields, &FILTERS),
            page: fields.number("page").unwrap_or(1).max(1),
        }
    }

    fn query(&self, sort: &str, page: usize) -> String {
        let page = page.to_string();
        let mut pairs = vec![("wait", "1"), ("sort", sort)];
        pairs.extend(self.chosen.pairs());
        pairs.push(("page", &page));
        serde_urlencoded::to_string(pairs).unwrap_or_default()
    }

    pub fn is_refundable(&self) -> bool {
        self.chosen.0.is_ticked("refundable")
    }

    fn takes_rate(&self, rate: &Rate<'_>) -> bool {
        let pricing = &rate.room.pricing;
        (!self.is_refundable() || pricing.refundable == Some(true))
            && self.chosen.takes("board", [pricing.meal_plan.as_str()])
    }

    fn takes_total(&self, total: Decimal) -> bool {
        let limit = |name: &str| self.chosen.0.number::<Decimal>(name);
        limit("min").is_none_or(|least| total >= least) && limit("max").is_none_or(|most| total <= most)
    }

    fn takes_hotel(&self, hotel: &HotelResult) -> bool {
        self.chosen.takes("supplier", [hotel.provider.as_str()])
            && self.chosen.takes("stars", [stars(hotel).as_str()])
    }
}

/// Whole stars; `0` where they are not told.
fn stars(hotel: &HotelResult) -> String {
    let stars = hotel.star_rating.map(|stars| stars.0.floor().max(Decimal::ONE));
    stars.unwrap_or_default().normalize().to_string()
}

/// The ways to sort, with their names.
pub const SORTS: [(&str, &str); 3] = [("price", "Cheapest"), ("stars", "Most stars"), ("name", "Name")];

pub struct Card<'a> {
    pub hotel: &'a HotelResult,
    pub picture: Option<String>,
    /// Its cheapest rates, one for each kind of room.
    pub rates: Vec<Rate<'a>>,
    /// What they cost together.
    pub price: String,
    pub address: String,
}

/// A page of the list, and what is round it.
pub struct Listed<'a> {
    pub cards: Vec<Card<'a>>,
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

pub fn listed<'a>(
    found: &'a HotelsFound,
    kinds: &'a [(Kind, u16)],
    wanted: &Wanted,
    stay: &Stay,
) -> Listed<'a> {
    let of_hotel = |hotel| {
        let mut rates = rates::rates(hotel, kinds);
        rates.retain(|rate| wanted.takes_rate(rate));
        let cheapest = rates::cheapest(&rates, kinds.len())?;
        let total = rates::total(&cheapest);
        (wanted.takes_hotel(hotel) && wanted.takes_total(total)).then_some(Found { hotel, cheapest, total })
    };
    let mut matching: Vec<Found<'_>> = found.hotels.iter().filter_map(of_hotel).collect();
    let lowest = matching.iter().map(|one| one.total).min();
    match wanted.sort {
        "stars" => {
            matching.sort_by_key(|one| (Reverse(one.hotel.star_rating.map(|stars| stars.0)), one.total))
        }
        "name" => matching.sort_by_key(|one| one.hotel.name.to_lowercase()),
        _ => matching.sort_by_key(|one| one.total),
    }
    let pages = matching.len().div_ceil(CARDS).max(1);
    let page = wanted.page.min(pages);
    let of_page = matching.iter().skip((page - 1) * CARDS).take(CARDS);
    let query = |page: usize| wanted.query(wanted.sort, page);
    let sorts = SORTS.map(|(sort, name)| (wanted.query(sort, 1), name, wanted.sort == sort));
    let (chosen, hotels) = (&wanted.chosen, &found.hotels);
    let mut by_stars = chosen.facets("stars", hotels.iter().map(|hotel| [stars(hotel)]), star);
    by_stars.reverse();
    let boards = hotels.iter().map(|hotel| {
        let rates = rates::rates(hotel, kinds).into_iter();
        rates.map(|rate| rate.room.pricing.meal_plan.as_str().to_owned())
    });
    let board = |value: &str| rates::board(&value.into()).to_owned();
    let suppliers = hotels.iter().map(|hotel| [hotel.provider.clone()]);
    Listed {
        cards: of_page.map(|one| card(one, &stay.query())).collect(),
        all: found.hotels.len(),
        matching: matching.len(),
        cheapest: lowest.map(|amount| money(amount.into(), &found.currency)).unwrap_or_default(),
        stars: by_stars,
        boards: chosen.facets("board", boards, board),
        suppliers: chosen.facets("supplier", suppliers, rates::supplier),
        sorts: sorts.into(),
        page,
        pages,
        before: (page > 1).then(|| query(page - 1)),
        next: (page < pages).then(|| query(page + 1)),
    }
}

fn card<'a>(found: &Found<'a>, query: &str) -> Card<'a> {
    let hotel = found.hotel;
    let id = serde_urlencoded::to_string([("hotel", &hotel.hotel_id)]).unwrap_or_default();
    let currency = found.cheapest.first().map(|rate| rates::currency(&rate.room.pricing));
    Card {
        hotel,
        picture: pictures(&hotel.images).next(),
        rates: found.cheapest.clone(),
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

fn star(value: &str) -> String {
    match value {
        "0" => "No stars told".to_owned(),
        "1" => "1 star".to_owned(),
        value => format!("{value} stars"),
    }
}
