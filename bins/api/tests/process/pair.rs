//! PostgreSQL as a pair: a primary, and a synchronous standby that takes over when the primary is killed under load.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use reqwest::Method;
use rust_decimal::Decimal;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use wayfare_local_postgres::{LocalPostgres, Settings};

use crate::api::{Api, decimal, order, search};
use crate::own_postgres::{self, ask};
use crate::place::until;
use crate::shared::Shared;

/// So many bookings are made before the primary dies, and as many after the standby has taken over.
const BOOKINGS: usize = 6;
const LONGEST: Duration = Duration::from_secs(150);
/// What a supplier has not got by then was never sent.
const UNSENT: Duration = Duration::from_secs(20);

/// Two of PostgreSQL's servers in folders that go with them.
struct Pair {
    dir: PathBuf,
    primary: LocalPostgres,
    standby: LocalPostgres,
}

impl Pair {
    /// A commit is acknowledged once it is on both.
    async fn start(name: &str) -> Pair {
        let dir = std::env::temp_dir().join(format!("wayfare-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        let primary = LocalPostgres::start_or_adopt(Settings::new(dir.join("one"))).await.unwrap();
        own_postgres::copy(&dir.join("one"), &dir.join("two"), &["-R"]);
        let standby = LocalPostgres::start_or_adopt(Settings::new(dir.join("two"))).await.unwrap();
        // Not before: nothing could be committed while there is no standby.
        ask(&primary.url(), &["alter system set synchronous_standby_names = '*'", "select pg_reload_conf()"])
            .await;
        until("a synchronous standby", async || {
            let state = ask(&primary.url(), &["select sync_state from pg_stat_replication"]).await;
            (state == ["sync"]).then_some(())
        })
        .await;
        Pair { dir, primary, standby }
    }

    /// Both, as a server is told of them.
    fn url(&self) -> String {
        let rest = |url: String| url.split_once('@').unwrap().1.split_once('/').unwrap().0.to_owned();
        let (before, after) = (self.primary.url(), rest(self.standby.url()));
        before.replacen(&rest(before.clone()), &format!("{},{after}", rest(before.clone())), 1)
    }

    /// Kills the primary with all its processes.
    fn kill_primary(&self) {
        own_postgres::end(&self.dir.join("one"), Signal::KILL);
    }

    /// The standby becomes the primary, and waits for no other.
    async fn promote(&self) {
        let url = self.standby.url();
        ask(&url, &["select pg_promote()"]).await;
        ask(&url, &["alter system set synchronous_standby_names = ''", "select pg_reload_conf()"]).await;
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        for folder in ["one", "two"] {
            own_postgres::end(&self.dir.join(folder), Signal::INT);
        }
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// A booking that was acknowledged.
struct Sold {
    reference: String,
    fare: Decimal,
    at: Instant,
    /// Whether its supplier has it. Where PostgreSQL died between the opening of a booking and its order, nobody asked the
    /// supplier: the booking is looked for there in vain, and its money stays set aside.
    has_order: bool,
}

/// Whoever is told that nobody knows asks again, in the way that the answer says, until there is one.
async fn sell(api: &Api, name: &str) -> Sold {
    let (key, fare) = loop {
        if let Some(priced) = price(api).await {
            break priced;
        }
        sleep(Duration::from_millis(100)).await;
    };
    loop {
        let (status, body) = api.once(name, "/flights/book", order(&key)).await;
        match status {
            // 202: the supplier's answer could not be written down while PostgreSQL was away.
            200 | 202 => {
                let reference = body["data"]["booking_ref"].as_str().unwrap().to_owned();
                let has_order = becomes_confirmed(api, &reference).await;
                assert!(has_order || status == 202, "{reference} was confirmed and has no order");
                return Sold { reference, fare, at: Instant::now(), has_order };
            }
            // The first one may be under way still.
            409 | 503 => sleep(Duration::from_millis(100)).await,
            _ => panic!("{status} {body}"),
        }
    }
}

/// Whether it does: it may not while its supplier has no order of it.
async fn becomes_confirmed(api: &Api, reference: &str) -> bool {
    let asked = Instant::now();
    loop {
        let booking = unless_away(api.try_get(&format!("/flights/bookings/{reference}")).await);
        if booking.is_some_and(|booking| booking["status"] == "confirmed") {
            return true;
        }
        if asked.elapsed() > UNSENT {
            let orders = api.sandbox("/orders").await;
            let mut orders = orders.as_array().unwrap().iter();
            if !orders.any(|order| order["reference"] == reference) {
                return false;
            }
        }
        sleep(Duration::from_millis(100)).await;
    }
}

async fn price(api: &Api) -> Option<(Value, Decimal)> {
    let found = unless_away(api.try_post("/flights/search", search()).await)?;
    let offer = found["offers"].as_array().unwrap().iter().find(|offer| offer["supplier"] == "duffel")?;
    let body = json!({ "offer_ids": [offer["offer_id"]], "adults": 1 });
    let priced = unless_away(api.try_post("/flights/price", body).await)?;
    let fare = decimal(&priced["price_summary"]["agent_details"]["agent_fare"]);
    Some((priced["booking_keys"][0].clone(), fare))
}

/// What a 200 says; nothing while PostgreSQL is away.
fn unless_away((status, body): (u16, Value)) -> Option<Value> {
    assert!(status == 200 || status == 503, "{status} {body}");
    (status == 200).then(|| body["data"].clone())
}

/// Each sells one after the other until all is over.
async fn sell_on(api: Api, name: &str, count: &AtomicUsize, is_over: &AtomicBool) -> Vec<Sold> {
    let mut sold = Vec::new();
    while !is_over.load(Ordering::SeqCst) {
        sold.push(sell(&api, &format!("{name}-{}", sold.len())).await);
        count.fetch_add(1, Ordering::SeqCst);
    }
    sold
}

async fn reaches(count: &AtomicUsize, wanted: usize) {
    while count.load(Ordering::SeqCst) < wanted {
        sleep(Duration::from_millis(20)).await;
    }
}

/// Each acknowledged booking is another one, and every server knows it.
async fn are_confirmed(sold: &[Sold], callers: &[Api]) {
    let mut references: Vec<&str> = sold.iter().map(|sold| sold.reference.as_str()).collect();
    references.sort_unstable();
    references.dedup();
    assert_eq!(references.len(), sold.len(), "two keys have the same booking");
    for sold in sold {
        for caller in callers {
            let booking = caller.get(&format!("/flights/bookings/{}", sold.reference)).await;
            let expected = if sold.has_order { "confirmed" } else { "pending" };
            assert_eq!(booking["status"], expected, "{booking}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_takes_over_and_nothing_that_was_acknowledged_is_lost() {
    if !Path::new("/proc/self/stat").exists() {
        println!("did not run: there is no /proc");
        return;
    }
    let pair = Pair::start("pair").await;
    let shared = Shared::on(&pair.url()).await;
    let servers = [shared.first(None).await, shared.another(None).await];
    let agent = shared.agent().await;
    let callers = servers.each_ref().map(|server| agent.at(server));
    let before = agent.balance().await;
    // As where PostgreSQL dies between the opening of a booking and its order.
    agent.fault("book", "drop_before").await;

    let (count, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let [one, two] = &callers;
    let sellers = [(one, "a"), (one, "b"), (two, "c"), (two, "d")];
    let sellers = sellers.map(|(server, name)| sell_on(server.clone(), name, &count, &is_over));
    let load = async { join_all(sellers).await.into_iter().flatten().collect::<Vec<_>>() };
    let failover = async {
        reaches(&count, BOOKINGS).await;
        pair.kill_primary();
        let killed = Instant::now();
        // As long as a manager of such pairs takes to be sure.
        sleep(Duration::from_secs(1)).await;
        pair.promote().await;
        let promoted = killed.elapsed();
        let sold = count.load(Ordering::SeqCst);
        reaches(&count, sold + BOOKINGS).await;
        is_over.store(true, Ordering::SeqCst);
        (killed, promoted)
    };
    let all = timeout(LONGEST, async { tokio::join!(load, failover) });
    let (sold, (killed, promoted)) = all.await.expect("bookings are made again");

    let first = sold.iter().filter(|sold| sold.at > killed + promoted).map(|sold| sold.at - killed).min();
    println!(
        "{} bookings; promoted after {promoted:?}, the first booking after {:?}",
        sold.len(),
        first.unwrap()
    );
    are_confirmed(&sold, &callers).await;
    // Each was bought once, and paid once.
    let orders = agent.sandbox("/orders").await;
    let ordered = sold.iter().filter(|sold| sold.has_order).count();
    assert_eq!(orders.as_array().unwrap().len(), ordered, "{orders}");
    let fares = |has_order: bool| -> Decimal {
        sold.iter().filter(|sold| sold.has_order == has_order).map(|sold| sold.fare).sum()
    };
    until("each order is paid, and only what has none is held", async || {
        let wallet = agent.get("/wallet").await;
        let (balance, held) = (decimal(&wallet["balance"]), decimal(&wallet["held"]));
        ((balance, held) == (before - fares(true), fares(false))).then_some(())
    })
    .await;
    let verified = shared.operator(&["ledger", "verify"]);
    assert!(verified.status.success(), "{verified:?}");
    for server in &servers {
        let ready = agent.call(Method::GET, format!("{}/health/ready", server.url()), None).await;
        assert_eq!(ready.0, 200, "{ready:?}");
    }
}

/// As where its manager has died and nobody stops it: both take writes, and only one of them has what comes after.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_was_replaced_while_it_lives_is_not_asked_any_more() {
    if !Path::new("/proc/self/stat").exists() {
        println!("did not run: there is no /proc");
        return;
    }
    let pair = Pair::start("replaced").await;
    let shared = Shared::on(&pair.url()).await;
    let server = shared.first(None).await;
    let agent = shared.agent().await.at(&server);
    let before = agent.book().await.0;
    pair.promote().await;
    let alone = ["alter system set synchronous_standby_names = ''", "select pg_reload_conf()"];
    ask(&pair.primary.url(), &alone).await;
    ask(&pair.standby.url(), &["update users set name = 'Of the new one'"]).await;

    until("a read at the new primary", async || {
        let (status, me) = agent.try_get("/me").await;
        assert!(status == 200 || status == 503, "{status} {me}");
        (me["data"]["name"] == "Of the new one").then_some(())
    })
    .await;
    // From then on it is read and written by all connections, whichever host is asked first.
    for _ in 0..40 {
        assert_eq!(agent.get("/me").await["name"], "Of the new one");
    }
    let sold = sell(&agent, "after").await;
    let count = format!("select count(*)::text from bookings where booking_ref = '{}'", sold.reference);
    assert_eq!(ask(&pair.standby.url(), &[&count]).await, ["1"]);
    assert_eq!(ask(&pair.primary.url(), &[&count]).await, ["0"]);
    let path = format!("/flights/bookings/{}", before.as_str().unwrap());
    let before = agent.get(&path).await;
    assert_eq!(before["status"], "confirmed", "{before}");
}
