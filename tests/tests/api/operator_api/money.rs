//! Money that an operator moves: with their password, once under a key, and with their name in the audit log.

use serde_json::json;
use wayfare_domain::OperatorRole::{Finance, Viewer};
use wayfare_tests::{World, amount};

#[tokio::test(flavor = "multi_thread")]
async fn money_is_moved_once_under_a_key_and_only_shortly_after_the_password() {
    let (world, finance) = World::frozen().await.and_operator("farah", Finance).await;
    let agency = world.agency().await;
    let admin = agency.admin("1000").await;
    let path = |what: &str| format!("/agencies/{}/wallet/{what}", agency.code);
    let body = json!({ "amount": 250.50, "reason": "NEFT 123" });
    // A log-in is a password, too.
    let first = finance.post_with_key(&path("topup"), "k1", &body).await;
    assert!(!first.headers.contains_key("idempotency-replayed"));
    let first = first.ok();
    let second = finance.post_with_key(&path("topup"), "k1", &body).await;
    assert_eq!(second.headers["idempotency-replayed"], "true");
    assert_eq!(second.ok(), first);
    assert_eq!(admin.balance().await, amount(&json!(1250.50)));
    let other = json!({ "amount": 99, "reason": "NEFT 123" });
    let reply = finance.post_with_key(&path("topup"), "k1", &other).await;
    reply.is(422, "idempotency key was used with a different request");
    world.pass(601);
    for (what, body) in [("topup", &body), ("deduct", &body)] {
        finance.post_with_key(&path(what), "k2", body).await.is(403, "confirm your password");
    }
    let limit = json!({ "credit_limit": 500 });
    finance.put(&path("credit-limit"), &limit).await.is(403, "confirm your password");
    assert_eq!(admin.balance().await, amount(&json!(1250.50)));
    finance.confirm().await.ok();
    let deducted = finance.post_with_key(&path("deduct"), "k2", &body).await.ok();
    assert_eq!(amount(&deducted["balance"]), amount(&json!(1000)));
    let limited = finance.put(&path("credit-limit"), &limit).await.ok();
    assert_eq!(amount(&limited["spendable"]), amount(&json!(1500)));
    let refused = finance.post(&path("deduct"), &json!({ "amount": 5000, "reason": "too much" })).await;
    assert_eq!(refused.status, 402);
    assert_eq!(finance.post(&path("freeze"), &json!({})).await.ok()["is_active"], false);
    assert_eq!(finance.post(&path("unfreeze"), &json!({})).await.ok()["is_active"], true);
    world.books_agree().await;
    // Who did it stands in the audit log, and nothing of where they work.
    assert_eq!(
        super::done_by(&world, &finance, "and ip_address = '' and user_agent = ''").await,
        "wallet.credit_limit_changed wallet.deducted wallet.frozen wallet.topped_up wallet.unfrozen"
    );
    let log = admin.get("/org/audit-logs").await.ok();
    let mut named = log.as_array().unwrap().iter();
    assert!(named.any(|entry| entry["actor_id"] == finance.id.as_str()), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_leads_from_one_balance_to_the_other() {
    let (world, viewer) = World::frozen().await.and_operator("vera", Viewer).await;
    let agency = world.agency().await;
    agency.admin("1000").await;
    agency.agent("arjun", "300").await;
    let path = format!("/agencies/{}/statement", agency.code);
    let own = viewer.get(&path).await.ok();
    assert_eq!(amount(&own["closing_balance"]), amount(&json!(1000)));
    assert_eq!(own["transactions"].as_array().unwrap().len(), 1);
    let agents = viewer.get(&format!("{path}?username=arjun")).await.ok();
    assert_eq!(amount(&agents["total_credits"]), amount(&json!(300)));
    let refused = viewer.get(&format!("{path}?from=2027-02-01&to=2027-01-01")).await;
    refused.is_invalid("{from must not be after to}");
    viewer.get(&format!("{path}?username=nobody")).await.is_missing();
}
