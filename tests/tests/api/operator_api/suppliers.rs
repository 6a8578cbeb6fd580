//! How suppliers do, as servers say of themselves, and what operators do about it: seen by all, closed by the desk, its account
//! by finance, each with their name.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::dec;
use serde_json::{Value, json};
use wayfare_domain::OperatorRole::{Desk, Finance, Viewer};
use wayfare_operations::{
    Database,
    suppliers::health::{HealthReporter, leave, report_for_ever},
    worker,
};
use wayfare_supply::Limits;
use wayfare_tests::{
    OperatorPerson, Person, World, WorldOptions, amount, capture_log, captured_log, eventually, one_way,
};

/// A frozen world whose breakers open after two failures, for ten seconds.
async fn brittle() -> World {
    let options = WorldOptions {
        limits: Limits::default().with(|limits| {
            limits.failures_to_open = 2;
            limits.open_for = Duration::from_secs(10);
        }),
        ..WorldOptions::default()
    };
    World::with(options.frozen()).await
}

async fn search(world: &World, agent: &Person, to: &'static str) -> String {
    let found = agent.post("/flights/search", &one_way("DEL", to).body(world.now())).await.ok();
    found["search_meta"]["provider_status"]["duffel"]["status"].as_str().unwrap().to_owned()
}

/// Duffel as the list of suppliers has it.
async fn duffel(operator: &OperatorPerson) -> Value {
    let all = operator.get("/suppliers").await.ok();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0]["code"], "duffel");
    all[0].clone()
}

