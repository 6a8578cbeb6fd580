//! What the organization's wallet comes to: this month, the last 30 days, its agents.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_tests::{Person, World, amount, sample, sum};

const DAY: i64 = 24 * 3_600;

async fn summary(admin: &Person) -> Value {
    admin.get("/org/wallet/summary").await.ok()
}

/// Dates and balances of the last so many days.
fn trend(summary: &Value, days: usize) -> Vec<(&str, Decimal)> {
    let trend = summary["balance_trend"].as_array().unwrap();
    let days = trend[trend.len() - days..].iter();
    days.map(|day| (day["date"].as_str().unwrap(), amount(&day["balance"]))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_wallet_has_nothing_on_every_day() {
    let (_world, _, admin) = World::frozen().await.and_admin("0").await;
    let summary = summary(&admin).await;
    assert_answer!("new_wallet", sample(&summary));
    let days = trend(&summary, 30);
    assert_eq!(summary["balance_trend"].as_array().unwrap().len(), 30);
    assert_eq!((days[0].0, days[29].0), ("2026-12-17", "2027-01-15"));
    assert!(days.iter().all(|(_, balance)| balance.is_zero()));
}

#[tokio::test(flavor = "multi_thread")]
async fn days_and_months_end_where_the_agency_is() {
    // 2027-01-15, 13:30 in Kolkata.
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.admin("1000").await;
    // 2027-01-31, 23:59:59 there, and 18:29:59 in UTC.
    world.pass(16 * DAY + 37_799);
    agency.admin("200").await;
    world.pass(1);
    let admin = agency.admin("30").await;
    admin.give(&agency.agent("arjun", "7").await, "130", "").await;
    let told = summary(&admin).await;
    let days = [("2027-01-30", dec!(1000)), ("2027-01-31", dec!(1200)), ("2027-02-01", dec!(1100))];
    assert_eq!(trend(&told, 3), days);
    assert_eq!(trend(&told, 30)[11..13], [("2027-01-14", dec!(0)), ("2027-01-15", dec!(1000))]);
    let month = r#"{"total_credits":30.00,"total_debits":130.00,"net_change":-100.00,"transaction_count":2}"#;
    assert_eq!(told["this_month"], month.parse::<Value>().unwrap());
    assert_eq!(amount(&told["current_balance"]), dec!(1100));
    assert_eq!(amount(&told["total_allocated_to_agents"]), dec!(137));
    // The same instants fall on other days elsewhere, and in another month.
    world.sql("update organizations set timezone = 'UTC'").await;
    let told = summary(&admin).await;
    assert_eq!(trend(&told, 2), [("2027-01-30", dec!(1000)), ("2027-01-31", dec!(1100))]);
    assert_eq!(told["this_month"]["transaction_count"], 4);
    assert_eq!(amount(&told["this_month"]["net_change"]), dec!(1100));
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sums_are_those_of_the_rows() {
    let (world, agency, admin) = World::frozen().await.and_admin("1000").await;
    world.sql("update wallets set credit_limit = 500 where owner_type = 'org'").await;
    let (arjun, bina) = (agency.agent("arjun", "0").await, agency.agent("bina", "5").await);
    for (agent, rupees) in [(&arjun, 100), (&bina, 20), (&arjun, 3)] {
        world.pass(1);
        admin.give(agent, &rupees.to_string(), "").await;
    }
    let rows = admin.get("/org/wallet/transactions").await.ok();
    let of_side = |side: &str| -> Value {
        rows.as_array().unwrap().iter().filter(|row| row["type"] == side).cloned().collect()
    };
    let (credits, debits) = (sum(&of_side("credit"), "amount"), sum(&of_side("debit"), "amount"));
    let told = summary(&admin).await;
    assert_eq!(amount(&told["this_month"]["total_credits"]), credits);
    assert_eq!(amount(&told["this_month"]["total_debits"]), debits);
    assert_eq!(amount(&told["current_balance"]), credits - debits);
    assert_eq!(amount(&told["current_balance"]), admin.balance().await);
    assert_eq!(amount(&rows[0]["balance_after"]), credits - debits);
    assert_eq!(amount(&told["credit_limit"]), dec!(500));
    assert_eq!(amount(&told["available_balance"]), credits - debits + dec!(500));
    let agents = admin.get("/org/wallet/agents").await.ok();
    assert_eq!(amount(&told["total_allocated_to_agents"]), sum(&agents, "allocated_balance"));
    // What came from outside was not allocated.
    assert_eq!(sum(&agents, "total_allocated_to_date"), debits);
    assert_eq!(told["agent_count"], 2);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_are_listed_with_what_they_were_given() {
    let (world, agency, admin) = World::frozen().await.and_admin("100000").await;
    assert_eq!(admin.get("/org/wallet/agents").await.json(), json!({ "success": true, "data": [] }));
    agency.second_admin("vikram").await;
    let arjun = agency.agent("arjun", "5").await;
    world.pass(1);
    let bina = agency.agent("bina", "0").await;
    world.pass(1);
    let chetan = agency.agent("chetan", "0").await;
    world.agency().await.agent("foreign", "9").await;
    admin.give(&arjun, "100", "").await;
    admin.give(&chetan, "50", "").await;
    world.pass(60);
    admin.give(&arjun, "11", "").await;
    admin.suspend_user(&bina).await;
    admin.delete_user(&chetan).await;
    let body = admin.get("/org/wallet/agents").await;
    assert!(body.json().get("meta").is_none());
    let at = world.now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    let expected = format!(
        r#"[{{"agent_id":"{}","name":"bina Sunrise","username":"bina","allocated_balance":0.00,
              "total_allocated_to_date":0.00,"last_allocation":"","is_active":false}},
            {{"agent_id":"{}","name":"arjun Sunrise","username":"arjun","allocated_balance":116.00,
              "total_allocated_to_date":111.00,"last_allocation":"{at}","is_active":true}}]"#,
        bina.id, arjun.id
    );
    assert_eq!(body.ok(), serde_json::from_str::<Value>(&expected).unwrap());
    let told = summary(&admin).await;
    assert_eq!(told["agent_count"], 2);
    assert_eq!(amount(&told["total_allocated_to_agents"]), dec!(116));

    // A wallet that can't pay is not active, whoever's it is.
    world.sql("update wallets set is_active = false where owner_type = 'user'").await;
    assert_eq!(admin.get("/org/wallet/agents").await.ok()[1]["is_active"], false);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tier_has_them_but_no_agent() {
    let (world, _, admin, agent) = World::start().await.and_people("0", "0").await;
    world.sql("update organizations set subscription_type = 'api_only'").await;
    for path in ["/org/wallet/summary", "/org/wallet/agents"] {
        admin.get(path).await.ok();
        agent.get(path).await.is(403, "access denied");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_balance_over_time_has_what_moved_within_each_part() {
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.admin("1000").await;
    let arjun = agency.agent("arjun", "0").await;
    world.pass(DAY);
    // Log-ins last an hour.
    agency.log_in("asha").await.give(&arjun, "900", "").await;
    agency.admin("50").await;
    world.pass(DAY);
    let admin = agency.log_in("asha").await;
    // Three days of Kolkata, the last of them until now: 13:30.
    let series = admin.get("/org/wallet/balance-series?from=2027-01-15&to=2027-01-17&points=2").await.ok();
    assert_has!(series, { "since": "2027-01-14T18:30:00Z", "before": "2027-01-17T08:00:00Z" });
    let told = |point: &Value| ["open", "min", "max", "close"].map(|name| amount(&point[name]));
    let points: Vec<[Decimal; 4]> = series["points"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(points, [[0, 0, 1000, 1000], [1000, 100, 1000, 150]].map(|point| point.map(Decimal::from)));
    for (query, fault) in [
        ("from=2027-01-17&to=2027-01-16", "{from must not be after to}"),
        ("from=2027-01-18", "{from must not be after to}"),
        ("from=2027-02-01&to=2027-02-02", "{from must not be in the future}"),
        ("from=2026-01-01", "{from must be at most 366 days before the end of to}"),
        ("points=501", "{points must be between 1 and 500}"),
    ] {
        admin.get(&format!("/org/wallet/balance-series?{query}")).await.is_invalid(fault);
    }
}
