//! Reviews: what fits together, for how long, and what besides.

use chrono::TimeDelta;
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

fn id(fare: &Value) -> &Value {
    &fare["id"]
}

#[tokio::test]
async fn a_review_has_the_fare_of_the_search_and_its_total() {
    let stage = Stage::open().await;
    let trips = stage.trips(family(query(&[("DEL", "BOM", DAY)]))).await;
    for trip in list(&trips["ONWARD"]) {
        let fare = &trip["totalPriceList"][0];
        let review = stage.review(&[id(fare)]).await.done();
        let booking_id = text(&review["bookingId"]);
        assert!(booking_id.starts_with("TJS") && booking_id.len() == 15);
        let reviewed = &review["tripInfos"][0]["totalPriceList"][0];
        let mut due = Decimal::ZERO;
        for (kind, people) in [("ADULT", 2), ("CHILD", 1), ("INFANT", 1)] {
            let cost = |of: &Value| number(&of["fd"][kind]["fC"]["TF"]);
            assert_eq!(cost(reviewed), cost(fare));
            due += cost(fare) * Decimal::from(people);
        }
        let total = &review["totalPriceInfo"]["totalFareDetail"]["fC"];
        assert_eq!(number(&total["TF"]), due);
        assert!(review.get("alerts").is_none());
        let ids = |trip: &Value| -> Vec<Value> { each(list(&trip["sI"]), "id") };
        assert_eq!(ids(&review["tripInfos"][0]), ids(trip));
    }
}

#[tokio::test]
async fn commissions_are_told_at_the_review_and_keep_income_tax_back() {
    let stage = Stage::open().await;
    let trips = stage.trips(family(query(&[("DEL", "BOM", DAY)]))).await;
    let (mut with, mut without) = (0, 0);
    for trip in list(&trips["ONWARD"]) {
        let review = stage.review(&[id(&trip["totalPriceList"][0])]).await.done();
        let total = &review["totalPriceInfo"]["totalFareDetail"];
        let cost = |name: &str| number(&total["fC"][name]);
        assert_eq!(cost("TF"), cost("BF") + cost("TAF"));
        if total["fC"].get("NCM").is_none() {
            assert_eq!(cost("NF"), cost("TF"));
            without += 1;
            continue;
        }
        let part = |name: &str| number(&total["afC"]["NCM"][name]);
        assert!(part("TDS") < Decimal::ZERO);
        assert_eq!(cost("NCM"), part("OT") + part("TDS"));
        assert_eq!(cost("NF"), cost("TF") - cost("NCM"));
        with += 1;
    }
    assert!(with > 0 && without > 0, "{with} and {without}");
}

#[tokio::test]
async fn halves_of_a_return_are_reviewed_together() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "BOM", DAY), ("BOM", "DEL", BACK)])).await;
    let published = |key: &str| fare_of(&trips[key], "PUBLISHED");
    let (there, back) = (published("ONWARD"), published("RETURN"));
    // In any order.
    for ids in [[id(&there), id(&back)], [id(&back), id(&there)]] {
        let review = stage.review(&ids).await.done();
        let firsts: Vec<_> =
            list(&review["tripInfos"]).iter().map(|trip| trip["sI"][0]["isRs"].clone()).collect();
        assert_eq!(firsts, [false, true]);
        let total = |of: &Value| number(&of["fd"]["ADULT"]["fC"]["TF"]);
        assert_eq!(due(&review), total(&there) + total(&back));
    }
    stage.review(&[id(&there)]).await.declined(400, "1080");
    stage.review(&[id(&there), id(&there)]).await.declined(400, "1080");
    let other = stage.trips(query(&[("DEL", "BOM", DAY), ("BOM", "DEL", BACK)])).await;
    let of_another_search = fare_of(&other["RETURN"], "PUBLISHED");
    stage.review(&[id(&there), id(&of_another_search)]).await.declined(400, "1080");
}

