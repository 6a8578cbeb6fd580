//! What an offer sells, in LiteAPI's words: in a search as in a prebook.

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};

use super::offers::{Offer, Question, Room};
use super::wire::{board_name, money, policies};
use crate::hotels::{DueThere, Hotel, HotelId, Levy, Rate, RoomKind};
use crate::json::{Number, insert, without_nulls};
use crate::rng::Rng;
use crate::tariff::Tariff;

/// What the public is asked elsewhere, in percent more.
const ELSEWHERE: Decimal = dec!(12);

/// LiteAPI's number of a kind of room in a hotel, the same in rates and in what is published of the hotel.
pub(super) fn room_number(hotel: HotelId, kind: RoomKind) -> u64 {
    u64::from(hotel.hotelbeds()) * 16 + u64::from(kind as u8)
}

pub(super) fn room_type_id(hotel: HotelId, kind: RoomKind) -> String {
    format!("RT{:X}", room_number(hotel, kind))
}

pub(super) fn rate_id(offer_id: &str, occupancy: usize) -> String {
    format!("{:016X}", Rng::of(0, &format!("{offer_id}/{occupancy}")).next_u64())
}

pub(super) fn room_type_body(question: &Question, offer: &Offer, maps_rooms: bool) -> Value {
    let currency = question.tariff.currency;
    let initial = offer.rooms.iter().map(|room| initial_price(&room.rate)).sum();
    json!({
        "roomTypeId": room_type_id(offer.hotel.id, offer.key.room),
        "offerId": offer.id,
        "supplier": "nuitee",
        "supplierId": 2,
        "rates": rate_bodies(question, offer, maps_rooms, question.at),
        "offerRetailRate": money(offer.total(), currency),
        "suggestedSellingPrice": suggested(question, offer),
        "offerInitialPrice": money(initial, currency),
        "priceType": "commission",
        "rateType": "standard",
    })
}

/// What the public is asked elsewhere for what costs so much here.
pub(super) fn elsewhere(tariff: &Tariff, price: Decimal) -> Value {
    let amount = Number(tariff.moved(price, ELSEWHERE));
    json!({ "amount": amount, "currency": tariff.currency, "source": "booking.com" })
}

/// What the public is asked elsewhere for all rooms.
pub(super) fn suggested(question: &Question, offer: &Offer) -> Value {
    elsewhere(&question.tariff, offer.total())
}

/// The rate of each room, as of an instant.
pub(super) fn rate_bodies(
    question: &Question,
    offer: &Offer,
    maps_rooms: bool,
    at: DateTime<Utc>,
) -> Vec<Value> {
    let rooms = offer.rooms.iter().zip(1..);
    rooms
        .map(|(room, occupancy)| {
            let mut body = rate_body(question, offer, room, occupancy, at);
            if maps_rooms {
                insert(&mut body, "mappedRoomId", room_number(offer.hotel.id, offer.key.room));
            }
            body
        })
        .collect()
}

fn rate_body(question: &Question, offer: &Offer, room: &Room, occupancy: usize, at: DateTime<Utc>) -> Value {
    let currency = question.tariff.currency;
    let (rate, room_type) = (&room.rate, offer.key.room.room_type());
    let total = rate.total();
    let commission = if tells_net(&offer.hotel) { room.commission } else { Decimal::ZERO };
    let retail_rate = json!({
        "total": [money(total, currency)],
        "suggestedSellingPrice": [elsewhere(&question.tariff, total)],
        "initialPrice": [money(initial_price(rate), currency)],
        "taxesAndFees": taxes(rate, currency),
        "promotions": promotions(question, rate),
    });
    json!({
        "rateId": rate_id(&offer.id, occupancy),
        "occupancyNumber": occupancy,
        "name": room_type.name,
        "maxOccupancy": room_type.max_occupancy,
        "adultCount": room.guests.adults,
        "childCount": room.guests.children.len(),
        "childrenAges": room.guests.children,
        "boardType": offer.key.board.code(),
        "boardName": board_name(offer.key.board),
        "remarks": remarks(rate),
        "priceType": "commission",
        "commission": [money(room.commission, currency)],
        "retailRate": without_nulls(retail_rate),
        "cancellationPolicies": policies(&[rate], commission, currency, at),
        "paymentTypes": ["NUITEE_PAY"],
        "perks": perks(&offer.hotel, currency),
    })
}

/// Whether its rates tell penalties of what is left without the commission, as all bookings do.
fn tells_net(hotel: &Hotel) -> bool {
    hotel.rng("liteapi/net penalties").one_in(4)
}

/// What the room would have cost without what it was lowered by.
fn initial_price(rate: &Rate) -> Decimal {
    rate.total() + rate.discount.as_ref().map_or(Decimal::ZERO, |discount| discount.amount)
}

/// What is paid at the hotel, in words; LiteAPI's remarks are HTML.
pub(super) fn remarks(rate: &Rate) -> String {
    let words = |due: &DueThere| {
        format!("<p>{}: {} {} to be paid at the hotel.</p>", due.levy.name(), due.currency, due.amount)
    };
    rate.due_there.iter().map(words).collect()
}

fn taxes(rate: &Rate, currency: &str) -> Vec<Value> {
    let tax = |included, levy: Levy, amount, currency: &str| json!({ "included": included, "description": levy.name(), "amount": Number(amount), "currency": currency });
    let within = tax(true, Levy::SalesTax, rate.tax, currency);
    let due_there = rate.due_there.iter();
    let due_there = due_there.map(|due| tax(false, due.levy, due.amount, &due.currency));
    std::iter::once(within).chain(due_there).collect()
}

fn promotions(question: &Question, rate: &Rate) -> Option<Value> {
    let today = question.at.date_naive();
    let discount = rate.discount.as_ref()?;
    Some(json!([{
        "name": "Early booker deal",
        "from": today,
        "to": today + TimeDelta::days(13),
        "discount": discount.percent,
        "discountType": "percentage",
        "promotionCode": "",
        "currency": question.tariff.currency,
    }]))
}

fn perks(hotel: &Hotel, currency: &str) -> Vec<Value> {
    let all = [(5, "Late check-out if available"), (8, "Room upgrade if available")];
    let all = all.into_iter().filter(|_| hotel.stars == 5);
    all.map(|(id, name)| {
        json!({ "perkId": id, "name": name, "amount": 0, "currency": currency, "level": "HOTEL" })
    })
    .collect()
}
