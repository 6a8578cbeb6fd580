//! Requests by route.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use wayfare_operations::Redis;
use wayfare_tests::{TestRedis, World, WorldOptions, eventually, one_way};

use super::{Scrape, of, world};

#[tokio::test(flavor = "multi_thread")]
async fn each_request_is_counted_once_by_its_routes_template() {
    let (world, url) = world().await;
    let agent = world.agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let before = Scrape::of(&url).await;

    let bought = agent.buy(trip).await;
    agent.booking(&bought.reference).await;
    agent.booking(&bought.reference).await;
    agent.get("/flights/bookings/WFNOSUCH").await;
    agent.get("/no/such/path").await;
    agent.get("/neither/this").await;
    agent.send(agent.request(Method::from_bytes(b"BREW").unwrap(), "/wallet")).await;

    let after = Scrape::of(&url).await;
    for (method, route, status, expected) in [
        ("POST", "/api/v1/flights/search", "200", 1.0),
        ("POST", "/api/v1/flights/price", "200", 1.0),
        ("POST", "/api/v1/flights/book", "200", 1.0),
        ("GET", "/api/v1/flights/bookings/{ref}", "200", 2.0),
        ("GET", "/api/v1/flights/bookings/{ref}", "404", 1.0),
        ("GET", "unmatched", "404", 2.0),
        ("_OTHER", "/api/v1/wallet", "405", 1.0),
    ] {
        let of = |scrape: &Scrape| scrape.requests(method, route, status);
        assert!(
            (of(&after) - of(&before) - expected).abs() < 0.5,
            "{method} {route} {status}: {} then {}, of {:#?}",
            of(&before),
            of(&after),
            after.0.keys().filter(|name| name.contains("_count")).collect::<Vec<_>>()
        );
    }
    assert!(after.value("http_server_active_requests", &[]).abs() < 0.5);
    assert!((after.value("wayfare_build_info", &[("version", env!("CARGO_PKG_VERSION"))]) - 1.0).abs() < 0.5);
    let printed = format!("{:?}", after.0);
    assert!(!printed.contains(&bought.reference) && !printed.contains("neither"), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_itself_prints_no_metrics() {
    let (world, _) = world().await;
    assert_eq!(reqwest::get(format!("{}/metrics", world.base_url)).await.unwrap().status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_comes_too_soon_is_counted_by_its_bucket() {
    let (world, url) = of(World::with(WorldOptions::limited()).await);
    let agent = world.agent("0").await;
    let refused = |scrape: &Scrape, bucket| scrape.value("wayfare_rate_limited_total", &[("bucket", bucket)]);
    let before = Scrape::of(&url).await;
    assert!(before.0.contains_key("wayfare_rate_limited_total{bucket=\"searches\"}"));
    assert!(refused(&before, "searches") < 0.5);
    let mut asked = 0;
    while agent.post("/flights/search", &json!({})).await.status != 429 {
        asked += 1;
        assert!(asked < 600, "nobody is refused");
    }
    let after = Scrape::of(&url).await;
    assert!((refused(&after, "searches") - 1.0).abs() < 0.5);
    assert!(refused(&after, "requests") < 0.5 && refused(&after, "logins") < 0.5);
}

#[tokio::test(flavor = "multi_thread")]
async fn whether_redis_answers_is_printed_where_there_is_one() {
    let Some(mut redis) = TestRedis::start() else { return };
    let (_world, without) = world().await;
    assert!(!Scrape::of(&without).await.0.contains_key("wayfare_redis_up"));
    let opened = Redis::open(&redis.url(), Duration::from_millis(500), "nothing is shared").await;
    let (world, url) =
        of(World::with(WorldOptions { redis: Some(opened.unwrap()), ..WorldOptions::default() }).await);
    assert!(Scrape::of(&url).await.value("wayfare_redis_up", &[]) > 0.5);
    redis.kill();
    world.agent("1000000").await.search(&one_way("DEL", "BOM")).await;
    let is_down = async || (Scrape::of(&url).await.value("wayfare_redis_up", &[]) < 0.5).then_some(());
    eventually("Redis is missed", is_down).await;
}
