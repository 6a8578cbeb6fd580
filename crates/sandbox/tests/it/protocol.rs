//! What every call must bring and every answer carries.

use reqwest::Method;
use serde_json::json;

use crate::harness::*;

#[tokio::test]
async fn a_call_needs_a_test_token_and_the_version() {
    let stage = Stage::open().await;
    let url = format!("{}/duffel/air/orders", stage.sandbox.base_url());
    let call = |authorization: Option<&str>, version: Option<&str>| {
        let mut request = stage.client.get(&url);
        if let Some(value) = authorization {
            request = request.header("Authorization", value);
        }
        if let Some(value) = version {
            request = request.header("Duffel-Version", value);
        }
        request
    };
    let token = Some("Bearer duffel_test_x");
    #[rustfmt::skip]
    let cases = [
        (call(None, Some("v2")), 401, "missing_authorization_header", "authentication_error"),
        (call(Some("Basic eDp5"), Some("v2")), 401, "invalid_authorization_header", "authentication_error"),
        (call(Some("Bearer duffel_live_x"), Some("v2")), 401, "access_token_not_found", "authentication_error"),
        (call(Some("Bearer duffel_test_"), Some("v2")), 401, "access_token_not_found", "authentication_error"),
        (call(token, None), 400, "missing_version_header", "invalid_request_error"),
        (call(token, Some("v1")), 400, "unsupported_version", "invalid_request_error"),
        (call(token, Some("v9")), 400, "invalid_version_header", "invalid_request_error"),
        (call(token, Some("v2")).header("Accept", "text/html"), 406, "unsupported_format", "invalid_request_error"),
    ];
    for (request, status, code, kind) in cases {
        assert_eq!(sent(request).await.unwrap().refused(status, code)["type"], kind);
    }
    sent(call(token, Some("v2"))).await.unwrap().data(200);
}

#[tokio::test]
async fn a_body_must_be_an_object_under_data_in_json() {
    let stage = Stage::open().await;
    let send = |body: &'static str, kind: &'static str| {
        let request = stage.request(Method::POST, "/offer_requests").body(body);
        sent(if kind.is_empty() { request } else { request.header("Content-Type", kind) })
    };
    send("{}", "").await.unwrap().refused(400, "missing_content_type_header");
    send("a=b", "application/x-www-form-urlencoded")
        .await
        .unwrap()
        .refused(400, "invalid_content_type_header");
    send("{", "application/json").await.unwrap().refused(400, "malformed_data_param");
    send("{}", "application/json").await.unwrap().refused(400, "missing_data_param");
    send(r#"{"data":[]}"#, "application/json").await.unwrap().refused(400, "invalid_data_param");
}

#[tokio::test]
async fn every_answer_has_an_id_and_an_allowance() {
    let stage = Stage::open().await;
    for path in ["/orders", "/orders/ord_0", "/nowhere"] {
        let answer = stage.get(path).await;
        assert!(!answer.headers["x-request-id"].is_empty());
        assert_eq!(answer.headers["ratelimit-limit"], "4000");
        assert_eq!(answer.headers["ratelimit-reset"], "Sun, 10 Jan 2027 12:01:00 GMT");
    }
    let remaining =
        |answer: Answer| -> u32 { answer.headers["ratelimit-remaining"].to_str().unwrap().parse().unwrap() };
    assert_eq!(remaining(stage.get("/orders").await), 4000 - 4);
}

#[tokio::test]
async fn answers_are_compressed_for_who_accepts_it() {
    let stage = Stage::open().await;
    let plain = reqwest::Client::builder().gzip(false).build().unwrap();
    let url = format!("{}/duffel/air/offer_requests", stage.sandbox.base_url());
    let request = || {
        let request = plain.post(&url).bearer_auth("duffel_test_abc").header("Duffel-Version", "v2");
        request.json(&json!({ "data": one_way("DEL", "LHR") }))
    };
    let zipped = request().header("Accept-Encoding", "gzip").send().await.unwrap();
    assert_eq!(zipped.headers()["content-encoding"], "gzip");
    let zipped = zipped.bytes().await.unwrap().len();
    let whole = request().send().await.unwrap().bytes().await.unwrap().len();
    assert!(zipped * 8 < whole, "{zipped} of {whole}");
}

#[tokio::test]
async fn a_supplier_answers_at_an_address_of_its_own_without_its_name_before_paths() {
    let own = ["duffel=127.0.0.1:0", "tripjack=127.0.0.1:0"].map(|text| text.parse().unwrap());
    let sandbox = wayfare_sandbox::Sandbox::start_with(settings(), wayfare_domain::Clock::system(), &own)
        .await
        .unwrap();
    let urls: Vec<String> = sandbox.own_urls().collect();
    let client = reqwest::Client::new();
    let get = |url: String| {
        let request = client.get(url).header("Authorization", "Bearer duffel_test_x");
        sent(request.header("Duffel-Version", "v2"))
    };
    let common = sandbox.base_url();
    for url in [
        format!("{}/air/orders", urls[0]),
        format!("{}/air/orders/", urls[0]),
        format!("{}/air/orders?limit=1", urls[0]),
        format!("{}/duffel/air/orders", urls[0]),
        format!("{common}/duffel/air/orders/"),
    ] {
        get(url).await.unwrap().data(200);
    }
    let not_played = get(format!("{}/air/airlines", urls[0])).await.unwrap();
    let error = not_played.refused(404, "not_found");
    let message = "The sandbox does not play GET /air/airlines; docs/SUPPLIERS.md says what it plays.";
    assert_eq!(error["message"], message);
    assert_eq!(get(format!("{}/air/orders", urls[1])).await.unwrap().status, 401);
    assert!("duffel".parse::<wayfare_sandbox::OwnAddress>().is_err());
    assert!("ryanair=127.0.0.1:0".parse::<wayfare_sandbox::OwnAddress>().is_err());
    sandbox.stop().await;
}
