//! A supplier that fails again and again is left alone for a while: callers are told so at once, nothing is held,
//! and what was pending stays pending until it can be looked up.

use std::time::Duration;

use serde_json::{Value, json};
use wayfare_supply::Limits;
use wayfare_tests::{Person, Trip, World, WorldOptions, one_way};

const FAILURES: u32 = 3;
const OPEN_FOR: i64 = 10;
const UNAVAILABLE: &str = "supplier is temporarily unavailable, please try again";

async fn world() -> World {
    let open_for = Duration::from_secs(OPEN_FOR.unsigned_abs());
    let limits = Limits::default().with(|limits| {
        limits.failures_to_open = FAILURES;
        limits.open_for = open_for;
    });
    World::with(WorldOptions { limits, ..WorldOptions::default() }.frozen()).await
}

fn trip() -> Trip {
    one_way("DEL", "BOM")
}

/// What the supplier's status and error in a search's answer say.
async fn searched(world: &World, agent: &Person) -> (Value, Value) {
    let found = agent.post("/flights/search", &trip().body(world.now())).await.ok();
    (
        found["search_meta"]["provider_status"]["duffel"]["status"].clone(),
        found["debug"]["provider_errors"]["duffel"].clone(),
    )
}

/// Lets so many searches fail in a row.
async fn failing_searches(world: &World, agent: &Person, fault: &str) {
    world.next_times("search", fault, FAILURES).await;
    for _ in 0..FAILURES {
        let (status, _) = searched(world, agent).await;
        assert_eq!(status, "error");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_keeps_failing_is_left_alone_and_then_all_works() {
    let (world, _, agent) = world().await.and_agent("1000000").await;
    let order = agent.order(&agent.quote(&trip()).await, &trip());
    let offer = agent.offer(&trip()).await;
    failing_searches(&world, &agent, "status:500").await;
    // From here on the supplier is well again, and nobody asks it.
    let left_alone = json!("the supplier keeps failing and is left alone for a while");
    assert_eq!(searched(&world, &agent).await, (json!("error"), left_alone));
    let reply = agent.price(&offer).await;
    reply.is(503, UNAVAILABLE);
    assert_eq!(reply.header("retry-after"), "10");
    world.pass(4);
    let reply = agent.book(&order).await;
    reply.is(503, UNAVAILABLE);
    assert_eq!(reply.header("retry-after"), "6");
    assert!(world.held().await.is_zero());
    assert_eq!(world.line("select status from bookings").await, "failed");
    assert_eq!(world.supplier_orders().await, Vec::<Value>::new());

    world.pass(6);
    let (status, _) = searched(&world, &agent).await;
    assert_eq!(status, "success");
    agent.price(&offer).await.ok();
    agent.book(&order).await.ok();
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_is_rate_limiting_is_left_alone_until_it_says() {
    let (world, _, agent) = world().await.and_agent("1000000").await;
    let order = agent.order(&agent.quote(&trip()).await, &trip());
    world.next("search", "rate_limited").await;
    for _ in 0..2 {
        let (status, reason) = searched(&world, &agent).await;
        assert_eq!((status, reason), (json!("error"), json!("the supplier is rate limiting")));
    }
    let reply = agent.book(&order).await;
    reply.is(503, UNAVAILABLE);
    assert_eq!(reply.header("retry-after"), "1");
    assert!(world.held().await.is_zero());
    world.pass(1);
    agent.book(&order).await.ok();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_pending_stays_pending_while_nobody_can_be_asked() {
    let (world, _, agent) = world().await.and_agent("1000000").await;
    let order = agent.order(&agent.quote(&trip()).await, &trip());
    world.next("book", "drop_after").await;
    let booked = agent.book(&order).await.succeeds(202);
    let reference = booked["booking_ref"].as_str().unwrap();
    let held = world.held().await;
    // The unknown booking was a failure too: this opens the breaker.
    world.next_times("search", "drop_before", FAILURES - 1).await;
    for _ in 1..FAILURES {
        searched(&world, &agent).await;
    }
    assert_eq!(world.recover_in(2).await, 1);
    assert_eq!(agent.booking(reference).await["status"], "pending");
    assert_eq!(world.held().await, held);
    let problem = world.line("select problem from effects").await;
    assert!(problem.contains("left alone"), "{problem}");

    world.recover_in(OPEN_FOR).await;
    assert_eq!(agent.booking(reference).await["status"], "confirmed");
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.books_agree().await;
}
