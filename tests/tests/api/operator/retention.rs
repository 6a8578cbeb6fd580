//! What ages is removed, and a service that is used all the time stops growing but for bookings and money.

use diesel_async::SimpleAsyncConnection;
use serde_json::json;
use wayfare_operations::worker;
use wayfare_tests::{Person, World, one_way};

const DAY: i64 = 86_400;

/// Rows of what only counts for a while.
const AGING: &str = "select concat_ws(' ', (select count(*) from quotes where booking_id is null),
    (select count(*) from idempotency_keys), (select count(*) from sessions), (select count(*) from refresh_tokens))";
const BOOKED: &str = "select concat_ws(' ', (select count(*) from bookings),
    (select count(*) from quotes where booking_id is not null))";

/// A day of an agency: prices that nobody books and one that somebody does, an agent that is made, both under keys.
async fn works_a_day(agent: &Person, admin: &Person, day: i64) {
    for _ in 0..3 {
        agent.quote(&one_way("DEL", "BOM")).await;
    }
    let trip = one_way("DEL", "BOM");
    let quote = agent.quote(&trip).await;
    let order = agent.order(&quote, &trip);
    let booked = agent
        .post_with_key("/flights/book", &format!("day-{day}"), &order)
        .await
        .ok();
    assert_eq!(booked["status"], "CONFIRMED");
    let money = json!({ "amount": 1, "description": "pocket money" });
    let path = format!("/org/wallet/topup/{}", agent.id);
    admin
        .post_with_key(&path, &format!("money-{day}"), &money)
        .await
        .ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_used_every_day_stops_growing_but_for_its_bookings() {
    let world = World::frozen().await;
    let agency = world.agency().await;
    agency.admin("1000").await;
    // One session lives on and on; the others are left as they are.
    let mut living = agency.agent("arjun", "10000000").await;
    let mut sizes = Vec::new();
    for day in 0..48 {
        let (agent, admin) = (agency.log_in("arjun").await, agency.log_in("asha").await);
        works_a_day(&agent, &admin, day).await;
        living = living.refreshed().await;
        world.pass(DAY);
        worker::remove_old(&world.platform).await.unwrap();
        sizes.push(world.line(AGING).await);
    }
    assert_ne!(sizes[0], sizes[40], "something is kept for a while");
    assert!(sizes[40..].iter().all(|size| *size == sizes[40]), "{sizes:?}");
    assert_eq!(world.line(BOOKED).await, "48 48");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_leave_the_audit_log_and_what_was_done_stays() {
    let world = World::frozen().await;
    let (agency, other) = (world.agency().await, world.agency().await);
    for agency in [&agency, &other] {
        let agent = agency.agent("arjun", "1000").await;
        agency.admin("1000").await.give(&agent, "1", "pocket money").await;
    }
    let with = "select count(*) from events where (ip_address, user_agent) <> ('', '')";
    let before = world.line(with).await;
    assert_ne!(before, "0");
    let all = world.line("select count(*) from events").await;
    world.pass(400 * DAY);
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(with).await, before);
    world.pass(1);
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(with).await, "0");
    assert_eq!(world.line("select count(*) from events").await, all);
    let log = agency.log_in("asha").await.get("/org/audit-logs").await.ok();
    let entries = log.as_array().unwrap();
    assert!(!entries.is_empty());
    assert!(entries.iter().all(|entry| entry["ip_address"] == ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_another_server_works_on_is_left_to_it() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    agent.quote(&one_way("DEL", "BOM")).await;
    world.pass(60 * DAY);
    let count = "select count(*) from quotes";
    let mut elsewhere = world.database.connection().await;
    let lock = "begin; select 1 from retention for update";
    elsewhere.batch_execute(lock).await.unwrap();
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(count).await, "1");
    elsewhere.batch_execute("commit").await.unwrap();
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(count).await, "0");
}
