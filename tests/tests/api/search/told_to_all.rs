//! What one server is told all servers heed: that a supplier wants to be left alone, and that an offer is gone. Nothing that
//! stands in their channel makes them do more.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use wayfare_operations::Redis;
use wayfare_tests::{Person, TestRedis, World, WorldOptions, eventually, one_way, stay_at};

use super::search_cache::{searches, tokens};

async fn link(redis: &TestRedis) -> Arc<Redis> {
    Redis::open(&redis.url(), Duration::from_secs(10), "test").await.unwrap()
}

/// A world with two servers that share this Redis, and its agent at both; both hear what is published.
async fn two_servers(redis: &TestRedis, options: WorldOptions) -> (World, Person, Person) {
    let mut world = World::with(WorldOptions { redis: Some(link(redis).await), ..options.clone() }).await;
    let url = world.another_process(&WorldOptions { redis: Some(link(redis).await), ..options });
    both_listen(redis).await;
    let here = world.agent("1000000").await;
    let there = here.at(&url);
    (world, here, there)
}

/// The channel, once both servers listen.
async fn both_listen(redis: &TestRedis) -> String {
    eventually("two subscriptions", async || {
        let channels = redis.ask("PUBSUB CHANNELS wayfare:broadcast:*");
        let channel = channels.lines().find(|line| line.starts_with("wayfare:broadcast:"))?;
        redis.ask(&format!("PUBSUB NUMSUB {channel}")).contains("\n:2\r").then(|| channel.to_owned())
    })
    .await
}

fn published(redis: &TestRedis, channel: &str) -> Arc<Mutex<Vec<Value>>> {
    let all = Arc::new(Mutex::new(Vec::new()));
    let mut connection = redis::Client::open(redis.url()).unwrap().get_connection().unwrap();
    let (heard, channel) = (all.clone(), channel.to_owned());
    let (subscribed, is_subscribed) = std::sync::mpsc::channel();
    // It ends with the connection.
    std::thread::spawn(move || {
        let mut messages = connection.as_pubsub();
        messages.subscribe(channel).unwrap();
        subscribed.send(()).unwrap();
        while let Ok(message) = messages.get_message() {
            let message = serde_json::from_slice(message.get_payload_bytes()).unwrap_or_default();
            heard.lock().unwrap().push(message);
        }
    });
    is_subscribed.recv().unwrap();
    all
}

fn publish(redis: &TestRedis, channel: &str, message: &[u8]) {
    let mut connection = redis::Client::open(redis.url()).unwrap().get_connection().unwrap();
    let mut command = redis::cmd("PUBLISH");
    command.arg(channel).arg(message);
    command.query::<i64>(&mut connection).unwrap();
}

/// Whether a search of this agent makes a call at Duffel.
async fn asks(world: &World, agent: &Person) -> bool {
    let before = world.strikes_left().await;
    agent.search(&one_way("DEL", "BOM")).await;
    world.strikes_left().await < before
}

