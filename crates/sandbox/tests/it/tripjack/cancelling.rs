//! Cancelling a ticketed booking.

use chrono::TimeDelta;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

const CHARGES: &str = "/oms/v1/air/amendment/amendment-charges";
const SUBMIT: &str = "/oms/v1/air/amendment/submit-amendment";
const DETAILS: &str = "/oms/v1/air/amendment/amendment-details";

fn cancellation(review: &Value) -> Value {
    json!({ "bookingId": review["bookingId"], "type": "CANCELLATION", "remarks": "plans changed" })
}

async fn booked(stage: &Stage, refunding: u8) -> Value {
    let review = stage.review_that("BOM", |review| refunds(review, refunding)).await;
    stage.book(paid(&review)).await.done();
    review
}

#[tokio::test]
async fn charges_and_refund_are_the_fare_in_all_and_by_way() {
    let stage = Stage::open().await;
    for kind in [0, 1, 2] {
        let review = booked(&stage, kind).await;
        let charges = stage.tripjack(CHARGES, cancellation(&review)).await.done();
        let of = |value: &Value, name: &str| number(&value[name]);
        let refund = of(&charges, "refundableAmount");
        assert_eq!(of(&charges, "totalFare"), due(&review));
        assert_eq!(of(&charges, "amendmentCharges") + refund, due(&review));
        match kind {
            0 => assert_eq!(refund, Decimal::ZERO),
            _ => assert!(refund > Decimal::ZERO && refund < due(&review)),
        }
        let way = &charges["trips"][0];
        has(way, json!({ "src": "DEL", "dest": "BOM" }));
        assert_eq!(of(&way["amendmentInfo"]["ADULT"], "refundAmount"), refund);
        assert_eq!(stage.order_status(&review["bookingId"]).await, "SUCCESS");
    }
}

#[tokio::test]
async fn the_ways_and_kinds_of_a_family_add_up_to_the_whole() {
    let stage = Stage::open().await;
    let ways = [("DEL", "SIN", DAY), ("SIN", "DEL", BACK)];
    let trips = stage.trips(family(query(&ways))).await;
    for trip in list(&trips["COMBO"]) {
        let fares = list(&trip["totalPriceList"]);
        let fare = fares.iter().find(|fare| fare["fd"]["ADULT"]["rT"] == 2).unwrap();
        let review = stage.review(&[&fare["id"]]).await.done();
        stage.book(paid(&review)).await.done();
        let charges = stage.tripjack(CHARGES, cancellation(&review)).await.done();
        let sum = |name: &str| -> Decimal {
            let infos = list(&charges["trips"]).iter().map(|way| &way["amendmentInfo"]);
            infos.flat_map(|info| info.as_object().unwrap().values()).map(|info| number(&info[name])).sum()
        };
        assert_eq!(list(&charges["trips"]).len(), 2);
        assert_eq!(sum("totalFare"), number(&charges["totalFare"]));
        assert_eq!(sum("refundAmount"), number(&charges["refundableAmount"]));
        assert_eq!(sum("amendmentCharges"), number(&charges["amendmentCharges"]));
    }
}

#[tokio::test]
async fn a_cancellation_is_carried_out_once_and_gives_back_what_was_told() {
    let stage = Stage::open().await;
    let review = booked(&stage, 1).await;
    let charges = stage.tripjack(CHARGES, cancellation(&review)).await.done();
    let submitted = stage.tripjack(SUBMIT, cancellation(&review)).await.done();
    let known = json!({ "amendmentId": submitted["amendmentId"] });
    let amendment = stage.tripjack(DETAILS, known).await.done();
    has(&amendment, json!({ "amendmentStatus": "SUCCESS", "bookingId": review["bookingId"] }));
    assert_eq!(amendment["refundableAmount"], charges["refundableAmount"]);
    assert_eq!(stage.order_status(&review["bookingId"]).await, "CANCELLED");
    assert_eq!(stage.orders().await[0]["status"], "cancelled");
    for path in [CHARGES, SUBMIT] {
        stage.tripjack(path, cancellation(&review)).await.declined(400, "400");
    }
    stage.tripjack(DETAILS, json!({ "amendmentId": "TJA0" })).await.declined(400, "400");
}

