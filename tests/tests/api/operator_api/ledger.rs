//! Proofs of the ledger at the operator's API: one at a time, watched, with what it found; and the trial balance.

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_domain::{
    OperatorRole::{Admin, Finance, Viewer},
    Origin,
};
use wayfare_operations::{
    Database,
    access::operators::{self, sessions},
    operator,
};
use wayfare_tests::{OperatorPerson, World, WorldOptions, amount, eventually, one_way, sum};

const PROOFS: &str = "/ledger/verifications";

fn at(id: &str) -> String {
    format!("{PROOFS}/{id}")
}

fn id_of(proof: &Value) -> String {
    proof["id"].as_str().unwrap().to_owned()
}

/// Begins a proof; its id.
async fn begin(person: &OperatorPerson) -> String {
    id_of(&person.post(PROOFS, &json!({})).await.succeeds(202))
}

/// The proof once it has ended.
async fn ended(person: &OperatorPerson, id: &str) -> Value {
    eventually("the proof has ended", async || {
        let proof = person.get(&at(id)).await.ok();
        (proof["state"] != "running").then_some(proof)
    })
    .await
}

/// Keeps everybody from the entries until it is dropped or ended.
struct Held(AsyncPgConnection);

impl Held {
    async fn entries(world: &World) -> Self {
        let mut connection = world.database.owner().await;
        connection.batch_execute("begin; lock table entries in access exclusive mode").await.unwrap();
        Self(connection)
    }

