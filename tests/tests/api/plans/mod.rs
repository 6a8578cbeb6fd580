//! Plans that were made while the tables were empty and are kept: what a statement reads does not grow with the bookings of
//! an agency.

mod agencies;
mod counts;
mod explained;

use diesel_async::SimpleAsyncConnection;
use explained::{Log, Statements};
use serde_json::json;
use wayfare_operations::Database;
use wayfare_tests::{MONEY, Person, Receiver, TestDatabase, World, WorldOptions, one_way};

use crate::bookings::airline_changes;

/// How many bookings are loaded in the end; `just plans` loads more.
const MANY: &str = "10000";

/// So many buffers more than with few bookings may a part read...
const MORE: i64 = 3;

/// ...or so many for each time that it enters an index from the root: trees grow by a level, or by two.
const LEVELS: i64 = 2;

/// So much may a statement read that came up only when there were many bookings: whether a connection is asked if it still
/// lives, or what a publisher meets, hangs on time. Who walks what an agency has reads thousands.
const RARE: i64 = 100;

/// How often what seems to have grown is done again: a page that was cleaned up meanwhile is an accident, a plan is not.
const AGAIN: usize = 5;

/// Without those that are cut from a list in its order (`status`, and the groups `upcoming`, `past`, `ended`), and without a search for a
/// locator: its index keeps what is new beside itself until it is vacuumed.
const LISTS: [&str; 35] = [
    "/flights/bookings",
    "/flights/bookings?q=FA-00000000",
    "/flights/bookings?q=Sharma/Nobody",
    "/flights/bookings?from=2020-01-01&to=2020-12-31",
    "/flights/bookings?group=needs_attention",
    "/flights/bookings?group=on_hold",
    "/flights/bookings/counts",
    "/hotels/bookings/counts",
    "/flights/refunds",
    "/flights/refunds?status=refunded",
    "/flights/changes",
    "/flights/changes?state=open",
    "/hotels/refunds",
    "/hotels/bookings",
    "/wallet/transactions",
    "/wallet/transactions?type=debit",
    "/org/wallet/transactions",
    "/me/fare-transactions",
    "/org/fare-transactions",
    "/reports",
    "/org/reports",
    "/notifications",
    "/notifications/unread-count",
    "/org/users",
    "/org/packages",
    "/org/packages/agent-assignments",
    "/org/audit-logs",
    "/org/audit-logs?action=user.created",
    "/org/audit-logs?entity_type=user",
    "/org/audit-logs?entity_id={agent}",
    "/org/audit-logs?actor_id={agent}",
    "/org/webhooks",
    "/org/webhooks/{webhook}/deliveries",
    "/org/webhooks/{webhook}/deliveries?status=failed",
    "/events",
];

/// A world whose statements are all explained, with two connections, so that each comes to know every statement soon.
async fn explained_world() -> World {
    explained_world_with(&[]).await
}

/// The same, with these settings of PostgreSQL's besides.
async fn explained_world_with(more: &[(&str, &str)]) -> World {
    let mut database = TestDatabase::fresh().await;
    let name = database.owner_url.rsplit('/').next().unwrap().to_owned();
    let settings = [
        ("session_preload_libraries", "auto_explain"),
        ("auto_explain.log_min_duration", "0"),
        ("auto_explain.log_analyze", "on"),
        ("auto_explain.log_buffers", "on"),
        ("auto_explain.log_timing", "off"),
        ("auto_explain.log_nested_statements", "on"),
        ("auto_explain.log_triggers", "on"),
        ("auto_explain.log_format", "json"),
    ];
    let settings = settings.iter().chain(more);
    let alter = settings.map(|(setting, value)| format!("alter database {name} set {setting} = '{value}';"));
    let alter: String = alter.collect();
    // Of indexes that cost the same a plan takes one by their age: none may rest on the keys being the oldest.
    let anew = "alter table events drop constraint events_pkey, add primary key (org_id, id);
        alter table notifications drop constraint notifications_pkey, add primary key (user_id, org_id, id);";
    database.owner().await.batch_execute(&(alter + anew)).await.unwrap();
    database.database =
        Database::connect_server(&database.url, 2).unwrap().owned_by(Some(&database.owner_url)).unwrap();
    World::on(database, WorldOptions::default()).await
}

/// Prices, books and cancels, and reads the first page of every list; the reference of the booking.
async fn everything(world: &World, admin: &Person, agent: &Person) -> String {
    let reference = agent.buy_dearest(&one_way("DEL", "BOM")).await.reference;
    airline_changes(world, &reference).await;
    agent.booking(&reference).await;
    agent.get(&format!("/flights/bookings/{reference}/timeline")).await.ok();
    agent.penalty(&reference).await.ok();
    agent.cancels(&reference).await;
    world.deliver().await;
    lists(admin, agent).await;
    reference
}

