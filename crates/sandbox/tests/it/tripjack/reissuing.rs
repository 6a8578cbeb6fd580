//! Tickets that are reissued for another flight.

use chrono::TimeDelta;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

const QUERY: &str = "/fms/v1/reissue/poll/searchquery-list";
const SEARCH: &str = "/fms/v1/reissue/poll/search";
const REVIEW: &str = "/fms/v1/reissue/review";
const REISSUE: &str = "/oms/v1/air/amendment/auto-reissue";
const ANOTHER_DAY: &str = "2027-02-23";

fn airline(review: &Value) -> &str {
    text(&review["tripInfos"][0]["sI"][0]["fD"]["aI"]["code"])
}

/// A ticket whose fare gives so much back when it is cancelled, and can be changed for as much.
async fn booked(stage: &Stage, refunding: u8) -> Value {
    let review =
        stage.review_that("BOM", |review| refunds(review, refunding) && airline(review) != "QP").await;
    stage.book(paid(&review)).await.done();
    review["bookingId"].clone()
}

/// The question for the flights of another day.
async fn question(stage: &Stage, booking: &Value) -> Value {
    let details = stage.details(booking).await.done();
    let travellers = list(&details["itemInfos"]["AIR"]["travellerInfos"]);
    let ids: Vec<String> = travellers.iter().map(|each| each["id"].to_string()).collect();
    json!({
        "oldBookingId": booking, "pnr": travellers[0]["pnrDetails"]["DEL-BOM"], "paxIds": ids,
        "paxInfo": { "ADULT": 1, "CHILD": 0, "INFANT": 0 },
        "routeInfos": query(&[("DEL", "BOM", ANOTHER_DAY)])["routeInfos"],
    })
}

/// The fares for which it is reissued.
async fn offered(stage: &Stage, booking: &Value) -> Vec<Value> {
    let named = stage.tripjack(QUERY, question(stage, booking).await).await.done();
    let body = json!({ "requestId": named["requestIds"][0] });
    let found = stage.tripjack(SEARCH, body).await.done();
    fares(&found["searchResult"]["tripInfos"]["ONWARD"])
}

async fn reviewed(stage: &Stage, booking: &Value, fare: &Value) -> Value {
    let body = json!({ "oldBookingId": booking, "priceIds": [fare["id"]], "priceValidation": true });
    stage.tripjack(REVIEW, body).await.done()
}

fn reissue(review: &Value) -> Value {
    let mut payments = payment(due(review).max(Decimal::ZERO));
    payments[0]["bookingId"] = review["bookingId"].clone();
    json!({
        "bookingId": review["bookingId"], "oldBookingId": review["oldBookingId"],
        "paymentInfos": payments, "travellerInfo": review["travellers"],
        "deliveryInfo": { "emails": ["asha@example.com"], "contacts": ["+919812345678"] },
    })
}

