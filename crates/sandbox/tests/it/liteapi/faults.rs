//! Misbehaviour on demand, in LiteAPI's words.

use chrono::TimeDelta;

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn a_booking_that_takes_its_time_is_confirmed_then_or_given_up() {
    let stage = Stage::open().await;
    let offer = stage.hotel_offer(&query(), is_refundable).await;
    for (fault, end, status) in
        [("pending:30", "CONFIRMED", "confirmed"), ("aborted:30", "FAILED", "cancelled")]
    {
        stage.next_of("liteapi", "book", fault).await;
        let reference = format!("HTL-{status}-1");
        let made = stage.book_rooms(&offer, &reference).await.good()["data"].take();
        assert_eq!(made["status"], "PENDING");
        assert_eq!(stage.under(&reference).await[0]["status"], "PENDING");
        assert_eq!(stage.cancel_rooms(&made["bookingId"]).await.body["error"]["code"], 304);
        stage.clock.advance(TimeDelta::seconds(30));
        assert_eq!(stage.under(&reference).await[0]["status"], end);
        assert_eq!(stage.orders().await.last().unwrap()["status"], status);
    }
}
