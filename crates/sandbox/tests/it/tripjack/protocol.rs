//! Keys, paths and bodies.

use reqwest::Method;
use serde_json::json;

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn a_call_needs_a_test_key() {
    let stage = Stage::open().await;
    let url = format!("{}/tripjack/ums/v1/user-detail", stage.sandbox.base_url());
    for key in [
        None,
        Some("tripjack_live_x"),
        Some("tripjack_test_"),
        Some("duffel_test_x"),
    ] {
        let request = stage.client.get(&url);
        let request = match key {
            Some(key) => request.header("apikey", key),
            None => request,
        };
        sent(request).await.unwrap().declined(401, "401");
    }
    let balances = stage.tripjack_request(Method::GET, "/ums/v1/user-detail");
    let balances = sent(balances).await.unwrap().done();
    assert_eq!(
        number(&balances["walletBalance"]),
        number(&balances["totalBalance"])
    );
}

#[tokio::test]
async fn a_slash_at_the_end_and_an_unknown_path_lead_nowhere() {
    let stage = Stage::open().await;
    let body = json!({ "searchQuery": query(&[("DEL", "BOM", DAY)]) });
    for path in [
        "/fms/v1/air-search-all/",
        "/fms/v1/review/",
        "/fms/v9/review",
        "/",
    ] {
        stage.tripjack(path, body.clone()).await.declined(404, "404");
    }
    stage.tripjack("/fms/v1/air-search-all", body).await.done();
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused() {
    let stage = Stage::open().await;
    let request = stage.tripjack_request(Method::POST, "/fms/v1/review").body("{");
    sent(request).await.unwrap().declined(400, "400");
    for path in [
        "/fms/v1/air-search-all",
        "/fms/v1/review",
        "/fms/v2/farerule",
        "/fms/v1/seat",
    ] {
        stage.tripjack(path, json!({})).await.declined(400, "400");
    }
}
