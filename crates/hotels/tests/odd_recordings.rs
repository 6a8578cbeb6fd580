//! Every recorded answer of suppliers of stays is read with oddities as it is without: the same rates, amounts and states.

use serde_json::{Value, json};
use wayfare_domain::{Currency, Money, parse_currency};
use wayfare_hotels::{RoomGuests, hotelbeds, liteapi};
use wayfare_oddities::Wire::{self, Hotelbeds, Liteapi};
use wayfare_stub_server::odd_world::{Case, Keys, Legitimate, NotYet, Reading, file_name, holds};
use wayfare_stub_server::recordings;
use wayfare_supply::ListedOrder;

use crate::answers::{results, told};
use crate::recordings_by_shape::{exact, query};
use crate::recordings_of_bookings_by_shape::{now, request_of, text};

/// What an oddity changes by right.
const LEGITIMATE: &[Legitimate] = &[
    Legitimate {
        oddity: "times_",
        members: &["text", "remarks"],
        reason: "a deadline in the supplier's own words; its instant is the same",
    },
    Legitimate {
        oddity: "instants_",
        members: &["text", "made_at"],
        reason: "a deadline in the supplier's own words; its instant is the same",
    },
    Legitimate {
        oddity: "codes_in_other_case",
        members: &["text", "remarks"],
        reason: "zone and currency are named in the supplier's own words",
    },
    Legitimate {
        oddity: "optional_",
        members: &[
            "meals",
            "confirmation",
            "max_occupancy",
            "line1",
            "images",
            "rooms_left",
            "hotel_numbers",
            "voucher_texts",
            "remarks",
        ],
        reason: "shown as far as it is told: the board's name, the hotel's numbers, how many a room holds and how many \
                 are left, street and picture, what is said to the guest",
    },
    Legitimate {
        oddity: "texts_with_entities",
        members: &["remarks"],
        reason: "blanks side by side are one in HTML",
    },
];

/// What does not hold yet.
const NOT_YET: &[NotYet] = &[];

/// Which bookings are listed, and whether they are cancelled.
fn told_of(listed: Vec<ListedOrder>) -> Vec<Value> {
    let line = |one: ListedOrder| json!({ "id": one.order_id, "reference": one.reference, "made_at": one.made_at, "cancelled": one.is_cancelled });
    listed.into_iter().map(line).collect()
}

fn case<'a>(
    wire: Wire,
    call: &'static str,
    name: &str,
    body: Vec<u8>,
    read: impl Fn(&[u8], Keys) -> Reading + 'a,
) -> Case<'a> {
    Case { wire, call, name: name.to_owned(), body, read: Box::new(read) }
}

fn liteapi_search(name: &str, body: Vec<u8>) -> Case<'static> {
    case(Liteapi, "search", name, body, |body, _| {
        let query = query("2025-12-05", "2025-12-10", 2);
        results(liteapi::read::search(body, &query, Currency::USD, now()))
    })
}

/// The guests of each room that was priced.
fn guests(data: &Value) -> Vec<RoomGuests> {
    let offers = data["roomTypes"].as_array().into_iter().flatten();
    let rates = offers.flat_map(|offer| offer["rates"].as_array().into_iter().flatten());
    let guests = |rate: &Value| RoomGuests {
        adults: u8::try_from(rate["adultCount"].as_u64().unwrap()).unwrap(),
        children_ages: Vec::new(),
    };
    rates.map(guests).collect()
}

fn liteapi_cases() -> Option<Vec<Case<'static>>> {
    let mut cases = Vec::new();
    for (path, stream) in recordings::streams()? {
        if stream.contains("\"roomTypes\"") {
            cases.push(liteapi_search(&file_name(&path), stream.into_bytes()));
        }
    }
    for (path, body, answer) in recordings::of("liteapi")? {
        let (name, data) = (file_name(&path), &answer["data"]);
        let is_search = data[0]["roomTypes"].is_array();
        if is_search {
            cases.push(liteapi_search(&name, body));
        } else if data["prebookId"].is_string() && data["roomTypes"].is_array() {
            let mut query = query(text(data, "checkin"), text(data, "checkout"), 1);
            query.rooms = guests(data);
            let offer = text(data, "offerId").to_owned();
            // With more than rooms in it we don't buy it: alone it is read.
            let rates = data["roomTypes"].as_array().into_iter().flatten();
            let rates = rates.flat_map(|offer| offer["rates"].as_array().into_iter().flatten());
            let total: Option<rust_decimal::Decimal> =
                rates.map(|rate| exact(&rate["retailRate"]["total"][0]["amount"])).sum();
            let mut alone = answer.clone();
            alone["data"]["price"] = serde_json::from_str(&total.unwrap().to_string()).unwrap();
            cases.push(case(Liteapi, "price", &name, alone.to_string().into_bytes(), move |body, keys| {
                let read = liteapi::read::prebooked(body, &query, &keys.of(&offer), now());
                told(read.map(
                    |read| json!({ "id": read.prebook_id, "hotel": read.hotel_id, "rates": read.rates }),
                ))
            }));
        } else if data["bookedRooms"].is_array() {
            cases.push(case(Liteapi, "lookup", &name, body, |body, _| {
                told(liteapi::read::booking(body, now()).map(|read| read.stay))
            }));
        } else if data["bookingId"].is_string() && data["refund_amount"].is_number() {
            cases.push(case(Liteapi, "cancel", &name, body, |body, _| told(liteapi::read::cancelled(body))));
        } else if data[0]["booking_Id"].is_string() {
            cases.push(case(Liteapi, "lookup", &name, body, |body, _| {
                told(liteapi::read::all_bookings(body).map(told_of))
            }));
        } else if data["hotelImages"].is_array() {
            cases.push(case(Liteapi, "services", &name, body, |body, _| told(liteapi::read::details(body))));
        }
    }
    Some(cases)
}

