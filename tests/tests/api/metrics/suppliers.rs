//! Calls to suppliers, and how suppliers are.

use wayfare_supply::Limits;
use wayfare_tests::{World, WorldOptions, one_way};

use super::{Scrape, of};

/// How many calls of this purpose at Duffel ended so.
fn calls(scrape: &Scrape, purpose: &str, outcome: &str) -> f64 {
    scrape.value(
        "wayfare_supplier_call_duration_seconds_count",
        &[("supplier", "duffel"), ("purpose", purpose), ("outcome", outcome)],
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_counted_by_outcome_and_an_open_breaker_is_shown() {
    let options = WorldOptions {
        limits: Limits::default().with(|limits| limits.failures_to_open = 2),
        ..WorldOptions::default()
    };
    let (world, url) = of(World::with(options).await);
    let agent = world.agent("1000000").await;
    let open = |scrape: &Scrape| scrape.value("wayfare_supplier_breaker_open", &[("supplier", "duffel")]);
    assert!(open(&Scrape::of(&url).await).abs() < 0.5);

    agent.search(&one_way("DEL", "BOM")).await;
    agent.buy(one_way("DEL", "BLR")).await;
    let bought = Scrape::of(&url).await;
    assert!(calls(&bought, "question", "answered") > 1.5);
    assert!((calls(&bought, "step", "answered") - 1.0).abs() < 0.5, "one order was made");
    assert!(calls(&bought, "question", "unknown").abs() < 0.5);

    world.next_times("search", "status:500", 2).await;
    for to in ["HYD", "MAA", "CCU"] {
        agent.search(&one_way("DEL", to)).await;
    }
    let failed = Scrape::of(&url).await;
    assert!((calls(&failed, "question", "unknown") - 2.0).abs() < 0.5);
    assert!((calls(&failed, "question", "not_sent") - 1.0).abs() < 0.5);
    assert!((open(&failed) - 1.0).abs() < 0.5);
    let answered = |scrape: &Scrape| calls(scrape, "question", "answered");
    assert!((answered(&failed) - answered(&bought)).abs() < 0.5);
    let in_use = failed.value("wayfare_supplier_permits_in_use", &[("supplier", "duffel")]);
    assert!(in_use.abs() < 0.5, "all permits are given back");
}
