//! Dates that a buyer changes.

use chrono::TimeDelta;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::harness::*;

/// A return whose fare can be changed.
async fn changeable(stage: &Stage) -> Value {
    let fits = |offer: &Value| offer["conditions"]["change_before_departure"]["allowed"] == true;
    let order = stage.buy(&stage.offer(return_trip("DEL", "BOM"), fits).await).await;
    assert_eq!(order["slices"][1]["changeable"], true);
    order
}

fn another_day(order: &Value) -> Value {
    let cabin = &order["slices"][1]["segments"][0]["passengers"][0]["cabin_class"];
    json!({
        "order_id": order["id"],
        "slices": {
            "remove": [{ "slice_id": order["slices"][1]["id"] }],
            "add": [{ "origin": "BOM", "destination": "DEL", "departure_date": "2027-03-03", "cabin_class": cabin }],
        },
    })
}

fn confirm_change(change: &Value) -> String {
    format!("/order_changes/{}/actions/confirm", text(&change["id"]))
}

fn payment(change: &Value) -> Value {
    let due = &change["change_total_amount"];
    let payment = json!({ "payment": balance(due, &change["change_total_currency"]) });
    if amount(due) > Decimal::ZERO { payment } else { json!({}) }
}

#[tokio::test]
async fn another_day_is_offered_chosen_and_confirmed_once() {
    let stage = Stage::open().await;
    let order = changeable(&stage).await;
    let path = path_of(&order);
    let request = done(&stage, "/order_change_requests", another_day(&order)).await;
    let requested = format!("/order_change_requests/{}", text(&request["id"]));
    assert_eq!(stage.get(&requested).await.data(200), request);
    let listed = format!("/order_change_offers?order_change_request_id={}", text(&request["id"]));
    let listed = stage.get(&listed).await.data(200);
    assert_eq!(listed, request["order_change_offers"]);
    let offer = &listed[0];
    let read = format!("/order_change_offers/{}", text(&offer["id"]));
    assert_eq!(stage.get(&read).await.data(200), *offer);
    assert_eq!(offer["slices"]["remove"][0], order["slices"][1]);
    // The sums: what the new flights cost more, and the penalty.
    let dearer = amount(&offer["new_total_amount"]) - amount(&order["total_amount"]);
    assert_eq!(amount(&offer["change_total_amount"]), dearer + amount(&offer["penalty_total_amount"]));

    let chosen = json!({ "selected_order_change_offer": offer["id"] });
    let pending = done(&stage, "/order_changes", chosen).await;
    assert_eq!(pending["confirmed_at"], Value::Null);
    assert_eq!(stage.get(&path).await.data(200)["slices"], order["slices"]);
    let cheaper = json!({ "payment": balance(&json!("0.01"), &order["total_currency"]) });
    let code = "payment_amount_does_not_match_order_amount";
    stage.post(&confirm_change(&pending), cheaper).await.refused(422, code);
    let confirmed = stage.post(&confirm_change(&pending), payment(&pending)).await.data(200);
    assert!(confirmed["confirmed_at"].is_string());
    let again = stage.post(&confirm_change(&pending), payment(&pending)).await.data(200);
    assert_eq!(again, confirmed);
    let known = format!("/order_changes/{}", text(&pending["id"]));
    assert_eq!(stage.get(&known).await.data(200), confirmed);

    let changed = stage.get(&path).await.data(200);
    assert_eq!(changed["total_amount"], offer["new_total_amount"]);
    assert_eq!(changed["slices"][0]["segments"], order["slices"][0]["segments"]);
    assert_eq!(changed["slices"][1]["segments"], offer["slices"]["add"][0]["segments"]);
    assert!(text(&changed["slices"][1]["segments"][0]["departing_at"]).starts_with("2027-03-03"));
    has(&changed, json!({ "changes": [confirmed], "airline_initiated_changes": [] }));
    // A second time it is refused.
    assert_eq!(changed["slices"][0]["changeable"], false);
    stage.post("/order_change_requests", another_day(&changed)).await.refused(422, "unsupported_action");
}

#[tokio::test]
async fn a_change_that_is_not_confirmed_in_time_lapses() {
    let stage = Stage::open().await;
    let order = changeable(&stage).await;
    let request = done(&stage, "/order_change_requests", another_day(&order)).await;
    let chosen = json!({ "selected_order_change_offer": request["order_change_offers"][0]["id"] });
    let pending = done(&stage, "/order_changes", chosen.clone()).await;
    stage.clock.advance(TimeDelta::minutes(31));
    stage.post(&confirm_change(&pending), payment(&pending)).await.refused(422, "offer_expired");
    stage.post("/order_changes", chosen).await.refused(422, "offer_expired");
    let after = stage.get(&path_of(&order)).await.data(200);
    assert_eq!((&after["slices"], &after["changes"]), (&order["slices"], &json!([])));
}

#[tokio::test]
async fn what_makes_no_sense_is_named() {
    let stage = Stage::open().await;
    let order = changeable(&stage).await;
    let with = |pointer: &str, value: Value| {
        let mut body = another_day(&order);
        *body.pointer_mut(pointer).unwrap() = value;
        body
    };
    for (body, code) in [
        (with("/order_id", json!("ord_0")), "not_found"),
        (with("/slices/remove/0/slice_id", json!("sli_0")), "not_found"),
        (with("/slices/remove", json!([])), "validation_required"),
        (with("/slices/add/0/origin", json!("QQQ")), "validation_inclusion"),
        (with("/slices/add/0/cabin_class", json!("first")), "validation_inclusion"),
        (with("/slices", Value::Null), "validation_required"),
    ] {
        let answer = stage.post("/order_change_requests", body).await;
        assert_eq!(answer.body["errors"][0]["code"], code, "{}", answer.text);
    }
    let fits = |offer: &Value| offer["conditions"]["change_before_departure"]["allowed"] == false;
    let fixed = stage.buy(&stage.offer(return_trip("DEL", "BOM"), fits).await).await;
    assert_eq!(fixed["slices"][0]["changeable"], false);
    stage.post("/order_change_requests", another_day(&fixed)).await.refused(422, "unsupported_action");
}

#[tokio::test]
async fn who_takes_other_flights_has_settled_what_the_airline_changed() {
    let stage = Stage::open().await;
    let order = changeable(&stage).await;
    let path = format!("/orders/{}/airline_change", text(&order["id"]));
    let late = json!({ "slice": 1, "minutes": 180 });
    assert_eq!(stage.control(reqwest::Method::POST, &path, Some(late)).await.status, 201);
    let late = stage.get(&path_of(&order)).await.data(200);
    let request = done(&stage, "/order_change_requests", another_day(&late)).await;
    let chosen = json!({ "selected_order_change_offer": request["order_change_offers"][0]["id"] });
    let pending = done(&stage, "/order_changes", chosen).await;
    assert_eq!(pending["slices"]["remove"][0]["segments"], late["slices"][1]["segments"]);
    stage.post(&confirm_change(&pending), payment(&pending)).await.data(200);
    let changed = stage.get(&path_of(&order)).await.data(200);
    let changes = list(&changed["airline_initiated_changes"]);
    assert_eq!((changes.len(), &changes[0]["action_taken"]), (1, &json!("changed")));
    assert_eq!(stage.get("/orders?requires_action=true").await.data(200), json!([]));
}
