//! What programs and people are told, what is refused, incidents, keys, and databases of the operator.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
    time::Duration,
};

use serde_json::{Value, json};
use wayfare_tests::{World, WorldOptions, one_way};

use crate::installation::{
    AGENCY, Installation, PASSWORD, connect, one_line, refused, said, succeeded, text, user,
};

const KEY: &str = "a key of at least thirty-two bytes, for tests";

fn with_line(command: &mut Command, line: &str) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn alone_it_starts_the_private_server_and_stops_it() {
    let here = Installation::new();
    let migrated = here.json(&["migrate"]);
    let names = migrated["migrations"].as_array().unwrap();
    assert_eq!(migrated, json!({ "migrations": names }));
    assert!(names[0] == "0001" && names.len() > 1, "{migrated}");
    assert!(!here.server_runs());
    assert_eq!(here.answer(&["migrate"]), r#"{"migrations":[]}"#);
    let agent_id = here.agency();
    assert!(!here.server_runs());
    assert!(here.answer(&["agency", "topup", &agent_id, "10"]).contains("10.00"));
    here.refusal(&["agency", "topup", &agent_id, "0"]);
    assert!(!here.server_runs());
}

#[tokio::test]
async fn beside_a_running_server_it_leaves_it_running() {
    let (here, served) = Installation::open().await;
    // The tables are made by whoever comes first.
    let agent_id = here.agency();
    here.refusal(&["agency", "topup", &agent_id, "0"]);
    assert!(here.server_runs());
    let verified = here.answer(&["ledger", "verify"]);
    assert_eq!(verified, r#"{"wallets":1,"entries":0,"problems":[]}"#);
    served.close().await.unwrap();
    assert!(!here.server_runs());
}

#[tokio::test]
async fn the_answers_to_programs_are_these() {
    let (here, _served) = Installation::open().await;
    let created = here.say(&[&AGENCY[..], &["--json"]].concat());
    insta::assert_snapshot!("created_agency", created);
    let agent_id = here.agency();
    let ravi = user(&agent_id, "ravi", "ravi@bluesky.example", "agent");
    insta::assert_snapshot!("created_user", here.say(&[&ravi[..], &["--json"]].concat()));

    // Exact where a float is not, and the texts show that the number is a number with its decimals.
    let topped_up = here.answer(&["agency", "topup", &agent_id, "90071992547409.93"]);
    assert!(
        topped_up.ends_with(r#","repeated":false,"balance":90071992547409.93,"currency":"INR"}"#),
        "{topped_up}"
    );
    for (amount, balance) in [("1000.1", "1000.10"), ("0.20", "1000.30")] {
        let topped_up = here.answer(&["agency", "topup", &agent_id, amount, "--user", "RAVI"]);
        let (who, what) =
            (format!(r#"{{"agent_id":"{agent_id}","username":"RAVI","transfer_id":""#), "repeated");
        assert!(topped_up.starts_with(&who), "{topped_up}");
        let balance = format!(r#""{what}":false,"balance":{balance},"currency":"INR"}}"#);
        assert!(topped_up.ends_with(&balance), "{topped_up}");
    }
    assert_eq!(here.answer(&["ledger", "verify"]), r#"{"wallets":3,"entries":3,"problems":[]}"#);
}

#[tokio::test]
async fn the_answers_to_people_are_aligned_lines() {
    let (here, _served, agent_id) = Installation::with_agency().await;
    let answers = [
        here.say(&["agency", "topup", &agent_id, "2500.50"]),
        here.say(&["ledger", "verify"]),
        here.say(&["migrate"]),
        here.say(&user(&agent_id, "ravi", "ravi@bluesky.example", "org_admin")),
    ];
    insta::assert_snapshot!("answers_to_people", answers.join("\n\n"));
}

#[tokio::test]
async fn an_agency_keeps_its_own_currency() {
    let (here, _served) = Installation::open().await;
    let mut arguments = AGENCY.to_vec();
    arguments.extend(["--currency", "jpy", "--timezone", "Asia/Tokyo", "--tier", "api_only"]);
    let agent_id = text(&here.json(&arguments)["agent_id"]);
    assert_eq!(here.json(&["agency", "topup", &agent_id, "500"])["currency"], "JPY");
    assert_eq!(
        here.refusal(&["agency", "topup", &agent_id, "0.5"]),
        "wayfarectl: <AMOUNT> must have at most 0 decimals\n"
    );
}

#[tokio::test]
async fn what_the_books_do_not_allow_is_refused_with_its_reason() {
    let (here, _served, agent_id) = Installation::with_agency().await;
    let topup = |agent_id, amount| here.refusal(&["agency", "topup", agent_id, amount]);
    for (amount, reason) in [
        ("1.005", "must have at most 2 decimals"),
        ("-5", "must be greater than 0"),
        ("0", "must be greater than 0"),
        ("100000000000000", "must have at most 14 digits before the decimal point"),
    ] {
        assert_eq!(topup(&agent_id, amount), format!("wayfarectl: <AMOUNT> {reason}\n"));
    }
    let nobody = "wayfarectl: there is no agency \"WFNOBODY\"\n";
    assert_eq!(topup("WFNOBODY", "5"), nobody);
    assert_eq!(here.refusal(&user("WFNOBODY", "a", "a@b.example", "agent")), nobody);
    for username in ["nobody", "priya"] {
        assert_eq!(
            here.refusal(&["agency", "topup", &agent_id, "5", "--user", username]),
            format!(
                "wayfarectl: no agency \"{agent_id}\" has an agent \"{username}\" \
                 (an org_admin has no wallet of their own)\n"
            )
        );
    }
    // Nothing of it happened.
    assert_eq!(here.json(&["ledger", "verify"])["entries"], 0);
}

#[tokio::test]
async fn users_that_cannot_be_are_refused_with_their_reason() {
    let (here, _served, agent_id) = Installation::with_agency().await;
    let same = |username, email| here.refusal(&user(&agent_id, username, email, "agent"));
    assert_eq!(same("PRIYA", "other@bluesky.example"), "wayfarectl: username is already taken\n");
    assert_eq!(same("other", "Priya@bluesky.example"), "wayfarectl: email is already taken\n");
    let ravi = user(&agent_id, "ravi", "ravi@bluesky.example", "agent");
    let short = refused(here.ctl(&ravi).args(["--password", "hunter2"]), 1);
    assert_eq!(short, "wayfarectl: --password must be between 8 and 128 characters\n");
    let mut nowhere = AGENCY;
    nowhere[7] = "Atlantis";
    assert_eq!(here.refusal(&nowhere), "wayfarectl: --country must be a 2-letter country code\n");
}

#[tokio::test]
async fn a_password_can_come_on_standard_input() {
    let (here, _served) = Installation::open().await;
    let mut command = here.ctl(&AGENCY);
    command.args(["--admin-password", "-", "--json"]);
    // Of a line, and only of that: with its end, or the next, this would be too long.
    let longest = "p".repeat(128);
    let output = with_line(&mut command, &format!("{longest}\r\nanother line\n"));
    let created = succeeded(&output);
    assert!(!created.contains("ppp"));
    let refusal = with_line(&mut command, "hunter2\n");
    assert_eq!(refusal.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(refusal.stderr).unwrap(),
        "wayfarectl: --admin-password must be between 8 and 128 characters\n"
    );
    assert_eq!(refused(command.stdin(Stdio::null()), 2), "wayfarectl: no password on standard input\n");
}

#[test]
fn what_is_not_understood_ends_before_anything_is_started() {
    let here = Installation::new();
    let missing = "wayfarectl: a password is missing: set WAYFARE_PASSWORD, or give";
    assert_eq!(
        here.misuse(&AGENCY),
        format!("{missing} `--admin-password -` and a line on standard input\n")
    );
    assert_eq!(
        here.misuse(&user("WF7K2M9Q", "a", "a@b.example", "agent")),
        format!("{missing} `--password -` and a line on standard input\n")
    );
    for amount in ["abc", "1e3", "1_000", "+5", "1,5", "", "9999999999999999999999999999999"] {
        let message = here.misuse(&["agency", "topup", "WF7K2M9Q", amount]);
        assert!(message.starts_with("error: "), "{message}");
        assert!(message.contains("<AMOUNT>"), "{message}");
    }
    let message = here.misuse(&user("WF7K2M9Q", "a", "a@b.example", "boss"));
    assert!(message.contains("[possible values: org_admin, agent]"), "{message}");
    for (flag, value, why) in [
        ("--tier", "half", "[possible values: full, api_only]"),
        ("--currency", "XAU", "must be a 3-letter currency code"),
        ("--timezone", "Mars", "must be a time zone"),
    ] {
        let mut arguments = AGENCY.to_vec();
        arguments.extend([flag, value]);
        let message = here.misuse(&arguments);
        assert!(message.contains(why), "{message}");
    }
    here.misuse(&["ledger"]);
    here.misuse(&["agency", "delete"]);
    assert!(!here.data().exists());
}

#[tokio::test]
async fn books_that_do_not_agree_are_told_and_end_with_1() {
    let (here, served, agent_id) = Installation::with_agency().await;
    here.json(&["agency", "topup", &agent_id, "10"]);
    // With another key no seal is right, and nothing is looked at.
    let mut with_another_key = here.ctl(&["ledger", "verify"]);
    let output = with_another_key.env("WAYFARE_LEDGER_KEY", KEY).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("wayfarectl: the ledger was sealed by another key"), "{said}");

    let postgres = connect(&served).await;
    let forged = postgres.batch_execute("update wallets set balance = balance + 1");
    forged.await.unwrap();
    for json in [true, false] {
        let mut command = here.ctl(&["ledger", "verify"]);
        if json {
            command.arg("--json");
        }
        let output = command.output().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{stdout}");
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "wayfarectl: the ledger does not agree, problems: 1\n"
        );
        if json {
            let found: Value = serde_json::from_str(&one_line(&stdout)).unwrap();
            assert_eq!(found["wallets"], 1);
            let problems = found["problems"].as_array().unwrap();
            assert!(problems.len() == 1 && text(&problems[0]).starts_with("wallet "), "{found}");
        } else {
            assert!(stdout.starts_with("wallets  1\nentries  1\nproblem  wallet "), "{stdout}");
        }
    }
}

#[tokio::test]
async fn an_operators_database_is_migrated_only_when_asked() {
    let (there, served) = Installation::open().await;
    let here = Installation::new();
    let with_keys = |arguments: &[&str]| {
        let mut command = here.ctl(arguments);
        command
            .env("DATABASE_URL", served.url())
            .env("WAYFARE_SIGNING_KEY", KEY)
            .env("WAYFARE_LEDGER_KEY", KEY)
            .env("WAYFARE_PEOPLE_KEY_FILE", here.people_keys())
            .env("WAYFARE_PASSWORD", PASSWORD);
        command
    };
    for arguments in [&AGENCY[..], &["ledger", "verify"]] {
        let message = refused(&mut with_keys(arguments), 1);
        let expected = "wayfarectl: the tables are not up to date: run `wayfarectl migrate` (";
        assert!(message.starts_with(expected), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    // The tables have nothing to do with the keys, but with their owner.
    let migrate = || {
        let mut command = here.ctl(&["migrate"]);
        command.env("DATABASE_URL", served.url());
        command
    };
    let message = refused(&mut migrate(), 1);
    assert!(message.contains("permission denied"), "{message}");
    let owner_url = served.owner_url().unwrap();
    let migrated = migrate().env("MIGRATION_DATABASE_URL", owner_url).output().unwrap();
    assert!(succeeded(&migrated).starts_with("migrated  0001\n"));
    succeeded(&with_keys(&AGENCY).output().unwrap());
    let verified = with_keys(&["ledger", "verify", "--json"]).output().unwrap();
    assert_eq!(succeeded(&verified), "{\"wallets\":1,\"entries\":0,\"problems\":[]}\n");
    let message = refused(with_keys(&["ledger", "verify"]).env_remove("WAYFARE_LEDGER_KEY"), 1);
    assert!(message.starts_with("wayfarectl: WAYFARE_LEDGER_KEY is not set"), "{message}");
    assert!(!here.data().exists() && there.server_runs());
}

#[test]
fn a_database_that_does_not_answer_is_told_without_its_password() {
    let here = Installation::new();
    for arguments in [&["ledger", "verify"][..], &["migrate"]] {
        let mut command = here.ctl(arguments);
        command
            .env("DATABASE_URL", "postgres://wayfare:open-sesame@127.0.0.1:1/wayfare")
            .env("WAYFARE_SIGNING_KEY", KEY)
            .env("WAYFARE_LEDGER_KEY", KEY)
            .env("WAYFARE_PEOPLE_KEY_FILE", here.people_keys());
        let message = refused(&mut command, 1);
        assert!(message.starts_with("wayfarectl: "), "{message}");
        assert!(message.contains("connect"), "{message}");
        assert!(!message.contains("open-sesame") && !message.contains("up to date"), "{message}");
    }
}

/// Books while this fault waits; the outcome is not known. The booking's reference.
async fn left_pending(world: &World, agent: &wayfare_tests::Person, fault: &str) -> String {
    world.next("book", fault).await;
    let booked = agent.try_buy(&one_way("DEL", "BOM")).await.succeeds(202);
    text(&booked["booking_ref"])
}

fn resolve<'a>(id: &'a str, outcome: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["incidents", "resolve", id, "--note"];
    arguments.extend(["Ravi at the supplier's desk", "--outcome"]);
    arguments.extend(outcome);
    arguments
}

#[tokio::test(flavor = "multi_thread")]
async fn exceptions_are_listed_shown_and_resolved_beside_a_running_server() {
    let at_once = WorldOptions {
        incident_after: Duration::ZERO,
        processing_time: Duration::ZERO,
        ..WorldOptions::default()
    };
    let world = World::with(at_once).await;
    let agency = world.agency().await;
    let agent = agency.agent("arjun", "1000000").await;
    let here = Installation::new();
    let ctl = |arguments: &[&str]| here.beside(&world, arguments);
    let say = |arguments: &[&str]| succeeded(&ctl(arguments).output().unwrap());
    let json = |arguments: &[&str]| here.json_beside(&world, arguments);
    let list = ["exceptions", "list"];
    let head = "id  raised_at  agent_id  booking_ref  kind  state  problem\n";
    assert_eq!(say(&list), format!("{head}0 in all, page 1 of 1\n"));
    assert_eq!(json(&list), json!({"incidents": [], "page": 1, "total_pages": 0, "total": 0}));

    let (lost, made) =
        (left_pending(&world, &agent, "drop_before").await, left_pending(&world, &agent, "drop_after").await);
    let listed = json(&list);
    let [newer, older] = listed["incidents"].as_array().unwrap().as_slice() else { unreachable!("{listed}") };
    assert_eq!((&newer["booking_ref"], &older["booking_ref"]), (&json!(made), &json!(lost)));
    let (newer_id, older_id) = (text(&newer["id"]), text(&older["id"]));
    // What the network says and what is held is another thing.
    let steady = |arguments: &[&str]| {
        let problems = [newer, older].map(|incident| text(&incident["problem"]));
        let said = said(&mut ctl(arguments)).replace(&older["money_held"].to_string(), "[money]");
        problems.iter().fold(said, |said, problem| said.replace(problem, "[problem]"))
    };
    insta::assert_snapshot!("incidents", steady(&list));
    insta::assert_snapshot!("incident", steady(&["incidents", "show", &older_id]));

    let refused_as = |arguments: &[&str]| refused(&mut ctl(arguments), 1);
    let refuse = resolve(&older_id, &["refused"]);
    let resolved = json(&refuse);
    assert_eq!(resolved["booking_status"], "failed");
    assert_eq!(resolved["money_held"].to_string(), "0.00");
    assert_eq!((&resolved["closed_by"], &resolved["outcome"]), (&json!("operator"), &json!("refused")));
    assert_eq!(resolved["note"], "Ravi at the supplier's desk");
    assert_eq!(
        refused_as(&refuse),
        format!("wayfarectl: exception is closed already by operator, booking {lost} is failed\n")
    );

    assert_eq!(
        refused_as(&resolve(&newer_id, &["done"])),
        "wayfarectl: --order-id is missing: under which id does the supplier have the order?\n"
    );
    let orders = world.supplier_orders().await;
    let order_id = text(&orders[0]["id"]);
    let named = say(&resolve(&newer_id, &["done", "--order-id", &order_id]));
    assert!(named.contains("booking_status  pending\n"), "{named}");
    assert!(named.contains(&format!("outcome         done\norder_id        {order_id}\n")), "{named}");
    assert_eq!(world.recover().await, 1);
    assert_eq!(json(&list)["total"], 0);
    let all = json(&["exceptions", "list", "--all"]);
    assert_eq!(all["total"], 2);
    assert_eq!(
        (&all["incidents"][0]["closed_by"], &all["incidents"][0]["outcome"]),
        (&json!("operator"), &json!("done"))
    );
    let shown = say(&["incidents", "list", "--all"]);
    assert!(
        shown.contains("closed by operator: done") && shown.contains("closed by operator: refused"),
        "{shown}"
    );
    assert_eq!(agent.booking(&made).await["status"], "confirmed");
    world.books_agree().await;

    let nobody = "00000000-0000-7000-8000-000000000000";
    let unknown = format!("wayfarectl: there is no exception {nobody}\n");
    assert_eq!(refused_as(&["incidents", "show", nobody]), unknown);
    assert_eq!(refused_as(&resolve(nobody, &["noted"])), unknown);
}

#[test]
fn an_exception_is_resolved_only_with_an_outcome_and_a_note() {
    let here = Installation::new();
    let id = "00000000-0000-7000-8000-000000000000";
    for (arguments, why) in [
        (&["incidents", "show", "FA-7K2M9Q4X"][..], "<ID>"),
        (&["exceptions", "list", "--page", "0"], "--page <NUMBER>"),
        (&["incidents", "resolve", id, "--outcome", "refused"], "--note <TEXT>"),
        (&["incidents", "resolve", id, "--note", "so"], "--outcome <OUTCOME>"),
        (
            &["incidents", "resolve", id, "--note", "so", "--outcome", "lost"],
            "[possible values: done, refused, noted]",
        ),
    ] {
        let message = here.misuse(arguments);
        assert!(message.contains(why), "{message}");
    }
    assert!(!here.data().exists());
}

#[test]
fn the_signing_key_is_rotated_in_the_data_folder_or_where_it_is_given() {
    let here = Installation::new();
    let first = here.json(&["keys", "rotate"]);
    let second = here.json(&["keys", "rotate"]);
    assert_ne!(first["kid"], second["kid"]);
    assert_eq!((&first["accepted"], &second["accepted"]), (&json!(1), &json!(2)));
    assert!(text(&second["accepted_until"]) > text(&first["accepted_until"]), "{second}");
    let told = succeeded(&here.ctl(&["keys", "rotate"]).output().unwrap());
    assert!(told.starts_with("kid             ") && told.contains("\naccepted        3\n"), "{told}");
    // No database was needed, and none was started.
    assert!(!here.data().join("postgres").exists());

    let given = Installation::new();
    let message = refused(given.ctl(&["keys", "rotate"]).env("WAYFARE_SIGNING_KEY", KEY), 1);
    assert!(
        message.starts_with("wayfarectl: the signing key is given, not kept in the data folder")
            && message.contains("WAYFARE_ACCEPTED_SIGNING_KEY"),
        "{message}"
    );
    assert!(!given.data().exists());
}
