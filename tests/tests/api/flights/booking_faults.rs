//! The supplier misbehaves at price or book: the agency pays once for what it gets, and nothing otherwise.

use std::time::Duration;

use rust_decimal::{Decimal, RoundingStrategy, dec};
use serde_json::{Value, json};
use wayfare_tests::{LASTS, MONEY, Person, Trip, World, WorldOptions, amount, eventually, money, one_way};

async fn quoted(agent: &Person, trip: &Trip) -> (Decimal, Value) {
    let priced = agent.quote(trip).await;
    (amount(&priced["price_summary"]["total_payable"]), agent.order(&priced, trip))
}

/// Books while this fault waits; the answer is 202 `PENDING`, and the money stays held. The reference and fare.
async fn left_pending(world: &World, agent: &Person, fault: &str) -> (String, Decimal) {
    let (fare, order) = quoted(agent, &one_way("DEL", "BOM")).await;
    world.next("book", fault).await;
    let booked = agent.book(&order).await.succeeds(202);
    assert_eq!(booked["status"], "PENDING");
    assert_eq!(world.held().await, fare);
    assert_eq!(agent.balance().await, money(), "a hold is not in the balance");
    let reference = booked["booking_ref"].as_str().unwrap().to_owned();
    agent.cancel(&reference).await.is(409, "booking is still pending");
    agent.penalty(&reference).await.is(409, "booking is still pending");
    world.books_agree().await;
    (reference, fare)
}

async fn failed_and_free(world: &World, agent: &Person) {
    assert!(world.held().await.is_zero());
    assert_eq!(agent.balance().await, money());
    let statuses = world.lines("select status from bookings").await;
    assert!(statuses.iter().all(|status| status == "failed"), "{statuses:?}");
    assert!(world.supplier_orders().await.is_empty());
    world.books_agree().await;
}

