//! Requests by route.

use reqwest::Method;
use wayfare_tests::one_way;

use super::{Scrape, world};

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
    let invented = Method::from_bytes(b"BREW").unwrap();
    agent.send(agent.request(invented, "/wallet")).await;

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
            after
                .0
                .keys()
                .filter(|name| name.contains("_count"))
                .collect::<Vec<_>>()
        );
    }
    assert!(after.value("http_server_active_requests", &[]).abs() < 0.5);
    assert!((after.value("wayfare_build_info", &[("version", "0.1.0")]) - 1.0).abs() < 0.5);
    let printed = format!("{:?}", after.0);
    assert!(
        !printed.contains(&bought.reference) && !printed.contains("neither"),
        "{printed}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_itself_prints_no_metrics() {
    let (world, _) = world().await;
    let answer = reqwest::get(format!("{}/metrics", world.base_url)).await.unwrap();
    assert_eq!(answer.status(), 404);
}
