//! A supplier misbehaves at a rescheduling: the original is given back when the new booking stands, never before.

use std::time::Duration;

use rust_decimal::{Decimal, dec};
use serde_json::json;
use wayfare_tests::{LASTS, World, WorldOptions, amount, eventually, one_way};

use super::{new_booking, priced, stage};

#[tokio::test(flavor = "multi_thread")]
async fn new_flights_that_are_refused_leave_the_original_untouched() {
    let stage = stage().await;
    let (fare_key, _) = stage.cheapest().await;
    for (call, fault, status) in [
        ("price", "sold_out", 409),
        ("price", "status:500", 503),
        ("book", "status:422", 409),
        ("book", "price_changed:10", 400),
        ("book", "rate_limited", 503),
    ] {
        let (fare_key, _) = match fault {
            // For good.
            "sold_out" => (fare_key.clone(), dec!(0)),
            _ => stage.cheapest().await,
        };
        stage.world.next(call, fault).await;
        let refused = stage.reschedule(&fare_key).await;
        assert_eq!(refused.status, status, "{call} {fault}: {}", refused.text);
        stage.is_untouched().await;
        // A supplier that is rate limiting is left alone for a second.
        stage.world.pass(1);
    }
    let (fare_key, cost) = stage.cheapest().await;
    let refund = stage.refund().await;
    let rescheduled = stage.reschedule(&fare_key).await.ok();
    assert_eq!(stage.status_of(&new_booking(&rescheduled)).await, "confirmed");
    assert_eq!(stage.agent.balance().await, super::money() - stage.fare - cost + refund);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn new_flights_that_the_wallet_does_not_cover_are_not_booked() {
    let (world, agency) = World::frozen().await.and_agency().await;
    let trip = one_way("DEL", "BOM");
    let scout = agency.agent("scout", "1000000").await;
    let fare = amount(&scout.quote_dearest(&trip).await["price_summary"]["total_payable"]);
    let agent = agency.agent("arjun", &(fare + dec!(1.5)).to_string()).await;
    let reference = &agent.buy_dearest(&trip).await.reference;
    let day = (world.now() + chrono::Duration::days(44)).date_naive();
    let body = json!({ "origin": "DEL", "destination": "BOM", "new_date": day });
    let path = format!("/flights/bookings/{reference}/reschedule");
    let found = agent.post(&format!("{path}-avail"), &body).await.ok();
    let cost = amount(&found[0]["pricing"]["provider_agent_fare"]);
    let text =
        format!("insufficient wallet balance to proceed — available: 1.50, required: {cost:.2} (agent fare)");
    let fare_key = &found[0]["fare_key"];
    agent.post(&format!("{path}-penalty"), &json!({ "fare_key": fare_key })).await.is(402, &text);
    agent.post(&path, &json!({ "fare_keys": [fare_key] })).await.is(402, &text);
    assert_eq!(agent.balance().await, dec!(1.5));
    assert_eq!(agent.booking(reference).await["status"], "confirmed");
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_booking_without_an_answer_is_found_and_the_original_follows() {
    let (stage, fare_key, cost, refund) = priced().await;
    stage.world.next("book", "drop_after").await;
    let pending = stage.reschedule(&fare_key).await.says(202, "booking reschedule is pending");
    assert_has!(pending, {
        "cancellation": { "booking_ref": stage.reference, "status": "pending", "refund_to_wallet": null },
        "new_booking/status": "PENDING",
    });
    // Nothing else may be done with the original meanwhile, and nothing was done yet.
    for reply in [
        stage.agent.cancel(&stage.reference).await,
        stage.agent.penalty(&stage.reference).await,
        stage.reschedule(&stage.cheapest().await.0).await,
    ] {
        reply.is(409, "booking reschedule is pending");
    }
    assert_eq!(stage.status_of(&stage.reference).await, "confirmed");
    assert_eq!(stage.agent.balance().await, super::money() - stage.fare);
    assert_eq!(stage.world.held().await, cost);
    stage.world.books_agree().await;
    assert_eq!(stage.world.recover_in(2).await, 1);
    stage.is_done(&new_booking(&pending), cost, refund).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_booking_that_never_came_to_be_frees_the_original() {
    let stage = stage().await;
    let (fare_key, _) = stage.cheapest().await;
    stage.world.next("book", "drop_before").await;
    let pending = stage.reschedule(&fare_key).await.succeeds(202);
    assert_eq!(stage.world.recover_in(100).await, 1);
    assert_eq!(stage.status_of(&new_booking(&pending)).await, "pending", "not found is not yet");
    assert_eq!(stage.world.recover_in(100).await, 1);
    assert_eq!(stage.status_of(&new_booking(&pending)).await, "failed");
    stage.is_untouched().await;
    stage.agent.cancels(&stage.reference).await;
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_original_that_is_not_taken_back_stands_beside_the_new_booking() {
    for call in ["cancel", "cancel_quote"] {
        let (stage, fare_key, cost, refund) = priced().await;
        stage.world.next(call, "status:422").await;
        let rescheduled = stage.reschedule(&fare_key).await.says(200, "booking rescheduled");
        let cancellation = &rescheduled["cancellation"];
        assert_has!(cancellation, { "status": "failed", "refund_to_wallet": null });
        assert_ne!(cancellation["message"], "");
        let new = new_booking(&rescheduled);
        assert_eq!(stage.status_of(&new).await, "confirmed");
        assert_eq!(stage.status_of(&stage.reference).await, "confirmed");
        assert_eq!(stage.agent.balance().await, super::money() - stage.fare - cost);
        assert_eq!(stage.at_the_supplier().await, ["confirmed", "confirmed"]);
        stage.world.is_settled().await;
        // It can be cancelled like any other.
        stage.agent.cancels(&stage.reference).await;
        stage.is_done(&new, cost, refund).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_original_whose_supplier_is_silent_or_down_is_given_back_by_the_worker() {
    for (call, fault) in [
        ("cancel", "drop_after"),
        ("cancel", "rate_limited"),
        ("cancel_quote", "status:500"),
        ("cancel_quote", "drop_before"),
    ] {
        let (stage, fare_key, cost, refund) = priced().await;
        stage.world.next(call, fault).await;
        let pending = stage.reschedule(&fare_key).await.says(202, "booking cancellation is pending");
        let states = [&pending["new_booking"]["status"], &pending["cancellation"]["status"]];
        assert_eq!(states, ["CONFIRMED", "pending"], "{call} {fault}");
        assert_eq!(stage.status_of(&stage.reference).await, "confirmed");
        assert_eq!(stage.agent.balance().await, super::money() - stage.fare - cost);
        stage.agent.cancel(&stage.reference).await.is(409, "booking cancellation is pending");
        stage.world.books_agree().await;
        assert_eq!(stage.world.recover_in(2).await, 1, "{call} {fault}");
        stage.is_done(&new_booking(&pending), cost, refund).await;
    }
}

/// The new flights are bought: the old ones are not kept because of a quote that can't be read for a second.
#[tokio::test(flavor = "multi_thread")]
async fn an_original_whose_quote_cannot_be_read_is_quoted_again_by_the_worker() {
    for fault in ["broken_json", r#"says:refund_amount="soon""#] {
        let (stage, fare_key, cost, refund) = priced().await;
        stage.world.next("cancel_quote", fault).await;
        let pending = stage.reschedule(&fare_key).await.says(202, "booking cancellation is pending");
        assert_eq!(pending["cancellation"]["status"], "pending", "{fault}");
        let incidents = "select kind from exceptions where closed_at is null";
        assert_eq!(stage.world.lines(incidents).await, ["refund_unclear"], "{fault}");
        assert_eq!(stage.world.recover_in(2).await, 1, "{fault}");
        stage.is_done(&new_booking(&pending), cost, refund).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_never_arrived_is_confirmed_once_more() {
    let (stage, fare_key, cost, refund) = priced().await;
    stage.world.next("cancel", "drop_before").await;
    let pending = stage.reschedule(&fare_key).await.says(202, "booking cancellation is pending");
    assert_eq!(stage.world.recover_in(260).await, 1);
    assert_eq!(stage.status_of(&stage.reference).await, "confirmed");
    assert_eq!(stage.world.recover_in(1).await, 1);
    stage.is_done(&new_booking(&pending), cost, refund).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_never_arrived_is_asked_for_anew_when_its_quote_has_lapsed() {
    let mut stage = stage().await;
    let (fare_key, cost) = stage.cheapest().await;
    stage.world.next_times("cancel", "drop_before", 2).await;
    let pending = stage.reschedule(&fare_key).await.says(202, "booking cancellation is pending");
    for _ in 0..3 {
        assert_eq!(stage.world.recover_in(1000).await, 1);
        assert_eq!(stage.status_of(&stage.reference).await, "confirmed");
    }
    assert_eq!(stage.world.recover_in(1000).await, 1);
    stage.agent = stage.agency.log_in("arjun").await;
    let refund = stage.world.line("select refund_to_wallet from refunds where status = 'refunded'");
    stage.is_done(&new_booking(&pending), cost, refund.await.parse::<Decimal>().unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_comes_later_is_waited_for() {
    let (stage, fare_key, cost, refund) = priced().await;
    stage.world.next("cancel", "refund_later:1500").await;
    let pending = stage.reschedule(&fare_key).await.says(202, "booking cancellation is pending");
    assert_eq!(stage.world.recover_in(1000).await, 1);
    assert_eq!(stage.status_of(&stage.reference).await, "confirmed");
    assert_eq!(stage.world.recover_in(600).await, 1);
    stage.is_done(&new_booking(&pending), cost, refund).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_whose_patience_ends_is_told_pending_and_it_ends_by_itself() {
    let (mut world, _, agent) = World::start().await.and_agent("1000000").await;
    let options = WorldOptions { patience: Duration::from_millis(400), ..WorldOptions::default() };
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let day = (world.now() + chrono::Duration::days(44)).date_naive();
    let body = json!({ "origin": "DEL", "destination": "BOM", "new_date": day });
    let path = format!("/flights/bookings/{}/reschedule", bought.reference);
    let agent = agent.at(&world.another_process(&options));
    let found = agent.post(&format!("{path}-avail"), &body).await.ok();
    world.next("book", LASTS).await;
    let pending = agent.post(&path, &json!({ "fare_keys": [found[0]["fare_key"]] })).await;
    let pending = pending.says(202, "booking reschedule is pending");
    world.all_is_well().await;
    eventually("the original's end", async || {
        (agent.booking(&bought.reference).await["status"] == "cancelled").then_some(())
    })
    .await;
    assert_eq!(agent.booking(&new_booking(&pending)).await["status"], "confirmed");
    assert_eq!(agent.booking(&bought.reference).await["status"], "cancelled");
    world.is_settled().await;
}
