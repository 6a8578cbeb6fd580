//! What the operator does with money: each movement in the books once, with its reason, and nothing that is not there.

use serde_json::Value;

use crate::installation::{Installation, execute, text, user};

/// An agency with an agent, ravi.
fn agency_with_agent(here: &Installation) -> String {
    let agent_id = here.agency();
    here.json(&user(&agent_id, "ravi", "ravi@bluesky.example", "agent"));
    agent_id
}

fn balance(answer: &Value) -> String {
    answer["balance"].to_string()
}

#[tokio::test]
async fn money_goes_in_out_and_back() {
    let (here, _served) = Installation::open().await;
    let agency = agency_with_agent(&here);
    let wallet = |arguments: &[&str]| here.json(&[&["wallet"], arguments].concat());
    assert_eq!(balance(&wallet(&["topup", &agency, "1000"])), "1000.00");
    let topped = wallet(&["topup", &agency, "250.50", "--user", "ravi", "--reason", "bank 7"]);
    assert_eq!((balance(&topped), text(&topped["username"])), ("250.50".into(), "ravi".into()));
    assert_eq!(balance(&wallet(&["deduct", &agency, "100.10"])), "899.90");
    let back = wallet(&["deallocate", &agency, "50", "--user", "ravi", "--reason", "season over"]);
    assert_eq!(balance(&back), "200.50");
    assert_eq!(balance(&wallet(&["topup", &agency, "0.01"])), "949.91");

    let refuse = |arguments: &[&str]| here.refusal(&[&["wallet"], arguments].concat());
    assert!(refuse(&["deduct", &agency, "949.92"]).contains("available: 949.91, required: 949.92"));
    assert!(refuse(&["deallocate", &agency, "200.51", "--user", "ravi"]).contains("available: 200.50"));
    assert_eq!(refuse(&["deallocate", &agency, "1"]), "wayfarectl: --user is required\n");
    assert_eq!(refuse(&["deduct", &agency, "0"]), "wayfarectl: <AMOUNT> must be greater than 0\n");
    assert_eq!(refuse(&["freeze", "WFNOBODY"]), "wayfarectl: there is no agency \"WFNOBODY\"\n");
    assert!(refuse(&["topup", &agency, "1", "--user", "priya"]).contains("has no wallet of their own"));

    // 1000 + 250.50 + 0.01 came in, 100.10 went out, 50 went from one wallet to the other.
    let books = ["ledger", "trial-balance", "--agency", &agency];
    insta::assert_snapshot!("trial_balance", here.say(&books));
    insta::assert_snapshot!("trial_balance_json", here.say(&[&books[..], &["--json"]].concat()));
    assert_eq!(here.answer(&["ledger", "verify"]), r#"{"wallets":2,"entries":6,"problems":[]}"#);
}

#[tokio::test]
async fn under_one_key_money_is_moved_once() {
    let (here, _served, agency) = Installation::with_agency().await;
    let topup = ["wallet", "topup", &agency, "500", "--key", "invoice-7"];
    let first = here.json(&topup);
    here.json(&["wallet", "topup", &agency, "1"]);
    let again = here.json(&topup);
    assert_eq!((first["repeated"].as_bool(), again["repeated"].as_bool()), (Some(false), Some(true)));
    assert_eq!(first["transfer_id"], again["transfer_id"]);
    // What it came to then.
    assert_eq!((balance(&first), balance(&again)), ("500.00".into(), "500.00".into()));
    for other in [
        ["wallet", "topup", &agency, "501", "--key", "invoice-7"],
        ["wallet", "deduct", &agency, "500", "--key", "invoice-7"],
    ] {
        assert_eq!(here.refusal(&other), "wayfarectl: another movement of money was made under this key\n");
    }
    // By its other name it is the same.
    let agencys = here.json(&["agency", "topup", &agency, "500", "--key", "invoice-7", "--reason", "bank 7"]);
    assert_eq!((&agencys["transfer_id"], &agencys["repeated"]), (&first["transfer_id"], &Value::Bool(true)));
    here.json(&["agency", "topup", &agency, "2", "--reason", "bank 8"]);
    let statement = here.say(&["wallet", "statement", &agency]);
    assert!(statement.contains("wallet topped up by the platform: bank 8"), "{statement}");
    assert_eq!(here.json(&["ledger", "verify"])["entries"], 3);
}

#[tokio::test]
async fn a_wallet_that_would_hold_too_much_is_refused_and_nothing_falls() {
    let (here, served) = Installation::open().await;
    let (agency, other) = (here.agency(), here.agency());
    let most = "99999999999999.99";
    for agency in [&agency, &other] {
        here.json(&["agency", "topup", agency, most]);
    }
    assert_eq!(
        here.refusal(&["agency", "topup", &agency, "99999999999999"]),
        "wayfarectl: 99999999999999.00 can't be added: the wallet would hold 199999999999998.99, \
         and a wallet holds at most 99999999999999.99\n"
    );
    let listed = here.json(&["agency", "list"]);
    assert_eq!(listed["agencies"][0]["balance"].to_string(), most);
    assert!(
        here.say(&["ledger", "trial-balance"]).contains("199999999999999.98"),
        "two of the largest add up"
    );
    assert_eq!(here.json(&["ledger", "verify"])["problems"], serde_json::json!([]));

    // One row that makes no sense is told, beside the others.
    let spoil = format!(
        "update wallets set balance = 0.001, sequence = 0 where org_id = (select id from organizations where agent_id = '{other}')"
    );
    execute(&served, &spoil).await;
    let output = here.ctl(&["agency", "list"]).output().unwrap();
    let (said, why) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(1), "{said} {why}");
    assert!(said.contains(most) && said.contains(&other), "{said}");
    assert!(why.contains(&format!("the wallet of {other} can't be read")), "{why}");
}

