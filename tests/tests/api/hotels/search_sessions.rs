//! What a `search_id` stands for: one answer, whoever asks for it at the same time, on whichever server, until its end.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde_json::{Value, json};
use wayfare_operations::Redis;
use wayfare_tests::{Person, StaySearch, TestRedis, World, WorldOptions, amount, stay_at};

const SUPPLIERS: [&str; 2] = ["liteapi", "hotelbeds"];
const OVER: &str = "offer has expired, please search again";

fn named(id: &str, wish: &StaySearch, agent: &Person) -> Value {
    let mut body = wish.body(agent.today());
    body["search_id"] = id.into();
    body
}

async fn search(agent: &Person, body: &Value) -> Value {
    agent.post("/hotels/search", body).await.says(200, "hotels found")
}

/// The body that prices the first hotel of what was found, for one room.
fn selection(found: &Value) -> Value {
    let hotel = &found["hotels"][0];
    let room = &hotel["rooms"][0];
    json!({
        "search_id": found["search_id"],
        "hotel_id": hotel["hotel_id"],
        "room_selections": [{ "room_id": room["room_id"], "rate_id": room["pricing"]["rate_id"] }],
    })
}

async fn link(redis: &TestRedis) -> Arc<Redis> {
    Redis::open(&redis.url(), Duration::from_secs(10), "test").await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_are_asked_for_at_once_are_cut_from_one_answer() {
    let (world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    // Who asked a supplier a second time would be told nothing.
    for supplier in SUPPLIERS {
        world.next_at(supplier, "search", "slow:1000").await;
        world.next_at(supplier, "search", "status:500").await;
    }
    let page = |number: u32| {
        let mut body = named("at-once", &stay_at(""), &agent);
        body["pagination"] = json!({ "page": number, "per_page": 7 });
        body
    };
    let (one, two) = (page(1), page(2));
    let (first, second) = tokio::join!(search(&agent, &one), search(&agent, &two));
    assert_eq!(world.faults_left().await, 2, "each supplier was asked once");
    assert_eq!(first["created_at"], second["created_at"]);
    assert_eq!((&first["status"], &second["status"]), (&json!("complete"), &json!("complete")));
    assert_ne!(first["hotels"][0]["hotel_id"], second["hotels"][0]["hotel_id"]);
    for found in [first, second] {
        agent.post("/hotels/price", &selection(&found)).await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_ends_when_it_says_so() {
    let (world, _, agent) = World::with(WorldOptions::hotels().frozen()).await.and_agent("0").await;
    let body = named("monsoon", &stay_at(""), &agent);
    let found = search(&agent, &body).await;
    let ends: chrono::DateTime<chrono::Utc> = found["expires_at"].as_str().unwrap().parse().unwrap();
    world.pass((ends - world.now()).num_seconds() - 1);
    assert_eq!(search(&agent, &body).await["created_at"], found["created_at"]);
    agent.post("/hotels/price", &selection(&found)).await.ok();
    world.pass(1);
    agent.post("/hotels/price", &selection(&found)).await.is(400, OVER);
    let anew = search(&agent, &body).await;
    assert_ne!(anew["created_at"], found["created_at"]);
    agent.post("/hotels/price", &selection(&anew)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_stands_for_the_newest_search_on_every_server() {
    let Some(mut redis) = TestRedis::start() else { return };
    let options = WorldOptions::hotels().frozen();
    let options = |redis| WorldOptions { redis: Some(redis), ..options.clone() };
    let mut world = World::with(options(link(&redis).await)).await;
    let other = world.another_process(&options(link(&redis).await));
    let third = world.another_process(&options(link(&redis).await));
    let here = world.agent("0").await;
    let (there, elsewhere) = (here.at(&other), here.at(&third));
    let old = named("s1", &stay_at(""), &here);
    let mut later = stay_at("");
    later.in_days += 4;
    let new = named("s1", &later, &here);

    let before = search(&here, &old).await;
    assert_eq!(search(&there, &old).await["created_at"], before["created_at"]);
    world.pass(60);
    let found = search(&there, &new).await;
    here.post("/hotels/price", &selection(&found)).await.ok();
    assert_eq!(search(&here, &new).await["created_at"], found["created_at"]);
    // Once it was fetched it is read no more, and stays while Redis is away.
    let whole = redis.ask("KEYS wayfare:hotels:*");
    let key = whole.lines().find(|line| line.starts_with("wayfare:")).unwrap();
    assert!(redis.ask(&format!("DEL {key}")).contains(":1"), "{whole}");
    assert_eq!(search(&here, &new).await["created_at"], found["created_at"]);

    // That it was is known where it never was seen.
    world.pass(1200);
    for server in [&here, &there, &elsewhere] {
        server.post("/hotels/price", &selection(&found)).await.is(400, OVER);
        let mut never = selection(&found);
        never["search_id"] = "s2".into();
        server.post("/hotels/price", &never).await.is_missing();
    }

    let again = search(&here, &old).await;
    redis.kill();
    assert_eq!(search(&here, &old).await["created_at"], again["created_at"]);
    here.post("/hotels/price", &selection(&again)).await.ok();
}

/// The rates that pass, by what they are sold with, where they are for both kinds of rooms.
fn bought_together(hotel: &Value, passes: impl Fn(&Value) -> bool) -> Vec<&Value> {
    let mut groups: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    let rooms = hotel["rooms"].as_array().unwrap().iter();
    for room in rooms.filter(|room| passes(&room["pricing"])) {
        groups.entry(room["pricing"]["sold_with"].to_string()).or_default().push(room);
    }
    groups.retain(|_, rooms| {
        let covers = |adults: u64| rooms.iter().any(|room| room["occupancy"]["adults"] == adults);
        covers(1) && covers(2)
    });
    groups.into_values().flatten().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_filter_leaves_can_be_bought_for_all_rooms() {
    let (_world, _, agent) = World::with(WorldOptions::hotels()).await.and_agent("0").await;
    let wish = stay_at("").rooms(&[(1, &[]), (2, &[])]);
    let whole = agent.search_stays(&wish).await;
    let hotels = whole["hotels"].as_array().unwrap();
    let rooms = hotels.iter().flat_map(|hotel| hotel["rooms"].as_array().unwrap());
    let mut prices: Vec<_> = rooms.map(|room| amount(&room["pricing"]["total_after_tax"])).collect();
    prices.sort();
    let most = |part: usize| prices[prices.len() * part / 8];
    let mut body = named(whole["search_id"].as_str().unwrap(), &wish, &agent);
    let mut cut = 0;
    type Passes = Box<dyn Fn(&Value) -> bool>;
    let mut filters: Vec<(Value, Passes)> = vec![
        (json!({ "refundable_only": true }), Box::new(|pricing| pricing["refundable"] == true)),
        (json!({ "meal_plan": ["breakfast"] }), Box::new(|pricing| pricing["meal_plan"] == "breakfast")),
    ];
    for price in [most(1), most(2), most(4), most(6)] {
        let filter = serde_json::from_str(&format!(r#"{{"price_max": {price}}}"#)).unwrap();
        filters.push((filter, Box::new(move |pricing| amount(&pricing["total_after_tax"]) <= price)));
    }
    for (filter, passes) in filters {
        body["filters"] = filter.clone();
        let mut shown = BTreeMap::new();
        for page in 1_u64.. {
            body["pagination"]["page"] = page.into();
            let found = search(&agent, &body).await;
            for hotel in found["hotels"].as_array().unwrap() {
                let rooms = hotel["rooms"].as_array().unwrap().len();
                shown.insert(hotel["hotel_id"].as_str().unwrap().to_owned(), rooms);
            }
            if found["total_pages"].as_u64() <= Some(page) {
                assert_eq!(found["total_results"], shown.len(), "{filter}");
                break;
            }
        }
        let mut expected = BTreeMap::new();
        for hotel in hotels {
            let rooms = bought_together(hotel, &passes).len();
            if rooms > 0 {
                expected.insert(hotel["hotel_id"].as_str().unwrap().to_owned(), rooms);
            }
            let alone = hotel["rooms"].as_array().unwrap().iter();
            cut += alone.filter(|room| passes(&room["pricing"])).count() - rooms;
        }
        assert_eq!(shown, expected, "{filter}");
    }
    assert!(cut > 0, "no filter left half of what is sold together");
}
