//! What ages is removed, and a service that is used all the time stops growing but for bookings and money.

use std::collections::BTreeMap;

use diesel_async::SimpleAsyncConnection;
use serde_json::json;
use wayfare_operations::{suppliers::look_to_book, worker};
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
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    let booked = agent.post_with_key("/flights/book", &format!("day-{day}"), &order).await.ok();
    assert_eq!(booked["status"], "CONFIRMED");
    let money = json!({ "amount": 1, "description": "pocket money" });
    let path = format!("/org/wallet/topup/{}", agent.id);
    admin.post_with_key(&path, &format!("money-{day}"), &money).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_used_every_day_stops_growing_but_for_its_bookings() {
    let (world, agency) = World::frozen().await.and_agency().await;
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

async fn rows(world: &World) -> BTreeMap<String, i64> {
    let tables = "select table_name::text from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> '__diesel_schema_migrations'";
    let mut counted = BTreeMap::new();
    for table in world.lines(tables).await {
        let count = world.line(&format!("select count(*) from {table}")).await;
        counted.insert(table, count.parse().unwrap());
    }
    counted
}

/// What may grow though nobody books, and why.
const GROWS: [(&str, &str); 1] = [("look_to_book", "a row for each day, agency and supplier")];

#[tokio::test(flavor = "multi_thread")]
async fn while_everybody_searches_and_nobody_books_no_table_grows() {
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.agent("arjun", "10000000").await;
    let mut seen: Vec<(BTreeMap<String, i64>, i64)> = Vec::new();
    for day in 1..=48 {
        let agent = agency.log_in("arjun").await;
        let trip = one_way("DEL", "BOM");
        for _ in 0..2 {
            agent.quote(&trip).await;
        }
        look_to_book::write(&world.platform.suppliers).await.unwrap();
        world.pass(DAY);
        worker::remove_old(&world.platform).await.unwrap();
        // As autovacuum does, whenever it comes: what was removed is room for what comes.
        let mut connection = world.database.connection().await;
        connection.batch_execute("vacuum quotes").await.unwrap();
        if [40, 48].contains(&day) {
            let bytes = world.line("select pg_relation_size('quotes')").await;
            seen.push((rows(&world).await, bytes.parse().unwrap()));
        }
    }
    let [early, late] = &seen[..] else { panic!("{seen:?}") };
    let grown = late.0.iter().filter(|(table, count)| **count > early.0[*table]);
    let grown: Vec<&str> = grown.map(|(table, _)| table.as_str()).collect();
    assert_eq!(grown, GROWS.map(|(table, _)| table), "{late:?}");
    assert!(late.0["quotes"] > 0 && late.0["sessions"] > 0, "{late:?}");
    assert!(late.1 <= early.1, "quotes take {} bytes, and took {}", late.1, early.1);
    assert_eq!((late.0["bookings"], late.0["effects"]), (0, 0));
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
async fn one_server_removes_at_a_time() {
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.admin("1000").await;
    world.pass(60 * DAY);
    let count =
        "select concat_ws(' ', (select count(*) from sessions), (select count(*) from notifications))";
    let before = world.line(count).await;
    let mut elsewhere = world.database.connection().await;
    elsewhere.batch_execute("begin; select pg_advisory_xact_lock(7727062)").await.unwrap();
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(count).await, before);
    elsewhere.batch_execute("commit").await.unwrap();
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line("select count(*) from sessions").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_another_server_works_on_is_left_to_it() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    agent.quote(&one_way("DEL", "BOM")).await;
    world.pass(60 * DAY);
    let count = "select count(*) from quotes";
    let mut elsewhere = world.database.connection().await;
    elsewhere.batch_execute("begin; select 1 from retention for update").await.unwrap();
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(count).await, "1");
    elsewhere.batch_execute("commit").await.unwrap();
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(count).await, "0");
}
