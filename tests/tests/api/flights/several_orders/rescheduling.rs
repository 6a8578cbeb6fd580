//! A booking of several orders whose place is taken by another.

use rust_decimal::Decimal;
use serde_json::json;
use wayfare_tests::amount;

use super::{at_the_suppliers, bought, money, second_suffers};

#[tokio::test(flavor = "multi_thread")]
async fn all_its_orders_are_given_back_when_the_new_one_stands() {
    let (world, agent, fare, reference) = bought().await;
    let refund = amount(&agent.penalty(&reference).await.ok()["refund_amount"]);
    let path = format!("/flights/bookings/{reference}/reschedule");
    let (mut keys, mut cost) = (Vec::new(), Decimal::ZERO);
    for (from, to, days) in [("DEL", "BOM", 44), ("BOM", "DEL", 51)] {
        let day = (world.now() + chrono::Duration::days(days)).date_naive();
        let journey = json!({ "origin": from, "destination": to, "new_date": day });
        let found = agent.post(&format!("{path}-avail"), &journey).await.ok();
        keys.push(found[0]["fare_key"].clone());
        cost += amount(&found[0]["pricing"]["provider_agent_fare"]);
    }
    let body = json!({ "fare_keys": keys });
    // The second is given back when its supplier is heard again.
    second_suffers(&world, "cancel", "drop_after").await;
    let pending = agent.post(&path, &body).await.says(202, "booking cancellation is pending");
    assert_eq!(pending["new_booking"]["status"], "CONFIRMED");
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    world.books_agree().await;
    assert_eq!(world.recover_in(2).await, 1);
    assert_eq!(agent.booking(&reference).await["status"], "cancelled");
    assert_eq!(agent.balance().await, money() - fare - cost + refund);
    assert_eq!(at_the_suppliers(&world).await, ["cancelled", "cancelled", "confirmed", "confirmed"]);
    world.is_settled().await;
}
