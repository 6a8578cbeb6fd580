//! The transactions of the organization's wallet and of agents' wallets, as admins list them.

use rust_decimal::dec;
use serde_json::{Value, json};
use wayfare_tests::{Agency, Person, World, amount, one_way};

const ORGANIZATION: &str = "/org/wallet/transactions";
const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

fn of_agent(agent: &str) -> String {
    format!("/org/wallet/agents/{agent}/transactions")
}

/// What a list says of its rows, with their count in all.
async fn amounts(admin: &Person, path: &str, query: &str) -> (Vec<String>, i64) {
    let body = admin.get(&format!("{path}?{query}")).await;
    body.ok();
    let body = body.json();
    let signed = |row: &Value| {
        let sign = if row["type"] == "debit" { "-" } else { "" };
        format!("{sign}{}", row["amount"])
    };
    (body["data"].as_array().unwrap().iter().map(signed).collect(), body["meta"]["total"].as_i64().unwrap())
}

/// An agency at 13:30 in Kolkata on 2027-01-15 with an admin, who gave an agent 100, 20.50 and 3 a second apart.
async fn with_history(world: &World) -> (Agency, Person, Person) {
    let agency = world.agency().await;
    let admin = agency.admin("1000").await;
    let agent = agency.agent("arjun", "0").await;
    for (amount, reason) in [("100", "Diwali"), ("20.50", "100% of_it"), ("3", "")] {
        world.pass(1);
        admin.give(&agent, amount, reason).await;
    }
    (agency, admin, agent)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_has_the_fields_of_the_contract() {
    let (world, _, admin, agent) = World::frozen().await.and_people("1000000", "0").await;
    admin.give(&agent, "0.10", "May").await;
    let reference = &admin.buy_dearest(&one_way("DEL", "BOM")).await.reference;
    admin.cancel(reference).await.ok();
    let rows = admin.get(ORGANIZATION).await.ok();
    let rows = rows.as_array().unwrap();
    let kinds = rows.iter().map(|row| json!([row["type"], row["ref_type"], row["ref_id"]]));
    let (back, sold) = (json!(["credit", "refund", reference]), json!(["debit", "booking", reference]));
    let (given, topped_up) = (json!(["debit", "topup", null]), json!(["credit", "topup", null]));
    assert_eq!(kinds.collect::<Vec<_>>(), [back, sold, given, topped_up]);
    assert!(rows[0]["description"].as_str().unwrap().contains(reference));
    let wallet = admin.get("/org/wallet").await.ok()["id"].clone();
    let now = world.now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    let given = &rows[2];
    let fields = r#"{"type":"debit","amount":0.10,"balance_before":1000000.00,"balance_after":999999.90,
        "ref_type":"topup","ref_id":null,"description":"allocated to agent: May","agent_name":"arjun Sunrise"}"#;
    let mut expected: Value = fields.parse().unwrap();
    for (name, value) in [
        ("id", given["id"].clone()),
        ("created_at", json!(now)),
        ("updated_at", json!(now)),
        ("wallet_id", wallet),
        ("performed_by", json!(admin.id)),
        ("agent_id", json!(agent.id)),
    ] {
        expected[name] = value;
    }
    assert_eq!(*given, expected);
    assert_has!(rows, {
        "3/description": "wallet topped up by the platform", "3/performed_by": null,
        "1/performed_by": admin.id,
    });
    // Only what an agent was given names them.
    for other in [&rows[0], &rows[1], &rows[3]] {
        assert!(other.get("agent_id").or(other.get("agent_name")).is_none(), "{other}");
    }
    // Each balance follows from the one before.
    for pair in rows.windows(2) {
        assert_eq!(pair[0]["balance_before"], pair[1]["balance_after"]);
    }
    world.books_agree().await;
}

