//! What is bought besides the fare: to whom it is sold, and that a seat is sold once.

use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

fn sells_all(review: &Value) -> bool {
    let info = &review["tripInfos"][0]["sI"][0]["ssrInfo"];
    let lists = ["BAGGAGE", "MEAL", "FASTFORWARD"];
    review["conditions"]["isa"] == true && lists.iter().all(|list| info[list].is_array())
}

fn ssr_request(segment: &Value, thing: &Value) -> Value {
    json!([{ "key": segment["id"], "code": thing["code"] }])
}

/// The seats of a review's first flight.
async fn seats(stage: &Stage, review: &Value) -> Vec<Value> {
    let body = json!({ "bookingId": review["bookingId"] });
    let map = stage.tripjack("/fms/v1/seat", body).await.done();
    let segment = text(&review["tripInfos"][0]["sI"][0]["id"]);
    list(&map["tripSeatMap"]["tripSeat"][segment]["sInfo"]).clone()
}

async fn free_seat(stage: &Stage, review: &Value) -> Value {
    let seats = seats(stage, review).await;
    let mut free = seats.into_iter().filter(|seat| seat["isBooked"] == false);
    free.find(|seat| seat["isLegroom"] == false).unwrap()
}

/// The body that books a review with a seat of its first flight.
fn seated(review: &Value, seat: &Value) -> Value {
    let mut body = paid(review);
    body["travellerInfo"][0]["ssrSeatInfos"] = ssr_request(&review["tripInfos"][0]["sI"][0], seat);
    body["paymentInfos"] = payment(due(review) + number(&seat["amount"]));
    body
}

#[tokio::test]
async fn a_fast_forward_has_a_list_of_its_own_and_extra_services_are_not_sold() {
    let stage = Stage::open().await;
    let review = stage.review_that("BOM", sells_all).await;
    let segment = &review["tripInfos"][0]["sI"][0];
    let fast = &segment["ssrInfo"]["FASTFORWARD"][0];
    let mut body = paid(&review);
    body["travellerInfo"][0]["ssrExtraServiceInfos"] = ssr_request(segment, fast);
    stage.book(body.clone()).await.declined(400, "400");
    body["travellerInfo"][0]["ssrExtraServiceInfos"] = json!([]);
    body["travellerInfo"][0]["ssrFastForwardInfos"] = ssr_request(segment, fast);
    body["paymentInfos"] = payment(due(&review) + number(&fast["amount"]));
    stage.book(body).await.done();
    let details = stage.details(&review["bookingId"]).await.done();
    let person = &details["itemInfos"]["AIR"]["travellerInfos"][0];
    assert_eq!(person["ssrFastForwardInfos"]["DEL-BOM"], *fast);
}

#[tokio::test]
async fn infants_have_nothing_and_others_one_of_a_kind_on_a_flight() {
    let stage = Stage::open().await;
    let trips = stage.trips(family(query(&[("DEL", "BOM", DAY)]))).await;
    let mut reviews = Vec::new();
    for fare in fares(&trips["ONWARD"]) {
        reviews.push(stage.review(&[&fare["id"]]).await.done());
    }
    let review = reviews.into_iter().find(sells_all).unwrap();
    let segment = &review["tripInfos"][0]["sI"][0];
    let (bag, meal) = (&segment["ssrInfo"]["BAGGAGE"][0], &segment["ssrInfo"]["MEAL"][1]);
    let seat = free_seat(&stage, &review).await;
    for (list, thing) in [("ssrBaggageInfos", bag), ("ssrMealInfos", meal), ("ssrSeatInfos", &seat)] {
        let mut of_infant = paid(&review);
        of_infant["travellerInfo"][3][list] = ssr_request(segment, thing);
        stage.book(of_infant).await.declined(400, "400");
        let mut twice = paid(&review);
        let one = json!({ "key": segment["id"], "code": thing["code"] });
        twice["travellerInfo"][0][list] = json!([one, one]);
        let error = stage.book(twice).await.declined(400, "400");
        assert!(text(&error["message"]).contains("one SSR of a kind"));
    }
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn a_bag_is_bought_on_the_first_flight_and_goes_on_without_an_amount() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "LHR", DAY)])).await;
    let mut reviews = Vec::new();
    for fare in fares(&trips["ONWARD"]) {
        reviews.push(stage.review(&[&fare["id"]]).await.done());
    }
    let connects = |review: &Value| {
        let segments = list(&review["tripInfos"][0]["sI"]);
        segments.len() > 1 && segments[0]["ssrInfo"]["BAGGAGE"].is_array()
    };
    let review = reviews.into_iter().find(connects).unwrap();
    let segments = list(&review["tripInfos"][0]["sI"]);
    let bought = &segments[0]["ssrInfo"]["BAGGAGE"][0];
    let mut goes_on = bought.clone();
    goes_on.as_object_mut().unwrap().remove("amount");
    assert_eq!(segments[1]["ssrInfo"]["BAGGAGE"][0], goes_on);

    let mut body = paid(&review);
    body["paymentInfos"] = payment(due(&review) + number(&bought["amount"]));
    body["travellerInfo"][0]["ssrBaggageInfos"] = ssr_request(&segments[1], bought);
    stage.book(body.clone()).await.declined(400, "400");
    body["travellerInfo"][0]["ssrBaggageInfos"] = ssr_request(&segments[0], bought);
    stage.book(body).await.done();
}

#[tokio::test]
async fn a_seat_that_is_taken_is_booked_for_whoever_looks_next_until_it_is_given_back() {
    let stage = Stage::open().await;
    let review = stage.review_that("BOM", |review| sells_all(review) && refunds(review, 1)).await;
    let fare = &review["tripInfos"][0]["totalPriceList"][0]["id"];
    let other = stage.review(&[fare]).await.done();
    let seat = free_seat(&stage, &review).await;
    let listed = async |review: &Value| {
        let seats = seats(&stage, review).await;
        let same = seats.into_iter().find(|each| each["code"] == seat["code"]);
        same.unwrap()
    };
    assert_eq!(listed(&other).await, seat);
    stage.book(seated(&review, &seat)).await.done();
    let taken = listed(&other).await;
    assert_eq!(taken["isBooked"], true);
    assert!(taken.get("amount").is_none());
    stage.book(seated(&other, &seat)).await.declined(400, "400");
    assert_eq!(stage.orders().await.len(), 1);

    let cancelled = json!({ "bookingId": review["bookingId"], "type": "CANCELLATION", "remarks": "" });
    stage.tripjack("/oms/v1/air/amendment/submit-amendment", cancelled).await.done();
    assert_eq!(listed(&other).await, seat);
    stage.book(seated(&other, &seat)).await.done();
}
