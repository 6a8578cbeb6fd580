//! Answers in TripJack's words, our own and recorded ones, spoiled: bad input never panics.

use crate::recorded::now;
use crate::recorded::tripjack::{REVIEW, REVIEW_WITHOUT_FLIGHTS, SEARCHES, value};
use crate::tripjack_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::PartOfJourney;
use wayfare_flights::{
    OrderMode,
    tripjack::{read, read_after_sale},
};
use wayfare_stub_server::spoiling::*;
use wayfare_supply::{JourneyToCancel, PartToCancel, TravellerToCancel};

/// Every reader that there is, and the review to which it adds seats.
fn readers() -> impl FnMut(&[u8], &mut Tally) {
    let reviewed = read::review(review(&["p1"]).to_string().as_bytes(), &["p1"], now()).unwrap().unwrap();
    let request = booking(OrderMode::Hold);
    let details = order("SUCCESS").to_string();
    move |body, tally| {
        tally.note(read::search(body, PARTY, now()));
        tally.note(read::review(body, &["p1"], now()));
        tally.note(read::review(body, &["p1", "p2"], now()));
        tally.note(read::seats(body, &mut reviewed.clone()));
        tally.note(read::fare_rules(body));
        tally.note(read::order(body, &request.travellers));
        tally.note(read_after_sale::reissue_offers(body, &request, now()));
        tally.note(read_after_sale::reissue_review(body, &request, now()));
        tally.note(read_after_sale::amendment(body));
        tally.note(read_after_sale::amendment_charges(body, details.as_bytes(), None));
        tally.note(read_after_sale::amendment_charges(body, details.as_bytes(), Some(&part())));
    }
}

/// One of two adults, and a child, on the only journey.
fn part() -> PartToCancel {
    let travellers = booking(OrderMode::Hold).travellers;
    let going =
        travellers.iter().skip(1).take(2).map(|who| TravellerToCancel { index: who.index, kind: who.kind });
    let journey = PartOfJourney {
        journey: 0,
        origin: "DEL".to_owned(),
        destination: "BOM".to_owned(),
        day: now().date_naive(),
        routes: vec!["DEL-BOM".to_owned()],
        travellers: vec![2, 3],
    };
    PartToCancel {
        journeys: vec![JourneyToCancel { journey, travellers: going.collect() }],
        party: travellers.clone(),
    }
}

/// What an amendment of a part would cost, in their two forms, and one as it stands.
fn amendments() -> [Value; 3] {
    let by_type = json!({
        "ADULT": {"amendmentCharges": 300, "refundAmount": 2700.5, "totalFare": 3000.5},
        "CHILD": {"amendmentCharges": 300, "refundAmount": 1200, "totalFare": 1500},
    });
    let trip = json!({"src": "DEL", "dest": "BOM", "departureDate": "2026-04-01", "amendmentInfo": by_type});
    let status = json!({"success": true, "httpStatus": 200});
    [
        json!({"bookingId": "TJS1", "trips": [trip], "status": status}),
        json!({"bookingId": "TJS1", "amendmentCharges": 300, "refundAmount": 2700.5, "totalFare": 3000.5, "status": status}),
        json!({"bookingId": "TJS1", "amendmentId": "A1", "amendmentStatus": "SUCCESS", "refundableAmount": 2700.5, "status": status}),
    ]
}

/// Pieces of a recorded search: single trips with single fares, since all of it takes too long to be read so often.
fn pieces(search: &Value) -> Vec<Value> {
    let lists = search["searchResult"]["tripInfos"].as_object().unwrap();
    let trips = lists.iter().flat_map(|(key, trips)| {
        let trips = trips.as_array().unwrap().iter();
        trips.map(move |trip| (key, trip))
    });
    trips
        .map(|(key, one)| {
            let trip = trip(one["sI"].as_array().unwrap(), &one["totalPriceList"].as_array().unwrap()[..1]);
            json!({"searchResult": {"tripInfos": {key: [trip]}}, "status": search["status"]})
        })
        .collect()
}

/// The order with its flights and until when it must be paid.
fn told_in_full(mut order: Value) -> Value {
    let air = &mut order["itemInfos"]["AIR"];
    air["timeLimit"] = json!("2026-03-02T18:00:00");
    air["tripInfos"] = json!([{"sI": [flight("100", "DEL", "BOM", 1, 0)]}]);
    order
}

fn bodies() -> Vec<Value> {
    let flights = [flight("1", "DEL", "BOM", 1, 0), back(flight("2", "BOM", "DEL", 2, 0))];
    let own = [
        found(
            &json!({"COMBO": [trip(&flights, &[fare("p1")])], "ONWARD": [trip(&flights, &[special("p2", "a", "b")])]}),
        ),
        review(&["p1"]).to_string(),
        review(&["p1", "p2"]).to_string(),
        seats(json!({"tripSeat": {"100": {"sInfo": [seat("1A", json!(999.0), false)]}}})),
        rules().to_string(),
        order("SUCCESS").to_string(),
        told_in_full(held()).to_string(),
        reissue_flights(),
        reissue_review().to_string(),
    ];
    let own = own.map(|text| serde_json::from_str(&text).unwrap());
    let searches = SEARCHES.into_iter().filter_map(value).flat_map(|search| pieces(&search));
    let reviews = [REVIEW, REVIEW_WITHOUT_FLIGHTS].into_iter().filter_map(value);
    own.into_iter().chain(amendments()).chain(searches).chain(reviews).collect()
}

#[test]
fn spoiled_bodies_are_errors_or_answers_and_never_panics() {
    with_spoiled_bytes(&bodies(), 10_000, readers());
}

#[test]
fn strange_values_in_any_field_are_errors_or_answers_and_never_panics() {
    with_strange_values(&bodies(), 4_000, readers());
}
