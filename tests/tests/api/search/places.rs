//! Cities in searches, and the tables of places and airlines.

use std::collections::BTreeSet;

use reqwest::{Method, header};
use serde_json::{Value, json};
use wayfare_tests::{Person, Seller, World, WorldOptions, one_way, round_trip, stay_at};

async fn of_both() -> World {
    World::with(WorldOptions::of([Seller::duffel(), Seller::tripjack()])).await
}

/// Where the offers of a supplier begin or end: `origin` or `destination` of their legs in this direction.
fn ends(found: &Value, supplier: &str, route_index: u64, end: &str) -> BTreeSet<String> {
    let offers = found["offers"].as_array().unwrap().iter();
    let of_supplier = offers.filter(|offer| offer["supplier"] == supplier);
    let legs: Vec<&Value> = of_supplier.flat_map(|offer| offer["legs"].as_array().unwrap()).collect();
    let all = found["legs"].as_array().unwrap().iter();
    let named = all.filter(|leg| leg["route_index"] == route_index && legs.contains(&&leg["leg_id"]));
    named.map(|leg| leg[end].as_str().unwrap().to_owned()).collect()
}

fn codes(found: &Value) -> Vec<&str> {
    found.as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_city_is_sent_as_it_is_to_who_knows_cities() {
    let (_world, _, agent) = World::start().await.and_agent("1000000").await;
    let found = agent.search(&one_way("LON", "NYC")).await;
    let places = &found["search_meta"]["places"];
    // Which of a city's airports are flown to hangs on the day.
    for (end, place) in [("origin", &places[0]), ("destination", &places[1])] {
        let airports = place["airports"].as_array().unwrap();
        let flown = ends(&found, "duffel", 0, end);
        let is_of_city = |airport: &String| airports.iter().any(|one| one == airport.as_str());
        assert!(!flown.is_empty() && flown.iter().all(is_of_city), "{flown:?}");
    }
    assert_has!(places[0], { "code": "LON", "kind": "city", "airports/0": "LHR" });
    assert_has!(places[1], { "code": "NYC", "kind": "city", "airports/0": "JFK" });
    assert_eq!(found["search_meta"]["provider_status"]["duffel"].get("searched"), None);
    // It is bought like any other, and can be moved to another flight between the cities.
    let bought = agent.buy(one_way("LON", "NYC")).await;
    let other_day =
        json!({ "origin": "lon", "destination": "nyc", "new_date": agent.today() + chrono::Days::new(40) });
    let path = format!("/flights/bookings/{}/reschedule-avail", bought.reference);
    assert!(!agent.post(&path, &other_day).await.ok().as_array().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_city_is_spread_to_its_airports_where_only_they_are_known() {
    let (world, _, agent) = of_both().await.and_agent("1000000").await;
    let trip = one_way("NYC", "CHI");
    let found = agent.search(&trip).await;
    let of = |supplier| ends(&found, supplier, 0, "origin");
    assert!(of("duffel").len() > 1 && of("tripjack").len() > 1, "{:?} {:?}", of("duffel"), of("tripjack"));
    assert!(of("tripjack").contains("JFK"));
    let searched = &found["search_meta"]["provider_status"]["tripjack"]["searched"];
    assert_eq!(searched[0], json!({ "slices": [{ "origin": "JFK", "destination": "ORD" }] }));
    assert_eq!(searched.as_array().unwrap().len(), 4);
    let counted = "select string_agg(supplier || ' ' || asked, ', ' order by supplier) from look_to_book";
    world.count_looks().await;
    assert_eq!(world.line(counted).await, "duffel 1, tripjack 4");

    let priced = agent.price(&agent.dearest_of("tripjack", &trip).await.unwrap()).await.ok();
    agent.book(&agent.order(&priced, &trip)).await.ok();
}

/// Halves of TripJack there and back, by another airport of the city.
fn by_another_airport(found: &Value) -> [Value; 2] {
    let leg = |offer: &Value| {
        let mut legs = found["legs"].as_array().unwrap().iter();
        legs.find(|leg| leg["leg_id"] == offer["legs"][0]).unwrap().clone()
    };
    let halves = |route_index: u64| {
        found["offers"].as_array().unwrap().iter().filter(move |offer| {
            offer["supplier"] == "tripjack"
                && offer["route_index"] == route_index
                && offer["type"] == "one_way"
        })
    };
    let pair = halves(0).find_map(|there| {
        let elsewhere = |back: &&Value| leg(back)["destination"] != leg(there)["origin"];
        Some([there.clone(), halves(1).find(elsewhere)?.clone()])
    });
    pair.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_return_by_city_may_come_back_to_another_airport() {
    let world = World::with(WorldOptions::of([Seller::tripjack()])).await;
    let agent = world.agent("1000000").await;
    let trip = round_trip("NYC", "CHI");
    let halves = by_another_airport(&agent.search(&trip).await).map(|half| half["offer_id"].clone());
    let priced = agent.post("/flights/price", &json!({ "offer_ids": halves })).await.ok();
    let segments = priced["itinerary_snapshot"]["segments"].as_array().unwrap();
    let (first, last) = (&segments[0]["origin"], &segments[segments.len() - 1]["destination"]);
    assert_ne!(first, last);
    agent.book(&agent.order(&priced, &trip)).await.ok();
    // One of them alone is asked for again, between its own airports.
    let alone = agent.post("/flights/price", &json!({ "offer_ids": [halves[1]] })).await.ok();
    let (asked, flown) = (&alone["itinerary_snapshot"]["segments"][0], &segments[segments.len() - 1]);
    assert_eq!(asked["origin"], flown["origin"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_of_airport_and_city_is_the_airport_unless_the_city_is_meant() {
    let (world, _, agent) = World::start().await.and_agent("1000").await;
    let trip = one_way("DXB", "BOM");
    let found = agent.search(&trip).await;
    let airport = json!({ "code": "DXB", "kind": "airport", "airports": ["DXB"] });
    assert_eq!(found["search_meta"]["places"][0], airport);
    assert_eq!(ends(&found, "duffel", 0, "origin"), BTreeSet::from(["DXB".to_owned()]));

    let mut body = trip.body(world.now());
    body["slices"][0]["origin_type"] = json!("city");
    let found = agent.post("/flights/search", &body).await.ok();
    assert_has!(found["search_meta"]["places"][0], { "code": "DXB", "kind": "city", "airports/0": "DXB" });
    assert!(ends(&found, "duffel", 0, "origin").len() > 1);
    // Duffel would take the code for the airport.
    let searched = &found["search_meta"]["provider_status"]["duffel"]["searched"];
    assert_eq!(searched[0]["slices"][0]["origin"], "DXB");

    body["slices"][0] = json!({ "origin": "LON", "origin_type": "airport", "destination": "LHR", "destination_type": "town",
                                "departure_date": body["slices"][0]["departure_date"] });
    agent.post("/flights/search", &body).await.is_invalid(
        "{slices[0].destination_type must be one of airport, city} {slices[0].origin is not a known IATA airport code}",
    );
    let refused = agent.post("/flights/search", &one_way("LON", "LHR").body(world.now())).await;
    refused.is_invalid("{slices[0].destination must not lie within origin}");
}

#[tokio::test(flavor = "multi_thread")]
async fn airports_and_cities_are_found_as_one_types() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    let found = agent.get("/airports?q=lon").await.ok();
    assert_eq!(codes(&found)[..3], ["LON", "LHR", "LGW"]);
    assert_eq!(found.as_array().unwrap().len(), 10);
    let london = json!({
        "code": "LON", "kind": "city", "name": "London", "city": "London", "city_code": "LON", "country": "GB",
        "country_name": "United Kingdom", "time_zone": "Europe/London", "latitude": 51.50853, "longitude": -0.12574,
        "airports": ["LHR", "LGW", "LTN", "LCY", "STN", "SEN"],
    });
    assert_eq!(found[0], london);
    assert_has!(found[1], { "kind": "airport", "city_code": "LON", "airports/0": "LHR", "name": "London Heathrow Airport" });
    assert_eq!(codes(&agent.get("/airports?q=Z%C3%BCrich&limit=1").await.ok()), ["ZRH"]);
    let refused = agent.get(&format!("/airports?q={}&limit=0", "x".repeat(65))).await;
    refused.is_invalid("{q must have at most 64 characters} {limit must be between 1 and 100}");
    agent.get("/airports").await.is_invalid("{q this field is required}");
}

#[tokio::test(flavor = "multi_thread")]
async fn places_are_found_by_the_names_that_people_use_those_of_the_agencys_country_first() {
    let (world, _, agent) = World::start().await.and_agent("0").await;
    let first = async |path: &str, typed: &str| {
        let typed: String = url::form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        let found = agent.get(&format!("{path}?q={typed}&limit=3")).await.ok();
        found[0]["code"].as_str().unwrap_or_default().to_owned()
    };
    for (typed, code, city) in [
        ("bombay", "BOM", "1275339"),
        ("MADRAS", "MAA", "1264527"),
        ("München", "MUC", "2867714"),
        ("कोलकाता", "CCU", "1275004"),
        ("kochi", "COK", "1273874"),
        ("bali", "DPS", "1645528"),
        ("kashmir", "SXR", "1255634"),
        ("mecca", "JED", "104515"),
        ("leh", "IXL", "1264976"),
    ] {
        assert_eq!(first("/airports", typed).await, code, "{typed}");
        assert_eq!(first("/hotels/cities", typed).await, city, "{typed}");
    }
    world.sql("update organizations set country = 'JP'").await;
    assert_eq!(first("/airports", "kochi").await, "KCZ");
    assert_eq!(first("/hotels/cities", "kochi").await, "1859146");
}

#[tokio::test(flavor = "multi_thread")]
async fn airlines_are_found_by_their_codes_and_names() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    let found = agent.get("/airlines?q=air+india&limit=2").await.ok();
    assert_eq!(codes(&found), ["9I", "AI"]);
    assert_eq!(
        found[1],
        json!({ "code": "AI", "icao": "AIC", "name": "Air India", "logo_url": null, "from": "1932-10-15", "until": null })
    );
    assert_eq!(codes(&agent.get("/airlines?q=6e").await.ok()), ["6E"]);
    agent.get("/airlines?q=x&limit=101").await.is_invalid("{limit must be between 1 and 100}");
}

/// The answer of a path to who has what this tag names.
async fn with_tag(agent: &Person, path: &str, tag: &str) -> u16 {
    let request = agent.request(Method::GET, path).header(header::IF_NONE_MATCH, tag);
    request.send().await.unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_an_answer_of_the_tables_is_told_so() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    for path in ["/airports?q=par", "/airlines?q=par"] {
        let answer = agent.get(path).await;
        answer.ok();
        let tag = answer.header("ETag").to_owned();
        assert_eq!(with_tag(&agent, path, &tag).await, 304);
        assert_eq!(with_tag(&agent, path, "\"another\"").await, 200);
        assert_eq!(with_tag(&agent, &format!("{path}is"), &tag).await, 200, "another answer");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hotels_at_a_citys_code_are_those_in_the_city() {
    let (_world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    let mut search = stay_at("");
    search.location = json!({ "type": "airport", "code": "lon" });
    let stays = agent.search_stays(&search).await;
    assert!(stays["hotels"].as_array().unwrap().len() > 3, "{stays}");
    for supplier in ["liteapi", "hotelbeds"] {
        assert_eq!(stays["provider_status"][supplier]["status"], "success");
    }
    search.location = json!({ "type": "airport", "code": "QQQ" });
    let refused = agent.post("/hotels/search", &search.body(agent.today())).await;
    refused.is_invalid("{location.code is not a known IATA airport code}");
}
