//! Holding seats and paying for them later.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::harness::*;

fn payment(order: &Value) -> Value {
    json!({ "order_id": order["id"], "payment": balance(&order["total_amount"], &order["total_currency"]) })
}

async fn held(stage: &Stage) -> Value {
    let offer = stage.offer(one_way("DEL", "BOM"), owned_by("ZZ")).await;
    stage.post("/orders", hold(&offer)).await.data(201)
}

#[tokio::test]
async fn a_held_order_is_ticketed_when_it_is_paid() {
    let stage = Stage::open().await;
    let order = held(&stage).await;
    has(&order, json!({ "type": "hold", "documents": [] }));
    let status = &order["payment_status"];
    let by = |name: &str| -> DateTime<Utc> { status[name].as_str().unwrap().parse().unwrap() };
    assert_eq!(status["awaiting_payment"], true);
    assert_eq!(by("payment_required_by"), start() + TimeDelta::hours(72));
    assert_eq!(by("price_guarantee_expires_at"), start() + TimeDelta::hours(48));
    assert_eq!(stage.orders().await[0]["status"], "held");

    let paid = stage.post("/payments", payment(&order)).await.data(201);
    has(&paid, json!({ "amount": order["total_amount"], "status": "succeeded" }));
    let order = stage.get(&path_of(&order)).await.data(200);
    assert_eq!(order["payment_status"]["awaiting_payment"], false);
    assert_eq!(list(&order["documents"]).len(), 1);
    assert_eq!(stage.orders().await[0]["status"], "confirmed");
    stage.post("/payments", payment(&order)).await.refused(422, "already_paid");
    let payments = stage.get(&format!("/payments?order_id={}", text(&order["id"]))).await.data(200);
    assert_eq!(payments, json!([paid]));
}

#[tokio::test]
async fn an_offer_that_must_be_paid_at_once_cannot_be_held_and_a_hold_takes_no_money() {
    let stage = Stage::open().await;
    let offers = stage.offers(one_way("DEL", "BOM")).await;
    let instant_only = offers.iter().find(|offer| !holdable(offer)).unwrap();
    stage.post("/orders", hold(instant_only)).await.refused(422, "invalid_order_create_type");
    let mut with_money = instant(offers.iter().find(|offer| holdable(offer)).unwrap());
    with_money["type"] = json!("hold");
    stage.post("/orders", with_money).await.refused(422, "invalid_field_sets");
}

#[tokio::test]
async fn an_unpaid_order_is_cancelled_at_its_deadline() {
    let stage = Stage::open().await;
    let order = held(&stage).await;
    stage.clock.advance(TimeDelta::hours(72));
    let lapsed = stage.get(&path_of(&order)).await.data(200);
    assert_eq!(lapsed["payment_status"]["awaiting_payment"], false);
    assert!(lapsed["cancelled_at"].is_string());
    assert_eq!(stage.orders().await[0]["status"], "cancelled");
    stage.post("/payments", payment(&order)).await.refused(422, "past_payment_required_by_date");
    let wanted = json!({ "order_id": order["id"] });
    stage.post("/order_cancellations", wanted).await.refused(422, "already_cancelled");
}

#[tokio::test]
async fn a_price_that_is_kept_no_longer_has_moved_until_it_is_asked_for_again() {
    let stage = Stage::open().await;
    let order = held(&stage).await;
    stage.clock.advance(TimeDelta::hours(49));
    stage.post("/payments", payment(&order)).await.refused(422, "price_changed");
    let priced = done(&stage, &format!("{}/actions/price", path_of(&order)), json!({})).await;
    assert!(amount(&priced["total_amount"]) > amount(&order["total_amount"]));
    let [base, tax, total] = ["base_amount", "tax_amount", "total_amount"].map(|name| amount(&priced[name]));
    assert_eq!(base + tax, total);
    stage.post("/payments", payment(&order)).await.refused(422, "payment_amount_does_not_match_order_amount");
    stage.post("/payments", payment(&priced)).await.data(201);
}

#[tokio::test]
async fn an_instant_order_and_an_unknown_one_cannot_be_paid_for() {
    let stage = Stage::open().await;
    let order = stage.any_order().await;
    stage.post("/payments", payment(&order)).await.refused(422, "order_type_not_eligible_for_payment");
    let unknown = json!({ "id": "ord_0", "total_amount": "1.00", "total_currency": "INR" });
    stage.post("/payments", payment(&unknown)).await.refused(422, "not_found");
    stage.post("/payments", json!({ "order_id": order["id"] })).await.refused(422, "validation_required");
}

#[tokio::test]
async fn seats_of_a_flight_within_hours_are_not_held() {
    let stage = Stage::open().await;
    let mut search = one_way("DEL", "BOM");
    search["slices"][0]["departure_date"] = json!("2027-01-10");
    let offers = stage.offers(search).await;
    // Noon in London is half past five in Delhi.
    let departs = |offer: &Value| text(&offer["slices"][0]["segments"][0]["departing_at"]).to_owned();
    assert!(!offers.is_empty());
    let mut soon = offers.iter().filter(|offer| departs(offer).as_str() < "2027-01-10T23:30:00");
    assert!(soon.all(|offer| !holdable(offer)));
}
