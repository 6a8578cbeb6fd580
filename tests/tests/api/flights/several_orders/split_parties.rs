//! Parts of a party on orders of their own: everybody is on one, and infants are with their adults.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Seller, World, WorldOptions, amount, round_trip, sum};

use super::{MONEY, at_the_suppliers, money};

/// Pairs of special returns: halves that are only sold together.
fn pairs(found: &Value) -> Vec<(Value, Value)> {
    let offers = found["offers"].as_array().unwrap();
    let half = |route_index: u64| {
        let of = move |offer: &&Value| offer["route_index"] == route_index && offer["type"] == "combinable";
        offers.iter().filter(of)
    };
    half(0)
        .filter_map(|out| {
            let back = half(1).find(|back| back["combination_group_id"] == out["combinable_with"][0])?;
            Some((out.clone(), back.clone()))
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn travellers_are_dealt_in_their_order_and_infants_stay_with_their_adults() {
    let world = World::with(WorldOptions::of([Seller::tripjack()]).frozen()).await;
    let agent = world.agent(MONEY).await;
    let trip = round_trip("DEL", "BOM").party(3, 1, 1);
    let found = agent.search(&trip).await;
    let pairs = pairs(&found);
    let ids: Vec<&Value> = pairs[..2]
        .iter()
        .flat_map(|(out, back)| [&out["offer_id"], &back["offer_id"]])
        .collect();
    let priced = agent
        .post("/flights/price", &json!({ "offer_ids": ids }))
        .await
        .ok();
    let fare = amount(&priced["price_summary"]["total_payable"]);
    let mut order = agent.order(&priced, &trip);
    // The infant, the last of the five, sits on the last adult.
    order["passengers"][4]["infant_ref"] = json!(3);
    let booked = agent.book(&order).await.ok();
    assert_eq!(amount(&booked["total_amount"]), fare);
    let reference = booked["booking_ref"].as_str().unwrap();

    let on_orders = world
        .lines(
            "select string_agg(t->>'index' || coalesce(' on ' || (t->>'held_by'), ''), ', ' order by (t->>'index')::int)
             from effects, jsonb_array_elements(request->'travellers') t where kind = 'book' group by number order by number",
        )
        .await;
    let everybody: Vec<&str> = on_orders.iter().flat_map(|order| order.split(", ")).collect();
    let mut sorted = everybody.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["1", "2", "3", "4", "5 on 3"], "{on_orders:?}");
    let with = |who: &str| on_orders.iter().position(|order| order.contains(who));
    assert_eq!(with("5 on 3"), with("3"), "{on_orders:?}");
    assert_eq!(on_orders.len(), 2);

    let detail = agent.booking(reference).await;
    let pricing = &detail["pricing"];
    assert_eq!(
        (
            amount(&pricing["supplier_total"]),
            sum(&pricing["pax_breakdown"], "total")
        ),
        (fare, fare)
    );
    assert_eq!(pricing["pax_breakdown"].as_array().unwrap().len(), 5);
    let tickets = detail["tickets"].as_array().unwrap();
    for pax in 1..=5 {
        let theirs = tickets
            .iter()
            .filter(|ticket| ticket["pax_id"] == pax.to_string().as_str());
        let pnrs: std::collections::BTreeSet<_> = theirs.map(|ticket| ticket["pnr_ref"].as_str()).collect();
        assert_eq!(pnrs.len(), 1, "{pax} is on one order: {tickets:?}");
    }
    assert_eq!(at_the_suppliers(&world).await, ["confirmed", "confirmed"]);
    assert_eq!(agent.balance().await, money() - fare);
    world.is_settled().await;

    let penalty = amount(&agent.penalty(reference).await.ok()["penalty"]);
    assert!(penalty > Decimal::ZERO && penalty <= fare);
    agent.cancels(reference).await;
    assert_eq!(agent.balance().await, money() - penalty);
    world.is_settled().await;
}
