//! What people type at the door: a password from another keyboard, a code in small letters; and whom strangers keep out.

use std::collections::BTreeSet;

use reqwest::{Method, StatusCode};
use serde_json::json;
use wayfare_api::RateLimits;
use wayfare_domain::OperatorRole::Viewer;
use wayfare_tests::{Person, Reply, World, WorldOptions, one_way, thresholds};

/// The same letters as one keyboard has them, and as another.
const COMPOSED: &str = "Zürich-Zürich";
const APART: &str = "Zu\u{308}rich-Zu\u{308}rich";

/// Argon2id of the letters apart, as servers hashed what was typed before there were forms.
const HASH_OF_BEFORE: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$KFd2Hb5R3IuqW8HokDdIyRZt+QmPpImgjZsHPg1do6I";

async fn log_in(nobody: &Person, agency: &str, username: &str, password: &str) -> Reply {
    let login = json!({ "agent_id": agency, "username": username, "password": password });
    nobody.post("/auth/login", &login).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_the_same_from_every_keyboard() {
    let (world, agency, agent) = World::start().await.and_agent("0").await;
    let code = agency.code.as_ref();
    let change = |new: &str| json!({ "current_password": "correct horse 7", "new_password": new });
    for (new, reason) in [
        ("tab\there and there", "must not contain the character U+0009"),
        ("zero\u{200b}width", "must not contain the character U+200B"),
        // Seven letters, however many characters they come as.
        ("u\u{308}u\u{308}u\u{308}u\u{308}u\u{308}u\u{308}u\u{308}", "must be between 8 and 128 characters"),
    ] {
        agent.put("/me/password", &change(new)).await.is_invalid(&format!("{{new_password {reason}}}"));
    }
    agent.put("/me/password", &change(APART)).await.ok();
    let nobody = agent.with_token(None);
    for typed in [COMPOSED, APART] {
        log_in(&nobody, code, "arjun", typed).await.ok();
    }
    log_in(&nobody, code, "arjun", "Zurich-Zurich").await.is(401, "invalid credentials");
    // One that was set before is good as it was typed, and is made anew: then from every keyboard.
    world.sql(&format!("update users set password_hash = '{HASH_OF_BEFORE}' where username = 'arjun'")).await;
    log_in(&nobody, code, "arjun", COMPOSED).await.is(401, "invalid credentials");
    log_in(&nobody, code, "arjun", APART).await.ok();
    assert_ne!(world.line("select password_hash from users where username = 'arjun'").await, HASH_OF_BEFORE);
    for typed in [COMPOSED, APART] {
        log_in(&nobody, code, "arjun", typed).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_and_ticket_passwords_are_the_same_from_every_keyboard_too() {
    let (mut world, _, admin, agent) = World::start().await.and_people("0", "1000000").await;
    let vera = world.operator_api().operator("vera", Viewer).await;
    let before = format!("update operators set password_hash = '{HASH_OF_BEFORE}' where username = 'vera'");
    world.sql(&before).await;
    let begin = async |typed: &str| {
        vera.post("/sessions", &json!({ "username": "vera", "password": typed })).await.status
    };
    assert_eq!(begin(COMPOSED).await, 401);
    assert_eq!(begin(APART).await, 201);
    assert_eq!(begin(COMPOSED).await, 201);
    let set = |key: &str, value: &str| json!({ "key": key, "value": value });
    let refused = admin.put("/org/settings", &set("ticket_password", "pin\u{7}1")).await;
    refused.is_invalid("{value must not contain the character U+0007}");
    admin.put("/org/settings", &set("ticket_password", APART)).await.ok();
    admin.put("/org/settings", &set("ticket_password_enabled", "true")).await.ok();
    let mut order = agent.order_for(&one_way("DEL", "BOM")).await;
    order["issue_ticket_password"] = json!("Zurich-Zurich");
    assert_eq!(agent.book(&order).await.status, 403);
    order["issue_ticket_password"] = json!(COMPOSED);
    agent.book(&order).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn codes_and_references_are_read_in_any_case() {
    let (mut world, agency, admin, agent) = World::start().await.and_people("0", "1000000").await;
    let nobody = agent.with_token(None);
    let small = agency.code.as_ref().to_lowercase();
    log_in(&nobody, &small, "Arjun", "correct horse 7").await.ok();
    let login =
        json!({ "agent_id": format!(" {small} "), "username": "arjun", "password": "correct horse 7" });
    nobody.post("/auth/sessions", &login).await.succeeds(201);
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    let booking = agent.booking(&reference).await;
    let typed = reference.to_lowercase();
    assert_eq!(agent.booking(&typed).await, booking);
    let pnr = booking["pnr"].as_str().unwrap().to_lowercase();
    for q in [typed.as_str(), pnr.as_str()] {
        let found = agent.get(&format!("/flights/bookings?q={q}")).await.ok();
        assert_eq!(found[0]["booking_ref"], reference.as_str(), "{q}");
    }
    let people = admin.get(&format!("/org/bookings/{typed}/people")).await;
    assert_eq!(people.status, 200, "{}", people.text);
    let audit = async |id: &str| admin.get(&format!("/org/audit-logs?entity_id={id}")).await.ok();
    assert!(!audit(&reference).await.as_array().unwrap().is_empty());
    assert_eq!(audit(&typed).await, audit(&reference).await);
    let vera = world.operator_api().operator("vera", Viewer).await;
    assert_eq!(vera.get("/suppliers/Duffel").await.ok()["supplier"]["code"], "duffel");
    for path in [
        format!("/bookings/{typed}"),
        format!("/agencies/{small}"),
        format!("/agencies/{small}/statement"),
        format!("/bookings?reference={typed}"),
        format!("/bookings?q={pnr}&agency={small}"),
        format!("/bookings?pnr={pnr}"),
        format!("/incidents?agency={small}"),
    ] {
        let shown = vera.get(&path).await;
        assert_eq!(shown.status, 200, "{path}: {}", shown.text);
        assert!(path.starts_with("/incidents") || shown.text.contains(agency.code.as_ref()), "{path}");
    }
    agent.cancel(&typed).await.ok();
    // Each locator is shown once.
    let shown = vera.get(&format!("/bookings/{reference}")).await.ok();
    let locators = shown["booking"]["orders"][0]["locators"].as_array().unwrap();
    let different: BTreeSet<&str> = locators.iter().filter_map(|locator| locator.as_str()).collect();
    assert!(!locators.is_empty(), "{shown}");
    assert_eq!(locators.len(), different.len(), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_password_is_not_guessed_from_many_addresses_and_whoever_has_it_comes_in() {
    let options =
        WorldOptions { trusted_proxies: vec!["127.0.0.0/8".parse().unwrap()], ..WorldOptions::limited() };
    let (_world, agency) = World::with(options).await.and_agency().await;
    let nobody = agency.agent("arjun", "0").await.with_token(None);
    let body = |password: &str| json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": password });
    let from = async |address: &str, password: &str| {
        let request = nobody.request(Method::POST, "/auth/login").header("x-forwarded-for", address);
        nobody.send(request.json(&body(password))).await.status
    };
    // From where somebody has logged in with the name, before a stranger comes.
    assert_eq!(from("198.51.100.7", "correct horse 7").await, 200);
    let mut limited = 0;
    for number in 0..60 {
        match from(&format!("203.0.113.{number}"), "a wrong horse").await {
            401 => {}
            429 => limited += 1,
            other => panic!("{other}"),
        }
    }
    assert!(limited > 10, "{limited}");
    assert_eq!(from("198.51.100.7", "correct horse 7").await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operators_listener_answers_for_known_hosts_alone() {
    let mut world = World::start().await;
    let door = world.limited_operator_api(RateLimits::on(thresholds(20, 60, 600)));
    let client = reqwest::Client::new();
    for (host, known) in [
        ("localhost", true),
        ("localhost:8081", true),
        ("127.0.0.1", true),
        ("[::1]:1", true),
        ("rebound.evil.example", false),
        ("localhost.evil.example", false),
        ("10.1.2.3", false),
    ] {
        for path in ["/operator/v1/openapi.json", "/operator/v1/me", "/"] {
            let request = client.get(format!("{}{path}", door.base_url)).header("host", host);
            let answer = request.send().await.unwrap();
            let is_refused = answer.status() == StatusCode::MISDIRECTED_REQUEST;
            assert_eq!(is_refused, !known, "{host} {path}: {}", answer.status());
            if is_refused {
                let text = answer.text().await.unwrap();
                assert!(text.contains("this host is not known here"), "{text}");
            }
        }
    }
    // Agencies' listener stands behind whatever name its proxy has.
    let request = client.get(format!("{}/health/live", world.base_url));
    assert_eq!(request.header("host", "portal.example.com").send().await.unwrap().status(), StatusCode::OK);
}
