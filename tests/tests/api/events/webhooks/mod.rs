//! Events as an agency's own programs get them: the feed, and what is sent to webhooks.

mod completeness;
mod delivery;
mod digits;
mod fair_turns;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use wayfare_domain::EventKind;
use wayfare_operations::{events::feed, worker};
use wayfare_tests::{Agency, Person, Received, Receiver, World, WorldOptions, faulty_bodies, one_way};

/// A webhook of the agency that sends to this receiver: its id and its secret.
async fn hook(world: &World, admin: &Person, receiver: &Receiver) -> (String, String) {
    hook_for(world, admin, receiver, &[]).await
}

async fn hook_for(world: &World, admin: &Person, receiver: &Receiver, kinds: &[&str]) -> (String, String) {
    // What was before is not for it.
    feed::publish_due(&world.platform.core).await.unwrap();
    let body = json!({ "url": receiver.url, "event_types": kinds });
    let made = admin.post("/org/webhooks", &body).await.succeeds(201);
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

/// An agency with its admin, and a receiver.
async fn opened(world: World) -> (World, Agency, Person, Receiver) {
    let (world, agency, admin) = world.and_admin("0").await;
    (world, agency, admin, Receiver::start().await)
}

/// The same, and the webhook that sends to the receiver: its id and its secret.
async fn hooked(world: World) -> (World, Agency, Person, Receiver, String, String) {
    let (world, agency, admin, receiver) = opened(world).await;
    let (id, secret) = hook(&world, &admin, &receiver).await;
    (world, agency, admin, receiver, id, secret)
}

/// That the receiver's own library takes it for ours.
fn is_signed(received: &Received, secret: &str) {
    let library = standardwebhooks::Webhook::new(secret).unwrap();
    let id = received.header("webhook-id");
    let timestamp = received.header("webhook-timestamp").parse().unwrap();
    let expected = library.sign(id, timestamp, received.body.as_bytes()).unwrap();
    let given = received.header("webhook-signature");
    assert!(given.split(' ').any(|signature| signature == expected), "{given}");
    assert_eq!(received.json()["id"], id);
}

/// The whole feed, read by parts of this size.
async fn feed_of(admin: &Person, limit: usize) -> Vec<Value> {
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let part = admin.get(&format!("/events?after={after}&limit={limit}")).await.ok();
        let events = part["events"].as_array().unwrap();
        assert!(events.len() <= limit);
        all.extend(events.iter().cloned());
        after = part["next"].as_i64().unwrap();
        if part["has_more"] == false {
            return all;
        }
    }
}

/// The ids of the agency's events that are published, as the journal has them.
async fn journal(world: &World) -> Vec<String> {
    let published = EventKind::published().map(EventKind::text).collect::<Vec<_>>().join("','");
    world.lines(&format!("select id from events where action in ('{published}') order by id")).await
}

