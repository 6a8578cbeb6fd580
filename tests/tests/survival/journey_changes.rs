//! Exchanges, and polls of their orders that began before them.

use wayfare_launch::SupplierKind;
use wayfare_tests::{eventually, one_way};

use crate::{
    fixture::Fixture,
    play::{dearer_change, quote},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_look_that_began_before_a_change_takes_the_flights_of_before_for_no_news() {
    let mut fixture = Fixture::new(&[]).await;
    let agent = fixture.agent("arjun").await.at(&fixture.crash_target.url);
    let trip = one_way("DEL", "BOM");
    let order = agent.order(&quote(&agent, SupplierKind::Duffel, &trip).await, &trip);
    let booked = agent.book(&order).await.ok();
    let reference = booked["booking_ref"].as_str().unwrap();
    let path = format!("/flights/bookings/{reference}");
    let change = dearer_change(&agent, &path).await;
    // The poll is the watch's: a request would stand on a thread of the HTTP server, and with it the connections to the
    // supplier that this thread serves, one of which the change may be sent over.
    fixture.crash_target.arm("look:found").await;
    fixture.sql("update supplier_orders set next_poll_at = now()").await;
    fixture.crash_target.reached().await;
    agent.post(&format!("{path}/reschedule"), &change).await.ok();
    fixture.crash_target.go().await;
    // Until then it is the watch's for half a minute at a time.
    eventually("a poll that has ended", async || {
        let looked = "select (next_poll_at > now() + interval '1 hour')::text from supplier_orders";
        (fixture.books.lines(looked).await == ["true"]).then_some(())
    })
    .await;
    // A look after it sees what is flown since, and nothing else.
    agent.get(&format!("{path}/retrieve")).await.ok();
    let found = "select state || ' ' || left(supplier_change_id, 4) from order_changes";
    assert_eq!(fixture.books.lines(found).await, ["chosen oce_"]);
    let wrongs = fixture.books.wrongs().await;
    assert!(wrongs.is_empty(), "{wrongs:#?}");
    fixture.end().await;
}