fn hotelbeds_cases() -> Option<Vec<Case<'static>>> {
    let mut cases = Vec::new();
    for (path, body, answer) in recordings::of("hotelbeds")? {
        let name = file_name(&path);
        let stay = &answer["hotels"];
        if let (Some(check_in), Some(check_out), Some(found)) =
            (stay["checkIn"].as_str(), stay["checkOut"].as_str(), stay["hotels"].as_array())
        {
            let adults = found[0]["rooms"][0]["rates"][0]["adults"].as_u64().unwrap_or(2);
            let query = query(check_in, check_out, u8::try_from(adults).unwrap());
            cases.push(case(Hotelbeds, "search", &name, body, move |body, _| {
                results(hotelbeds::read::search(body, &query, now()))
            }));
        } else if answer["hotel"]["rooms"][0]["rates"][0]["rateKey"].is_string() {
            cases.push(checked(&name, body, &answer["hotel"]));
        } else if let Some(net) = exact(&answer["booking"]["totalNet"]) {
            let booking = &answer["booking"];
            let currency = parse_currency(text(booking, "currency")).unwrap();
            let request = request_of(booking, Money::exact(net, currency).unwrap());
            cases.push(case(Hotelbeds, "book", &name, body, move |body, _| {
                told(hotelbeds::read::stay(body, &request, Money::zero(currency), now()))
            }));
        }
    }
    Some(cases)
}

/// A check of a rate that was found as it is.
fn checked(name: &str, body: Vec<u8>, hotel: &Value) -> Case<'static> {
    let adults = hotel["rooms"][0]["rates"][0]["adults"].as_u64().unwrap_or(2);
    let query = query(text(hotel, "checkIn"), text(hotel, "checkOut"), u8::try_from(adults).unwrap());
    let searched = json!({ "hotels": { "hotels": [hotel], "total": 1 } }).to_string();
    let id = hotel["code"].to_string();
    let found = hotelbeds::read::search(searched.as_bytes(), &query, now()).unwrap();
    let before = found.hotels[0].rates[0].clone();
    case(Hotelbeds, "price", name, body, move |body, keys| {
        let mut before = before.clone();
        before.token = keys.of(&before.token);
        match hotelbeds::read::check(body, &query, &id, &before, now()) {
            Ok(hotelbeds::read::Checked::Stands(rate)) => told(Ok::<_, String>(rate)),
            Ok(other) => Err(format!("{other:?}")),
            Err(reason) => Err(reason.to_string()),
        }
    })
}

#[test]
fn recordings_of_liteapi_are_read_with_oddities_as_without() {
    if let Some(cases) = liteapi_cases() {
        holds("LiteAPI's recordings", &cases, LEGITIMATE, NOT_YET);
    }
}

#[test]
fn recordings_of_hotelbeds_are_read_with_oddities_as_without() {
    if let Some(cases) = hotelbeds_cases() {
        holds("Hotelbeds' recordings", &cases, LEGITIMATE, NOT_YET);
    }
}

#[test]
fn a_listed_booking_is_found_in_either_spelling_and_in_both() {
    for line in [
        json!({ "bookingId": "b1", "clientReference": "R1" }),
        json!({ "booking_Id": "b1", "client_reference": "R1" }),
        json!({ "bookingId": "b1", "booking_Id": "b1", "clientReference": "", "client_reference": "R1" }),
        json!({ "bookingId": null, "booking_Id": "b1", "clientReference": "R1", "client_reference": null }),
    ] {
        let list = json!({ "data": [line] }).to_string();
        assert_eq!(liteapi::read::listed(list.as_bytes(), "R1"), Ok(Some("b1".to_owned())), "{list}");
    }
}
