//! The same search at two servers at the same time costs one call at the supplier, and nothing that happens to the other server
//! or to Redis makes it fail.

use std::{
    io::Read,
    sync::Arc,
    time::{Duration, Instant},
};

use flate2::read::DeflateDecoder;
use futures_util::future::join_all;
use serde_json::Value;
use wayfare_operations::Redis;
use wayfare_tests::{LASTS, LateRedis, Person, TestRedis, World, WorldOptions, eventually, one_way};

use super::{
    asked_and_shared,
    search_cache::{searches, tokens},
};

/// How long a search may take that nobody holds up, on a busy machine; less than the patience with Redis here.
const QUICK: Duration = Duration::from_secs(8);

fn sharing(redis: Arc<Redis>) -> WorldOptions {
    WorldOptions { search_cache_ttl: Duration::from_secs(600), redis: Some(redis), ..WorldOptions::default() }
}

async fn link(url: &str) -> Arc<Redis> {
    Redis::open(url, Duration::from_secs(10), "test").await.unwrap()
}

/// A world with two servers that share this Redis, and its agent at both.
pub async fn two_servers(redis: &TestRedis, options: WorldOptions) -> (World, Person, Person) {
    let mut world =
        World::with(WorldOptions { redis: Some(link(&redis.url()).await), ..options.clone() }).await;
    let url = world.another_process(&WorldOptions { redis: Some(link(&redis.url()).await), ..options });
    let here = world.agent("1000000").await;
    let there = here.at(&url);
    (world, here, there)
}

/// Waits until a server says in Redis that it asks.
async fn somebody_asks(redis: &TestRedis) {
    eventually("a lease", async || {
        redis.ask("KEYS wayfare:query-lease:*").contains("wayfare:query-lease:").then_some(())
    })
    .await;
}

