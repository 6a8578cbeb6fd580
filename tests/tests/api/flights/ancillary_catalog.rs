//! What can be bought with a priced offer: all that the supplier sells, in the wallet's currency, and never in the
//! way of the price.

use std::collections::BTreeMap;
use std::time::Duration;

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use tokio::time::timeout;
use wayfare_domain::Currency;
use wayfare_pricing::RateTable;
use wayfare_tests::{LASTS, LONG, Person, Trip, World, WorldOptions, amount, one_way, round_trip};

/// Searches and prices the cheapest offer; the supplier's name of it and the answer.
async fn quote(agent: &Person, trip: &Trip) -> (String, Value) {
    let offer = &agent.search(trip).await["offers"][0];
    let token = offer["supplier_ref"]["offer_token"].as_str().unwrap().to_owned();
    (token, agent.price(offer["offer_id"].as_str().unwrap()).await.ok())
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no array"))
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap()
}

/// Type, code and segments, and in the supplier's currency the price.
type Sold = BTreeMap<(String, String, Vec<String>, Decimal), u32>;

/// All that the supplier sells with an offer, told by itself: how many travellers can have it.
async fn sold(world: &World, token: &str) -> Sold {
    let offer = world.duffel(&format!("/air/offers/{token}?return_available_services=true")).await;
    let maps = world.duffel(&format!("/air/seat_maps?offer_id={token}")).await;
    let mut segments = BTreeMap::new();
    for segment in array(&offer["slices"]).iter().flat_map(|slice| array(&slice["segments"])) {
        segments.insert(text(segment, "id"), format!("s{}", segments.len() + 1));
    }
    let mut sold = Sold::new();
    for service in array(&offer["available_services"]) {
        let code = format!("checked-{}kg", service["metadata"]["maximum_weight_kg"]);
        let flights = array(&service["segment_ids"]).iter().map(|id| segments[id.as_str().unwrap()].clone());
        let price = text(service, "total_amount").parse().unwrap();
        *sold.entry(("BAGGAGE".into(), code, flights.collect(), price)).or_default() += 1;
    }
    for map in array(&maps) {
        let flight = segments[text(map, "segment_id")].clone();
        let rows = array(&map["cabins"]).iter().flat_map(|cabin| array(&cabin["rows"]));
        let sections = rows.flat_map(|row| array(&row["sections"]));
        for seat in sections.flat_map(|section| array(&section["elements"])) {
            for service in seat["available_services"].as_array().into_iter().flatten() {
                let code = text(seat, "designator").to_owned();
                let price = text(service, "total_amount").parse().unwrap();
                *sold.entry(("SEAT".into(), code, vec![flight.clone()], price)).or_default() += 1;
            }
        }
    }
    sold
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_shows_every_bag_and_seat_in_the_wallets_currency() {
    let rate = dec!(105.2537);
    let rates = RateTable::default().with(Currency::GBP, Currency::INR, rate).unwrap();
    let options = WorldOptions { supplier_currency: "GBP", rates, ..WorldOptions::default() };
    let (world, _, agent) = World::with(options).await.and_agent("5000000").await;
    let (token, priced) = quote(&agent, &round_trip("DEL", "LHR").party(2, 1, 1)).await;
    let sold = sold(&world, &token).await;
    let ancillaries = array(&priced["ancillaries"]);
    assert_eq!(ancillaries.len(), sold.len());
    for ((kind, code, flights, price), travellers) in &sold {
        let is_it = |ancillary: &&Value| {
            ancillary["type"] == *kind
                && ancillary["code"] == *code
                && ancillary["segment_ids"] == json!(flights)
        };
        let found = ancillaries.iter().find(is_it);
        let found = found.unwrap_or_else(|| panic!("{kind} {code} on {flights:?}"));
        let expected = (price * rate).round_dp(2);
        assert!((amount(&found["price"]) - expected).abs() <= dec!(0.01), "{found}: {expected}");
        assert_eq!(found["segment_id"], flights[0]);
        // An infant has neither, and by the exits only adults sit.
        assert!((2..=3).contains(travellers), "{kind} {code}: {travellers}");
        assert!(!text(found, "name").is_empty());
    }
    assert!(sold.keys().any(|(kind, ..)| kind == "BAGGAGE"));
    assert!(sold.values().any(|travellers| *travellers == 2));
    let flights = array(&priced["itinerary_snapshot"]["segments"]);
    let known: Vec<&str> = flights.iter().map(|flight| text(flight, "segment_id")).collect();
    let mut named = sold.keys().flat_map(|(_, _, flights, _)| flights);
    assert!(named.all(|flight| known.contains(&flight.as_str())));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_becomes_of_the_seats_costs_nothing_but_seats() {
    let options = WorldOptions { read_deadline: Duration::from_secs(3600), ..WorldOptions::default() };
    let (world, _, agent) = World::with(options.frozen()).await.and_agent("1000000").await;
    let offer = agent.offer(&one_way("DEL", "BOM")).await;
    let kinds = |priced: &Value, kind: &str| {
        array(&priced["ancillaries"]).iter().filter(|ancillary| ancillary["type"] == kind).count()
    };
    let priced = agent.price(&offer).await.ok();
    let bags = kinds(&priced, "BAGGAGE");
    assert!(bags > 0 && kinds(&priced, "SEAT") > 0);
    for fault in [
        LASTS,
        "status:500",
        "status:504",
        "status:422",
        "broken_json",
        "drop_before",
        "drop_after",
        "rate_limited",
    ] {
        world.next("services", fault).await;
        let now = timeout(LONG, agent.price(&offer)).await.expect("it waits for seats").ok();
        assert_eq!((kinds(&now, "BAGGAGE"), kinds(&now, "SEAT")), (bags, 0), "{fault}");
        assert_eq!(now["price_summary"], priced["price_summary"], "{fault}");
        assert_eq!(world.faults_left().await, 0, "{fault}: each price asks for seats");
        // A supplier that is rate limiting is left alone for a second.
        world.pass(1);
    }
    assert_eq!(agent.price(&offer).await.ok()["ancillaries"], priced["ancillaries"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_without_services_is_priced_and_booked_like_any_other() {
    let (world, _, agent) = World::start().await.and_agent("5000000").await;
    let trip = one_way("BTS", "ABV");
    let (_, priced) = quote(&agent, &trip).await;
    assert_eq!(priced["ancillaries"], json!([]));
    agent.book(&agent.order(&priced, &trip)).await.ok();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_only_be_held_sells_services_too() {
    let (world, _, agent) = World::start().await.and_agent("5000000").await;
    let trip = one_way("JFK", "EWR");
    let (token, priced) = quote(&agent, &trip).await;
    assert_eq!(array(&priced["ancillaries"]).len(), sold(&world, &token).await.len());
    assert_eq!(agent.book(&agent.order(&priced, &trip)).await.ok()["legs"][0]["ticket_number"], "");
    assert_eq!(world.supplier_orders().await[0]["status"], "held");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_of_a_price_are_those_of_its_offer() {
    let (_world, _, agent) = World::start().await.and_agent("5000000").await;
    let found = agent.search(&round_trip("DEL", "BOM")).await;
    let (mut refundable, mut not) = (0, 0);
    for offer in array(&found["offers"]) {
        let rules = &agent.price(text(offer, "offer_id")).await.ok()["fare_rules"];
        let policy = &found["dictionaries"]["refund_policies"][text(&offer["fare_details"], "refund_ref")];
        let [back, cancel, change] = ["is_refundable", "cancel_fee", "change_fee"].map(|name| &policy[name]);
        assert_has!(rules, { "is_refundable": back, "cancellation_fee": cancel, "change_fee": change });
        let said = text(rules, "rule_text");
        if rules["is_refundable"] == true {
            let fee = amount(&rules["cancellation_fee"]);
            assert!(said.starts_with(&format!("Refundable before departure for {fee:.2} INR.")), "{said}");
            refundable += 1;
        } else {
            assert!(policy["is_refundable"].is_boolean() || policy["is_refundable"].is_null());
            let words = ["Not refundable", "The supplier does not say"];
            assert!(words.iter().any(|words| said.starts_with(words)), "{said}");
            not += 1;
        }
    }
    assert!(refundable > 0 && not > 0, "{refundable} {not}");
}
