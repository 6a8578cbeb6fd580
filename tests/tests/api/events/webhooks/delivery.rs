//! What is sent, how often, to whom, and what comes of it.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use wayfare_operations::{
    events::{feed, webhooks},
    worker,
};
use wayfare_tests::{Manner, Receiver, World, WorldOptions};

use super::{deliveries, hook, hook_for, hooked, is_signed, opened};

#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_sent_once_and_signed() {
    let (world, agency, admin, receiver, id, secret) = hooked(World::start().await).await;
    agency.agent("arjun", "0").await;
    world.deliver().await;
    world.deliver().await;
    let received = receiver.received();
    assert_eq!(received.len(), 1, "{received:?}");
    is_signed(&received[0], &secret);
    // By the machine's clock the whole check can be made.
    let headers = received[0].headers.iter().map(|(name, value)| {
        let name: reqwest::header::HeaderName = name.parse().unwrap();
        (name, value.parse().unwrap())
    });
    let library = standardwebhooks::Webhook::new(&secret).unwrap();
    library.verify(received[0].body.as_bytes(), &headers.collect()).unwrap();
    let event = received[0].json();
    assert_eq!(event["type"], "user.created");
    let names: Vec<_> = event.as_object().unwrap().keys().collect();
    assert_eq!(names, ["data", "id", "timestamp", "type"]);
    let told = deliveries(&admin, &id, "").await;
    assert_eq!(told.len(), 1);
    assert_has!(told[0], {
        "status": "delivered", "attempts": 1, "response_status": 200, "response_excerpt": "heard",
        "next_attempt_at": null,
    });
    assert_eq!(deliveries(&admin, &id, "?status=pending").await.len(), 0);
    assert_eq!(admin.get(&format!("/org/webhooks/{id}/deliveries?status=x")).await.status, 422);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_gets_what_it_has_chosen_and_every_test() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let (chosen, other) = (Receiver::start().await, Receiver::start().await);
    let (id, secret) = hook_for(&world, &admin, &chosen, &["user.suspended"]).await;
    hook_for(&world, &admin, &other, &["booking.failed"]).await;
    let agent = agency.agent("arjun", "0").await;
    admin.suspend_user(&agent).await;
    admin.post(&format!("/org/webhooks/{id}/test"), &json!(null)).await.says(200, "test event will be sent");
    world.deliver().await;
    let mut kinds: Vec<_> = chosen.received().iter().map(|sent| sent.json()["type"].clone()).collect();
    kinds.sort_by_key(ToString::to_string);
    assert_eq!(kinds, ["user.suspended", "webhook.test"]);
    let sent: Vec<_> = chosen.received().iter().map(wayfare_tests::Received::json).collect();
    let suspended = sent.iter().find(|sent| sent["type"] == "user.suspended").unwrap();
    assert_has!(suspended, { "data": { "user_id": agent.id, "role": "agent", "status": "suspended" } });
    let test = chosen.received().into_iter().find(|sent| sent.json()["type"] == "webhook.test").unwrap();
    is_signed(&test, &secret);
    assert_eq!(test.json()["data"], json!({ "webhook_id": id }));
    assert_eq!(other.received().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_is_tried_again_for_three_days() {
    let (world, agency, _, receiver, id, _) = hooked(World::frozen().await).await;
    receiver.becomes(Manner::Answers(500));
    agency.agent("arjun", "0").await;
    world.deliver().await;
    // At the earliest and at the latest, in seconds after the attempt before.
    for (early, late) in [(4, 6), (24, 36), (96, 144)] {
        let before = receiver.received().len();
        world.pass(early - 1);
        world.deliver().await;
        assert_eq!(receiver.received().len(), before);
        world.pass(late - early + 2);
        world.deliver().await;
        assert_eq!(receiver.received().len(), before + 1);
    }
    for _ in 0..30 {
        world.pass(4 * 3600 * 6 / 5);
        world.deliver().await;
    }
    worker::remove_old(&world.platform).await.unwrap();
    let agency_admin = agency.log_in("asha").await;
    let told = deliveries(&agency_admin, &id, "?status=failed").await;
    assert_eq!(told.len(), 1);
    let attempts = told[0]["attempts"].as_u64().unwrap();
    assert_eq!(attempts as usize, receiver.received().len());
    assert!((15..25).contains(&attempts), "{attempts} attempts");
    // It is the same message each time.
    let ids = receiver.received().into_iter().map(|sent| sent.header("webhook-id").to_owned());
    assert_eq!(ids.collect::<std::collections::BTreeSet<_>>().len(), 1);
    // Asked for, it is sent once more.
    receiver.becomes(Manner::Answers(200));
    let delivery = told[0]["id"].as_str().unwrap();
    let path = format!("/org/webhooks/{id}/deliveries/{delivery}/redeliver");
    agency_admin.post(&path, &json!(null)).await.says(200, "event will be sent again");
    world.deliver().await;
    assert_eq!(deliveries(&agency_admin, &id, "?status=delivered").await.len(), 1);
    let nobodys = format!("/org/webhooks/{id}/deliveries/{id}/redeliver");
    agency_admin.post(&nobodys, &json!(null)).await.is_missing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_gone_gets_nothing_more() {
    let (world, agency, admin, receiver, id, _) = hooked(World::start().await).await;
    receiver.becomes(Manner::Answers(410));
    agency.agent("arjun", "0").await;
    world.deliver().await;
    agency.agent("bina", "0").await;
    world.deliver().await;
    assert_eq!(receiver.received().len(), 1);
    let listed = admin.get("/org/webhooks").await.ok();
    assert_has!(listed[0], { "is_active": false, "disabled_reason": "the receiver answered 410 Gone" });
    let path = format!("/org/webhooks/{id}");
    admin.post(&format!("{path}/test"), &json!(null)).await.is(409, "webhook is not active");
    receiver.becomes(Manner::Answers(200));
    let again = admin.put(&path, &json!({ "url": receiver.url, "is_active": true })).await.ok();
    assert_eq!(again["disabled_reason"], json!(null));
    agency.agent("chitra", "0").await;
    world.deliver().await;
    // What met the 410 too, but not what happened while it was off.
    let whose = |sent: &wayfare_tests::Received| sent.json()["data"]["user_id"].clone();
    let whose: Vec<_> = receiver.received().iter().map(whose).collect();
    assert_eq!(whose.len(), 3);
    assert!(whose[1..].contains(&whose[0]), "{whose:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_are_not_followed() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let (receiver, elsewhere) = (Receiver::start().await, Receiver::start().await);
    let (id, _) = hook(&world, &admin, &receiver).await;
    receiver.becomes(Manner::AnswersWith(307, format!("location: {}\r\n", elsewhere.url).leak()));
    agency.agent("arjun", "0").await;
    world.deliver().await;
    assert_eq!(elsewhere.received().len(), 0);
    assert_eq!(deliveries(&admin, &id, "?status=pending").await[0]["response_status"], 307);
}

/// Whatever was stored before the operator's rules changed: each attempt looks at the address itself.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_looked_at_again_before_each_attempt() {
    let options = WorldOptions { webhook_networks: Vec::new(), ..WorldOptions::default() };
    let (world, _, admin, receiver) = opened(World::with(options).await).await;
    let body = json!({ "url": "https://example.com/hooks" });
    let made = admin.post("/org/webhooks", &body).await.succeeds(201);
    let id = made["id"].as_str().unwrap();
    for url in [
        receiver.url.as_str(),
        &receiver.url.replace("http", "https"),
        &receiver.url.replace("127.0.0.1", "localhost"),
    ] {
        world.sql(&format!("update webhooks set url = '{url}'")).await;
        world.sql("update webhook_deliveries set due_at = now(), attempts = 0").await;
        admin.post(&format!("/org/webhooks/{id}/test"), &json!(null)).await.ok();
        world.deliver().await;
        assert_eq!(receiver.received().len(), 0, "{url}");
    }
    let told = deliveries(&admin, id, "").await;
    assert!(told.iter().all(|told| told["response_status"].is_null()), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_secrets_sign_for_a_day() {
    let (world, agency, admin, receiver, id, old) = hooked(World::frozen().await).await;
    let rotated = admin.post(&format!("/org/webhooks/{id}/rotate-secret"), &json!(null)).await.ok();
    let new = rotated["secret"].as_str().unwrap();
    assert_ne!(new, old);
    assert!(rotated["previous_secret_until"].is_string());
    agency.agent("arjun", "0").await;
    world.deliver().await;
    let sent = &receiver.received()[0];
    is_signed(sent, new);
    is_signed(sent, &old);
    world.pass(24 * 3600);
    agency.agent("bina", "0").await;
    world.deliver().await;
    let sent = &receiver.received()[1];
    is_signed(sent, new);
    assert!(!sent.header("webhook-signature").contains(' '));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_receiver_delays_nobody() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let (slow, quick) = (Receiver::start().await, Receiver::start().await);
    slow.becomes(Manner::Dawdles(Duration::from_secs(60), 200));
    hook(&world, &admin, &slow).await;
    hook(&world, &admin, &quick).await;
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        agency.agent(name, "0").await;
    }
    let working = tokio::spawn(worker::run(world.platform.clone()));
    quick.waits_for(8).await;
    slow.waits_for(1).await;
    // Nor do those of later events wait.
    agency.agent("i", "0").await;
    quick.waits_for(9).await;
    // The slow one has so many at once and no more, and is asked again only when these were given up and it has rested.
    assert!(slow.received().len() <= 4, "{}", slow.received().len());
    working.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_send_nothing_twice_and_miss_nothing() {
    let (world, agency, _, receiver, ..) = hooked(World::start().await).await;
    receiver.becomes(Manner::Dawdles(Duration::from_millis(30), 200));
    let other = WorldOptions::default().platform(world.database.database.clone(), "http://127.0.0.1:1");
    let working = [&world.platform, &other].map(|platform| tokio::spawn(worker::run(Arc::clone(platform))));
    for number in 0..30 {
        agency.agent(&format!("agent{number}"), "0").await;
    }
    receiver.waits_for(30).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let mut ids: Vec<_> =
        receiver.received().iter().map(|sent| sent.header("webhook-id").to_owned()).collect();
    assert_eq!(ids.len(), 30);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 30);
    for working in working {
        working.abort();
    }
}

/// A process that dies while it sends leaves a lease behind, which ends by itself.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_process_had_taken_is_sent_by_another() {
    let (world, agency, _, receiver, _, _) = hooked(World::frozen().await).await;
    receiver.becomes(Manner::Dawdles(Duration::from_secs(60), 200));
    agency.agent("arjun", "0").await;
    feed::publish_due(&world.platform.core).await.unwrap();
    let dying = tokio::spawn({
        let platform = world.platform.clone();
        async move { webhooks::deliver_due(&platform.webhooks).await }
    });
    receiver.waits_for(1).await;
    dying.abort();
    receiver.becomes(Manner::Answers(200));
    world.pass(29);
    world.deliver().await;
    assert_eq!(receiver.received().len(), 1, "the lease is not over");
    world.pass(2);
    world.deliver().await;
    assert_eq!(receiver.received().len(), 2);
    world.deliver().await;
    assert_eq!(receiver.received().len(), 2);
}
