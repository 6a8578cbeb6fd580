//! Booking a review and paying at once, and reading the booking again.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

#[tokio::test]
async fn a_review_is_booked_paid_and_ticketed() {
    let stage = Stage::open().await;
    let ways = [("DEL", "BOM", DAY), ("BOM", "DEL", BACK)];
    let trips = stage.trips(family(query(&ways))).await;
    let [there, back] = ["ONWARD", "RETURN"].map(|key| fare_of(&trips[key], "PUBLISHED"));
    let review = stage.review(&[&there["id"], &back["id"]]).await.done();
    let booked = stage.book(paid(&review)).await.done();
    assert_eq!(booked, json!({ "bookingId": review["bookingId"], "status": booked["status"] }));

    let details = stage.details(&review["bookingId"]).await.done();
    let order = &details["order"];
    assert_eq!(order["status"], "SUCCESS");
    assert_eq!(number(&order["amount"]), due(&review));
    assert_eq!(order["deliveryInfo"], paid(&review)["deliveryInfo"]);
    let air = &details["itemInfos"]["AIR"];
    let total = &air["totalPriceInfo"]["totalFareDetail"];
    assert_eq!(total, &review["totalPriceInfo"]["totalFareDetail"]);
    let people = list(&air["travellerInfos"]);
    assert_eq!(people.len(), 4);
    let mut tickets = Vec::new();
    for (person, asked) in people.iter().zip(list(&paid(&review)["travellerInfo"])) {
        for name in ["ti", "pt", "fN", "lN", "dob"] {
            assert_eq!(person[name], asked[name]);
        }
        for way in ["DEL-BOM", "BOM-DEL"] {
            assert_eq!(person["pnrDetails"][way].as_str().unwrap().len(), 6);
            assert_eq!(person["statusMap"][way], "CONFIRMED");
            tickets.push(person["ticketNumberDetails"][way].as_str().unwrap());
        }
    }
    assert!(tickets.iter().all(|ticket| ticket.len() == 13));
    tickets.sort();
    tickets.dedup();
    assert_eq!(tickets.len(), 8);
    let each: Decimal = people.iter().map(|person| number(&person["fd"]["fC"]["TF"])).sum();
    assert_eq!(each, due(&review));

    let listed = stage.orders().await;
    assert_eq!(listed.len(), 1);
    has(&listed[0], json!({ "supplier": "tripjack", "id": review["bookingId"], "status": "confirmed" }));
    has(&listed[0], json!({ "reference": null, "order_reference": null, "currency": "INR" }));
    assert_eq!(number(&listed[0]["amount"]), due(&review));
}

#[tokio::test]
async fn a_booking_id_is_booked_once() {
    let stage = Stage::open().await;
    let review = stage.first_review("DEL", "BOM").await;
    let (one, other) = tokio::join!(stage.book(paid(&review)), stage.book(paid(&review)));
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [200, 400]);
    let again = stage.book(paid(&review)).await.declined(400, "400");
    assert!(text(&again["message"]).contains("Duplicate"));
    assert_eq!(stage.orders().await.len(), 1);
}

#[tokio::test]
async fn a_booking_that_lacks_something_is_refused_and_not_made() {
    let stage = Stage::open().await;
    let trips = stage.trips(family(query(&[("DEL", "SIN", DAY)]))).await;
    let id = &trips["ONWARD"][0]["totalPriceList"][0]["id"];
    let review = stage.review(&[id]).await.done();
    let body = paid(&review);
    #[rustfmt::skip]
    let cases = [
        ("/paymentInfos/0/amount", json!(1), "1015"), ("/paymentInfos", json!([]), "1015"),
        ("/deliveryInfo", json!({ "emails": [], "contacts": ["+91"] }), "806"),
        ("/travellerInfo/0/pt", json!("SENIOR"), "400"),
        ("/travellerInfo/0/pt", json!("CHILD"), "400"),
        ("/travellerInfo/0/ti", json!("Master"), "400"),
        ("/travellerInfo/0/fN", json!("Asha 2"), "1007"), ("/travellerInfo/0/lN", json!(""), "1008"),
        ("/travellerInfo/1/fN", json!("ASHA"), "1010"),
        ("/travellerInfo/0/dob", json!(null), "1051"),
        ("/travellerInfo/2/dob", json!(null), "1052"),
        ("/travellerInfo/3/dob", json!(null), "1053"),
        ("/travellerInfo/0/dob", json!("2020-01-01"), "1012"),
        ("/travellerInfo/2/dob", json!("2010-01-01"), "1013"),
        ("/travellerInfo/3/dob", json!("2020-01-01"), "1014"), ("/travellerInfo/0/pNum", json!(""), "1064"),
        ("/travellerInfo/0/eD", json!(null), "1066"),
        ("/travellerInfo/0/eD", json!("2027-08-20"), "1067"),
        ("/bookingId", json!("TJS100000000000"), "1071"), ("/travellerInfo", json!([]), "400"),
        ("/travellerInfo", json!("nobody"), "400"),
    ];
    for (path, value, code) in cases {
        let mut wrong = body.clone();
        *wrong.pointer_mut(path).unwrap() = value;
        let answer = stage.book(wrong).await;
        assert_eq!(answer.body["errors"][0]["errCode"], code, "{path}: {}", answer.text);
    }
    assert!(stage.orders().await.is_empty());
    stage.details(&review["bookingId"]).await.declined(400, "1057");
    stage.book(body).await.done();
}

