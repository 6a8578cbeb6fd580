//! What a hotel supplier said to one serves others who ask the same: at their own prices, until something of it is gone.

use std::{collections::BTreeMap, time::Duration};

use futures_util::future::join_all;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{Agency, MONEY, Pick, StaySearch, World, WorldOptions, amount, eventually, stay_at};

use crate::search::asked_and_shared;

const SUPPLIERS: [&str; 2] = ["liteapi", "hotelbeds"];

fn shared() -> WorldOptions {
    let long = Duration::from_secs(600);
    WorldOptions { search_cache_ttl: long, read_deadline: long, ..WorldOptions::hotels() }
}

async fn with_markup(agency: &Agency, amount: u32) {
    let admin = agency.admin("0").await;
    let package = json!({ "name": "Own", "markup_type": "flat", "markup_value": amount });
    let made = admin.post("/org/hotel-packages", &package).await.succeeds(201);
    admin.post("/org/hotel-packages/assign", &json!({ "package_id": made["id"] })).await.succeeds(200);
}

/// What a room costs the public, by hotel and the supplier's name of the rate.
fn fares(found: &Value) -> BTreeMap<String, Decimal> {
    let rooms = found["hotels"].as_array().unwrap().iter().flat_map(|hotel| {
        hotel["rooms"].as_array().unwrap().iter().map(move |room| (&hotel["hotel_id"], room))
    });
    rooms
        .map(|(hotel, room)| {
            let name = format!("{hotel} {} {}", room["room_id"], room["pricing"]["rate_id"]);
            (name, amount(&room["pricing"]["agent_price"]["public_fare"]))
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_agencies_see_their_own_prices_of_one_answer() {
    let world = World::with(shared()).await;
    let (plain, dear) = (world.agency().await, world.agency().await);
    with_markup(&dear, 100).await;
    let (one, two) = (plain.agent("arjun", MONEY).await, dear.agent("bina", MONEY).await);
    let first = one.search_stays(&stay_at("")).await;
    // Who asked a supplier a second time would be told nothing.
    for supplier in SUPPLIERS {
        world.next_at(supplier, "search", "status:500").await;
    }
    let second = two.search_stays(&stay_at("")).await;
    asked_and_shared(&world, 2, 2).await;
    assert_eq!(second["status"], "complete");
    assert_ne!(first["search_id"], second["search_id"]);
    let (of_one, of_two) = (fares(&first), fares(&second));
    assert!(of_one.len() > 50, "{}", of_one.len());
    let is_dearer = |(one, two): (&(String, Decimal), &(String, Decimal))| {
        one.0 == two.0 && one.1 + Decimal::ONE_HUNDRED == two.1
    };
    let (of_one, of_two): (Vec<_>, Vec<_>) = (of_one.into_iter().collect(), of_two.into_iter().collect());
    assert_eq!(of_one.len(), of_two.len());
    assert!(of_one.iter().zip(&of_two).all(is_dearer), "{:?} {:?}", of_one[0], of_two[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_ask_at_once_cost_one_question_each_their_own_search() {
    let (world, _, agent) = World::with(shared()).await.and_agent(MONEY).await;
    for supplier in SUPPLIERS {
        world.next_at(supplier, "search", wayfare_tests::LASTS).await;
        world.next_at(supplier, "search", "status:500").await;
    }
    let wish = stay_at("");
    let (found, ()) = tokio::join!(join_all((0..6).map(|_| agent.search_stays(&wish))), async {
        asked_and_shared(&world, 2, 10).await;
        eventually("one call of each supplier", async || (world.faults_left().await == 2).then_some(()))
            .await;
        world.all_is_well().await;
    });
    let ids: std::collections::HashSet<_> = found.iter().map(|one| one["search_id"].to_string()).collect();
    assert_eq!(ids.len(), 6);
    assert!(found.iter().all(|one| fares(one) == fares(&found[0])));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_guests_and_other_nights_are_other_questions() {
    let (world, _, agent) = World::with(shared()).await.and_agent(MONEY).await;
    let wish = stay_at("");
    agent.search_stays(&wish).await;
    for other in [wish.clone().rooms(&[(1, &[])]), StaySearch { nights: 3, ..wish.clone() }] {
        agent.search_stays(&other).await;
    }
    let mut of_germans = wish.body(agent.today());
    of_germans["guest_nationality"] = json!("DE");
    agent.post("/hotels/search", &of_germans).await.says(200, "hotels found");
    asked_and_shared(&world, 8, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_is_gone_is_asked_for_anew() {
    for supplier in SUPPLIERS {
        let (world, _, agent) = World::with(shared()).await.and_agent(MONEY).await;
        let wish = stay_at(supplier);
        let stay = agent.find_stay(&wish, Pick::Cheapest).await;
        world.next_at(supplier, "price", "sold_out").await;
        // LiteAPI says of what is gone what it says of what is over.
        let refused = agent.price_stay(&stay).await;
        assert!([400, 409].contains(&refused.status), "{}", refused.text);
        let stay = agent.find_stay(&wish, Pick::Cheapest).await;
        // The other supplier's answer serves on.
        asked_and_shared(&world, 3, 1).await;

        let priced = agent.price_stay(&stay).await.ok();
        world.next_at(supplier, "book", "sold_out").await;
        let refused = agent.book_stay(&stay, &priced).await;
        assert_eq!(refused.status, 409, "{}", refused.text);
        agent.find_stay(&wish, Pick::Cheapest).await;
        asked_and_shared(&world, 4, 2).await;
        assert!(world.held().await.is_zero());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_that_was_bought_is_asked_for_anew() {
    for supplier in SUPPLIERS {
        let (world, _, agent) = World::with(shared()).await.and_agent(MONEY).await;
        let wish = stay_at(supplier);
        let stay = agent.find_stay(&wish, Pick::Cheapest).await;
        // How many are left of the room that is bought.
        let left = |found: &Value| {
            let hotels = found["hotels"].as_array().unwrap().iter();
            let of_hotel = hotels.filter(|hotel| hotel["hotel_id"] == stay.hotel["hotel_id"]);
            let mut rooms = of_hotel.flat_map(|hotel| hotel["rooms"].as_array().unwrap());
            let room = rooms.find(|room| room["room_id"] == stay.rooms[0]["room_id"]);
            room.map_or(0, |room| room["availability"]["rooms_left"].as_u64().unwrap_or(0))
        };
        let before = left(&stay.found);
        agent.book_stay(&stay, &agent.price_stay(&stay).await.ok()).await.succeeds(201);
        let found = agent.search_stays(&wish).await;
        // The other supplier's answer serves on.
        asked_and_shared(&world, 3, 1).await;
        assert_eq!(left(&found), before.saturating_sub(1), "{supplier}");
    }
}
