//! From rates to a booking.

use futures_util::future::{join, join_all};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;
use crate::liteapi::harness as liteapi;

/// Two rooms for one adult each, and one for a couple with two children.
fn family() -> Value {
    query_for(json!([
        { "rooms": 2, "adults": 1, "children": 0 },
        { "rooms": 1, "adults": 2, "children": 2,
          "paxes": [{ "type": "CH", "age": 4 }, { "type": "CH", "age": 9 }] },
    ]))
}

#[tokio::test]
async fn a_booking_is_confirmed_at_once_and_read_as_it_was_made() {
    let stage = Stage::open().await;
    let found = stage.rate(&query(), is_bookable).await;
    let body = stage.book_rate(&found.rate, "htl-7K2M9Q4X-1").await.fine();
    let booking = &body["booking"];
    has(booking, json!({ "status": "CONFIRMED", "creationUser": KEY }));
    // Hotelbeds stores both in capitals.
    let holder = json!({ "name": "RAVI", "surname": "RAO" });
    has(booking, json!({ "clientReference": "HTL-7K2M9Q4X-1", "holder": holder }));
    assert_eq!(["totalNet", "pendingAmount"].map(|name| number(&booking[name])), [net(&found.rate); 2]);
    let hotel = &booking["hotel"];
    assert_eq!(amount(&hotel["totalNet"]), net(&found.rate));
    assert!(hotel["supplier"]["name"].is_string() && hotel["supplier"]["vatNumber"].is_string());
    assert!(hotel["cancellationAmount"].is_null());
    let room = &hotel["rooms"][0];
    assert_eq!(room["code"], found.room["code"]);
    let asha = json!({ "roomId": 1, "type": "AD", "name": "Asha", "surname": "Rao" });
    assert_eq!(room["paxes"], json!([asha, { "roomId": 1, "type": "AD" }]));
    let rate = &room["rates"][0];
    for same in ["net", "rateClass", "boardCode", "cancellationPolicies", "taxes", "rooms", "adults"] {
        assert_eq!(rate[same], found.rate[same], "{same}");
    }
    let read = stage.booking(&booking["reference"]).await.fine();
    assert_eq!(&read["booking"], booking);
    let orders = stage.orders().await;
    assert_eq!(orders.len(), 1);
    has(&orders[0], json!({ "supplier": "hotelbeds", "status": "confirmed", "currency": "INR" }));
    has(&orders[0], json!({ "id": booking["reference"], "order_reference": "htl-7K2M9Q4X-1" }));
    assert_eq!(number(&orders[0]["amount"]), net(&found.rate));
}

#[tokio::test]
async fn rooms_of_two_kinds_are_one_booking() {
    let stage = Stage::open().await;
    let hotels = stage.available(&family()).await;
    let pair = hotels.iter().find_map(|hotel| {
        let rates = found_in(hotel);
        let of = |children: u32| {
            let is_of = |found: &&Found| is_bookable(&found.rate) && found.rate["children"] == children;
            rates.iter().find(is_of).map(|found| found.rate.clone())
        };
        Some((of(0)?, of(2)?))
    });
    let (alone, together) = pair.unwrap();
    let mut body = booking_request(&[&alone, &together], "HTL-FAMILY-1");
    // Rooms are distinguished by numbers, whichever.
    body["rooms"][0]["paxes"] = json!([
        { "roomId": "7", "type": "AD", "name": "Dev", "surname": "Rao" },
        { "roomId": "9", "type": "AD", "name": "Ila", "surname": "Rao" },
    ]);
    body["rooms"][1]["paxes"] = json!([
        { "type": "AD", "name": "Asha", "surname": "Rao" },
        { "type": "CH", "name": "Om", "surname": "Rao", "age": 9 },
    ]);
    let booking = stage.hotelbeds("/bookings", &body).await.fine()["booking"].take();
    assert_eq!(number(&booking["totalNet"]), net(&alone) + net(&together));
    let rooms = list(&booking["hotel"]["rooms"]);
    let ids = each(rooms, "id");
    assert_eq!(ids, [1, 2]);
    let numbers = each(list(&rooms[0]["paxes"]), "roomId");
    assert_eq!(numbers, [1, 2]);
    let ages: Vec<_> = list(&rooms[1]["paxes"]).iter().filter_map(|pax| pax["age"].as_u64()).collect();
    assert_eq!(ages, [9, 4], "who was not named is there, too");
    assert_eq!(list(&rooms[1]["paxes"]).len(), 4);
    let listed = stage.bookings_under("HTL-FAMILY-1").await;
    assert_eq!(number(&listed[0]["hotel"]["rooms"][0]["rates"][0]["amount"]), net(&alone));
}

