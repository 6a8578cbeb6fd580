//! Keys, paths and bodies.

use reqwest::Method;
use serde_json::json;

use crate::harness::*;

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused() {
    let stage = Stage::open().await;
    let request = stage.tripjack_request(Method::POST, "/fms/v1/review").body("{");
    sent(request).await.unwrap().declined(400, "400");
    for path in ["/fms/v1/air-search-all", "/fms/v1/review", "/fms/v2/farerule", "/fms/v1/seat"] {
        stage.tripjack(path, json!({})).await.declined(400, "400");
    }
}