#[tokio::test]
async fn a_ticket_is_reissued_once_under_another_id_for_what_was_reviewed() {
    let stage = Stage::open().await;
    let booking = booked(&stage, 2).await;
    let before = stage.details(&booking).await.done();
    let fares = offered(&stage, &booking).await;
    for fare in &fares {
        let costs = &fare["fd"]["ADULT"]["fC"];
        let part = |name: &str| number(&costs[name]);
        assert_eq!(part("BF") + part("TAF") + part("AFS") - part("RSSR"), part("TF"));
        assert!(part("AFS") > Decimal::ZERO);
    }
    let review = reviewed(&stage, &booking, &fares[0]).await;
    let costs = &fares[0]["fd"]["ADULT"]["fC"];
    assert_eq!(due(&review), number(&costs["TF"]));
    // It is nothing until it is paid.
    stage.details(&review["bookingId"]).await.declined(400, "1057");
    let mut unpaid = reissue(&review);
    unpaid["paymentInfos"] = payment(due(&review) + Decimal::ONE);
    stage.tripjack(REISSUE, unpaid).await.declined(400, "1015");
    let mut others = reissue(&review);
    others["travellerInfo"][0]["fN"] = json!("Zita");
    stage.tripjack(REISSUE, others).await.declined(400, "400");
    stage.tripjack(REISSUE, reissue(&review)).await.done();

    let after = stage.details(&review["bookingId"]).await.done();
    has(&after["order"], json!({ "bookingId": review["bookingId"], "status": "SUCCESS" }));
    let difference = number(&costs["BF"]) + number(&costs["TAF"]);
    let total = |details: &Value| number(&details["order"]["amount"]);
    assert_eq!(total(&after), total(&before) + difference);
    let first = |details: &Value, name: &str| details["itemInfos"]["AIR"]["travellerInfos"][0][name].clone();
    for name in ["pnrDetails", "ticketNumberDetails"] {
        assert_ne!(first(&after, name), first(&before, name));
    }
    let departure = &after["itemInfos"]["AIR"]["tripInfos"][0]["sI"][0]["dt"];
    assert!(text(departure).starts_with(ANOTHER_DAY), "{departure}");
    // By its first id it is shown as it was, and nothing is done with it.
    assert_eq!(stage.details(&booking).await.done(), before);
    for id in [&booking, &review["bookingId"]] {
        stage.tripjack(QUERY, question(&stage, id).await).await.declined(400, "400");
    }
    stage.tripjack(REISSUE, reissue(&review)).await.declined(400, "400");
    let cancellation =
        |id: &Value| json!({ "bookingId": id, "type": "CANCELLATION", "remarks": "plans changed" });
    let submit = "/oms/v1/air/amendment/submit-amendment";
    stage.tripjack(submit, cancellation(&booking)).await.declined(400, "400");
    stage.tripjack(submit, cancellation(&review["bookingId"])).await.done();
    assert_eq!(stage.order_status(&review["bookingId"]).await, "CANCELLED");
}

#[tokio::test]
async fn what_can_t_be_reissued_is_refused() {
    let stage = Stage::open().await;
    let akasa = stage.review_that("BOM", |review| airline(review) == "QP").await;
    stage.book(paid(&akasa)).await.done();
    stage.tripjack(QUERY, question(&stage, &akasa["bookingId"]).await).await.declined(400, "1157");
    // A fare that can't be changed has no flights, as a day on which nobody flies.
    let fixed = booked(&stage, 0).await;
    let named = stage.tripjack(QUERY, question(&stage, &fixed).await).await.done();
    let body = json!({ "requestId": named["requestIds"][0] });
    stage.tripjack(SEARCH, body).await.declined(400, "1148");
    let booking = booked(&stage, 2).await;
    let good = question(&stage, &booking).await;
    for (pointer, wrong) in [
        ("/pnr", json!("AAAAAA")),
        ("/paxIds", json!([])),
        ("/paxInfo/ADULT", json!(2)),
        ("/routeInfos", json!([])),
        ("/routeInfos/0/toCityOrAirport/code", json!("BLR")),
    ] {
        let mut body = good.clone();
        *body.pointer_mut(pointer).unwrap() = wrong;
        stage.tripjack(QUERY, body).await.declined(400, "400");
    }
}

#[tokio::test]
async fn a_session_is_over_in_a_quarter_of_an_hour() {
    let stage = Stage::open().await;
    let booking = booked(&stage, 1).await;
    let fares = offered(&stage, &booking).await;
    let review = reviewed(&stage, &booking, &fares[0]).await;
    stage.clock.advance(TimeDelta::seconds(901));
    stage.tripjack(REISSUE, reissue(&review)).await.declined(400, "1071");
    stage.clock.advance(TimeDelta::minutes(30));
    let body = json!({ "oldBookingId": booking, "priceIds": [fares[0]["id"]] });
    stage.tripjack(REVIEW, body).await.declined(400, "1071");
}
