//! What waits in the database, and how the pool and the group commit are used.

use diesel_async::SimpleAsyncConnection;
use wayfare_operations::{
    operator::{metrics::gather, verify_ledger},
    worker,
};
use wayfare_tests::{LASTS, World, one_way};

use super::{Scrape, of, world};

#[tokio::test(flavor = "multi_thread")]
async fn an_open_step_and_its_hold_are_counted_until_it_is_completed() {
    let (world, url) = world().await;
    let agent = world.agent("1000000").await;
    assert!(Scrape::of(&url).await.value("wayfare_database_up", &[]).abs() < 0.5, "nothing was asked yet");
    gather(&world.platform).await;
    let scrape = Scrape::of(&url).await;
    let is = |scrape: &Scrape, name: &str, labels: &[(&str, &str)], expected: f64| {
        let value = scrape.value(name, labels);
        assert!((value - expected).abs() < 0.5, "{name} {labels:?}: {value}, not {expected}");
    };
    is(&scrape, "wayfare_database_up", &[], 1.0);
    is(&scrape, "wayfare_steps_open", &[], 0.0);

    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next_times("book", LASTS, 1).await;
    let booking = tokio::spawn(async move { agent.book(&order).await });
    wayfare_tests::eventually("the order is on its way", async || {
        gather(&world.platform).await;
        let open = Scrape::of(&url).await;
        (open.value("wayfare_steps_open", &[("kind", "book"), ("supplier", "duffel")]) > 0.5).then_some(())
    })
    .await;
    let open = Scrape::of(&url).await;
    is(&open, "wayfare_steps_open", &[("kind", "book"), ("supplier", "duffel")], 1.0);
    is(&open, "wayfare_holds_open", &[], 1.0);
    let held: f64 = world.held().await.to_string().parse().unwrap();
    is(&open, "wayfare_holds_amount", &[], held);
    let written = open.value("wayfare_committer_batch_size_sum", &[]);
    assert!(written - scrape.value("wayfare_committer_batch_size_sum", &[]) > 0.5);

    world.all_is_well().await;
    booking.await.unwrap();
    gather(&world.platform).await;
    let after = Scrape::of(&url).await;
    is(&after, "wayfare_steps_open", &[], 0.0);
    is(&after, "wayfare_holds_open", &[], 0.0);
    is(&after, "wayfare_committer_unknown_total", &[], 0.0);
    is(&after, "db_client_connection_timeouts_total", &[], 0.0);
    assert!(after.value("db_client_connection_max", &[]) > 0.5);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_proof_of_the_ledger_and_what_it_found_are_printed() {
    let (world, url) = world().await;
    world.agent("1000000").await;
    gather(&world.platform).await;
    let names =
        ["wayfare_ledger_last_verified_seconds", "wayfare_ledger_problems", "wayfare_ledger_wrong_wallets"];
    let printed = Scrape::of(&url).await;
    for name in names {
        assert!(!printed.0.contains_key(name), "{name} before any proof");
    }
    let prove = async || {
        verify_ledger(&world.platform, |_| {}).await.unwrap();
        gather(&world.platform).await;
        let scrape = Scrape::of(&url).await;
        names.map(|name| scrape.0[name])
    };
    let [age, problems, wrong] = prove().await;
    assert!((0.0..60.0).contains(&age), "{age}");
    assert!(problems < 0.5 && wrong < 0.5, "{problems} {wrong}");

    let mut connection = world.database.connection().await;
    connection.batch_execute("update wallets set balance = balance + 1 where balance > 0").await.unwrap();
    let [age, problems, wrong] = prove().await;
    assert!((0.0..60.0).contains(&age), "{age}");
    assert!(problems > 0.5 && wrong > 0.5 && problems >= wrong, "{problems} {wrong}");
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_orders_waits_and_what_is_removed_are_counted() {
    let (world, url) = of(World::frozen().await);
    let agent = world.agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let before = Scrape::of(&url).await;
    agent.buy(trip.clone()).await;
    agent.quote(&trip).await;
    let after = Scrape::of(&url).await;
    let looks = |scrape: &Scrape, kind: &str| {
        scrape.value("wayfare_look_to_book_total", &[("supplier", "duffel"), ("kind", kind)])
    };
    assert!(looks(&after, "asked") - looks(&before, "asked") > 0.5);
    assert!((looks(&after, "booked") - looks(&before, "booked") - 1.0).abs() < 0.5);
    let waits = "db_client_connection_wait_time_seconds_count";
    assert!(after.value(waits, &[]) > before.value(waits, &[]) + 0.5);

    world.pass(60 * 86_400);
    worker::remove_old(&world.platform).await.unwrap();
    let removed = Scrape::of(&url).await;
    for what in ["quotes", "sessions", "refresh_tokens"] {
        let rows = removed.value("wayfare_retention_rows_total", &[("what", what)]);
        assert!(rows > 0.5, "{what}: {rows}");
    }
    let age = removed.value("wayfare_retention_age_seconds", &[]);
    assert!(age < 60.0 && removed.0.contains_key("wayfare_retention_age_seconds"), "{age}");
}
