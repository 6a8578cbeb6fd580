//! The memory of searches: bounded, and shared so that nobody's searches put out another agency's.

use serde_json::{Value, json};
use wayfare_operations::SearchMemoryUse;
use wayfare_tests::{Agency, Person, Seller, World, WorldOptions, journeys, stay_at};

const MONEY: &str = "1000000";
const OVER: &str = "offer has expired, please search again";

/// Little room, so that a flood of some dozens of searches is one.
fn small(bytes: usize, options: WorldOptions) -> WorldOptions {
    WorldOptions { search_memory: bytes, ..options }
}

fn used(world: &World, kind: &str) -> SearchMemoryUse {
    world.search_memory().into_iter().find(|part| part.kind == kind).unwrap()
}

async fn people(agency: &Agency, names: [&str; 2]) -> (Person, Person) {
    (agency.agent(names[0], MONEY).await, agency.agent(names[1], MONEY).await)
}

async fn hotels(agent: &Person) -> Value {
    let body = stay_at("liteapi").body(agent.today());
    let found = agent.post("/hotels/search", &body).await.says(200, "hotels found");
    found["hotels"].as_array().unwrap().iter().take(4).map(|hotel| hotel["hotel_id"].clone()).collect()
}

/// The body that prices the first of these hotels of a search of its own name and day.
async fn stay(agent: &Person, hotels: &Value, number: i64) -> Value {
    let mut wish = stay_at("liteapi");
    wish.in_days += number;
    wish.location = json!({ "type": "hotel_id", "hotel_ids": hotels });
    let mut body = wish.body(agent.today());
    body["search_id"] = format!("s{number}").into();
    let found = agent.post("/hotels/search", &body).await.says(200, "hotels found");
    let hotel = &found["hotels"][0];
    let room = &hotel["rooms"][0];
    json!({
        "search_id": found["search_id"],
        "hotel_id": hotel["hotel_id"],
        "room_selections": [{ "room_id": room["room_id"], "rate_id": room["pricing"]["rate_id"] }],
    })
}

async fn flight(agent: &Person, number: i64) -> String {
    let found = agent.search(&journeys(&[("DEL", "BOM", 30 + number)])).await;
    found["offers"][0]["offer_id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn hotel_searches_of_one_user_put_out_only_their_own() {
    let world = World::with(small(512 << 10, WorldOptions::of([Seller::liteapi()]))).await;
    let (agency, other) = (world.agency().await, world.agency().await);
    let (victim, (colleague, flooder)) =
        (agency.agent("dev", MONEY).await, people(&other, ["bina", "chetan"]).await);
    let hotels = hotels(&flooder).await;
    let theirs = stay(&victim, &hotels, 0).await;
    let colleagues = stay(&colleague, &hotels, 0).await;
    let first = stay(&flooder, &hotels, 1).await;
    let mut newest = Value::Null;
    for number in 2..60 {
        newest = stay(&flooder, &hotels, number).await;
    }
    let used = used(&world, "hotel searches");
    println!("{used:?}");
    assert!(used.put_out > 0 && used.bytes <= used.bound, "{used:?}");
    flooder.post("/hotels/price", &first).await.is(400, OVER);
    flooder.post("/hotels/price", &newest).await.ok();
    victim.post("/hotels/price", &theirs).await.ok();
    colleague.post("/hotels/price", &colleagues).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn flight_searches_of_one_user_put_out_only_their_own() {
    let world = World::with(small(512 << 10, WorldOptions::default())).await;
    let (agency, other) = (world.agency().await, world.agency().await);
    let (victim, (colleague, flooder)) =
        (agency.agent("dev", MONEY).await, people(&other, ["bina", "chetan"]).await);
    let theirs = flight(&victim, 0).await;
    let colleagues = flight(&colleague, 0).await;
    let first = flight(&flooder, 1).await;
    let mut newest = String::new();
    for number in 2..60 {
        newest = flight(&flooder, number).await;
    }
    let used = used(&world, "flight searches");
    println!("{used:?}");
    assert!(used.put_out > 0 && used.bytes <= used.bound, "{used:?}");
    flooder.price(&first).await.is(400, OVER);
    flooder.price(&newest).await.ok();
    victim.price(&theirs).await.ok();
    colleague.price(&colleagues).await.ok();
}
