//! Hotels and rates in JSON, the same for searches, checks and bookings but for what each leaves out.

use chrono::{DateTime, Days, Utc};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::World;
use super::destinations::{self, ZONE};
use super::offers::Sold;
use super::party;
use super::wire::{Category, board_name, instant};
use crate::hotels::{DueThere, Hotel, Levy, RoomType, Terms};
use crate::json::{merged, without_nulls};
use crate::rng::Rng;
use crate::tariff::Tariff;

/// How much more than the net price the public must pay where a hotel says what, in percent.
const MANDATORY_MARKUP: u32 = 12;
/// Code and name of the only promotion: these rates cannot be changed.
pub(super) const PROMOTION: (&str, &str) = ("073", "Non-refundable rate. No amendments permitted");

/// A hotel, with the members that the call adds.
pub(super) fn hotel_body(hotel: &Hotel, more: Value) -> Value {
    let category = Category::of(hotel);
    let head = json!({
        "code": hotel.id.hotelbeds(),
        "name": hotel.name(),
        "categoryCode": category.code,
        "categoryName": category.name,
        "destinationCode": destinations::code_of(hotel.city),
        "destinationName": hotel.city.name,
        "zoneCode": ZONE,
        "zoneName": hotel.city.name,
        "latitude": hotel.point.latitude(),
        "longitude": hotel.point.longitude(),
    });
    merged(head, without_nulls(more))
}

pub(super) fn room_body(room: &RoomType, rates: Vec<Value>) -> Value {
    json!({ "code": room.code, "name": room.name.to_uppercase(), "rates": rates })
}

/// A rate that a search found at this instant, with the members that the call adds. Every amount is of all its rooms.
pub(super) fn rate_body(world: &World, sold: &Sold, found_at: DateTime<Utc>, more: Value) -> Value {
    let key = sold.rate.key;
    let guests = &sold.party.guests;
    let is_mandatory = Rng::of(world.seed, &sold.hotel.id.named("hotelbeds/mandatory")).one_in(5);
    let selling_rate = is_mandatory.then(|| world.tariff.moved(sold.net(), MANDATORY_MARKUP.into()));
    let has_promotion = key.terms == Terms::NonRefundable && sold.hotel.id.place.is_multiple_of(2);
    let promotion = has_promotion.then(|| json!([{ "code": PROMOTION.0, "name": PROMOTION.1 }]));
    let ages = Some(party::ages(guests)).filter(|ages| !ages.is_empty());
    let body = json!({
        "rateClass": match key.terms {
            Terms::Flexible => "NOR",
            Terms::NonRefundable => "NRF",
        },
        "net": sold.net(),
        "sellingRate": selling_rate,
        "hotelMandatory": is_mandatory.then_some(true),
        "paymentType": "AT_WEB",
        "packaging": false,
        "boardCode": key.board.code(),
        "boardName": board_name(key.board),
        "cancellationPolicies": policies(sold, found_at),
        "taxes": taxes(world, sold),
        "rooms": sold.party.rooms,
        "adults": guests.adults,
        "children": guests.children.len(),
        "childrenAges": ages,
        "promotions": promotion,
        "offers": discount(sold).map(|discount| [discount]),
    });
    without_nulls(merged(body, more))
}

/// How the price of a rate came about, where that is sent.
pub(super) fn break_down(sold: &Sold) -> Option<Value> {
    discount(sold).map(|discount| json!({ "rateDiscounts": [discount] }))
}

fn discount(sold: &Sold) -> Option<Value> {
    let discount = sold.rate.discount.as_ref()?;
    let name = format!("Early booking discount {}%", discount.percent);
    Some(json!({ "code": "9001", "name": name, "amount": -sold.of_all(discount.amount) }))
}

pub(super) fn daily_rates(sold: &Sold) -> Vec<Value> {
    let nights = (1..).zip(&sold.rate.nights);
    nights
        .map(|(offset, night): (u8, _)| json!({ "offset": offset, "dailyNet": sold.of_all(*night) }))
        .collect()
}

/// What cancelling costs from when on. Where nothing ever comes back, that began the day before the search.
fn policies(sold: &Sold, found_at: DateTime<Utc>) -> Vec<Value> {
    let city = sold.hotel.city;
    let policy = |amount: Decimal, from| json!({ "amount": amount, "from": instant(city, from) });
    if sold.rate.steps.is_empty() {
        let today = found_at.with_timezone(&city.time_zone).date_naive();
        let yesterday = today.checked_sub_days(Days::new(1)).unwrap_or(today);
        let evening = yesterday.and_hms_opt(23, 59, 0).unwrap_or_default();
        return vec![policy(sold.net(), city.instant_of(evening))];
    }
    let steps = sold.rate.steps.iter();
    steps.map(|step| policy(sold.of_all(step.penalty), step.from)).collect()
}

/// What states, cities and houses take; some hotels say nothing of taxes that are within the price.
fn taxes(world: &World, sold: &Sold) -> Option<Value> {
    let due_there = &sold.rate.due_there;
    let says_nothing = Rng::of(world.seed, &sold.hotel.id.named("hotelbeds/taxes")).one_in(6);
    if due_there.is_empty() && says_nothing {
        return None;
    }
    let currency = world.tariff.currency;
    let tax = sold.of_all(sold.rate.tax);
    let included = json!({ "included": true, "amount": tax, "currency": currency, "type": "TAX" });
    let due = due_there.iter().map(|due| due_at_hotel(world, sold, due));
    let taxes: Vec<Value> = std::iter::once(included).chain(due).collect();
    Some(json!({ "taxes": taxes, "allIncluded": due_there.is_empty() }))
}

fn due_at_hotel(world: &World, sold: &Sold, due: &DueThere) -> Value {
    let amount = sold.of_all(due.amount);
    let money = Tariff::in_currency(&due.currency);
    without_nulls(json!({
        "included": false,
        "amount": amount,
        "currency": due.currency,
        "type": match due.levy {
            Levy::SalesTax | Levy::CityTax => "TAX",
            Levy::ResortFee => "FEE",
        },
        "clientAmount": money.map(|money| world.tariff.worth(amount, &money)),
        "clientCurrency": money.map(|_| world.tariff.currency),
    }))
}
