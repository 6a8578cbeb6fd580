//! The main job from search to refund: every field of docs/API.md, every sum to the last unit.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Person, Trip, World, amount, one_way, round_trip, sample, sum};

/// Searches, prices, books, reads, cancels; checks each answer against its snapshot, and its sums against the others'.
async fn whole_life(name: &str, trip: Trip) {
    let (world, _, agent) = World::frozen().await.and_agent("2000000").await;
    let found = agent.search(&trip).await;
    assert_answer!(format!("{name}_found"), sample(&found));
    for offer in found["offers"].as_array().unwrap() {
        check_offer(offer, &trip);
    }

    let offer = &found["offers"][0];
    let priced = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
    assert_answer!(format!("{name}_priced"), sample(&priced));
    let total = amount(&offer["price"]["total"]);
    let summary = &priced["price_summary"];
    let base_and_tax = amount(&summary["base_fare_total"]) + amount(&summary["tax_total"]);
    assert_eq!([base_and_tax, per_passenger(&priced)], [total, total]);
    let fare = amount(&summary["total_payable"]);
    assert_eq!(fare, amount(&summary["agent_details"]["agent_fare"]));
    assert_eq!(fare, amount(&summary["public_fare"]));

    let before = agent.balance().await;
    let mut order = agent.order(&priced, &trip);
    order["agent_price"] = json!({ "agent_fare": summary["agent_details"]["agent_fare"] });
    let booked = agent.book(&order).await.ok();
    assert_answer!(format!("{name}_booked"), booked);
    assert_eq!(amount(&booked["total_amount"]), fare);
    assert_eq!(sum(&booked["legs"], "gross_amount"), fare);
    assert_eq!(before - agent.balance().await, fare);

    let reference = booked["booking_ref"].as_str().unwrap();
    let detail = agent.booking(reference).await;
    assert_answer!(format!("{name}_detail"), detail);
    check_pricing(&detail["pricing"], fare, total);
    let listed = agent.get("/flights/bookings?status=confirmed").await.json();
    assert_answer!(format!("{name}_listed"), listed);
    gives_back(name, &world, &agent, reference, fare).await;
}

/// Cancels: the penalty and what comes back are the fare, and come to the wallet once.
async fn gives_back(name: &str, world: &World, agent: &Person, reference: &str, fare: Decimal) {
    let before = agent.balance().await;
    let penalty = agent.penalty(reference).await.ok();
    assert_answer!(format!("{name}_penalty"), penalty);
    let refund = amount(&penalty["refund_amount"]);
    assert_eq!(amount(&penalty["penalty"]) + refund, fare);
    assert_eq!(amount(&agent.cancels(reference).await["refund_to_wallet"]), refund);
    assert_eq!(agent.balance().await - before, refund);
    let over = "booking is already cancelled";
    agent.cancel(reference).await.is(400, over);
    agent.penalty(reference).await.is(400, over);
    assert_eq!(agent.booking(reference).await["status"], "cancelled");
    let transactions = agent.get("/wallet/transactions").await.json();
    assert_answer!(format!("{name}_transactions"), by_description(&transactions));
    world.books_agree().await;
}

fn check_offer(offer: &Value, trip: &Trip) {
    let price = &offer["price"];
    assert_eq!(sum(&price["breakdown"], "subtotal"), amount(&price["total"]));
    assert_eq!(amount(&price["agent_price"]["agent_fare"]), amount(&price["public_fare"]));
    for row in price["breakdown"].as_array().unwrap() {
        let unit = amount(&row["unit_base"]) + amount(&row["unit_tax"]);
        assert_eq!(unit * amount(&row["count"]), amount(&row["subtotal"]));
    }
    let (adults, children, infants) = trip.party;
    assert_eq!(sum(&price["breakdown"], "count"), Decimal::from(adults + children + infants));
}

fn per_passenger(priced: &Value) -> Decimal {
    let rows = priced["passenger_breakdown"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            let total = amount(&row["total_per_pax"]);
            assert_eq!(amount(&row["base_per_pax"]) + amount(&row["tax_per_pax"]), total);
            assert_eq!(sum(&row["tax_breakdown"], "amount"), amount(&row["tax_per_pax"]));
            total * amount(&row["count"])
        })
        .sum()
}

fn check_pricing(pricing: &Value, fare: Decimal, total: Decimal) {
    assert_eq!(amount(&pricing["total_payable"]), fare);
    assert_eq!(amount(&pricing["agent_fare"]), fare);
    assert_eq!(amount(&pricing["supplier_total"]), total);
    let of_people = &pricing["pax_breakdown"];
    assert_eq!(sum(of_people, "total"), total);
    assert_eq!(sum(of_people, "base") + sum(of_people, "tax"), total);
}

/// The rows in an order of their own: within one instant there is none.
fn by_description(list: &Value) -> Value {
    let mut rows = list["data"].as_array().unwrap().clone();
    rows.sort_by_key(|row| row["description"].to_string());
    rows.into()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_adult_flies_one_way_and_gives_it_back() {
    whole_life("one_way", one_way("DEL", "BOM")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_flies_there_and_back_and_gives_it_back() {
    whole_life("round_trip", round_trip("DEL", "BOM").party(2, 1, 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_family_flies_one_way_with_a_change_abroad() {
    whole_life("change_abroad", one_way("LHR", "DXB").party(2, 1, 1)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_pays_from_the_organizations_wallet_and_sees_what_agents_book() {
    let (world, _, admin, agent) = World::start().await.and_people("100000", "100000").await;
    let own = admin.buy(one_way("DEL", "BOM")).await;
    let theirs = agent.buy(one_way("DEL", "BLR")).await;
    assert_eq!(admin.balance().await, Decimal::from(100_000) - own.fare);
    assert_eq!(agent.balance().await, Decimal::from(100_000) - theirs.fare);
    let seen = |body: Value| -> Vec<String> {
        let items = body["data"].as_array().unwrap().iter();
        items.map(|item| item["booking_ref"].as_str().unwrap().to_owned()).collect()
    };
    let everything = seen(admin.get("/flights/bookings").await.json());
    assert_eq!(everything, [theirs.reference.clone(), own.reference], "newest first");
    assert_eq!(seen(agent.get("/flights/bookings").await.json()), [theirs.reference.as_str()]);

    // The refund goes to the wallet that paid, whoever cancels.
    let refund = amount(&admin.cancel(&theirs.reference).await.ok()["refund_to_wallet"]);
    assert_eq!(agent.balance().await, Decimal::from(100_000) - theirs.fare + refund);
    world.books_agree().await;
}
