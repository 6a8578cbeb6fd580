//! What needs a person, as the operator's API tells it.

use rust_decimal::dec;
use serde_json::json;
use wayfare_domain::{Currency, OperatorRole::Viewer};
use wayfare_operations::{access::operators::By, operator};
use wayfare_tests::{World, amount, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn nothing_needs_a_person_where_nothing_has_happened() {
    let mut world = World::frozen().await;
    let overview = world.operator_api().operator("vera", Viewer).await.get("/overview").await.ok();
    assert_eq!(
        overview,
        json!({
            "incidents": [],
            "waiting": {
                "open_steps": 0, "oldest_step_seconds": null, "commands": 0, "pending_bookings": 0,
                "oldest_pending_booking": null, "pending_refunds": 0, "failed_reports": 0, "webhooks_disabled": 0,
                "webhooks_resting": 0, "wallets_in_debt": 0,
            },
            "suppliers": { "closed": [], "alarms": [], "low": [] },
            "rates": { "bank_day": null, "bank_count": 0, "own_oldest_day": null, "own_count": 0 },
            "ledger": { "running": null, "last": null },
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn incidents_suppliers_and_rates_are_told_with_their_age() {
    let (world, viewer) = World::frozen().await.and_operator("vera", Viewer).await;
    let agent = world.agency().await.agent("arjun", "1000000").await;
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote(&trip).await;
    world.next("book", "drop_before").await;
    agent.book(&agent.order(&priced, &trip)).await.succeeds(202);
    let asked = world.now();
    world.pass(30);
    let overview = viewer.get("/overview").await.ok();
    assert_has!(overview, {
        "incidents": [], "waiting/open_steps": 1, "waiting/oldest_step_seconds": 30, "waiting/pending_bookings": 1,
    });
    let oldest = overview["waiting"]["oldest_pending_booking"].as_str().unwrap();
    assert_eq!(oldest.parse::<chrono::DateTime<chrono::Utc>>().unwrap(), asked);
    world.next_times("lookup", "status:500", 99).await;
    for _ in 0..8 {
        world.recover_in(301).await;
    }
    world.pass(900);
    let platform = &world.platform;
    operator::close_supplier(platform, By::command_line(), "duffel", "strike at their desk").await.unwrap();
    operator::set_supplier_limits(platform, By::command_line(), "tripjack", Some(dec!(5000)), None)
        .await
        .unwrap();
    operator::state_balance(platform, By::command_line(), "tripjack", dec!(1200), Currency::INR)
        .await
        .unwrap();
    operator::set_rate(platform, By::command_line(), Currency::GBP, Currency::INR, dec!(105)).await.unwrap();
    let overview = viewer.get("/overview").await.ok();
    let incidents = overview["incidents"].as_array().unwrap();
    assert_eq!(incidents.len(), 1, "{overview}");
    assert_has!(incidents[0], { "kind": "outcome_unknown", "open": 1 });
    assert!(incidents[0]["oldest_seconds"].as_i64().unwrap() >= 900, "{overview}");
    assert_has!(overview, {
        "suppliers/closed/0/supplier": "duffel", "suppliers/closed/0/reason": "strike at their desk",
        "suppliers/alarms/0/supplier": "tripjack", "suppliers/alarms/0/kind": "account_low",
        "suppliers/low/0/supplier": "tripjack", "suppliers/low/0/currency": "INR",
        "suppliers/closed/1": null, "suppliers/alarms/1": null, "suppliers/low/1": null,
        "rates/own_count": 1, "rates/own_oldest_day": world.now().date_naive(), "rates/bank_day": null,
    });
    let low = &overview["suppliers"]["low"][0];
    assert_eq!(amount(&low["available"]), dec!(1200));
    assert_eq!(amount(&low["warn_below"]), dec!(5000));
    // What is mended is not told any more.
    operator::open_supplier(platform, By::command_line(), "duffel", None).await.unwrap();
    operator::state_balance(platform, By::command_line(), "tripjack", dec!(9000), Currency::INR)
        .await
        .unwrap();
    let overview = viewer.get("/overview").await.ok();
    assert_eq!(overview["suppliers"], json!({ "closed": [], "alarms": [], "low": [] }));
    world.all_is_well().await;
    world.recover_in(301).await;
    let settled = viewer.get("/overview").await.ok();
    assert_has!(settled, { "incidents": [], "waiting/pending_bookings": 0, "waiting/open_steps": 0 });
    world.books_agree().await;
}
