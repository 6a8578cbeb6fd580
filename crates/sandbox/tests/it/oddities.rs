//! Answers that are odd and mean the same, as long as the control surface says so.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::*;

impl Stage {
    async fn odd(&self, how: Value) -> Answer {
        self.control(Method::POST, "/oddities", Some(how)).await
    }

    async fn found(&self) -> Vec<Value> {
        let request = self.post("/offer_requests", one_way("DEL", "BOM")).await.data(201);
        request["offers"].as_array().unwrap().clone()
    }
}

#[tokio::test]
async fn answers_are_odd_for_one_call_until_they_are_plain_again() {
    let stage = Stage::open().await;
    let plain = stage.found().await[0].clone();
    let how = json!({ "supplier": "duffel", "call": "search", "names": ["amounts_as_numbers"], "drawn": 0, "seed": 7 });
    assert_eq!(stage.odd(how.clone()).await.body, how);
    assert_eq!(stage.control(Method::GET, "/oddities", None).await.body, json!([how]));
    let odd = stage.found().await[0].clone();
    assert_eq!(odd["total_amount"].to_string(), text(&plain["total_amount"]));
    let read = stage.get(&format!("/offers/{}", text(&odd["id"]))).await.data(200);
    assert!(read["total_amount"].is_string(), "{read}");
    stage.control(Method::DELETE, "/oddities", None).await;
    assert!(stage.found().await[0]["total_amount"].is_string());
}

#[tokio::test]
async fn a_key_is_known_only_as_it_was_sent() {
    let stage = Stage::open().await;
    stage.odd(json!({ "names": ["keys_odd"] })).await;
    let offer = stage.found().await[0].clone();
    let id = text(&offer["id"]);
    let (own, end) = id.split_at(id.len() - "-Odd_End-0".len());
    assert_eq!(end, "-Odd_End-0");
    let passenger = text(&offer["passengers"][0]["id"]);
    assert!(passenger.ends_with("&amp;Ab c"), "{passenger}");
    let read = stage.get(&format!("/offers/{id}")).await.data(200);
    assert_eq!(read["id"], id);
    for changed in ["-odd_end-0", "-Odd_End", "%20-Odd_End-0"] {
        let answer = stage.get(&format!("/offers/{own}{changed}")).await;
        assert_eq!(answer.status, 404, "{changed}: {}", answer.text);
    }
}

#[tokio::test]
async fn what_is_no_oddity_is_refused() {
    let stage = Stage::open().await;
    for how in [
        json!({ "names": ["names_in_rot13"] }),
        json!({ "supplier": "sabre" }),
        json!({ "call": "dance" }),
        json!({ "call": "search", "names": ["keys_odd"] }),
        json!({ "colour": "blue" }),
    ] {
        let answer = stage.odd(how.clone()).await;
        assert_eq!(answer.status, 422, "{how}");
        assert!(!text(&answer.body["error"]).is_empty());
    }
    assert_eq!(stage.control(Method::GET, "/oddities", None).await.body, json!([]));
}
