//! Where nobody who is on a booking may stand: Redis, the log, events, webhooks, notifications, reports, and every readable row.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use wayfare_domain::ReportKind;
use wayfare_operations::{Redis, events::feed};
use wayfare_tests::{
    Person, Receiver, Seller, TestRedis, World, WorldOptions, capture_log, captured_log, one_way, stay_at,
};

use super::marks::{MARKS, assert_unmarked, mark_in, marked, marked_booking, marked_stay, stage_with};

async fn pages(person: &Person, path: &str) -> String {
    let mut text = String::new();
    for page in 1.. {
        let reply = person.get(&format!("{path}?per_page=100&page={page}")).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        text.push_str(&reply.text);
        if reply.json()["data"].as_array().is_none_or(|rows| rows.len() < 100) {
            break;
        }
    }
    text
}

/// Every report that there is, of the admin's desk and the agent's.
async fn reports(world: &World, admin: &Person, agent: &Person) -> String {
    let mut asked = Vec::new();
    for kind in ReportKind::WORDS {
        let body = json!({ "type": kind, "period_start": "2027-01-01", "period_end": "2027-01-31" });
        for (person, desk) in [(admin, "/org/reports"), (agent, "/reports")] {
            let report = person.post(desk, &body).await;
            if report.status == 201 {
                let id = report.json()["data"]["id"].as_str().unwrap().to_owned();
                asked.push((person, format!("{desk}/{id}/download")));
            }
        }
    }
    assert!(asked.len() > ReportKind::WORDS.len(), "{}", asked.len());
    while world.make_reports().await > 0 {}
    let mut text = String::new();
    for (person, path) in asked {
        let file = person.get(&path).await;
        assert_eq!(file.status, 200, "{path}: {}", file.text);
        text.push_str(&file.text);
    }
    text
}

/// Flights and stays in every state, with whatever is asked of them after the sale.
async fn live(world: &World, agent: &Person) -> Vec<String> {
    let mut flights = Vec::new();
    for Seller { code: supplier, .. } in Seller::of_flights() {
        for hold in [false, true] {
            flights.push(marked_booking(agent, supplier, hold).await);
        }
        for (fault, to) in [
            ("drop_before", "BLR"),
            ("sold_out", "MAA"),
            ("broken_json", "HYD"),
            ("status:500", "CCU"),
            ("says_more", "GOI"),
        ] {
            world.next_at(supplier, "book", fault).await;
            let trip = one_way("DEL", to);
            let priced = agent.price(&agent.dearest_of(supplier, &trip).await.unwrap()).await.ok();
            agent.book(&marked(agent.order(&priced, &trip))).await;
        }
    }
    for reference in &flights {
        let path = format!("/flights/bookings/{reference}");
        for what in ["retrieve", "track", "penalty"] {
            agent.get(&format!("{path}/{what}")).await;
        }
        let amount = json!({ "amount": agent.booking(reference).await["pricing"]["total"] });
        agent.post(&format!("{path}/issue-ticket"), &amount).await;
        let asked = json!({ "origin": "DEL", "destination": "BOM", "new_date": "2027-03-01" });
        let found = agent.post(&format!("{path}/reschedule-avail"), &asked).await;
        let chosen = json!({
            "fare_keys": [found.json()["data"][0]["fare_key"]], "contact_email": MARKS[3],
            "contact_phone": MARKS[4], "contact_country_code": "91",
        });
        agent.post(&format!("{path}/reschedule"), &chosen).await;
    }
    for Seller { code: supplier, .. } in Seller::of_stays() {
        agent.cancel_stay(&marked_stay(agent, &stay_at(supplier)).await).await;
    }
    for reference in &flights {
        agent.cancel(reference).await;
    }
    flights
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_bookings_are_for_stands_nowhere_else() {
    let Some(redis) = TestRedis::start() else { return };
    capture_log();
    let shared = Redis::open(&redis.url(), Duration::from_secs(10), "test").await;
    let (world, agency, admin, agent) = stage_with(WorldOptions {
        redis: Some(Arc::clone(&shared.unwrap())),
        search_cache_ttl: Duration::from_secs(60),
        ..WorldOptions::default()
    })
    .await;
    let receiver = Receiver::start().await;
    admin.post("/org/webhooks", &json!({ "url": receiver.url, "event_types": [] })).await.succeeds(201);

    let flights = live(&world, &agent).await;
    world.recover_in(3600).await;
    world.watch().await;
    feed::publish_due(&world.platform.core).await.unwrap();
    world.deliver().await;
    let (admin, agent) = (agency.log_in("asha").await, agency.log_in("arjun").await);

    let sent = receiver.received();
    assert!(sent.len() > 10, "{}", sent.len());
    for one in &sent {
        assert_eq!(mark_in(format!("{:?}{}", one.headers, one.body).as_bytes()), None, "{one:?}");
    }
    for (person, path) in [
        (&admin, "/events"),
        (&admin, "/org/audit-logs"),
        (&admin, "/notifications"),
        (&agent, "/notifications"),
        (&agent, "/wallet/transactions"),
        (&agent, "/flights/refunds"),
    ] {
        let text = match path {
            "/events" => person.get("/events?limit=500").await.text,
            path => pages(person, path).await,
        };
        assert!(text.len() > 200, "{path}: {text}");
        assert_eq!(mark_in(text.as_bytes()), None, "{path}");
    }
    let made = reports(&world, &admin, &agent).await;
    assert!(flights.iter().any(|reference| made.contains(reference)), "{made}");
    assert_eq!(mark_in(made.as_bytes()), None);

    let kept = redis.all();
    assert!(!kept.is_empty());
    for (key, value) in kept {
        assert_eq!(mark_in(key.as_bytes()).or_else(|| mark_in(&value)), None, "{key}");
    }
    assert_unmarked(&world, "in the end").await;
    let log = captured_log();
    assert!(log.contains("a supplier refused"), "{log}");
    for line in log.lines() {
        assert_eq!(mark_in(line.as_bytes()), None, "{line}");
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_supplier_says_one_day_more_of_an_order_is_shown_to_nobody() {
    let (world, _, admin, agent) = stage_with(WorldOptions::default()).await;
    for Seller { code: supplier, .. } in Seller::of_flights() {
        let reference = marked_booking(&agent, supplier, false).await;
        let track = format!("/flights/bookings/{reference}/track");
        let before = agent.get(&track).await.ok();
        world.next_at(supplier, "lookup", "says_more").await;
        let after = agent.get(&track).await;
        assert_eq!(mark_in(after.text.as_bytes()), None, "{}", after.text);
        let after = after.ok();
        assert_eq!(after["order"], before["order"], "{supplier}");
        let omitted = |tracked: &Value| tracked["orders"][0]["omitted"].as_u64().unwrap();
        assert!(omitted(&after) > omitted(&before) + 5, "{supplier}: {after}");
        for what in ["retrieve", "penalty", ""] {
            world.next_at(supplier, "lookup", "says_more").await;
            let shown = agent.get(&format!("/flights/bookings/{reference}/{what}")).await;
            assert!(!shown.text.contains("Zqmore"), "{supplier} {what}: {}", shown.text);
        }
        world.all_is_well().await;
        // Its agency's admin is given all of it.
        assert!(admin.get(&format!("/org/bookings/{reference}/people")).await.text.contains(MARKS[1]));
    }
    assert_unmarked(&world, "in the end").await;
}
