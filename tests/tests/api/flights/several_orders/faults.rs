//! One of several orders is refused or nobody hears of it: the booking is whole, or nothing of it is left.

use rust_decimal::Decimal;
use serde_json::Value;
use tokio::time::timeout;
use wayfare_tests::{LASTS, LONG, Person, World, eventually};

use super::{
    MONEY, at_the_suppliers, booked, exceptions, money, quoted, quoted_to_hold, second_suffers, world,
};

const GONE: &str = "The flight is no longer available. Please search again.";

/// A world, its agent, a fare of two halves and its order, the second booking of which suffers.
async fn whose_second(fault: &str) -> (World, Person, Decimal, Value) {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (fare, order) = quoted(&agent, (1, 0, 0)).await;
    second_suffers(&world, "book", fault).await;
    (world, agent, fare, order)
}

/// That the booking failed, and the wallet is as before.
async fn failed(world: &World, agent: &Person) {
    assert_eq!(agent.balance().await, money());
    assert!(world.held().await.is_zero());
    assert_eq!(world.line("select status from bookings").await, "failed");
    assert_eq!(world.line("select count(*) from refunds").await, "0");
    let ledger = agent.get("/wallet/transactions").await.json();
    assert_eq!(ledger["meta"]["total"], 1, "{ledger}");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_that_is_sold_out_lets_the_first_go() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (_, order) = quoted_to_hold(&agent).await;
    second_suffers(&world, "book", "sold_out").await;
    agent.book(&order).await.is(409, GONE);
    assert_eq!(at_the_suppliers(&world).await, ["cancelled"]);
    failed(&world, &agent).await;
    assert_eq!(exceptions(&world).await, Vec::<String>::new());
    let reference = world.line("select booking_ref from bookings").await;
    let detail = agent.booking(&reference).await;
    assert_has!(detail["pnr_details"], { "0/status": "cancelled", "1/status": "failed" });
    for reply in [agent.cancel(&reference).await, agent.penalty(&reference).await] {
        reply.is(400, "booking has failed");
    }
    // A new price can be booked at once.
    let (fare, order) = quoted_to_hold(&agent).await;
    booked(&agent, &order).await;
    assert_eq!(agent.balance().await, money() - fare);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_that_is_sold_out_leaves_the_second_unasked() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (fare, order) = quoted(&agent, (1, 0, 0)).await;
    world.next_at("tripjack", "book", "status:400").await;
    agent.book(&order).await.is(409, "Bad request");
    assert_eq!(at_the_suppliers(&world).await, Vec::<String>::new());
    failed(&world, &agent).await;
    // Nothing was made of the quote, so that it can be booked again.
    booked(&agent, &order).await;
    assert_eq!(agent.balance().await, money() - fare);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed", "confirmed"]);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_penalty_for_the_first_is_not_the_agencys() {
    let (world, agent, _, order) = whose_second("sold_out").await;
    agent.book(&order).await.is(409, GONE);
    assert_eq!(at_the_suppliers(&world).await, ["cancelled"]);
    failed(&world, &agent).await;
    assert_eq!(exceptions(&world).await, ["penalty_kept"]);
    let told: Value = serde_json::from_str(&world.line("select details from exceptions").await).unwrap();
    assert_ne!(told["charged"], told["given_back"]);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_whose_cancellation_falls_silent_is_given_back_by_the_worker() {
    for (fault, orders) in [("drop_after", "cancelled"), ("rate_limited", "confirmed")] {
        let (world, agent, _, order) = whose_second("sold_out").await;
        world.next_at("tripjack", "cancel", fault).await;
        agent.book(&order).await.is(409, GONE);
        assert_eq!(at_the_suppliers(&world).await, [orders], "{fault}");
        failed(&world, &agent).await;
        assert_ne!(world.books().under_way().await, Vec::<String>::new(), "{fault}");
        assert_eq!(world.recover_in(2).await, 1);
        assert_eq!(at_the_suppliers(&world).await, ["cancelled"], "{fault}");
        failed(&world, &agent).await;
        world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_whose_cancellation_never_arrived_is_the_operators() {
    let (world, agent, _, order) = whose_second("sold_out").await;
    world.next_at("tripjack", "cancel", "drop_before").await;
    agent.book(&order).await.is(409, GONE);
    for _ in 0..3 {
        assert_eq!(world.recover_in(600).await, 1);
    }
    assert_eq!(exceptions(&world).await, ["outcome_unknown"]);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed"]);
    failed(&world, &agent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_that_its_supplier_does_not_take_back_is_the_operators() {
    let (world, agent, _, order) = whose_second("sold_out").await;
    world.next_at("tripjack", "cancel", "status:400").await;
    agent.book(&order).await.is(409, GONE);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed"]);
    failed(&world, &agent).await;
    assert_eq!(exceptions(&world).await, ["order_without_booking"]);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_long_for_a_first_that_is_given_back_slowly() {
    let (world, agent, _, order) = whose_second("sold_out").await;
    world.next_at("tripjack", "cancel", LASTS).await;
    // The supplier would have longer than that.
    timeout(LONG, agent.book(&order)).await.expect("it waits").is(409, GONE);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed"], "it is not given back yet");
    failed(&world, &agent).await;
    world.all_is_well().await;
    eventually("the supplier has it back", async || {
        (at_the_suppliers(&world).await == ["cancelled"]).then_some(())
    })
    .await;
    world.recover_in(200).await;
    eventually("the incident", async || (exceptions(&world).await == ["penalty_kept"]).then_some(())).await;
    world.is_settled().await;
}

/// Its supplier would take an order under the same id for the one that it has.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_still_stands_is_never_taken_for_another_bookings() {
    for fault in ["drop_before", "status:400", "rate_limited"] {
        let (world, agent, _, order) = whose_second("status:400").await;
        world.next_at("tripjack", "cancel", fault).await;
        agent.book(&order).await.is(409, "Bad request");
        assert_eq!(at_the_suppliers(&world).await, ["confirmed"], "{fault}");
        let reference = world.line("select booking_ref from bookings").await;
        let again = agent.book(&order).await;
        again.is(409, "booking key has already been used");
        assert_eq!(again.json()["data"]["booking_ref"], reference.as_str());
        failed(&world, &agent).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_without_an_answer_is_found_and_the_booking_is_whole() {
    let (world, agent, fare, order) = whose_second("drop_after").await;
    let pending = agent.book(&order).await.succeeds(202);
    assert_eq!(pending["status"], "PENDING");
    assert_eq!((world.held().await, agent.balance().await), (fare, money()));
    world.books_agree().await;
    assert_eq!(world.recover_in(2).await, 1);
    assert_eq!(agent.booking(pending["booking_ref"].as_str().unwrap()).await["status"], "confirmed");
    assert_eq!(agent.balance().await, money() - fare);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed", "confirmed"]);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_that_never_arrived_ends_the_first_when_that_is_known() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (fare, order) = quoted_to_hold(&agent).await;
    second_suffers(&world, "book", "drop_before").await;
    let pending = agent.book(&order).await.succeeds(202);
    assert_eq!(world.recover_in(100).await, 1);
    assert_eq!(world.held().await, fare, "not found is not yet");
    assert_eq!(at_the_suppliers(&world).await, ["held"]);
    assert_eq!(world.recover_in(100).await, 1);
    assert_eq!(agent.booking(pending["booking_ref"].as_str().unwrap()).await["status"], "failed");
    assert_eq!(at_the_suppliers(&world).await, ["cancelled"]);
    failed(&world, &agent).await;
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_without_an_answer_is_found_and_the_second_is_booked_then() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (fare, order) = quoted(&agent, (1, 0, 0)).await;
    world.next_at("tripjack", "book", "drop_after").await;
    let pending = agent.book(&order).await.succeeds(202);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed"]);
    world.books_agree().await;
    assert_eq!(world.recover_in(2).await, 1);
    assert_eq!(agent.booking(pending["booking_ref"].as_str().unwrap()).await["status"], "confirmed");
    assert_eq!(at_the_suppliers(&world).await, ["confirmed", "confirmed"]);
    assert_eq!(agent.balance().await, money() - fare);
    world.is_settled().await;
}
