//! What wallets show and what they pay for.

use rust_decimal::{Decimal, dec};
use wayfare_tests::{Person, World, amount, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn wallets_show_the_fields_of_the_contract() {
    let (world, agency, admin) = World::start().await.and_admin("12345678901234.56").await;
    let agent = agency.agent("arjun", "0.10").await;
    let own = agent.get("/wallet").await.ok();
    assert_answer!("wallet_of_an_agent", own);
    assert_eq!(own["owner_id"], agent.id.as_str());
    assert_eq!(own["balance"].to_string(), "0.10");
    assert_eq!(own["allocated_balance"].to_string(), "0.10");
    for path in ["/wallet", "/org/wallet"] {
        let wallet = admin.get(path).await.ok();
        assert_answer!("wallet_of_the_organization", wallet);
        assert_eq!(wallet["balance"].to_string(), "12345678901234.56");
    }
    agent.get("/org/wallet").await.is(403, "access denied");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_can_not_be_spent_and_is_shown_as_such() {
    let (world, agency, admin) = World::start().await.and_admin("1000").await;
    let agent = agency.agent("arjun", "200").await;
    let shown = async |person: &Person, path: &str| {
        let wallet = person.get(path).await.ok();
        ["held", "spendable"].map(|field| amount(&wallet[field]))
    };
    assert_eq!(shown(&agent, "/wallet").await, [dec!(0), dec!(200)]);
    world.sql("update wallets set held = 40.5, credit_limit = 100 where balance > 0").await;
    assert_eq!(shown(&agent, "/wallet").await, [dec!(40.5), dec!(259.5)]);
    for path in ["/wallet", "/org/wallet", "/org/wallet/summary"] {
        assert_eq!(shown(&admin, path).await, [dec!(40.5), dec!(1059.5)], "{path}");
    }
    // As clients know it.
    assert_eq!(amount(&admin.get("/org/wallet/summary").await.ok()["available_balance"]), dec!(1100));
    world.sql("update wallets set is_active = false").await;
    assert_eq!(shown(&agent, "/wallet").await, [dec!(40.5), dec!(0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_wallet_pays_for_nothing() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote(&trip).await;
    let fare = amount(&priced["price_summary"]["total_payable"]);
    world.sql("update wallets set is_active = false").await;
    let text =
        format!("insufficient wallet balance to proceed — available: 0.00, required: {fare} (agent fare)");
    let order = agent.order(&priced, &trip);
    agent.book(&order).await.is(402, &text);
    agent.price(&agent.offer(&trip).await).await.is(402, &text);
    assert_eq!(agent.get("/wallet").await.ok()["is_active"], false);
    world.nothing_happened().await;
    world.sql("update wallets set is_active = true").await;
    agent.book(&order).await.ok();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_pays_to_its_last_unit_and_into_its_credit_but_not_beyond() {
    let (world, agency) = World::start().await.and_agency().await;
    let trip = one_way("DEL", "BOM");
    let scout = agency.agent("scout", "1000000").await;
    let fare = amount(&scout.quote(&trip).await["price_summary"]["total_payable"]);
    let unit = Decimal::new(1, 2);
    let poor = agency.agent("poor", &(fare - unit).to_string()).await;
    let text = |left: Decimal| {
        format!("insufficient wallet balance to proceed — available: {left}, required: {fare} (agent fare)")
    };
    poor.price(&poor.offer(&trip).await).await.is(402, &text(fare - unit));
    world.sql("update wallets set credit_limit = 0.01 where owner_type = 'user'").await;
    poor.buy(trip.clone()).await;
    assert_eq!(poor.balance().await, -unit);
    poor.price(&poor.offer(&trip).await).await.is(402, &text(Decimal::new(0, 2)));

    let exact = agency.agent("exact", &fare.to_string()).await;
    exact.buy(trip).await;
    assert_eq!(exact.balance().await, Decimal::ZERO);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_cannot_be_spent_again() {
    let (world, agency) = World::start().await.and_agency().await;
    let trip = one_way("DEL", "BOM");
    let scout = agency.agent("scout", "1000000").await;
    let fare = amount(&scout.quote(&trip).await["price_summary"]["total_payable"]);
    let agent = agency.agent("arjun", &fare.to_string()).await;
    let (first, second) = (agent.quote(&trip).await, agent.quote(&trip).await);
    world.next("book", "drop_after").await;
    agent.book(&agent.order(&first, &trip)).await.succeeds(202);
    let text =
        format!("insufficient wallet balance to proceed — available: 0.00, required: {fare} (agent fare)");
    agent.book(&agent.order(&second, &trip)).await.is(402, &text);
    assert_eq!(agent.balance().await, fare);
    world.books_agree().await;
}
