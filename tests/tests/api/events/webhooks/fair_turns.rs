//! Whose turn it is: no agency, webhook or event waits for another's, and what admins change holds at once.

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::json;
use tokio::task::JoinHandle;
use wayfare_operations::{
    events::{feed, webhooks as hooks},
    worker,
};
use wayfare_store::events::{webhook_deliveries, webhooks};
use wayfare_tests::{Manner, Person, Receiver, World};

use super::{deliveries, hook, hook_for, hooked, opened};

fn delivering(world: &World) -> JoinHandle<()> {
    let platform = Arc::clone(&world.platform);
    tokio::spawn(async move { hooks::deliver_due(&platform.webhooks).await.unwrap() })
}

async fn changed(admin: &Person, id: &str, url: &str, is_active: bool) {
    admin.put(&format!("/org/webhooks/{id}"), &json!({ "url": url, "is_active": is_active })).await.ok();
}

async fn tested(admin: &Person, id: &str) {
    admin.post(&format!("/org/webhooks/{id}/test"), &json!(null)).await.ok();
}

fn kinds(receiver: &Receiver) -> Vec<String> {
    let kind = |sent: &wayfare_tests::Received| sent.json()["type"].as_str().unwrap().to_owned();
    receiver.received().iter().map(kind).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn agencies_are_published_in_turns() {
    let world = World::start().await;
    for _ in 0..2 {
        world.agency().await.admin("0").await;
    }
    feed::publish_due(&world.platform.core).await.unwrap();
    let statement = "insert into public_events (org_id, id, kind, subject, data, created_at)
         select id, gen_random_uuid(), 'user.created', 'user:' || number, '{}', now()
         from organizations, generate_series(1, 1200) number";
    world.sql(statement).await;
    feed::publish_due(&world.platform.core).await.unwrap();
    // The transactions in which each agency's first and last were published.
    let spans = "select min(xmin::text::bigint) || ' ' || max(xmin::text::bigint) from public_events
        where data = '{}' group by org_id";
    let lines = world.lines(spans).await;
    let span = |line: &String| line.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<u64>>();
    let spans: Vec<_> = lines.iter().map(span).collect();
    assert_eq!(spans.len(), 2);
    assert!(
        spans[0][0] < spans[1][1] && spans[1][0] < spans[0][1],
        "one waits for all of the other: {spans:?}"
    );
    assert_eq!(world.line("select count(*) from public_events where sequence is null").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_much_to_send_goes_behind_those_who_wait() {
    let (world, agency, admin, receiver) = opened(World::frozen().await).await;
    let (busy, _) = hook_for(&world, &admin, &receiver, &["user.created"]).await;
    agency.agent("arjun", "0").await;
    feed::publish_due(&world.platform.core).await.unwrap();
    world.pass(60);
    let (other, _) = hook_for(&world, &admin, &receiver, &["user.suspended"]).await;
    admin.suspend_user(&agency.agent("bina", "0").await).await;
    feed::publish_due(&world.platform.core).await.unwrap();
    world.pass(60);

    let mut connection = world.database.owner().await;
    let now = world.platform.core.clock.now();
    let mut taken = Vec::new();
    for number in 1..4 {
        let until = now + TimeDelta::seconds(number);
        let lease = webhooks::take_due(&mut connection, now, until, 1).await.unwrap().remove(0);
        let next = webhook_deliveries::next_due(&mut connection, &lease, now).await.unwrap();
        assert_eq!(next, Some(now), "it was due long ago, and is due behind the others");
        webhooks::give_back(&mut connection, &lease, next, None).await.unwrap();
        taken.push(lease.id.to_string());
    }
    assert_eq!(taken[..2], [busy, other]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_rests_gets_nothing_else_either() {
    for (manner, early, late) in [
        (Manner::AnswersWith(429, "retry-after: 600\r\n"), 590, 11),
        (Manner::AnswersWith(503, "retry-after: 600\r\n"), 590, 11),
        (Manner::HangsUp, 1, 9),
    ] {
        let (world, agency, _, receiver, _, _) = hooked(World::frozen().await).await;
        receiver.becomes(manner);
        agency.agent("arjun", "0").await;
        world.deliver().await;
        receiver.becomes(Manner::Answers(200));
        agency.agent("bina", "0").await;
        world.pass(early);
        world.deliver().await;
        assert_eq!(receiver.received().len(), 1, "{manner:?}");
        world.pass(late);
        world.deliver().await;
        assert_eq!(receiver.received().len(), 3, "{manner:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waited_too_long_is_given_up_and_not_sent() {
    let (world, agency, admin, receiver) = opened(World::frozen().await).await;
    let (id, _) = hook_for(&world, &admin, &receiver, &["user.suspended", "user.activated"]).await;
    receiver.becomes(Manner::Answers(500));
    let agent = agency.agent("arjun", "0").await;
    let of_agent = |what: &str| format!("/org/users/{}/{what}", agent.id);
    // The second waits behind the first and is never tried.
    admin.put(&of_agent("suspend"), &json!({})).await.ok();
    admin.put(&of_agent("activate"), &json!({})).await.ok();
    world.deliver().await;
    changed(&admin, &id, &receiver.url, false).await;
    receiver.becomes(Manner::Answers(200));
    world.pass(72 * 3600 + 1);
    let admin = agency.log_in("asha").await;
    changed(&admin, &id, &receiver.url, true).await;
    world.deliver().await;
    assert_eq!(receiver.received().len(), 1);
    // Nor does it keep the next of the same user.
    admin.put(&of_agent("suspend"), &json!({})).await.ok();
    world.deliver().await;
    assert_eq!(receiver.received().len(), 2);
    worker::remove_old(&world.platform).await.unwrap();
    let told = deliveries(&admin, &id, "?status=failed").await;
    assert_eq!(told.len(), 2);
    assert_has!(told[0], { "attempts": 0, "response_excerpt": "its time was over before it was sent" });
    assert_has!(told[1], { "attempts": 1, "response_excerpt": "heard" });
    assert_eq!(deliveries(&admin, &id, "?status=pending").await.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_address_gets_at_once_what_the_old_one_refused() {
    let (world, agency, admin) = World::frozen().await.and_admin("0").await;
    let (old, new) = (Receiver::start().await, Receiver::start().await);
    let (id, _) = hook(&world, &admin, &old).await;
    old.becomes(Manner::Answers(500));
    agency.agent("arjun", "0").await;
    for _ in 0..4 {
        world.deliver().await;
        world.pass(900);
    }
    assert_eq!(old.received().len(), 4);
    changed(&agency.log_in("asha").await, &id, &new.url, true).await;
    world.deliver().await;
    assert_eq!(new.received().len(), 1);
    assert_eq!(old.received().len(), 4);
}

/// An attempt at the old address is under way and says that it is gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_that_moves_while_it_is_sent_to_loses_nothing() {
    for status in [410, 500] {
        let (world, agency, admin) = World::start().await.and_admin("0").await;
        let (old, new) = (Receiver::start().await, Receiver::start().await);
        let (id, _) = hook(&world, &admin, &old).await;
        old.becomes(Manner::Waits(status));
        agency.agent("arjun", "0").await;
        feed::publish_due(&world.platform.core).await.unwrap();
        let sending = delivering(&world);
        old.waits_for(1).await;
        changed(&admin, &id, &new.url, true).await;
        old.lets_go();
        sending.await.unwrap();
        world.deliver().await;
        assert_eq!(new.received().len(), 1, "{status}");
        assert_eq!(admin.get("/org/webhooks").await.ok()[0]["is_active"], true, "{status}");
        assert_eq!(deliveries(&admin, &id, "?status=delivered").await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_switched_off_gets_nothing_more_of_the_turn() {
    for ends in ["off", "delete"] {
        let (world, agency, admin, receiver, id, _) = hooked(World::start().await).await;
        receiver.becomes(Manner::Waits(200));
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            agency.agent(name, "0").await;
        }
        feed::publish_due(&world.platform.core).await.unwrap();
        let sending = delivering(&world);
        receiver.waits_for(4).await;
        match ends {
            "off" => changed(&admin, &id, &receiver.url, false).await,
            _ => drop(admin.delete(&format!("/org/webhooks/{id}")).await.ok()),
        }
        receiver.lets_go();
        sending.await.unwrap();
        world.deliver().await;
        assert_eq!(receiver.received().len(), 4, "{ends}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_webhook_is_gone_at_once_and_its_deliveries_later() {
    let (world, agency, admin, receiver, id, _) = hooked(World::start().await).await;
    agency.agent("arjun", "0").await;
    world.deliver().await;
    let path = format!("/org/webhooks/{id}");
    admin.delete(&path).await.says(200, "webhook deleted");
    assert_eq!(admin.get("/org/webhooks").await.ok(), json!([]));
    for reply in [
        admin.delete(&path).await,
        admin.get(&format!("{path}/deliveries")).await,
        admin.post(&format!("{path}/test"), &json!(null)).await,
        admin.put(&path, &json!({ "url": receiver.url })).await,
    ] {
        reply.is_missing();
    }
    agency.agent("bina", "0").await;
    world.deliver().await;
    let left = "select (select count(*) from webhooks) || ' ' || (select count(*) from webhook_deliveries)";
    assert_eq!(world.line(left).await, "1 1");
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(left).await, "0 0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_does_not_wait_for_one_that_failed() {
    let (world, _, admin, receiver, id, _) = hooked(World::start().await).await;
    receiver.becomes(Manner::Answers(401));
    tested(&admin, &id).await;
    world.deliver().await;
    receiver.becomes(Manner::Answers(200));
    tested(&admin, &id).await;
    world.deliver().await;
    assert_eq!(kinds(&receiver), ["webhook.test", "webhook.test"]);
    assert_eq!(deliveries(&admin, &id, "?status=delivered").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_counts_whatever_body_follows() {
    let (world, agency, admin, receiver, id, _) = hooked(World::start().await).await;
    receiver.becomes(Manner::Trickles);
    agency.agent("arjun", "0").await;
    world.deliver().await;
    let told = deliveries(&admin, &id, "").await;
    assert_eq!(told[0]["status"], "delivered", "{told:?}");
    assert_eq!(receiver.received().len(), 1);
}

/// Another process whose clock is behind writes an event after the webhook was made.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_new_to_a_webhook_is_no_question_of_clocks() {
    let (world, agency, admin, receiver) = opened(World::start().await).await;
    agency.agent("arjun", "0").await;
    admin.post("/org/webhooks", &json!({ "url": receiver.url })).await.succeeds(201);
    let statement = "insert into public_events (org_id, id, kind, subject, data, created_at)
         select id, gen_random_uuid(), 'booking.failed', 'booking:late', '{}', now() - interval '1 hour'
         from organizations";
    world.sql(statement).await;
    world.deliver().await;
    assert_eq!(kinds(&receiver), ["booking.failed"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_agency_is_told_when_it_may_act_again() {
    let (world, agency, _, receiver, _, _) = hooked(World::start().await).await;
    agency.agent("arjun", "0").await;
    world.sql("update organizations set status = 'suspended'").await;
    world.deliver().await;
    assert_eq!(receiver.received().len(), 0);
    world.sql("update organizations set status = 'active'").await;
    world.deliver().await;
    assert_eq!(receiver.received().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_feed_has_no_more_is_not_sent_again() {
    let (world, agency, _, receiver, id, _) = hooked(World::frozen().await).await;
    agency.agent("arjun", "0").await;
    world.deliver().await;
    let path =
        format!("/org/webhooks/{id}/deliveries/{}/redeliver", receiver.received()[0].header("webhook-id"));
    world.pass(30 * 86_400 - 60);
    let admin = agency.log_in("asha").await;
    admin.post(&path, &json!(null)).await.ok();
    world.deliver().await;
    assert_eq!(receiver.received().len(), 2);
    // Whether it was removed already or not.
    world.pass(60);
    admin.post(&path, &json!(null)).await.is_missing();
    world.deliver().await;
    assert_eq!(receiver.received().len(), 2);
}

/// The other webhooks of the agency tell that one is off.
#[tokio::test(flavor = "multi_thread")]
async fn that_one_is_off_is_told_to_the_others() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let (gone, other) = (Receiver::start().await, Receiver::start().await);
    let (id, _) = hook_for(&world, &admin, &gone, &["user.created"]).await;
    hook_for(&world, &admin, &other, &["webhook.disabled"]).await;
    gone.becomes(Manner::Answers(410));
    agency.agent("arjun", "0").await;
    world.deliver().await;
    world.deliver().await;
    assert_eq!(kinds(&other), ["webhook.disabled"]);
    assert_eq!(other.received()[0].json()["data"], json!({ "webhook_id": id }));
}
