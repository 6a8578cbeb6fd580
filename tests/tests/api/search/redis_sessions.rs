//! Searches that several processes share through Redis, and what is left of them without it.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use wayfare_launch::SupplierKind;
use wayfare_operations::Redis;
use wayfare_tests::{Seller, TestRedis, World, WorldOptions, one_way, round_trip};

use super::shared_queries::two_servers;

async fn sharing(redis: &TestRedis) -> WorldOptions {
    let (search_cache_ttl, redis) = (Duration::from_secs(60), Some(link(redis).await));
    WorldOptions { search_cache_ttl, redis, ..WorldOptions::of([Seller::duffel(), Seller::tripjack()]) }
}

/// Each process has a connection of its own.
async fn link(redis: &TestRedis) -> Arc<Redis> {
    Redis::open(&redis.url(), Duration::from_secs(10), "test").await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_one_process_made_of_an_answer_spends_it_for_the_other() {
    let Some(redis) = TestRedis::start() else { return };
    let options = WorldOptions { sellers: vec![Seller::duffel()], ..sharing(&redis).await };
    let (world, here, there) = two_servers(&redis, options).await;
    let trip = one_way("LHR", "JFK");
    let found = here.search(&trip).await;
    let ids = [0, 1].map(|place| found["offers"][place]["offer_id"].as_str().unwrap());
    there.book(&there.order(&there.price(ids[0]).await.ok(), &trip)).await.ok();
    here.book(&here.order(&here.price(ids[1]).await.ok(), &trip)).await.ok();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_process_showed_another_prices_and_books() {
    let Some(redis) = TestRedis::start() else { return };
    let options = sharing(&redis).await;
    let mut world = World::with(options.clone()).await;
    let url = world.another_process(&WorldOptions { redis: Some(link(&redis).await), ..options });
    let here = world.agent("1000000").await;
    let there = here.at(&url);
    for (trip, suppliers) in [
        (one_way("DEL", "BOM").party(2, 1, 0), &["duffel", "tripjack"]),
        (round_trip("DEL", "LHR").party(2, 1, 0), &["duffel", "tripjack"]),
    ] {
        let found = here.search(&trip).await;
        for &supplier in suppliers {
            let offers = found["offers"].as_array().unwrap();
            let offer = offers.iter().find(|offer| offer["supplier"] == supplier).unwrap();
            let id = offer["offer_id"].as_str().unwrap();
            let quote = there.price(id).await.ok();
            let fare = &offer["price"]["agent_price"]["agent_fare"];
            assert_eq!(quote["price_summary"]["total_payable"], *fare);
            assert!(quote.get("price_change").is_none());
            let rules = json!({ "search_id": found["search_id"], "offer_ids": [id] });
            there.post("/flights/fare-rules", &rules).await.ok();
            if supplier == "duffel" {
                there.book(&there.order(&quote, &trip)).await.ok();
            }
        }
    }
    // Nobody else's, there as here.
    let stranger = world.agent("0").await.at(&url);
    let found = here.search(&one_way("DEL", "BLR")).await;
    stranger.price(found["offers"][0]["offer_id"].as_str().unwrap()).await.is_missing();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_one_answer_two_processes_sell_two_orders() {
    let Some(redis) = TestRedis::start() else { return };
    let mut options = sharing(&redis).await;
    options.sellers = vec![Seller::duffel()];
    let mut world = World::with(options.clone()).await;
    let url = world.another_process(&WorldOptions { redis: Some(link(&redis).await), ..options });
    let (one, two) = (world.agent("1000000").await, world.agent("1000000").await);
    let trip = one_way("DEL", "BOM");
    let (first, second) = (one.offer(&trip).await, two.offer(&trip).await);
    let there = two.at(&url);
    let quote = one.price(&first).await.ok();
    let other = there.price(&second).await.ok();
    one.book(&one.order(&quote, &trip)).await.ok();
    there.book(&there.order(&other, &trip)).await.ok();
    assert_eq!(world.supplier_orders().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_each_process_keeps_its_own_and_searches_go_on() {
    let Some(redis) = TestRedis::start() else { return };
    let quickly = Some(Redis::open(&redis.url(), Duration::from_millis(300), "test").await.unwrap());
    let options = WorldOptions { redis: quickly, ..sharing(&redis).await };
    let mut world = World::with(options.clone()).await;
    let here = world.agent("1000000").await;
    let there = here.at(&world.another_process(&options));
    drop(redis);
    let offer = here.offer(&one_way("DEL", "BOM")).await;
    there.price(&offer).await.is(400, "offer has expired, please search again");
    here.price(&offer).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_that_redis_lost_is_over_and_shifts_no_other() {
    let Some(redis) = TestRedis::start() else { return };
    let sellers = ["one", "three", "two"].map(|code| Seller::of(code, SupplierKind::TripJack)).into();
    let (_world, here, there) = two_servers(&redis, WorldOptions { sellers, ..sharing(&redis).await }).await;
    let found = here.search(&one_way("DEL", "BOM")).await;
    let key = format!("wayfare:search:{}", found["search_id"].as_str().unwrap());
    let fields = redis.ask(&format!("HKEYS {key}"));
    let mut places: Vec<u32> = fields.lines().filter_map(|line| line.parse().ok()).collect();
    places.sort_unstable();
    let [0, second, _] = places[..] else { panic!("{fields}") };
    redis.ask(&format!("HDEL {key} {second}"));
    let offers = found["offers"].as_array().unwrap();
    let (mut priced, mut over) = (Vec::new(), Vec::new());
    for offer in offers {
        let supplier = offer["supplier"].as_str().unwrap();
        if priced.contains(&supplier) || over.contains(&supplier) {
            continue;
        }
        let reply = there.price(offer["offer_id"].as_str().unwrap()).await;
        if reply.status == 200 {
            let quote = reply.ok();
            let fare = &offer["price"]["agent_price"]["agent_fare"];
            assert_eq!(&quote["price_summary"]["total_payable"], fare);
            assert!(quote.get("price_change").is_none(), "another flight");
            priced.push(supplier);
        } else {
            reply.is(400, "offer has expired, please search again");
            over.push(supplier);
        }
    }
    assert_eq!((priced.len(), over.len()), (2, 1));
    // What can't be read is over, and Redis is asked all the same.
    redis.ask(&format!("HSET {key} head x"));
    let offer = offers.iter().find(|offer| offer["supplier"] == priced[0]).unwrap();
    there.price(offer["offer_id"].as_str().unwrap()).await.is(400, "offer has expired, please search again");
    there.price(&here.offer(&one_way("DEL", "BLR")).await).await.ok();
}
