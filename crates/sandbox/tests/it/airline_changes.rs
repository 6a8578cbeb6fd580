//! Flights that an airline changes by itself.

use chrono::{NaiveDateTime, TimeDelta};
use reqwest::Method;
use serde_json::{Value, json};

use crate::extras::bought;
use crate::harness::*;

#[tokio::test]
async fn an_airline_puts_its_flights_off_and_the_order_tells() {
    let stage = Stage::open().await;
    let (order, _) = bought(&stage, return_trip("DEL", "BOM"), &["bag"], "instant").await;
    let id = text(&order["id"]);
    let path = path_of(&order);
    assert_eq!(order["airline_initiated_changes"], json!([]));
    let pending = "/orders?requires_action=true";
    assert_eq!(stage.get(pending).await.data(200), json!([]));

    let change = format!("/orders/{id}/airline_change");
    let first = stage.control(Method::POST, &change, None).await;
    assert_eq!(first.status, 201, "{}", first.text);
    let second = json!({ "slice": 0, "minutes": 90 });
    assert_eq!(
        stage.control(Method::POST, &change, Some(second)).await.status,
        201
    );
    let changed = stage.get(&path).await.data(200);
    assert_eq!(stage.get(pending).await.data(200)[0]["id"], order["id"]);
    let changes = list(&changed["airline_initiated_changes"]);
    assert_eq!(changes[0]["id"], first.body["id"]);
    assert_eq!(
        changes[0]["available_actions"],
        json!(["accept", "cancel", "change"])
    );
    let leaves =
        |slice: &Value| -> NaiveDateTime { text(&slice["segments"][0]["departing_at"]).parse().unwrap() };
    assert_eq!(changes[0]["removed"][0], order["slices"][0]);
    assert_eq!(
        leaves(&changes[0]["added"][0]) - leaves(&order["slices"][0]),
        TimeDelta::hours(1)
    );
    assert_eq!(changes[1]["removed"], changes[0]["added"]);
    assert_eq!(changes[1]["added"][0], changed["slices"][0]);
    assert_ne!(
        changed["slices"][0]["segments"][0]["id"],
        order["slices"][0]["segments"][0]["id"]
    );
    assert_eq!(changed["slices"][1], order["slices"][1]);
    // What was bought is for the flights as they are now.
    assert_eq!(
        changed["services"][0]["segment_ids"][0],
        changed["slices"][0]["segments"][0]["id"]
    );

    let quote = done(&stage, "/order_cancellations", json!({ "order_id": id })).await;
    let confirm = confirm_path(&quote);
    stage.post(&confirm, json!({})).await.data(200);
    let changes = &stage.get(&path).await.data(200)["airline_initiated_changes"][0];
    has(
        changes,
        json!({ "action_taken": "cancelled", "available_actions": [] }),
    );
    assert_eq!(stage.get(pending).await.data(200), json!([]));
    for (path, body, status) in [
        (change.as_str(), None, 422),
        ("/orders/ord_0/airline_change", None, 404),
        (&change, Some(json!({ "slice": 7 })), 422),
        (&change, Some(json!({ "minutes": 0 })), 422),
        (&change, Some(json!({ "hours": 1 })), 422),
    ] {
        let answer = stage.control(Method::POST, path, body).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        assert!(answer.body["error"].is_string());
    }
}
