//! What suppliers and hotels do with orders, asked by nobody.

use reqwest::Method;
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};

use crate::extras::bought;
use crate::harness::*;
use crate::hotelbeds::harness as hotelbeds;
use crate::liteapi::harness as liteapi;
use crate::tripjack::harness as tripjack;

async fn ends(stage: &Stage, id: &Value, body: Option<Value>) -> Answer {
    let path = format!("/orders/{}/cancel", text(id));
    stage.control(Method::POST, &path, body).await
}

async fn is_ended(stage: &Stage, id: &Value, body: Option<Value>) {
    let answer = ends(stage, id, body).await;
    assert_eq!(answer.status, 204, "{}", answer.text);
    let orders = stage.orders().await;
    let order = orders.iter().find(|order| order["id"] == *id).unwrap();
    assert_eq!(order["status"], "cancelled");
    assert_eq!(ends(stage, id, None).await.status, 422);
}

#[tokio::test]
async fn duffel_knows_the_refund_as_a_cancellation_of_the_order() {
    let stage = Stage::open().await;
    let (order, _) = bought(&stage, one_way("DEL", "BOM"), &[], "instant").await;
    let cancellations = format!("/order_cancellations?order_id={}", text(&order["id"]));
    assert_eq!(stage.get(&cancellations).await.data(200), json!([]));
    is_ended(&stage, &order["id"], Some(json!({ "refund": 100.5 }))).await;
    let found = stage.get(&cancellations).await.data(200);
    has(&found[0], json!({ "order_id": order["id"], "refund_to": "balance" }));
    assert_eq!(amount(&found[0]["refund_amount"]), dec!(100.5));
    assert!(found[0]["confirmed_at"].is_string());
    let read = stage.get(&path_of(&order)).await.data(200);
    assert_eq!(read["cancellation"], found[0]);
    assert!(read["cancelled_at"].is_string());

    let (other, _) = bought(&stage, one_way("DEL", "BOM"), &[], "instant").await;
    is_ended(&stage, &other["id"], Some(json!({ "told": false }))).await;
    let read = stage.get(&path_of(&other)).await.data(200);
    assert!(read["cancelled_at"].is_string());
    assert_eq!(read["cancellation"], Value::Null);
    assert_eq!(list(&stage.get("/order_cancellations").await.data(200)).len(), 1);
}

#[tokio::test]
async fn tripjack_says_that_it_is_cancelled() {
    let stage = Stage::open().await;
    let review = stage.first_review("DEL", "BOM").await;
    let id = stage.book(tripjack::paid(&review)).await.done()["bookingId"].clone();
    is_ended(&stage, &id, None).await;
    assert_eq!(stage.order_status(&id).await, "CANCELLED");
    let held = stage.review_that("BOM", tripjack::is_holdable).await;
    let id = stage.book(tripjack::unpaid(&held)).await.done()["bookingId"].clone();
    is_ended(&stage, &id, None).await;
    assert_eq!(stage.order_status(&id).await, "UNCONFIRMED");
}

#[tokio::test]
async fn suppliers_of_hotels_keep_what_they_do_not_give_back() {
    let stage = Stage::open().await;
    let offer = stage.hotel_offer(&liteapi::query(), |_| true).await;
    let booked = stage.book_rooms(&offer, "HTL-7K2M9Q4X-1").await.good()["data"].take();
    let paid = number(&booked["price"]);
    let refund = paid - dec!(1);
    let body: Value = serde_json::from_str(&format!("{{\"refund\":{refund}}}")).unwrap();
    let begins = text(&booked["checkin"]).to_owned();
    is_ended(&stage, &booked["bookingId"], Some(body)).await;
    let path = format!("/bookings/{}", text(&booked["bookingId"]));
    let read = stage.liteapi_get(&path).await.good()["data"].take();
    assert_eq!((&read["status"], number(&read["amountRefunded"])), (&json!("CANCELLED"), refund));
    for (query, count) in [
        (format!("startDate={begins}&endDate={begins}&status=cancelled"), 1),
        (format!("startDate={begins}&endDate={begins}&status=confirmed"), 0),
        ("startDate=2029-01-01&status=cancelled".to_owned(), 0),
        ("endDate=2026-01-01".to_owned(), 0),
    ] {
        let found = stage.liteapi_get(&format!("/bookings/?{query}")).await.good();
        assert_eq!(list(&found["data"]).len(), count, "{query}");
    }

    let rate = stage.bookable().await;
    let booked = stage.book_rate(&rate, "HTL-7K2M9Q4X-2").await.fine()["booking"].take();
    is_ended(&stage, &booked["reference"], None).await;
    let read = stage.booking(&booked["reference"]).await.fine()["booking"].take();
    assert_eq!(read["status"], "CANCELLED");
    assert_eq!(number(&read["totalNet"]), Decimal::ZERO);
    let path = format!(
        "{}/bookings?start=2027-02-21&end=2027-02-21&filterType=CHECKIN&status=CANCELLED",
        hotelbeds::API
    );
    let found = stage.hotelbeds_get(&path).await.fine();
    assert_eq!(found["bookings"]["bookings"][0]["reference"], booked["reference"]);
}

#[tokio::test]
async fn a_hotel_tells_its_own_numbers_later() {
    let stage = Stage::open().await;
    let offer = stage.hotel_offer(&liteapi::query(), |_| true).await;
    let at_liteapi = stage.book_rooms(&offer, "HTL-7K2M9Q4X-1").await.good()["data"].take();
    assert_eq!(at_liteapi["hotelConfirmationCode"], at_liteapi["bookingId"]);
    let rate = stage.bookable().await;
    let at_hotelbeds = stage.book_rate(&rate, "HTL-7K2M9Q4X-2").await.fine()["booking"].take();
    assert_eq!(at_hotelbeds["hotel"]["rooms"][0].get("supplierConfirmationCode"), None);
    for id in [&at_liteapi["bookingId"], &at_hotelbeds["reference"]] {
        let path = format!("/orders/{}/hotel_numbers", text(id));
        let told = stage.control(Method::POST, &path, Some(json!({ "numbers": ["A-17"] }))).await;
        assert_eq!(told.status, 204, "{}", told.text);
    }
    let path = format!("/bookings/{}", text(&at_liteapi["bookingId"]));
    let read = stage.liteapi_get(&path).await.good();
    assert_eq!(read["data"]["hotelConfirmationCode"], "A-17");
    let read = stage.booking(&at_hotelbeds["reference"]).await.fine();
    assert_eq!(read["booking"]["hotel"]["rooms"][0]["supplierConfirmationCode"], "A-17");
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_changes_nothing() {
    let stage = Stage::open().await;
    let (order, _) = bought(&stage, one_way("DEL", "BOM"), &[], "instant").await;
    let before = stage.orders().await;
    let more = json!({ "refund": 10_000_000 });
    for (path, body, status) in [
        ("ord_0/cancel", None, 404),
        ("ord_0/hotel_numbers", Some(json!({ "numbers": [] })), 404),
        ("{}/cancel", Some(more), 422),
        ("{}/cancel", Some(json!({ "refund": -1 })), 422),
        ("{}/cancel", Some(json!({ "fee": 1 })), 422),
        ("{}/hotel_numbers", Some(json!({ "numbers": ["A-17"] })), 422),
        ("{}/hotel_numbers", None, 422),
    ] {
        let path = format!("/orders/{}", path.replace("{}", text(&order["id"])));
        let answer = stage.control(Method::POST, &path, body).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text);
        assert!(answer.body["error"].is_string());
    }
    assert_eq!(stage.orders().await, before);
}
