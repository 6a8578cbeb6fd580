//! Holds of one booking that lapse one after the other.

use serde_json::json;
use wayfare_tests::amount;

use super::{MONEY, at_the_suppliers, money, quoted_to_hold, refund_state, world};

#[tokio::test(flavor = "multi_thread")]
async fn one_that_lapses_is_given_back_and_the_other_stands_until_its_own_end() {
    let (world, _, agent) = world().await.and_agent(MONEY).await;
    let (fare, order) = quoted_to_hold(&agent).await;
    world.next_at("tripjack", "book", "lapses:600").await;
    world.next_at("tripjack", "book", "lapses:1200").await;
    let booked = agent.book(&order).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap();
    world.pass(606);
    world.watch().await;
    assert_eq!(at_the_suppliers(&world).await, ["cancelled", "held"]);
    assert_has!(agent.booking(reference).await, { "status": "confirmed", "can_issue_ticket": true });
    let first = amount(&booked["legs"][0]["gross_amount"]);
    assert_eq!(agent.balance().await, money() - fare + first);
    world.is_settled().await;
    assert_eq!(amount(&agent.penalty(reference).await.ok()["refund_amount"]), fare - first);
    world.pass(600);
    world.watch().await;
    assert_eq!(agent.booking(reference).await["status"], "cancelled");
    assert_eq!(agent.balance().await, money());
    let state = refund_state(&agent, reference).await.ok();
    assert_eq!((&state["status"], amount(&state["refund_to_wallet"])), (&json!("refunded"), fare));
    world.is_settled().await;
}
