//! Two who want different things of one booking at once: one goes on, the other is told what is under way, and the
//! books agree.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Agency, Bought, LASTS, MONEY, Person, Reply, World, amount, money, one_way};

struct Stage {
    world: World,
    agency: Agency,
    agent: Person,
    reference: String,
    fare: Decimal,
}

async fn stage(buy: impl AsyncFnOnce(&Person) -> Bought) -> Stage {
    let (world, agency, agent) = World::start().await.and_agent(MONEY).await;
    let Bought { reference, fare, .. } = buy(&agent).await;
    Stage { world, agency, agent, reference, fare }
}

/// A ticketed booking that gives money back, by an airline that sells bags later.
async fn ticketed() -> Stage {
    stage(async |agent| agent.buy_dearest(&one_way("DEL", "BOM").by("6E")).await).await
}

/// A booking that is only held.
async fn held() -> Stage {
    stage(async |agent| agent.buy(one_way("JFK", "EWR")).await).await
}

impl Stage {
    fn path(&self, what: &str) -> String {
        format!("/flights/bookings/{}/{what}", self.reference)
    }

    async fn pay(&self) -> Reply {
        let body: Value = serde_json::from_str(&format!(r#"{{"amount": {}}}"#, self.fare)).unwrap();
        self.agent.post(&self.path("issue-ticket"), &body).await
    }

    async fn add_a_bag(&self, code: &str) -> Reply {
        let wish = json!({ "type": "BAGGAGE", "code": code, "pax_ref": 1, "segment_id": "s1" });
        self.agent.post(&self.path("ssr"), &json!({ "ssr": [wish] })).await
    }

    /// A bag that is sold: its code and what it costs.
    async fn bag(&self) -> (String, Decimal) {
        let bag = &self.agent.get(&self.path("ssr")).await.ok()["SsrDetails"]["Segments"][0]["Baggage"][0];
        (bag["Code"].as_str().unwrap().to_owned(), amount(&bag["Price"]))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_and_an_admin_cancel_the_same_booking() {
    let stage = ticketed().await;
    let admin = stage.agency.admin("0").await;
    let refund = amount(&stage.agent.penalty(&stage.reference).await.ok()["refund_amount"]);
    stage.world.next("cancel", LASTS).await;
    let both = [&stage.agent, &admin].map(|person| person.cancel(&stage.reference));
    let (losers, winner) = stage.world.all_but_one(both).await;
    assert_eq!(amount(&winner.says(200, "booking cancelled")["refund_to_wallet"]), refund);
    losers[0].is(409, "booking cancellation is pending");
    // To the wallet that paid, whoever won.
    assert_eq!(stage.agent.balance().await, money() - stage.fare + refund);
    assert_eq!(admin.balance().await, Decimal::ZERO);
    assert_eq!(stage.world.line("select count(*) from refunds").await, "1");
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_while_the_ticket_is_issued() {
    let stage = held().await;
    stage.world.next("ticket", LASTS).await;
    let (issued, cancelled) = stage.world.meanwhile(stage.pay(), stage.agent.cancel(&stage.reference)).await;
    issued.says(200, "ticket issued");
    cancelled.is(409, "ticket issue is pending");
    assert_eq!(stage.agent.balance().await, money() - stage.fare);
    assert_eq!(stage.world.supplier_orders().await[0]["status"], "confirmed");
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_while_the_hold_is_cancelled() {
    let stage = held().await;
    stage.world.next("cancel", LASTS).await;
    let (cancelled, issued) = stage.world.meanwhile(stage.agent.cancel(&stage.reference), stage.pay()).await;
    cancelled.says(200, "booking cancelled");
    issued.is(409, "booking cancellation is pending");
    assert_eq!(stage.agent.balance().await, money());
    assert_eq!(stage.world.supplier_orders().await[0]["status"], "cancelled");
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bag_while_the_booking_is_cancelled() {
    let stage = ticketed().await;
    let (code, _) = stage.bag().await;
    let refund = amount(&stage.agent.penalty(&stage.reference).await.ok()["refund_amount"]);
    stage.world.next("cancel", LASTS).await;
    let (cancelled, added) =
        stage.world.meanwhile(stage.agent.cancel(&stage.reference), stage.add_a_bag(&code)).await;
    cancelled.says(200, "booking cancelled");
    added.is(409, "booking cancellation is pending");
    assert_eq!(stage.agent.balance().await, money() - stage.fare + refund);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_while_a_bag_is_added() {
    let stage = ticketed().await;
    let (code, price) = stage.bag().await;
    stage.world.next("add_service", LASTS).await;
    let (added, [cancelled, another]) = stage
        .world
        .meanwhile(stage.add_a_bag(&code), async {
            [stage.agent.cancel(&stage.reference).await, stage.add_a_bag(&code).await]
        })
        .await;
    added.says(200, "SSR added");
    for reply in [cancelled, another] {
        reply.is(409, "adding of services is pending");
    }
    assert_eq!(stage.agent.balance().await, money() - stage.fare - price, "charged once");
    stage.world.is_settled().await;
    stage.agent.cancels(&stage.reference).await;
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rescheduling_while_the_booking_is_cancelled() {
    let stage = ticketed().await;
    let day = (stage.world.now() + chrono::Duration::days(44)).date_naive();
    let journey = json!({ "origin": "DEL", "destination": "BOM", "new_date": day });
    let found = stage.agent.post(&stage.path("reschedule-avail"), &journey).await.ok();
    let refund = amount(&stage.agent.penalty(&stage.reference).await.ok()["refund_amount"]);
    stage.world.next("cancel", LASTS).await;
    let body = json!({ "fare_keys": [found[0]["fare_key"]] });
    let (path, cancel) = (stage.path("reschedule"), stage.agent.cancel(&stage.reference));
    let (cancelled, rescheduled) = stage.world.meanwhile(cancel, stage.agent.post(&path, &body)).await;
    cancelled.says(200, "booking cancelled");
    rescheduled.is(409, "booking cancellation is pending");
    // Nothing was booked instead.
    assert_eq!(stage.world.supplier_orders().await.len(), 1);
    assert_eq!(stage.agent.balance().await, money() - stage.fare + refund);
    stage.world.is_settled().await;
}
