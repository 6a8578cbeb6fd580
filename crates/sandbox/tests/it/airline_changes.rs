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
    assert_eq!(stage.control(Method::POST, &change, Some(second)).await.status, 201);
    let changed = stage.get(&path).await.data(200);
    assert_eq!(stage.get(pending).await.data(200)[0]["id"], order["id"]);
    let changes = list(&changed["airline_initiated_changes"]);
    assert_eq!(changes[0]["id"], first.body["id"]);
    assert_eq!(changes[0]["available_actions"], json!(["accept", "cancel", "change"]));
    let leaves =
        |slice: &Value| -> NaiveDateTime { text(&slice["segments"][0]["departing_at"]).parse().unwrap() };
    assert_eq!(changes[0]["removed"][0], order["slices"][0]);
    assert_eq!(leaves(&changes[0]["added"][0]) - leaves(&order["slices"][0]), TimeDelta::hours(1));
    assert_eq!(changes[1]["removed"], changes[0]["added"]);
    assert_eq!(changes[1]["added"][0], changed["slices"][0]);
    assert_ne!(changed["slices"][0]["segments"][0]["id"], order["slices"][0]["segments"][0]["id"]);
    assert_eq!(changed["slices"][1], order["slices"][1]);
    // What was bought is for the flights as they are now.
    assert_eq!(changed["services"][0]["segment_ids"][0], changed["slices"][0]["segments"][0]["id"]);

    let quote = done(&stage, "/order_cancellations", json!({ "order_id": id })).await;
    let confirm = confirm_path(&quote);
    stage.post(&confirm, json!({})).await.data(200);
    let changes = &stage.get(&path).await.data(200)["airline_initiated_changes"][0];
    has(changes, json!({ "action_taken": "cancelled", "available_actions": [] }));
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

async fn changed(stage: &Stage, order: &Value) -> String {
    let path = format!("/orders/{}/airline_change", text(&order["id"]));
    let change = stage.control(Method::POST, &path, None).await;
    text(&change.body["id"]).to_owned()
}

#[tokio::test]
async fn the_newest_change_is_accepted_and_an_older_one_is_stale() {
    let stage = Stage::open().await;
    let (order, _) = bought(&stage, return_trip("DEL", "BOM"), &[], "instant").await;
    let [older, newer] = [changed(&stage, &order).await, changed(&stage, &order).await];
    let accept = async |id: &str| {
        let path = format!("/airline_initiated_changes/{id}/actions/accept");
        stage.post(&path, json!({})).await
    };
    accept(&older).await.refused(422, "stale_airline_initiated_change_accept");
    let accepted = accept(&newer).await.data(200);
    has(&accepted, json!({ "id": newer, "action_taken": "accepted", "available_actions": [] }));
    assert_eq!(accept(&newer).await.data(200), accepted);
    let changes = stage.get(&path_of(&order)).await.data(200)["airline_initiated_changes"].take();
    assert_eq!(changes[1], accepted);
    accept("aic_0").await.refused(404, "not_found");

    // What was done elsewhere is said.
    let path = format!("/airline_initiated_changes/{older}");
    stage.patch(&path, json!({ "action_taken": "ignored" })).await.refused(422, "validation_inclusion");
    let said = stage.patch(&path, json!({ "action_taken": "changed" })).await.data(200);
    assert_eq!(said["action_taken"], "changed");
    assert_eq!(stage.get("/orders?requires_action=true").await.data(200), json!([]));

    let quote = done(&stage, "/order_cancellations", json!({ "order_id": order["id"] })).await;
    stage.post(&confirm_path(&quote), json!({})).await.data(200);
    accept(&newer).await.refused(422, "already_cancelled");
}

#[tokio::test]
async fn each_reading_of_the_list_makes_a_change_where_that_is_rehearsed() {
    let stage = Stage::open().await;
    for (from, to, after_each) in [("LHR", "LTN", [1, 2]), ("DEL", "BOM", [0, 0])] {
        let order = stage.buy(&stage.offer(one_way(from, to), |_| true).await).await;
        let path = format!("/airline_initiated_changes?order_id={}", text(&order["id"]));
        for count in after_each {
            let changes = stage.get(&path).await.data(200);
            assert_eq!(list(&changes).len(), count);
            let read = stage.get(&path_of(&order)).await.data(200);
            assert_eq!(read["airline_initiated_changes"], changes);
        }
    }
}
