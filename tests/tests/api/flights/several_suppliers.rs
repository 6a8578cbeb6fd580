//! Several suppliers at once: each does what it does, and none is the others' trouble.

use std::time::Duration;

use serde_json::{Value, json};
use wayfare_launch::SupplierKind;
use wayfare_sandbox::{Running, Sandbox, Settings};
use wayfare_tests::{LASTS, Seller, Supplier, World, WorldOptions, one_way};

async fn sandbox(seed: u64) -> Running {
    Sandbox::start(Settings::of_seed(seed)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_dead_one_slow_one_garbled_one_limiting_and_the_others_in_time() {
    let (slow, garbled, limiting) = (sandbox(2).await, sandbox(3).await, sandbox(4).await);
    let options = WorldOptions {
        sellers: vec![
            Seller::duffel(),
            Seller::tripjack(),
            Seller::of("dead", SupplierKind::TripJack).at("http://127.0.0.1:9"),
            Seller::of("slow", SupplierKind::Duffel).at(&slow.base_url()),
            Seller::of("garbled", SupplierKind::Duffel).at(&garbled.base_url()),
            Seller::of("limiting", SupplierKind::TripJack).at(&limiting.base_url()),
        ],
        read_deadline: Duration::from_secs(15),
        ..WorldOptions::default()
    };
    let world = World::with(options).await;
    for (sandbox, wire, fault) in [
        (&slow, "duffel", LASTS),
        (&garbled, "duffel", "broken_json"),
        (&limiting, "tripjack", "rate_limited"),
    ] {
        Supplier::at(sandbox.base_url()).next_at(wire, "search", fault, 1).await;
    }
    let agent = world.agent("1000000").await;
    let mut events = agent.stream(&one_way("DEL", "BOM")).await;
    let mut seen = Vec::new();
    let done = loop {
        let event = events.next().await.unwrap();
        if event.name == "done" {
            break event;
        }
        seen.push(event);
    };
    assert_eq!(seen.len(), 6, "each is told when it is known");
    // The slow one holds up nobody: without it everything is there before its time is over.
    let before = &seen[4];
    assert!(before.data["data"]["search_meta"]["provider_status"].get("slow").is_none());
    let offers = |data: &Value| data["offers"].as_array().unwrap().len();
    assert_eq!(offers(&before.data["data"]), offers(&done.data["data"]));
    assert!(offers(&done.data["data"]) > 10);

    let data = &done.data["data"];
    let told = |code: &str| {
        let line = &data["search_meta"]["provider_status"][code];
        (line["status"].as_str().unwrap().to_owned(), line["results"].as_u64().unwrap() > 0)
    };
    for code in ["duffel", "tripjack"] {
        assert_eq!(told(code), ("success".to_owned(), true), "{code}");
    }
    for code in ["dead", "slow", "garbled", "limiting"] {
        assert_eq!(told(code), ("error".to_owned(), false), "{code}");
    }
    let errors = &data["debug"]["provider_errors"];
    for (code, part) in [
        ("slow", "no answer within 15000 ms"),
        ("garbled", "unreadable answer"),
        ("limiting", "rate limiting"),
    ] {
        let text = errors[code].as_str().unwrap();
        assert!(text.contains(part), "{code}: {text}");
    }
    assert!(errors["dead"].is_string());
    assert!(errors.get("duffel").is_none() && errors.get("tripjack").is_none());
    for sandbox in [slow, garbled, limiting] {
        sandbox.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_two_suppliers_sell_of_one_flight_points_to_one_segment() {
    let options =
        WorldOptions::of([Seller::of("one", SupplierKind::Duffel), Seller::of("two", SupplierKind::Duffel)]);
    let (_world, _, agent) = World::with(options).await.and_agent("0").await;
    let found = agent.search(&one_way("DEL", "BOM")).await;
    let count = |name: &str| found[name].as_array().unwrap().len();
    let per_supplier = count("offers") / 2;
    assert!(count("segments") <= per_supplier && count("legs") <= per_supplier);
    let suppliers: std::collections::BTreeSet<&str> =
        found["offers"].as_array().unwrap().iter().map(|offer| offer["supplier"].as_str().unwrap()).collect();
    assert_eq!(suppliers.into_iter().collect::<Vec<_>>(), ["one", "two"]);
}

/// Everything that an offer points to is there, and nothing is there that none points to.
fn check_references(found: &Value) {
    let list = |name: &str| found[name].as_array().unwrap().clone();
    let ids = |things: &[Value], field: &str| -> std::collections::BTreeSet<String> {
        things.iter().map(|thing| thing[field].as_str().unwrap().to_owned()).collect()
    };
    let pointed = |things: &[Value], field: &str| -> std::collections::BTreeSet<String> {
        let all = things.iter().flat_map(|thing| thing[field].as_array().unwrap().clone());
        all.map(|id| id.as_str().unwrap().to_owned()).collect()
    };
    let (offers, legs, segments) = (list("offers"), list("legs"), list("segments"));
    assert_eq!(pointed(&offers, "legs"), ids(&legs, "leg_id"));
    assert_eq!(pointed(&legs, "segments"), ids(&segments, "segment_id"));
    let dictionaries = &found["dictionaries"];
    let keys = |name: &str| -> std::collections::BTreeSet<String> {
        dictionaries[name].as_object().unwrap().keys().cloned().collect()
    };
    let named = |field: &str| -> std::collections::BTreeSet<String> {
        offers.iter().map(|offer| offer["fare_details"][field].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(named("baggage_ref"), keys("baggage"));
    assert_eq!(named("refund_ref"), keys("refund_policies"));
    let mut airports = ids(&segments, "origin");
    airports.extend(ids(&segments, "destination"));
    assert!(airports.is_subset(&keys("airports")));
    for airport in dictionaries["airports"].as_object().unwrap().values() {
        for field in ["name", "city", "country", "iso_country", "timezone", "utc_offset"] {
            assert!(airport[field].is_string(), "{airport}");
        }
    }
    assert!(ids(&segments, "airline").is_subset(&keys("airlines")));
    for airline in dictionaries["airlines"].as_object().unwrap().values() {
        assert!(airline["name"].is_string(), "{airline}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_hold_for_every_supplier_and_leave_nothing_that_nobody_points_to() {
    let options = WorldOptions::of([Seller::duffel(), Seller::tripjack()]);
    let (world, _, agent) = World::with(options).await.and_agent("0").await;
    let trip = one_way("DEL", "GOI");
    let all = agent.search(&trip).await;
    check_references(&all);
    let airline = all["segments"][0]["airline"].as_str().unwrap().to_owned();
    let ask = async |changes: &[(&str, Value)]| {
        let mut body = trip.body(world.now());
        for (name, value) in changes {
            body["search_params"][name] = value.clone();
        }
        agent.post("/flights/search", &body).await.ok()
    };
    let own = ask(&[("airline_id", json!(airline))]).await;
    check_references(&own);
    assert!(!own["offers"].as_array().unwrap().is_empty());
    assert!(own["segments"].as_array().unwrap().iter().all(|segment| segment["airline"] == airline.as_str()));

    let direct = ask(&[("direct_flights_only", json!(true))]).await;
    check_references(&direct);
    let legs = direct["legs"].as_array().unwrap();
    assert!(!legs.is_empty() && legs.iter().all(|leg| leg["stops"] == 0));

    let few = ask(&[("max_results", json!(3))]).await;
    check_references(&few);
    let cheapest = |found: &Value| -> Vec<Value> {
        found["offers"].as_array().unwrap().iter().take(3).map(|offer| offer["price"].clone()).collect()
    };
    assert_eq!(few["offers"].as_array().unwrap().len(), 3);
    assert_eq!(few["search_meta"]["total_results"], 3);
    assert_eq!(cheapest(&few), cheapest(&all));
}

#[tokio::test(flavor = "multi_thread")]
async fn six_journeys_are_one_search_at_both_suppliers() {
    let options = WorldOptions::of([Seller::duffel(), Seller::tripjack()]);
    let (_world, _, agent) = World::with(options).await.and_agent("1000000").await;
    let trip = wayfare_tests::journeys(&[
        ("DEL", "BOM", 30),
        ("BOM", "BLR", 33),
        ("BLR", "MAA", 36),
        ("MAA", "HYD", 39),
        ("HYD", "CCU", 42),
        ("CCU", "DEL", 45),
    ]);
    let found = agent.search(&trip).await;
    check_references(&found);
    for code in ["duffel", "tripjack"] {
        assert_eq!(found["search_meta"]["provider_status"][code]["status"], "success", "{found}");
    }
    let offers = found["offers"].as_array().unwrap();
    assert!(offers.iter().any(|offer| offer["legs"].as_array().unwrap().len() == 6));
    let offer = offers.iter().find(|offer| offer["supplier"] == "duffel").unwrap();
    let priced = agent.price(offer["offer_id"].as_str().unwrap()).await.ok();
    assert!(priced["itinerary_snapshot"]["segments"].as_array().unwrap().len() >= 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_results_of_a_return_have_halves_of_both_journeys() {
    let options = WorldOptions::of([Seller::duffel(), Seller::tripjack()]);
    let (world, _, agent) = World::with(options).await.and_agent("0").await;
    let mut body = wayfare_tests::round_trip("DEL", "BOM").body(world.now());
    body["search_params"]["max_results"] = json!(6);
    let found = agent.post("/flights/search", &body).await.ok();
    check_references(&found);
    let offers = found["offers"].as_array().unwrap();
    let count = |is: &dyn Fn(&Value) -> bool| offers.iter().filter(|offer| is(offer)).count();
    assert_eq!(count(&|offer| offer["type"] == "bundled"), 2);
    for route_index in [0, 1] {
        let of = |offer: &Value| offer["type"] != "bundled" && offer["route_index"] == route_index;
        assert_eq!(count(&of), 2, "{route_index}");
    }
}
