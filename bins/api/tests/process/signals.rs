//! Stops and kills: what ends then, what is answered first, and what the next start finds.

use std::time::Duration;

use rustix::process::{Signal, kill_process};
use serde_json::{Value, json};

use crate::api::{Api, order};
use crate::place::{Place, until};

#[tokio::test]
async fn a_stop_ends_everything_and_the_next_start_finds_everything_as_it_was() {
    let (place, mut server) = Place::started().await;
    println!("ready after {:?} (cold)", server.ready_after());
    let api = Api::agent(&place).await;
    let (reference, _) = api.book().await;
    let before = api.holdings(&place).await;
    assert_eq!(api.get("/flights/bookings").await[0]["booking_ref"], reference);

    for signal in [Signal::INT, Signal::TERM] {
        assert!(place.processes().len() > 1, "PostgreSQL and sandbox run");
        assert_eq!(server.stop(signal).await.code(), Some(0), "{}", server.said());
        // All has ended before it ends itself.
        assert_eq!(place.processes(), [], "after {signal:?}");

        server = place.start().await;
        println!("ready after {:?} (warm)", server.ready_after());
        let api = Api::agent(&place).await;
        assert_eq!(api.url(), server.url());
        assert_eq!(api.holdings(&place).await, before, "after {signal:?}");
    }
    // The keys are the same ones, so old log-ins hold.
    assert_eq!(api.moved(&place).balance().await, Api::agent(&place).await.balance().await);
}

/// A proxy asks whether the server is ready, and sends calls to it until it hears that it is not.
#[tokio::test]
async fn a_server_that_drains_is_not_ready_and_serves_on_until_its_time_or_a_second_signal() {
    let place = Place::new().await;
    for ends_by_itself in [true, false] {
        let drain = if ends_by_itself { "4" } else { "3600" };
        let mut server = place.start_with([("WAYFARE_DRAIN_S", drain)]).await;
        let api = Api::agent(&place).await;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let ready = format!("{}/health/ready", server.url());
        let status = async || http.get(&ready).send().await.unwrap().status().as_u16();
        assert_eq!(status().await, 200);
        server.signal(Signal::TERM);
        until("the proxy's answer", async || (status().await == 503).then_some(())).await;
        let (reference, _) = api.book().await;
        assert!(reference.as_str().unwrap().starts_with("FA-"), "{reference}");
        if !ends_by_itself {
            server.signal(Signal::TERM);
        }
        assert_eq!(server.exited(Duration::from_secs(30)).await.code(), Some(0), "{}", server.said());
    }
}

#[tokio::test]
async fn an_idle_connection_does_not_hold_up_a_stop() {
    let (place, mut server) = Place::started().await;
    // It called once and keeps its connection.
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let live = http.get(format!("{}/health/live", server.url()));
    live.send().await.unwrap().bytes().await.unwrap();
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0));
    place.assert_nobody_is_left().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_under_way_is_answered_before_the_server_stops() {
    let (place, mut server) = Place::started().await;
    let api = Api::agent(&place).await;
    api.fault("search", "slow:6000").await;
    let searching = tokio::spawn({
        let api = api.clone();
        async move { api.search().await }
    });
    until("the search at the supplier", async || {
        let waiting = api.sandbox("/faults").await;
        (waiting == json!([])).then_some(())
    })
    .await;
    assert!(!searching.is_finished());
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0), "{}", server.said());
    let found = searching.await.unwrap();
    assert!(!found["offers"].as_array().unwrap().is_empty(), "{found}");
    place.assert_nobody_is_left().await;
}

