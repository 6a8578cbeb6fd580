//! A credit limit that the operator lowers is money that a wallet can't spend any more: it raises the low-balance alert.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_operations::{
    access::operators::By,
    operator::{self, WalletOf},
};
use wayfare_tests::{Agency, Person, World, amount};

async fn limit(world: &World, agency: &Agency, amount: u32) {
    let wallet = WalletOf { agency: agency.code.clone(), username: None };
    let limit = Decimal::from(amount);
    operator::set_credit_limit(&world.platform, By::command_line(), &wallet, limit).await.unwrap();
}

async fn warnings(admin: &Person) -> Vec<String> {
    let listed = admin.get("/notifications?per_page=100").await.json();
    let all = listed["data"].as_array().unwrap().iter();
    let low = all.filter(|one: &&Value| one["kind"] == "wallet.low_balance");
    low.map(|one| one["message"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lowered_credit_limit_warns_once_until_the_wallet_was_above_again() {
    let (world, agency, admin) = World::start().await.and_admin("100").await;
    let threshold = json!({ "key": "low_balance_alert", "value": "500.00" });
    limit(&world, &agency, 900).await;
    admin.put("/org/settings", &threshold).await.ok();
    // 100 of its own and 400 on credit: that is not below 500.
    limit(&world, &agency, 400).await;
    assert_eq!(warnings(&admin).await.len(), 0);
    limit(&world, &agency, 399).await;
    let first = "The organization's wallet has 499.00 INR left, less than 500.00 INR.";
    assert_eq!(warnings(&admin).await, [first]);
    limit(&world, &agency, 300).await;
    assert_eq!(warnings(&admin).await.len(), 1, "it was low already");
    limit(&world, &agency, 900).await;
    limit(&world, &agency, 0).await;
    assert_eq!(warnings(&admin).await.len(), 2);
    let newest = &admin.get("/org/audit-logs?action=wallet.low_balance").await.json()["data"][0];
    assert_eq!(newest["actor_type"], "operator");
    assert_eq!(amount(&newest["new_value"]["available"]), Decimal::from(100));
}
