//! A migration may add a column with a default while servers of the version before work: what writes many rows at once names
//! its columns, so that the default counts, and what reads names them, so that prepared statements stay valid.

use std::collections::HashMap;

use serde_json::json;
use wayfare_tests::{Person, World, one_way};

const TABLES: [&str; 9] = [
    "holds",
    "bookings",
    "supplier_orders",
    "effects",
    "idempotency_keys",
    "transfers",
    "entries",
    "fare_transactions",
    "events",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_new_column_with_a_default_breaks_no_insert() {
    let (world, _, admin, agent) = World::start().await.and_people("1000", "1000000").await;
    let count_of = |table: &str| format!("select count(*) from {table}");
    let mut rows = HashMap::new();
    for table in TABLES {
        rows.insert(table, world.line(&count_of(table)).await);
        let add = format!("alter table {table} add column added_later text not null default 'default'");
        world.sql(&add).await;
    }
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    agent.post_with_key("/flights/book", "a key", &order).await.ok();
    admin.post(&format!("/org/wallet/topup/{}", agent.id), &json!({ "amount": 250 })).await.ok();
    for table in TABLES {
        assert_ne!(&world.line(&count_of(table)).await, &rows[table], "nothing was inserted into {table}");
    }
}

/// All of them, whatever migrations have made.
const ADD_TO_EVERY_TABLE: &str = "
    select string_agg(format('alter table %I add column added_later text not null default %L', relname, 'default'), ';')
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like '\\_\\_%'";

#[tokio::test(flavor = "multi_thread")]
async fn a_new_column_in_every_table_breaks_nothing_that_is_prepared() {
    let (world, _, admin, agent) = World::start().await.and_people("100000", "1000000").await;
    // Every connection of the pool comes to know the statements.
    for _ in 0..4 {
        work(&world, &admin, &agent).await;
    }
    let add = world.line(ADD_TO_EVERY_TABLE).await;
    assert!(add.matches("alter table").count() > 30, "{add}");
    world.sql(&add).await;
    for _ in 0..4 {
        work(&world, &admin, &agent).await;
    }
    world.all_is_well().await;
}

/// Sells, gives back, and reads every kind of list.
async fn work(world: &World, admin: &Person, agent: &Person) {
    let trip = one_way("DEL", "BOM");
    let kept = agent.buy(trip.clone()).await.reference;
    agent.cancels(&agent.buy(trip).await.reference).await;
    agent.booking(&kept).await;
    admin.post(&format!("/org/wallet/topup/{}", agent.id), &json!({ "amount": 250 })).await.ok();
    world.deliver().await;
    for list in [
        "/flights/bookings",
        "/flights/refunds",
        "/wallet/transactions",
        "/me/fare-transactions",
        "/notifications",
    ] {
        agent.get(list).await.ok();
    }
    for list in [
        "/org/users",
        "/org/wallet/transactions",
        "/org/wallet/summary",
        "/org/fare-transactions",
        "/org/audit-logs",
        "/org/packages",
        "/org/webhooks",
        "/events",
    ] {
        admin.get(list).await.ok();
    }
}