#[tokio::test]
async fn an_emergency_contact_is_given_where_the_review_asks_for_one() {
    let stage = Stage::open().await;
    let asks = |review: &Value| review["conditions"]["iecr"] == true;
    for (asked, review) in [
        (true, stage.review_that("BOM", asks).await),
        (false, stage.review_that("BOM", |review| !asks(review)).await),
    ] {
        let mut body = paid(&review);
        body["contactInfo"].take();
        let answer = stage.book(body).await;
        if asked {
            answer.declined(400, "2560");
            stage.book(paid(&review)).await.done();
        } else {
            answer.done();
        }
    }
}

#[tokio::test]
async fn a_session_that_is_over_books_nothing() {
    let stage = Stage::open().await;
    let review = stage.first_review("DEL", "BOM").await;
    let seconds = review["conditions"]["st"].as_i64().unwrap();
    stage.clock.advance(chrono::TimeDelta::seconds(seconds));
    stage.book(paid(&review)).await.declined(400, "1071");
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn bags_meals_and_seats_are_paid_with_the_fare_and_found_in_the_booking() {
    let stage = Stage::open().await;
    let sells_all = |review: &Value| {
        let info = &review["tripInfos"][0]["sI"][0]["ssrInfo"];
        review["conditions"]["isa"] == true && info["MEAL"].is_array() && info["BAGGAGE"].is_array()
    };
    let review = stage.review_that("BOM", sells_all).await;
    let segment = &review["tripInfos"][0]["sI"][0];
    let (bag, meal) = (&segment["ssrInfo"]["BAGGAGE"][0], &segment["ssrInfo"]["MEAL"][2]);
    let map = stage.tripjack("/fms/v1/seat", json!({ "bookingId": review["bookingId"] })).await.done();
    let cabin = &map["tripSeatMap"]["tripSeat"][text(&segment["id"])];
    let seats = list(&cabin["sInfo"]);
    let free = seats.iter().find(|seat| seat["isBooked"] == false).unwrap();
    let booked = seats.iter().find(|seat| seat["isBooked"] == true).unwrap();
    let ssr_request = |thing: &Value| json!([{ "key": segment["id"], "code": thing["code"] }]);
    let mut body = paid(&review);
    body["travellerInfo"][0]["ssrBaggageInfos"] = ssr_request(bag);
    body["travellerInfo"][0]["ssrMealInfos"] = ssr_request(meal);
    body["travellerInfo"][0]["ssrSeatInfos"] = ssr_request(booked);
    stage.book(body.clone()).await.declined(400, "400");
    body["travellerInfo"][0]["ssrSeatInfos"] = ssr_request(free);
    stage.book(body.clone()).await.declined(400, "1015");
    let extras: Decimal = [bag, meal, free].map(|thing| number(&thing["amount"])).iter().sum();
    body["paymentInfos"] = payment(due(&review) + extras);
    stage.book(body).await.done();

    let details = stage.details(&review["bookingId"]).await.done();
    assert_eq!(number(&details["order"]["amount"]), due(&review) + extras);
    let total = &details["itemInfos"]["AIR"]["totalPriceInfo"]["totalFareDetail"]["fC"];
    assert_eq!(number(&total["SSRP"]), extras);
    let person = &details["itemInfos"]["AIR"]["travellerInfos"][0];
    assert_eq!(person["ssrBaggageInfos"]["DEL-BOM"], *bag);
    assert_eq!(person["ssrMealInfos"]["DEL-BOM"], *meal);
    assert_eq!(person["ssrSeatInfos"]["DEL-BOM"]["code"], free["code"]);
}

#[tokio::test]
async fn the_balance_falls_by_what_is_paid() {
    let stage = Stage::open().await;
    let balance = async || {
        let request = stage.tripjack_request(reqwest::Method::GET, "/ums/v1/user-detail");
        number(&sent(request).await.unwrap().done()["walletBalance"])
    };
    assert_eq!(balance().await, dec!(50000000.00));
    let held = stage.review_that("BOM", is_holdable).await;
    stage.book(unpaid(&held)).await.done();
    assert_eq!(balance().await, dec!(50000000.00));
    let review = stage.first_review("DEL", "BOM").await;
    stage.book(paid(&review)).await.done();
    assert_eq!(balance().await, dec!(50000000.00) - due(&review));
}
