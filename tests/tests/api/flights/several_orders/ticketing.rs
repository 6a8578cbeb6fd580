//! Paying for several held orders: one after the other, each once.

use rust_decimal::Decimal;
use serde_json::Value;
use wayfare_tests::{Person, Reply, World};

use super::{MONEY, at_the_suppliers, booked, money, quoted_to_hold, second_suffers, world};

async fn issue(agent: &Person, reference: &str, fare: Decimal) -> Reply {
    let body: Value = serde_json::from_str(&format!(r#"{{"amount": {fare}}}"#)).unwrap();
    agent.post(&format!("/flights/bookings/{reference}/issue-ticket"), &body).await
}

async fn held(world: &World, agent: &Person) -> (String, Decimal) {
    let (fare, order) = quoted_to_hold(agent).await;
    let reference = booked(agent, &order).await;
    assert_eq!(at_the_suppliers(world).await, ["held", "held"]);
    assert_eq!(agent.booking(&reference).await["can_issue_ticket"], true);
    (reference, fare)
}

#[tokio::test(flavor = "multi_thread")]
async fn both_are_paid_and_no_money_moves() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (reference, fare) = held(&world, &agent).await;
    let issued = issue(&agent, &reference, fare).await.says(200, "ticket issued");
    assert_eq!(issued["status"], "ISSUED");
    assert_eq!(issued["ticket_numbers"].as_array().unwrap().len(), 2);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed", "confirmed"]);
    assert_eq!(agent.balance().await, money() - fare);
    assert_eq!(agent.booking(&reference).await["can_issue_ticket"], false);
    let again = issue(&agent, &reference, fare).await.says(200, "ticket issued");
    assert_has!(again, { "ticket_numbers": (&issued["ticket_numbers"]), "already_issued": true });
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_refused_can_be_paid_later_and_the_other_is_not_paid_again() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (reference, fare) = held(&world, &agent).await;
    second_suffers(&world, "ticket", "status:400").await;
    issue(&agent, &reference, fare).await.is(409, "Bad request");
    assert_eq!(at_the_suppliers(&world).await, ["confirmed", "held"]);
    assert_eq!(agent.booking(&reference).await["can_issue_ticket"], true);
    world.is_settled().await;
    let issued = issue(&agent, &reference, fare).await.says(200, "ticket issued");
    assert_eq!(issued["ticket_numbers"].as_array().unwrap().len(), 2);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed", "confirmed"]);
    assert_eq!(agent.balance().await, money() - fare);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_payment_without_an_answer_is_found_and_the_second_follows() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (reference, fare) = held(&world, &agent).await;
    world.next_at("tripjack", "ticket", "drop_after").await;
    issue(&agent, &reference, fare).await.says(202, "ticket issue is pending");
    agent.cancel(&reference).await.is(409, "ticket issue is pending");
    assert_eq!(world.recover_in(2).await, 1);
    assert_eq!(at_the_suppliers(&world).await, ["confirmed", "confirmed"]);
    assert_eq!(agent.booking(&reference).await["can_issue_ticket"], false);
    world.is_settled().await;
}
