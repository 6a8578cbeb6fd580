//! The program `wayfare` as its users start, stop and kill it: whole processes, each in a folder of its own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod support;

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use rust_decimal::Decimal;
use rustix::process::{Signal, geteuid, kill_process};
use serde_json::{Value, json};
use support::api::{Api, decimal, order, search};
use support::{Place, until};
use tokio_postgres::NoTls;
use wayfare_local_postgres::test_server::TestServer;

const SIGNING_KEY: &str = "a signing key for tests, 32 bytes at least";
const LEDGER_KEY: &str = "a ledger key for tests, of 32 bytes at least";

#[tokio::test]
async fn the_printed_lines_search_price_book_and_cancel_against_a_fresh_start() {
    let place = Place::new().await;
    let server = place.start().await;
    println!("ready after {:?} (cold)", server.ready_after());
    let api = Api::agent(&place).await;
    let before = api.balance().await;

    let lines = server.tour().await;
    let [offer, priced, booked, paid, penalty, cancelled, refunded] = paste(&lines).try_into().unwrap();

    assert!(
        offer.strip_prefix("offer ").is_some_and(|id| !id.is_empty()),
        "{offer}"
    );
    let [priced, booked, paid, penalty, cancelled, refunded] =
        [priced, booked, paid, penalty, cancelled, refunded].map(|line| {
            let body: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"));
            assert_eq!(body["success"], true, "{line}");
            body
        });
    assert_eq!(priced["data"]["status"], "PRICE_VERIFIED");
    let fare = decimal(&priced["data"]["price_summary"]["agent_details"]["agent_fare"]);
    assert!(fare > Decimal::ZERO);
    assert_eq!(booked["data"]["status"], "CONFIRMED");
    let after_booking = decimal(&paid["data"]["balance"]);
    assert_eq!(before - after_booking, fare);
    let refund = decimal(&penalty["data"]["refund_amount"]);
    assert!(refund > Decimal::ZERO, "{penalty}");
    assert_eq!(cancelled["message"], "booking cancelled");
    assert_eq!(decimal(&cancelled["data"]["refund_to_wallet"]), refund);
    assert_eq!(decimal(&refunded["data"]["balance"]) - after_booking, refund);

    let orders = api.sandbox("/orders").await;
    let [order] = orders.as_array().unwrap().as_slice() else {
        panic!("not one order: {orders}");
    };
    assert_eq!(order["supplier"], "duffel");
    let reference = booked["data"]["booking_ref"].as_str().unwrap();
    assert_eq!(order["reference"], reference);
    assert_eq!(order["order_reference"], format!("{reference}-1"));
    assert_eq!(order["status"], "cancelled");
    assert!(order["cancelled_at"].is_string());
}

/// Gives the lines to a bash, as a person pastes them, and returns what it shows.
fn paste(lines: &[String]) -> Vec<String> {
    let mut bash = Command::new("bash")
        .env("no_proxy", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = bash.stdin.take().unwrap();
    for line in lines {
        writeln!(stdin, "{line}").unwrap();
    }
    drop(stdin);
    let shown = bash.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&shown.stderr);
    assert!(shown.status.success() && errors.is_empty(), "{errors}");
    let shown = String::from_utf8(shown.stdout).unwrap();
    shown.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn demo_json_tells_programs_all_and_nobody_else_anything() {
    let place = Place::new().await;
    let server = place.start().await;

    let file = place.data().join("demo.json");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o600);
    let demo = place.demo();
    let names: Vec<&String> = demo.as_object().unwrap().keys().collect();
    assert_eq!(names, ["agent_id", "base_url", "sandbox_url", "users"]);
    assert_eq!(demo["base_url"], server.url());
    assert!(!server.url().ends_with(":0"), "the real port, not the asked one");

    let printed = server.lines().join("\n");
    for told in [&demo["agent_id"], &demo["sandbox_url"]] {
        assert!(printed.contains(told.as_str().unwrap()), "{told} is not printed");
    }
    let users = demo["users"].as_array().unwrap();
    let roles: Vec<&Value> = users.iter().map(|user| &user["role"]).collect();
    assert_eq!(roles, ["org_admin", "agent"]);
    for user in users {
        let names: Vec<&String> = user.as_object().unwrap().keys().collect();
        assert_eq!(names, ["password", "role", "username"]);
        assert!(user["password"].as_str().unwrap().len() >= 16);
    }
    // Both come in.
    Api::log_in(&place, "org_admin").await.get("/org/wallet").await;
    assert_eq!(Api::agent(&place).await.ready().await, 200);
    assert!(!server.said().contains(users[0]["password"].as_str().unwrap()));
}

