//! What an offer sells, in LiteAPI's words: in a search as in a prebook.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rust_decimal::{Decimal, dec};
use serde::Serialize;

use super::offers::{Offer, Question, Room};
use super::wire::{Amount, Number, Policies, board_name};
use crate::hotels::{Discount, DueThere, Hotel, HotelId, Levy, Rate, RoomKind};
use crate::rng::Rng;
use crate::tariff::Tariff;

/// What the public is asked elsewhere, in percent more.
const ELSEWHERE: Decimal = dec!(12);

/// LiteAPI's number of a kind of room in a hotel, the same in rates and in what is told of the hotel.
pub(super) fn room_number(hotel: HotelId, kind: RoomKind) -> u64 {
    u64::from(hotel.hotelbeds()) * 16 + u64::from(kind as u8)
}

pub(super) fn room_type_id(hotel: HotelId, kind: RoomKind) -> String {
    format!("RT{:X}", room_number(hotel, kind))
}

pub(super) fn rate_id(offer_id: &str, occupancy: usize) -> String {
    format!(
        "{:016X}",
        Rng::of(0, &format!("{offer_id}/{occupancy}")).next_u64()
    )
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RoomTypeBody<'a> {
    room_type_id: String,
    offer_id: &'a str,
    supplier: &'static str,
    supplier_id: u8,
    rates: Vec<RateBody<'a>>,
    offer_retail_rate: Amount<'a>,
    suggested_selling_price: Amount<'a>,
    offer_initial_price: Amount<'a>,
    price_type: &'static str,
    rate_type: &'static str,
}

impl<'a> RoomTypeBody<'a> {
    pub(super) fn of(question: &'a Question, offer: &'a Offer, maps_rooms: bool) -> Self {
        let currency = question.tariff.currency;
        let initial = offer.rooms.iter().map(|room| initial_price(&room.rate)).sum();
        Self {
            room_type_id: room_type_id(offer.hotel.id, offer.key.room),
            offer_id: &offer.id,
            supplier: "nuitee",
            supplier_id: 2,
            rates: rate_bodies(question, offer, maps_rooms, question.at),
            offer_retail_rate: Amount::of(offer.total(), currency),
            suggested_selling_price: suggested(question, offer),
            offer_initial_price: Amount::of(initial, currency),
            price_type: "commission",
            rate_type: "standard",
        }
    }
}

/// What the public is asked elsewhere for what costs so much here.
pub(super) fn elsewhere(tariff: &Tariff, price: Decimal) -> Amount<'static> {
    Amount::elsewhere(tariff.moved(price, ELSEWHERE), tariff.currency)
}

/// What the public is asked elsewhere for all rooms.
pub(super) fn suggested(question: &Question, offer: &Offer) -> Amount<'static> {
    elsewhere(&question.tariff, offer.total())
}

