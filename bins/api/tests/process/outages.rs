//! What stops or dies beside a running server: who waits then, what is told, and what goes on afterwards.

use std::time::{Duration, Instant};

use reqwest::Method;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::time::timeout;

use crate::api::Api;
use crate::place::{Place, until};

/// PostgreSQL's processes: the first one and all that it has started.
fn postgres(place: &Place) -> Vec<Pid> {
    let postmaster = place.postmaster();
    let all = place.processes().into_iter();
    all.filter(|(pid, line)| *pid == postmaster || line.starts_with("postgres:"))
        .map(|(pid, _)| pid)
        .collect()
}

fn signal(processes: &[Pid], signal: Signal) {
    for pid in processes {
        kill_process(*pid, signal).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgresql_that_is_stopped_holds_nobody_up() {
    let (place, server) = Place::started().await;
    let api = Api::agent(&place).await;
    let (balance, processes) = (api.balance().await, postgres(&place));
    assert!(processes.len() > 3, "{processes:?}");

    signal(&processes, Signal::STOP);
    let wallet = || api.call(Method::GET, format!("{}/api/v1/wallet", api.url()), None);
    let probe = async {
        // One after the other, each on a connection that may have waited before.
        let mut took = Vec::new();
        for _ in 0..4 {
            let asked = Instant::now();
            assert_eq!(api.ready().await, 503);
            took.push(asked.elapsed());
        }
        took
    };
    // Whoever waited for PostgreSQL would wait for ever.
    let all = timeout(Duration::from_secs(120), async { tokio::join!(wallet(), wallet(), probe) });
    let (first, second, took) = all.await.expect("they wait for PostgreSQL");
    // Each is told within 1.5 s, on a machine that is not too busy to tell; that PostgreSQL is silent is known after 8 s.
    assert!(took.iter().all(|took| *took < Duration::from_secs(8)), "{took:?}");
    assert!(took.iter().any(|took| *took < Duration::from_secs(2)), "{took:?}");
    assert_eq!([first.0, second.0], [503, 503], "{first:?} {second:?}");

    signal(&processes, Signal::CONT);
    until("PostgreSQL answers again", async || (api.ready().await == 200).then_some(())).await;
    assert_eq!(api.balance().await, balance);
    assert!(server.said().contains("PostgreSQL has not answered"), "{}", server.said());
}

#[tokio::test]
async fn a_sandbox_that_is_killed_is_started_again() {
    let (place, mut server) = Place::started().await;
    let api = Api::agent(&place).await;
    let (reference, _) = api.book().await;
    let killed = place.sandbox();
    kill_process(killed, Signal::KILL).unwrap();
    until("another sandbox", async || {
        let named = std::fs::read(place.data().join("sandbox/sandbox.json")).ok()?;
        let named: Value = serde_json::from_slice(&named).ok()?;
        (named["pid"] != killed.as_raw_nonzero().get()).then_some(())
    })
    .await;
    // At the same address, with its orders.
    let sandbox = until("its orders", async || {
        let orders = api.call(Method::GET, format!("{}/_sandbox/orders", api.sandbox_url()), None);
        let (status, orders) = timeout(Duration::from_secs(5), orders).await.ok()?;
        (status == 200).then_some(orders)
    });
    assert_eq!(sandbox.await[0]["reference"], reference);
    // It answers a moment before the server has noticed it.
    until("both lines of the log", async || {
        let said = server.said();
        let both = said.contains("the sandbox has ended by itself") && said.contains("the sandbox is back");
        both.then_some(())
    })
    .await;
    api.book().await;
    assert_eq!(server.stop(Signal::TERM).await.code(), Some(0), "{}", server.said());
    place.assert_nobody_is_left().await;
}