#[tokio::test]
async fn a_stop_ends_everything_and_the_next_start_finds_everything_as_it_was() {
    let place = Place::new().await;
    let mut server = place.start().await;
    println!("ready after {:?} (cold)", server.ready_after());
    let api = Api::agent(&place).await;
    let (reference, _) = api.book().await;
    let before = api.holdings(&place).await;
    assert_eq!(api.get("/flights/bookings").await[0]["booking_ref"], reference);

    for signal in [Signal::INT, Signal::TERM] {
        assert!(place.processes().len() > 1, "PostgreSQL and sandbox run");
        assert_eq!(server.stop(signal).await.code(), Some(0), "{}", server.said());
        // All has ended before it ends itself.
        assert_eq!(place.processes(), [], "after {signal:?}");

        server = place.start().await;
        println!("ready after {:?} (warm)", server.ready_after());
        let api = Api::agent(&place).await;
        assert_eq!(api.url(), server.url());
        assert_eq!(api.holdings(&place).await, before, "after {signal:?}");
    }
    // The keys are the same ones, so old log-ins hold.
    assert_eq!(
        api.moved(&place).balance().await,
        Api::agent(&place).await.balance().await
    );
}

#[tokio::test]
async fn an_idle_connection_does_not_hold_up_a_stop() {
    let place = Place::new().await;
    let mut server = place.start().await;
    // It called once and keeps its connection.
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let live = http.get(format!("{}/health/live", server.url()));
    live.send().await.unwrap().bytes().await.unwrap();
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0));
    place.assert_nobody_is_left().await;
}

