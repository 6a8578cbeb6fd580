//! Every public event of the journal arrives, in order for each booking, though the receiver was away for an hour.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use wayfare_tests::{Agency, Manner, Person, Pick, Receiver, Seller, World, WorldOptions, one_way, stay_at};

use super::{feed_of, hook, is_signed, journal};

#[tokio::test(flavor = "multi_thread")]
async fn all_that_the_journal_has_arrives_in_order() {
    let options = WorldOptions::of([Seller::duffel(), Seller::liteapi()]).frozen();
    let (world, agency, admin) = World::with(options).await.and_admin("100000").await;
    let receiver = Receiver::start().await;
    world.deliver().await;
    let (_, secret) = hook(&world, &admin, &receiver).await;
    let before = feed_of(&admin, 100).await.len();
    receiver.becomes(Manner::HangsUp);

    much_happens(&world, &agency, &admin).await;
    for _ in 0..12 {
        world.deliver().await;
        world.pass(300);
    }
    let tried = receiver.received().len();
    assert!(tried > 20, "it was tried while the receiver was away: {tried}");
    receiver.becomes(Manner::Answers(200));
    for _ in 0..24 {
        world.pass(300);
        world.deliver().await;
    }

    let taken = receiver.received().split_off(tried);
    for sent in &taken {
        is_signed(sent, &secret);
    }
    let events: Vec<Value> = taken.iter().map(wayfare_tests::Received::json).collect();
    let ids: Vec<&str> = events.iter().map(|event| event["id"].as_str().unwrap()).collect();
    let once: BTreeSet<_> = ids.iter().collect();
    assert_eq!(once.len(), ids.len(), "nothing was sent again that had been taken");
    // What the webhook got, what the feed tells since, what the journal has: the same events, with the same content.
    let admin = agency.log_in("asha").await;
    let feed = feed_of(&admin, 3).await.split_off(before);
    let mut sent: Vec<Value> = events.clone();
    sent.sort_by_key(|event| event["id"].to_string());
    let mut told: Vec<Value> = feed.iter().cloned().map(without_sequence).collect();
    told.sort_by_key(|event| event["id"].to_string());
    assert_eq!(sent, told);
    let all = feed_of(&admin, 100).await;
    let mut ids: Vec<&str> = all.iter().map(|event| event["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, journal(&world).await);

    assert_eq!(order_of(&events), order_of(&feed));
    let orders = order_of(&events);
    assert_eq!(orders.len(), 6);
    let cancelled = [
        "booking.requested",
        "booking.confirmed",
        "booking.cancel_requested",
        "refund.completed",
        "booking.cancelled",
    ];
    let count = |wanted: &[&str]| orders.values().filter(|kinds| *kinds == wanted).count();
    assert_eq!(count(&cancelled), 4, "{orders:?}");
    assert_eq!(count(&["booking.requested", "booking.failed"]), 1, "{orders:?}");
    world.books_agree().await;
}

/// Bookings that are cancelled, kept and refused, a stay, and money that is given.
async fn much_happens(world: &World, agency: &Agency, admin: &Person) {
    let agent = agency.agent("arjun", "10000000").await;
    let trip = one_way("DEL", "BOM");
    for _ in 0..3 {
        let booked = agent.buy_dearest(&trip).await;
        world.deliver().await;
        agent.cancels(&booked.reference).await;
    }
    agent.buy(one_way("DEL", "BLR")).await;
    let cancelled = agent.cancel_stay(&agent.buy_stay(&stay_at("liteapi"), Pick::Free).await.reference).await;
    cancelled.says(200, "booking cancelled");
    admin.give(&agent, "10.25", "").await;
    world.next("book", "sold_out").await;
    agent.try_buy(&trip).await;
}

fn without_sequence(mut event: Value) -> Value {
    event.as_object_mut().unwrap().remove("sequence");
    event
}

/// The kinds of each booking's events, in the order in which they happened.
fn order_of(events: &[Value]) -> BTreeMap<String, Vec<String>> {
    let mut orders = BTreeMap::<String, Vec<String>>::new();
    for event in events {
        if let Some(reference) = event["data"]["booking_ref"].as_str() {
            orders.entry(reference.to_owned()).or_default().push(event["type"].as_str().unwrap().to_owned());
        }
    }
    orders
}