    async fn let_go(mut self) {
        self.0.batch_execute("rollback").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_runs_to_its_end_and_its_figures_add_up() {
    let (world, door) = World::frozen().await.and_operators();
    let (finance, viewer) = (door.operator("farah", Finance).await, door.operator("vera", Viewer).await);
    assert_eq!(viewer.get(PROOFS).await.ok(), json!([]));
    let (agency, other) = (world.agency().await, world.agency().await);
    agency.admin("5000").await;
    agency.agent("arjun", "1000000").await.buy(one_way("DEL", "BOM")).await;
    other.admin("700").await;
    viewer.post(PROOFS, &json!({})).await.is(403, "this needs the role finance");
    let proof = ended(&viewer, &begin(&finance).await).await;
    let number = async |query: &str| world.line(query).await.parse::<i64>().unwrap();
    let entries = number("select sum(sequence)::bigint from wallets").await;
    assert!(entries >= 4, "{entries}");
    assert_has!(proof, {
        "state": "done", "by": "farah", "commit": "the commit of a test", "found": 0, "first_fault": null,
        "total": entries, "read": entries, "wallets": number("select count(*) from wallets").await,
    });
    assert!(!proof["ended_at"].is_null() && !proof["started_at"].is_null());
    // It is also the last one for metrics.
    let last = "select entries || ' ' || problems from ledger_proofs";
    assert_eq!(world.line(last).await, format!("{entries} 0"));
    // And one of the command line is among them.
    world.pass(1);
    world.books_agree().await;
    let listed = viewer.get(&format!("{PROOFS}?per_page=1")).await;
    assert_eq!(listed.json()["meta"]["total"], 2);
    assert_has!(listed.ok()[0], { "by": null, "state": "done", "found": 0, "read": entries, "total": entries });
    assert_eq!(viewer.get(&format!("{PROOFS}?per_page=1&page=2")).await.ok()[0], proof);
    viewer.get(&at("01900000-0000-7000-8000-000000000000")).await.is_missing();
    viewer.get(&at("nonsense")).await.is_missing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_proof_while_one_runs_is_that_one_and_how_far_it_is_shows() {
    let (world, door) = World::frozen().await.and_operators();
    let (finance, admin) = (door.operator("farah", Finance).await, door.operator("anil", Admin).await);
    world.agency().await.admin("5000").await;
    let held = Held::entries(&world).await;
    let id = begin(&finance).await;
    for _ in 0..3 {
        assert_eq!(begin(&admin).await, id);
    }
    let running = eventually("it is written how far it is", async || {
        let proof = finance.get(&at(&id)).await.ok();
        (proof["elapsed_ms"].as_i64().unwrap() > 0).then_some(proof)
    })
    .await;
    assert_has!(running, {
        "state": "running", "read": 0, "total": 1, "found": null, "wallets": null, "ended_at": null, "by": "farah",
    });
    assert_has!(finance.get("/overview").await.ok(), { "ledger/running/id": id, "ledger/last": null });
    // It goes on for as long as it takes.
    let later = eventually("it is written again", async || {
        let proof = finance.get(&at(&id)).await.ok();
        (proof["elapsed_ms"].as_i64() > running["elapsed_ms"].as_i64()).then_some(proof)
    })
    .await;
    assert_eq!(later["state"], "running");
    held.let_go().await;
    let proof = ended(&finance, &id).await;
    assert_has!(proof, { "state": "done", "read": 1, "total": 1, "found": 0, "by": "farah" });
    assert_ne!(begin(&admin).await, id);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_entry_is_named_until_a_later_proof_finds_none() {
    let (world, finance) = World::frozen().await.and_operator("farah", Finance).await;
    let agency = world.agency().await;
    agency.admin("5000").await;
    agency.agent("arjun", "300").await;
    let wallet = world.line("select id from wallets where owner_type = 'user'").await;
    let change = |difference: &str| {
        format!(
            "set session_replication_role = replica;
             update entries set amount = amount {difference}, balance_after = balance_after {difference}
             where wallet_id = '{wallet}'"
        )
    };
    world.sql(&change("+ 1")).await;
    let wrong = ended(&finance, &begin(&finance).await).await;
    let fault = format!("wallet {wallet}: entry 1: debits of 300.00 and credits of 301.00 differ");
    assert_has!(wrong, { "state": "done", "first_fault": fault, "read": 2, "total": 2 });
    // The wallet's chain, and the transfer.
    assert_eq!(wrong["found"], 2);
    let id = id_of(&wrong);
    assert_has!(finance.get("/overview").await.ok(), { "ledger/last/id": id, "ledger/last/first_fault": fault });
    world.sql(&change("- 1")).await;
    // That it is mended is known when it was proven.
    world.pass(60);
    assert_has!(finance.get("/overview").await.ok(), { "ledger/last/found": 2 });
    let clean = ended(&finance, &begin(&finance).await).await;
    assert_has!(clean, { "found": 0, "first_fault": null });
    assert_has!(finance.get("/overview").await.ok(), { "ledger/last/id": id_of(&clean), "ledger/last/found": 0 });
    assert_has!(finance.get(&at(&id)).await.ok(), { "first_fault": fault });
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_whose_server_dies_is_lost_when_its_lease_ends() {
    let (world, finance) = World::frozen().await.and_operator("farah", Finance).await;
    world.agency().await.admin("5000").await;
    let held = Held::entries(&world).await;
    // A server of its own, which ends with all that it was at.
    let (url, sandbox) = (world.database.url.clone(), world.sandbox_url().to_owned());
    let (token, clock) = (finance.token.clone().unwrap(), world.clock.clone());
    let server = std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let begun = runtime.block_on(async {
            let options = WorldOptions { clock, ..WorldOptions::default() };
            let platform = options.platform(Database::connect(&url, 4).unwrap(), &sandbox);
            let viewer = sessions::authenticate(&platform.core, &token, Origin::default());
            let proof = operators::Finance::of(viewer.await.unwrap()).unwrap();
            operator::begin_verification(&platform, &proof).await.unwrap()
        });
        runtime.shutdown_background();
        begun.id.to_string()
    });
    let id = server.join().unwrap();
    world.pass(29);
    assert_has!(finance.get(&at(&id)).await.ok(), { "state": "running", "ended_at": null });
    assert_eq!(begin(&finance).await, id);
    world.pass(2);
    let lost = finance.get(&at(&id)).await.ok();
    assert_has!(lost, { "state": "lost", "found": null, "by": "farah" });
    assert!(!lost["ended_at"].is_null());
    assert_has!(finance.get("/overview").await.ok(), { "ledger/running": null, "ledger/last": null });
    held.let_go().await;
    assert_has!(ended(&finance, &begin(&finance).await).await, { "state": "done", "found": 0 });
    assert_eq!(finance.get(&at(&id)).await.ok(), lost);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_that_breaks_off_says_so() {
    let (world, finance) = World::frozen().await.and_operator("farah", Finance).await;
    world.agency().await.admin("5000").await;
    let held = Held::entries(&world).await;
    let id = begin(&finance).await;
    let end = "select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%entries%'";
    let proof = eventually("the proof has broken off", async || {
        world.sql(end).await;
        let proof = finance.get(&at(&id)).await.ok();
        (proof["state"] != "running").then_some(proof)
    })
    .await;
    assert_has!(proof, { "state": "failed", "found": null, "wallets": null, "first_fault": null });
    held.let_go().await;
    assert_has!(ended(&finance, &begin(&finance).await).await, { "state": "done", "found": 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn the_trial_balance_adds_up_for_each_currency() {
    let (world, door) = World::frozen().await.and_operators();
    let (finance, viewer) = (door.operator("farah", Finance).await, door.operator("vera", Viewer).await);
    let empty = finance.get("/trial-balance").await.ok();
    assert_eq!(empty, json!({ "accounts": [], "totals": [], "problems": [] }));
    let (agency, other) = (world.agency().await, world.agency().await);
    agency.admin("5000").await;
    agency.agent("arjun", "1000000").await.buy(one_way("DEL", "BOM")).await;
    other.admin("700.50").await;
    let all = finance.get("/trial-balance").await.ok();
    assert_eq!(all["problems"], json!([]));
    let totals = all["totals"].as_array().unwrap();
    assert!(!totals.is_empty());
    for total in totals {
        assert_eq!(amount(&total["debits"]), amount(&total["credits"]), "{total}");
    }
    assert!(sum(&all["accounts"], "balance").is_zero());
    let wallets = |of: &Value| {
        let rows = of["accounts"].as_array().unwrap().clone();
        let row = rows.into_iter().find(|row| row["account"] == "wallets").unwrap();
        (amount(&row["balance"]), row["count"].as_i64().unwrap())
    };
    let held: Decimal = world.line("select sum(balance)::text from wallets").await.parse().unwrap();
    assert_eq!(wallets(&all), (held, 3));
    let path = format!("/trial-balance?agency={}", other.code);
    assert_eq!(wallets(&finance.get(&path).await.ok()), (amount(&json!(700.50)), 1));
    finance.get("/trial-balance?agency=WF000000").await.is_missing();
    viewer.get("/trial-balance").await.is(403, "this needs the role finance");
    world.sql("update wallets set balance = balance + 1 where balance = 700.5").await;
    let wrong = finance.get(&path).await.ok();
    assert_eq!(wrong["problems"], json!(["wallets hold 701.50 INR, their entries say 700.50"]));
}
