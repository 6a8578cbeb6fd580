//! What happened to a booking: everything, in order of time, told to those who see the booking and to nobody else.

use serde_json::Value;
use wayfare_tests::{MONEY, Person, Pick, World, WorldOptions, amount, one_way, stay_at};

fn told(timeline: &Value) -> Vec<String> {
    let told = |entry: &Value| {
        let words = ["what", "action", "step", "outcome", "refund_status", "by"];
        words.iter().filter_map(|name| entry[*name].as_str()).collect::<Vec<_>>().join(" ")
    };
    timeline.as_array().unwrap().iter().map(told).collect()
}

async fn timeline(who: &Person, kind: &str, reference: &str) -> Value {
    who.get(&format!("/{kind}/bookings/{reference}/timeline")).await.ok()
}

/// That these entries are there in this order, whatever is between them.
#[track_caller]
fn come_in_order(told: &[String], expected: &[&str]) {
    let mut rest = told.iter();
    for wanted in expected {
        assert!(rest.any(|entry| entry == wanted), "{wanted} does not come, or not there: {told:#?}");
    }
}

#[track_caller]
fn times_are_sorted(timeline: &Value) {
    let times = timeline.as_array().unwrap().iter();
    let times: Vec<&str> = times.map(|entry| entry["at"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flight_is_priced_booked_and_cancelled_in_this_order() {
    let (world, _, admin, agent) = World::frozen().await.and_people("0", MONEY).await;
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote_dearest(&trip).await;
    world.pass(30);
    let booked = agent.book(&agent.order(&priced, &trip)).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap();
    world.pass(60);
    admin.cancels(reference).await;
    let shown = timeline(&agent, "flights", reference).await;
    times_are_sorted(&shown);
    come_in_order(
        &told(&shown),
        &[
            "priced",
            "event booking.requested org_user",
            "asked book",
            "answered book done",
            "event booking.confirmed org_user",
            "event booking.cancel_requested org_user",
            "asked cancel",
            "answered cancel done",
            "event booking.cancelled org_user",
        ],
    );
    let of = |what: &str| {
        let mut entries = shown.as_array().unwrap().iter();
        entries.find(|entry| entry["what"] == what).unwrap().clone()
    };
    assert_has!(of("asked"), { "step": "book", "order": 1, "provider": booked["provider"], "action": null, "by": null });
    assert_eq!(amount(&of("event")["amount"]), amount(&booked["total_amount"]));
    assert_has!(of("event"), { "currency": "INR", "step": null, "order": null });
    assert_has!(of("refund"), { "refund_status": "refunded", "order": 1, "currency": "INR" });
    // An admin reads the same, and nobody learns from it who was given whom it is for.
    admin.get(&format!("/org/bookings/{reference}/people")).await.ok();
    assert_eq!(timeline(&admin, "flights", reference).await, shown);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_supplier_said_is_not_in_it() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let trip = one_way("DEL", "BOM");
    let order = agent.order(&agent.quote(&trip).await, &trip);
    world.next("book", "sold_out").await;
    let refused = agent.book(&order).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    let why = world.line("select failure from bookings").await;
    assert!(!why.is_empty());
    let shown = timeline(&agent, "flights", &world.line("select booking_ref from bookings").await).await;
    assert!(!shown.to_string().contains(&why), "{shown}");
    come_in_order(&told(&shown), &["asked book", "answered book refused", "event booking.failed org_user"]);
    // While nobody knows, it was asked and not answered.
    let order = agent.order(&agent.quote(&trip).await, &trip);
    world.next("book", "drop_after").await;
    let pending = agent.book(&order).await.succeeds(202);
    let said = told(&timeline(&agent, "flights", pending["booking_ref"].as_str().unwrap()).await);
    assert!(said.contains(&"asked book".to_owned()), "{said:?}");
    assert!(said.iter().all(|entry| !entry.starts_with("answered")), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_never_sent_was_not_asked() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    let of = "from effects e join bookings b on (b.id, b.org_id) = (e.booking_id, e.org_id)";
    assert_eq!(world.line(&format!("select count(*) {of}")).await, "1");
    world.sql("update effects set state = 'refused', problem = 'skipped: an earlier step was refused'").await;
    let said = told(&timeline(&agent, "flights", &reference).await);
    let sent = |entry: &String| entry.starts_with("asked") || entry.starts_with("answered");
    assert!(!said.iter().any(sent), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timeline_is_seen_by_those_who_see_the_booking() {
    let (world, agency, admin, agent) = World::start().await.and_people("0", MONEY).await;
    let other = agency.agent("bina", "0").await;
    let stranger = world.agency().await.admin("0").await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    let path = format!("/flights/bookings/{reference}/timeline");
    for sees in [&agent, &admin] {
        sees.get(&path).await.ok();
    }
    for hidden in [&other, &stranger] {
        hidden.get(&path).await.is_missing();
    }
    // It is a flight's.
    agent.get(&format!("/hotels/bookings/{reference}/timeline")).await.is_missing();
    agent.get("/flights/bookings/FA-00000000/timeline").await.is_missing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stay_has_a_timeline_as_a_flight_has() {
    let (world, agency) = World::with(WorldOptions::hotels().frozen()).await.and_agency().await;
    let agent = agency.agent("arjun", "2000000").await;
    let other = agency.agent("bina", "0").await;
    let reference = agent.buy_stay(&stay_at("liteapi"), Pick::Free).await.reference;
    world.pass(60);
    agent.cancel_stay(&reference).await.ok();
    let shown = timeline(&agent, "hotels", &reference).await;
    times_are_sorted(&shown);
    come_in_order(
        &told(&shown),
        &[
            "priced",
            "event booking.requested org_user",
            "asked book",
            "event booking.confirmed org_user",
            "asked cancel",
            "event booking.cancelled org_user",
        ],
    );
    assert_eq!(shown[0]["amount"], Value::Null);
    let path = format!("/hotels/bookings/{reference}/timeline");
    other.get(&path).await.is_missing();
    world.agency().await.admin("0").await.get(&path).await.is_missing();
}
