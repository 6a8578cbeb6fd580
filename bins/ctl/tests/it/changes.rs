//! What the operator changes of agencies and their people: it holds at once, and the journal tells it.

use serde_json::{Value, json};

use crate::installation::{Installation, PASSWORD, lines, refused, user};

fn changed(here: &Installation, agent_id: &str, flags: &[&str]) -> Value {
    here.json(&[&["agency", "set", agent_id], flags].concat())
}

fn refusal(here: &Installation, agent_id: &str, flags: &[&str]) -> String {
    here.refusal(&[&["agency", "set", agent_id], flags].concat())
}

#[tokio::test]
async fn an_agency_is_shown_as_it_stands() {
    let (here, _served, agent_id) = Installation::with_agency().await;
    here.json(&["agency", "topup", &agent_id, "1000"]);
    insta::assert_snapshot!("agency_json", here.say(&["agency", "show", &agent_id, "--json"]));
    insta::assert_snapshot!("agency", here.say(&["agency", "show", &agent_id]));
    for arguments in [
        &["agency", "show", "WFNOBODY"][..],
        &["agency", "suspend", "WFNOBODY"],
        &["agency", "set", "WFNOBODY", "--name", "x"],
        &["user", "list", "WFNOBODY"],
    ] {
        assert_eq!(here.refusal(arguments), "wayfarectl: there is no agency \"WFNOBODY\"\n");
    }
}

#[tokio::test]
async fn agencies_and_users_are_tables_for_people_and_one_object_for_programs() {
    let (here, _served) = Installation::open().await;
    let (first, second) = (here.agency(), here.agency());
    here.json(&["agency", "topup", &second, "1000.5"]);
    here.json(&["agency", "suspend", &second]);
    insta::assert_snapshot!("agencies", here.say(&["agency", "list"]));
    insta::assert_snapshot!("agencies_json", here.say(&["agency", "list", "--json"]));
    here.json(&user(&first, "ravi", "ravi@bluesky.example", "agent"));
    insta::assert_snapshot!("users", here.say(&["user", "list", &first]));
    insta::assert_snapshot!("users_json", here.say(&["user", "list", &first, "--json"]));
}