fn offers(found: &Value) -> usize {
    found["offers"].as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_that_are_asked_the_same_at_once_ask_once() {
    let Some(redis) = TestRedis::start() else { return };
    let (world, here, there) = two_servers(&redis, sharing(link(&redis.url()).await)).await;
    let trip = one_way("DEL", "BOM");
    world.next("search", LASTS).await;
    world.next_times("search", "status:500", 50).await;
    let at_once = join_all((0..6).map(|place| match place % 2 {
        0 => here.search(&trip),
        _ => there.search(&trip),
    }));
    let (found, ()) = tokio::join!(at_once, async {
        somebody_asks(&redis).await;
        // Longer than a lease that nobody renews.
        tokio::time::sleep(Duration::from_millis(1500)).await;
        assert_eq!(world.strikes_left().await, 50, "both asked");
        world.all_is_well().await;
    });
    assert!(offers(&found[0]) > 0);
    assert!(found.iter().all(|one| tokens(one) == tokens(&found[0])));
    // Who comes later takes it from there, too, and prices it for themselves.
    world.next_times("search", "status:500", 50).await;
    let later = there.search(&trip).await;
    assert_eq!((searches(&world, 50).await, tokens(&later)), (0, tokens(&found[0])));
    let quote = there.price(later["offers"][0]["offer_id"].as_str().unwrap()).await.ok();
    there.book(&there.order(&quote, &trip)).await.ok();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_server_asked_is_counted_as_shared() {
    let Some(redis) = TestRedis::start() else { return };
    let (world, here, there) = two_servers(&redis, sharing(link(&redis.url()).await)).await;
    let trip = one_way("DEL", "BOM");
    there.search(&trip).await;
    eventually("the answer in Redis", async || {
        redis.ask("KEYS wayfare:query:*").contains("wayfare:query:").then_some(())
    })
    .await;
    here.search(&trip).await;
    // The world counts the first server only.
    asked_and_shared(&world, 0, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_in_redis_once_and_compressed() {
    let Some(redis) = TestRedis::start() else { return };
    let (_world, here, there) = two_servers(&redis, sharing(link(&redis.url()).await)).await;
    for agent in [&here, &there, &here] {
        agent.search(&one_way("DEL", "BOM")).await;
    }
    let all = redis.all();
    let answers: Vec<_> = all.iter().filter(|(key, _)| key.starts_with("wayfare:answer:")).collect();
    let [(_, packed), (_, unpacked)] = answers[..] else { panic!("{} values", answers.len()) };
    let mut json = Vec::new();
    DeflateDecoder::new(&**packed).read_to_end(&mut json).unwrap();
    assert_eq!(json, *unpacked);
    serde_json::from_slice::<Value>(&json).unwrap();
    eprintln!("an answer of {} bytes takes {}", json.len(), packed.len());
    assert!(packed.len() * 4 < json.len(), "{} of {}", packed.len(), json.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_server_that_gets_no_answer_asks_for_themselves() {
    let Some(redis) = TestRedis::start() else { return };
    let options = WorldOptions { read_deadline: Duration::from_secs(1), ..sharing(link(&redis.url()).await) };
    let (world, here, there) = two_servers(&redis, options).await;
    let trip = one_way("DEL", "BOM");
    world.next("search", LASTS).await;
    let (first, second) = tokio::join!(here.search(&trip), async {
        somebody_asks(&redis).await;
        there.search(&trip).await
    });
    assert_eq!(offers(&first), 0);
    assert!(offers(&second) > 0, "{second}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_waits_for_a_server_that_asks_for_too_long() {
    let Some(redis) = TestRedis::start() else { return };
    let long = WorldOptions { read_deadline: Duration::from_secs(600), ..sharing(link(&redis.url()).await) };
    let (world, here, there) = two_servers(&redis, long).await;
    let trip = one_way("DEL", "BOM");
    world.next("search", LASTS).await;
    let (first, ()) = tokio::join!(here.search(&trip), async {
        somebody_asks(&redis).await;
        let second = there.search(&trip).await;
        assert!(offers(&second) > 0, "{second}");
        world.all_is_well().await;
    });
    assert!(offers(&first) > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_ends_or_hangs_lets_those_who_wait_ask_for_themselves() {
    for hangs in [false, true] {
        let Some(mut redis) = TestRedis::start() else { return };
        let quickly = Redis::open(&redis.url(), Duration::from_millis(200), "test").await.unwrap();
        let options = WorldOptions { read_deadline: Duration::from_secs(600), ..sharing(quickly) };
        let mut world = World::with(options.clone()).await;
        let another = Redis::open(&redis.url(), Duration::from_millis(200), "test").await.unwrap();
        let here = world.agent("1000000").await;
        let there = here.at(&world.another_process(&WorldOptions { redis: Some(another), ..options }));
        let trip = one_way("DEL", "BOM");
        world.next("search", LASTS).await;
        let waiting = async {
            somebody_asks(&redis).await;
            let waiting = there.search(&trip);
            tokio::pin!(waiting);
            let early = tokio::time::timeout(Duration::from_millis(600), &mut waiting).await;
            assert!(early.is_err(), "it did not wait");
            match hangs {
                false => redis.kill(),
                true => redis.hang(),
            }
            let began = Instant::now();
            let found = waiting.await;
            assert!(offers(&found) > 0, "{found}");
            assert!(began.elapsed() < QUICK, "hangs: {hangs}, {:?}", began.elapsed());
            // From now on each is alone.
            let began = Instant::now();
            let found = there.search(&one_way("DEL", "BLR")).await;
            assert!(offers(&found) > 0, "{found}");
            assert!(began.elapsed() < QUICK, "hangs: {hangs}, {:?}", began.elapsed());
            world.all_is_well().await;
        };
        let (first, ()) = tokio::join!(here.search(&trip), waiting);
        assert!(offers(&first) > 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_answers_late_makes_nobody_wait_for_another_server() {
    let Some(redis) = TestRedis::start() else { return };
    let late = LateRedis::before(&redis);
    let options = sharing(link(&late.url()).await);
    let mut world = World::with(options.clone()).await;
    let url = world.another_process(&WorldOptions { redis: Some(link(&late.url()).await), ..options });
    let here = world.agent("1000000").await;
    let there = here.at(&url);
    let trip = one_way("DEL", "BOM");
    late.is_late_by(Duration::from_millis(200));
    world.next_times("search", "slow:1", 50).await;
    let began = Instant::now();
    let (first, second) = tokio::join!(here.search(&trip), there.search(&trip));
    // Each waits 50 ms to hear whether the other asks, and as long as before for what it stores.
    assert!(began.elapsed() < QUICK, "{:?}", began.elapsed());
    assert_eq!(searches(&world, 50).await, 2);
    assert!(offers(&first) > 0 && offers(&second) > 0);
    // It is not late any more: they share again.
    late.is_late_by(Duration::ZERO);
    let mut cities = ["BLR", "HYD", "MAA", "CCU", "GOI", "PNQ", "AMD", "COK"].into_iter();
    eventually("one call for both", async || {
        let trip = one_way("DEL", cities.next().expect("a city"));
        world.all_is_well().await;
        world.next_times("search", "slow:500", 50).await;
        tokio::join!(here.search(&trip), there.search(&trip));
        (searches(&world, 50).await == 1).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_redis_has_that_makes_no_sense_is_not_believed() {
    let Some(redis) = TestRedis::start() else { return };
    let (mut world, here, there) = two_servers(&redis, sharing(link(&redis.url()).await)).await;
    let trip = one_way("DEL", "BOM");
    let key = async || {
        eventually("the answer in Redis", async || {
            let keys = redis.ask("KEYS wayfare:query:*");
            Some(keys.lines().find(|line| line.starts_with("wayfare:query:"))?.to_owned())
        })
        .await
    };
    here.search(&trip).await;
    let key = key().await;
    let spoil = [
        format!("SET {key} nonsense PX 60000"),
        // Of nobody's answer.
        format!("SET {key} 01890a5d-ac96-774b-bcce-b302099a8057 PX 60000"),
        // Another type, and without an end.
        format!("DEL {key}\r\nRPUSH {key} a b"),
        format!("DEL {key}\r\nSET {key} 01890a5d-ac96-774b-bcce-b302099a8057"),
    ];
    for (place, spoil) in spoil.iter().enumerate() {
        redis.ask(spoil);
        let began = Instant::now();
        // Each time at a server that has no answer of its own.
        let fresh = world.another_process(&sharing(link(&redis.url()).await));
        let found = here.at(&fresh).search(&trip).await;
        assert!(offers(&found) > 0, "{place}: {found}");
        assert!(began.elapsed() < QUICK, "{place}: {:?}", began.elapsed());
    }
    // So it is with an answer itself.
    let keys = redis.ask("KEYS wayfare:answer:*");
    for answer in keys.lines().filter(|line| line.starts_with("wayfare:answer:")) {
        redis.ask(&format!("SET {answer} nonsense"));
    }
    let found = there.search(&trip).await;
    assert!(offers(&found) > 0, "{found}");
}
