//! Paying for what is held: tickets once, money never again, and no doubt about either.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_tests::{MONEY, Person, Reply, World, one_way};

/// A held booking: its reference and what was paid.
async fn held(agent: &Person) -> (String, Decimal) {
    let booked = agent.try_buy(&one_way("JFK", "EWR")).await.ok();
    (booked["booking_ref"].as_str().unwrap().to_owned(), wayfare_tests::amount(&booked["total_amount"]))
}

async fn issue(agent: &Person, reference: &str, body: &Value) -> Reply {
    agent.post(&format!("/flights/bookings/{reference}/issue-ticket"), body).await
}

fn paying(fare: Decimal) -> Value {
    serde_json::from_str(&format!(r#"{{"amount": {fare}, "agent_fare": {fare}}}"#)).unwrap()
}

/// That it is ticketed, was paid once by the wallet and stands once at the supplier.
async fn ticketed(world: &World, agent: &Person, reference: &str, fare: Decimal) {
    assert_has!(agent.booking(reference).await, {
        "status": "confirmed", "can_issue_ticket": false, "pnr_details/0/status": "confirmed",
        "tickets/0/status": "ISSUED",
    });
    assert_eq!(agent.balance().await, MONEY.parse::<Decimal>().unwrap() - fare);
    let orders = world.supplier_orders().await;
    assert_eq!((orders.len(), &orders[0]["status"]), (1, &json!("confirmed")));
    world.books_agree().await;
}

/// That it is held as before.
async fn still_held(world: &World, agent: &Person, reference: &str, fare: Decimal) {
    assert_has!(agent.booking(reference).await, { "status": "confirmed", "can_issue_ticket": true });
    assert_eq!(agent.balance().await, MONEY.parse::<Decimal>().unwrap() - fare);
    assert_eq!(world.supplier_orders().await[0]["status"], "held");
    assert_eq!(world.line("select count(*) from effects where state = 'open'").await, "0");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_booking_is_ticketed_and_no_money_moves() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let (reference, fare) = held(&agent).await;
    let issued = issue(&agent, &reference, &paying(fare)).await.says(200, "ticket issued");
    assert_eq!(issued["status"], "ISSUED");
    let numbers = issued["ticket_numbers"].as_array().unwrap();
    assert_eq!(numbers.len(), 1);
    assert_eq!(agent.booking(&reference).await["tickets"][0]["tkt_number"], numbers[0]);
    ticketed(&world, &agent, &reference, fare).await;
    let again = issue(&agent, &reference, &paying(fare)).await.says(200, "ticket issued");
    assert_has!(again, { "ticket_numbers": (&issued["ticket_numbers"]), "already_issued": true });
    assert_eq!(issued["already_issued"], false);
    ticketed(&world, &agent, &reference, fare).await;
    let events = "select string_agg(action, ' ' order by id) from events where entity_type = 'booking'";
    let in_order = "booking.requested booking.confirmed ticket.requested ticket.issued booking.hold_paid";
    assert_eq!(world.line(events).await, in_order);
    // What is paid is not given back in full any more.
    let penalty = agent.penalty(&reference).await;
    if penalty.status == 200 {
        let refund = wayfare_tests::amount(&penalty.ok()["refund_amount"]);
        agent.cancels(&reference).await;
        assert_eq!(agent.balance().await, MONEY.parse::<Decimal>().unwrap() - fare + refund);
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_client_states_is_checked_before_anything_is_sent() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let (reference, fare) = held(&agent).await;
    let other = fare + Decimal::ONE;
    let agreed = serde_json::from_str(&format!(r#"{{"amount": {fare}, "agent_fare": {other}}}"#)).unwrap();
    for body in [paying(other), agreed] {
        issue(&agent, &reference, &body).await.is(400, "fare has changed, please price again");
    }
    for (body, text) in [
        (json!({}), "{amount this field is required}"),
        (json!({ "amount": 0 }), "{amount must be greater than 0}"),
        (json!({ "amount": -1 }), "{amount must be greater than 0}"),
    ] {
        issue(&agent, &reference, &body).await.is_invalid(text);
    }
    still_held(&world, &agent, &reference, fare).await;
    issue(&world.agent(MONEY).await, &reference, &paying(fare)).await.is_missing();
}

/// A client that does not know which fares are bought at once books, then has its tickets issued (D-280).
#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_was_paid_at_once_answers_with_its_tickets_and_a_cancelled_one_does_not() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let issued = issue(&agent, &bought.reference, &paying(bought.fare)).await.says(200, "ticket issued");
    let detail = agent.booking(&bought.reference).await;
    assert_eq!(issued["ticket_numbers"], json!([detail["tickets"][0]["tkt_number"]]));
    assert_eq!((&issued["status"], &issued["already_issued"]), (&json!("ISSUED"), &json!(true)));
    let other = issue(&agent, &bought.reference, &paying(bought.fare + Decimal::ONE)).await;
    other.is(400, "fare has changed, please price again");
    assert_eq!(world.line("select string_agg(kind, ' ') from effects").await, "book");
    agent.cancels(&bought.reference).await;
    issue(&agent, &bought.reference, &paying(bought.fare)).await.is(400, "booking is already cancelled");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_or_unsent_payment_leaves_the_hold_and_frees_the_way() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let (reference, fare) = held(&agent).await;
    world.next("ticket", "status:422").await;
    let refused = issue(&agent, &reference, &paying(fare)).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    still_held(&world, &agent, &reference, fare).await;
    world.next("ticket", "rate_limited").await;
    let down = issue(&agent, &reference, &paying(fare)).await;
    assert_eq!(down.status, 503, "{}", down.text);
    assert_ne!(down.header("retry-after"), "");
    still_held(&world, &agent, &reference, fare).await;
}

/// Nothing is heard of the payment: it is pending, nothing else may be done meanwhile, and it is found out.
async fn is_found_out(fault: &str, paid: bool) {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare) = held(&agent).await;
    world.next("ticket", fault).await;
    let pending = issue(&agent, &reference, &paying(fare)).await.says(202, "ticket issue is pending");
    assert_has!(pending, { "status": "PENDING", "ticket_numbers": [] });
    issue(&agent, &reference, &paying(fare)).await.is(409, "ticket issue is pending");
    agent.cancel(&reference).await.is(409, "ticket issue is pending");
    agent.penalty(&reference).await.is(409, "ticket issue is pending");
    world.recover_in(5).await;
    if paid {
        ticketed(&world, &agent, &reference, fare).await;
        return;
    }
    // Not seen yet is not refused yet.
    agent.cancel(&reference).await.is(409, "ticket issue is pending");
    world.recover_in(200).await;
    still_held(&world, &agent, &reference, fare).await;
    issue(&agent, &reference, &paying(fare)).await.says(200, "ticket issued");
    ticketed(&world, &agent, &reference, fare).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_whose_answer_is_lost_is_found_at_the_supplier() {
    is_found_out("drop_after", true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_never_arrived_leaves_the_hold() {
    for fault in ["drop_before", "status:500", "broken_json"] {
        is_found_out(fault, false).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_made_again_under_its_key_is_answered_and_not_made_again() {
    let (world, _, agent) = World::start().await.and_agent(MONEY).await;
    let (reference, fare) = held(&agent).await;
    let path = format!("/flights/bookings/{reference}/issue-ticket");
    let keyed = || {
        let request = agent.request(reqwest::Method::POST, &path);
        agent.send(request.header("Idempotency-Key", "pay once").json(&paying(fare)))
    };
    let first = keyed().await;
    let again = keyed().await;
    assert_eq!((first.status, &first.text), (again.status, &again.text));
    assert_eq!(again.header("idempotency-replayed"), "true");
    ticketed(&world, &agent, &reference, fare).await;
}
