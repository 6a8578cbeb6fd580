//! Misbehaviour on demand, in TripJack's words.

use reqwest::Method;
use rust_decimal::dec;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

async fn price_id(stage: &Stage) -> Value {
    let trips = stage.trips(query(&[("DEL", "BOM", DAY)])).await;
    trips["ONWARD"][0]["totalPriceList"][0]["id"].clone()
}

#[tokio::test]
async fn a_price_that_moved_is_told_in_an_alert_and_stays_moved() {
    let stage = Stage::open().await;
    let id = price_id(&stage).await;
    let before = stage.review(&[&id]).await.done();
    let total = |review: &Value| number(&review["totalPriceInfo"]["totalFareDetail"]["fC"]["TF"]);
    stage.next_of("tripjack", "price", "price_changed:10").await;
    for _ in 0..2 {
        let review = stage.review(&[&id]).await.done();
        let alert = &review["alerts"][0];
        assert_eq!(alert["type"], "FAREALERT");
        assert_eq!(number(&alert["oldFare"]), total(&before));
        assert_eq!(number(&alert["newFare"]), total(&review));
        let tenth = total(&before) * dec!(1.1) - total(&review);
        assert!(tenth.abs() < dec!(0.05), "{tenth}");
    }
}

#[tokio::test]
async fn a_fare_that_is_sold_out_stays_so() {
    let stage = Stage::open().await;
    let id = price_id(&stage).await;
    stage.next_of("tripjack", "price", "sold_out").await;
    for _ in 0..2 {
        stage.review(&[&id]).await.declined(400, "1000");
    }
    stage.review(&[&price_id(&stage).await]).await.done();
}

#[tokio::test]
async fn statuses_and_limits_are_answered_in_tripjacks_words() {
    let stage = Stage::open().await;
    let id = price_id(&stage).await;
    for status in [400, 403, 500, 503] {
        stage
            .next_of("tripjack", "price", &format!("status:{status}"))
            .await;
        stage.review(&[&id]).await.declined(status, &status.to_string());
    }
    stage.next_of("tripjack", "price", "rate_limited").await;
    let limited = stage.review(&[&id]).await;
    assert_eq!(limited.headers["retry-after"], "1");
    limited.declined(429, "429");
    stage.next_of("tripjack", "price", "broken_json").await;
    let broken = stage.review(&[&id]).await;
    assert_eq!((broken.status, broken.body), (200, Value::Null));
    stage.next_of("tripjack", "price", "drop_after").await;
    let body = json!({ "priceIds": [id] });
    assert!(stage.try_tripjack("/fms/v1/review", body).await.is_err());
}

#[tokio::test]
async fn a_fault_of_one_supplier_leaves_the_other_alone() {
    let stage = Stage::open().await;
    stage.next_of("tripjack", "search", "status:500").await;
    stage.offers(one_way("DEL", "BOM")).await;
    let body = json!({ "searchQuery": query(&[("DEL", "BOM", DAY)]) });
    stage
        .tripjack("/fms/v1/air-search-all", body.clone())
        .await
        .declined(500, "500");
    stage.next("search", "status:500").await;
    stage.tripjack("/fms/v1/air-search-all", body).await.done();
}

#[tokio::test]
async fn every_call_has_its_name() {
    let stage = Stage::open().await;
    let calls = [
        ("search", "/fms/v1/air-search-all"),
        ("price", "/fms/v1/review"),
        ("price", "/fms/v2/farerule"),
        ("services", "/fms/v1/seat"),
    ];
    for (call, path) in calls {
        stage.next_of("tripjack", call, "status:418").await;
        let request = stage.tripjack_request(Method::POST, path).json(&json!({}));
        let answer = sent(request).await.unwrap();
        assert_eq!(answer.status, 418, "{call} {path}: {}", answer.text);
    }
}
