//! How long calls take; run by hand: `cargo test --release -p wayfare-sandbox speed -- --ignored --nocapture`.

use std::time::{Duration, Instant};

use crate::harness::*;

const TIMES: usize = 50;

#[tokio::test]
#[ignore = "measures, and proves nothing in a debug build"]
async fn searches_take_milliseconds_and_orders_less_than_one() {
    let folder = Folder::new("speed");
    let stage = Stage::with(folder.settings()).await;
    let mut searching = Vec::new();
    let mut booking = Vec::new();
    let mut raw = Vec::new();
    let plain = reqwest::Client::builder().gzip(false).build().unwrap();
    let url = format!("{}/duffel/air/offer_requests", stage.sandbox.base_url());
    let (mut offers, mut bytes) = (0, 0);
    for _ in 0..TIMES {
        let search = serde_json::json!({ "data": return_trip("DEL", "LHR") });
        let begun = Instant::now();
        let request = plain
            .post(&url)
            .bearer_auth("duffel_test_abc")
            .header("Duffel-Version", "v2")
            .json(&search);
        bytes = request.send().await.unwrap().bytes().await.unwrap().len();
        raw.push(begun.elapsed());

        let begun = Instant::now();
        let answer = done(&stage, "/offer_requests", return_trip("DEL", "LHR")).await;
        searching.push(begun.elapsed());
        offers = list(&answer["offers"]).len();
        let order = instant(&answer["offers"][0]);
        let begun = Instant::now();
        stage.post("/orders", order).await.data(201);
        booking.push(begun.elapsed());
    }
    let median = |mut times: Vec<Duration>| {
        times.sort();
        times[TIMES / 2]
    };
    // The client's own work is in all of it: sending, unzipping, parsing.
    println!(
        "search of {offers} offers: {:?} for {bytes} bytes, zipped and read {:?}; order: {:?}",
        median(raw),
        median(searching),
        median(booking)
    );
}
