//! The kinds of suppliers are those that the sandbox plays.

use std::collections::BTreeSet;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use strum::VariantArray;
use wayfare_launch::SupplierKind;
use wayfare_sandbox::{Sandbox, Settings};

/// Says what the sandbox has against a fault of this supplier; nothing where it plays it.
async fn refused(base_url: &str, supplier: &str) -> Option<String> {
    let fault = json!({ "supplier": supplier, "call": "search", "fault": "rate_limited" });
    let answer = Client::new().post(format!("{base_url}/_sandbox/faults")).json(&fault).send().await.unwrap();
    let is_queued = answer.status() == StatusCode::CREATED;
    let answer: Value = answer.json().await.unwrap();
    (!is_queued).then(|| answer["error"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn every_kind_of_supplier_is_played_by_the_sandbox_and_no_other_is() {
    let sandbox = Sandbox::start(Settings::of_seed(1)).await.unwrap();
    let base_url = sandbox.base_url();
    let kinds: BTreeSet<&str> = SupplierKind::VARIANTS.iter().map(Into::into).collect();
    for kind in &kinds {
        assert_eq!(refused(&base_url, kind).await, None, "{kind}");
    }
    let refusal = refused(&base_url, "nobody").await.unwrap();
    let (_, played) = refusal.split_once("plays ").unwrap();
    let played: BTreeSet<&str> =
        played.split([',', ' ']).filter(|word| !["", "and"].contains(word)).collect();
    assert_eq!(played, kinds);
}