#[tokio::test]
async fn a_stop_during_the_first_start_leaves_nothing_and_spoils_nothing() {
    for (made, signal) in [
        ("keys.toml", Signal::INT),
        ("postgres/data", Signal::TERM),
        ("sandbox/sandbox.log", Signal::INT),
        ("demo.json", Signal::TERM),
    ] {
        let place = Place::new().await;
        let mut server = place.launch([]);
        let path = place.data().join(made);
        until(made, async || path.exists().then_some(())).await;
        assert_eq!(server.stop(signal).await.code(), Some(0), "at {made}: {}", server.said());
        place.assert_nobody_is_left().await;

        let server = place.start().await;
        assert_eq!(Api::agent(&place).await.ready().await, 200, "at {made}");
        drop(server);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_killed_while_it_books_finds_all_again_and_has_booked_once() {
    let (place, mut server) = Place::started().await;
    let api = Api::agent(&place).await;
    api.book().await;
    let before = api.holdings(&place).await;
    let sandbox = place.sandbox();
    server.kill();

    // PostgreSQL went with it, the sandbox did not. Now it is also a supplier that is given up on early, so that
    // the next start looks soon after what the kill left open.
    let hasty = format!(
        "sandbox = 'on'\n[[suppliers]]\ncode = 'hasty'\nkind = 'duffel'\nbase_url = '{}/duffel'\n\
         token = 'duffel_test_hasty'\neffect_deadline_s = 8\nprocessing_time_s = 30\n",
        api.sandbox_url()
    );
    let file = place.write("wayfare.toml", &hasty);
    let hasty = [("WAYFARE_CONFIG", file.to_str().unwrap())];
    let mut server = place.start_with(hasty).await;
    println!("ready after {:?} (after a kill)", server.ready_after());
    let api = Api::agent(&place).await;
    assert_eq!(api.holdings(&place).await, before);
    assert_eq!(place.sandbox(), sandbox);

    let (key, fare) = api.price("hasty").await;
    let balance = api.balance().await;
    api.fault("book", "slow:6000").await;
    let booking = tokio::spawn({
        let api = api.clone();
        async move { api.try_post("/flights/book", order(&key)).await }
    });
    until("the order at the supplier", async || {
        let waiting = api.sandbox("/faults").await;
        (waiting == json!([])).then_some(())
    })
    .await;
    assert!(!booking.is_finished());
    booking.abort();
    server.kill();

    let server = place.start_with(hasty).await;
    println!("ready after {:?} (after a kill)", server.ready_after());
    let api = Api::agent(&place).await;
    assert_eq!(place.sandbox(), sandbox);
    until("the booking's end", async || {
        let bookings = api.get("/flights/bookings").await;
        let bookings = bookings.as_array().unwrap();
        assert_eq!(bookings.len(), 2);
        let done = |booking: &Value| booking["status"] == "confirmed";
        bookings.iter().all(done).then_some(())
    })
    .await;
    assert_eq!(balance - api.balance().await, fare);
    let orders = api.sandbox("/orders").await;
    assert_eq!(orders.as_array().unwrap().len(), 2, "{orders}");
}

#[tokio::test]
async fn after_a_kill_of_server_sandbox_and_postgresql_the_next_start_has_everything() {
    let (place, mut server) = Place::started().await;
    let api = Api::agent(&place).await;
    api.book().await;
    let before = api.holdings(&place).await;
    let (postmaster, sandbox) = (place.postmaster(), place.sandbox());

    // Two lives: the second starts where the first was killed.
    for _ in 0..2 {
        let (postmaster, sandbox) = (place.postmaster(), place.sandbox());
        kill_process(postmaster, Signal::KILL).unwrap();
        kill_process(sandbox, Signal::KILL).unwrap();
        server.kill();
        server = place.start().await;
        println!("ready after {:?} (after three kills)", server.ready_after());
        assert_eq!(Api::agent(&place).await.holdings(&place).await, before);
    }
    assert!(place.postmaster() != postmaster && place.sandbox() != sandbox);
    assert_eq!(server.stop(Signal::INT).await.code(), Some(0));
    place.assert_nobody_is_left().await;
}

#[tokio::test]
async fn a_server_whose_postgresql_ends_says_so_and_ends_too() {
    let (place, mut server) = Place::started().await;
    kill_process(place.postmaster(), Signal::KILL).unwrap();
    let status = server.exited(Duration::from_secs(120)).await;
    assert_eq!(status.code(), Some(1), "{}", server.said());
    let last = server.said().lines().last().unwrap_or_default().to_owned();
    assert!(last.starts_with("wayfare: ") && last.contains("postgres.log"), "{last}");
    place.assert_nobody_is_left().await;
    place.start().await;
}
