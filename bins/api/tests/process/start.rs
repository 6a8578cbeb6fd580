//! A start with nothing configured and one on the operator's database: what is there then, and what is told of it.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use rust_decimal::Decimal;
use rustix::process::{Signal, geteuid};
use serde_json::{Value, json};
use wayfare_local_postgres::test_server::TestServer;

use crate::api::{Api, decimal, search};
use crate::place::{Place, until};
use crate::shared::{LEDGER_KEY, SIGNING_KEY, create_database};

#[tokio::test]
async fn the_printed_lines_search_price_book_and_cancel_against_a_fresh_start() {
    tour(&[]).await;
}

#[tokio::test]
async fn the_printed_lines_buy_from_whoever_answers() {
    for (silent, selling) in [
        (["tripjack", "hotelbeds"], ["duffel", "liteapi"]),
        (["duffel", "liteapi"], ["tripjack", "hotelbeds"]),
    ] {
        assert_eq!(tour(&silent).await, selling);
    }
}

/// Takes the tour, with these suppliers failing their searches; who sold the flight, and who the hotel.
async fn tour(silent: &[&str]) -> [String; 2] {
    let place = Place::new().await;
    let server = place.start().await;
    println!("ready after {:?} (cold)", server.ready_after());
    let api = Api::agent(&place).await;
    let before = api.balance().await;
    for supplier in silent {
        // The stream and the search after it; of hotels there is one.
        api.faults_at(supplier, "search", "status:500", 2).await;
    }

    let lines = server.tour().await;
    let mut shown = paste(&lines);
    let mut from =
        |start: &str| shown.split_off(shown.iter().position(|line| line.starts_with(start)).unwrap());
    let (stay, flight) = (from("hotel "), from("offer "));
    let events = shown.iter().filter_map(|line| line.strip_prefix("event: "));
    assert_eq!(
        events.collect::<Vec<_>>(),
        ["results", "results", "done"],
        "{shown:?}"
    );

    let (booked, before_the_stay) = check_flight(&flight, before);
    let room_booked = check_stay(&stay, before_the_stay);
    let orders = api.sandbox("/orders").await;
    sellers(orders.as_array().unwrap(), [&booked, &room_booked])
}

