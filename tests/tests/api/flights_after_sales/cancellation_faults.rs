//! The supplier misbehaves at a cancellation: the refund comes once, when the supplier gave back, or not at all.

use std::time::Duration;

use rust_decimal::Decimal;
use serde_json::json;
use wayfare_tests::{Bought, LASTS, Person, World, WorldOptions, amount, eventually, money, one_way};

struct Stage {
    world: World,
    agent: Person,
    bought: Bought,
    refund: Decimal,
}

async fn stage(options: WorldOptions) -> Stage {
    let (world, _, agent) = World::with(options).await.and_agent("1000000").await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let penalty = agent.penalty(&bought.reference).await.ok();
    Stage { refund: amount(&penalty["refund_amount"]), world, agent, bought }
}

impl Stage {
    /// Cancels while this fault waits; the answer is 202 and nothing has changed yet.
    async fn cancel_is_pending(&self, fault: &str) {
        self.world.next("cancel", fault).await;
        let pending =
            self.agent.cancel(&self.bought.reference).await.says(202, "booking cancellation is pending");
        self.world.has_struck().await;
        assert_eq!(pending, json!({ "booking_ref": self.bought.reference, "status": "PENDING" }));
        self.stands().await;
        assert_eq!(self.world.line("select status from refunds").await, "processing");
        self.agent.cancel(&self.bought.reference).await.is(409, "booking cancellation is pending");
    }

    async fn stands(&self) {
        assert_eq!(self.world.line("select status from bookings").await, "confirmed");
        assert_eq!(self.agent.balance().await, money() - self.bought.fare);
    }

    async fn is_given_back_once(&self) {
        assert_eq!(self.agent.booking(&self.bought.reference).await["status"], "cancelled");
        assert_eq!(self.agent.balance().await, money() - self.bought.fare + self.refund);
        let refunds = self.world.lines("select status from refunds where status <> 'failed'").await;
        assert_eq!(refunds, ["refunded"]);
        self.agent.cancel(&self.bought.reference).await.is(400, "booking is already cancelled");
        assert_eq!(self.world.recover().await, 0);
        self.world.books_agree().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_was_carried_out_without_an_answer_is_found_and_given_back_once() {
    let stage = stage(WorldOptions::default().frozen()).await;
    stage.cancel_is_pending("drop_after").await;
    assert_eq!(stage.world.recover_in(2).await, 1);
    stage.is_given_back_once().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_comes_later_is_waited_for_as_long_as_it_takes() {
    let stage = stage(WorldOptions::default().frozen()).await;
    stage.cancel_is_pending("refund_later:3000").await;
    // Accepted is accepted: far past the processing time it is still not taken for refused.
    for _ in 0..3 {
        assert_eq!(stage.world.recover_in(900).await, 1);
        stage.stands().await;
    }
    assert_eq!(stage.world.recover_in(400).await, 1);
    stage.is_given_back_once().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_the_supplier_refuses_changes_nothing() {
    let stage = stage(WorldOptions::default()).await;
    stage.world.next_times("cancel", "status:422", 9).await;
    let refused = stage.agent.cancel(&stage.bought.reference).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    stage.stands().await;
    stage.world.all_is_well().await;
    stage.world.next("cancel_quote", "status:422").await;
    let refused = stage.agent.cancel(&stage.bought.reference).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    stage.world.books_agree().await;
    stage.agent.cancels(&stage.bought.reference).await;
    stage.world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_cannot_be_asked_is_told_so_and_nothing_changes() {
    let stage = stage(WorldOptions::default().frozen()).await;
    let text = "supplier is temporarily unavailable, please try again";
    for (call, fault) in [
        ("cancel_quote", "status:500"),
        ("cancel_quote", "drop_before"),
        ("cancel_quote", "drop_after"),
        ("cancel_quote", "rate_limited"),
        ("cancel", "rate_limited"),
    ] {
        stage.world.next(call, fault).await;
        let reply = stage.agent.cancel(&stage.bought.reference).await;
        reply.is(503, text);
        assert!(reply.header("retry-after").parse::<u32>().unwrap() >= 1);
        stage.stands().await;
        // A supplier that is rate limiting is left alone for a second.
        stage.world.pass(1);
        if call == "cancel_quote" {
            stage.world.next(call, fault).await;
            stage.agent.penalty(&stage.bought.reference).await.is(503, text);
            stage.world.pass(1);
        }
    }
    stage.world.books_agree().await;
    stage.agent.cancel(&stage.bought.reference).await.ok();
    stage.is_given_back_once().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_whose_patience_ends_is_told_pending_and_the_refund_comes_by_itself() {
    let mut stage = stage(WorldOptions::default()).await;
    let hasty = WorldOptions { patience: Duration::from_millis(300), ..WorldOptions::default() };
    stage.agent = stage.agent.at(&stage.world.another_process(&hasty));
    stage.cancel_is_pending(LASTS).await;
    stage.world.all_is_well().await;
    eventually("the cancellation", async || {
        (stage.agent.booking(&stage.bought.reference).await["status"] == "cancelled").then_some(())
    })
    .await;
    stage.is_given_back_once().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn asking_for_the_penalty_while_a_cancellation_runs_does_not_disturb_it() {
    let stage = stage(WorldOptions::default()).await;
    stage.world.next("cancel", LASTS).await;
    let reference = &stage.bought.reference;
    let (cancel, penalty) = (stage.agent.cancel(reference), stage.agent.penalty(reference));
    let (cancelled, penalty) = stage.world.meanwhile(cancel, penalty).await;
    penalty.is(409, "booking cancellation is pending");
    cancelled.says(200, "booking cancelled");
    stage.is_given_back_once().await;
}