#[tokio::test]
async fn a_special_fare_is_sold_with_its_twin_and_no_other() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "BOM", DAY), ("BOM", "DEL", BACK)])).await;
    let special = fare_of(&trips["ONWARD"], "SPECIAL_RETURN");
    let mut reviewed = 0;
    for other in fares(&trips["RETURN"]) {
        let answer = stage.review(&[id(&special), id(&other)]).await;
        if other["sri"] == special["msri"][0] {
            let review = answer.done();
            let identifier = &review["tripInfos"][1]["totalPriceList"][0]["fareIdentifier"];
            assert_eq!(identifier, "SPECIAL_RETURN");
            reviewed += 1;
        } else {
            answer.declined(400, "1080");
        }
    }
    assert_eq!(reviewed, 1);
}

#[tokio::test]
async fn a_flight_back_before_the_arrival_is_refused() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "BOM", DAY), ("BOM", "DEL", DAY)])).await;
    let last = |key: &str, latest: bool| {
        let mut all = list(&trips[key]).clone();
        all.sort_by_key(|trip| trip["sI"][0]["dt"].to_string());
        let trip = if latest { all.pop().unwrap() } else { all.remove(0) };
        let mut own = list(&trip["totalPriceList"]).clone().into_iter();
        own.find(|fare| fare.get("sri").is_none()).unwrap()
    };
    let answer = stage.review(&[id(&last("ONWARD", true)), id(&last("RETURN", false))]).await;
    answer.declined(400, "1080");
    stage.review(&[id(&last("ONWARD", false)), id(&last("RETURN", true))]).await.done();
}

#[tokio::test]
async fn a_price_id_stands_for_half_an_hour_and_an_unknown_one_not_at_all() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "BOM", DAY)])).await;
    let fare = &trips["ONWARD"][0]["totalPriceList"][0];
    stage.clock.advance(TimeDelta::minutes(29));
    stage.review(&[id(fare)]).await.done();
    stage.clock.advance(TimeDelta::minutes(1));
    let error = stage.review(&[id(fare)]).await.declined(400, "1071");
    assert!(text(&error["message"]).contains("already expired"));
    let mut touched = id(fare).as_str().unwrap().to_owned();
    touched.pop();
    for unknown in ["4-1_0DELBOMAI1~AAAA", "", touched.as_str()] {
        stage.review(&[&json!(unknown)]).await.declined(400, "1071");
    }
    stage.review(&[]).await.declined(400, "1009");
}

#[tokio::test]
async fn a_session_lasts_as_long_as_its_review_says() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "BOM", DAY)])).await;
    let mut lengths = Vec::new();
    for trip in list(&trips["ONWARD"]) {
        let review = stage.review(&[id(&trip["totalPriceList"][0])]).await.done();
        let conditions = &review["conditions"];
        // Noon in London is half past five in Delhi.
        assert_eq!(conditions["sct"], "2027-01-10T17:30:00.000");
        lengths.push(conditions["st"].as_i64().unwrap());
    }
    lengths.sort();
    lengths.dedup();
    assert_eq!(lengths, [840, 900]);

    let review = stage.first_review("DEL", "BOM").await;
    let rules = json!({ "flowType": "REVIEW", "id": review["bookingId"] });
    let seconds = review["conditions"]["st"].as_i64().unwrap();
    stage.clock.advance(TimeDelta::seconds(seconds - 1));
    stage.tripjack("/fms/v2/farerule", rules.clone()).await.done();
    stage.clock.advance(TimeDelta::seconds(1));
    stage.tripjack("/fms/v2/farerule", rules).await.declined(400, "1071");
}

#[tokio::test]
async fn conditions_ask_for_passports_across_borders_only() {
    let stage = Stage::open().await;
    let home = stage.first_review("DEL", "BOM").await["conditions"].take();
    assert!(home.get("pcs").is_none());
    assert_eq!(home["dob"], json!({ "adobr": false, "cdobr": false, "idobr": true }));
    let abroad = stage.first_review("DEL", "SIN").await["conditions"].take();
    assert_eq!(abroad["pcs"], json!({ "pm": true, "pped": true }));
    assert_eq!(abroad["dob"]["adobr"], true);
}

