//! Suppliers' hooks: a hook makes an order due, and nothing that it says is believed.

use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use sha2::Sha256;
use wayfare_launch::SupplierKind;
use wayfare_operations::{engine::supplier_hooks, worker};
use wayfare_tests::{LASTS, MONEY, Seller, World, WorldOptions, eventually, one_way};

use super::{Stage, stage_with};

/// Everything that came, and whether it has rung.
const STORED: &str = "select concat_ws(' ', supplier, kind, order_id, handled_at is not null)
    from supplier_hooks order by created_at, event_id";

async fn hooked(seller: Seller) -> Stage {
    stage_with(seller, |options| WorldOptions { hooks: true, ..options }).await
}

fn signed(secret: &str, at: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{at}.{body}").as_bytes());
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={at},v1={hex}")
}

fn event(id: &str, kind: &str, order: &str) -> String {
    json!({ "id": id, "type": kind, "data": { "object": { "id": order } } }).to_string()
}

/// A hook of this supplier about this order, as it names it.
fn hook_of(supplier: &str, order: &str) -> String {
    match supplier {
        "duffel" => event("wev_1", "order.airline_initiated_change_detected", order),
        "hotelbeds" => {
            json!({ "type": "NEW_BOOKING_RECONFIRMATION", "booking": { "reference": order } }).to_string()
        }
        _ => json!({ "event": "booking.update", "data": { "bookingId": order } }).to_string(),
    }
}