#[tokio::test]
async fn a_late_refund_is_requested_until_its_time_has_come() {
    let stage = Stage::open().await;
    let review = booked(&stage, 2).await;
    stage.next_of("tripjack", "cancel", "refund_later:90").await;
    let submitted = stage.tripjack(SUBMIT, cancellation(&review)).await.done();
    let known = json!({ "amendmentId": submitted["amendmentId"] });
    let amendment = stage.tripjack(DETAILS, known.clone()).await.done();
    assert_eq!(amendment["amendmentStatus"], "REQUESTED");
    assert_eq!(stage.order_status(&review["bookingId"]).await, "SUCCESS");
    stage.tripjack(SUBMIT, cancellation(&review)).await.declined(400, "400");
    stage.clock.advance(TimeDelta::seconds(90));
    let amendment = stage.tripjack(DETAILS, known).await.done();
    assert_eq!(amendment["amendmentStatus"], "SUCCESS");
    assert_eq!(stage.order_status(&review["bookingId"]).await, "CANCELLED");
}

#[tokio::test]
async fn a_cancellation_that_is_rejected_later_leaves_the_booking_and_another_may_follow() {
    let stage = Stage::open().await;
    let review = booked(&stage, 2).await;
    stage.next_of("tripjack", "cancel", "rejected:90").await;
    let submitted = stage.tripjack(SUBMIT, cancellation(&review)).await.done();
    let known = json!({ "amendmentId": submitted["amendmentId"] });
    let amendment = stage.tripjack(DETAILS, known.clone()).await.done();
    assert_eq!(amendment["amendmentStatus"], "REQUESTED");
    stage.tripjack(SUBMIT, cancellation(&review)).await.declined(400, "400");
    stage.clock.advance(TimeDelta::seconds(90));
    let amendment = stage.tripjack(DETAILS, known.clone()).await.done();
    assert_eq!(amendment["amendmentStatus"], "REJECTED");
    assert_eq!(stage.order_status(&review["bookingId"]).await, "SUCCESS");

    stage.tripjack(SUBMIT, cancellation(&review)).await.done();
    assert_eq!(stage.order_status(&review["bookingId"]).await, "CANCELLED");
    let amendment = stage.tripjack(DETAILS, known).await.done();
    assert_eq!(amendment["amendmentStatus"], "REJECTED");
}

#[tokio::test]
async fn what_is_not_ticketed_or_not_of_the_booking_is_not_cancelled() {
    let stage = Stage::open().await;
    let held = stage.review_that("BOM", is_holdable).await;
    stage.book(unpaid(&held)).await.done();
    stage.tripjack(SUBMIT, cancellation(&held)).await.declined(400, "400");

    let review = booked(&stage, 1).await;
    let with = |name: &str, value: Value| {
        let mut body = cancellation(&review);
        body[name] = value;
        body
    };
    let way = |src: &str, travellers: Value| {
        let mut trip = json!({ "src": src, "dest": "BOM", "departureDate": DAY });
        if !travellers.is_null() {
            trip["travellers"] = travellers;
        }
        json!([trip])
    };
    let refused = [
        with("type", json!("VOIDED")),
        with("trips", json!([])),
        with("trips", way("BLR", json!(null))),
        with("trips", way("DEL", json!([]))),
    ];
    for body in refused {
        stage.tripjack(SUBMIT, body).await.declined(400, "400");
    }
    stage.tripjack(SUBMIT, with("bookingId", json!("TJS1"))).await.declined(400, "1057");
    let everybody = json!([{ "fn": "Asha", "ln": "Rao" }]);
    stage.tripjack(SUBMIT, with("trips", way("DEL", everybody))).await.done();
}

#[tokio::test]
async fn after_the_departure_nothing_is_cancelled() {
    let stage = Stage::open().await;
    let review = booked(&stage, 1).await;
    stage.clock.advance(TimeDelta::days(60));
    stage.tripjack(CHARGES, cancellation(&review)).await.declined(400, "400");
}

