//! What is told of a hold, wherever a booking is told: in book's answer, in its detail, in the list.

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use serde_json::{Value, json};
use wayfare_tests::{Bought, MONEY, World, one_way};

use super::stage::Stage;

/// So many seconds after another time, as answers have it.
fn after(begin: DateTime<Utc>, seconds: i64) -> String {
    (begin + Duration::seconds(seconds)).to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// What the detail tells of the hold; the list tells the same.
async fn told(stage: &Stage) -> Value {
    let detail = stage.agent.booking(&stage.reference).await;
    assert_eq!(stage.agent.get("/flights/bookings").await.ok()[0]["hold"], detail["hold"]);
    detail["hold"].clone()
}

async fn both() -> [(Stage, DateTime<Utc>, Value); 2] {
    let duffel = Stage::at_duffel().await;
    let begin = duffel.world.now();
    // Its price ends before its seats do.
    let held_at_duffel = json!({
        "state": "held", "pay_by": after(begin, 72 * 3600), "price_guaranteed_until": after(begin, 48 * 3600),
        "auto_ticket": false, "next_reminder_at": after(begin, 47 * 3600),
    });
    let tripjack = Stage::at_tripjack(600).await;
    let held_at_tripjack = json!({
        "state": "held", "pay_by": after(begin, 600), "price_guaranteed_until": null,
        "auto_ticket": false, "next_reminder_at": after(begin, 300),
    });
    [(duffel, begin, held_at_duffel), (tripjack, begin, held_at_tripjack)]
}

/// A hold with nobody to be reminded of it any more.
fn ended(held: &Value, state: &str) -> Value {
    let mut ended = held.clone();
    ended["state"] = state.into();
    ended["next_reminder_at"] = Value::Null;
    ended
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_is_told_wherever_its_booking_is() {
    for (stage, _, held) in both().await {
        assert_eq!(stage.booked["hold"], held);
        assert_eq!(told(&stage).await, held);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_is_paid_when_its_supplier_took_the_payment() {
    for (stage, _, held) in both().await {
        let supplier = stage.world.supplier_orders().await[0]["supplier"].clone();
        // Nobody knows yet.
        stage.world.next_at(supplier.as_str().unwrap(), "ticket", "drop_after").await;
        assert_eq!(stage.pay().await.status, 202);
        assert_eq!(told(&stage).await["state"], "held");
        stage.world.recover_in(10).await;
        assert_eq!(told(&stage).await, ended(&held, "paid"));
        assert_eq!(stage.world.line("select count(*) from hold_reminders where told_at is null").await, "0");
        let events =
            "select action from events where action like '%paid' or action = 'ticket.issued' order by action";
        assert_eq!(stage.world.lines(events).await, ["booking.hold_paid", "ticket.issued"]);
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_is_released_when_it_is_given_back() {
    for (stage, _, held) in both().await {
        stage.agent.cancels(&stage.reference).await;
        assert_eq!(told(&stage).await, ended(&held, "released"));
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_lapses_when_its_supplier_lets_it_go() {
    for (mut stage, _, held) in both().await {
        stage.pass(stage.seconds + 6).await;
        stage.world.watch().await;
        assert_eq!(told(&stage).await, ended(&held, "lapsed"));
        let notified = stage.agent.get("/notifications").await.ok();
        let kinds: Vec<&Value> = notified.as_array().unwrap().iter().map(|one| &one["kind"]).collect();
        assert!(kinds.contains(&&json!("booking.lapsed")), "{kinds:?}");
        stage.world.is_settled().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_told_of_what_was_never_held() {
    let (_world, _, agent) = World::start().await.and_agent(MONEY).await;
    let Bought { reference, booked, .. } = agent.buy(one_way("DEL", "BOM")).await;
    for answer in [&booked, &agent.get("/flights/bookings").await.ok()[0], &agent.booking(&reference).await] {
        assert_eq!(answer.get("hold"), Some(&Value::Null), "{answer}");
    }
    let path = format!("/flights/bookings/{reference}/auto-ticket");
    agent.put(&path, &json!({ "enabled": true })).await.is(400, "nothing of the booking is held");
}

/// TripJack says of a held fare that it is stale: its price was guaranteed until then, and is not again later.
#[tokio::test(flavor = "multi_thread")]
async fn a_fare_that_is_stale_has_lost_its_guarantee_when_that_is_seen() {
    let mut stage = Stage::at_tripjack(7200).await;
    let seen = after(stage.world.now(), 60);
    for (seconds, fault) in [(60, "fare_stale"), (60, "fare_stale"), (60, "status:500")] {
        stage.pass(seconds).await;
        stage.world.next_at("tripjack", "price", fault).await;
        stage.agent.get(&format!("/flights/bookings/{}/retrieve", stage.reference)).await.ok();
        assert_eq!(stage.world.faults_left().await, 0);
        assert_eq!(told(&stage).await["price_guaranteed_until"], seen);
    }
    for _ in 0..2 {
        stage.world.tend_holds().await;
    }
    let events = "select count(*) from events where action = 'booking.hold_price_ending'";
    assert_eq!(stage.world.line(events).await, "1");
    stage.world.is_settled().await;
}

/// A client that knows of no holds (D-280) books, then has its tickets issued: both end well, whatever is held.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_the_contract_books_and_has_its_tickets_issued() {
    for (from, to) in [("DEL", "BOM"), ("JFK", "EWR")] {
        let (world, _, agent) = World::start().await.and_agent(MONEY).await;
        let booked = agent.try_buy(&one_way(from, to)).await.ok();
        let path = format!("/flights/bookings/{}/issue-ticket", booked["booking_ref"].as_str().unwrap());
        let issued = agent.post(&path, &json!({ "amount": booked["total_amount"] })).await;
        let issued = issued.says(200, "ticket issued");
        assert_eq!(issued["status"], "ISSUED");
        assert_eq!(issued["ticket_numbers"].as_array().map(Vec::len), Some(1));
        world.is_settled().await;
    }
}
