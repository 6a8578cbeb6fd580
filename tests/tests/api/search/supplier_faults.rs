//! A supplier's failure at search is a line in the answer, never the answer's own failure.

use std::time::Duration;

use serde_json::{Value, json};
use wayfare_tests::{LASTS, Person, Seller, World, WorldOptions, one_way, stay_at};

async fn nothing_found(agent: &Person, body: &Value) -> Value {
    agent.post("/flights/search", body).await.says(200, "0 offers found")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_answers_whatever_the_supplier_does() {
    let options = WorldOptions { read_deadline: Duration::from_millis(400), ..WorldOptions::default() };
    let (world, _, agent) = World::with(options.frozen()).await.and_agent("1000").await;
    let body = one_way("DEL", "BOM").body(world.now());
    let faults = [
        "status:500",
        "status:502",
        "status:422",
        "status:401",
        "broken_json",
        "drop_before",
        "drop_after",
        "rate_limited",
        LASTS,
    ];
    for fault in faults {
        world.next("search", fault).await;
        let found = nothing_found(&agent, &body).await;
        let status = &found["search_meta"]["provider_status"]["duffel"];
        assert_eq!((&status["status"], &status["results"]), (&json!("error"), &json!(0)), "{fault}");
        let told = found["debug"]["provider_errors"]["duffel"].as_str().unwrap();
        assert!(!told.is_empty() && !told.contains("duffel_test_"), "{fault}: {told}");
        assert!(!told.contains("127.0.0.1"), "{fault}: {told}");
        assert_eq!(found["offers"], json!([]));
        // A supplier that is rate limiting is left alone for a second.
        world.pass(1);
    }
    world.end_supplier().await;
    let found = nothing_found(&agent, &body).await;
    assert_has!(found["search_meta"]["provider_status"]["duffel"], { "status": "error" });
    assert!(found["debug"]["provider_errors"]["duffel"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn problems_are_told_alike_of_flights_and_hotels() {
    let world = World::with(WorldOptions::of([Seller::duffel(), Seller::liteapi()])).await;
    let agent = world.agent("0").await;
    for supplier in ["duffel", "liteapi"] {
        world.next_at(supplier, "search", "status:500").await;
    }
    let trip = agent.search(&one_way("DEL", "BOM")).await;
    let stays = agent.search_stays(&stay_at("liteapi")).await;
    for (supplier, debug) in [("duffel", &trip["debug"]), ("liteapi", &stays["debug"])] {
        let lines = debug["problems"].as_array().unwrap();
        assert_eq!(lines.len(), 1, "{debug}");
        assert_eq!(lines[0]["provider"], supplier);
        let told = debug["provider_errors"][supplier].to_string();
        assert!(told.contains(lines[0]["text"].as_str().unwrap()), "{debug}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_route_that_nobody_flies_is_an_empty_success() {
    let (world, _, agent) = World::start().await.and_agent("1000").await;
    assert_has!(nothing_found(&agent, &one_way("PVD", "RAI").body(world.now())).await, {
        "search_meta/provider_status/duffel/status": "success", "debug/provider_errors": {},
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn wishes_narrow_what_is_found() {
    let (world, _, agent) = World::start().await.and_agent("1000").await;
    let trip = one_way("DEL", "BOM");
    let mut body = trip.body(world.now());
    body["search_params"]["max_results"] = json!(3);
    body["search_params"]["direct_flights_only"] = json!(true);
    let found = agent.post("/flights/search", &body).await;
    let found = found.says(200, "3 offers found");
    // No more than there are, however many are wanted.
    let mut many = body.clone();
    many["search_params"]["max_results"] = json!(1_000_000);
    let many = agent.post("/flights/search", &many).await.ok();
    assert!(many["search_meta"]["total_results"].as_u64() > Some(3));
    assert_eq!(found["search_meta"]["total_results"], 3);
    for leg in found["legs"].as_array().unwrap() {
        assert_eq!((&leg["stops"], &leg["segments"].as_array().unwrap().len()), (&json!(0), &1));
    }
    let ours = agent.search(&trip.clone().by("6e")).await;
    for segment in ours["segments"].as_array().unwrap() {
        assert_eq!(segment["airline"], "6E");
    }
    let all = agent.search(&trip).await["search_meta"]["total_results"].clone();
    assert!(ours["search_meta"]["total_results"].as_u64() < all.as_u64());
}