#[tokio::test]
async fn a_stop_during_the_first_start_leaves_nothing_and_spoils_nothing() {
    for (made, signal) in [
        ("keys.toml", Signal::INT),
        ("postgres/data", Signal::TERM),
        ("sandbox/sandbox.log", Signal::INT),
        ("demo.json", Signal::TERM),
    ] {
        let place = Place::new().await;
        let mut server = place.launch([]);
        let path = place.data().join(made);
        until(made, async || path.exists().then_some(())).await;
        assert_eq!(
            server.stop(signal).await.code(),
            Some(0),
            "at {made}: {}",
            server.said()
        );
        place.assert_nobody_is_left().await;

        let server = place.start().await;
        assert_eq!(Api::agent(&place).await.ready().await, 200, "at {made}");
        drop(server);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_killed_while_it_books_finds_all_again_and_has_booked_once() {
    let place = Place::new().await;
    let mut server = place.start().await;
    let api = Api::agent(&place).await;
    api.book().await;
    let before = api.holdings(&place).await;
    let sandbox = place.sandbox();
    server.kill();

    // PostgreSQL went with it, the sandbox did not. Now it is also a supplier that is given up on early, so that
    // the next start looks soon after what the kill left open.
    let hasty = format!(
        "sandbox = 'on'\n[[suppliers]]\ncode = 'hasty'\nkind = 'duffel'\nbase_url = '{}/duffel'\n\
         token = 'duffel_test_hasty'\neffect_deadline_s = 3\nprocessing_time_s = 3\n",
        api.sandbox_url()
    );
    let file = place.write("wayfare.toml", &hasty);
    let hasty = [("WAYFARE_CONFIG", file.to_str().unwrap())];
    let mut server = place.start_with(hasty).await;
    println!("ready after {:?} (after a kill)", server.ready_after());
    let api = Api::agent(&place).await;
    assert_eq!(api.holdings(&place).await, before);
    assert_eq!(place.sandbox(), sandbox);

    let (key, fare) = api.price("hasty").await;
    let balance = api.balance().await;
    api.fault("book", "slow:3000").await;
    let booking = tokio::spawn({
        let api = api.clone();
        async move { api.try_post("/flights/book", order(&key)).await }
    });
    until("the order at the supplier", async || {
        let waiting = api.sandbox("/faults").await;
        (waiting == json!([])).then_some(())
    })
    .await;
    assert!(!booking.is_finished());
    booking.abort();
    server.kill();

    let server = place.start_with(hasty).await;
    println!("ready after {:?} (after a kill)", server.ready_after());
    let api = Api::agent(&place).await;
    assert_eq!(place.sandbox(), sandbox);
    until("the booking's end", async || {
        let bookings = api.get("/flights/bookings").await;
        let bookings = bookings.as_array().unwrap();
        assert_eq!(bookings.len(), 2);
        let done = |booking: &Value| booking["status"] == "confirmed";
        bookings.iter().all(done).then_some(())
    })
    .await;
    assert_eq!(balance - api.balance().await, fare);
    let orders = api.sandbox("/orders").await;
    assert_eq!(orders.as_array().unwrap().len(), 2, "{orders}");
}

#[tokio::test]
async fn after_a_kill_of_server_sandbox_and_postgresql_the_next_start_has_everything() {
    let place = Place::new().await;
    let mut server = place.start().await;
    let api = Api::agent(&place).await;
    api.book().await;
    let before = api.holdings(&place).await;
    let (postmaster, sandbox) = (place.postmaster(), place.sandbox());

    // Two lives: the second starts where the first was killed.
    for _ in 0..2 {
        let (postmaster, sandbox) = (place.postmaster(), place.sandbox());
        kill_process(postmaster, Signal::KILL).unwrap();
        kill_process(sandbox, Signal::KILL).unwrap();
        server.kill();
        server = place.start().await;
        println!("ready after {:?} (after three kills)", server.ready_after());
        assert_eq!(Api::agent(&place).await.holdings(&place).await, before);
    }
    assert!(place.postmaster() != postmaster && place.sandbox() != sandbox);
    assert_eq!(server.stop(Signal::INT).await.code(), Some(0));
    place.assert_nobody_is_left().await;
}

#[tokio::test]
async fn a_server_whose_postgresql_ends_says_so_and_ends_too() {
    let place = Place::new().await;
    let mut server = place.start().await;
    kill_process(place.postmaster(), Signal::KILL).unwrap();
    let status = server.exited(Duration::from_secs(20)).await;
    assert_eq!(status.code(), Some(1), "{}", server.said());
    let last = server.said().lines().last().unwrap_or_default().to_owned();
    assert!(
        last.starts_with("wayfare: ") && last.contains("postgres.log"),
        "{last}"
    );
    place.assert_nobody_is_left().await;
    place.start().await;
}

#[tokio::test]
async fn a_plain_user_starts_it_twice() {
    if !geteuid().is_root() {
        println!("did not run: only root can become another user, and all other tests ran as this one");
        return;
    }
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let nobody = users.lines().find(|line| line.starts_with("nobody:"));
    let Some(nobody) = nobody else {
        println!("did not run: there is no user nobody");
        return;
    };
    let ids: Vec<u32> = nobody
        .split(':')
        .skip(2)
        .take(2)
        .map(|id| id.parse().unwrap())
        .collect();
    let mut place = Place::new().await;
    place.become_user((ids[0], ids[1]));

    let mut server = place.start().await;
    println!("ready after {:?} (cold, as nobody)", server.ready_after());
    let api = Api::agent(&place).await;
    api.book().await;
    let before = api.holdings(&place).await;
    assert_eq!(
        server.stop(Signal::INT).await.code(),
        Some(0),
        "{}",
        server.said()
    );
    assert_eq!(place.processes(), []);
    assert_eq!(
        fs::metadata(place.data()).unwrap().permissions().mode() & 0o7777,
        0o700
    );

    let server = place.start().await;
    println!("ready after {:?} (warm, as nobody)", server.ready_after());
    assert_eq!(Api::agent(&place).await.holdings(&place).await, before);
}

#[tokio::test]
async fn a_wrong_setting_is_refused_by_name_before_anything_is_made() {
    let place = Place::new().await;
    let file = place.write("wayfare.toml", "sandbx = \"on\"\n");
    let file = file.to_str().unwrap();
    for (variables, named) in [
        (
            vec![("WAYFARE_BIND", "nonsense")],
            vec!["WAYFARE_BIND", "nonsense"],
        ),
        (
            vec![("WAYFARE_RATE_LIMITS", "off"), ("WAYFARE_BIND", "0.0.0.0:0")],
            vec!["WAYFARE_RATE_LIMITS", "WAYFARE_BIND", "0.0.0.0:0"],
        ),
        (
            vec![("WAYFARE_DEMO", "on"), ("WAYFARE_BIND", "0.0.0.0:0")],
            vec!["WAYFARE_DEMO", "WAYFARE_BIND"],
        ),
        (vec![("WAYFARE_CONFIG", file)], vec!["sandbx", file]),
        (
            vec![("WAYFARE_CONFIG", "/nowhere/wayfare.toml")],
            vec!["/nowhere/wayfare.toml"],
        ),
        (
            vec![("WAYFARE_SANDBOX", "maybe")],
            vec!["WAYFARE_SANDBOX", "maybe"],
        ),
        (vec![("WAYFARE_SIGNING_KEY", "hush")], vec!["WAYFARE_SIGNING_KEY"]),
        (vec![("DATABASE_URL", "mysql://x/y")], vec!["DATABASE_URL"]),
    ] {
        let two = |at: usize| variables.get(at).copied().unwrap_or(("WAYFARE_LOG", "info"));
        let (code, said) = place.refused([two(0), two(1)]).await;
        assert_eq!(code, Some(2), "{variables:?}: {said}");
        for name in named {
            assert!(said.contains(name), "{name} is not in: {said}");
        }
        assert!(!said.contains("hush") && !said.contains("panicked"), "{said}");
    }
    assert!(!place.data().exists());
}

#[tokio::test]
async fn without_keys_there_is_no_start_on_a_database_of_the_operators() {
    let place = Place::new().await;
    let url = ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/nothing");
    let (code, said) = place.refused([url]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.starts_with("wayfare: WAYFARE_SIGNING_KEY is not set"),
        "{said}"
    );
    let (code, said) = place.refused([url, ("WAYFARE_SIGNING_KEY", SIGNING_KEY)]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.starts_with("wayfare: WAYFARE_LEDGER_KEY is not set"),
        "{said}"
    );
    assert!(!place.data().exists());

    // With both it is the database that is missing.
    let keys = [
        ("WAYFARE_SIGNING_KEY", SIGNING_KEY),
        ("WAYFARE_LEDGER_KEY", LEDGER_KEY),
    ];
    let (code, said) = place.refused([url, keys[0], keys[1]]).await;
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("wayfare: ") && said.contains("onnect"), "{said}");
    assert!(!said.contains("key for tests"), "{said}");
}

#[tokio::test]
async fn a_port_in_use_is_named_in_one_line_and_nothing_is_left_running() {
    let place = Place::new().await;
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let (code, said) = place.refused([("WAYFARE_BIND", &address)]).await;
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains(&address) && said.contains("Address already in use"),
        "{said}"
    );
    assert_eq!(place.processes(), []);
    assert!(!place.data().join("postgres").exists() && !place.data().join("sandbox").exists());
}