#[tokio::test]
async fn what_is_named_changes_and_the_rest_stays() {
    let (here, served, agent_id) = Installation::with_agency().await;
    let before = here.json(&["agency", "show", &agent_id]);
    let flags =
        ["--name", "Red Sky", "--tier", "api_only", "--timezone", "Asia/Dubai", "--credit-limit", "500"];
    let after = changed(&here, &agent_id, &flags);
    let mut expected = before;
    expected["name"] = json!("Red Sky");
    expected["subscription_type"] = json!("api_only");
    expected["timezone"] = json!("Asia/Dubai");
    expected["credit_limit"] = after["credit_limit"].clone();
    assert_eq!(after, expected);
    assert_eq!(after["credit_limit"].to_string(), "500.00");
    assert_eq!(here.json(&["agency", "show", &agent_id]), after);

    let flags = ["--ip-whitelist", "on", "--whitelist-add", "10.1.2.3/8", "--whitelist-add", "2001:db8::1"];
    let listed = changed(&here, &agent_id, &flags);
    assert_eq!(listed["ip_whitelist_enabled"], true);
    assert_eq!(listed["whitelist"], json!(["10.0.0.0/8", "2001:db8::1"]));
    let flags = ["--whitelist-remove", "10.0.0.0/8", "--whitelist-add", "2001:db8::1"];
    assert_eq!(changed(&here, &agent_id, &flags)["whitelist"], json!(["2001:db8::1"]));
    assert_eq!(
        refusal(&here, &agent_id, &["--whitelist-remove", "10.0.0.0/8", "--name", " "]),
        "wayfarectl: --name must not be empty; --whitelist-remove does not have 10.0.0.0/8\n"
    );

    for (codes, expected) in
        [("duffel, hotelbeds", json!(["duffel", "hotelbeds"])), ("none", json!([])), ("all", json!(null))]
    {
        let suppliers = changed(&here, &agent_id, &["--suppliers", codes]);
        assert_eq!(suppliers["suppliers"], expected);
    }
    let asks = |flags: &[&str]| changed(&here, &agent_id, flags)["ticket_password_enabled"].clone();
    assert_eq!(asks(&["--ticket-password", "open sesame"]), true);
    assert_eq!(asks(&["--no-ticket-password"]), false);

    let events = lines(
        &served,
        "select concat_ws(' ', actor_type, action, old_value, new_value) from events order by id",
    )
    .await;
    let told = |text: &str| assert!(events.iter().any(|event| event == text), "{text} in {events:#?}");
    told(
        r#"operator organization.updated {"name": "Blue Sky", "timezone": "Asia/Kolkata", "subscription_type": "full"} {"name": "Red Sky", "timezone": "Asia/Dubai", "subscription_type": "api_only"}"#,
    );
    told(
        r#"operator wallet.credit_limit_changed {"currency": "INR", "credit_limit": 0.00} {"currency": "INR", "credit_limit": 500.00}"#,
    );
    told(r#"operator organization.updated {"suppliers": []} {"suppliers": null}"#);
    told(r#"operator setting.updated {"value": "********"}"#);
    assert!(!events.concat().contains("sesame"), "{events:#?}");
}

#[tokio::test]
async fn what_money_does_not_allow_is_refused() {
    let (here, _served, agent_id) = Installation::with_agency().await;
    let limit = |amount| refusal(&here, &agent_id, &["--credit-limit", amount]);
    assert_eq!(limit("-1"), "wayfarectl: --credit-limit must be at least 0.00\n");
    assert_eq!(limit("0.005"), "wayfarectl: --credit-limit must have at most 2 decimals\n");
    // Nothing was lent or moved: another currency may come, with a limit in it.
    let yen = changed(&here, &agent_id, &["--currency", "jpy", "--credit-limit", "500"]);
    assert_eq!((&yen["currency"], yen["credit_limit"].to_string()), (&json!("JPY"), "500".to_owned()));
    let used = "wayfarectl: --currency can't change any more: money was held, moved or lent in it\n";
    assert_eq!(refusal(&here, &agent_id, &["--currency", "INR"]), used);
    changed(&here, &agent_id, &["--credit-limit", "0"]);
    assert_eq!(changed(&here, &agent_id, &["--currency", "INR"])["currency"], "INR");
    here.json(&["agency", "topup", &agent_id, "10"]);
    assert_eq!(refusal(&here, &agent_id, &["--currency", "USD", "--name", "x"]), used);
    // All or nothing.
    let shown = here.json(&["agency", "show", &agent_id]);
    assert_eq!((&shown["name"], &shown["currency"]), (&json!("Blue Sky"), &json!("INR")));
    assert!(here.answer(&["ledger", "verify"]).contains("\"problems\":[]"));
}

#[tokio::test]
async fn users_are_suspended_activated_and_given_passwords() {
    let (here, _served, agent_id) = Installation::with_agency().await;
    here.json(&user(&agent_id, "ravi", "ravi@bluesky.example", "agent"));
    let told = |what: &str, key: &str, value: &str| {
        let answer = here.json(&["user", what, &agent_id, "RAVI"]);
        assert_eq!(answer, json!({ "agent_id": agent_id, "username": "RAVI", key: value }));
    };
    told("suspend", "status", "suspended");
    assert_eq!(here.json(&["user", "list", &agent_id])["users"][1]["status"], "suspended");
    told("activate", "status", "active");
    told("reset-password", "password", "reset");
    assert_eq!(
        here.refusal(&["user", "suspend", &agent_id, "priya"]),
        "wayfarectl: an organization keeps at least one active org_admin\n"
    );
    here.json(&user(&agent_id, "meera", "meera@bluesky.example", "org_admin"));
    here.json(&["user", "suspend", &agent_id, "priya"]);
    for (agency, name) in [(agent_id.as_str(), "nobody"), ("WFNOBODY", "ravi")] {
        for what in ["suspend", "activate", "reset-password"] {
            assert_eq!(
                here.refusal(&["user", what, agency, name]),
                format!("wayfarectl: no agency \"{agency}\" has a user \"{name}\"\n")
            );
        }
    }
    let reset = ["user", "reset-password", &agent_id, "ravi", "--password"];
    let with = |password: &str| refused(here.ctl(&reset).arg(password), 1);
    assert_eq!(with("short"), "wayfarectl: --password must be between 8 and 128 characters\n");
    assert_eq!(with("ravi@bluesky.example"), "wayfarectl: --password must not be the username or email\n");
    let missing = refused(
        here.ctl(&["user", "reset-password", &agent_id, "ravi"]).stdin(std::process::Stdio::null()),
        2,
    );
    assert!(missing.starts_with("wayfarectl: a password is missing"), "{missing}");
    assert!(!missing.contains(PASSWORD));
}

#[test]
fn what_is_not_understood_ends_before_anything_is_started() {
    let here = Installation::new();
    for (flags, why) in [
        (&[][..], "required"),
        (&["--tier", "half"], "[possible values: full, api_only]"),
        (&["--whitelist-add", "10.0.0.0/33"], "must be an IP address or a CIDR range"),
        (&["--ip-whitelist", "maybe"], "[possible values: on, off]"),
        (&["--suppliers", "duffel,,x"], "codes like duffel"),
        (&["--suppliers", "Duffel!"], "codes like duffel"),
        (&["--credit-limit", "1e3"], "must be a decimal number"),
        (&["--ticket-password", "x", "--no-ticket-password"], "cannot be used with"),
    ] {
        let mut arguments = vec!["agency", "set", "WF7K2M9Q"];
        arguments.extend(flags);
        let message = here.misuse(&arguments);
        assert!(message.contains(why), "{message}");
    }
    assert!(!here.data().exists());
}
