//! The search stream: complete snapshots as suppliers answer, and its ends.

use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;
use wayfare_launch::SupplierKind;
use wayfare_tests::{LASTS, LONG, Person, Seller, World, WorldOptions, one_way};

use super::asked_and_shared;

/// With suppliers that are waited for longer than any test takes.
fn both() -> WorldOptions {
    WorldOptions { read_deadline: FOR_EVER, ..WorldOptions::of([Seller::duffel(), Seller::tripjack()]) }
}

const FOR_EVER: Duration = Duration::from_secs(3600);

async fn prices_of(agent: &Person, data: &serde_json::Value) {
    agent.price(data["offers"][0]["offer_id"].as_str().unwrap()).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_event_is_a_whole_snapshot_and_the_last_one_is_done() {
    let (world, _, agent) = World::with(both()).await.and_agent("1000000").await;
    world.next_at("duffel", "search", LASTS).await;
    let mut events = agent.stream(&one_way("DEL", "BOM")).await;
    let first = events.next().await.unwrap();
    assert_eq!(first.name, "results");
    let data = &first.data["data"];
    let status = &data["search_meta"]["provider_status"];
    assert_eq!(status["tripjack"]["status"], "success");
    assert!(status.get("duffel").is_none(), "it has not answered");
    let shown = data["offers"].as_array().unwrap();
    assert!(!shown.is_empty() && shown.iter().all(|offer| offer["supplier"] == "tripjack"));
    assert_eq!(first.data["message"], format!("{} offers found", shown.len()));
    // What is seen can be priced while others are still at it.
    prices_of(&agent, data).await;
    world.all_is_well().await;

    let rest = events.rest().await;
    assert_eq!(rest.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), ["results", "done"]);
    let (second, done) = (&rest[0].data, &rest[1].data);
    assert_eq!(done["message"], "search complete");
    assert_eq!(second["data"], done["data"]);
    let all = done["data"]["offers"].as_array().unwrap();
    for offer in shown {
        assert!(all.contains(offer), "an offer keeps its id and all else");
    }
    assert!(all.iter().any(|offer| offer["supplier"] == "duffel"));
    let fares = all.iter().map(|offer| wayfare_tests::amount(&offer["price"]["agent_price"]["agent_fare"]));
    assert!(fares.is_sorted(), "the cheapest first, whoever answered first");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stream_ends_with_what_the_plain_search_answers() {
    let options = WorldOptions { search_cache_ttl: Duration::from_secs(60), ..both() };
    let (_world, _, agent) = World::with(options.frozen()).await.and_agent("1000000").await;
    let trip = one_way("DEL", "BOM").party(2, 1, 1);
    let streamed = agent.stream(&trip).await.rest().await;
    let plain = agent.search(&trip).await;
    let ids = |data: &serde_json::Value| -> Vec<String> {
        let offers = data["offers"].as_array().unwrap().iter();
        offers.map(|offer| offer["supplier_ref"]["offer_token"].to_string()).collect()
    };
    let done = &streamed.last().unwrap().data["data"];
    assert_eq!(ids(done), ids(&plain));
    // The rest is numbered in the order in which it came.
    for name in ["airlines", "airports"] {
        assert_eq!(done["dictionaries"][name], plain["dictionaries"][name]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_nobody_is_asked_for_is_done_at_once() {
    let (world, _, agent) = World::with(both()).await.and_agent("0").await;
    world.sql("update organizations set suppliers = '{}'").await;
    let events = agent.stream(&one_way("DEL", "BOM")).await.rest().await;
    let [done] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((done.name.as_str(), &done.data["data"]["offers"]), ("done", &json!([])));
    let status = &done.data["data"]["search_meta"]["provider_status"];
    assert_has!(status, { "duffel/status": "skipped", "tripjack/status": "skipped" });
}

#[tokio::test(flavor = "multi_thread")]
async fn comments_come_while_nobody_answers() {
    let (world, _, agent) = World::with(both()).await.and_agent("0").await;
    for supplier in ["duffel", "tripjack"] {
        world.next_at(supplier, "search", LASTS).await;
    }
    let mut events = agent.stream(&one_way("DEL", "BOM")).await;
    events.comes_to_comments(2).await;
    world.all_is_well().await;
    assert_eq!(events.next().await.unwrap().name, "results");
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_end_at_once_when_the_server_stops() {
    let (world, _, agent) = World::with(both()).await.and_agent("0").await;
    for supplier in ["duffel", "tripjack"] {
        world.next_at(supplier, "search", LASTS).await;
    }
    let events = agent.stream(&one_way("DEL", "BOM")).await;
    world.has_struck().await;
    world.end_streams();
    let rest = timeout(LONG, events.rest()).await.expect("it waits for suppliers");
    assert!(rest.is_empty(), "nothing is done");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_search_is_refused_before_the_stream_begins() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    let refused = agent.post("/flights/search/stream", &json!({})).await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.header("content-type"), "application/json");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_lets_the_supplier_go_unless_somebody_else_waits_for_it() {
    // A server that never answers tells when its caller has hung up.
    let stub_server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", stub_server.local_addr().unwrap());
    let silent = WorldOptions::of([Seller::of("silent", SupplierKind::Duffel).at(&url)]);
    let search_cache_ttl = Duration::from_secs(60);
    let world = World::with(WorldOptions { search_cache_ttl, read_deadline: FOR_EVER, ..silent }).await;
    let (one, other) = (world.agent("0").await, world.agent("0").await);
    let trip = one_way("DEL", "BOM");
    let first = one.stream(&trip).await;
    let (mut socket, _) = stub_server.accept().await.unwrap();
    let second = other.stream(&trip).await;
    asked_and_shared(&world, 1, 1).await;
    drop(first);
    let mut bytes = vec![0; 65_536];
    let hung_up = async |socket: &mut tokio::net::TcpStream, bytes: &mut Vec<u8>| loop {
        match tokio::io::AsyncReadExt::read(socket, bytes).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    };
    let still_there = timeout(Duration::from_secs(5), hung_up(&mut socket, &mut bytes)).await;
    assert!(still_there.is_err(), "the other one still waits");
    drop(second);
    timeout(LONG, hung_up(&mut socket, &mut bytes)).await.expect("nobody waits any more");
    let asked_again = timeout(Duration::from_millis(100), stub_server.accept()).await;
    assert!(asked_again.is_err(), "it was asked once for both");
}