#[tokio::test]
async fn on_a_database_of_the_operators_there_is_no_demo_and_no_sandbox_unless_asked_for() {
    let place = Place::new().await;
    let name = format!("first_run_{}", std::process::id());
    create_database(&name).await;
    let url = TestServer::shared().url(&name);
    let given = [
        ("DATABASE_URL", url.as_str()),
        ("WAYFARE_SIGNING_KEY", SIGNING_KEY),
        ("WAYFARE_LEDGER_KEY", LEDGER_KEY),
    ];
    let [database, signing, ledger] = given;

    let mut server = place.start_with(given).await;
    println!(
        "ready after {:?} (a database of the operator's)",
        server.ready_after()
    );
    assert_eq!(server.lines(), [format!("Wayfare is ready: {}", server.url())]);
    let ready = reqwest::get(format!("{}/health/ready", server.url()))
        .await
        .unwrap();
    assert_eq!(ready.status(), 200);
    assert_eq!(place.processes(), []);
    let made = fs::read_dir(place.data()).map_or(0, |entries| entries.count());
    assert_eq!(made, 0, "something was made in the data folder");
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0));

    // The demo makes an agency that can ask.
    let demo = ("WAYFARE_DEMO", "on");
    let mut server = place.start_with([database, signing, ledger, demo]).await;
    assert_eq!(place.demo()["sandbox_url"], "");
    let (status, found) = Api::agent(&place)
        .await
        .try_post("/flights/search", search())
        .await;
    assert_eq!(status, 200, "{found}");
    assert_eq!(found["data"]["offers"], json!([]));
    assert_eq!(found["data"]["search_meta"]["provider_status"], json!({}));
    assert_eq!(place.processes(), []);
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0));

    let sandbox = ("WAYFARE_SANDBOX", "on");
    // From now on its tables belong to another role than the server's.
    let service_url = TestServer::shared().service_url(&name);
    let (database, owner) = (
        ("DATABASE_URL", service_url.as_str()),
        ("MIGRATION_DATABASE_URL", database.1),
    );
    let mut server = place
        .start_with([database, owner, signing, ledger, demo, sandbox])
        .await;
    assert_eq!(place.processes().len(), 1, "the sandbox");
    Api::agent(&place).await.book().await;
    assert!(!place.data().join("postgres").exists());
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0));
    assert_eq!(place.processes(), []);
}