/// That the booking is confirmed, charged once and stands once at the supplier.
async fn confirmed_once(world: &World, agent: &Person, reference: &str, fare: Decimal) {
    let detail = agent.booking(reference).await;
    assert_eq!(detail["status"], "confirmed");
    assert_ne!(detail["pnr_details"][0]["pnr"], "");
    assert_eq!(agent.balance().await, money() - fare);
    assert!(world.held().await.is_zero());
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sold_out_offer_is_refused_in_the_suppliers_words_and_the_money_comes_back() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let (_, order) = quoted(&agent, &one_way("DEL", "BOM")).await;
    world.next("book", "sold_out").await;
    let refused = agent.book(&order).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    assert_ne!(refused.json()["error"], "");
    failed_and_free(&world, &agent).await;
    let listed = agent.get("/flights/bookings?status=failed").await.json();
    let reference = listed["data"][0]["booking_ref"].as_str().unwrap().to_owned();
    agent.cancel(&reference).await.is(400, "booking has failed");
    agent.penalty(&reference).await.is(400, "booking has failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_failed_frees_its_key() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let (fare, order) = quoted(&agent, &one_way("DEL", "BOM")).await;
    world.next("book", "status:422").await;
    let refused = agent.book(&order).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    failed_and_free(&world, &agent).await;
    let booked = agent.book(&order).await.ok();
    confirmed_once(&world, &agent, booked["booking_ref"].as_str().unwrap(), fare).await;
    assert_eq!(world.line("select count(*) from bookings").await, "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_moved_at_book_is_not_paid() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let (_, order) = quoted(&agent, &one_way("DEL", "BOM")).await;
    world.next("book", "price_changed:10").await;
    agent.book(&order).await.is(400, "fare has changed, please price again");
    failed_and_free(&world, &agent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_fell_at_book_is_booked_at_the_quoted_fare() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM");
    let dearest = agent.quote_dearest(&trip).await;
    let fare = amount(&dearest["price_summary"]["total_payable"]);
    world.next("book", "price_changed:-10").await;
    let booked = agent.book(&agent.order(&dearest, &trip)).await.ok();
    assert_eq!(booked["status"], "CONFIRMED");
    assert_eq!(amount(&booked["total_amount"]), fare);
    assert_eq!(agent.balance().await, money() - fare);
    let orders = world.supplier_orders().await;
    assert_eq!(orders.len(), 1);
    let fallen = (fare * dec!(0.9)).round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    assert_eq!(amount(&orders[0]["amount"]), fallen);
    // The operator sees that the supplier charged something else.
    assert_eq!(world.lines("select kind from exceptions where closed_at is null").await, ["other_total"]);
    let reference = booked["booking_ref"].as_str().unwrap();
    let penalty = agent.penalty(reference).await.ok();
    agent.cancel(reference).await.ok();
    assert_eq!(agent.balance().await, money() - amount(&penalty["penalty"]));
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_moved_at_price_is_shown_old_and_new() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM").party(2, 1, 1);
    let offer = &agent.search(&trip).await["offers"][0];
    world.next("price", "price_changed:10").await;
    let priced = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
    let (old, summary) = (amount(&offer["price"]["total"]), &priced["price_summary"]);
    let new = amount(&summary["base_fare_total"]) + amount(&summary["tax_total"]);
    assert!(new > old);
    let change = &priced["price_change"];
    assert_eq!([amount(&change["old_total"]), amount(&change["new_total"])], [old, new]);
    assert_eq!(amount(&agent.book(&agent.order(&priced, &trip)).await.ok()["total_amount"]), new);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn price_answers_as_decided_when_the_supplier_refuses_or_is_silent() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM");
    let gone = agent.offer(&trip).await;
    world.next("price", "sold_out").await;
    agent.price(&gone).await.is(409, "offer is no longer available, please search again");
    let offer = agent.offer(&trip).await;
    for fault in ["status:500", "broken_json", "drop_before", "drop_after", "rate_limited", "status:502"] {
        world.next("price", fault).await;
        let reply = agent.price(&offer).await;
        reply.is(503, "supplier is temporarily unavailable, please try again");
        assert!(reply.header("retry-after").parse::<u32>().unwrap() >= 1, "{fault}");
        // A supplier that is rate limiting is left alone for a second.
        world.pass(1);
    }
    agent.price(&offer).await.ok();
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_error_leaves_the_booking_pending_until_its_processing_time_is_over() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    for fault in ["status:500", "drop_before", "broken_json", "status:502"] {
        let (reference, fare) = left_pending(&world, &agent, fault).await;
        assert_eq!(world.recover_in(100).await, 1);
        assert_eq!(agent.booking(&reference).await["status"], "pending", "{fault}: not found is not yet");
        assert_eq!(world.held().await, fare);
        assert_eq!(world.recover_in(100).await, 1);
        assert_eq!(agent.booking(&reference).await["status"], "failed", "{fault}");
        failed_and_free(&world, &agent).await;
    }
    assert_eq!(world.recover().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_stands_although_nobody_answered_is_found_and_charged_once() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare) = left_pending(&world, &agent, "drop_after").await;
    assert_eq!(world.recover_in(2).await, 1);
    assert_eq!(world.recover().await, 0);
    confirmed_once(&world, &agent, &reference, fare).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_appears_late_is_waited_for() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare) = left_pending(&world, &agent, "appears_after:60000").await;
    assert_eq!(world.recover_in(30).await, 1);
    assert_eq!(agent.booking(&reference).await["status"], "pending");
    assert_eq!(world.recover_in(31).await, 1);
    confirmed_once(&world, &agent, &reference, fare).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_a_pending_booking_looks_it_up() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare) = left_pending(&world, &agent, "drop_after").await;
    confirmed_once(&world, &agent, &reference, fare).await;
    assert_eq!(world.recover().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_up_that_fails_decides_nothing() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare) = left_pending(&world, &agent, "drop_after").await;
    for fault in ["status:500", "broken_json", "rate_limited", "status:404", "status:403", "drop_before"] {
        // Long after the processing time, when "not found" would mean failed.
        world.pass(200);
        world.next("lookup", fault).await;
        assert_eq!(world.recover().await, 1, "{fault}");
        assert_eq!(world.line("select status from bookings").await, "pending", "{fault}");
    }
    world.recover_in(200).await;
    confirmed_once(&world, &agent, &reference, fare).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_whose_patience_ends_is_told_pending_and_the_booking_ends_by_itself() {
    let options = WorldOptions { patience: Duration::from_millis(150), ..WorldOptions::default() };
    let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
    let (fare, order) = quoted(&agent, &one_way("DEL", "BOM")).await;
    world.next("book", LASTS).await;
    let booked = agent.book(&order).await.succeeds(202);
    let reference = booked["booking_ref"].as_str().unwrap();
    assert_eq!(booked["status"], "PENDING");
    world.all_is_well().await;
    eventually("the booking", async || (agent.booking(reference).await["status"] != "pending").then_some(()))
        .await;
    confirmed_once(&world, &agent, reference, fare).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_is_silent_beyond_its_deadline_is_looked_up() {
    let options = WorldOptions { effect_deadline: Duration::from_secs(6), ..WorldOptions::default() };
    let (world, _, agent) = World::with(options.frozen()).await.and_agent(MONEY).await;
    let (reference, fare) = left_pending(&world, &agent, LASTS).await;
    world.all_is_well().await;
    eventually("the order", async || (!world.supplier_orders().await.is_empty()).then_some(())).await;
    world.recover_in(2).await;
    confirmed_once(&world, &agent, &reference, fare).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_surely_did_nothing_fails_the_booking_at_once() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let text = "supplier is temporarily unavailable, please try again";
    let (_, order) = quoted(&agent, &one_way("DEL", "BOM")).await;
    world.next("book", "rate_limited").await;
    let reply = agent.book(&order).await;
    reply.is(503, text);
    assert_eq!(reply.header("retry-after"), "1");
    failed_and_free(&world, &agent).await;
    world.pass(1);

    assert_eq!(world.supplier_orders().await, Vec::<Value>::new());
    world.end_supplier().await;
    let reply = agent.book(&order).await;
    reply.is(503, text);
    assert!(reply.header("retry-after").parse::<u32>().unwrap() >= 1);
    assert!(world.held().await.is_zero());
    assert_eq!(world.lines("select distinct status from bookings").await, ["failed"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_airlines_failure_at_the_order_is_not_taken_for_a_refusal() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (fare, order) = quoted(&agent, &one_way("LHR", "LGW")).await;
    let booked = agent.book(&order).await.succeeds(202);
    assert_eq!(world.held().await, fare);
    world.recover_in(131).await;
    assert_eq!(agent.booking(booked["booking_ref"].as_str().unwrap()).await["status"], "failed");
    failed_and_free(&world, &agent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn our_balance_at_the_supplier_is_an_outage() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let reply = agent.try_buy(&one_way("LGW", "STN")).await;
    assert_eq!(reply.status, 503, "{}", reply.text);
    failed_and_free(&world, &agent).await;
    assert_eq!(agent.get("/flights/bookings").await.json()["meta"]["total"], json!(1));
}
