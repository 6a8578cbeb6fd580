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
    let offer = stage.offer(one_way("DEL", "BOM"), |_| true).await;
    stage.next("price", "slow:200").await;
    let begun = Instant::now();
    stage
        .get(&format!("/offers/{}", offer["id"].as_str().unwrap()))
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
async fn a_status_is_answered_and_nothing_is_done() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("DEL", "BOM"), |_| true).await;
    let cases = [
        (500, "internal_server_error"),
        (503, "service_unavailable"),
        (504, "gateway_timeout_error"),
        (403, "insufficient_permissions"),
    ];
    for (status, code) in cases {
        stage.next("book", &format!("status:{status}")).await;
        stage.post("/orders", instant(&offer)).await.refused(status, code);
    }
    stage.next("book", "status:502").await;
    let answer = stage.post("/orders", instant(&offer)).await;
    assert_eq!(
        (answer.status, answer.headers["content-type"].to_str().unwrap()),
        (502, "text/html; charset=utf-8")
    );
    assert!(stage.orders().await.is_empty());
    stage.buy(&offer).await;
}

#[tokio::test]
async fn rate_limited_says_when_to_come_back() {
    let stage = Stage::open().await;
    stage.next("search", "rate_limited").await;
    let answer = stage.post("/offer_requests", one_way("DEL", "BOM")).await;
    assert_eq!(answer.headers["retry-after"], "1");
    assert_eq!(answer.headers["ratelimit-remaining"], "0");
    assert_eq!(answer.headers["ratelimit-reset"], "Sun, 10 Jan 2027 12:00:01 GMT");
    answer.refused(429, "rate_limit_exceeded");
    stage
        .post("/offer_requests", one_way("DEL", "BOM"))
        .await
        .data(201);
}

#[tokio::test]
async fn broken_json_is_a_success_that_cannot_be_read() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("DEL", "BOM"), |_| true).await;
    stage.next("book", "broken_json").await;
    let answer = stage.post("/orders", instant(&offer)).await;
    assert_eq!(answer.status, 200);
    assert!(serde_json::from_str::<serde_json::Value>(&answer.text).is_err());
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn a_cut_before_does_nothing_and_a_cut_after_does_everything_and_neither_answers() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("DEL", "BOM"), |_| true).await;
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
        .get(&format!("/orders?offer_id={}", offer["id"].as_str().unwrap()))
        .await
        .data(200);
    assert_eq!(found.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_price_that_changed_at_pricing_stays_changed() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("DEL", "BOM"), |_| true).await;
    let path = format!("/offers/{}", offer["id"].as_str().unwrap());
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
    let offer = stage.offer(one_way("DEL", "BOM"), |_| true).await;
    stage.next("book", "price_changed:-5").await;
    stage
        .post("/orders", instant(&offer))
        .await
        .refused(422, "price_changed");
    assert!(stage.orders().await.is_empty());
    let read = stage
        .get(&format!("/offers/{}", offer["id"].as_str().unwrap()))
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
        .get(&format!("/offers/{}", offers[0]["id"].as_str().unwrap()))
        .await
        .refused(422, "offer_no_longer_available");
    stage.next("price", "sold_out").await;
    stage
        .get(&format!("/offers/{}", offers[1]["id"].as_str().unwrap()))
        .await
        .refused(422, "offer_no_longer_available");
    stage.buy(&offers[2]).await;
}

#[tokio::test]
async fn a_late_refund_leaves_the_order_standing_until_its_time_has_come() {
    let stage = Stage::open().await;
    let order = stage
        .buy(&stage.offer(one_way("DEL", "BOM"), |_| true).await)
        .await;
    let quote = stage
        .post("/order_cancellations", json!({ "order_id": order["id"] }))
        .await
        .data(201);
    let id = quote["id"].as_str().unwrap();
    stage.next("cancel", "refund_later:90").await;
    let confirm = format!("/order_cancellations/{id}/actions/confirm");
    assert_eq!(
        stage.post(&confirm, json!({})).await.data(200)["confirmed_at"],
        json!(null)
    );
    let path = format!("/orders/{}", order["id"].as_str().unwrap());
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
    let offer = stage.offer(one_way("DEL", "BOM"), |_| true).await;
    stage.next("book", "appears_after:5000").await;
    assert!(stage.try_post("/orders", instant(&offer)).await.is_err());
    let ordered = stage.orders().await;
    assert_eq!(ordered.len(), 1);
    let path = format!("/orders/{}", ordered[0]["id"].as_str().unwrap());
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

#[tokio::test]
async fn every_call_has_its_name() {
    let stage = Stage::open().await;
    let order = stage
        .buy(&stage.offer(one_way("DEL", "BOM"), owned_by("6E")).await)
        .await;
    let offer = stage.offer(one_way("DEL", "BOM"), |_| true).await;
    let (order, offer) = (order["id"].as_str().unwrap(), offer["id"].as_str().unwrap());
    let calls = [
        ("search", Method::POST, "/offer_requests".to_owned()),
        ("search", Method::GET, "/offers?offer_request_id=orq_0".to_owned()),
        ("price", Method::GET, format!("/offers/{offer}")),
        ("price", Method::POST, format!("/offers/{offer}/actions/price")),
        ("services", Method::GET, format!("/seat_maps?offer_id={offer}")),
        ("book", Method::POST, "/orders".to_owned()),
        ("lookup", Method::GET, "/orders".to_owned()),
        ("lookup", Method::GET, format!("/orders/{order}")),
        ("change", Method::PATCH, format!("/orders/{order}")),
        (
            "services",
            Method::GET,
            format!("/orders/{order}/available_services"),
        ),
        ("add_service", Method::POST, format!("/orders/{order}/services")),
        ("ticket", Method::POST, "/payments".to_owned()),
        ("cancel_quote", Method::POST, "/order_cancellations".to_owned()),
        ("lookup", Method::GET, "/order_cancellations/ore_0".to_owned()),
        (
            "cancel",
            Method::POST,
            "/order_cancellations/ore_0/actions/confirm".to_owned(),
        ),
    ];
    for (call, method, path) in calls {
        stage.next(call, "status:418").await;
        let answer = sent(stage.request(method, &path).json(&json!({ "data": {} })))
            .await
            .unwrap();
        assert_eq!(answer.status, 418, "{call} {path}: {}", answer.text);
    }
}
