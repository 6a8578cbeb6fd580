//! A migration may add a column with a default: what writes many rows at once names its columns, so that the default
//! counts.

use std::collections::HashMap;

use reqwest::Method;
use serde_json::json;
use wayfare_tests::{World, one_way};

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
    let trip = one_way("DEL", "BOM");
    let quote = agent.quote(&trip).await;
    let order = agent.order(&quote, &trip);
    let booking = agent.request(Method::POST, "/flights/book").json(&order);
    agent.send(booking.header("Idempotency-Key", "a key")).await.ok();
    let allocation = format!("/org/wallet/topup/{}", agent.id);
    admin.post(&allocation, &json!({ "amount": 250 })).await.ok();
    for table in TABLES {
        let before = &rows[table];
        assert_ne!(
            &world.line(&count_of(table)).await,
            before,
            "nothing was inserted into {table}"
        );
    }
}