async fn asks_no_more(world: &World, agent: &Person) {
    eventually("that the supplier is left alone", async || (!asks(world, agent).await).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_is_rate_limiting_one_server_is_left_alone_by_all() {
    let Some(redis) = TestRedis::start() else { return };
    let (world, here, there) = two_servers(&redis, WorldOptions::default().frozen()).await;
    world.next("search", "rate_limited").await;
    world.next_times("search", "slow:1", 1000).await;
    assert!(asks(&world, &here).await);
    assert!(!asks(&world, &here).await);
    asks_no_more(&world, &there).await;
    let found = there.search(&one_way("DEL", "BOM")).await;
    let told = found["debug"]["provider_errors"]["duffel"].as_str().unwrap();
    assert!(told.contains("rate limiting"), "{told}");
    // It said for a second.
    world.pass(1);
    assert!(asks(&world, &there).await && asks(&world, &here).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_each_server_heeds_what_it_was_told_itself() {
    let Some(mut redis) = TestRedis::start() else { return };
    let quickly = async || Redis::open(&redis.url(), Duration::from_millis(200), "test").await.unwrap();
    let options = WorldOptions { redis: Some(quickly().await), ..WorldOptions::default().frozen() };
    let mut world = World::with(options.clone()).await;
    let url = world.another_process(&WorldOptions { redis: Some(quickly().await), ..options });
    both_listen(&redis).await;
    let here = world.agent("1000000").await;
    let there = here.at(&url);
    redis.kill();
    world.next("search", "rate_limited").await;
    world.next_times("search", "slow:1", 1000).await;
    assert!(asks(&world, &here).await);
    assert!(!asks(&world, &here).await);
    assert!(asks(&world, &there).await);
    // It is back, and so are the subscriptions.
    redis.restart();
    both_listen(&redis).await;
    world.pass(1);
    world.all_is_well().await;
    world.next("search", "rate_limited").await;
    world.next_times("search", "slow:1", 1000).await;
    eventually("a pause that is told", async || {
        asks(&world, &here).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        if !asks(&world, &there).await {
            return Some(());
        }
        // What could not be told is lost: Redis was left alone for a moment.
        world.pass(1);
        world.all_is_well().await;
        world.next("search", "rate_limited").await;
        world.next_times("search", "slow:1", 1000).await;
        None
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_make_no_sense_pause_nothing_for_longer_than_a_supplier_can() {
    let Some(redis) = TestRedis::start() else { return };
    let (world, here, there) = two_servers(&redis, WorldOptions::default().frozen()).await;
    let channel = both_listen(&redis).await;
    let heard = published(&redis, &channel);
    world.next("search", "rate_limited").await;
    world.next_times("search", "slow:1", 1000).await;
    assert!(asks(&world, &here).await);
    asks_no_more(&world, &there).await;
    let pause = eventually("the message", async || {
        let heard = heard.lock().unwrap();
        heard.iter().find(|message| message["news"]["paused"].is_object()).cloned()
    })
    .await;
    world.pass(1);
    let with = |until: Value| {
        let mut message = pause.clone();
        message["from"] = json!(1);
        message["news"]["paused"]["until_ms"] = until;
        message.to_string().into_bytes()
    };
    let mut of_nobody = pause.clone();
    of_nobody["from"] = json!(1);
    of_nobody["news"]["paused"]["supplier"] = json!("00");
    let senseless = [
        b"".to_vec(),
        b"{".to_vec(),
        b"\xff\xfe\x00".to_vec(),
        b"{\"from\":1,\"news\":\"gone\"}".to_vec(),
        b"{\"from\":-1,\"news\":{\"paused\":{}}}".to_vec(),
        b"{\"from\":1,\"news\":{\"sold_out_everywhere\":{\"supplier\":\"duffel\"}}}".to_vec(),
        vec![b'['; 4 << 20],
        with(json!(-1)),
        with(json!(i64::MIN)),
        with(json!("soon")),
        // It is late: the pause is over.
        pause.to_string().replace(&pause["from"].to_string(), "1").into_bytes(),
        of_nobody.to_string().into_bytes(),
    ];
    for message in &senseless {
        publish(&redis, &channel, message);
    }
    // A message that both understand, and hear after all others: a whole minute, and the same again.
    let until = world.now().timestamp_millis() + 60_000;
    for _ in 0..3 {
        publish(&redis, &channel, &with(json!(until)));
    }
    for agent in [&here, &there] {
        asks_no_more(&world, agent).await;
    }
    world.pass(59);
    assert!(!asks(&world, &here).await && !asks(&world, &there).await);
    world.pass(1);
    assert!(asks(&world, &here).await && asks(&world, &there).await);
    // As far as time goes: five minutes, as of a supplier that says so itself.
    publish(&redis, &channel, &with(json!(i64::from(i32::MAX) * 1000)));
    publish(&redis, &channel, &with(json!(i64::MAX)));
    for agent in [&here, &there] {
        asks_no_more(&world, agent).await;
    }
    world.pass(299);
    assert!(!asks(&world, &here).await && !asks(&world, &there).await);
    world.pass(1);
    assert!(asks(&world, &here).await && asks(&world, &there).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_that_is_gone_at_one_server_is_shown_by_none() {
    let Some(redis) = TestRedis::start() else { return };
    let options = WorldOptions { search_cache_ttl: Duration::from_secs(600), ..WorldOptions::default() };
    let (world, here, there) = two_servers(&redis, options).await;
    let trip = one_way("DEL", "BOM");
    let first = here.search(&trip).await;
    let shown = eventually("the answer at the other server", async || {
        let found = there.search(&trip).await;
        (tokens(&found) == tokens(&first)).then_some(found)
    });
    shown.await;
    world.next("price", "sold_out").await;
    let offer = first["offers"][0]["offer_id"].as_str().unwrap();
    here.price(offer).await.is(409, "offer is no longer available, please search again");
    // Here at once, though Redis may not have been told yet.
    assert_ne!(tokens(&here.search(&trip).await), tokens(&first));
    eventually("another answer there", async || {
        (tokens(&there.search(&trip).await) != tokens(&first)).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hotel_room_that_is_gone_at_one_server_is_asked_for_anew_by_the_other() {
    let Some(redis) = TestRedis::start() else { return };
    let (ttl, hotelbeds) = (Duration::from_secs(600), WorldOptions::of([wayfare_tests::Seller::hotelbeds()]));
    let (world, here, there) = two_servers(&redis, WorldOptions { search_cache_ttl: ttl, ..hotelbeds }).await;
    let search = async |agent: &Person| {
        agent.post("/hotels/search", &stay_at("").body(agent.today())).await.says(200, "hotels found")
    };
    world.next_times_at("hotelbeds", "search", "slow:1", 50).await;
    let found = search(&here).await;
    search(&there).await;
    search(&here).await;
    search(&there).await;
    assert_eq!(searches(&world, 50).await, 2, "each server has its answer");
    let hotel = &found["hotels"][0];
    let room = &hotel["rooms"][0];
    let selection = json!({
        "search_id": found["search_id"],
        "hotel_id": hotel["hotel_id"],
        "room_selections": [{ "room_id": room["room_id"], "rate_id": room["pricing"]["rate_id"] }],
    });
    world.next_at("hotelbeds", "price", "sold_out").await;
    assert_ne!(here.post("/hotels/price", &selection).await.status, 200);
    eventually("a new answer there", async || {
        search(&there).await;
        (searches(&world, 50).await > 2).then_some(())
    })
    .await;
}