/// Posts this; its status, and what is answered.
async fn post(world: &World, path: &str, signature: Option<&str>, body: &str) -> (u16, String) {
    let mut request = Client::new().post(format!("{}{path}", world.base_url));
    if let Some(signature) = signature {
        request = request.header("X-Duffel-Signature", signature);
    }
    let answer = request.body(body.to_owned()).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// Posts this as the supplier does, and it is taken.
async fn ring(world: &World, supplier: &str, body: &str) {
    let secret = World::hook_secret(supplier);
    let signature = signed(&secret, world.now().timestamp(), body);
    let answer = match supplier {
        "duffel" => post(world, "/hooks/duffel", Some(&signature), body).await,
        _ => post(world, &format!("/hooks/{supplier}/{secret}"), None, body).await,
    };
    assert_eq!(answer, (200, String::new()), "{supplier}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_makes_its_order_due_once_and_changes_nothing() {
    for seller in Seller::all().into_iter().filter(|seller| seller.kind != SupplierKind::TripJack) {
        let stage = hooked(seller).await;
        let (world, supplier) = (&stage.world, stage.supplier);
        let content = world.line("select content from supplier_orders").await;
        world.pass(60);
        ring(world, supplier, &hook_of(supplier, &stage.order)).await;
        assert!(stage.is_due().await, "{supplier}");
        assert_eq!(stage.status().await, "confirmed");
        assert_eq!(world.line("select content from supplier_orders").await, content);
        assert!(world.line(STORED).await.ends_with(&format!("{} t", stage.order)), "{supplier}");
        world.watch().await;
        assert_eq!(stage.looks().await, 1, "{supplier}");
        // It is sent at least once.
        world.pass(60);
        ring(world, supplier, &hook_of(supplier, &stage.order)).await;
        assert!(!stage.is_due().await, "{supplier}");
        assert_eq!(world.lines(STORED).await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_proves_nothing_changes_nothing_and_learns_nothing() {
    let options = WorldOptions { hooks: true, ..WorldOptions::of(Seller::all()).frozen() };
    let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
    agent.buy(one_way("DEL", "BOM").by("ZZ")).await;
    let query = "select supplier_order_id || ' ' || next_poll_at from supplier_orders";
    let before = world.lines(query).await;
    let order = world.line("select supplier_order_id from supplier_orders").await;
    let now = world.now().timestamp();
    let body = hook_of("duffel", &order);
    let secret = World::hook_secret("duffel");
    let good = signed(&secret, now, &body);
    let other = signed(&World::hook_secret("hotelbeds"), now, &body);
    let (old, early) = (signed(&secret, now - 301, &body), signed(&secret, now + 301, &body));
    let of_another_body = signed(&secret, now, "{}");
    let pushed = hook_of("hotelbeds", &order);
    let (hotelbeds, liteapi) = (World::hook_secret("hotelbeds"), World::hook_secret("liteapi"));
    let cases = [
        ("/hooks/duffel".to_owned(), None, &body, 401),
        ("/hooks/duffel".to_owned(), Some(""), &body, 401),
        ("/hooks/duffel".to_owned(), Some("t=1,v1=00"), &body, 401),
        ("/hooks/duffel".to_owned(), Some(other.as_str()), &body, 401),
        ("/hooks/duffel".to_owned(), Some(old.as_str()), &body, 401),
        ("/hooks/duffel".to_owned(), Some(early.as_str()), &body, 401),
        ("/hooks/duffel".to_owned(), Some(of_another_body.as_str()), &body, 401),
        (format!("/hooks/duffel/{secret}"), Some(good.as_str()), &body, 404),
        ("/hooks/tripjack".to_owned(), Some(good.as_str()), &body, 404),
        ("/hooks/nobody".to_owned(), Some(good.as_str()), &body, 404),
        ("/hooks".to_owned(), Some(good.as_str()), &body, 404),
        ("/hooks/hotelbeds".to_owned(), Some(good.as_str()), &pushed, 404),
        (format!("/hooks/hotelbeds/{liteapi}"), None, &pushed, 404),
        (format!("/hooks/liteapi/{hotelbeds}"), None, &pushed, 404),
        (format!("/hooks/hotelbeds/{hotelbeds}x"), None, &pushed, 404),
        (format!("/hooks/hotelbeds/{hotelbeds}/x"), None, &pushed, 404),
    ];
    let mut told = std::collections::BTreeSet::new();
    for (path, signature, body, expected) in cases {
        let (status, text) = post(&world, &path, signature, body).await;
        assert_eq!(status, expected, "{path} {signature:?}: {text}");
        told.insert((status, text));
    }
    // Whether there is such a supplier, or such a token, nobody is told.
    let told = told.into_iter().map(|(status, text)| (status, text.parse::<Value>().unwrap()));
    let refusal = |error: &str| json!({ "success": false, "error": error });
    let both = [(401, refusal("the signature is not good")), (404, refusal("resource not found"))];
    assert_eq!(told.collect::<Vec<_>>(), both);
    let reading = Client::new().request(Method::GET, format!("{}/hooks/duffel", world.base_url));
    assert_eq!(reading.send().await.unwrap().status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(world.lines(query).await, before);
    assert_eq!(world.lines(STORED).await.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_was_told_of_no_hooks_has_no_address() {
    let world = World::frozen().await;
    let body = hook_of("duffel", "ord_1");
    let signature = signed("", world.now().timestamp(), &body);
    assert_eq!(post(&world, "/hooks/duffel", Some(&signature), &body).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_be_read_is_taken_and_forgotten_and_what_is_too_large_is_refused() {
    let stage = hooked(Seller::duffel()).await;
    let world = &stage.world;
    let largest = "x".repeat(256 * 1024);
    for body in ["", "<html>", "[]", "{\"id\": 5}", &"[".repeat(100_000), &largest] {
        ring(world, "duffel", body).await;
    }
    let too_large = format!("{largest}x");
    let signature = signed(&World::hook_secret("duffel"), world.now().timestamp(), &too_large);
    let (status, text) = post(world, "/hooks/duffel", Some(&signature), &too_large).await;
    assert_eq!(status, 413, "{text}");
    assert!(text.contains("request body too large"), "{text}");
    // Words that the database could not store are no ids.
    ring(world, "duffel", r#"{"id": "wev_9", "type": "x", "data": {"id": "ord_\u0000"}}"#).await;
    assert_eq!(world.lines(STORED).await, ["duffel x t"]);
    assert_eq!(stage.looks().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_posts_too_much_is_asked_to_wait_and_no_other_one() {
    let options =
        WorldOptions { hooks: true, ..WorldOptions::of([Seller::duffel(), Seller::hotelbeds()]).frozen() };
    let world = World::with(options).await;
    let body = "what can't be read costs nothing";
    let signature = signed(&World::hook_secret("duffel"), world.now().timestamp(), body);
    // Who proves nothing takes from nobody.
    for _ in 0..60 {
        assert_eq!(post(&world, "/hooks/duffel", None, body).await.0, 401);
    }
    let client = Client::new();
    let send = || {
        let request = client.post(format!("{}/hooks/duffel", world.base_url));
        request.header("X-Duffel-Signature", &signature).body(body).send()
    };
    let mut refused = None;
    for _ in 0..100 {
        let answers = futures_util::future::join_all((0..100).map(|_| send())).await;
        let mut answers = answers.into_iter().map(Result::unwrap);
        refused = answers.find(|answer| answer.status() != StatusCode::OK);
        if refused.is_some() {
            break;
        }
    }
    let refused = refused.unwrap();
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()["retry-after"], "1");
    ring(&world, "hotelbeds", &hook_of("hotelbeds", "102-1")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_nobody_knows_yet_is_looked_for_again_after_one_minute_and_after_ten() {
    for (known_after, rings) in [(60, true), (600, true), (601, false)] {
        let world = &hooked(Seller::duffel()).await.world;
        ring(world, "duffel", &event("wev_1", "order.created", "ord_later")).await;
        assert_eq!(world.lines(STORED).await, ["duffel order.created ord_later f"]);
        let mut passed = 0;
        for at in [59, 60, 599, 600, 601] {
            world.pass(at - passed);
            passed = at;
            if at == known_after {
                world.sql("update supplier_orders set supplier_order_id = 'ord_later'").await;
            }
            supplier_hooks::ring_again(&world.platform.core).await.unwrap();
        }
        let rung = format!("duffel order.created ord_later {}", if rings { "t" } else { "f" });
        assert_eq!(world.lines(STORED).await, [rung], "{known_after}");
        let due = format!("to_timestamp({})", 1_800_000_000 + known_after);
        let due = world.line(&format!("select (next_poll_at = {due})::text from supplier_orders")).await;
        assert_eq!(due, rings.to_string(), "{known_after}");
        assert_eq!(world.line("select count(*) from supplier_hooks where again_at is not null").await, "0");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_comes_while_its_order_is_looked_at_is_not_lost() {
    let stage = hooked(Seller::duffel()).await;
    let world = &stage.world;
    world.pass(86_400);
    // The poll has begun, and its answer is older than the news.
    world.next("lookup", LASTS).await;
    let meanwhile = async {
        world.has_struck().await;
        world.airline_puts_off(&stage.order, 90).await;
        ring(world, "duffel", &hook_of("duffel", &stage.order)).await;
        world.all_is_well().await;
    };
    tokio::join!(world.watch(), meanwhile);
    world.watch().await;
    assert_eq!(stage.looks().await, 2);
    assert_eq!(stage.events("booking.airline_changed").await, ["confirmed"]);
}

/// Duffel answers 202, and tells later what became of the order: under an id that nobody knows yet.
#[tokio::test(flavor = "multi_thread")]
async fn what_became_of_an_order_makes_a_step_due_that_waits_and_none_that_somebody_has() {
    let options = WorldOptions { hooks: true, ..WorldOptions::default().frozen() };
    let (world, _, agent) = World::with(options).await.and_agent(MONEY).await;
    agent.buy(one_way("DEL", "BOM")).await;
    let now = world.now().timestamp();
    let due = "select (extract(epoch from due_at) - 1800000000)::int::text from effects";
    for (n, state, problem, waits, kind, expected) in [
        (1, "open", "'no answer'", 200, "order.created", "0"),
        (2, "open", "'no answer'", 200, "order.creation_failed", "0"),
        (3, "open", "'no answer'", 200, "payment.created", "200"),
        // Somebody may look it up right now.
        (4, "open", "'no answer'", 30, "order.created", "30"),
        // It is being sent.
        (5, "open", "null", 200, "order.created", "200"),
    ] {
        let closed = if state == "open" { "null" } else { "now()" };
        let set = format!("state = '{state}', closed_at = {closed}, problem = {problem}");
        world.sql(&format!("update effects set {set}, due_at = to_timestamp({now} + {waits})")).await;
        ring(&world, "duffel", &event(&format!("wev_{n}"), kind, "ord_unknown")).await;
        assert_eq!(world.line(due).await, expected, "{n}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_whose_hooks_are_silent_while_things_happen_there_is_told_once_until_one_comes() {
    let mut stage = hooked(Seller::duffel()).await;
    let alarms = "select kind || coalesce(' ' || closed_by, '') from supplier_alarms
         where kind = 'webhook_silent'";
    ring(&stage.world, "duffel", &event("wev_1", "ping.triggered", "")).await;
    stage.world.sweep().await;
    for (hours, changes, expected) in [
        // A hook came today.
        (1, true, &[][..]),
        // None came for a day, and the list had something new.
        (24, true, &["webhook_silent"]),
        (1, true, &["webhook_silent"]),
    ] {
        stage.world.pass(hours * 3_600);
        if changes {
            stage.world.airline_puts_off(&stage.order, 30).await;
        }
        stage.world.sweep().await;
        stage.world.tend_watch().await;
        assert_eq!(stage.world.lines(alarms).await, expected, "{hours}");
    }
    ring(&stage.world, "duffel", &event("wev_2", "ping.triggered", "")).await;
    stage.world.tend_watch().await;
    assert_eq!(stage.world.lines(alarms).await, ["webhook_silent itself"]);
    // Nothing happens there: silence is nothing.
    stage.world.pass(3 * 86_400);
    stage.agent().await;
    stage.world.sweep().await;
    stage.world.tend_watch().await;
    assert_eq!(stage.world.lines(alarms).await, ["webhook_silent itself"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn hooks_are_removed_after_their_time() {
    let world = hooked(Seller::duffel()).await.world;
    ring(&world, "duffel", &event("wev_1", "ping.triggered", "")).await;
    world.pass(29 * 86_400);
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.lines(STORED).await.len(), 1);
    world.pass(2 * 86_400);
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.lines(STORED).await.len(), 0);
}

/// The supplier posts by itself: what it says of a fault, and how often anything is stored and told in the end.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_supplier_posts_by_itself_is_told_once_and_what_is_lost_costs_an_interval() {
    for (seller, action) in
        [(Seller::duffel(), "booking.airline_changed"), (Seller::hotelbeds(), "booking.hotel_confirmed")]
    {
        for (fault, comes) in
            [("", true), ("webhook_twice", true), ("webhook_lost", false), ("webhook_forged", false)]
        {
            let stage = hooked(seller.clone()).await;
            let (world, supplier) = (&stage.world, stage.supplier);
            world.takes_hooks_of(supplier).await;
            world.sweep().await;
            if !fault.is_empty() {
                world.next_at(supplier, "webhook", fault).await;
            }
            match stage.is_stay {
                true => world.hotel_tells(&stage.order, &["A-17"]).await,
                false => world.airline_puts_off(&stage.order, 90).await,
            }
            if comes {
                eventually("the hook", async || (world.lines(STORED).await.len() == 1).then_some(())).await;
            }
            world.watch().await;
            assert_eq!(stage.events(action).await.len(), usize::from(comes), "{supplier} {fault}");
            world.pass(6 * 3_600);
            world.sweep().await;
            world.watch().await;
            assert_eq!(stage.events(action).await.len(), 1, "{supplier} {fault}");
            world.books_agree().await;
        }
    }
}