#[tokio::test]
async fn holding_is_allowed_where_it_is_at_duffel() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "BOM", DAY)])).await;
    let mut held = 0;
    for trip in list(&trips["ONWARD"]) {
        for fare in list(&trip["totalPriceList"]) {
            let review = stage.review(&[id(fare)]).await.done();
            held += usize::from(review["conditions"]["isBA"] == true);
        }
    }
    let offers = stage.offers(one_way("DEL", "BOM")).await;
    assert_eq!(held, offers.iter().filter(|offer| holdable(offer)).count());
    assert!(held > 0 && held < offers.len());
}

#[tokio::test]
async fn rules_are_for_each_way_and_the_same_by_price_id_and_by_booking_id() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "SIN", DAY), ("SIN", "DEL", BACK)])).await;
    let (mut disclosed, mut undisclosed) = (0, 0);
    for fare in fares(&trips["COMBO"]) {
        let by_price = json!({ "flowType": "SEARCH", "id": id(&fare) });
        let rules = stage.tripjack("/fms/v2/farerule", by_price).await.done();
        let review = stage.review(&[id(&fare)]).await.done();
        let by_booking = json!({ "flowType": "REVIEW", "id": review["bookingId"] });
        let again = stage.tripjack("/fms/v2/farerule", by_booking).await.done();
        assert_eq!(rules, again);
        let ways: Vec<_> = rules["farerule"].as_object().unwrap().keys().collect();
        assert_eq!(ways, ["DEL-SIN", "SIN-DEL"]);
        let way = &rules["farerule"]["DEL-SIN"];
        let Some(tfr) = way.get("tfr") else {
            assert!(list(&way["miscInfo"])[0].is_string());
            undisclosed += 1;
            continue;
        };
        disclosed += 1;
        let policy = &tfr["CANCELLATION"][0];
        match fare["fd"]["ADULT"]["rT"].as_u64().unwrap() {
            0 => assert!(policy.get("amount").is_none()),
            1 => assert_eq!(number(&policy["amount"]), Decimal::ZERO),
            _ => assert!(number(&policy["amount"]) > Decimal::ZERO),
        }
        assert_eq!(policy["pp"], "BEFORE_DEPARTURE");
    }
    assert!(disclosed > 0 && undisclosed > 0, "{disclosed} and {undisclosed}");
    for (flow, code) in [("SEARCH", "1071"), ("LATER", "400")] {
        let unknown = json!({ "flowType": flow, "id": "TJS1" });
        stage.tripjack("/fms/v2/farerule", unknown).await.declined(400, code);
    }
}

#[tokio::test]
async fn seats_are_shown_by_segment_where_the_review_says_so() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "ADD", DAY)])).await;
    let (mut with, mut without) = (0, 0);
    for trip in list(&trips["ONWARD"]) {
        let review = stage.review(&[id(&trip["totalPriceList"][0])]).await.done();
        let answer = stage.tripjack("/fms/v1/seat", json!({ "bookingId": review["bookingId"] })).await;
        if review["conditions"]["isa"] == false {
            answer.declined(400, "400");
            without += 1;
            continue;
        }
        with += 1;
        let map = answer.done();
        let by_segment = map["tripSeatMap"]["tripSeat"].as_object().unwrap();
        let segments = list(&review["tripInfos"][0]["sI"]);
        assert_eq!(by_segment.len(), segments.len());
        for segment in segments {
            let cabin = &by_segment[text(&segment["id"])];
            let (rows, columns) = (number(&cabin["sData"]["row"]), number(&cabin["sData"]["column"]));
            for seat in list(&cabin["sInfo"]) {
                assert_eq!(seat["isBooked"] == false, seat.get("amount").is_some());
                assert!(number(&seat["seatPosition"]["row"]) <= rows);
                assert!(number(&seat["seatPosition"]["column"]) <= columns);
            }
        }
    }
    assert!(with > 0 && without > 0, "{with} and {without}");
    stage.tripjack("/fms/v1/seat", json!({ "bookingId": "TJS100000000000" })).await.declined(400, "1071");
    let answer = sent(stage.tripjack_request(Method::GET, "/fms/v1/seat")).await;
    assert_eq!(answer.unwrap().status, 404, "only POST leads anywhere");
}