fn time(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_breaker_that_opens_is_seen_with_its_time_and_so_is_what_went_wrong() {
    let (mut world, _, agent) = brittle().await.and_agent("1000000").await;
    let viewer = world.operator_api().operator("vera", Viewer).await;
    let unseen = duffel(&viewer).await;
    assert_has!(unseen, { "servers": [], "for_sale": true, "sells": "flight" });
    let mut server = HealthReporter::of("server-1");
    search(&world, &agent, "BOM").await;
    server.report(&world.platform.suppliers).await.unwrap();
    let well = duffel(&viewer).await["servers"][0].clone();
    assert_eq!((&well["name"], &well["is_gone"]), (&json!("server-1"), &json!(false)));
    assert_eq!((&well["breaker"], &well["open_until"]), (&json!("closed"), &Value::Null));
    assert_eq!((&well["permits"], &well["permits_used"]), (&json!(64), &json!(0)));
    let before = well["calls"].as_u64().unwrap();
    assert!(before > 0);
    assert!(well["p50_ms"].as_u64().unwrap() <= well["p99_ms"].as_u64().unwrap());
    assert_eq!(well["errors"], json!([]));

    world.next_times("search", "status:500", 2).await;
    for to in ["HYD", "MAA", "CCU"] {
        assert_eq!(search(&world, &agent, to).await, "error");
    }
    server.report(&world.platform.suppliers).await.unwrap();
    let failing = duffel(&viewer).await;
    let seen = &failing["servers"][0];
    assert_eq!(seen["breaker"], "open");
    assert_eq!(time(&seen["open_until"]), world.now() + TimeDelta::seconds(10));
    let errors = json!([{ "kind": "not_sent", "calls": 1 }, { "kind": "unknown", "calls": 2 }]);
    assert_has!(seen, { "errors": errors, "calls": before + 3 });
    let minutes = failing["minutes"].as_array().unwrap();
    assert_eq!(minutes.len(), 60);
    assert_has!(minutes, { "59/calls": before + 3, "59/errors": 3, "58/calls": 0 });

    world.pass(10);
    server.report(&world.platform.suppliers).await.unwrap();
    let tried = duffel(&viewer).await["servers"][0].clone();
    assert_eq!((&tried["breaker"], &tried["open_until"]), (&json!("half_open"), &Value::Null));
    assert_eq!(search(&world, &agent, "BLR").await, "success");
    // What went wrong more than a minute ago is in no server's counts any more, and still in the hour.
    world.pass(61);
    server.report(&world.platform.suppliers).await.unwrap();
    world.pass(5);
    server.report(&world.platform.suppliers).await.unwrap();
    let after = duffel(&viewer).await;
    assert_has!(after, { "servers/0/breaker": "closed", "servers/0/errors": [] });
    let minutes = after["minutes"].as_array().unwrap();
    let errors: Vec<u64> = minutes.iter().map(|minute| minute["errors"].as_u64().unwrap()).collect();
    assert_eq!((errors.iter().sum::<u64>(), errors[58]), (3, 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_rate_limited_says_until_when() {
    let (mut world, _, agent) = brittle().await.and_agent("1000000").await;
    let viewer = world.operator_api().operator("vera", Viewer).await;
    world.next("search", "rate_limited").await;
    search(&world, &agent, "BOM").await;
    HealthReporter::of("server-1").report(&world.platform.suppliers).await.unwrap();
    let seen = duffel(&viewer).await["servers"][0].clone();
    assert_eq!(time(&seen["paused_until"]), world.now() + TimeDelta::seconds(1));
    assert_has!(seen, { "breaker": "closed", "errors": [{ "kind": "limited", "calls": 1 }] });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_says_nothing_is_gone_and_what_is_old_is_removed() {
    let (world, viewer) = World::frozen().await.and_operator("vera", Viewer).await;
    let (mut first, mut second) = (HealthReporter::of("server-1"), HealthReporter::of("server-2"));
    first.report(&world.platform.suppliers).await.unwrap();
    second.report(&world.platform.suppliers).await.unwrap();
    world
        .sql("insert into servers (name, address, version, settings, clock_ahead_ms) values ('server-2', 'ten:8080', '1', '{}', 0)")
        .await;
    world.pass(60);
    let gone = async || {
        let servers = duffel(&viewer).await["servers"].clone();
        let said = servers.as_array().unwrap().iter().map(|server| {
            let address = server["address"].as_str().unwrap_or("-");
            format!("{} {address} {}", server["name"].as_str().unwrap(), server["is_gone"])
        });
        said.collect::<Vec<_>>()
    };
    assert_eq!(gone().await, ["server-2 ten:8080 false", "server-1 - false"]);
    world.pass(1);
    second.report(&world.platform.suppliers).await.unwrap();
    assert_eq!(gone().await, ["server-2 ten:8080 false", "server-1 - true"]);
    // In two steps: a session ends after an hour without use.
    world.pass(1800);
    assert_eq!(gone().await, ["server-2 ten:8080 true", "server-1 - true"]);
    world.pass(1800);
    second.report(&world.platform.suppliers).await.unwrap();
    assert_eq!(gone().await, ["server-2 ten:8080 false"]);
    let rows =
        "select (select count(*) from supplier_health) || ' ' || (select count(*) from supplier_minutes)";
    assert_eq!(world.line(rows).await, "2 4");
    world.pass(23 * 3600);
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(rows).await, "1 1");
}

/// Waits until the log has a text so often, or more.
async fn logged(text: &str, times: usize) {
    eventually(text, async || (captured_log().matches(text).count() >= times).then_some(())).await;
}

/// By the machine's clock: it is a loop of a server.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_goes_on_after_an_outage_warns_once_and_takes_back_what_it_said_when_it_ends() {
    capture_log();
    let options = WorldOptions::default();
    let world = World::with(options.clone()).await;
    let database = Database::connect_server(&world.database.url, 2).unwrap();
    let seen =
        format!("select count(*) from supplier_health where process = '{}'", database.server_name().unwrap());
    let platform = options.platform(database, world.sandbox_url());
    let reporting = tokio::spawn(report_for_ever(platform.suppliers.clone(), Duration::from_millis(20)));
    let written = async || eventually("a row", async || (world.line(&seen).await == "1").then_some(())).await;
    written().await;
    world.sql("alter table supplier_health rename to not_there").await;
    logged("how suppliers do can't be written yet", 3).await;
    world.sql("delete from not_there; alter table not_there rename to supplier_health").await;
    written().await;
    logged("how suppliers do is written again", 1).await;
    assert_eq!(captured_log().matches("how suppliers do can't be written: ").count(), 1);
    reporting.abort();
    assert!(reporting.await.unwrap_err().is_cancelled());
    leave(&platform.core).await;
    assert_eq!(world.line(&seen).await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_desk_closes_is_not_sold_until_it_opens_it_and_both_are_written_down_by_name() {
    let (mut world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let door = world.operator_api();
    let desk = door.operator("dev", Desk).await;
    let finance = door.operator("farah", Finance).await;
    let reason = json!({ "reason": "they issue tickets under wrong names" });
    finance.post("/suppliers/duffel/close", &reason).await.is(403, "this needs the role desk");
    let refused = desk.post("/suppliers/duffel/close", &json!({ "reason": "  " })).await;
    refused.is_invalid("{reason this field is required}");
    desk.post("/suppliers/nobody/close", &reason).await.is_missing();
    // It would open by itself.
    let refused = desk.post("/suppliers/duffel/close", &json!({ "reason": "account_empty" })).await;
    refused.is_invalid("{reason is what the service itself closes a supplier for}");
    assert_eq!(search(&world, &agent, "BOM").await, "success");
    // Said twice, it is done once.
    for _ in 0..2 {
        desk.post("/suppliers/duffel/close", &reason).await.says(200, "supplier closed for new sales");
    }
    worker::look_after_suppliers(&world.platform).await.unwrap();
    assert_eq!(search(&world, &agent, "BOM").await, "skipped");
    let closed = desk.get("/suppliers/duffel").await.ok();
    assert_has!(closed, { "supplier/for_sale": false, "supplier/closed_reason": reason["reason"] });
    assert_eq!(time(&closed["supplier"]["closed_at"]), world.now());
    assert_eq!(closed["events"].as_array().unwrap().len(), 1);
    let event = &closed["events"][0];
    assert_eq!((&event["action"], &event["by"]), (&json!("supplier.closed"), &json!("dev of the platform")));
    assert_eq!(event["details"]["reason"], reason["reason"]);

    world.pass(1);
    for _ in 0..2 {
        desk.post("/suppliers/duffel/open", &json!({ "note": "they say that it is mended" }))
            .await
            .says(200, "supplier open for sales");
    }
    worker::look_after_suppliers(&world.platform).await.unwrap();
    assert_eq!(search(&world, &agent, "BOM").await, "success");
    assert_eq!(duffel(&desk).await["closed_reason"], Value::Null);
    let done = format!(
        "select string_agg(action || ': ' || coalesce(value ->> 'reason', value ->> 'note'), '; ' order by created_at)
         from operator_events where value ->> 'supplier' = 'duffel' and actor_id = '{}' and address = ''",
        desk.id
    );
    assert_eq!(
        world.line(&done).await,
        "supplier.closed: they issue tickets under wrong names; supplier.opened: they say that it is mended"
    );
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn finance_states_what_an_account_holds_and_when_it_is_low() {
    let (_world, door) = World::frozen().await.and_operators();
    let (desk, finance) = (door.operator("dev", Desk).await, door.operator("farah", Finance).await);
    let balance = json!({ "balance": 1000.50, "currency": "INR" });
    desk.put("/suppliers/duffel/balance", &balance).await.is(403, "this needs the role finance");
    finance
        .put("/suppliers/duffel/balance", &json!({ "balance": 0.001, "currency": "INR" }))
        .await
        .is_invalid("{balance must have at most 2 decimals}");
    finance.put("/suppliers/duffel/balance", &balance).await.says(200, "balance stated");
    let wrong = json!({ "warn_below": 1, "stop_below": 5 });
    let refused = finance.put("/suppliers/duffel/limits", &wrong).await;
    refused.is_invalid("{warn_below must be at least the stop_below of 5}");
    let limits = json!({ "warn_below": 2000, "stop_below": 10 });
    finance.put("/suppliers/duffel/limits", &limits).await.says(200, "limits set");
    let low = duffel(&desk).await;
    let account = &low["account"];
    assert_eq!(amount(&account["available"]), dec!(1000.50));
    assert_eq!(amount(&account["warn_below"]), dec!(2000));
    assert_eq!((&account["stated"], &account["currency"]), (&json!(true), &json!("INR")));
    assert_eq!(low["alarms"][0]["kind"], "account_low");
    finance.put("/suppliers/duffel/limits", &json!({})).await.ok();
    let well = desk.get("/suppliers/duffel").await.ok();
    assert_has!(well, { "supplier/account/warn_below": null, "supplier/alarms": [] });
    let events = well["events"].as_array().unwrap().iter();
    let mut events: Vec<&str> = events.map(|event| event["action"].as_str().unwrap()).collect();
    events.sort_unstable();
    assert_eq!(events, ["supplier.balance_stated", "supplier.limits_set", "supplier.limits_set"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn look_to_book_has_what_each_agency_searched_and_booked() {
    let (mut world, agency, agent) = World::frozen().await.and_agent("1000000").await;
    let viewer = world.operator_api().operator("vera", Viewer).await;
    assert_eq!(viewer.get("/look-to-book").await.ok()["rows"], json!([]));
    for to in ["BOM", "BLR", "HYD"] {
        search(&world, &agent, to).await;
    }
    agent.buy(one_way("DEL", "BOM")).await;
    world.count_looks().await;
    let found = viewer.get("/look-to-book?days=7").await.ok();
    let today = world.now().date_naive();
    assert_has!(found, { "to": today.to_string(), "from": (today - TimeDelta::days(6)).to_string() });
    let row = &found["rows"][0];
    assert_has!(row, { "agent_id": agency.code.to_string(), "supplier": "duffel", "booked": 1 });
    assert_eq!(amount(&row["look_to_book"]), amount(&row["asked"]));
    assert!(row["asked"].as_u64().unwrap() > 3);
    viewer.get("/look-to-book?days=0").await.is_invalid("{days must be between 1 and 366}");
}

/// A supplier that renames it tells it under a name that nobody reads.
#[tokio::test(flavor = "multi_thread")]
async fn a_locator_that_confirmed_orders_no_longer_have_is_an_alarm() {
    let (mut world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let viewer = world.operator_api().operator("vera", Viewer).await;
    let mut server = HealthReporter::of("server-1");
    agent.buy(one_way("DEL", "BOM")).await;
    server.report(&world.platform.suppliers).await.unwrap();
    assert_eq!(duffel(&viewer).await["alarms"], json!([]));
    world.next("book", "says:booking_reference=null").await;
    assert_eq!(agent.booking(&agent.buy(one_way("DEL", "HYD")).await.reference).await["status"], "confirmed");
    server.report(&world.platform.suppliers).await.unwrap();
    let told = duffel(&viewer).await;
    let losses = told["read_losses"].as_array().unwrap();
    let missing = losses.iter().find(|loss| loss["kind"] == "missing");
    let missing = missing.unwrap_or_else(|| panic!("{losses:?}"));
    assert_eq!(missing["field"], "order.booking_reference");
    assert_eq!(told["alarms"][0]["kind"], "read_losses");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_of_answers_cannot_be_read_costs_itself_and_is_seen_by_the_operator() {
    let (mut world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let door = world.operator_api();
    let viewer = door.operator("vera", Viewer).await;
    let mut server = HealthReporter::of("server-1");
    let offers = async |to: &'static str| {
        let found = agent.post("/flights/search", &one_way("DEL", to).body(world.now())).await.ok();
        found["offers"].as_array().unwrap().len()
    };
    let usual = offers("BOM").await;
    server.report(&world.platform.suppliers).await.unwrap();
    let well = duffel(&viewer).await;
    assert_eq!((&well["read_losses"], &well["alarms"]), (&json!([]), &json!([])));

    world.next_times("search", "says:name=7", 2).await;
    assert!(usual > 0 && offers("HYD").await > 0);
    server.report(&world.platform.suppliers).await.unwrap();
    let told = duffel(&viewer).await;
    let losses = told["read_losses"].as_array().unwrap();
    let of_airlines = |losses: &[Value]| {
        let mut all = losses.iter();
        let named = all.find(|loss| loss["field"] == "offers[].owner.name");
        named.cloned().unwrap_or_else(|| panic!("{losses:?}"))
    };
    let loss = of_airlines(losses);
    assert_eq!((&loss["kind"], &loss["first_at"]), (&json!("left_out"), &loss["last_at"]));
    assert_eq!(loss["example"], "integer, expected a string");
    let first = loss["losses"].as_u64().unwrap();
    assert!(first > 0);
    let alarm = &told["alarms"][0];
    assert_eq!(alarm["kind"], "read_losses");
    assert_eq!(alarm["details"]["fields"].as_array().unwrap().len(), losses.len());

    // What is known is counted on, and no alarm any more.
    world.pass(60);
    assert!(offers("MAA").await > 0);
    server.report(&world.platform.suppliers).await.unwrap();
    let again = duffel(&viewer).await;
    let loss = of_airlines(again["read_losses"].as_array().unwrap());
    assert!(loss["losses"].as_u64().unwrap() > first);
    assert!(time(&loss["last_at"]) > time(&loss["first_at"]));
    assert_eq!(again["alarms"].as_array().unwrap().len(), 1);
    assert_eq!(again["alarms"][0]["details"], alarm["details"]);
    world.pass(24 * 3_600);
    world.tend_watch().await;
    let later = duffel(&door.operator("nora", Viewer).await).await;
    assert_eq!(later["alarms"], json!([]));
    assert_eq!(later["read_losses"].as_array().unwrap().len(), losses.len());
    // A month after it came last it is forgotten, and new when it comes again.
    world.pass(30 * 24 * 3_600);
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(duffel(&door.operator("omar", Viewer).await).await["read_losses"], json!([]));
}
