//! Keys, signatures, and what is no call.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::json;

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn a_call_needs_a_test_key_and_a_signature_of_about_now() {
    let stage = Stage::open().await;
    let url = format!("{}/hotelbeds{API}/status", stage.sandbox.base_url());
    let called = async |key: Option<&str>, signature: Option<String>| {
        let mut request = stage.client.get(&url);
        if let Some(key) = key {
            request = request.header("Api-key", key);
        }
        if let Some(signature) = signature {
            request = request.header("X-Signature", signature);
        }
        let answer = sent(request).await.unwrap();
        (answer.status, answer.body["error"].clone())
    };
    let now = stage.clock.now();
    let signed_at = |seconds| Some(signature(KEY, "sandbox", now + TimeDelta::seconds(seconds)));
    for seconds in [0, 1, -1, 300, -300] {
        assert_eq!(called(Some(KEY), signed_at(seconds)).await.0, 200, "{seconds}");
    }
    let shouted = signed_at(0).map(|signature| signature.to_uppercase());
    assert_eq!(called(Some(KEY), shouted).await.0, 200);
    let unsigned = (401, json!("Request signature verification failed"));
    for wrong in [
        None,
        Some(String::new()),
        signed_at(301),
        signed_at(-301),
        Some(signature(KEY, "another", now)),
        Some(signature("hotelbeds_test_abd", "sandbox", now)),
    ] {
        assert_eq!(called(Some(KEY), wrong).await, unsigned);
    }
    let stranger = called(Some("live_key"), Some(signature("live_key", "sandbox", now))).await;
    assert_eq!(stranger, (403, json!("Access to this API has been disallowed")));
    assert_eq!(called(Some("hotelbeds_test_"), signed_at(0)).await.0, 403);
    let nobody = called(None, signed_at(0)).await;
    assert_eq!(nobody, (401, json!("Authorization field missing")));
}

#[tokio::test]
async fn what_is_no_body_is_refused() {
    let stage = Stage::open().await;
    let request = stage.hotelbeds_request(Method::POST, &format!("{API}/hotels"));
    let broken = sent(request.body("{")).await.unwrap();
    broken.denied(400, "INVALID_REQUEST");
    // What the sandbox does not play is refused, and not ignored.
    let mut query = query();
    query["keywords"] = json!({ "keyword": [1], "allIncluded": true });
    stage.hotelbeds("/hotels", &query).await.denied(400, "INVALID_REQUEST");
    let status = stage.hotelbeds_get(&format!("{API}/status")).await.fine();
    assert_eq!(status["status"], "OK");
}
