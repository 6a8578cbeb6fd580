//! Parts of a party on orders of their own: everybody is on one, and infants are with their adults.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Person, Seller, World, WorldOptions, amount, round_trip, sum};

use super::{MONEY, at_the_suppliers, money};

/// Pairs of special returns: halves that are only sold together.
fn pairs(found: &Value) -> Vec<(Value, Value)> {
    let half = |route_index: u64| {
        let of = move |offer: &&Value| offer["route_index"] == route_index && offer["type"] == "combinable";
        found["offers"].as_array().unwrap().iter().filter(of)
    };
    let pair = |out: &Value| {
        let back = half(1).find(|back| back["combination_group_id"] == out["combinable_with"][0])?;
        Some((out.clone(), back.clone()))
    };
    half(0).filter_map(pair).collect()
}

async fn price(agent: &Person, pairs: &[(Value, Value)]) -> Value {
    let ids: Vec<_> = pairs.iter().flat_map(|(out, back)| [&out["offer_id"], &back["offer_id"]]).collect();
    agent.post("/flights/price", &json!({ "offer_ids": ids })).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn travellers_are_dealt_in_their_order_and_infants_stay_with_their_adults() {
    let world = World::with(WorldOptions::of([Seller::tripjack()]).frozen()).await;
    let agent = world.agent(MONEY).await;
    let trip = round_trip("DEL", "BOM").party(3, 1, 1);
    let priced = price(&agent, &pairs(&agent.search(&trip).await)[..2]).await;
    let fare = amount(&priced["price_summary"]["total_payable"]);
    let mut order = agent.order(&priced, &trip);
    // The infant, the last of the five, sits on the last adult.
    order["passengers"][4]["infant_ref"] = json!(3);
    let booked = agent.book(&order).await.ok();
    assert_eq!(amount(&booked["total_amount"]), fare);
    let reference = booked["booking_ref"].as_str().unwrap();

    let on_orders = "select string_agg(
            t->>'index' || coalesce(' on ' || (t->>'held_by'), ''), ', ' order by (t->>'index')::int)
        from effects e join bookings b on (b.org_id, b.id) = (e.org_id, e.booking_id),
        jsonb_array_elements(b.product_content->'travellers') t
        where e.kind = 'book' and e.request->'travellers' @> (t->'index') group by e.number order by e.number";
    let on_orders = world.lines(on_orders).await;
    let mut sorted: Vec<&str> = on_orders.iter().flat_map(|order| order.split(", ")).collect();
    sorted.sort_unstable();
    assert_eq!(sorted, ["1", "2", "3", "4", "5 on 3"], "{on_orders:?}");
    let with = |who: &str| on_orders.iter().position(|order| order.contains(who));
    assert_eq!(with("5 on 3"), with("3"), "{on_orders:?}");
    assert_eq!(on_orders.len(), 2);

    let detail = agent.booking(reference).await;
    let pricing = &detail["pricing"];
    assert_eq!((amount(&pricing["supplier_total"]), sum(&pricing["pax_breakdown"], "total")), (fare, fare));
    assert_eq!(pricing["pax_breakdown"].as_array().unwrap().len(), 5);
    let tickets = detail["tickets"].as_array().unwrap();
    for pax in 1..=5 {
        let theirs = tickets.iter().filter(|ticket| ticket["pax_id"] == pax.to_string().as_str());
        let flights = theirs.flat_map(|ticket| ticket["segment_refs"].as_array().unwrap());
        let flights: BTreeSet<_> = flights.map(|flight| flight.as_str().unwrap()).collect();
        let of_one_order = [["s1", "s2"], ["s3", "s4"]].map(BTreeSet::from);
        assert!(of_one_order.contains(&flights), "{pax} is on one order: {tickets:?}");
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

#[tokio::test(flavor = "multi_thread")]
async fn who_is_on_an_order_moves_with_it_and_those_of_the_other_alone_later() {
    let world = World::with(WorldOptions::of([Seller::tripjack()]).frozen()).await;
    let agent = world.agent(MONEY).await;
    let trip = round_trip("DEL", "BOM").party(2, 1, 0);
    let priced = price(&agent, &pairs(&agent.search(&trip).await)[..2]).await;
    let booked = agent.book(&agent.order(&priced, &trip)).await.ok();
    let (reference, fare) = (&booked["booking_ref"], amount(&booked["total_amount"]));
    let path = format!("/flights/bookings/{}/reschedule", reference.as_str().unwrap());
    let keys = async |journey: Option<u32>| {
        let mut keys = Vec::new();
        for (way, (from, to, days)) in (0..).zip([("DEL", "BOM", 44), ("BOM", "DEL", 51)]) {
            let day = (world.now() + chrono::Duration::days(days)).date_naive();
            let mut body = json!({ "origin": from, "destination": to, "new_date": day });
            if let Some(first) = journey {
                body["journey"] = json!(first + way);
            }
            keys.push(agent.post(&format!("{path}-avail"), &body).await.ok()[0]["fare_key"].clone());
        }
        keys
    };
    // Everybody's way out is a part of each order, which their supplier takes back (D-332); everybody's fare is for nobody of the
    // first alone.
    let all = keys(None).await;
    let quoted = agent.post(&format!("{path}-penalty"), &json!({ "fare_keys": [all[0]] })).await.ok();
    assert_eq!(quoted["journeys"], json!([0, 2]));
    let (first, passengers) = (json!([0, 1]), agent.booking(reference.as_str().unwrap()).await);
    let alone = agent.post(&path, &json!({ "fare_keys": all, "journeys": first })).await;
    alone.is_invalid("{passengers must have 2 of type ADT but has 1}");
    assert_eq!(passengers["passengers"].as_array().unwrap().len(), 3);

    let mut paid = fare;
    let mut flying = Vec::new();
    // Those of the first order by name; then whoever is left, by the cities.
    for (journey, names, gone) in [(Some(0), json!([0, 1]), [0, 1]), (None, json!(null), [2, 3])] {
        let body = json!({ "fare_keys": keys(journey).await, "journeys": names });
        let penalty = agent.post(&format!("{path}-penalty"), &body).await.ok();
        assert_eq!(penalty["journeys"], json!(gone));
        let original = amount(&penalty["original_agent_fare"]);
        assert!(original < fare, "of one order: {penalty}");
        assert_eq!(original, amount(&penalty["penalty"]) + amount(&penalty["refund_to_wallet"]));
        paid += amount(&penalty["total_reschedule_charge"]);
        let done = agent.post(&path, &body).await.says(200, "booking rescheduled");
        assert_eq!(done["cancellation"]["journeys"], json!(gone));
        assert_eq!(agent.balance().await, money() - paid);
        let new = done["new_booking"]["booking_ref"].as_str().unwrap();
        let people = agent.booking(new).await["passengers"].clone();
        let people = people.as_array().unwrap().iter().map(|who| who["pax_id"].as_str().unwrap().to_owned());
        flying.extend(people);
        world.is_settled().await;
    }
    flying.sort();
    assert_eq!(flying, ["1", "2", "3"]);
    assert_eq!(agent.booking(reference.as_str().unwrap()).await["status"], "cancelled");
}
