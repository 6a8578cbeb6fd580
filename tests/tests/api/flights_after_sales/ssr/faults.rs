//! The supplier misbehaves while services are asked for or added.

use rust_decimal::dec;
use serde_json::{Value, json};
use wayfare_tests::{Reply, World, amount};

use super::{Stage, money, stage, trip};

const UNAVAILABLE: &str = "supplier is temporarily unavailable, please try again";

async fn keyed(stage: &Stage, wish: &Value) -> Reply {
    stage.agent.post_with_key(&stage.path(), "one more bag", &json!({ "ssr": [wish] })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_addition_without_an_answer_is_found_and_charged_once() {
    let stage = stage().await;
    let (bag, price) = stage.bag().await;
    stage.world.next("add_service", "drop_after").await;
    let pending = stage.add(&[&bag]).await.says(202, "adding of SSR is pending");
    assert_eq!(pending, json!({ "booking_ref": stage.reference, "status": "PENDING" }));
    assert_eq!(stage.world.held().await, price);
    assert_eq!(stage.agent.balance().await, money() - stage.fare);
    for reply in [
        stage.add(&[&bag]).await,
        stage.agent.cancel(&stage.reference).await,
        stage.agent.penalty(&stage.reference).await,
    ] {
        reply.is(409, "adding of services is pending");
    }
    stage.world.books_agree().await;
    assert_eq!(stage.world.recover_in(2).await, 1);
    stage.has(1, price).await;
    assert_eq!(stage.world.recover().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_appears_late_is_waited_for() {
    let stage = stage().await;
    let (bag, price) = stage.bag().await;
    stage.world.next("add_service", "appears_after:60000").await;
    stage.add(&[&bag]).await.succeeds(202);
    assert_eq!(stage.world.recover_in(30).await, 1);
    assert_eq!(stage.world.held().await, price);
    assert_eq!(stage.world.recover_in(31).await, 1);
    stage.has(1, price).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_never_arrived_costs_nothing_when_that_is_known() {
    for fault in ["drop_before", "status:500", "broken_json"] {
        let stage = stage().await;
        let (bag, price) = stage.bag().await;
        stage.world.next("add_service", fault).await;
        stage.add(&[&bag]).await.succeeds(202);
        assert_eq!(stage.world.recover_in(100).await, 1);
        assert_eq!(stage.world.held().await, price, "{fault}: not found is not yet");
        assert_eq!(stage.world.recover_in(100).await, 1);
        stage.is_as_before().await;
        stage.add(&[&bag]).await.says(200, "SSR added");
        stage.has(1, price).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_told_in_the_suppliers_words_and_an_outage_as_one() {
    let stage = stage().await;
    let (bag, price) = stage.bag().await;
    stage.world.next("add_service", "status:422").await;
    let refused = stage.add(&[&bag]).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    assert_ne!(refused.json()["error"], "");
    stage.is_as_before().await;
    for (call, fault) in [
        ("services", "status:500"),
        ("services", "drop_before"),
        ("services", "rate_limited"),
        ("add_service", "rate_limited"),
    ] {
        stage.world.next(call, fault).await;
        let down = stage.add(&[&bag]).await;
        down.is(503, UNAVAILABLE);
        assert_ne!(down.header("retry-after"), "", "{call} {fault}");
        // A supplier that is rate limiting is left alone for a second.
        stage.world.pass(1);
        stage.is_as_before().await;
    }
    for fault in ["status:500", "drop_before", "broken_json", "rate_limited"] {
        stage.world.next("services", fault).await;
        stage.agent.get(&stage.path()).await.is(503, UNAVAILABLE);
        stage.world.pass(1);
    }
    stage.world.next("services", "status:422").await;
    let refused = stage.agent.get(&stage.path()).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    stage.add(&[&bag]).await.says(200, "SSR added");
    stage.has(1, price).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wallet_that_does_not_cover_it_buys_nothing() {
    let (world, agency) = World::frozen().await.and_agency().await;
    let scout = agency.agent("scout", "1000000").await;
    let fare = amount(&scout.quote_dearest(&trip()).await["price_summary"]["total_payable"]);
    let agent = agency.agent("arjun", &(fare + dec!(2.5)).to_string()).await;
    let stage = Stage { reference: agent.buy_dearest(&trip()).await.reference, fare, world, agent };
    let (bag, price) = stage.bag().await;
    let needed = format!("required: {price:.2} (agent fare)");
    let text = format!("insufficient wallet balance to proceed — available: 2.50, {needed}");
    stage.add(&[&bag]).await.is(402, &text);
    assert_eq!(stage.agent.balance().await, dec!(2.5));
    assert_eq!(amount(&stage.world.supplier_orders().await[0]["amount"]), fare);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_asked_for_again_under_its_key_is_bought_once() {
    let stage = stage().await;
    let (bag, price) = stage.bag().await;
    stage.world.next("add_service", "drop_after").await;
    keyed(&stage, &bag).await.succeeds(202);
    let again = keyed(&stage, &bag).await;
    again.says(202, "adding of SSR is pending");
    assert_eq!(again.header("idempotency-replayed"), "true");
    stage.world.recover_in(2).await;
    let done = keyed(&stage, &bag).await;
    done.says(200, "SSR added");
    assert_eq!(done.header("idempotency-replayed"), "true");
    stage.has(1, price).await;
}
