//! Misbehaviour on demand, in TripJack's words.

use reqwest::Method;
use rust_decimal::dec;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

async fn price_id(stage: &Stage) -> Value {
    let trips = stage.trips(query(&[("DEL", "BOM", DAY)])).await;
    trips["ONWARD"][0]["totalPriceList"][0]["id"].clone()
}

#[tokio::test]
async fn a_price_that_moved_is_told_in_an_alert_and_stays_moved() {
    let stage = Stage::open().await;
    let id = price_id(&stage).await;
    let before = stage.review(&[&id]).await.done();
    let total = |review: &Value| number(&review["totalPriceInfo"]["totalFareDetail"]["fC"]["TF"]);
    stage.next_of("tripjack", "price", "price_changed:10").await;
    for _ in 0..2 {
        let review = stage.review(&[&id]).await.done();
        let alert = &review["alerts"][0];
        assert_eq!(alert["type"], "FAREALERT");
        assert_eq!(number(&alert["oldFare"]), total(&before));
        assert_eq!(number(&alert["newFare"]), total(&review));
        let tenth = total(&before) * dec!(1.1) - total(&review);
        assert!(tenth.abs() < dec!(0.05), "{tenth}");
    }
}

#[tokio::test]
async fn a_fare_that_changes_at_booking_is_refused_until_it_is_reviewed_again() {
    let stage = Stage::open().await;
    let id = price_id(&stage).await;
    let review = stage.review(&[&id]).await.done();
    stage.next_of("tripjack", "book", "price_changed:-5").await;
    for _ in 0..2 {
        let error = stage.book(paid(&review)).await.declined(400, "1015");
        assert!(text(&error["details"]).contains("changed"));
    }
    assert!(stage.orders().await.is_empty());
    let again = stage.review(&[&id]).await.done();
    assert!(due(&again) < due(&review));
    stage.book(paid(&again)).await.done();
}

#[tokio::test]
async fn a_fare_that_is_sold_out_at_booking_is_not_booked() {
    let stage = Stage::open().await;
    let review = stage.first_review("DEL", "BOM").await;
    stage.next_of("tripjack", "book", "sold_out").await;
    for _ in 0..2 {
        stage.book(paid(&review)).await.declined(400, "1000");
    }
    assert!(stage.orders().await.is_empty());
}

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
    for (fault, end, status) in [
        ("pending:30", "SUCCESS", "confirmed"),
        ("aborted:30", "ABORTED", "cancelled"),
    ] {
        let review = stage.first_review("DEL", "BOM").await;
        stage.next_of("tripjack", "book", fault).await;
        stage.book(paid(&review)).await.done();
        assert_eq!(
            stage.order_status(&review["bookingId"]).await,
            "PENDING",
            "{fault}"
        );
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
    assert_eq!(
        balance,
        dec!(50000000.00) - charged,
        "what is given up costs nothing"
    );
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
    assert_eq!(
        details["itemInfos"]["AIR"]["timeLimit"],
        "2027-01-10T17:31:00.000"
    );
    stage.next_of("tripjack", "ticket", "pending:60").await;
    tripjack_done(&stage, "/oms/v1/air/confirm-book", confirm(&paid)).await;
    assert_eq!(stage.order_status(&paid["bookingId"]).await, "PENDING");
    stage.clock.advance(chrono::TimeDelta::seconds(60));
    assert_eq!(stage.order_status(&paid["bookingId"]).await, "SUCCESS");

    let details = stage.details(&lapsed["bookingId"]).await.done();
    assert_eq!(details["order"]["status"], "UNCONFIRMED");
    assert!(details["itemInfos"]["AIR"].get("timeLimit").is_none());
    declines(&stage, "/oms/v1/air/confirm-book", confirm(&lapsed), "1059").await;
    let pnr = &details["itemInfos"]["AIR"]["travellerInfos"][0]["pnrDetails"]["DEL-BOM"];
    let release = json!({ "bookingId": lapsed["bookingId"], "pnrs": [pnr] });
    declines(&stage, "/oms/v1/air/unhold", release, "1072").await;
}
