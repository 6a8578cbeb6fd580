//! Holding seats, paying for them later, giving them back.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

async fn held(stage: &Stage) -> Value {
    let review = stage.review_that("BOM", is_holdable).await;
    stage.book(unpaid(&review)).await.done();
    review
}

fn confirm(review: &Value) -> Value {
    json!({ "bookingId": review["bookingId"], "paymentInfos": payment(due(review)) })
}

#[tokio::test]
async fn a_held_booking_is_ticketed_when_it_is_paid() {
    let stage = Stage::open().await;
    let review = held(&stage).await;
    let id = &review["bookingId"];
    let details = stage.details(id).await.done();
    assert_eq!(details["order"]["status"], "ON_HOLD");
    let person = &details["itemInfos"]["AIR"]["travellerInfos"][0];
    assert!(person["pnrDetails"]["DEL-BOM"].is_string());
    assert!(person.get("ticketNumberDetails").is_none());
    assert_eq!(stage.orders().await[0]["status"], "held");

    let validate = json!({ "bookingId": id });
    let valid = stage.tripjack("/oms/v1/air/fare-validate", validate).await.done();
    assert!(valid.get("alerts").is_none());
    let mut wrong = confirm(&review);
    wrong["paymentInfos"][0]["amount"] = json!(1);
    stage.tripjack("/oms/v1/air/confirm-book", wrong).await.declined(400, "1015");
    stage.tripjack("/oms/v1/air/confirm-book", confirm(&review)).await.done();
    let details = stage.details(id).await.done();
    assert_eq!(details["order"]["status"], "SUCCESS");
    let ticket = &details["itemInfos"]["AIR"]["travellerInfos"][0]["ticketNumberDetails"]["DEL-BOM"];
    assert_eq!(ticket.as_str().unwrap().len(), 13);
    assert_eq!(stage.orders().await[0]["status"], "confirmed");
    stage.tripjack("/oms/v1/air/confirm-book", confirm(&review)).await.declined(400, "400");
}

#[tokio::test]
async fn what_cannot_be_held_is_not() {
    let stage = Stage::open().await;
    let review = stage.review_that("BOM", |review| !is_holdable(review)).await;
    stage.book(unpaid(&review)).await.declined(400, "400");
    stage.book(paid(&review)).await.done();
}

#[tokio::test]
async fn a_hold_ends_at_its_deadline() {
    let stage = Stage::open().await;
    let review = held(&stage).await;
    stage.clock.advance(TimeDelta::hours(72));
    assert_eq!(stage.order_status(&review["bookingId"]).await, "UNCONFIRMED");
    assert_eq!(stage.orders().await[0]["status"], "cancelled");
    for path in ["/oms/v1/air/fare-validate", "/oms/v1/air/confirm-book"] {
        stage.tripjack(path, confirm(&review)).await.declined(400, "1059");
    }
}

#[tokio::test]
async fn seats_are_given_back_by_all_their_references() {
    let stage = Stage::open().await;
    let review = held(&stage).await;
    let id = &review["bookingId"];
    let details = stage.details(id).await.done();
    let pnr = &details["itemInfos"]["AIR"]["travellerInfos"][0]["pnrDetails"]["DEL-BOM"];
    for pnrs in [json!(null), json!([]), json!(["AAAAAA"])] {
        let mut body = json!({ "bookingId": id });
        if !pnrs.is_null() {
            body["pnrs"] = pnrs;
        }
        stage.tripjack("/oms/v1/air/unhold", body).await.declined(400, "1072");
    }
    let body = json!({ "bookingId": id, "pnrs": [pnr] });
    stage.tripjack("/oms/v1/air/unhold", body.clone()).await.done();
    assert_eq!(stage.order_status(id).await, "UNCONFIRMED");
    stage.tripjack("/oms/v1/air/unhold", body).await.declined(400, "1072");
    stage.tripjack("/oms/v1/air/confirm-book", confirm(&review)).await.declined(400, "1059");
}

#[tokio::test]
async fn a_hold_is_let_go_later_or_not_at_all_when_told_so() {
    let stage = Stage::open().await;
    for (fault, end) in [("refund_later:90", "UNCONFIRMED"), ("rejected:90", "ON_HOLD")] {
        let review = held(&stage).await;
        let id = &review["bookingId"];
        let details = stage.details(id).await.done();
        let pnr = &details["itemInfos"]["AIR"]["travellerInfos"][0]["pnrDetails"]["DEL-BOM"];
        let body = json!({ "bookingId": id, "pnrs": [pnr] });
        stage.next_of("tripjack", "cancel", fault).await;
        stage.tripjack("/oms/v1/air/unhold", body.clone()).await.done();
        assert_eq!(stage.order_status(id).await, "ON_HOLD", "{fault}");
        if end == "UNCONFIRMED" {
            stage.tripjack("/oms/v1/air/confirm-book", confirm(&review)).await.declined(400, "400");
            stage.tripjack("/oms/v1/air/unhold", body).await.declined(400, "1072");
        }
        stage.clock.advance(TimeDelta::seconds(90));
        assert_eq!(stage.order_status(id).await, end, "{fault}");
    }
}

#[tokio::test]
async fn the_fare_of_a_hold_moves_and_ends_when_told_to() {
    let stage = Stage::open().await;
    let review = held(&stage).await;
    let validate = json!({ "bookingId": review["bookingId"] });
    stage.next_of("tripjack", "price", "price_changed:10").await;
    let moved = stage.tripjack("/oms/v1/air/fare-validate", validate.clone()).await.done();
    let alert = &moved["alerts"][0];
    assert_eq!(number(&alert["oldFare"]), due(&review));
    stage.tripjack("/oms/v1/air/confirm-book", confirm(&review)).await.declined(400, "1015");
    let details = stage.details(&review["bookingId"]).await.done();
    assert_eq!(number(&details["order"]["amount"]), number(&alert["newFare"]));

    stage.next_of("tripjack", "price", "sold_out").await;
    stage.tripjack("/oms/v1/air/fare-validate", validate).await.declined(400, "1000");
    assert_eq!(stage.order_status(&review["bookingId"]).await, "UNCONFIRMED");
}