#[tokio::test]
async fn a_request_that_does_not_fit_books_nothing() {
    let stage = Stage::open().await;
    let occupancy = json!([{
        "rooms": 1, "adults": 2, "children": 1, "paxes": [{ "type": "CH", "age": 4 }],
    }]);
    let hotels = stage.available(&query_for(occupancy)).await;
    let of = |at: usize| {
        let rates = found_in(&hotels[at]);
        rates.into_iter().find(|found| is_bookable(&found.rate))
    };
    let mut bookable = (0..hotels.len()).filter_map(of);
    let (rate, elsewhere) = (bookable.next().unwrap().rate, bookable.next().unwrap().rate);
    let good = booking_request(&[&rate], "HTL-1");
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut body = good.clone();
        change(&mut body);
        body
    };
    let adult = json!({ "type": "AD", "name": "Asha", "surname": "Rao" });
    let child = |age: u8| json!({ "type": "CH", "name": "Om", "surname": "Rao", "age": age });
    let paxes = |paxes: Value| changed(&|body| body["rooms"][0]["paxes"] = paxes.clone());
    for wrong in [
        changed(&|body| body["clientReference"] = json!("")),
        changed(&|body| body["clientReference"] = json!("A".repeat(21))),
        changed(&|body| body["holder"]["surname"] = json!(" ")),
        changed(&|body| body["rooms"] = json!([])),
        booking_request(&[&rate, &elsewhere], "HTL-1"),
        paxes(json!([])),
        paxes(json!([{ "type": "AD" }])),
        paxes(json!([adult, adult, adult])),
        paxes(json!([adult, child(5)])),
        paxes(json!([adult, child(4), child(4)])),
        paxes(json!([adult, { "type": "CH", "name": "Om", "surname": "Rao" }])),
        paxes(json!([{ "type": "AD", "name": "A".repeat(51), "surname": "Rao" }])),
        paxes(json!([adult, { "roomId": 2, "type": "AD", "name": "Ila", "surname": "Rao" }])),
    ] {
        stage.hotelbeds("/bookings", &wrong).await.denied(400, "INVALID_DATA");
    }
    for name in ["holder", "clientReference", "rooms"] {
        let without = changed(&|body| drop(body.as_object_mut().unwrap().remove(name)));
        let refused = stage.hotelbeds("/bookings", &without).await;
        refused.denied(400, "INVALID_REQUEST");
    }
    assert!(stage.orders().await.is_empty());
    stage.hotelbeds("/bookings", &paxes(json!([adult, child(4)]))).await.fine();
    let longest = changed(&|body| body["clientReference"] = json!("A".repeat(20)));
    stage.hotelbeds("/bookings", &longest).await.fine();
}

#[tokio::test]
async fn the_same_request_twice_is_two_bookings() {
    let stage = Stage::open().await;
    let rate = stage.bookable().await;
    let mut references = Vec::new();
    for _ in 0..2 {
        let body = stage.book_rate(&rate, "HTL-TWICE-1").await.fine();
        references.push(body["booking"]["reference"].clone());
    }
    assert_ne!(references[0], references[1]);
    assert_eq!(stage.bookings_under("HTL-TWICE-1").await.len(), 2);
}

/// LiteAPI's id of a hotel of Hotelbeds': both hold the number of its city and its place there.
fn liteapi_id(code: &Value) -> String {
    let code = code.as_u64().unwrap();
    format!("lp{:x}", (code & 0xff_ffff) << 6 | code >> 24)
}

#[tokio::test]
async fn the_last_rooms_are_sold_once_whoever_sells_them() {
    let stage = Stage::open().await;
    let found = stage.rate(&query(), |rate| is_bookable(rate) && rate["allotment"] == 3).await;
    let mut theirs = liteapi::query();
    theirs["hotelIds"] = json!([liteapi_id(&found.hotel["code"])]);
    let kind = text(&found.room["name"]);
    let of_kind = |offer: &Value| {
        let name = text(&offer["rates"][0]["name"]);
        name.to_uppercase().starts_with(kind)
    };
    let offer = stage.hotel_offer(&theirs, of_kind).await;
    let mut prebooks = Vec::new();
    for _ in 0..8 {
        prebooks.push(stage.prebook(&offer).await.good());
    }
    let requests: Vec<Value> =
        (0..8).map(|number| booking_request(&[&found.rate], &format!("HTL-H{number}-1"))).collect();
    let their_requests: Vec<Value> = prebooks
        .iter()
        .enumerate()
        .map(|(number, prebook)| liteapi::booking_request(prebook, &format!("HTL-L{number}-1")))
        .collect();
    let ours = requests.iter().map(|booking_request| stage.hotelbeds("/bookings", booking_request));
    let others = their_requests.iter().map(|booking_request| stage.liteapi("/rates/book", booking_request));
    let (ours, others) = join(join_all(ours), join_all(others)).await;
    let is_made = |answer: &&Answer| answer.status == 200;
    let made = ours.iter().filter(is_made).count() + others.iter().filter(is_made).count();
    assert_eq!(made, 3);
    for refused in ours.into_iter().filter(|answer| answer.status != 200) {
        let message = refused.denied(500, "PRODUCT_ERROR");
        assert_eq!(message, "Insufficient allotment");
    }
    assert_eq!(stage.orders().await.len(), 3);
    stage.check(&[&found.rate]).await.denied(500, "PRODUCT_ERROR");
    let left = stage.available(&query()).await;
    let is_sold = left
        .iter()
        .flat_map(found_in)
        .any(|each| each.hotel["code"] == found.hotel["code"] && each.room["code"] == found.room["code"]);
    assert!(!is_sold);
    assert!(net(&found.rate) > Decimal::ZERO);
}
