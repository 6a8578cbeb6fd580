//! What people are told, when, and who.

use serde_json::{Value, json};
use wayfare_operations::worker;
use wayfare_tests::{Agency, Person, World, amount, one_way};

async fn notifications(person: &Person) -> Vec<Value> {
    person.get("/notifications?per_page=100").await.json()["data"].as_array().unwrap().clone()
}

async fn kinds(person: &Person) -> Vec<String> {
    notifications(person).await.iter().map(|told| told["kind"].as_str().unwrap().to_owned()).collect()
}

async fn unread(person: &Person) -> i64 {
    person.get("/notifications/unread-count").await.ok()["unread"].as_i64().unwrap()
}

/// The agency warns below this amount.
async fn warn_below(admin: &Person, amount: &str) {
    admin.put("/org/settings", &json!({ "key": "low_balance_alert", "value": amount })).await.ok();
}

async fn agency_with_people() -> (World, Agency, Person, Person) {
    World::start().await.and_people("1000", "1000000").await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_told_of_their_bookings_and_their_money() {
    let (_world, _, admin, agent) = agency_with_people().await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    admin.post(&format!("/org/wallet/topup/{}", agent.id), &json!({ "amount": 250.5 })).await.ok();
    assert_eq!(kinds(&agent).await, ["wallet.allocated", "booking.confirmed", "wallet.topped_up"]);
    let told = notifications(&agent).await;
    assert_eq!(told[0]["message"], "250.50 INR were allocated to your wallet.");
    let confirmed = &told[1];
    assert_has!(confirmed, { "title": "Booking confirmed", "is_read": false, "read_at": null });
    assert_has!(confirmed["data"], { "booking_ref": bought.reference, "product": "flight" });
    assert_eq!(amount(&confirmed["data"]["amount"]), bought.fare);
    let fields: Vec<_> = confirmed.as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields, ["created_at", "data", "id", "is_read", "kind", "message", "read_at", "title"]);
    // The admin is told of the money of the organization, and of nothing that is the agent's.
    assert_eq!(kinds(&admin).await, ["wallet.topped_up"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_is_told_with_its_refund() {
    let (_world, _, _, agent) = agency_with_people().await;
    let reference = &agent.buy_dearest(&one_way("DEL", "BOM")).await.reference;
    let cancelled = agent.cancels(reference).await;
    assert_eq!(
        kinds(&agent).await,
        ["booking.cancelled", "refund.completed", "booking.confirmed", "wallet.topped_up"]
    );
    let refund = &notifications(&agent).await[1]["data"];
    assert_eq!(amount(&refund["amount"]), amount(&cancelled["refund_to_wallet"]));
    assert_eq!(refund["booking_ref"], *reference);
}

#[tokio::test(flavor = "multi_thread")]
async fn admins_are_told_of_bookings_that_fail() {
    let (world, agency, admin, agent) = agency_with_people().await;
    agency.second_admin("vikram").await;
    let vikram = agency.log_in("vikram").await;
    world.next("book", "sold_out").await;
    let refused = agent.try_buy(&one_way("DEL", "BOM")).await;
    assert!(refused.status >= 400, "{refused:?}");
    for (person, unread_before) in [(&agent, 2), (&admin, 2), (&vikram, 1)] {
        let told = notifications(person).await;
        assert_eq!(told[0]["kind"], "booking.failed");
        assert!(told[0]["message"].as_str().unwrap().contains("nothing was charged"));
        assert_eq!(unread(person).await, unread_before);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_counts_down_and_is_everybodys_own() {
    let (_world, agency, admin, agent) = agency_with_people().await;
    agent.buy(one_way("DEL", "BOM")).await;
    let other = agency.agent("bina", "0").await;
    let told = notifications(&agent).await;
    assert_eq!(unread(&agent).await, 2);
    let path = format!("/notifications/{}/read", told[0]["id"].as_str().unwrap());
    for stranger in [&other, &admin] {
        stranger.put(&path, &json!(null)).await.is_missing();
    }
    agent.put("/notifications/x/read", &json!(null)).await.is_missing();
    assert_eq!(unread(&agent).await, 2);
    for _ in 0..2 {
        let read = agent.put(&path, &json!(null)).await;
        assert_eq!(read.text, r#"{"success":true,"message":"notification marked as read"}"#);
    }
    let read = notifications(&agent).await;
    assert_eq!(read[0]["is_read"], true);
    assert!(read[0]["read_at"].is_string());
    assert_eq!(unread(&agent).await, 1);
    let all = agent.put("/notifications/read-all", &json!(null)).await;
    assert_eq!(all.text, r#"{"success":true,"message":"all notifications marked as read"}"#);
    assert_eq!(unread(&agent).await, 0);
    // When it was read first stays.
    assert_eq!(notifications(&agent).await[0]["read_at"], read[0]["read_at"]);
    assert_eq!(unread(&admin).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_runs_low_is_told_once_until_it_was_above() {
    let (world, _, admin, agent) = agency_with_people().await;
    warn_below(&admin, "500.00").await;
    let give = async |sum: u32| {
        admin.post(&format!("/org/wallet/topup/{}", agent.id), &json!({ "amount": sum })).await.ok();
    };
    let warned = async |person: &Person| {
        let told = notifications(person).await;
        let low = told.iter().filter(|told| told["kind"] == "wallet.low_balance");
        low.map(|told| told["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // From 1,000 to 500: that is not below. To 400: that is. To 300: it was told.
    give(500).await;
    assert_eq!(warned(&admin).await.len(), 0);
    give(100).await;
    give(100).await;
    let warning = "The organization's wallet has 400.00 INR left, less than 500.00 INR.";
    assert_eq!(warned(&admin).await, [warning]);
    assert_eq!(warned(&agent).await.len(), 0, "it is not the agent's wallet");
    // What an agent spends is told to them and to the admins.
    let wallet = world.line(&format!("select id from wallets where owner_id = '{}'", agent.id)).await;
    let quote = agent.quote(&one_way("DEL", "BOM")).await;
    let left = agent.balance().await - amount(&quote["price_summary"]["agent_details"]["agent_fare"]);
    warn_below(&admin, &(left + rust_decimal::Decimal::ONE).to_string()).await;
    agent.book(&agent.order(&quote, &one_way("DEL", "BOM"))).await.ok();
    let told = notifications(&agent).await;
    let low = told.iter().find(|told| told["kind"] == "wallet.low_balance").unwrap();
    assert_eq!(low["data"]["wallet_id"], wallet.as_str());
    assert_eq!(amount(&low["data"]["available"]), left);
    assert_eq!(warned(&admin).await.len(), 2);
    agent.buy(one_way("DEL", "BOM")).await;
    assert_eq!(warned(&agent).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_password_is_told_to_whose_it_is() {
    let (_world, agency, admin, agent) = agency_with_people().await;
    let change =
        json!({ "current_password": wayfare_tests::PASSWORD, "new_password": wayfare_tests::PASSWORD });
    agent.put("/me/password", &change).await.ok();
    let agent = agency.log_in("arjun").await;
    let told = notifications(&agent).await;
    assert_has!(told[0], { "kind": "security.password_changed", "data": { "user_id": agent.id } });
    assert!(!kinds(&admin).await.contains(&"security.password_changed".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_three_months_old_is_removed() {
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.admin("1000").await;
    let count = "select count(*) from notifications";
    world.pass(90 * 86_400);
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(count).await, "1");
    world.pass(1);
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(count).await, "0");
}
