//! The operator's OpenAPI document: its bodies have examples that are read, and its page has the router's endpoints.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;
use wayfare_api::operator_endpoints;
use wayfare_tests::{World, contract::operator_document};

#[test]
fn every_body_of_the_operators_document_has_examples_that_are_read() {
    let document = operator_document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        assert!(schema["not"].is_null(), "{name}: {}", schema["description"]);
        assert!(!name.ends_with(char::is_numeric), "two views are called {name}");
    }
}

#[test]
fn the_page_has_the_operators_endpoints_and_no_others() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/OPERATOR_API.md"));
    let page = page.unwrap();
    let rows = page.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let (method, path) = (cells.next()?, cells.next()?);
        let path = path.strip_prefix('`')?.strip_suffix('`')?;
        ["GET", "POST", "PUT", "DELETE"].contains(&method).then(|| format!("{method} /operator/v1{path}"))
    });
    let rows: BTreeSet<String> = rows.collect();
    let served = operator_endpoints();
    let served: BTreeSet<String> =
        served.iter().map(|endpoint| format!("{} {}", endpoint.method, endpoint.path)).collect();
    assert_eq!(rows, served);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_served_to_everybody_at_the_operators_address_alone() {
    let (world, door) = World::frozen().await.and_operators();
    let answer = door.nobody().get("/openapi.json").await;
    assert_eq!(answer.status, 200);
    let document: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(document, operator_document());
    let client = reqwest::Client::new();
    let elsewhere = client.get(format!("{}/operator/v1/openapi.json", world.base_url));
    assert_eq!(elsewhere.send().await.unwrap().status(), 404);
    assert_eq!(client.get(format!("{}/api/v1/wallet", door.base_url)).send().await.unwrap().status(), 404);
}
