//! What waits in the database, and how the pool and the group commit are used.

use wayfare_operations::operator::metrics::gather;
use wayfare_tests::{LASTS, one_way};

use super::{Scrape, world};

#[tokio::test(flavor = "multi_thread")]
async fn an_open_step_and_its_hold_are_counted_until_it_is_completed() {
    let (world, url) = world().await;
    let agent = world.agent("1000000").await;
    let before = Scrape::of(&url).await;
    assert!(
        before.value("wayfare_database_up", &[]).abs() < 0.5,
        "nothing was asked yet"
    );
    gather(&world.platform).await;
    let scrape = Scrape::of(&url).await;
    let is = |scrape: &Scrape, name: &str, labels: &[(&str, &str)], expected: f64| {
        let value = scrape.value(name, labels);
        assert!(
            (value - expected).abs() < 0.5,
            "{name} {labels:?}: {value}, not {expected}"
        );
    };
    is(&scrape, "wayfare_database_up", &[], 1.0);
    is(&scrape, "wayfare_steps_open", &[], 0.0);

    let trip = one_way("DEL", "BOM");
    let quote = agent.quote(&trip).await;
    world.next_times("book", LASTS, 1).await;
    let order = agent.order(&quote, &trip);
    let booking = tokio::spawn(async move { agent.book(&order).await });
    wayfare_tests::eventually("the order is on its way", async || {
        gather(&world.platform).await;
        let open = Scrape::of(&url).await;
        let labels = [("kind", "book"), ("supplier", "duffel")];
        (open.value("wayfare_steps_open", &labels) > 0.5).then_some(())
    })
    .await;
    let open = Scrape::of(&url).await;
    is(
        &open,
        "wayfare_steps_open",
        &[("kind", "book"), ("supplier", "duffel")],
        1.0,
    );
    is(&open, "wayfare_holds_open", &[], 1.0);
    let held: f64 = world.held().await.to_string().parse().unwrap();
    is(&open, "wayfare_holds_amount", &[], held);
    let written = open.value("wayfare_writer_batch_size_sum", &[]);
    assert!(written - scrape.value("wayfare_writer_batch_size_sum", &[]) > 0.5);

    world.all_is_well().await;
    booking.await.unwrap();
    gather(&world.platform).await;
    let after = Scrape::of(&url).await;
    is(&after, "wayfare_steps_open", &[], 0.0);
    is(&after, "wayfare_holds_open", &[], 0.0);
    is(&after, "wayfare_writer_unknown_total", &[], 0.0);
    is(&after, "db_client_connection_timeouts_total", &[], 0.0);
    assert!(after.value("db_client_connection_max", &[]) > 0.5);
}
