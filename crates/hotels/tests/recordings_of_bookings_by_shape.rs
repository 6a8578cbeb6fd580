//! Recorded prices, bookings and cancellations of stays, in whatever file of the recordings they are, known by their shape:
//! each is read at its total, and their sums are those that are added up here without the adapter.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_domain::{Money, parse_currency};
use wayfare_hotels::{RoomGuests, StayContact, StayRequest, hotelbeds, liteapi};
use wayfare_stub_server::recordings;

use crate::recordings_by_shape::{exact, query};
use crate::sums::Sums;

pub fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_default()
}

/// Before any of their penalties.
pub fn now() -> chrono::DateTime<chrono::Utc> {
    "2022-01-01T00:00:00Z".parse().unwrap()
}

#[test]
fn every_recording_of_liteapis_prices_is_read_at_its_total() {
    let Some(files) = recordings::of("liteapi") else { return };
    let (mut sums, mut with_more) = (Sums::default(), 0);
    for (path, body, answer) in &files {
        let data = &answer["data"];
        let (true, Some(offers)) = (data["prebookId"].is_string(), data["roomTypes"].as_array()) else {
            continue;
        };
        let rates = offers.iter().flat_map(|offer| offer["rates"].as_array().into_iter().flatten());
        let mut rooms = BTreeMap::new();
        let mut total = Decimal::ZERO;
        for rate in rates {
            let ages = rate["childrenAges"].as_array().into_iter().flatten();
            let guests = RoomGuests {
                adults: u8::try_from(rate["adultCount"].as_u64().unwrap()).unwrap(),
                children_ages: ages.map(|age| u8::try_from(age.as_u64().unwrap()).unwrap()).collect(),
            };
            rooms.insert(rate["occupancyNumber"].as_u64(), guests);
            total += exact(&rate["retailRate"]["total"][0]["amount"]).unwrap();
        }
        let mut query = query(text(data, "checkin"), text(data, "checkout"), 1);
        query.rooms = rooms.into_values().collect();
        let read = liteapi::read::prebooked(body, &query, text(data, "offerId"), now());
        // With more than rooms in it we don't buy it.
        if exact(&data["price"]) != Some(total) {
            assert!(read.unwrap_err().to_string().contains("but its rooms"), "{}", path.display());
            with_more += 1;
            // Alone it is read, at what its rooms cost.
            let mut alone = answer.clone();
            alone["data"]["price"] = serde_json::from_str(&total.to_string()).unwrap();
            let read = liteapi::read::prebooked(alone.to_string().as_bytes(), &query, "offer", now());
            add_price(&mut sums, &read.unwrap(), data, total);
            continue;
        }
        let read = read.unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
        add_price(&mut sums, &read, data, total);
    }
    println!("of which {with_more} with more than rooms are refused as they are");
    sums.compare("prices of LiteAPI's");
}

fn add_price(sums: &mut Sums, read: &liteapi::read::Prebooked, data: &Value, total: Decimal) {
    let currency = text(data, "currency");
    let ours = read.rates.iter().map(|rate| rate.parts.total().unwrap());
    let ours = Money::sum(parse_currency(currency).unwrap(), ours).unwrap();
    sums.add(ours, currency, total);
}

#[test]
fn every_recording_of_liteapis_bookings_and_cancellations_is_read_at_its_amount() {
    let Some(files) = recordings::of("liteapi") else { return };
    let (mut bookings, mut refunds) = (Sums::default(), Sums::default());
    for (path, body, answer) in &files {
        let (path, data) = (path.display(), &answer["data"]);
        if !data["bookingId"].is_string() {
            continue;
        }
        let currency = text(data, "currency");
        if let (Some(price), true) = (exact(&data["price"]), data["bookedRooms"].is_array()) {
            let read = liteapi::read::booking(body, now());
            let read = read.unwrap_or_else(|reason| panic!("{path}: {reason}"));
            bookings.add(read.stay.total, currency, price);
        } else if let Some(refund) = exact(&data["refund_amount"]) {
            let read = liteapi::read::cancelled(body);
            let read = read.unwrap_or_else(|reason| panic!("{path}: {reason}"));
            refunds.add(read.refund.unwrap(), currency, refund);
            // How much comes back never hides that it was carried out.
            let mut strange = answer.clone();
            strange["data"]["currency"] = json!(5);
            let read = liteapi::read::cancelled(strange.to_string().as_bytes());
            let read = read.unwrap_or_else(|reason| panic!("{path}: {reason}"));
            assert!(read.refund.is_none() && read.unclear.is_some(), "{path}: {read:?}");
        }
    }
    bookings.compare("bookings of LiteAPI's");
    refunds.compare("cancellations of LiteAPI's");
}

#[test]
fn every_recording_of_hotelbeds_checks_and_bookings_is_read_at_its_total() {
    let Some(files) = recordings::of("hotelbeds") else { return };
    let (mut checks, mut bookings) = (Sums::default(), Sums::default());
    for (path, body, answer) in &files {
        let path = path.display();
        if answer["hotel"]["rooms"][0]["rates"][0]["rateKey"].is_string() {
            let hotel = &answer["hotel"];
            let rate = &hotel["rooms"][0]["rates"][0];
            let adults = rate["adults"].as_u64().unwrap_or(2).try_into().unwrap();
            let query = query(text(hotel, "checkIn"), text(hotel, "checkOut"), adults);
            let searched = json!({"hotels": {"hotels": [hotel], "total": 1}}).to_string();
            let found = hotelbeds::read::search(searched.as_bytes(), &query, now()).unwrap();
            let [before] = &found.hotels[0].rates[..] else { panic!("{path}: {:?}", found.unusable) };
            let id = hotel["code"].to_string();
            let read = hotelbeds::read::check(body, &query, &id, before, now());
            let Ok(hotelbeds::read::Checked::Stands(read)) = read else {
                panic!("{path}: the rate does not stand")
            };
            let net = exact(&rate["net"]).unwrap();
            checks.add(read.parts.total().unwrap(), text(hotel, "currency"), net);
        }
        let booking = &answer["booking"];
        if let Some(net) = exact(&booking["totalNet"]) {
            let currency = parse_currency(text(booking, "currency")).unwrap();
            let request = request_of(booking, Money::exact(net, currency).unwrap());
            let read = hotelbeds::read::stay(body, &request, Money::zero(currency), now());
            let read = read.unwrap_or_else(|reason| panic!("{path}: {reason}"));
            bookings.add(read.total, text(booking, "currency"), net);
        }
    }
    checks.compare("checks of Hotelbeds'");
    bookings.compare("bookings of Hotelbeds'");
}

/// What was asked for, as far as the booking tells it.
pub fn request_of(booking: &Value, total: Money) -> StayRequest {
    let hotel = &booking["hotel"];
    StayRequest {
        remarks: None,
        reference: text(booking, "clientReference").to_owned().into(),
        hotel_id: hotel["code"].to_string(),
        check_in: text(hotel, "checkIn").parse().unwrap(),
        check_out: text(hotel, "checkOut").parse().unwrap(),
        supplier_context: Value::Null,
        priced: None,
        total,
        rooms: Vec::new(),
        contact: StayContact::default(),
    }
}
