//! From an offer to a booking and back, and what outlasts a kill.

use chrono::TimeDelta;
use futures_util::future::join_all;
use reqwest::Method;
use rust_decimal::{Decimal, dec};
use serde_json::json;

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn a_booking_is_made_read_listed_and_cancelled_for_nothing_in_time() {
    let stage = Stage::open().await;
    let offer = stage.hotel_offer(&query(), is_refundable).await;
    let prebook = stage.prebook(&offer).await.good();
    assert_eq!(number(&prebook["data"]["price"]), price(&offer));
    assert_eq!(prebook["data"]["priceDifferencePercent"], 0);
    assert!(number(&prebook["data"]["creditLine"]["remainingCredit"]) > Decimal::ZERO);
    let again = format!("/prebooks/{}", text(&prebook["data"]["prebookId"]));
    // What credit is left is told only who asks for it.
    let mut stored = prebook.clone();
    stored["data"].as_object_mut().unwrap().remove("creditLine");
    assert_eq!(stage.liteapi_get(&again).await.good(), stored);

    let made = stage.liteapi("/rates/book", &booking_request(&prebook, "HTL-7K2M9Q4X-1")).await.good();
    let made = &made["data"];
    assert_eq!(made["status"], "CONFIRMED");
    assert_eq!(number(&made["price"]), price(&offer));
    let path = format!("/bookings/{}", text(&made["bookingId"]));
    let read = stage.liteapi_get(&path).await.good()["data"].take();
    for name in
        ["bookingId", "clientReference", "status", "hotel", "bookedRooms", "price", "cancellationPolicies"]
    {
        assert_eq!(read[name], made[name], "{name}");
    }
    let listed = stage.under("HTL-7K2M9Q4X-1").await;
    assert_eq!((listed.len(), &listed[0]["bookingId"]), (1, &made["bookingId"]));
    assert!(stage.under("HTL-7K2M9Q4X").await.is_empty());
    let order = &stage.orders().await[0];
    has(order, json!({ "supplier": "liteapi", "id": made["bookingId"], "status": "confirmed" }));
    has(order, json!({ "reference": "HTL-7K2M9Q4X", "order_reference": "HTL-7K2M9Q4X-1" }));
    assert_eq!(number(&order["amount"]), price(&offer));

    let given_back = stage.cancel_rooms(&made["bookingId"]).await.good()["data"].take();
    assert_eq!(given_back["status"], "CANCELLED");
    assert_eq!(number(&given_back["cancellation_fee"]), Decimal::ZERO);
    assert_eq!(number(&given_back["refund_amount"]), price(&offer));
    assert_eq!(stage.cancel_rooms(&made["bookingId"]).await.body["error"]["code"], 304);
    assert_eq!(stage.liteapi_get(&path).await.good()["data"]["status"], "CANCELLED");
    assert_eq!(stage.orders().await[0]["status"], "cancelled");
}

#[tokio::test]
async fn a_cancellation_keeps_what_the_terms_say_at_that_time() {
    let stage = Stage::open().await;
    let flexible = stage.hotel_offer(&query(), is_refundable).await;
    let strict = stage.hotel_offer(&query(), |offer| !is_refundable(offer)).await;
    let strict_booking = stage.book_rooms(&strict, "HTL-A-1").await.good()["data"].take();
    let lost = stage.cancel_rooms(&strict_booking["bookingId"]).await.good()["data"].take();
    assert_eq!(lost["status"], "CANCELLED_WITH_CHARGES");
    let parts = ["cancellation_fee", "refund_amount"].map(|name| number(&lost[name]));
    assert_eq!(parts, [price(&strict), Decimal::ZERO]);

    let booked = stage.book_rooms(&flexible, "HTL-B-1").await.good()["data"].take();
    let steps = list(&booked["cancellationPolicies"]["cancelPolicyInfos"]);
    let from: chrono::NaiveDateTime = text(&steps[0]["cancelTime"]).replace(' ', "T").parse().unwrap();
    stage.clock.advance(from.and_utc() - start());
    let partly = stage.cancel_rooms(&booked["bookingId"]).await.good()["data"].take();
    // A booking tells penalties of what is left without the commission of 4 %.
    let fee = number(&partly["cancellation_fee"]);
    assert!((fee - number(&steps[0]["amount"]) * dec!(1.04)).abs() < dec!(0.01));
    assert_eq!(number(&partly["refund_amount"]), price(&flexible) - fee);
    assert_eq!(partly["status"], "CANCELLED");
    assert_eq!(stage.cancel_rooms(&json!("nothing12")).await.body["error"]["code"], 204);
}

