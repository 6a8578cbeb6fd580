//! Seats that are held: confirmed without a ticket, paid by the wallet, given back in full.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Person, Seller, Trip, World, WorldOptions, amount, one_way};

/// Books it, with `hold` if so, looks at it and gives it back.
async fn is_held_and_given_back(trip: Trip, hold: bool) {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let mut order = agent.order(&agent.quote(&trip).await, &trip);
    if hold {
        order["hold"] = json!(true);
    }
    let booked = agent.book(&order).await.ok();
    assert_has!(booked, { "status": "CONFIRMED", "legs/0/ticket_number": "", "legs/0/issued_date": "" });
    let reference = booked["booking_ref"].as_str().unwrap();
    assert_has!(agent.booking(reference).await, {
        "status": "confirmed", "can_issue_ticket": true, "tickets": [], "pnr_details/0/status": "held",
    });
    assert_eq!(world.supplier_orders().await[0]["status"], "held");
    let fare = amount(&booked["total_amount"]);
    assert_eq!(agent.balance().await, Decimal::from(1_000_000) - fare);
    world.books_agree().await;

    let penalty = agent.penalty(reference).await.ok();
    assert_eq!((amount(&penalty["penalty"]), amount(&penalty["refund_amount"])), (Decimal::ZERO, fare));
    assert_eq!(amount(&agent.cancels(reference).await["refund_to_wallet"]), fare);
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
    let mut order = agent.order(&priced_that(&agent, &trip, |hold| hold["can_hold"] == false).await, &trip);
    order["hold"] = json!(true);
    let before = world.line("select count(*) from bookings").await;
    agent.book(&order).await.is_invalid("{hold the supplier can't hold this offer}");
    assert!(world.held().await.is_zero());
    assert_eq!(world.line("select count(*) from bookings").await, before);
    order["hold"] = json!(false);
    agent.book(&order).await.ok();
    world.books_agree().await;
}

/// The price of the first offer whose `hold` is like this, on the first of ten days that has one: offers are other ones each day.
async fn priced_that(agent: &Person, trip: &Trip, wanted: impl Fn(&Value) -> bool) -> Value {
    for later in 0..10 {
        let slices = trip.slices.iter().map(|(from, to, days)| (*from, *to, days + later));
        let found = agent.search(&Trip { slices: slices.collect(), ..trip.clone() }).await;
        for offer in found["offers"].as_array().unwrap() {
            let priced = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
            if wanted(&priced["hold"]) {
                return priced;
            }
        }
    }
    panic!("no offer is like this");
}

/// Duffel says it with each offer, TripJack with the price alone.
#[tokio::test(flavor = "multi_thread")]
async fn whether_and_until_when_an_offer_can_be_held_is_told() {
    let options = WorldOptions::of([Seller::duffel(), Seller::tripjack()]).frozen();
    let (world, _, agent) = World::with(options).await.and_agent("1000000").await;
    let found = agent.search(&one_way("DEL", "BOM")).await;
    let offers = found["offers"].as_array().unwrap();
    let of = |supplier| offers.iter().filter(move |offer| offer["supplier"] == supplier);
    for offer in of("tripjack") {
        let unknown = json!({ "can_hold": null, "pay_by": null, "price_guaranteed_until": null });
        assert_eq!(offer["hold"], unknown);
    }
    for can in [true, false] {
        let offer = of("duffel").find(|offer| offer["hold"]["can_hold"] == can).unwrap();
        assert_eq!(offer["hold"]["pay_by"].is_string(), can, "{offer}");
        assert_eq!(agent.price(offer["offer_id"].as_str().unwrap()).await.ok()["hold"], offer["hold"]);
    }
    // Not every fare can be held there either.
    let found = agent.search(&one_way("DEL", "BOM").by("ZZ")).await;
    let mut offers = found["offers"].as_array().unwrap().iter();
    let offer = offers.find(|offer| offer["supplier"] == "tripjack").unwrap();
    let priced = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
    assert_eq!(priced["hold"], json!({ "can_hold": true, "pay_by": null, "price_guaranteed_until": null }));
    world.all_is_well().await;
}

/// Of an agency that holds by default everything is held that can be, unless the request says otherwise.
#[tokio::test(flavor = "multi_thread")]
async fn an_agency_may_hold_by_default() {
    let (world, agency, agent) = World::start().await.and_agent("1000000").await;
    let admin = agency.log_in("asha").await;
    for (value, refused) in [("sometimes", true), ("Hold", true), ("hold", false)] {
        let reply = admin.put("/org/settings", &json!({ "key": "book_mode", "value": value })).await;
        if refused {
            reply.is_invalid("{value must be instant or hold}");
        } else {
            reply.says(200, "setting updated");
        }
    }
    let trip = one_way("DEL", "BOM").by("6E");
    for (can_hold, asked, status) in [
        (true, None, "held"),
        (true, Some(false), "confirmed"),
        (true, Some(true), "held"),
        (false, None, "confirmed"),
    ] {
        let priced = priced_that(&agent, &trip, |hold| hold["can_hold"] == can_hold).await;
        let mut order = agent.order(&priced, &trip);
        order["allow_duplicate"] = json!(true);
        if let Some(asked) = asked {
            order["hold"] = asked.into();
        }
        let booked = agent.book(&order).await.ok();
        let detail = agent.booking(booked["booking_ref"].as_str().unwrap()).await;
        assert_eq!(detail["pnr_details"][0]["status"], status, "{can_hold} {asked:?}");
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_can_be_issued_until_the_deadline() {
    let (world, agency, agent) = World::frozen().await.and_agent("1000000").await;
    let bought = agent.buy(one_way("JFK", "EWR")).await;
    for (hours, can) in [(71, true), (1, false)] {
        world.pass(hours * 3600);
        assert_eq!(agency.log_in("arjun").await.booking(&bought.reference).await["can_issue_ticket"], can);
    }
}
