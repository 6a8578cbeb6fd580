//! Misbehaviour on demand, one test for each fault.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use reqwest::Method;
use rust_decimal::dec;
use serde_json::json;

use crate::harness::*;

#[tokio::test]
async fn slow_answers_late_and_does_its_work_even_for_a_caller_who_has_left() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    stage.next("price", "slow:200").await;
    let begun = Instant::now();
    stage
        .get(&format!("/offers/{}", text(&offer["id"])))
        .await
        .data(200);
    assert!(begun.elapsed() >= Duration::from_millis(200));

    stage.next("book", "slow:200").await;
    let request = stage
        .request(Method::POST, "/orders")
        .json(&json!({ "data": instant(&offer) }));
    let left = request.timeout(Duration::from_millis(50)).send().await;
    assert!(left.unwrap_err().is_timeout());
    assert!(stage.orders().await.is_empty());
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!(stage.orders().await.len(), 1);
}

#[tokio::test]
async fn broken_json_is_a_success_that_cannot_be_read() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    stage.next("book", "broken_json").await;
    let answer = stage.post("/orders", instant(&offer)).await;
    assert_eq!(answer.status, 200);
    assert!(serde_json::from_str::<serde_json::Value>(&answer.text).is_err());
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn a_cut_before_does_nothing_and_a_cut_after_does_everything_and_neither_answers() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    for (fault, orders) in [("drop_before", 0), ("drop_after", 1)] {
        stage.next("book", fault).await;
        let cut = stage.try_post("/orders", instant(&offer)).await.unwrap_err();
        assert!(
            cut.is_request() && !cut.is_timeout() && !cut.is_connect(),
            "{cut:?}"
        );
        assert_eq!(stage.orders().await.len(), orders, "{fault}");
    }
    let found = stage
        .get(&format!("/orders?offer_id={}", text(&offer["id"])))
        .await
        .data(200);
    assert_eq!(found.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_price_that_changed_at_pricing_stays_changed() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    let path = format!("/offers/{}", text(&offer["id"]));
    stage.next("price", "price_changed:10").await;
    let moved = stage.get(&path).await.data(200);
    let expected = (amount(&offer["total_amount"]) * dec!(1.1))
        .round_dp_with_strategy(2, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
    assert_eq!(amount(&moved["total_amount"]), expected);
    assert_eq!(
        amount(&moved["base_amount"]) + amount(&moved["tax_amount"]),
        expected
    );
    assert_eq!(
        stage.get(&path).await.data(200)["total_amount"],
        moved["total_amount"]
    );
    let error = stage
        .post("/orders", instant(&offer))
        .await
        .refused(422, "price_changed");
    assert_eq!(error["type"], "airline_error");
    stage.buy(&moved).await;
}

#[tokio::test]
async fn a_price_that_changes_at_booking_is_refused_and_then_paid() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    stage.next("book", "price_changed:-5").await;
    refuses(&stage, "/orders", instant(&offer), "price_changed").await;
    assert!(stage.orders().await.is_empty());
    let read = stage
        .get(&format!("/offers/{}", text(&offer["id"])))
        .await
        .data(200);
    assert!(amount(&read["total_amount"]) < amount(&offer["total_amount"]));
    stage.buy(&read).await;
}

#[tokio::test]
async fn an_offer_that_is_sold_out_stays_so() {
    let stage = Stage::open().await;
    let offers = stage.offers(one_way("DEL", "BOM")).await;
    stage.next("book", "sold_out").await;
    stage
        .post("/orders", instant(&offers[0]))
        .await
        .refused(422, "offer_no_longer_available");
    stage
        .get(&format!("/offers/{}", text(&offers[0]["id"])))
        .await
        .refused(422, "offer_no_longer_available");
    stage.next("price", "sold_out").await;
    stage
        .get(&format!("/offers/{}", text(&offers[1]["id"])))
        .await
        .refused(422, "offer_no_longer_available");
    stage.buy(&offers[2]).await;
}

#[tokio::test]
async fn a_late_refund_leaves_the_order_standing_until_its_time_has_come() {
    let stage = Stage::open().await;
    let order = stage.any_order().await;
    let quote = stage
        .post("/order_cancellations", json!({ "order_id": order["id"] }))
        .await
        .data(201);
    let id = text(&quote["id"]);
    stage.next("cancel", "refund_later:90").await;
    let confirm = format!("/order_cancellations/{id}/actions/confirm");
    assert_eq!(
        stage.post(&confirm, json!({})).await.data(200)["confirmed_at"],
        json!(null)
    );
    let path = path_of(&order);
    assert_eq!(stage.get(&path).await.data(200)["cancelled_at"], json!(null));
    assert_eq!(stage.orders().await[0]["status"], "confirmed");
    assert_eq!(
        stage.post(&confirm, json!({})).await.data(200)["confirmed_at"],
        json!(null),
        "asking again changes nothing"
    );

    stage.clock.advance(TimeDelta::seconds(90));
    let settled = stage.get(&format!("/order_cancellations/{id}")).await.data(200);
    assert_eq!(settled["confirmed_at"], "2027-01-10T12:01:30.000000Z");
    assert_eq!(
        stage.get(&path).await.data(200)["cancelled_at"],
        settled["confirmed_at"]
    );
    assert_eq!(stage.orders().await[0]["status"], "cancelled");
}

#[tokio::test]
async fn an_order_that_appears_later_is_cut_off_and_hidden_from_look_ups_only() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    stage.next("book", "appears_after:5000").await;
    assert!(stage.try_post("/orders", instant(&offer)).await.is_err());
    let ordered = stage.orders().await;
    assert_eq!(ordered.len(), 1);
    let path = format!("/orders/{}", text(&ordered[0]["id"]));
    stage.get(&path).await.refused(404, "not_found");
    assert_eq!(stage.get("/orders").await.data(200), json!([]));
    stage
        .post("/orders", instant(&offer))
        .await
        .refused(422, "offer_request_already_booked");
    stage.clock.advance(TimeDelta::milliseconds(5_000));
    stage.get(&path).await.data(200);
    assert_eq!(stage.get("/orders").await.data(200).as_array().unwrap().len(), 1);
}
