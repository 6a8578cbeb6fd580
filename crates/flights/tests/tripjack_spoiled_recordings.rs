//! Answers in TripJack's words, our own and recorded ones, spoiled: bad input never panics.

use crate::recorded::now;
use crate::recorded::tripjack::{REVIEW, REVIEW_WITHOUT_FLIGHTS, SEARCHES, value};
use crate::tripjack_bodies::*;
use serde_json::{Value, json};
use wayfare_flights::{OrderMode, tripjack::read};
use wayfare_stub_server::spoiling::*;

/// Every reader that there is, and the review to which it adds seats.
fn readers() -> impl FnMut(&[u8], &mut Tally) {
    let reviewed = read::review(review(&["p1"]).to_string().as_bytes(), &["p1"], now())
        .unwrap()
        .unwrap();
    let travellers = booking(OrderMode::Hold).travellers;
    move |body, tally| {
        tally.note(read::search(body, PARTY, now()));
        tally.note(read::review(body, &["p1"], now()));
        tally.note(read::review(body, &["p1", "p2"], now()));
        tally.note(read::seats(body, &mut reviewed.clone()));
        tally.note(read::fare_rules(body));
        tally.note(read::order(body, &travellers));
    }
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
            let trip = trip(
                one["sI"].as_array().unwrap(),
                &one["totalPriceList"].as_array().unwrap()[..1],
            );
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
    let flights = [
        flight("1", "DEL", "BOM", 1, 0),
        back(flight("2", "BOM", "DEL", 2, 0)),
    ];
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
    ];
    let own = own.map(|text| serde_json::from_str(&text).unwrap());
    let searches = SEARCHES
        .into_iter()
        .filter_map(value)
        .flat_map(|search| pieces(&search));
    let reviews = [REVIEW, REVIEW_WITHOUT_FLIGHTS].into_iter().filter_map(value);
    own.into_iter().chain(searches).chain(reviews).collect()
}

#[test]
fn spoiled_bodies_are_errors_or_answers_and_never_panics() {
    with_spoiled_bytes(&bodies(), 10_000, readers());
}

#[test]
fn strange_values_in_any_field_are_errors_or_answers_and_never_panics() {
    with_strange_values(&bodies(), 4_000, readers());
}