pub(super) fn rate_bodies<'a>(
    question: &'a Question,
    offer: &'a Offer,
    maps_rooms: bool,
    at: DateTime<Utc>,
) -> Vec<RateBody<'a>> {
    let rooms = offer.rooms.iter().zip(1..);
    rooms
        .map(|(room, occupancy)| RateBody::of(question, offer, room, occupancy, maps_rooms, at))
        .collect()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RateBody<'a> {
    rate_id: String,
    occupancy_number: usize,
    name: &'static str,
    max_occupancy: u8,
    adult_count: u8,
    child_count: usize,
    children_ages: &'a [u8],
    board_type: &'static str,
    board_name: &'static str,
    remarks: String,
    price_type: &'static str,
    commission: [Amount<'a>; 1],
    retail_rate: RetailRate<'a>,
    cancellation_policies: Policies<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mapped_room_id: Option<u64>,
    payment_types: [&'static str; 1],
    perks: Vec<Perk<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RetailRate<'a> {
    total: [Amount<'a>; 1],
    suggested_selling_price: [Amount<'a>; 1],
    initial_price: [Amount<'a>; 1],
    taxes_and_fees: Vec<Tax<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    promotions: Vec<Promotion<'a>>,
}

#[derive(Serialize)]
struct Tax<'a> {
    included: bool,
    description: &'static str,
    amount: Number,
    currency: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Promotion<'a> {
    name: &'static str,
    from: NaiveDate,
    to: NaiveDate,
    discount: u32,
    discount_type: &'static str,
    promotion_code: &'static str,
    currency: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Perk<'a> {
    perk_id: u8,
    name: &'static str,
    amount: u8,
    currency: &'a str,
    level: &'static str,
}

impl<'a> RateBody<'a> {
    fn of(
        question: &'a Question,
        offer: &'a Offer,
        room: &'a Room,
        occupancy: usize,
        maps_rooms: bool,
        at: DateTime<Utc>,
    ) -> Self {
        let currency = question.tariff.currency;
        let (rate, room_type) = (&room.rate, offer.key.room.room_type());
        let total = rate.total();
        Self {
            rate_id: rate_id(&offer.id, occupancy),
            occupancy_number: occupancy,
            name: room_type.name,
            max_occupancy: room_type.max_occupancy,
            adult_count: room.guests.adults,
            child_count: room.guests.children.len(),
            children_ages: &room.guests.children,
            board_type: offer.key.board.code(),
            board_name: board_name(offer.key.board),
            remarks: remarks(rate),
            price_type: "commission",
            commission: [Amount::of(room.commission, currency)],
            retail_rate: RetailRate {
                total: [Amount::of(total, currency)],
                suggested_selling_price: [elsewhere(&question.tariff, total)],
                initial_price: [Amount::of(initial_price(rate), currency)],
                taxes_and_fees: taxes(rate, currency),
                promotions: promotions(question, rate),
            },
            cancellation_policies: Policies::of(rate, currency, at),
            mapped_room_id: maps_rooms.then(|| room_number(offer.hotel.id, offer.key.room)),
            payment_types: ["NUITEE_PAY"],
            perks: perks(&offer.hotel, currency),
        }
    }
}

/// What the room would have cost without what it was lowered by.
fn initial_price(rate: &Rate) -> Decimal {
    rate.total()
        + rate
            .discount
            .as_ref()
            .map_or(Decimal::ZERO, |discount| discount.amount)
}

/// What is paid at the hotel, in words; LiteAPI's remarks are HTML.
pub(super) fn remarks(rate: &Rate) -> String {
    let words = |due: &DueThere| {
        format!(
            "<p>{}: {} {} to be paid at the hotel.</p>",
            due.levy.name(),
            due.currency,
            due.amount
        )
    };
    rate.due_there.iter().map(words).collect()
}

fn taxes<'a>(rate: &'a Rate, currency: &'a str) -> Vec<Tax<'a>> {
    let within = Tax {
        included: true,
        description: Levy::SalesTax.name(),
        amount: Number(rate.tax),
        currency,
    };
    let due_there = rate.due_there.iter().map(|due| Tax {
        included: false,
        description: due.levy.name(),
        amount: Number(due.amount),
        currency: &due.currency,
    });
    std::iter::once(within).chain(due_there).collect()
}

fn promotions<'a>(question: &'a Question, rate: &Rate) -> Vec<Promotion<'a>> {
    let today = question.at.date_naive();
    let promotion = |discount: &Discount| Promotion {
        name: "Early booker deal",
        from: today,
        to: today + TimeDelta::days(13),
        discount: discount.percent,
        discount_type: "percentage",
        promotion_code: "",
        currency: question.tariff.currency,
    };
    rate.discount.iter().map(promotion).collect()
}

fn perks<'a>(hotel: &Hotel, currency: &'a str) -> Vec<Perk<'a>> {
    let perk = |perk_id, name| Perk {
        perk_id,
        name,
        amount: 0,
        currency,
        level: "HOTEL",
    };
    match hotel.stars {
        5 => vec![
            perk(5, "Late check-out if available"),
            perk(8, "Room upgrade if available"),
        ],
        _ => Vec::new(),
    }
}