/// A family's return across borders, ticketed; the body that names a trip of it, and who flies there.
async fn family_return(stage: &Stage) -> (Value, impl Fn(&str, &[&str]) -> Value) {
    let ways = [("DEL", "SIN", DAY), ("SIN", "DEL", BACK)];
    let trips = stage.trips(family(query(&ways))).await;
    let fares = list(&trips["COMBO"][0]["totalPriceList"]);
    let fare = fares.iter().find(|fare| fare["fd"]["ADULT"]["rT"] == 2).unwrap();
    let review = stage.review(&[&fare["id"]]).await.done();
    stage.book(paid(&review)).await.done();
    let all = cancellation(&review);
    let part = move |src: &str, names: &[&str]| {
        let (dest, day) = if src == "DEL" { ("SIN", DAY) } else { ("DEL", BACK) };
        let mut body = all.clone();
        let mut trip = json!({ "src": src, "dest": dest, "departureDate": day });
        if !names.is_empty() {
            let named = names.iter().map(|name| json!({ "fn": name, "ln": "rao" }));
            trip["travellers"] = named.collect();
        }
        body["trips"] = json!([trip]);
        body
    };
    (review, part)
}

#[tokio::test]
async fn parts_are_cancelled_one_after_the_other_and_add_up_to_the_whole() {
    let stage = Stage::open().await;
    let (review, part) = family_return(&stage).await;
    let id = &review["bookingId"];
    let people = list(&stage.details(id).await.done()["itemInfos"]["AIR"]["travellerInfos"]).clone();
    let named = |kind: &str| -> Vec<&str> {
        let of_kind = people.iter().filter(|person| person["pt"] == kind);
        of_kind.map(|person| text(&person["fN"])).collect()
    };
    let (adults, infants) = (named("ADULT"), named("INFANT"));
    let whole = stage.tripjack(CHARGES, cancellation(&review)).await.done();
    for alone in [infants[0], "Nobody"] {
        stage.tripjack(SUBMIT, part("SIN", &[alone])).await.declined(400, "400");
    }
    stage.tripjack(SUBMIT, part("SIN", &adults)).await.declined(400, "400");

    let mut refunds = Decimal::ZERO;
    let with_infant = [adults[0], infants[0]];
    for body in [part("SIN", &with_infant), part("SIN", &[]), cancellation(&review)] {
        assert_eq!(stage.order_status(id).await, "SUCCESS");
        let charges = stage.tripjack(CHARGES, body.clone()).await.done();
        let known = json!({ "amendmentId": stage.tripjack(SUBMIT, body).await.done()["amendmentId"] });
        let amendment = stage.tripjack(DETAILS, known).await.done();
        assert_eq!(amendment["amendmentStatus"], "SUCCESS");
        assert_eq!(amendment["refundableAmount"], charges["refundableAmount"]);
        refunds += number(&charges["refundableAmount"]);
    }
    assert_eq!(refunds, number(&whole["refundableAmount"]));
    assert_eq!(stage.order_status(id).await, "CANCELLED");
}

#[tokio::test]
async fn what_is_cancelled_is_said_by_traveller_and_way() {
    let stage = Stage::open().await;
    let (review, part) = family_return(&stage).await;
    let id = &review["bookingId"];
    stage.next_of("tripjack", "cancel", "refund_later:90").await;
    stage.tripjack(SUBMIT, part("SIN", &[])).await.done();
    stage.tripjack(SUBMIT, part("DEL", &[])).await.declined(400, "400");
    let states = async || {
        let details = stage.details(id).await.done();
        let people = list(&details["itemInfos"]["AIR"]["travellerInfos"]).clone();
        let states: Vec<Value> = people.iter().map(|person| person["statusMap"].clone()).collect();
        assert!(states.iter().all(|each| *each == states[0]));
        states[0].clone()
    };
    assert_eq!(states().await, json!({ "DEL-SIN": "CONFIRMED", "SIN-DEL": "CONFIRMED" }));
    stage.clock.advance(TimeDelta::seconds(90));
    assert_eq!(states().await, json!({ "DEL-SIN": "CONFIRMED", "SIN-DEL": "CANCELLED" }));
    assert_eq!(stage.orders().await[0]["status"], "confirmed");
    stage.tripjack(CHARGES, part("SIN", &[])).await.declined(400, "400");
}
