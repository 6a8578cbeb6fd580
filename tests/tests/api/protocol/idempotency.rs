//! Idempotency-Key: a request made again is answered again, and carried out once.

use serde_json::{Value, json};
use wayfare_tests::{LASTS, Person, Reply, World, amount, one_way};

async fn book(person: &Person, key: &str, order: &Value) -> Reply {
    person.post_with_key("/flights/book", key, order).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_and_body_is_booked_once_and_answered_to_the_letter() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let order = agent.order_for(&one_way("DEL", "BOM")).await;

    let first = book(&agent, "a key", &order).await;
    let booked = first.ok();
    let again = book(&agent, "a key", &order).await;
    assert_eq!(again.ok(), booked);
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    assert_eq!(first.header("Idempotency-Replayed"), "");

    // The stored answer stays what it was, whatever becomes of the booking.
    agent.cancel(booked["booking_ref"].as_str().unwrap()).await.ok();
    assert_eq!(book(&agent, "a key", &order).await.ok(), booked);
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_request_under_the_key_is_refused_and_anothers_key_is_another_key() {
    let (world, agency) = World::start().await.and_agency().await;
    let (agent, other) = (agency.agent("one", "1000000").await, agency.agent("two", "1000000").await);
    let trip = one_way("DEL", "BOM");
    let order = agent.order(&agent.quote(&trip).await, &trip);
    let booked = book(&agent, "k", &order).await.ok();

    let mut changed = order.clone();
    changed["contact_phone"] = json!("9812345679");
    book(&agent, "k", &changed).await.is(422, "idempotency key was used with a different request");
    let path = format!("/flights/bookings/{}/cancel", booked["booking_ref"].as_str().unwrap());
    let refused = agent.post_with_key(&path, "k", &json!({})).await;
    refused.is(422, "idempotency key was used with a different request");

    let theirs = other.order(&other.quote(&trip).await, &trip);
    book(&other, "k", &theirs).await.ok();
    assert_eq!(world.supplier_orders().await.len(), 2);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_booking_leaves_its_key_free() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", "rate_limited").await;
    assert_eq!(book(&agent, "k", &order).await.status, 503);
    world.pass(1);

    let booked = book(&agent, "k", &order).await;
    assert_eq!(booked.ok()["status"], "CONFIRMED");
    assert_eq!(booked.header("Idempotency-Replayed"), "");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replayed_202_tells_the_bookings_present_state() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", "drop_after").await;
    let pending = book(&agent, "k", &order).await.succeeds(202);
    assert_eq!(pending["data"]["status"].as_str().or(pending["status"].as_str()), Some("PENDING"));

    world.recover_in(60).await;
    let replayed = book(&agent, "k", &order).await;
    assert_eq!(replayed.ok()["status"], "CONFIRMED");
    assert_eq!(replayed.header("Idempotency-Replayed"), "true");
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_first_runs_the_second_is_told_so() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", LASTS).await;
    let mut other = order.clone();
    other["contact_phone"] = json!("9812345679");
    // However often it is asked.
    let again = async {
        for _ in 0..4 {
            let running = book(&agent, "k", &order).await;
            running.is(409, "a request with this idempotency key is still running");
            book(&agent, "k", &other).await.is(422, "idempotency key was used with a different request");
        }
    };
    let (first, ()) = world.meanwhile(book(&agent, "k", &order), again).await;
    assert_eq!(first.ok()["status"], "CONFIRMED");
    assert_eq!(world.supplier_orders().await.len(), 1);
    assert_eq!(book(&agent, "k", &order).await.ok(), first.ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_under_a_key_all_but_one_are_told_that_it_runs() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    world.next("book", LASTS).await;
    let (told, done) = world.all_but_one((0..12).map(|_| book(&agent, "k", &order))).await;
    done.ok();
    for reply in told {
        reply.is(409, "a request with this idempotency key is still running");
    }
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_made_again_refunds_once() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let bought = agent.buy(one_way("JFK", "EWR")).await;
    let path = format!("/flights/bookings/{}/cancel", bought.reference);
    let first = agent.post_with_key(&path, "k", &json!({})).await.ok();
    let balance = agent.balance().await;
    let again = agent.post_with_key(&path, "k", &json!({})).await;
    assert_eq!(again.ok(), first);
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    assert_eq!(agent.balance().await, balance);
    assert_eq!(amount(&first["refund_to_wallet"]), bought.fare);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_day_a_key_is_new_again() {
    let (world, agency) = World::frozen().await.and_agency().await;
    let agent = agency.agent("one", "1000000").await;
    let trip = one_way("DEL", "BOM");
    let order = agent.order(&agent.quote(&trip).await, &trip);
    book(&agent, "k", &order).await.ok();
    world.pass(24 * 3600 + 1);
    let agent = agency.log_in("one").await;
    let order = agent.order(&agent.quote(&trip).await, &trip);
    assert_eq!(book(&agent, "k", &order).await.header("Idempotency-Replayed"), "");
    assert_eq!(world.supplier_orders().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_too_long_is_refused() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let order = agent.order_for(&one_way("DEL", "BOM")).await;
    book(&agent, &"k".repeat(256), &order)
        .await
        .is_invalid("{Idempotency-Key must have between 1 and 255 characters}");
    assert_eq!(world.supplier_orders().await.len(), 0);
}