async fn create_database(name: &str) {
    let (client, connection) = tokio_postgres::connect(&TestServer::shared().url("postgres"), NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    client
        .batch_execute(&format!("CREATE DATABASE {name}"))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_under_way_is_answered_before_the_server_stops() {
    let place = Place::new().await;
    let mut server = place.start().await;
    let api = Api::agent(&place).await;
    api.fault("search", "slow:1500").await;
    let searching = tokio::spawn({
        let api = api.clone();
        async move { api.search().await }
    });
    until("the search at the supplier", async || {
        let waiting = api.sandbox("/faults").await;
        (waiting == json!([])).then_some(())
    })
    .await;
    assert!(!searching.is_finished());
    assert_eq!(
        server.stop(Signal::TERM).await.code(),
        Some(0),
        "{}",
        server.said()
    );
    let found = searching.await.unwrap();
    assert!(!found["offers"].as_array().unwrap().is_empty(), "{found}");
    place.assert_nobody_is_left().await;
}

#[tokio::test]
async fn a_second_server_on_a_private_folder_is_refused_and_harms_nothing() {
    let place = Place::new().await;
    let mut first = place.start().await;
    let api = Api::agent(&place).await;
    api.book().await;
    let before = api.holdings(&place).await;

    let (code, said) = place.refused([]).await;
    assert_eq!(code, Some(1), "{said}");
    let last = said.lines().last().unwrap_or_default().to_owned();
    assert!(last.contains("another server works on the data folder"), "{last}");
    api.book().await;
    let before = {
        assert_ne!(api.holdings(&place).await, before);
        api.holdings(&place).await
    };

    assert_eq!(first.stop(Signal::TERM).await.code(), Some(0), "{}", first.said());
    place.assert_nobody_is_left().await;
    let _third = place.start().await;
    assert_eq!(Api::agent(&place).await.holdings(&place).await, before);
}

#[tokio::test]
async fn a_running_server_takes_a_new_signing_key_and_keeps_everybody_logged_in() {
    #[derive(clap::Parser)]
    struct Operator {
        #[command(flatten)]
        common: wayfare_launch::Common,
    }
    let place = Place::new().await;
    let _server = place.start().await;
    let before = Api::agent(&place).await;
    let data = place.data();
    let arguments = ["operator", "--data-dir", data.to_str().unwrap()];
    let (operator, _) = wayfare_launch::parse_from::<Operator>(arguments).unwrap();
    wayfare_launch::Keys::rotate(&operator.common, Duration::from_secs(21_600)).unwrap();
    // The very next token is signed with the new key, and the old one's are as good as before.
    let after = Api::agent(&place).await;
    let header = |api: &Api| api.token().split_once('.').unwrap().0.to_owned();
    assert_ne!(header(&after), header(&before));
    assert_eq!(before.get("/me").await["id"], after.get("/me").await["id"]);
}

#[tokio::test]
async fn a_line_of_the_log_is_the_programs_whatever_callers_send() {
    let place = Place::new().await;
    let server = place.start_with([("WAYFARE_LOG", "debug")]).await;
    let forged = "2026-01-01T00:00:00Z ERROR forged";
    for head in [
        format!("GET /api/v1/me%0d%0a{forged} HTTP/1.1"),
        format!("GET /\n{forged} HTTP/1.1"),
        format!("GET /api/v1/me HTTP/1.1\r\nx-request-id: a\n{forged}"),
        format!("GET /api/v1/me HTTP/1.1\r\nx-request-id: a\u{85}{forged}"),
        format!("GET /api/v1/me HTTP/1.1\r\nuser-agent: a\r{forged}"),
        format!("GET /api/v1/me HTTP/1.1\r\nauthorization: Bearer a\x1b[2J{forged}"),
        format!(
            "GET /api/v1/me HTTP/1.1\r\nx-forwarded-for: {}{forged}",
            "9".repeat(9_000)
        ),
        format!("A\x1b[31m{forged} / HTTP/1.1"),
        forged.to_owned(),
    ] {
        let mut stream = TcpStream::connect(server.url().trim_start_matches("http://")).unwrap();
        let request = format!("{head}\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        // The server may cut the connection while there is more to read.
        let _ = stream.read_to_end(&mut Vec::new());
    }
    let login =
        json!({ "agent_id": format!("x\n{forged}"), "username": format!("x\r\n{forged}"), "password": "x" });
    let url = format!("{}/api/v1/auth/login", server.url());
    let refused = reqwest::Client::new()
        .post(url)
        .json(&login)
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), 401);

    let said = server.said();
    assert!(said.contains("served"), "{said}");
    assert!(!said.contains('\x1b'), "{said}");
    for line in said.lines() {
        let (time, _) = line.split_once(' ').unwrap_or((line, ""));
        assert!(chrono::DateTime::parse_from_rfc3339(time).is_ok(), "{line}");
        assert!(!line.starts_with("2026-01-01"), "{line}");
    }
}