#[tokio::test]
async fn what_a_wallet_may_spend_is_set_and_holds() {
    let (here, _served) = Installation::open().await;
    let agency = agency_with_agent(&here);
    let limited = here.json(&["wallet", "credit-limit", &agency, "75.5", "--user", "ravi"]);
    assert_eq!(limited["credit_limit"].to_string(), "75.50");
    assert_eq!(
        here.refusal(&["wallet", "credit-limit", &agency, "-1"]),
        "wayfarectl: <LIMIT> must be at least 0.00\n"
    );
    here.json(&["wallet", "topup", &agency, "10"]);
    let frozen = here.json(&["wallet", "freeze", &agency]);
    assert_eq!(frozen["is_active"], false);
    // Money still comes in, and the operator takes it out; nobody else does.
    assert_eq!(balance(&here.json(&["wallet", "topup", &agency, "5"])), "15.00");
    assert_eq!(balance(&here.json(&["wallet", "deduct", &agency, "4"])), "11.00");
    assert_eq!(here.json(&["wallet", "unfreeze", &agency])["is_active"], true);
    let frozen = here.say(&["wallet", "freeze", &agency, "--user", "ravi"]);
    insta::assert_snapshot!("frozen_wallet", frozen);
}

#[tokio::test]
async fn a_statement_leads_from_one_balance_to_the_other() {
    let (here, _served) = Installation::open().await;
    let agency = agency_with_agent(&here);
    for arguments in [
        ["topup", &agency, "1000"].as_slice(),
        &["topup", &agency, "0.50", "--user", "ravi"],
        &["deduct", &agency, "99.99", "--reason", "fee of May"],
    ] {
        here.json(&[&["wallet"], arguments].concat());
    }
    insta::assert_snapshot!("statement", here.say(&["wallet", "statement", &agency]));

    // Nothing happened in these days: what stood in it before still does.
    let years = |from: &str, to: &str| {
        let answer = here.json(&["wallet", "statement", &agency, "--from", from, "--to", to]);
        [
            answer["opening_balance"].to_string(),
            answer["closing_balance"].to_string(),
            answer["transactions"].as_array().unwrap().len().to_string(),
        ]
    };
    assert_eq!(years("2001-01-01", "2001-12-31"), ["0.00", "0.00", "0"]);
    assert_eq!(years("2101-01-01", "2101-12-31"), ["900.01", "900.01", "0"]);
    assert_eq!(years("2001-01-01", "2101-12-31"), ["0.00", "900.01", "2"]);

    let of_agent = here.say(&["wallet", "statement", &agency, "--user", "ravi"]);
    insta::assert_snapshot!("statement_of_agent", of_agent);
    assert_eq!(
        here.refusal(&["wallet", "statement", &agency, "--from", "2026-05-02", "--to", "2026-05-01"]),
        "wayfarectl: --from must not be after --to\n"
    );
}
