//! Rate limits that several servers share through Redis, and what is left of them when Redis is away.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use wayfare_api::{RateLimits, Thresholds};
use wayfare_tests::{Person, Reply, TestRedis, World, eventually, thresholds};

/// Nothing that is shared may be missed because the machine is busy.
const PATIENT: Duration = Duration::from_secs(60);
/// More than a busy machine costs a request: who waited for Redis is told from who did not.
const IMPATIENT: Duration = Duration::from_secs(10);

/// A world, and where its further servers are.
type Servers = (World, Vec<String>);

/// A world with so many servers more, which share these buckets.
async fn servers(redis: &TestRedis, patience: Duration, of: Thresholds, count: usize) -> Servers {
    let mut world = World::start().await;
    let mut urls = Vec::new();
    for _ in 0..count {
        urls.push(world.another_server(RateLimits::shared(of, &redis.url(), patience).await.unwrap()));
    }
    (world, urls)
}

/// The same, once each of them shares.
async fn sharing_servers(redis: &TestRedis, patience: Duration, of: Thresholds, count: usize) -> Servers {
    let (world, urls) = servers(redis, patience, of, count).await;
    for url in &urls {
        until_shared(&world.agent("0").await.at(url), redis).await;
    }
    (world, urls)
}

fn left(reply: &Reply) -> u32 {
    let left = reply.header("ratelimit-remaining").parse();
    left.unwrap_or_else(|_| panic!("{} tells nothing", reply.asked))
}

/// Asks until the shared bucket decides, of which so much is left then.
async fn until_left(person: &Person, expected: u32) {
    let what = format!("{expected} left");
    eventually(&what, async || (left(&person.get("/me").await) == expected).then_some(())).await;
}

