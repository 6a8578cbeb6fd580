//! How long large searches take; run by hand in a release build, as `speed` beside it.

use std::time::Instant;

use reqwest::Method;
use serde_json::json;

use super::harness::*;
use crate::harness::*;

#[tokio::test]
#[ignore = "measures, and proves nothing in a debug build"]
async fn two_thousand_hotels_take_a_few_hundred_milliseconds() {
    let stage = Stage::open().await;
    let mut query = query();
    query.as_object_mut().unwrap().remove("destination");
    let codes = stage
        .hotelbeds_get(&format!(
            "{CONTENT}/hotels?countryCode=UK&fields=code&from=1&to=1000"
        ))
        .await;
    let more = stage
        .hotelbeds_get(&format!(
            "{CONTENT}/hotels?countryCode=UK&fields=code&from=1001&to=2000"
        ))
        .await;
    let (codes, more) = (codes.fine(), more.fine());
    let all: Vec<_> = list(&codes["hotels"])
        .iter()
        .chain(list(&more["hotels"]))
        .collect();
    let codes: Vec<_> = all.iter().map(|hotel| &hotel["code"]).collect();
    query["hotels"] = json!({ "hotel": codes });
    for gzip in [false, true] {
        let client = reqwest::Client::builder().gzip(gzip).build().unwrap();
        for _ in 0..3 {
            let begun = Instant::now();
            let url = format!("{}/hotelbeds{API}/hotels", stage.sandbox.base_url());
            let request = client
                .request(Method::POST, url)
                .header("Api-key", KEY)
                .header("X-Signature", signature(KEY, "sandbox", stage.clock.now()))
                .json(&query);
            let text = request.send().await.unwrap().text().await.unwrap();
            let took = begun.elapsed();
            let rates = text.matches("\"rateKey\"").count();
            println!(
                "{} hotels, {rates} rates, {} bytes, gzip {gzip}: {took:?}",
                codes.len(),
                text.len()
            );
            assert!(rates > 10_000);
        }
    }
}