#[tokio::test]
async fn a_reference_is_booked_under_once() {
    let stage = Stage::open().await;
    let offer = stage.hotel_offer(&query(), is_refundable).await;
    let prebook = stage.prebook(&offer).await.good();
    let booking_request = booking_request(&prebook, "HTL-7K2M9Q4X-1");
    let many = (0..5).map(|_| stage.liteapi("/rates/book", &booking_request));
    let answers = join_all(many).await;
    let made = answers.iter().filter(|answer| answer.status == 200).count();
    let duplicates = answers.iter().filter(|answer| answer.body["error"]["code"] == 4005).count();
    assert_eq!((made, duplicates, stage.orders().await.len()), (1, 4, 1));
}

#[tokio::test]
async fn of_many_who_want_the_last_rooms_as_many_get_them_as_there_are() {
    let stage = Stage::open().await;
    let offer = stage.hotel_offer(&query(), |_| true).await;
    let prebook = stage.prebook(&offer).await.good();
    let requests: Vec<_> =
        (0..30).map(|number| booking_request(&prebook, &format!("HTL-{number}-1"))).collect();
    let answers =
        join_all(requests.iter().map(|booking_request| stage.liteapi("/rates/book", booking_request))).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert!((1..=20).contains(&made.len()));
    for answer in refused {
        answer.bad(400, 2013);
    }
    assert_eq!(stage.orders().await.len(), made.len());
    stage.prebook(&offer).await.bad(408, 4040);
    let name = &offer["rates"][0]["name"];
    let hotel = &prebook["data"]["hotelId"];
    let sells_it = async || {
        let mut again = query();
        again["hotelIds"] = json!([hotel]);
        let hotels = stage.hotels(&again).await;
        list(&hotels[0]["roomTypes"]).iter().any(|offer| offer["rates"][0]["name"] == *name)
    };
    assert!(!sells_it().await);
    stage.cancel_rooms(&made[0].body["data"]["bookingId"]).await.good();
    assert!(sells_it().await);
    stage.liteapi("/rates/book", &booking_request(&prebook, "HTL-LAST-1")).await.good();
    stage.liteapi("/rates/book", &booking_request(&prebook, "HTL-MORE-1")).await.bad(400, 2013);
}

#[tokio::test]
async fn what_is_booked_wrongly_is_refused() {
    let stage = Stage::open().await;
    let mut two_rooms = query();
    two_rooms["occupancies"] = json!([{ "adults": 2 }, { "adults": 2 }]);
    let offer = stage.hotel_offer(&two_rooms, |_| true).await;
    let prebook = stage.prebook(&offer).await.good();
    #[rustfmt::skip]
    let cases = [
        ("/prebookId", json!("nothing12"), 4002), ("/holder/email", json!(""), 4002),
        ("/guests", json!([]), 4002),
        ("/guests/1/occupancyNumber", json!(1), 4002), ("/guests/0/lastName", json!(""), 4002),
        ("/payment/method", json!("CASH"), 4000),
        ("/payment/method", json!("CREDIT"), 4000),
        ("/payment", json!({ "method": "TRANSACTION_ID" }), 4002),
        ("/payment", json!({ "method": "TRANSACTION_ID", "transactionId": "tr_ct_other" }), 2014),
    ];
    for (path, value, code) in cases {
        let mut booking_request = booking_request(&prebook, "HTL-7K2M9Q4X-1");
        *booking_request.pointer_mut(path).unwrap() = value;
        stage.liteapi("/rates/book", &booking_request).await.bad(400, code);
    }
    let empty = sent(stage.liteapi_request(Method::POST, "/rates/book")).await.unwrap();
    assert_eq!(empty.bad(400, 4002)["description"], "empty request body");
    let body = json!({ "offerId": "nothing", "usePaymentSdk": false });
    stage.liteapi("/rates/prebook", &body).await.bad(400, 4002);
    assert!(stage.orders().await.is_empty());
    stage.liteapi("/rates/book", &booking_request(&prebook, "HTL-7K2M9Q4X-1")).await.good();

    stage.clock.advance(TimeDelta::minutes(30));
    stage.prebook(&offer).await.bad(408, 4040);
    stage.liteapi("/rates/book", &booking_request(&prebook, "HTL-OTHER-1")).await.bad(400, 4002);
}
