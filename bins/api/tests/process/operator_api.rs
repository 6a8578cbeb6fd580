//! The operator's listener: beside a server with nothing configured, where it says; nowhere else unless it is told.

use std::time::Duration;

use serde_json::{Value, json};

use crate::place::{Place, Server, until};

/// Where the start said that the operator's API is.
async fn told(server: &Server) -> Option<String> {
    for _ in 0..50 {
        let lines = server.lines();
        let line = lines.iter().find_map(|line| line.strip_prefix("For the operator: "));
        if let Some((address, _)) = line.and_then(|line| line.split_once("/operator")) {
            return Some(address.to_owned());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    None
}

async fn status(url: String) -> u16 {
    reqwest::get(url).await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_start_with_nothing_configured_says_where_the_operators_api_is() {
    let (_place, server) = Place::started().await;
    let address = told(&server).await.unwrap();
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    assert_ne!(address, server.url());
    assert_eq!(status(format!("{address}/operator/v1/openapi.json")).await, 200);
    assert_eq!(status(format!("{address}/operator/v1/me")).await, 401);
    assert_eq!(status(format!("{address}/health/ready")).await, 404);
    assert_eq!(status(format!("{}/operator/v1/me", server.url())).await, 404);
}

/// What the operator's first user is answered there.
async fn seen(place: &Place, address: &str, path: &str) -> Value {
    let http = reqwest::Client::builder().pool_max_idle_per_host(0).build().unwrap();
    let operator = &place.demo()["operator"];
    let body = json!({ "username": operator["username"], "password": operator["password"] });
    let url = format!("{address}/operator/v1");
    let begun = http.post(format!("{url}/sessions")).json(&body).send().await;
    let begun: Value = serde_json::from_str(&begun.unwrap().text().await.unwrap()).unwrap();
    let token = begun["data"]["token"].as_str().unwrap();
    let answer = http.get(format!("{url}{path}")).bearer_auth(token).send().await;
    let answer: Value = serde_json::from_str(&answer.unwrap().text().await.unwrap()).unwrap();
    answer["data"].clone()
}

#[tokio::test]
async fn a_server_says_how_its_suppliers_do_from_its_start_on() {
    let (place, server) = Place::started().await;
    let address = told(&server).await.unwrap();
    let suppliers = until("each supplier's server", async || {
        let suppliers = seen(&place, &address, "/suppliers").await;
        let suppliers = suppliers.as_array().unwrap().clone();
        let is_seen = |supplier: &Value| !supplier["servers"].as_array().unwrap().is_empty();
        suppliers.iter().all(is_seen).then_some(suppliers)
    })
    .await;
    assert_eq!(suppliers.len(), 4);
    for supplier in suppliers {
        let seen = &supplier["servers"][0];
        assert_eq!((&seen["breaker"], &seen["is_gone"]), (&json!("closed"), &json!(false)));
        let address = seen["address"].as_str().unwrap();
        assert_eq!(format!("http://{address}"), server.url());
    }
}

#[tokio::test]
async fn without_a_console_there_is_none_unless_it_is_asked_for() {
    let place = Place::new().await;
    let server = place.start_with([("WAYFARE_CONSOLE", "off")]).await;
    assert_eq!(told(&server).await, None);
    drop(server);
    let told_where = [("WAYFARE_CONSOLE", "off"), ("WAYFARE_OPERATOR_BIND", "127.0.0.1:0")];
    let server = place.start_with(told_where).await;
    let address = told(&server).await.unwrap();
    assert_eq!(status(format!("{address}/operator/v1/openapi.json")).await, 200);
}
