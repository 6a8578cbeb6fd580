//! Fare rules: of offers, of fares, of what was priced, as far as each supplier tells.

use rust_decimal::dec;
use serde_json::{Value, json};
use std::time::Duration;
use wayfare_tests::{LASTS, MONEY, Person, Reply, Seller, World, WorldOptions, amount, one_way};

async fn both() -> World {
    let both = WorldOptions::of([Seller::duffel(), Seller::tripjack()]);
    World::with(WorldOptions { read_deadline: Duration::from_secs(10), ..both }).await
}

async fn ask(agent: &Person, body: Value) -> Reply {
    agent.post("/flights/fare-rules", &body).await
}

fn offer_of<'a>(found: &'a Value, supplier: &str) -> &'a Value {
    found["offers"].as_array().unwrap().iter().find(|offer| offer["supplier"] == supplier).unwrap()
}

fn amounts(rules: &Value) -> Vec<Value> {
    let fees = rules["fees"].as_array().unwrap().iter();
    fees.map(|fee| json!([fee["type"], fee["amount"], fee["from_hours"], fee["until_hours"]])).collect()
}

fn check(rules: &Value) {
    for field in ["fare_key", "cancellation", "date_change", "baggage_policy", "raw_text"] {
        assert!(rules[field].is_string(), "{rules}");
    }
    assert!(!rules["cancellation"].as_str().unwrap().is_empty());
    assert!(!rules["baggage_policy"].as_str().unwrap().is_empty());
    for fee in rules["fees"].as_array().unwrap() {
        assert!(["cancellation", "date_change", "no_show"].contains(&fee["type"].as_str().unwrap()), "{fee}");
        assert_eq!(fee["currency"], "INR");
        assert!(fee["after_departure"].is_boolean(), "{fee}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_told_by_offer_by_fare_key_and_by_booking_key() {
    let (_world, _, agent) = both().await.and_agent("1000000").await;
    let found = agent.search(&one_way("DEL", "BOM")).await;
    let mut told = Vec::new();
    for supplier in ["duffel", "tripjack"] {
        let offer = &offer_of(&found, supplier)["offer_id"];
        let first = ask(&agent, json!({ "search_id": found["search_id"], "offer_ids": [offer] })).await.ok();
        check(&first);
        assert!(first["fare_key"].as_str().unwrap().starts_with("fk_"));
        assert_eq!(ask(&agent, json!({ "fare_keys": [first["fare_key"]] })).await.ok(), first);
        let keys = &agent.price(offer.as_str().unwrap()).await.ok()["booking_keys"];
        let rules = ask(&agent, json!({ "booking_keys": keys })).await.ok();
        check(&rules);
        assert_eq!(rules["fare_key"], keys[0]);
        assert_eq!(amounts(&rules), amounts(&first), "{supplier}");
        told.push(amounts(&first));
    }
    let tripjack = &offer_of(&found, "tripjack")["offer_id"];
    let duffel = &offer_of(&found, "duffel")["offer_id"];
    let several = ask(&agent, json!({ "offer_ids": [tripjack, duffel] })).await.ok();
    let items = several["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    assert_eq!(items[0]["fare_key"], several["fare_key"]);
    assert_eq!([amounts(&items[1]), amounts(&items[0])], *told);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_the_callers_or_not_there_is_refused() {
    let world = both().await;
    let (agent, stranger) = (world.agent("1000000").await, world.agent("0").await);
    let found = agent.search(&one_way("DEL", "BOM")).await;
    let offer = &found["offers"][0]["offer_id"];
    let other = agent.search(&one_way("DEL", "BLR")).await;
    let missing = "resource not found";
    ask(&stranger, json!({ "offer_ids": [offer] })).await.is(404, missing);
    ask(&agent, json!({ "offer_ids": ["of_none"] })).await.is(404, missing);
    ask(&agent, json!({ "fare_keys": [offer] })).await.is(404, missing);
    ask(&agent, json!({ "booking_keys": ["bk_none_0"] })).await.is(404, missing);
    ask(&agent, json!({ "search_id": other["search_id"], "offer_ids": [offer] })).await.is(404, missing);
    let nothing = "code=422, message=[{offer_ids this field is required}]";
    ask(&agent, json!({})).await.is(422, nothing);
    ask(&agent, json!({ "search_id": found["search_id"], "offer_ids": [] })).await.is(422, nothing);
    let unknown = ask(&agent, json!({ "search_id": "x", "offer_ids": [offer] })).await;
    unknown.is_invalid("{search_id must be the id of a search}");
    let many = [offer; 6];
    let twelve = ask(&agent, json!({ "offer_ids": many, "fare_keys": many })).await;
    twelve.is_invalid("{offer_ids at most 10 fares at once}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_does_not_tell_is_told_of() {
    let (world, _, agent) = both().await.and_agent("1000000").await;
    let found = agent.search(&one_way("DEL", "BOM")).await;
    let body = json!({ "offer_ids": [offer_of(&found, "tripjack")["offer_id"]] });
    for fault in ["status:500", "broken_json", "drop_before", LASTS] {
        world.next_at("tripjack", "price", fault).await;
        ask(&agent, body.clone()).await.is(503, "supplier is temporarily unavailable, please try again");
    }
    world.next_at("tripjack", "price", "status:404").await;
    let refused = ask(&agent, body.clone()).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    ask(&agent, body).await.ok();
}

/// Nobody has a rate for a fee in another currency than the fare's: it is told in its own, in a search, a price and the rules.
#[tokio::test(flavor = "multi_thread")]
async fn fees_in_another_currency_than_the_fare_are_told_in_their_own() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let terms =
        r#"says:change_before_departure={"allowed":true,"penalty_amount":"75.00","penalty_currency":"USD"}"#;
    world.next("search", terms).await;
    world.next("price", terms).await;
    let found = agent.search(&one_way("DEL", "BOM")).await;
    for policy in found["dictionaries"]["refund_policies"].as_object().unwrap().values() {
        assert_eq!(policy["change_fee"], json!(null), "{policy}");
        let told = &policy["other_currency_fees"][0];
        assert_eq!((&told["type"], &told["currency"]), (&json!("date_change"), &json!("USD")));
        assert_eq!(amount(&told["amount"]), dec!(75), "{policy}");
    }
    let offer = found["offers"][0]["offer_id"].as_str().unwrap();
    let told = agent.post("/flights/fare-rules", &json!({ "offer_ids": [offer] })).await.ok();
    assert!(told["date_change"].as_str().unwrap().contains("for 75.00 USD"), "{told}");
    let priced = agent.price(offer).await.ok();
    let rules = &priced["fare_rules"];
    assert_has!(rules, { "change_fee": null, "other_currency_fees/0/currency": "USD" });
    let text = rules["rule_text"].as_str().unwrap();
    assert!(text.contains("Changeable before departure for 75.00 USD."), "{text}");
    let asked = json!({ "booking_keys": priced["booking_keys"] });
    let told = agent.post("/flights/fare-rules", &asked).await.ok();
    let change = told["fees"].as_array().unwrap().iter().find(|fee| fee["type"] == "date_change").unwrap();
    assert_eq!(change["currency"], "USD", "{change}");
    assert_eq!(amount(&change["amount"]), dec!(75), "{change}");
}
