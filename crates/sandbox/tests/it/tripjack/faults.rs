//! Misbehaviour on demand, in TripJack's words.

use reqwest::Method;
use rust_decimal::dec;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn a_booking_that_appears_later_is_pending_until_then() {
    let stage = Stage::open().await;
    let review = stage.first_review("DEL", "BOM").await;
    stage.next_of("tripjack", "book", "appears_after:5000").await;
    let cut = stage.try_tripjack("/oms/v1/air/book", paid(&review)).await;
    assert!(cut.is_err());
    let pending = stage.details(&review["bookingId"]).await.done();
    assert_eq!(pending["order"]["status"], "PENDING");
    let person = &pending["itemInfos"]["AIR"]["travellerInfos"][0];
    assert!(person.get("pnrDetails").is_none() && person.get("ticketNumberDetails").is_none());
    stage.book(paid(&review)).await.declined(400, "400");
    stage.clock.advance(chrono::TimeDelta::milliseconds(5_000));
    assert_eq!(stage.order_status(&review["bookingId"]).await, "SUCCESS");
}

#[tokio::test]
async fn a_booking_that_takes_its_time_is_answered_and_then_made_or_given_up() {
    let stage = Stage::open().await;
    for (fault, end, status) in
        [("pending:30", "SUCCESS", "confirmed"), ("aborted:30", "ABORTED", "cancelled")]
    {
        let review = stage.first_review("DEL", "BOM").await;
        stage.next_of("tripjack", "book", fault).await;
        stage.book(paid(&review)).await.done();
        assert_eq!(stage.order_status(&review["bookingId"]).await, "PENDING", "{fault}");
        stage.clock.advance(chrono::TimeDelta::seconds(30));
        let details = stage.details(&review["bookingId"]).await.done();
        assert_eq!(details["order"]["status"], end);
        let person = &details["itemInfos"]["AIR"]["travellerInfos"][0];
        assert_eq!(person.get("ticketNumberDetails").is_some(), end == "SUCCESS");
        assert_eq!(stage.orders().await.last().unwrap()["status"], status);
    }
    let request = stage.tripjack_request(Method::GET, "/ums/v1/user-detail");
    let balance = number(&sent(request).await.unwrap().done()["walletBalance"]);
    let charged = number(&stage.orders().await[0]["amount"]);
    assert_eq!(balance, dec!(50000000.00) - charged, "what is given up costs nothing");
}

#[tokio::test]
async fn a_hold_lapses_when_told_to_and_its_payment_takes_its_time() {
    let stage = Stage::open().await;
    let hold = async || {
        let review = stage.review_that("BOM", is_holdable).await;
        stage.next_of("tripjack", "book", "lapses:60").await;
        stage.book(unpaid(&review)).await.done();
        review
    };
    let confirm =
        |review: &Value| json!({ "bookingId": review["bookingId"], "paymentInfos": payment(due(review)) });
    let (paid, lapsed) = (hold().await, hold().await);
    let details = stage.details(&lapsed["bookingId"]).await.done();
    assert_eq!(details["itemInfos"]["AIR"]["timeLimit"], "2027-01-10T17:31:00.000");
    stage.next_of("tripjack", "ticket", "pending:60").await;
    stage.tripjack("/oms/v1/air/confirm-book", confirm(&paid)).await.done();
    assert_eq!(stage.order_status(&paid["bookingId"]).await, "PENDING");
    stage.clock.advance(chrono::TimeDelta::seconds(60));
    assert_eq!(stage.order_status(&paid["bookingId"]).await, "SUCCESS");

    let details = stage.details(&lapsed["bookingId"]).await.done();
    assert_eq!(details["order"]["status"], "UNCONFIRMED");
    assert!(details["itemInfos"]["AIR"].get("timeLimit").is_none());
    stage.tripjack("/oms/v1/air/confirm-book", confirm(&lapsed)).await.declined(400, "1059");
    let pnr = &details["itemInfos"]["AIR"]["travellerInfos"][0]["pnrDetails"]["DEL-BOM"];
    let release = json!({ "bookingId": lapsed["bookingId"], "pnrs": [pnr] });
    stage.tripjack("/oms/v1/air/unhold", release).await.declined(400, "1072");
}