/// Asks until Redis knows of this user's bucket.
async fn until_shared(person: &Person, redis: &TestRedis) {
    let bucket = format!("EXISTS wayfare:limit:user:{}", person.id);
    eventually("Redis is asked", async || {
        person.get("/me").await;
        redis.ask(&bucket).starts_with(":1").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_share_each_bucket() {
    let Some(redis) = TestRedis::start() else { return };
    let (world, urls) = sharing_servers(&redis, PATIENT, thresholds(2, 3, 4), 2).await;
    let agency = world.agency().await;
    let (agent, other) = (agency.agent("arjun", "0").await, agency.agent("bina", "0").await);
    let (one, two) = (agent.at(&urls[0]), agent.at(&urls[1]));

    // Of a user's requests.
    for (turn, person) in [&one, &two, &one, &two].into_iter().enumerate() {
        let reply = person.get("/me").await;
        reply.ok();
        assert_eq!(reply.header("ratelimit-limit"), "4");
        assert_eq!(left(&reply), 3 - u32::try_from(turn).unwrap());
    }
    for person in [&one, &two] {
        let refused = person.get("/me").await;
        refused.is(429, "too many requests");
        let told = ["limit", "remaining", "reset"].map(|name| refused.header(&format!("ratelimit-{name}")));
        assert_eq!(told[..2], ["4", "0"]);
        // Within a minute, less the time that this has taken.
        let reset: u32 = told[2].parse().unwrap();
        assert!((46..=60).contains(&reset), "{reset}");
        let wait: u32 = refused.header("retry-after").parse().unwrap();
        assert!((1..=15).contains(&wait), "{wait}");
    }
    // Each user and each kind has its own.
    other.at(&urls[0]).get("/me").await.ok();

    // Of a user's searches.
    let empty = json!({});
    for (person, status) in [(&one, 422), (&two, 422), (&one, 422), (&two, 429), (&one, 429)] {
        let reply = person.post("/flights/search", &empty).await;
        assert_eq!((reply.status, reply.header("ratelimit-limit")), (status, "3"), "{}", reply.text);
    }

    // Of an address' log-ins, before anything is hashed or read.
    for (person, status) in [(&one, 422), (&two, 422), (&one, 429), (&two, 429)] {
        let reply = person.with_token(None).post("/auth/login", &empty).await;
        assert_eq!((reply.status, reply.header("ratelimit-limit")), (status, "2"), "{}", reply.text);
    }

    // Named by address and user, and forgotten once they are full: in a minute.
    let keys = redis.ask("KEYS *");
    let user = &agent.id;
    for name in ["login:127.0.0.1".to_owned(), format!("user:{user}"), format!("search:{user}")] {
        assert!(keys.contains(&format!("wayfare:limit:{name}\r\n")), "{keys}");
        let milliseconds = redis.ask(&format!("PTTL wayfare:limit:{name}"));
        let milliseconds: u32 = milliseconds.lines().next().unwrap()[1..].parse().unwrap();
        assert!((1..=60_000).contains(&milliseconds), "{name}: {milliseconds}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_get_what_is_in_the_bucket_and_no_more() {
    let Some(redis) = TestRedis::start() else { return };
    let (world, urls) = sharing_servers(&redis, PATIENT, thresholds(5, 50, 7), 2).await;
    let agent = world.agent("0").await;
    let doors = [agent.at(&urls[0]), agent.at(&urls[1])];
    // Other sizes than those that divide a minute, and a script that Redis has forgotten.
    assert!(redis.ask("SCRIPT FLUSH").starts_with("+OK"));
    let began = Instant::now();
    let replies = join_all((0..30).map(|turn| doors[turn % 2].get("/me"))).await;
    let mut seen: Vec<u32> = replies.iter().filter(|reply| reply.status == 200).map(left).collect();
    // What flowed in on a machine on which this takes seconds.
    let more = usize::try_from(began.elapsed().as_secs() * 7 / 60).unwrap();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [0, 1, 2, 3, 4, 5, 6]);
    let refused = replies.iter().filter(|reply| reply.status == 429).count();
    assert!((23 - more..=23).contains(&refused), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_in_redis_tells_what_one_in_the_process_tells() {
    let Some(redis) = TestRedis::start() else { return };
    let sizes = thresholds(4, 3, 5);
    let (mut world, urls) = sharing_servers(&redis, PATIENT, sizes, 1).await;
    let alone = world.another_server(RateLimits::on(sizes));
    let agent = world.agent("0").await;
    let told = async |base_url: &str| {
        let person = agent.at(base_url);
        let mut told = Vec::new();
        for _ in 0..7 {
            for reply in [
                person.get("/me").await,
                person.post("/flights/search", &json!({})).await,
                person.with_token(None).post("/auth/login", &json!({})).await,
            ] {
                let header = |name: &str| reply.header(name).parse::<u32>().ok();
                let counts = ["ratelimit-limit", "ratelimit-remaining"].map(header);
                told.push((reply.status, counts, ["ratelimit-reset", "retry-after"].map(header)));
            }
        }
        told
    };
    for (shared, own) in told(&urls[0]).await.into_iter().zip(told(&alone).await) {
        assert_eq!((shared.0, shared.1), (own.0, own.1));
        // The one is asked after the other.
        for (shared, own) in shared.2.into_iter().zip(own.2) {
            assert_eq!(shared.is_some(), own.is_some());
            assert!(shared.unwrap_or(0).abs_diff(own.unwrap_or(0)) <= 10, "{shared:?} {own:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_each_server_counts_for_itself_until_it_is_back() {
    let Some(mut redis) = TestRedis::start() else { return };
    let (world, urls) = sharing_servers(&redis, PATIENT, thresholds(5, 5, 3), 2).await;
    let agent = world.agent("0").await;
    let (one, two) = (agent.at(&urls[0]), agent.at(&urls[1]));
    assert_eq!(left(&one.get("/me").await), 2);
    assert_eq!(left(&two.get("/me").await), 1);
    redis.kill();
    // Each has a bucket of its own now, and it is not bottomless.
    for person in [&one, &two] {
        let replies = join_all((0..6).map(|_| person.get("/me"))).await;
        let answered = replies.iter().filter(|reply| reply.status == 200).count();
        assert!((3..=5).contains(&answered), "{answered}");
        let refused = replies.iter().find(|reply| reply.status == 429).unwrap();
        assert_eq!(refused.header("ratelimit-limit"), "3");
        assert!(!refused.header("retry-after").is_empty());
    }
    assert_eq!(reqwest::get(format!("{}/health/ready", urls[0])).await.unwrap().status(), 200);
    // It comes back empty, and the buckets in it are full: only there a request finds two more.
    redis.restart();
    until_left(&one, 2).await;
    until_left(&two, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_starts_without_redis_and_shares_once_it_is_there() {
    let Some(mut redis) = TestRedis::start() else { return };
    redis.kill();
    let (world, urls) = servers(&redis, PATIENT, thresholds(5, 5, 3), 1).await;
    let agent = world.agent("0").await.at(&urls[0]);
    assert_eq!(left(&agent.get("/me").await), 2);
    redis.restart();
    until_shared(&agent, &redis).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_hangs_is_waited_for_once_and_then_left_alone() {
    let Some(redis) = TestRedis::start() else { return };
    let (world, urls) = sharing_servers(&redis, IMPATIENT, thresholds(5, 5, 600), 1).await;
    let agent = world.agent("0").await.at(&urls[0]);
    agent.get("/me").await.ok();
    redis.hang();
    // Some wait for it, all at once; whoever comes then does not, though it is tried again.
    let started = Instant::now();
    for reply in join_all((0..20).map(|_| agent.get("/me"))).await {
        reply.ok();
    }
    let waited = started.elapsed();
    assert!((IMPATIENT..IMPATIENT * 10).contains(&waited), "{waited:?}");
    let mut took = Vec::new();
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(5) {
        let asked = Instant::now();
        agent.get("/me").await.ok();
        took.push(asked.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(took.iter().filter(|took| **took >= IMPATIENT).count(), 0, "of {}", took.len());
    redis.go_on();
    // It is full again, and forgotten, within seconds.
    until_shared(&agent, &redis).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_url_that_cannot_be_one_is_refused_without_telling_it() {
    let of = thresholds(1, 1, 1);
    for url in ["redis://me:hush@host:1/x", "redis://:hush@/", "hush", "unix://:hush@"] {
        let refused = RateLimits::shared(of, url, IMPATIENT).await.err().unwrap();
        assert!(!refused.contains("hush"), "{url}: {refused}");
    }
    // Nobody is there, over TLS either: that stops nobody.
    for url in ["redis://127.0.0.1:1", "rediss://:hush@127.0.0.1:1"] {
        RateLimits::shared(of, url, IMPATIENT).await.unwrap();
    }
}
