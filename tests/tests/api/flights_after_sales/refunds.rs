//! What is on its way back and what has come: told to those whose it is.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Agency, Person, Reply, World, amount, one_way};

struct Stage {
    world: World,
    agency: Agency,
    agent: Person,
    reference: String,
    refund: Decimal,
}

async fn stage() -> Stage {
    let (world, agency, agent) = World::frozen().await.and_agent("1000000").await;
    let reference = agent.buy_dearest(&one_way("DEL", "BOM")).await.reference;
    let refund = amount(&agent.penalty(&reference).await.ok()["refund_amount"]);
    Stage { world, agency, agent, reference, refund }
}

impl Stage {
    async fn state(&self, who: &Person) -> Reply {
        who.post(&format!("/flights/bookings/{}/refund-status", self.reference), &json!({})).await
    }
}

async fn rows(who: &Person) -> Vec<Value> {
    let listed = who.get("/flights/refunds").await.json();
    let rows = listed["data"].as_array().unwrap().clone();
    assert_eq!(listed["meta"]["total"], rows.len());
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_see_their_own_and_admins_the_agencys() {
    let stage = stage().await;
    let colleague = stage.agency.agent("bina", "1000000").await;
    let admin = stage.agency.admin("0").await;
    let stranger = stage.world.agency().await.admin("0").await;
    for who in [&stage.agent, &admin, &colleague, &stranger] {
        assert!(rows(who).await.is_empty());
        // Nothing was given back yet, or it is not theirs.
        stage.state(who).await.is_missing();
    }
    stage.agent.cancels(&stage.reference).await;
    for (who, status, count) in [
        (&stage.agent, "refunded", 1),
        (&admin, "refunded", 1),
        (&admin, "failed", 0),
        (&colleague, "refunded", 0),
        (&stranger, "refunded", 0),
    ] {
        let listed = who.get(&format!("/flights/refunds?status={status}")).await.json();
        assert_eq!(listed["meta"]["total"], count, "{status}");
    }
    for who in [&stage.agent, &admin] {
        let rows = rows(who).await;
        assert_eq!(rows.len(), 1);
        assert_has!(rows[0], { "booking_ref": stage.reference, "agent_name": "arjun Sunrise" });
        let state = stage.state(who).await.ok();
        let (id, at) = (&rows[0]["provider_refund_id"], &rows[0]["refunded_at"]);
        assert_has!(state, { "status": "refunded", "refund_id": id, "refunded_at": at });
        assert_eq!(amount(&state["refund_to_wallet"]), stage.refund);
        assert_ne!(state["refund_id"], "");
    }
    for who in [&colleague, &stranger] {
        assert!(rows(who).await.is_empty());
        stage.state(who).await.is_missing();
    }
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_under_way_is_looked_up_by_whoever_asks() {
    let stage = stage().await;
    let before = stage.agent.balance().await;
    stage.world.next("cancel", "refund_later:600").await;
    stage.agent.cancel(&stage.reference).await.says(202, "booking cancellation is pending");
    let state = stage.state(&stage.agent).await.ok();
    assert_has!(state, { "status": "processing", "refunded_at": null });
    assert_eq!(amount(&state["refund_to_wallet"]), stage.refund);
    assert_eq!(rows(&stage.agent).await[0]["refund_status"], "processing");
    assert_eq!(stage.agent.balance().await, before);
    stage.world.pass(601);
    assert_eq!(stage.state(&stage.agent).await.ok()["status"], "refunded");
    assert_eq!(stage.agent.balance().await, before + stage.refund);
    assert_eq!(stage.world.recover().await, 0);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_failed_is_told_as_failed() {
    let stage = stage().await;
    let before = stage.agent.balance().await;
    stage.world.next("cancel", "status:422").await;
    assert_eq!(stage.agent.cancel(&stage.reference).await.status, 409);
    assert_has!(stage.state(&stage.agent).await.ok(), { "status": "failed", "refunded_at": null });
    assert_eq!(rows(&stage.agent).await[0]["refund_status"], "failed");
    assert_eq!(stage.agent.balance().await, before);
    // The next one is told, not this one.
    stage.agent.cancels(&stage.reference).await;
    let state = stage.state(&stage.agent).await.ok();
    assert_eq!((&state["status"], amount(&state["refund_to_wallet"])), (&json!("refunded"), stage.refund));
    assert_eq!(rows(&stage.agent).await.len(), 2);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_newest_first() {
    let stage = stage().await;
    stage.agent.cancels(&stage.reference).await;
    stage.world.pass(60);
    let later = stage.agent.buy(one_way("DEL", "BLR")).await;
    stage.agent.cancels(&later.reference).await;
    let page = async |page: u32| {
        let listed = stage.agent.get(&format!("/flights/refunds?page={page}&per_page=1")).await.json();
        assert_has!(listed, { "meta": { "page": page, "per_page": 1, "total": 2, "total_pages": 2 } });
        listed["data"][0]["booking_ref"].clone()
    };
    assert_eq!([page(1).await, page(2).await], [json!(later.reference), json!(stage.reference)]);
    for query in ["page=0", "per_page=101", "page=x"] {
        let reply = stage.agent.get(&format!("/flights/refunds?{query}")).await;
        assert_eq!(reply.status, 422, "{}", reply.text);
    }
}
