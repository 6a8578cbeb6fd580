//! Cancelling in two steps: quote, then confirm.

use chrono::TimeDelta;
use rust_decimal::dec;
use serde_json::{Value, json};

use crate::harness::*;

async fn quote(stage: &Stage, order: &Value) -> Value {
    done(stage, "/order_cancellations", json!({ "order_id": order["id"] })).await
}

fn refund(offer: &Value) -> &Value {
    &offer["conditions"]["refund_before_departure"]
}

#[tokio::test]
async fn a_refund_is_the_total_less_the_penalty() {
    let stage = Stage::open().await;
    let has_penalty =
        |offer: &Value| refund(offer)["penalty_amount"].as_str().is_some_and(|penalty| penalty != "0.00");
    let order = stage.buy(&stage.offer(one_way("DEL", "BOM"), has_penalty).await).await;
    let quote = quote(&stage, &order).await;
    let expected = amount(&order["total_amount"]) - amount(&refund(&order)["penalty_amount"]);
    assert_eq!(amount(&quote["refund_amount"]), expected);
    has(&quote, json!({ "refund_to": "balance", "refund_currency": "INR" }));
    has(&quote, json!({ "confirmed_at": Value::Null, "order_id": order["id"] }));
    let path = path_of(&order);
    assert_eq!(stage.get(&path).await.data(200)["cancelled_at"], Value::Null, "a quote changes nothing");

    let confirmed = stage.post(&confirm_path(&quote), json!({})).await.data(200);
    assert!(confirmed["confirmed_at"].is_string());
    assert_eq!(confirmed["refund_amount"], quote["refund_amount"]);
    let cancelled = stage.get(&path).await.data(200);
    assert_eq!(cancelled["cancelled_at"], confirmed["confirmed_at"]);
    has(&cancelled, json!({ "available_actions": ["update"], "cancellation": confirmed }));
    let read = stage.get(&format!("/order_cancellations/{}", text(&quote["id"]))).await.data(200);
    assert_eq!(read, confirmed);
    assert_eq!(stage.orders().await[0]["status"], "cancelled");
}

#[tokio::test]
async fn a_fare_that_forgives_nothing_gives_nothing_back_and_one_that_forgives_all_gives_all() {
    let stage = Stage::open().await;
    let order =
        stage.buy(&stage.offer(one_way("DEL", "BOM"), |offer| refund(offer)["allowed"] == false).await).await;
    assert_eq!(quote(&stage, &order).await["refund_amount"], "0.00");
    let free = |offer: &Value| refund(offer)["penalty_amount"] == "0.00";
    let order = stage.buy(&stage.offer(one_way("DEL", "BOM"), free).await).await;
    assert_eq!(quote(&stage, &order).await["refund_amount"], order["total_amount"]);
}

#[tokio::test]
async fn a_hold_gives_back_nothing_to_nobody() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("DEL", "BOM"), holdable).await;
    let order = stage.post("/orders", hold(&offer)).await.data(201);
    let quote = quote(&stage, &order).await;
    has(&quote, json!({ "refund_amount": "0.00", "refund_to": "awaiting_payment" }));
    stage.post(&confirm_path(&quote), json!({})).await.data(200);
    assert_eq!(stage.orders().await[0]["status"], "cancelled");
}

#[tokio::test]
async fn only_the_newest_quote_can_be_confirmed_and_only_for_an_hour() {
    let stage = Stage::open().await;
    let order = stage.any_order().await;
    let (older, newer) = (quote(&stage, &order).await, quote(&stage, &order).await);
    stage.post(&confirm_path(&older), json!({})).await.refused(422, "order_cancellation_stale");
    stage.clock.advance(TimeDelta::hours(1));
    stage.post(&confirm_path(&newer), json!({})).await.refused(422, "order_cancellation_stale");
    done(&stage, &confirm_path(&quote(&stage, &order).await), json!({})).await;
}

#[tokio::test]
async fn a_cancelled_order_cannot_be_cancelled_again() {
    let stage = Stage::open().await;
    let order = stage.any_order().await;
    let quote = quote(&stage, &order).await;
    stage.post(&confirm_path(&quote), json!({})).await.data(200);
    let error = stage.post(&confirm_path(&quote), json!({})).await.refused(422, "already_cancelled");
    assert_eq!(error["type"], "invalid_state_error");
    let wanted = json!({ "order_id": order["id"] });
    stage.post("/order_cancellations", wanted).await.refused(422, "already_cancelled");
    stage.post("/order_cancellations", json!({ "order_id": "ord_0" })).await.refused(422, "not_found");
    stage.get("/order_cancellations/ore_0").await.refused(404, "not_found");
}

#[tokio::test]
async fn an_american_ticket_is_given_back_whole_within_a_day() {
    let stage = Stage::open().await;
    let basic =
        |offer: &Value| owned_by("DL")(offer) && offer["slices"][0]["fare_brand_name"] == "Economy Light";
    let order = stage.buy(&stage.offer(one_way("JFK", "LAX"), basic).await).await;
    assert!(order["void_window_ends_at"].is_string());
    assert_eq!(quote(&stage, &order).await["refund_amount"], order["total_amount"]);
    stage.clock.advance(TimeDelta::days(1));
    assert_eq!(amount(&quote(&stage, &order).await["refund_amount"]), dec!(0));
}

#[tokio::test]
async fn a_flight_that_has_left_cannot_be_cancelled() {
    let stage = Stage::open().await;
    let order = stage.any_order().await;
    stage.clock.advance(TimeDelta::days(60));
    let path = path_of(&order);
    assert_eq!(stage.get(&path).await.data(200)["available_actions"], json!(["update"]));
    let wanted = json!({ "order_id": order["id"] });
    stage.post("/order_cancellations", wanted).await.refused(422, "order_not_cancellable");
}
