//! One order of halves by two airlines, each of which knows its own flights by a locator of its own.

use serde_json::{Value, json};
use wayfare_tests::{Seller, World, WorldOptions, round_trip};

/// The halves of one journey with the airlines that fly them.
fn halves(found: &Value, route_index: u64) -> Vec<(Value, String)> {
    let by_id = |list: &str, id: &str, value: &Value| {
        let mut all = found[list].as_array().unwrap().iter();
        all.find(|one| one[id] == *value).unwrap().clone()
    };
    let airline = |offer: &Value| {
        let leg = by_id("legs", "leg_id", &offer["legs"][0]);
        by_id("segments", "segment_id", &leg["segments"][0])["airline"].as_str().unwrap().to_owned()
    };
    let offers = found["offers"].as_array().unwrap().iter();
    let wanted = offers.filter(|offer| offer["route_index"] == route_index && offer["type"] == "one_way");
    wanted.map(|offer| (offer["offer_id"].clone(), airline(offer))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_airlines_locator_is_told_with_its_flights() {
    let world = World::with(WorldOptions::of([Seller::tripjack()]).frozen()).await;
    let agent = world.agent("1000000").await;
    let trip = round_trip("DEL", "BOM");
    let found = agent.search(&trip).await;
    let (out, airline) = halves(&found, 0).remove(0);
    let mut back = halves(&found, 1).into_iter();
    let (back, other) = back.find(|(_, other)| *other != airline).unwrap();
    let priced = agent.post("/flights/price", &json!({ "offer_ids": [out, back] })).await.ok();
    let booked = agent.book(&agent.order(&priced, &trip)).await.ok();
    let detail = agent.booking(booked["booking_ref"].as_str().unwrap()).await;
    assert_eq!(world.supplier_orders().await.len(), 1);
    let pnrs = detail["pnr_details"].as_array().unwrap();
    let airlines: Vec<&Value> = pnrs.iter().map(|pnr| &pnr["airline"]).collect();
    assert_eq!(airlines, [airline.as_str(), other.as_str()]);
    assert_ne!(pnrs[0]["airline_pnr"], pnrs[1]["airline_pnr"]);
    let mut refs = Vec::new();
    for pnr in pnrs {
        assert_ne!(pnr["airline_pnr"], "");
        refs.extend(pnr["segment_refs"].as_array().unwrap().clone());
    }
    let tickets = detail["tickets"].as_array().unwrap();
    assert_eq!(tickets.len(), 2);
    for pnr in pnrs {
        let own = tickets.iter().find(|ticket| ticket["segment_refs"] == pnr["segment_refs"]);
        assert_eq!(own.unwrap()["pnr_ref"], pnr["airline_pnr"], "{detail}");
    }
    let segments = detail["itinerary"]["segments"].as_array().unwrap();
    let all: Vec<&Value> = segments.iter().map(|segment| &segment["segment_id"]).collect();
    assert_eq!(refs.iter().collect::<Vec<_>>(), all);
}