/// What was paid comes back as the penalty said. The booking, and the balance after it.
fn check_flight(lines: &[String], before: Decimal) -> (Value, Decimal) {
    let [offer, flight @ .., found] = lines else {
        panic!("{lines:?}");
    };
    assert!(
        offer.strip_prefix("offer ").is_some_and(|id| !id.is_empty()),
        "{offer}"
    );
    assert!(found.contains(r#""message":"hotels found""#), "{found}");
    let [priced, booked, paid, penalty, cancelled, refunded] = told(flight);
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
    let before_the_stay = decimal(&refunded["data"]["balance"]);
    assert_eq!(before_the_stay - after_booking, refund);
    (booked, before_the_stay)
}

/// The same of the room. The booking.
fn check_stay(lines: &[String], before_the_stay: Decimal) -> Value {
    let [_, stay @ ..] = lines else {
        panic!("{lines:?}");
    };
    let [
        room_priced,
        room_booked,
        voucher,
        paid,
        penalty,
        cancelled,
        refunded,
    ] = told(stay);
    assert_eq!(room_priced["data"]["status"], "PRICE_VERIFIED");
    let fare = decimal(&room_priced["data"]["agent_price"]["agent_fare"]);
    assert!(fare > Decimal::ZERO);
    assert_eq!(room_booked["data"]["status"], "CONFIRMED");
    assert_eq!(voucher["data"]["booking_ref"], room_booked["data"]["booking_ref"]);
    assert_eq!(before_the_stay - decimal(&paid["data"]["balance"]), fare);
    let refund = &penalty["data"]["refund_amount"];
    assert!(decimal(refund) > Decimal::ZERO, "{penalty}");
    assert_eq!(&cancelled["data"]["refund"]["amount"], refund);
    assert_eq!(
        decimal(&refunded["data"]["balance"]) - decimal(&paid["data"]["balance"]),
        decimal(refund)
    );
    room_booked
}

/// Who sold the flight and the room; both orders are cancelled there.
fn sellers(orders: &[Value], [booked, room_booked]: [&Value; 2]) -> [String; 2] {
    assert_eq!(orders.len(), 2, "{orders:?}");
    let seller = |booked: &Value| {
        let reference = booked["data"]["booking_ref"].as_str().unwrap();
        let is_of_hotels =
            |order: &&Value| ["liteapi", "hotelbeds"].contains(&order["supplier"].as_str().unwrap());
        let order = orders
            .iter()
            .find(|order| is_of_hotels(order) == reference.starts_with("HTL-"));
        let order = order.unwrap();
        assert_eq!(order["status"], "cancelled");
        assert!(order["cancelled_at"].is_string());
        // TripJack takes no reference of the buyer's.
        if order["supplier"] != "tripjack" {
            assert_eq!(order["reference"], reference);
            assert_eq!(order["order_reference"], format!("{reference}-1"));
        }
        order["supplier"].as_str().unwrap().to_owned()
    };
    [seller(booked), seller(room_booked)]
}

/// Answers that succeeded, each printed on a line.
fn told<const ANSWERS: usize>(lines: &[String]) -> [Value; ANSWERS] {
    let answers = lines.iter().map(|line| {
        let body: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"));
        assert_eq!(body["success"], true, "{line}");
        body
    });
    let answers: Vec<Value> = answers.collect();
    answers.try_into().unwrap()
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
    assert!(
        printed.contains(&format!("The same for programs: {}\n", file.display())),
        "{printed}"
    );
    assert!(printed.contains(&format!("{}/docs\n", server.url())), "{printed}");
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
async fn ready_means_that_the_start_has_ended() {
    let place = Place::new().await;
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let bind = port.to_string();
    let server = place.launch([("WAYFARE_BIND", bind.as_str())]);
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("http://{port}/health/ready");
    let mut refused = 0;
    // Without a pause: the moment between the first answer and the last line is short.
    until("ready", async || match http.get(&url).send().await {
        Ok(reply) if reply.status() == 200 => Some(()),
        Ok(reply) => {
            assert_eq!(reply.status(), 503);
            refused += 1;
            None
        }
        Err(_) => None,
    })
    .await;
    println!("refused {refused} times");
    assert!(place.data().join("demo.json").exists());
    // Printed before, and read by another thread.
    assert!(!server.tour().await.is_empty());
    let said = server.said();
    assert!(
        !said.contains("/health/ready") || !said.contains("served"),
        "{said}"
    );
}

#[tokio::test]
async fn root_may_use_an_empty_folder_that_is_closed_to_all_others() {
    if !geteuid().is_root() {
        println!("did not run: only root runs PostgreSQL as somebody else");
        return;
    }
    let place = Place::new().await;
    // As `mktemp -d` makes it.
    fs::create_dir(place.data()).unwrap();
    fs::set_permissions(place.data(), fs::Permissions::from_mode(0o700)).unwrap();
    let server = place.start().await;
    assert_eq!(Api::agent(&place).await.ready().await, 200);
    assert_eq!(
        fs::metadata(place.data()).unwrap().permissions().mode() & 0o7777,
        0o711
    );
    drop(server);
    // One that has something in it is somebody's, and stays as it is.
    let other = Place::new().await;
    fs::create_dir(other.data()).unwrap();
    fs::write(other.data().join("thesis.txt"), "chapter 1").unwrap();
    fs::set_permissions(other.data(), fs::Permissions::from_mode(0o700)).unwrap();
    let (code, said) = other.refused([]).await;
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(
        fs::metadata(other.data()).unwrap().permissions().mode() & 0o7777,
        0o700
    );
}

#[tokio::test]
async fn probes_and_broken_requests_are_no_news() {
    let place = Place::new().await;
    let server = place.start().await;
    let api = Api::agent(&place).await;
    assert_eq!(api.ready().await, 200);
    let address = server.url().replace("http://", "");
    for broken in [
        "\x16\x03\x01 no HTTP\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "POST /api/v1/auth/login HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    ] {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        stream.write_all(broken.as_bytes()).unwrap();
        let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
    }
    let (status, _) = api
        .call(reqwest::Method::GET, format!("{}/nowhere", server.url()), None)
        .await;
    assert_eq!(status, 404);
    let said = server.said();
    assert!(said.contains("/nowhere") && said.contains("status=404"), "{said}");
    for unwanted in [" ERROR ", " WARN ", "/health/"] {
        assert!(!said.contains(unwanted), "{unwanted}: {said}");
    }
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
async fn on_a_database_of_the_operators_there_is_no_demo_and_no_sandbox_unless_asked_for() {
    let place = Place::new().await;
    let name = format!("first_run_{}", std::process::id());
    let url = create_database(&name).await;
    let people_keys = place.people_keys();
    let given = [
        ("DATABASE_URL", url.as_str()),
        ("WAYFARE_SIGNING_KEY", SIGNING_KEY),
        ("WAYFARE_LEDGER_KEY", LEDGER_KEY),
        ("WAYFARE_PEOPLE_KEY_FILE", people_keys.to_str().unwrap()),
    ];
    let [database, signing, ledger, people] = given;

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
    let mut server = place.start_with([database, signing, ledger, people, demo]).await;
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
        .start_with([database, owner, signing, ledger, people, demo, sandbox])
        .await;
    assert_eq!(place.processes().len(), 1, "the sandbox");
    Api::agent(&place).await.book().await;
    assert!(!place.data().join("postgres").exists());
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0));
    assert_eq!(place.processes(), []);
}