async fn lists(admin: &Person, agent: &Person) {
    let webhooks = admin.get("/org/webhooks").await.ok();
    let webhook = webhooks[0]["id"].as_str().unwrap();
    for list in LISTS {
        let list = &list.replace("{webhook}", webhook).replace("{agent}", &agent.id);
        let whose = if list.starts_with("/org") || list == "/events" { admin } else { agent };
        whose.get(list).await.ok();
    }
}

/// What everything takes at least, done a few times.
async fn taken(world: &World, log: &mut Log, admin: &Person, agent: &Person) -> Statements {
    log.since_the_last_time().await;
    for _ in 0..4 {
        everything(world, admin, agent).await;
    }
    log.since_the_last_time().await
}

async fn load(world: &World, references: &[String], count: usize) {
    let mut owner = world.database.owner().await;
    let quiet = "set session_replication_role = replica; set auto_explain.log_min_duration = -1";
    owner.batch_execute(quiet).await.unwrap();
    owner.batch_execute(include_str!("load.sql")).await.unwrap();
    for reference in references {
        let each = count / references.len();
        owner.batch_execute(&format!("select pg_temp.copy_booking('{reference}', {each})")).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_statement_reads_more_because_an_agency_has_booked_more() {
    let (world, agency, admin) = explained_world().await.and_admin(MONEY).await;
    let agent = agency.agent("arjun", MONEY).await;
    let receiver = Receiver::start().await;
    admin.post("/org/webhooks", &json!({ "url": receiver.url })).await.succeeds(201);
    let mut log = Log::of(&world).await;
    // Plans of tables that are as good as empty, and of those that have some hundred rows.
    for _ in 0..14 {
        lists(&admin, &agent).await;
    }
    for _ in 0..14 {
        everything(&world, &admin, &agent).await;
    }
    let cancelled = everything(&world, &admin, &agent).await;
    let confirmed = agent.buy(one_way("DEL", "BOM")).await.reference;
    world.deliver().await;
    let references = [cancelled, confirmed];
    load(&world, &references, 100).await;
    let few = taken(&world, &mut log, &admin, &agent).await;
    let many = std::env::var("WAYFARE_PLANS_BOOKINGS").unwrap_or(MANY.to_owned());
    load(&world, &references, many.parse().unwrap()).await;
    let mut connection = world.database.owner().await;
    connection.batch_execute("select 1 / (count(*) / 10000)::int from webhook_deliveries").await.unwrap();
    let mut many = taken(&world, &mut log, &admin, &agent).await;
    for _ in 0..AGAIN {
        if grown(&few, &many).is_empty() {
            break;
        }
        everything(&world, &admin, &agent).await;
        many.lower(log.since_the_last_time().await);
    }
    let grown = grown(&few, &many);
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}

/// Each row is paid for by every booking: PERFORMANCE has what they are for, and how many entries of indexes they take.
#[tokio::test(flavor = "multi_thread")]
async fn a_booking_writes_these_rows() {
    let (world, _, agent) = explained_world().await.and_agent(MONEY).await;
    let mut log = Log::of(&world).await;
    let trip = one_way("DEL", "BOM");
    let offer = agent.offer(&trip).await;
    log.written_since_the_last_time().await;
    let mut told = String::new();
    let mut tell = async |step: &str| {
        told.push_str(step);
        told.push('\n');
        for (what, rows) in log.written_since_the_last_time().await {
            told.push_str(&format!("  {what} {rows}\n"));
        }
    };
    let priced = agent.price(&offer).await.ok();
    tell("price").await;
    let booked = agent.book(&agent.order(&priced, &trip)).await.ok();
    tell("book").await;
    world.deliver().await;
    tell("publish").await;
    agent.cancels(booked["booking_ref"].as_str().unwrap()).await;
    tell("cancel").await;
    world.deliver().await;
    tell("publish").await;
    insta::assert_snapshot!("rows_of_a_booking", told);
}

/// What takes more of many bookings than of few.
fn grown(few: &Statements, many: &Statements) -> Vec<String> {
    let mut grown = Vec::new();
    for (text, much) in many.iter() {
        // How many there are in all, which a list tells, is counted.
        if ["SELECT COUNT(", "SELECT sum("].iter().any(|counts| text.starts_with(counts)) {
            continue;
        }
        let Some(little) = few.get(text) else {
            if much.fetched + much.buffers() > RARE {
                grown.push(format!("only of many, and reads much: {text}"));
            }
            continue;
        };
        let mut found = Vec::new();
        for (part, read) in &much.parts {
            let before = little.parts.get(part).map_or(0, |before| before.buffers);
            if read.buffers > before + MORE.max(LEVELS * read.descents) {
                found.push(format!("  {part} reads {} buffers instead of {before}", read.buffers));
            }
        }
        if much.fetched > little.fetched {
            let (fetched, before) = (much.fetched, little.fetched);
            found.push(format!("  fetches {fetched} rows instead of {before}: by{}", much.by));
        }
        if !found.is_empty() {
            grown.push(format!("{text}\n{}", found.join("\n")));
        }
    }
    grown
}
