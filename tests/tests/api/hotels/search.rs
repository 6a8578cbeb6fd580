//! Hotel searches: one frozen answer, of which pages, filters and orders are cut without asking a supplier again.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wayfare_operations::{
    access::operators::By,
    operator::{self, AgencyChange, Suppliers},
};
use wayfare_tests::{Person, World, WorldOptions, amount, contract, stay_at};

const SUPPLIERS: [&str; 2] = ["liteapi", "hotelbeds"];

async fn search(agent: &Person, body: &Value) -> Value {
    agent.post("/hotels/search", body).await.says(200, "hotels found")
}

fn ids(found: &Value) -> Vec<String> {
    let hotels = found["hotels"].as_array().unwrap();
    hotels.iter().map(|hotel| hotel["hotel_id"].as_str().unwrap().to_owned()).collect()
}

/// Whoever tries an example of the document out finds something.
#[tokio::test(flavor = "multi_thread")]
async fn each_example_of_the_document_finds_hotels() {
    let (_world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent("0").await;
    let body = &contract::document()["paths"]["/api/v1/hotels/search"]["post"]["requestBody"]["content"];
    for (name, example) in body["application/json"]["examples"].as_object().unwrap() {
        assert!(!ids(&search(&agent, &example["value"]).await).is_empty(), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_one_search_id_are_cut_from_one_answer_and_nobody_is_asked_again() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    let mut body = stay_at("").body(agent.today());
    body["search_id"] = "monsoon-7".into();
    body["pagination"] = json!({ "page": 1, "per_page": 7 });
    let first = search(&agent, &body).await;
    assert_eq!(first["search_id"], "monsoon-7");
    let total = first["total_results"].as_u64().unwrap();
    assert!(total > 14, "{total}");
    // Whoever asked a supplier now would be told nothing.
    for supplier in SUPPLIERS {
        world.next_at(supplier, "search", "status:500").await;
    }
    let mut all = ids(&first);
    for page in 2..=total.div_ceil(7) {
        body["pagination"]["page"] = page.into();
        let next = search(&agent, &body).await;
        assert_has!(next, { "provider_status": first["provider_status"], "created_at": first["created_at"] });
        all.extend(ids(&next));
    }
    assert_eq!(all.len() as u64, total);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len() as u64, total, "none twice");
    let providers: Vec<&str> = all.iter().map(|id| id.split(':').next().unwrap()).collect();
    assert!(providers.is_sorted_by_key(|provider| *provider == "liteapi"), "grouped: {providers:?}");
    body["pagination"]["page"] = 1000.into();
    assert!(ids(&search(&agent, &body).await).is_empty());
    assert_eq!(world.faults_left().await, 2, "no supplier was asked");

    // Somebody else's name is their own, and other criteria are another search.
    let other = world.agency().await.agent("bina", "0").await;
    body["pagination"]["page"] = 1.into();
    assert_eq!(search(&other, &body).await["status"], "partial");
    assert!(world.faults_left().await == 0);
    body["rooms"][0]["adults"] = 1.into();
    let anew = search(&agent, &body).await;
    assert_eq!(anew["search_id"], "monsoon-7");
    assert_ne!(anew["created_at"], first["created_at"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_and_orders_act_on_the_frozen_answer() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    world.knows_hotels(&agent, &stay_at("")).await;
    let mut body = stay_at("").body(agent.today());
    let whole = search(&agent, &body).await;
    body["search_id"] = whole["search_id"].clone();
    let total = whole["total_results"].as_u64().unwrap();
    let prices = |found: &Value| -> Vec<_> {
        let cheapest = |hotel: &Value| {
            let rooms = hotel["rooms"].as_array().unwrap().iter();
            rooms.map(|room| amount(&room["pricing"]["total_after_tax"])).min().unwrap()
        };
        found["hotels"].as_array().unwrap().iter().map(cheapest).collect()
    };
    body["sort"] = json!({ "field": "price" });
    let cheap = search(&agent, &body).await;
    assert!(prices(&cheap).is_sorted(), "{:?}", prices(&cheap));
    body["sort"] = json!({ "field": "price", "order": "desc" });
    assert!(prices(&search(&agent, &body).await).is_sorted_by(|one, two| one >= two));
    body["sort"] = json!({ "field": "name" });
    let named = search(&agent, &body).await;
    let names = named["hotels"].as_array().unwrap().iter();
    assert!(names.map(|hotel| hotel["name"].as_str().unwrap().to_lowercase()).is_sorted());
    body["sort"] = json!({ "field": "star_rating", "order": "desc" });
    let stars = search(&agent, &body).await;
    let ratings: Vec<_> =
        stars["hotels"].as_array().unwrap().iter().map(|hotel| amount(&hotel["star_rating"])).collect();
    assert!(ratings.is_sorted_by(|one, two| one >= two), "{ratings:?}");
    body["sort"] = Value::Null;

    let mut filtered = async |filters: Value, holds: &dyn Fn(&Value, &Value) -> bool| {
        body["filters"] = filters.clone();
        let found = search(&agent, &body).await;
        let count = found["total_results"].as_u64().unwrap();
        for hotel in found["hotels"].as_array().unwrap() {
            for room in hotel["rooms"].as_array().unwrap() {
                assert!(holds(hotel, &room["pricing"]), "{filters}: {room}");
            }
        }
        assert!(count > 0 && count <= total, "{filters}: {count} of {total}");
        count
    };
    let has_four = |hotel: &Value, _: &Value| amount(&hotel["star_rating"]).floor() == 4.into();
    assert!(filtered(json!({ "star_rating": [4] }), &has_four).await < total);
    let middle = prices(&cheap)[prices(&cheap).len() / 2];
    let dear: Value = serde_json::from_str(&format!(r#"{{"price_min": {middle}}}"#)).unwrap();
    filtered(dear, &|_, pricing| amount(&pricing["total_after_tax"]) >= middle).await;
    let cheap: Value = serde_json::from_str(&format!(r#"{{"price_max": {middle}}}"#)).unwrap();
    assert!(filtered(cheap, &|_, pricing| amount(&pricing["total_after_tax"]) <= middle).await < total);
    filtered(json!({ "refundable_only": true }), &|_, pricing| pricing["refundable"] == true).await;
    filtered(json!({ "meal_plan": ["breakfast"] }), &|_, pricing| pricing["meal_plan"] == "breakfast").await;
    filtered(json!({ "payment_type": "prepaid" }), &|_, pricing| pricing["payment_type"] == "prepaid").await;
    let kind = whole["hotels"][0]["property_type"].as_str().unwrap().to_uppercase();
    let is_it = |hotel: &Value, _: &Value| hotel["property_type"].as_str().unwrap().to_uppercase() == kind;
    filtered(json!({ "property_type": [kind] }), &is_it).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_fails_is_a_line_and_one_that_is_not_for_the_agency_is_skipped() {
    let (world, agency, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent("0").await;
    let body = stay_at("").body(agent.today());
    for (fault, broken) in [
        ("status:503", "liteapi"),
        ("broken_json", "hotelbeds"),
        ("drop_before", "liteapi"),
        ("rate_limited", "hotelbeds"),
    ] {
        world.next_at(broken, "search", fault).await;
        let found = search(&agent, &body).await;
        assert_eq!(found["status"], "partial", "{fault}");
        assert_eq!(found["provider_status"][broken]["status"], "error", "{fault}");
        assert_eq!(found["provider_status"][broken]["results_count"], 0);
        assert!(!found["debug"]["provider_errors"][broken].as_array().unwrap().is_empty());
        assert!(found["total_results"].as_u64() > Some(0));
        world.pass(30);
    }
    let only = AgencyChange {
        suppliers: Some(Suppliers::These(vec!["hotelbeds".to_owned()])),
        ..AgencyChange::default()
    };
    operator::change_agency(&world.platform, By::command_line(), &agency.code, only).await.unwrap();
    let found = search(&agent, &body).await;
    assert_has!(found, { "status": "complete", "provider_status/liteapi/status": "skipped" });
    assert!(ids(&found).iter().all(|id| id.starts_with("hotelbeds:")));
}

#[tokio::test(flavor = "multi_thread")]
async fn hotels_are_found_by_id_airport_and_point() {
    let (_world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    let mut body = stay_at("").body(agent.today());
    let all = search(&agent, &body).await;
    let (lite, beds) = (ids(&all).pop().unwrap(), ids(&all).swap_remove(0));
    body["location"] = json!({ "type": "hotel_id", "hotel_ids": [beds, lite] });
    assert_eq!(ids(&search(&agent, &body).await), [beds.clone(), lite]);
    body["location"] = json!({ "type": "hotel_id", "hotel_ids": [beds] });
    let one = search(&agent, &body).await;
    assert_eq!(ids(&one), [beds]);
    assert_eq!(one["provider_status"]["liteapi"]["status"], "skipped");
    body["location"] = json!({ "type": "airport", "code": "BOM" });
    assert!(search(&agent, &body).await["total_results"].as_u64() > Some(0));
    let hotel = &all["hotels"][0];
    body["location"] = json!({
        "type": "coordinates", "latitude": hotel["latitude"], "longitude": hotel["longitude"], "radius_km": 5,
    });
    let near = search(&agent, &body).await;
    assert!(ids(&near).contains(&hotel["hotel_id"].as_str().unwrap().to_owned()));
    assert!(near["total_results"].as_u64() <= all["total_results"].as_u64());
}