#[track_caller]
fn is_whole((found, total): (Vec<String>, i64), expected: &[&str], query: &str) {
    assert_eq!(found, expected, "{query}");
    assert_eq!(total, expected.len() as i64, "{query}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_filter_has_rows_on_both_sides_of_its_bound() {
    let world = World::frozen().await;
    let (_, admin, agent) = with_history(&world).await;
    let all = ["-3.00", "-20.50", "-100.00", "1000.00"];
    for (query, expected) in [
        ("", &all[..]),
        ("type=credit", &all[3..]),
        ("type=debit", &all[..3]),
        ("ref_type=topup", &all),
        ("ref_type=booking", &[]),
        ("ref_type=refund", &[]),
        ("ref_type=deduction", &[]),
        ("min_amount=20.50", &["-20.50", "-100.00", "1000.00"]),
        ("min_amount=20.51", &["-100.00", "1000.00"]),
        ("max_amount=20.5", &["-3.00", "-20.50"]),
        ("max_amount=20.49", &["-3.00"]),
        ("min_amount=3&max_amount=3.00", &["-3.00"]),
        ("min_amount=1e3", &["1000.00"]),
        ("min_amount=-1", &all),
        ("search=diwali", &["-100.00"]),
        ("search=%20diwali%20", &["-100.00"]),
        ("search=ALLOCATED", &all[..3]),
        ("search=agent%3A", &["-20.50", "-100.00"]),
        // Wildcards are letters like others.
        ("search=%25", &["-20.50"]),
        ("search=_", &["-20.50"]),
        ("search=d%25i", &[]),
        ("search=%5C", &[]),
        ("type=debit&min_amount=20&search=di", &["-100.00"]),
        ("type=credit&ref_type=topup&max_amount=999", &[]),
        ("type=", &all),
        ("from=2027-01-15&to=2027-01-15&type=debit", &all[..3]),
    ] {
        is_whole(amounts(&admin, ORGANIZATION, query).await, expected, query);
    }
    let theirs = ["3.00", "20.50", "100.00"];
    for (query, expected) in [
        ("", &theirs[..]),
        ("type=debit", &[]),
        ("type=credit", &theirs),
        ("ref_type=topup&min_amount=20.50", &theirs[1..]),
        ("search=diwali", &theirs[2..]),
        ("to=2027-01-14", &[]),
    ] {
        is_whole(amounts(&admin, &of_agent(&agent.id), query).await, expected, query);
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn days_are_whole_and_the_agencys() {
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.admin("1").await;
    // 23:59:59 in Kolkata.
    world.pass(37_799);
    agency.admin("2").await;
    world.pass(1);
    let admin = agency.admin("4").await;
    for (query, expected) in [
        ("from=2027-01-15&to=2027-01-15", &["2.00", "1.00"][..]),
        ("from=2027-01-16&to=2027-01-16", &["4.00"]),
        ("from=2027-01-16", &["4.00"]),
        ("to=2027-01-15", &["2.00", "1.00"]),
        ("to=2027-01-14", &[]),
        ("from=2027-01-17", &[]),
        ("from=0001-01-01&to=9999-12-31", &["4.00", "2.00", "1.00"]),
    ] {
        assert_eq!(amounts(&admin, ORGANIZATION, query).await.0, expected, "{query}");
    }
    world.sql("update organizations set timezone = 'UTC'").await;
    let found = amounts(&admin, ORGANIZATION, "from=2027-01-15&to=2027-01-15").await;
    assert_eq!(found.0, ["4.00", "2.00", "1.00"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_filter_at_fault_is_named() {
    let (_world, _, admin, agent) = World::start().await.and_people("1", "0").await;
    let day = "must be a date (YYYY-MM-DD)";
    let (from, to) = (format!("{{from {day}}}"), format!("{{to {day}}}"));
    for (query, faults) in [
        (
            "per_page=101&type=x&ref_type=wallet&from=1.1.2026&to=2026-02-30&min_amount=x&max_amount=1_0",
            format!(
                "{{per_page must be between 1 and 100}} {{type must be one of debit, credit}} \
                 {{ref_type must be one of topup, booking, refund, deduction}} {from} {to} \
                 {{min_amount must be a number}} {{max_amount must be a number}}"
            ),
        ),
        (
            "from=2026-01-02&to=2026-01-01&min_amount=2&max_amount=1",
            "{from must not be after to} {min_amount must not be greater than max_amount}".to_owned(),
        ),
        ("min_amount=1e400", "{min_amount must be a number}".to_owned()),
    ] {
        for path in [ORGANIZATION.to_owned(), of_agent(&agent.id)] {
            admin.get(&format!("{path}?{query}")).await.is_invalid(&faults);
        }
        let export = admin.get(&format!("{ORGANIZATION}/export?{query}")).await;
        export.is_invalid(&faults.replace("{per_page must be between 1 and 100} ", ""));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_follow_each_other_with_and_without_a_filter() {
    let (_world, _, admin, agent) = World::start().await.and_people("1000", "0").await;
    for number in 1..=25 {
        admin.give(&agent, &number.to_string(), "").await;
    }
    for (query, total) in [("", 26), ("type=debit", 25), ("min_amount=6", 21), ("search=agent", 25)] {
        let whole = amounts(&admin, ORGANIZATION, &format!("{query}&per_page=100")).await;
        assert_eq!((whole.0.len() as i64, whole.1), (total, total), "{query}");
        let mut paged = Vec::new();
        for page in 1..=4 {
            let of_page = amounts(&admin, ORGANIZATION, &format!("{query}&per_page=9&page={page}")).await;
            assert_eq!(of_page.1, total, "{query}");
            paged.extend(of_page.0);
        }
        assert_eq!(paged, whole.0, "{query}");
    }
    let meta = admin.get(ORGANIZATION).await.json()["meta"].clone();
    assert_eq!(meta, json!({ "page": 1, "per_page": 20, "total": 26, "total_pages": 2 }));
    let far = admin.get(&format!("{ORGANIZATION}?type=debit&page=4294967295&per_page=100")).await;
    assert_eq!(far.ok(), json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agents_list_is_their_own_wallets_and_stays_when_they_are_gone() {
    let world = World::frozen().await;
    let (agency, admin, agent) = with_history(&world).await;
    agency.agent("bina", "0").await;
    let path = of_agent(&agent.id);
    let rows = admin.get(&path).await.ok();
    let own = agent.get("/wallet").await.ok();
    for row in rows.as_array().unwrap() {
        assert_has!(row, {
            "wallet_id": own["id"], "agent_id": agent.id, "type": "credit", "performed_by": admin.id,
        });
    }
    assert_eq!(amount(&rows[0]["balance_after"]), dec!(123.50));
    admin.delete_user(&agent).await;
    let rows = admin.get(&path).await.ok();
    assert_eq!(rows.as_array().unwrap().len(), 4);
    let (returned, back) = (&rows[0], &admin.get(ORGANIZATION).await.ok()[0]);
    for (row, side) in [(returned, "debit"), (back, "credit")] {
        assert_eq!(row["description"], "deallocated from agent: user deleted");
        assert_eq!((&row["type"], amount(&row["amount"])), (&json!(side), dec!(123.50)));
        assert_has!(row, { "agent_id": agent.id, "agent_name": "arjun Sunrise" });
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_reads_what_is_anothers() {
    let (world, _, admin, agent) = World::start().await.and_people("1000", "0").await;
    admin.give(&agent, "77.77", "May").await;
    let stranger = world.agency().await.admin("5").await;
    assert_eq!(amounts(&stranger, ORGANIZATION, "").await.0, ["5.00"]);
    assert_eq!(amounts(&stranger, ORGANIZATION, "search=May").await, (vec![], 0));
    for id in [&*agent.id, &admin.id, NOBODY, "x", "%27"] {
        stranger.get(&of_agent(id)).await.is_missing();
    }
    // An admin has no wallet of their own.
    admin.get(&of_agent(&admin.id)).await.is_missing();
    for path in [ORGANIZATION.to_owned(), format!("{ORGANIZATION}/export"), of_agent(&agent.id)] {
        agent.get(&path).await.is(403, "access denied");
        agent.with_token(None).get(&path).await.is(401, "invalid credentials");
    }
    world.sql("update organizations set subscription_type = 'api_only'").await;
    let text = "your organization subscription (API only) does not include portal access to this feature";
    for path in [ORGANIZATION.to_owned(), format!("{ORGANIZATION}/export"), of_agent(&agent.id)] {
        admin.get(&path).await.is(403, text);
    }
}
