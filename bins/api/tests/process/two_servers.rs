//! Two servers over one database: what one of them showed the other sells, as long as they share a Redis.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::api::{Api, order, search};
use crate::place::{Server, until};
use crate::redis::TestRedis;
use crate::shared::Shared;

const EXPIRED: &str = "offer has expired, please search again";
const ANOTHER_SERVER: &str = "another server uses this database, and REDIS_URL is not set";
const SEARCHES_ALONE: &str = "this process keeps its searches for itself";

/// The id of Duffel's dearest offer.
async fn offer(api: &Api) -> Value {
    offer_to(api, "BOM").await
}

async fn offer_to(api: &Api, destination: &str) -> Value {
    let mut body = search();
    body["slices"][0]["destination"] = json!(destination);
    let found = api.post("/flights/search", body).await;
    let mut offers = found["offers"].as_array().unwrap().iter().rev();
    let dearest = offers.find(|offer| offer["supplier"] == "duffel");
    dearest.expect("an offer")["offer_id"].clone()
}

fn of(offer: &Value) -> Value {
    json!({ "offer_ids": [offer], "adults": 1 })
}

async fn assert_expired(api: &Api, offer: &Value) {
    for path in ["/flights/price", "/flights/fare-rules"] {
        let (status, body) = api.try_post(path, of(offer)).await;
        assert_eq!((status, body["error"].as_str()), (400, Some(EXPIRED)), "{path}: {body}");
    }
}

fn times_said(server: &Server, text: &str) -> usize {
    server.said().matches(text).count()
}

#[tokio::test]
async fn with_redis_one_server_sells_what_another_showed() {
    let Some(mut redis) = TestRedis::start() else { return };
    let redis_url = redis.url();
    let shared = Shared::with_sandbox("two_with_redis").await;
    let first = shared.first(Some(&redis_url)).await;
    let second = shared.another(Some(&redis_url)).await;
    assert_eq!(times_said(&second, ANOTHER_SERVER), 0, "{}", second.said());
    let here = shared.agent().await;
    let there = here.at(&second);

    let shown = offer(&here).await;
    let rules = there.post("/flights/fare-rules", of(&shown)).await;
    assert_eq!(rules["items"].as_array().map(Vec::len), Some(1), "{rules}");
    let priced = there.post("/flights/price", of(&shown)).await;
    assert_eq!(priced["status"], "PRICE_VERIFIED", "{priced}");
    let booked = there.post("/flights/book", order(&priced["booking_keys"][0])).await;
    assert_eq!(booked["status"], "CONFIRMED", "{booked}");
    let path = format!("/flights/bookings/{}", booked["booking_ref"].as_str().unwrap());
    assert_eq!(here.get(&path).await["status"], "confirmed");

    // Redis ends in between: each server goes on alone, and says so once.
    let lost = offer(&here).await;
    redis.kill();
    assert_expired(&there, &lost).await;
    for _ in 0..3 {
        let own = offer(&there).await;
        there.post("/flights/price", of(&own)).await;
        assert_expired(&here, &own).await;
    }
    for server in [&first, &second] {
        assert_eq!(times_said(server, SEARCHES_ALONE), 1, "{}", server.said());
        assert_eq!(times_said(server, "ERROR"), 0, "{}", server.said());
    }

    redis.restart();
    let mut cities = ["BLR", "HYD", "MAA", "CCU", "GOI", "PNQ", "AMD", "COK"].into_iter();
    until("the servers' sharing again", async || {
        // Each time another question: an answer from before the loss is not told to Redis again.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let shown = offer_to(&here, cities.next().expect("a city")).await;
        let (status, body) = there.try_post("/flights/price", of(&shown)).await;
        assert!(status == 200 || status == 400, "{body}");
        (status == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn without_redis_the_second_server_says_what_it_cannot_sell() {
    let shared = Shared::with_sandbox("two_without_redis").await;
    let first = shared.first(None).await;
    let second = shared.another(None).await;
    assert_eq!(times_said(&first, ANOTHER_SERVER), 0, "{}", first.said());
    assert_eq!(times_said(&second, ANOTHER_SERVER), 1, "{}", second.said());
    let here = shared.agent().await;

    let shown = offer(&here).await;
    assert_expired(&here.at(&second), &shown).await;
    // Where it was shown it is sold, and what was priced is booked anywhere.
    let priced = here.post("/flights/price", of(&shown)).await;
    let key = &priced["booking_keys"][0];
    let booked = here.at(&second).post("/flights/book", order(key)).await;
    assert_eq!(booked["status"], "CONFIRMED", "{booked}");
}

#[tokio::test]
async fn a_server_that_is_killed_while_it_asks_keeps_the_other_waiting_for_a_moment_only() {
    let Some(redis) = TestRedis::start() else { return };
    let redis_url = redis.url();
    let shared = Shared::with_sandbox("two_and_a_kill").await;
    let mut first = shared.first(Some(&redis_url)).await;
    let second = shared.another(Some(&redis_url)).await;
    let here = shared.agent().await;
    let there = here.at(&second);
    for supplier in ["duffel", "tripjack"] {
        here.faults_at(supplier, "search", "slow:600000", 1).await;
    }
    // It hears nothing more of what it asked.
    let lost = reqwest::Client::new()
        .post(format!("{}/api/v1/flights/search", here.url()))
        .bearer_auth(here.token())
        .json(&search());
    let lost = tokio::spawn(lost.send());
    until("the leases of the first", async || {
        let keys = redis.ask("KEYS wayfare:query-lease:*");
        (keys.matches("wayfare:query-lease:").count() == 2).then_some(())
    })
    .await;
    let waiting = tokio::spawn(async move { there.search().await });
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert!(!waiting.is_finished(), "it did not wait for the first");
    first.kill();
    let killed = Instant::now();
    let found = waiting.await.unwrap();
    // A lease is a second long; the rest is the search, on a busy machine.
    assert!(killed.elapsed() < Duration::from_secs(10), "{:?}", killed.elapsed());
    let offers = found["offers"].as_array().unwrap();
    for supplier in ["duffel", "tripjack"] {
        assert!(offers.iter().any(|offer| offer["supplier"] == supplier), "{found}");
    }
    assert!(lost.await.unwrap().is_err());
    assert_eq!(times_said(&second, "ERROR"), 0, "{}", second.said());
}
