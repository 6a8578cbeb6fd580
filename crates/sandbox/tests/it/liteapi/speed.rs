//! How long large searches take; run by hand in a release build, as `speed` beside it.

use std::time::Instant;

use serde_json::json;

use super::harness::*;
use crate::harness::*;

#[tokio::test]
#[ignore = "measures, and proves nothing in a debug build"]
async fn two_thousand_hotels_take_a_few_hundred_milliseconds() {
    let stage = Stage::open().await;
    let mut query = query();
    let around = json!({ "latitude": 51.5085, "longitude": -0.1257, "radius": 300000, "limit": 2000, "maxRatesPerHotel": 10 });
    query
        .as_object_mut()
        .unwrap()
        .extend(around.as_object().unwrap().clone());
    let plain = reqwest::Client::builder().gzip(false).build().unwrap();
    for _ in 0..5 {
        let begun = Instant::now();
        let url = format!("{}/liteapi/v3.0/hotels/rates", stage.sandbox.base_url());
        let request = plain
            .post(url)
            .header("X-API-Key", "liteapi_test_abc")
            .json(&query);
        let text = request.send().await.unwrap().text().await.unwrap();
        let took = begun.elapsed();
        let offers = text.matches("\"offerId\"").count();
        let hotels = text.matches("\"hotelId\"").count();
        println!("{hotels} hotels, {offers} offers, {} bytes: {took:?}", text.len());
        assert!(hotels > 1_900 && offers > 15_000);
    }
}
