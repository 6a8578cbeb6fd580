//! Purchases that queue up share a transaction: each is decided by itself, and none suffers from another's fault.

use std::time::Duration;

use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use rust_decimal::Decimal;
use serde_json::Value;
use tokio::task::JoinHandle;
use wayfare_tests::{LASTS, Person, Reply, Trip, World, amount, eventually, one_way, travellers};

/// In how many transactions purchases were opened: events are written with them and never changed.
const OPENED_IN: &str = "select count(distinct xmin::text) from events where action = 'booking.requested'";

async fn orders(world: &World, agent: &Person, trips: impl Iterator<Item = Trip>) -> Vec<Value> {
    let mut orders = Vec::new();
    for (family, trip) in ('a'..).zip(trips) {
        let mut order = agent.order(&agent.quote(&trip).await, &trip);
        order["passengers"] = travellers(&format!("Sharma{family}"), trip.party, world.now()).into();
        orders.push(order);
    }
    orders
}

/// Waits until each of these calls waits for the wallets, or has been answered.
async fn all_wait(world: &World, calls: &[JoinHandle<Reply>]) {
    let all = async || {
        let answered = calls.iter().filter(|call| call.is_finished()).count();
        (world.platform.engine.commands_under_way() + answered == calls.len()).then_some(())
    };
    eventually("all commands", all).await;
}

