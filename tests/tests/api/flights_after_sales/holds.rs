//! Seats that are held: confirmed without a ticket, paid by the wallet, given back in full.

use rust_decimal::Decimal;
use serde_json::json;
use wayfare_tests::{Trip, World, amount, one_way};

/// Books it, with `hold` if so, looks at it and gives it back.
async fn is_held_and_given_back(trip: Trip, hold: bool) {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let priced = agent.quote(&trip).await;
    let mut order = agent.order(&priced, &trip);
    if hold {
        order["hold"] = json!(true);
    }
    let booked = agent.book(&order).await.ok();
    assert_eq!(booked["status"], "CONFIRMED");
    let leg = &booked["legs"][0];
    assert_has!(leg, { "ticket_number": "", "issued_date": "" });
    let reference = booked["booking_ref"].as_str().unwrap();
    let detail = agent.booking(reference).await;
    assert_has!(detail, {
        "status": "confirmed", "can_issue_ticket": true, "tickets": [], "pnr_details/0/status": "held",
    });
    assert_eq!(world.supplier_orders().await[0]["status"], "held");
    let fare = amount(&booked["total_amount"]);
    assert_eq!(agent.balance().await, Decimal::from(1_000_000) - fare);
    world.books_agree().await;

    let penalty = agent.penalty(reference).await.ok();
    assert_eq!(
        (amount(&penalty["penalty"]), amount(&penalty["refund_amount"])),
        (Decimal::ZERO, fare)
    );
    let cancelled = agent.cancels(reference).await;
    assert_eq!(amount(&cancelled["refund_to_wallet"]), fare);
    assert_eq!(agent.balance().await, Decimal::from(1_000_000));
    assert_eq!(agent.booking(reference).await["can_issue_ticket"], false);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_only_be_held_is_held() {
    is_held_and_given_back(one_way("JFK", "EWR"), false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_held_is_held_when_asked() {
    is_held_and_given_back(one_way("DEL", "BOM").by("ZZ").party(2, 1, 1), true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_held_is_refused_when_asked() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM").by("6E");
    // Not every fare can be held, and an offer does not say so.
    for place in 0..20 {
        let found = agent.search(&trip).await;
        let priced = agent
            .price(found["offers"][place]["offer_id"].as_str().unwrap())
            .await
            .ok();
        let mut order = agent.order(&priced, &trip);
        order["hold"] = json!(true);
        let before = world.line("select count(*) from bookings").await;
        let reply = agent.book(&order).await;
        if reply.status == 200 {
            continue;
        }
        reply.is_invalid("{hold the supplier can't hold this offer}");
        assert!(world.held().await.is_zero());
        assert_eq!(world.line("select count(*) from bookings").await, before);
        order["hold"] = json!(false);
        agent.book(&order).await.ok();
        world.books_agree().await;
        return;
    }
    panic!("everything could be held");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_can_be_issued_until_the_deadline() {
    let (world, agency, agent) = World::frozen().await.and_agent("1000000").await;
    let bought = agent.buy(one_way("JFK", "EWR")).await;
    for (hours, can) in [(71, true), (1, false)] {
        world.pass(hours * 3600);
        let later = agency.log_in("arjun").await;
        assert_eq!(later.booking(&bought.reference).await["can_issue_ticket"], can);
    }
}
