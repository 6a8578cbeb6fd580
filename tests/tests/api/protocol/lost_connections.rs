//! A connection to PostgreSQL that breaks under a request: what only reads is answered from another one, what changes something
//! is not done again by the server itself.

use diesel_async::SimpleAsyncConnection;
use serde_json::json;
use wayfare_tests::{MONEY, PASSWORD, World, eventually};

/// Ends what waits for a table that is locked; how many connections there were.
const END_WAITING: &str = "select count(pg_terminate_backend(pid))::text from pg_stat_activity \
    where datname = current_database() and wait_event_type = 'Lock'";

/// Ends the connection of a request that waits for a table, once, and lets the table go afterwards.
async fn broken_once<T>(world: &World, table: &str, request: impl Future<Output = T>) -> T {
    let mut holder = world.database.owner().await;
    holder.batch_execute(&format!("begin; lock table {table} in access exclusive mode")).await.unwrap();
    let breaks = async {
        eventually("a request that waits for the table", async || {
            (world.line(END_WAITING).await == "1").then_some(())
        })
        .await;
        holder.batch_execute("commit").await.unwrap();
    };
    tokio::join!(request, breaks).0
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_reads_is_answered_from_another_connection() {
    let (world, _, _, agent) = World::start().await.and_people(MONEY, MONEY).await;
    let before = agent.get("/flights/bookings").await.ok();
    assert_eq!(broken_once(&world, "bookings", agent.get("/flights/bookings")).await.ok(), before);
}

/// Who asks is read for many at once.
#[tokio::test(flavor = "multi_thread")]
async fn who_asks_is_looked_up_on_another_connection_too() {
    let (world, _, _, agent) = World::start().await.and_people(MONEY, MONEY).await;
    let before = agent.get("/me").await.ok();
    assert_eq!(broken_once(&world, "sessions", agent.get("/me")).await.ok(), before);
}

/// The token of a browser's session is looked up on its own.
#[tokio::test(flavor = "multi_thread")]
async fn the_token_of_a_browser_is_looked_up_on_another_connection_too() {
    let (world, agency, agent) = World::start().await.and_agent(MONEY).await;
    let log_in = json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": PASSWORD });
    let begun = agent.with_token(None).post("/auth/sessions", &log_in).await.succeeds(201);
    let browser = agent.with_token(begun["token"].as_str());
    let before = browser.get("/me").await.ok();
    assert_eq!(broken_once(&world, "sessions", browser.get("/me")).await.ok(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_something_is_not_done_again() {
    let (world, _, _, agent) = World::start().await.and_people(MONEY, MONEY).await;
    let all = json!({});
    let changed = broken_once(&world, "notifications", agent.put("/notifications/read-all", &all)).await;
    assert_eq!(changed.status, 503, "{}", changed.text);
    assert!(!changed.header("retry-after").is_empty(), "{:?}", changed.headers);
    // The worker's statements wait for the table as well: the pool may have more than one broken connection.
    eventually("a connection that is whole", async || {
        (agent.put("/notifications/read-all", &all).await.status == 200).then_some(())
    })
    .await;
}
