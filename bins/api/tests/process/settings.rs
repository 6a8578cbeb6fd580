//! Settings that are wrong, keys that change, and a log that nobody else writes into.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use serde_json::json;

use crate::api::Api;
use crate::place::Place;
use crate::shared::{LEDGER_KEY, SIGNING_KEY};

#[tokio::test]
async fn a_wrong_setting_is_refused_by_name_before_anything_is_made() {
    let place = Place::new().await;
    let file = place.write("wayfare.toml", "sandbx = \"on\"\n");
    let file = file.to_str().unwrap();
    for (variables, named) in [
        (vec![("WAYFARE_BIND", "nonsense")], vec!["WAYFARE_BIND", "nonsense"]),
        (
            vec![("WAYFARE_RATE_LIMITS", "off"), ("WAYFARE_BIND", "0.0.0.0:0")],
            vec!["WAYFARE_RATE_LIMITS", "WAYFARE_BIND", "0.0.0.0:0"],
        ),
        (vec![("WAYFARE_DEMO", "on"), ("WAYFARE_BIND", "0.0.0.0:0")], vec!["WAYFARE_DEMO", "WAYFARE_BIND"]),
        (vec![("WAYFARE_CONFIG", file)], vec!["sandbx", file]),
        (vec![("WAYFARE_CONFIG", "/nowhere/wayfare.toml")], vec!["/nowhere/wayfare.toml"]),
        (vec![("WAYFARE_SANDBOX", "maybe")], vec!["WAYFARE_SANDBOX", "maybe"]),
        (vec![("WAYFARE_SIGNING_KEY", "hush")], vec!["WAYFARE_SIGNING_KEY"]),
        (vec![("DATABASE_URL", "mysql://x/y")], vec!["DATABASE_URL"]),
    ] {
        let (code, said) = place.refused(variables.clone()).await;
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
    assert!(said.starts_with("wayfare: WAYFARE_SIGNING_KEY is not set"), "{said}");
    let (code, said) = place.refused([url, ("WAYFARE_SIGNING_KEY", SIGNING_KEY)]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("wayfare: WAYFARE_LEDGER_KEY is not set"), "{said}");
    assert!(!place.data().exists());

    let (code, said) =
        place.refused([url, ("WAYFARE_SIGNING_KEY", SIGNING_KEY), ("WAYFARE_LEDGER_KEY", LEDGER_KEY)]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("wayfare: WAYFARE_PEOPLE_KEY_FILE is not set"), "{said}");

    // With all of them it is the database that is missing.
    let people_keys = place.people_keys();
    let keys = [
        ("WAYFARE_SIGNING_KEY", SIGNING_KEY),
        ("WAYFARE_LEDGER_KEY", LEDGER_KEY),
        ("WAYFARE_PEOPLE_KEY_FILE", people_keys.to_str().unwrap()),
    ];
    let (code, said) = place.refused([url, keys[0], keys[1], keys[2]]).await;
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("wayfare: ") && said.contains("onnect"), "{said}");
    assert!(!said.contains("key for tests"), "{said}");
}

#[tokio::test]
async fn settings_are_checked_without_starting_or_making_anything() {
    let place = Place::new().await;
    let good = "The settings can be used.";
    // With nothing configured everything is made at the start, and nobody may be at the address of the database.
    let (code, said) = place.checked([]).await;
    assert_eq!((code, said.as_str()), (Some(0), good));
    let people_keys = place.people_keys();
    let supplier = "[[suppliers]]\ncode = 'liteapi'\nkind = 'liteapi'\nbase_url = 'https://travel.example'\ntoken = 'sand_hush'\npayment = 'WALLET'\n";
    let right = place.write("right.toml", supplier);
    let wrong = place.write("wrong.toml", &format!("sandbox = 'on'\n{supplier}"));
    let operators = [
        ("DATABASE_URL", "postgres://nobody:hush@127.0.0.1:1/nothing"),
        ("WAYFARE_SIGNING_KEY", SIGNING_KEY),
        ("WAYFARE_LEDGER_KEY", LEDGER_KEY),
        ("WAYFARE_PEOPLE_KEY_FILE", people_keys.to_str().unwrap()),
        ("WAYFARE_CONFIG", right.to_str().unwrap()),
        ("REDIS_URL", "redis://127.0.0.1:1"),
    ];
    let (code, said) = place.checked(operators).await;
    assert_eq!((code, said.as_str()), (Some(0), good));

    // All that is wrong at once.
    let changed = operators.map(|(name, value)| match name {
        "DATABASE_URL" => (name, "postgres://nobody:hush@db.example/nothing?sslmode=prefer"),
        "WAYFARE_PEOPLE_KEY_FILE" => (name, "/nowhere/people.toml"),
        "WAYFARE_CONFIG" => (name, wrong.to_str().unwrap()),
        _ => (name, value),
    });
    let (code, said) = place.checked(changed).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.lines().all(|line| line.starts_with("wayfare: ")), "{said}");
    for named in ["DATABASE_URL", "sslmode", "/nowhere/people.toml", "sandbox supplier"] {
        assert!(said.contains(named), "{named} is not in: {said}");
    }
    assert!(!said.contains("hush") && !said.contains("panicked"), "{said}");
    assert!(!place.data().exists());
    assert_eq!(place.processes(), []);
}

#[tokio::test]
async fn a_port_in_use_is_named_in_one_line_and_nothing_is_left_running() {
    let place = Place::new().await;
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let (code, said) = place.refused([("WAYFARE_BIND", address.as_str())]).await;
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains(&address) && said.contains("Address already in use"), "{said}");
    assert_eq!(place.processes(), []);
    assert!(!place.data().join("postgres").exists() && !place.data().join("sandbox").exists());
}

#[tokio::test]
async fn a_running_server_takes_a_new_signing_key_and_keeps_everybody_logged_in() {
    #[derive(clap::Parser)]
    struct Operator {
        #[command(flatten)]
        common: wayfare_launch::Common,
    }
    let (place, _server) = Place::started().await;
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
        format!("GET /api/v1/me HTTP/1.1\r\nx-forwarded-for: {}{forged}", "9".repeat(9_000)),
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
    let refused = reqwest::Client::new().post(url).json(&login).send().await.unwrap();
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