async fn deliveries(admin: &Person, hook: &str, query: &str) -> Vec<Value> {
    let reply = admin.get(&format!("/org/webhooks/{hook}/deliveries{query}")).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()["data"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_made_changed_and_removed() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let body =
        json!({ "url": "https://example.com/hooks", "event_types": ["booking.failed", "booking.failed"] });
    let made = admin.post("/org/webhooks", &body).await.succeeds(201);
    let bytes = STANDARD.decode(made["secret"].as_str().unwrap().strip_prefix("whsec_").unwrap()).unwrap();
    assert_eq!(bytes.len(), 32);
    assert_has!(made, { "event_types": ["booking.failed"], "is_active": true });
    let listed = admin.get("/org/webhooks").await;
    assert_eq!(listed.json()["data"][0]["id"], made["id"]);
    assert!(!listed.text.contains("secret"), "{listed:?}");
    let path = format!("/org/webhooks/{}", made["id"].as_str().unwrap());
    let changed = json!({ "url": "https://example.com/other", "description": "CRM", "is_active": false });
    let changed = admin.put(&path, &changed).await.ok();
    assert_has!(changed, { "url": "https://example.com/other", "event_types": [], "is_active": false });
    // What is not said about it stays.
    let again = admin.put(&path, &json!({ "url": "https://example.com/other" })).await.ok();
    assert_eq!(again["is_active"], false);
    admin.delete(&path).await.says(200, "webhook deleted");
    admin.delete(&path).await.is_missing();
    let actions = "select action from events where action like 'webhook.%' order by id";
    assert_eq!(
        world.lines(actions).await,
        ["webhook.created", "webhook.updated", "webhook.updated", "webhook.deleted"]
    );
    // Nowhere is the secret: not in the journal, nor in what is kept of answers.
    assert_eq!(world.line("select count(*) from events where new_value::text like '%whsec%'").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_can_be_asked_for_again_under_its_key_and_is_not_kept() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let body = json!({ "url": "https://example.com/hooks" });
    let first = admin.post_with_key("/org/webhooks", "one", &body).await;
    let again = admin.post_with_key("/org/webhooks", "one", &body).await;
    assert_eq!(first.text, again.text);
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(world.line("select count(*) from webhooks").await, "1");
    assert_eq!(world.line("select count(*) from idempotency_keys where answer is not null").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_no_webhook_is_refused() {
    // As an operator has it who allows nothing.
    let options = WorldOptions { webhook_networks: Vec::new(), ..WorldOptions::default() };
    let (_world, _, admin) = World::with(options).await.and_admin("0").await;
    let table = r#"
        /url  null                             {url this field is required}
        /url  "nonsense"                       {url must be a URL like https://example.com/webhooks}
        /url  "http://example.com"             {url must begin with https://}
        /url  "http://127.0.0.1:1"             {url must begin with https://}
        /url  "https://127.0.0.1"              {url must be a public address}
        /url  "https://[::ffff:10.0.0.1]"      {url must be a public address}
        /url  "https://169.254.169.254"        {url must be a public address}
        /url  "https://me:secret@example.com"  {url must not contain a user name or password}
        /event_types  ["booking.failed", "exception.raised"]  {event_types[1] must be an event that is published}
    "#;
    for (body, faults) in faulty_bodies(&json!({ "url": "https://example.com" }), table) {
        admin.post("/org/webhooks", &body).await.is_invalid(&faults);
    }
    for number in 0..10 {
        let body = json!({ "url": format!("https://example.com/{number}") });
        admin.post("/org/webhooks", &body).await.succeeds(201);
    }
    let refused = admin.post("/org/webhooks", &json!({ "url": "https://example.com/" })).await;
    refused.is(409, "an organization has at most 10 webhooks");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_tells_each_event_once_in_order() {
    let (world, _, admin, agent) = World::start().await.and_people("1000", "1000000").await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    assert_eq!(feed_of(&admin, 5).await, Vec::<Value>::new(), "nothing is published yet");
    feed::publish_due(&world.platform.core).await.unwrap();
    let all = feed_of(&admin, 2).await;
    let kinds: Vec<_> = all.iter().map(|event| event["type"].as_str().unwrap()).collect();
    let made = ["user.created", "wallet.topped_up"];
    assert_eq!(kinds, [&made[..], &made, &["booking.requested", "booking.confirmed"]].concat());
    let sequences: Vec<_> = all.iter().map(|event| event["sequence"].as_i64().unwrap()).collect();
    assert_eq!(sequences, [1, 2, 3, 4, 5, 6]);
    let confirmed = &all[5]["data"];
    assert_has!(confirmed, { "booking_ref": bought.reference, "user_id": agent.id, "status": "confirmed" });
    let mut ids: Vec<_> = all.iter().map(|event| event["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    assert_eq!(ids, journal(&world).await);
    // Nothing new: the same place.
    let end = admin.get("/events?after=6").await.ok();
    assert_eq!(end, json!({ "events": [], "next": 6, "has_more": false }));
    // Another agency has a feed of its own.
    let other = world.agency().await.admin("5").await;
    feed::publish_due(&world.platform.core).await.unwrap();
    assert_eq!(feed_of(&other, 100).await.len(), 2);
    // A place that is another feed's, or of a time before a restore.
    let beyond = "{after must not be beyond the last event, which is 6}";
    admin.get("/events?after=7").await.is_invalid(beyond);
    for query in ["after=-1", "after=x", "limit=0", "limit=501"] {
        assert_eq!(admin.get(&format!("/events?{query}")).await.status, 422, "{query}");
    }
}

/// A number that was drawn in a transaction could be passed by.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_passes_nothing_by_that_is_committed_late() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let publish = async || feed::publish_due(&world.platform.core).await.unwrap();
    let mut elsewhere = world.database.owner().await;
    let begun = "begin; insert into public_events (org_id, id, kind, subject, data, created_at)
         select id, gen_random_uuid(), 'user.created', 'user:late', '{}', now() from organizations";
    diesel_async::SimpleAsyncConnection::batch_execute(&mut elsewhere, begun).await.unwrap();
    agency.agent("arjun", "5").await;
    publish().await;
    assert_eq!(feed_of(&admin, 100).await.len(), 3);
    diesel_async::SimpleAsyncConnection::batch_execute(&mut elsewhere, "commit").await.unwrap();
    publish().await;
    let after = admin.get("/events?after=3").await.ok();
    assert_eq!(after["events"].as_array().unwrap().len(), 1);
    assert_eq!(after["events"][0]["sequence"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_has_thirty_days() {
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.admin("5").await;
    agency.agent("arjun", "5").await;
    feed::publish_due(&world.platform.core).await.unwrap();
    world.pass(30 * 86_400 + 1);
    agency.agent("bina", "0").await;
    feed::publish_due(&world.platform.core).await.unwrap();
    worker::remove_old(&world.platform).await.unwrap();
    let admin = agency.log_in("asha").await;
    admin.get("/events?after=2").await.is(410, "events up to 4 are no longer kept, read on after it");
    for query in ["", "?after=4"] {
        let kept = admin.get(&format!("/events{query}")).await.ok();
        assert_eq!(kept["events"].as_array().unwrap().len(), 1);
        assert_eq!(kept["next"], 5);
    }
    assert_eq!(admin.get("/events?after=5").await.ok()["next"], 5);
    // The journal has them still.
    assert_eq!(journal(&world).await.len(), 5);
}
