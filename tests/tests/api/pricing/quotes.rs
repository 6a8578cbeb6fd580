//! Offers and booking keys: promises to one user, for a time, for one booking.

use serde_json::{Value, json};
use wayfare_tests::{Person, Trip, World, amount, one_way, round_trip};

const NOT_FOUND: &str = "resource not found";

/// The text with its character at this place replaced by another.
fn tampered(text: &str, place: usize) -> String {
    let other = if text.as_bytes()[place] == b'a' { "b" } else { "a" };
    let mut text = text.to_owned();
    text.replace_range(place..=place, other);
    text
}

fn key(priced: &Value) -> &str {
    priced["booking_keys"][0].as_str().unwrap()
}

async fn quoted(agent: &Person, trip: &Trip) -> (Value, Value) {
    let priced = agent.quote(trip).await;
    let order = agent.order(&priced, trip);
    (priced, order)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_key_expires_when_it_says() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let (priced, order) = quoted(&agent, &one_way("DEL", "BOM")).await;
    let expires: chrono::DateTime<chrono::Utc> = priced["expires_at"].as_str().unwrap().parse().unwrap();
    world.pass((expires - world.now()).num_seconds());
    agent.book(&order).await.is(400, "booking key has expired, please price the itinerary again");
    world.nothing_happened().await;
    assert!(world.supplier_orders().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_expires_when_it_says() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let found = agent.search(&trip).await;
    let offer = found["offers"][0]["offer_id"].as_str().unwrap();
    let expires: chrono::DateTime<chrono::Utc> =
        found["offers"][0]["supplier_ref"]["expires_at"].as_str().unwrap().parse().unwrap();
    world.pass((expires - world.now()).num_seconds() - 1);
    agent.price(offer).await.ok();
    world.pass(1);
    let expired = "offer has expired, please search again";
    agent.price(offer).await.is(400, expired);
    let mut order = agent.order(&json!({}), &trip);
    order["offer_ids"] = json!([offer]);
    agent.book(&order).await.is(400, expired);
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_key_names_the_booking_that_used_it_even_when_it_has_expired() {
    let (world, _, agent) = World::frozen().await.and_agent("1000000").await;
    let (_, order) = quoted(&agent, &one_way("DEL", "BOM")).await;
    let first = agent.book(&order).await.ok();
    for seconds in [0, 1_000] {
        world.pass(seconds);
        let again = agent.book(&order).await;
        again.is(409, "booking key has already been used");
        assert_eq!(again.json()["data"], json!({ "booking_ref": first["booking_ref"] }));
    }
    assert_eq!(world.supplier_orders().await.len(), 1);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_books_or_prices_what_was_promised_to_another() {
    let (world, agency, agent) = World::start().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let offer = agent.offer(&trip).await;
    let (priced, order) = quoted(&agent, &trip).await;
    let strangers =
        [agency.agent("bina", "1000000").await, agency.admin("1000000").await, world.agent("1000000").await];
    for stranger in &strangers {
        stranger.book(&order).await.is(404, NOT_FOUND);
        stranger.price(&offer).await.is(404, NOT_FOUND);
        let mut by_offer = order.clone();
        by_offer["booking_keys"] = json!(null);
        by_offer["offer_ids"] = json!([offer]);
        stranger.book(&by_offer).await.is(404, NOT_FOUND);
    }
    world.nothing_happened().await;
    assert_eq!(agent.book(&order).await.ok()["total_amount"], priced["price_summary"]["total_payable"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_tampered_with_is_not_there() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM");
    let offer = agent.offer(&trip).await;
    // The last character of the code carries bits that mean nothing; each other one is sealed.
    for place in [0, 3, 10, 26, 32, 38, 50] {
        agent.price(&tampered(&offer, place)).await.is(404, NOT_FOUND);
    }
    let (priced, mut order) = quoted(&agent, &trip).await;
    let key = key(&priced).to_owned();
    let spelled_otherwise = [
        tampered(&key, 0),
        tampered(&key, 20),
        key.to_uppercase(),
        format!("{key}0"),
        format!("{key} "),
        "".to_owned(),
        "bk_".to_owned(),
        "'; drop table bookings; --".to_owned(),
    ];
    for wrong in spelled_otherwise {
        order["booking_keys"] = json!([wrong]);
        agent.book(&order).await.is(404, NOT_FOUND);
    }
    order["booking_keys"] = json!([key, key]);
    agent.book(&order).await.is_invalid("{booking_keys must be all keys of one price call, each once}");
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_can_only_agree_to_the_servers_price() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let (priced, mut order) = quoted(&agent, &one_way("DEL", "BOM")).await;
    let fare = amount(&priced["price_summary"]["agent_details"]["agent_fare"]);
    for other in ["0", "1", "-1", "99999999999999.99"] {
        order["agent_price"] = serde_json::from_str(&format!(r#"{{"agent_fare":{other}}}"#)).unwrap();
        agent.book(&order).await.is(400, "fare has changed, please price again");
    }
    order["agent_price"] = serde_json::from_str(r#"{"agent_fare":0.001}"#).unwrap();
    agent.book(&order).await.is_invalid("{agent_price.agent_fare must have at most 2 decimals}");
    world.nothing_happened().await;
    // The same number, written otherwise.
    order["agent_price"] =
        serde_json::from_str(&format!(r#"{{"agent_fare":{fare}00,"service_fee":0}}"#)).unwrap();
    agent.book(&order).await.ok();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn offers_are_booked_without_a_price_call() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let trip = round_trip("DEL", "BOM").party(1, 1, 0);
    let offer = &agent.search(&trip).await["offers"][0];
    let mut order = agent.order(&json!({}), &trip);
    order["offer_ids"] = json!([offer["offer_id"]]);
    order["agent_price"] = json!({ "agent_fare": offer["price"]["agent_price"]["agent_fare"] });
    let booked = agent.book(&order).await.ok();
    assert_eq!(amount(&booked["total_amount"]), amount(&offer["price"]["agent_price"]["agent_fare"]));
    world.books_agree().await;

    let offer = agent.offer(&trip).await;
    world.next("price", "price_changed:10").await;
    let mut order = agent.order(&json!({}), &trip);
    order["offer_ids"] = json!([offer]);
    agent.book(&order).await.is(400, "fare has changed, please price again");
    assert!(world.held().await.is_zero());
}

#[tokio::test(flavor = "multi_thread")]
async fn price_takes_the_wrapped_form_and_only_the_party_of_the_search() {
    let (_world, _, agent) = World::start().await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM").party(2, 1, 0);
    let offer = agent.offer(&trip).await;
    let wrapped =
        json!({ "flight_selection": { "offer_ids": [offer] }, "adults": 2, "children": 1, "infants": 0 });
    agent.post("/flights/price", &wrapped).await.ok();
    let other = json!({ "offer_ids": [offer], "adults": 1, "children": 2, "infants": 1 });
    agent.post("/flights/price", &other).await.is_invalid(
        "{adults must be 2 as in the search} {children must be 1 as in the search} \
         {infants must be 0 as in the search}",
    );
    let found = agent.search(&trip).await;
    let [one, other] = [0, 1].map(|place| &found["offers"][place]["offer_id"]);
    for (offers, reason) in [
        ([one, other], "these offers can't be booked together"),
        ([one, one], "must each be named once"),
        ([one, &json!(offer)], "must be of one search"),
    ] {
        let refused = agent.post("/flights/price", &json!({ "offer_ids": offers })).await;
        refused.is_invalid(&format!("{{offer_ids {reason}}}"));
    }
}