/// Books all of these at once while somebody else holds the agents' wallets, so that the purchases queue up.
async fn book_in_a_queue(world: &World, booked: impl Iterator<Item = (Person, Value)>) -> Vec<Reply> {
    let mut elsewhere = world.database.connection().await;
    elsewhere.batch_execute("begin; select 1 from wallets order by id for update").await.unwrap();
    let calls = booked.map(|(agent, order)| tokio::spawn(async move { agent.book(&order).await }));
    let calls: Vec<_> = calls.collect();
    all_wait(world, &calls).await;
    elsewhere.batch_execute("commit").await.unwrap();
    join_all(calls).await.into_iter().map(Result::unwrap).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn purchases_that_queue_up_are_opened_together() {
    let (world, agency) = World::start().await.and_agency().await;
    let arjun = agency.agent("arjun", "1000000").await;
    let trips = || (0..20).map(|_| one_way("DEL", "BOM"));
    let orders = orders(&world, &arjun, trips()).await;
    for reply in book_in_a_queue(&world, orders.into_iter().map(|order| (arjun.clone(), order))).await {
        assert_eq!(reply.ok()["status"], "CONFIRMED");
    }
    let transactions: usize = world.line(OPENED_IN).await.parse().unwrap();
    assert!(transactions < 10, "20 purchases were opened in {transactions} transactions");
    assert_eq!(world.supplier_orders().await.len(), 20);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_who_cannot_pay_and_one_whose_quote_is_used_do_not_hinder_the_others() {
    let (world, agency) = World::start().await.and_agency().await;
    let (rich, poor) = (agency.agent("arjun", "1000000").await, agency.agent("meera", "1").await);
    let trips = || (0..4).map(|_| one_way("DEL", "BOM"));
    let wanted = orders(&world, &rich, trips()).await;
    // Priced while there was money, which is spent elsewhere since.
    world.sql("update wallets set balance = 1000000 where balance = 1").await;
    let unpaid = orders(&world, &poor, trips().take(1)).await;
    world.sql(&format!("update wallets set balance = 1 where owner_id = '{}'", poor.id)).await;
    let mut booked: Vec<_> = wanted.iter().map(|order| (rich.clone(), order.clone())).collect();
    booked.push((poor.clone(), unpaid[0].clone()));
    booked.push((rich.clone(), wanted[0].clone()));
    let replies = book_in_a_queue(&world, booked.into_iter()).await;
    let mut statuses: Vec<_> = replies.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 200, 402, 409], "{replies:?}");
    assert_eq!(replies[4].status, 402);
    let (first, again) = (&replies[0], &replies[5]);
    let (winner, loser) = if first.status == 200 { (first, again) } else { (again, first) };
    loser.is(409, "booking key has already been used");
    assert_eq!(loser.json()["data"]["booking_ref"], winner.ok()["booking_ref"]);
    let paid = replies.iter().filter(|reply| reply.status == 200);
    let paid: Decimal = paid.map(|reply| amount(&reply.ok()["total_amount"])).sum();
    assert_eq!(rich.balance().await, Decimal::from(1_000_000) - paid);
    assert!(world.held().await.is_zero());
    assert_eq!(world.supplier_orders().await.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_spoils_the_transaction_is_the_only_one_that_fails() {
    let (world, _, agent) = World::start().await.and_agent("10000000").await;
    let trips = (0..6).map(|number| match number {
        3 => one_way("DEL", "BOM").party(3, 0, 0),
        _ => one_way("DEL", "BOM"),
    });
    let orders = orders(&world, &agent, trips).await;
    let spoil = "create function spoil() returns trigger language plpgsql as $$ begin
            if new.passenger_count = 3 then raise exception 'spoiled'; end if; return new; end $$;
        create trigger spoil before insert on bookings for each row execute function spoil();";
    world.sql(spoil).await;
    let replies = book_in_a_queue(&world, orders.into_iter().map(|order| (agent.clone(), order))).await;
    for (number, reply) in replies.iter().enumerate() {
        assert_eq!(reply.status, if number == 3 { 500 } else { 200 }, "{number}: {}", reply.text);
    }
    assert_eq!(world.supplier_orders().await.len(), 5);
    assert!(world.held().await.is_zero());
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closings_that_queue_up_are_made_together_and_each_is_paid_once() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let orders = orders(&world, &agent, (0..12).map(|_| one_way("DEL", "BOM"))).await;
    // All answers come at about the same time, while the wallet is held elsewhere.
    world.next_times("book", LASTS, 12).await;
    let book = |order: Value| {
        let agent = agent.clone();
        tokio::spawn(async move { agent.book(&order).await })
    };
    let calls: Vec<_> = orders.into_iter().map(book).collect();
    world.has_struck().await;
    let mut elsewhere = world.database.connection().await;
    elsewhere.batch_execute("begin; select 1 from wallets order by id for update").await.unwrap();
    world.all_is_well().await;
    all_wait(&world, &calls).await;
    elsewhere.batch_execute("commit").await.unwrap();
    let mut paid = Decimal::ZERO;
    for call in calls {
        let booked = call.await.unwrap().ok();
        assert_eq!(booked["status"], "CONFIRMED");
        paid += amount(&booked["total_amount"]);
    }
    let closed_in = "select count(distinct xmin::text) from events where action = 'booking.confirmed'";
    let transactions: usize = world.line(closed_in).await.parse().unwrap();
    assert!(transactions < 8, "12 closings in {transactions} transactions");
    assert_eq!(agent.balance().await, Decimal::from(1_000_000) - paid);
    world.books_agree().await;
}

/// Whoever waits longer than a batch may take is answered: what was sent may have been done, what still waited was not. Under
/// their keys both are done once when PostgreSQL answers again.
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_takes_too_long_is_unknown_and_what_waits_behind_it_never_begins() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let orders = orders(&world, &agent, (0..2).map(|_| one_way("DEL", "BOM"))).await;
    let mut elsewhere = world.database.connection().await;
    elsewhere.batch_execute("begin; select 1 from wallets order by id for update").await.unwrap();
    let book = |number: usize| {
        let (agent, order) = (agent.clone(), orders[number].clone());
        tokio::spawn(
            async move { agent.post_with_key("/flights/book", &format!("key-{number}"), &order).await },
        )
    };
    let calls = vec![book(0)];
    all_wait(&world, &calls).await;
    // The first is with PostgreSQL by then.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let calls: Vec<_> = calls.into_iter().chain([book(1)]).collect();
    for reply in join_all(calls).await.into_iter().map(Result::unwrap) {
        reply.is(503, "temporarily unavailable, please try again with the same Idempotency-Key");
        assert_eq!(reply.header("retry-after"), "5");
    }
    elsewhere.batch_execute("commit").await.unwrap();
    assert_eq!(world.line("select count(*) from bookings").await, "0");
    for number in 0..2 {
        assert_eq!(book(number).await.unwrap().ok()["status"], "CONFIRMED");
    }
    assert_eq!(world.supplier_orders().await.len(), 2);
    assert!(world.held().await.is_zero());
    world.books_agree().await;
}
