//! Recorded orders, cancellations and reviews, in whatever file of the recordings they are, known by their shape: each is read
//! at its total, and their sums are those that are added up here without the adapter.

use serde_json::{Value, json};
use wayfare_domain::Money;
use wayfare_flights::{duffel, tripjack};
use wayfare_stub_server::recordings;

use crate::recorded::{bytes, list, now, text};
use crate::sums::Sums;

/// What is in the answer, one or many, that has an id of this kind and this amount.
fn duffel_things(answer: &Value, id: &str, amount: &str) -> Vec<Value> {
    let content = answer.get("data").unwrap_or(answer).clone();
    let is_one = |thing: &Value| text(thing, "/id").starts_with(id) && thing[amount].is_string();
    list(content).into_iter().filter(is_one).collect()
}

#[test]
fn every_recording_of_duffels_orders_is_read_at_its_total() {
    let Some(files) = recordings::of("duffel") else { return };
    let mut sums = Sums::default();
    for (path, _, answer) in &files {
        for order in duffel_things(answer, "ord_", "total_amount") {
            let people = order["passengers"].as_array().into_iter().flatten();
            let seated: Vec<(&str, u32)> = people.map(|who| text(who, "/id")).zip(1..).collect();
            let read = duffel::read::order(&bytes(&json!({"data": order})), &seated, now());
            let read = read.unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
            assert_eq!(read.id, text(&order, "/id"));
            assert_eq!(read.pnr, text(&order, "/booking_reference"));
            let total = text(&order, "/total_amount").parse().unwrap();
            sums.add(read.total, text(&order, "/total_currency"), total);
        }
    }
    sums.compare("orders of Duffel's");
}

#[test]
fn every_recording_of_duffels_cancellations_is_read_with_its_refund() {
    let Some(files) = recordings::of("duffel") else { return };
    let mut sums = Sums::default();
    for (path, _, answer) in &files {
        for cancellation in duffel_things(answer, "ore_", "refund_amount") {
            let read = duffel::read::cancellation(&bytes(&json!({"data": cancellation})));
            let read = read.unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
            assert_eq!(read.id, text(&cancellation, "/id"));
            let refund = text(&cancellation, "/refund_amount").parse().unwrap();
            sums.add(read.refund.unwrap(), text(&cancellation, "/refund_currency"), refund);
        }
    }
    sums.compare("cancellations of Duffel's");
}

#[test]
fn every_recording_of_tripjacks_reviews_is_read_at_its_total() {
    let Some(files) = recordings::of("tripjack") else { return };
    let mut sums = Sums::default();
    for (path, body, answer) in &files {
        let total = &answer["totalPriceInfo"]["totalFareDetail"]["fC"]["TF"];
        let (Some(trips), Some(total)) = (answer["tripInfos"].as_array(), total.as_number()) else {
            continue;
        };
        let path = path.display();
        let tokens: Vec<&str> = trips.iter().map(|trip| text(trip, "/totalPriceList/0/id")).collect();
        let reviewed = tripjack::read::review(body, &tokens, now());
        if trips.iter().any(|trip| trip["sI"].is_null()) {
            let reason = reviewed.unwrap_err();
            println!("{path} is without its flights: {reason}");
            continue;
        }
        let reviewed = reviewed.unwrap_or_else(|reason| panic!("{path}: {reason}")).unwrap();
        let totals = reviewed.offers.iter().map(|offer| offer.charge.total);
        let ours = Money::sum(totals.clone().next().unwrap().currency(), totals).unwrap();
        sums.add(ours, "INR", total.to_string().parse().unwrap());
    }
    sums.compare("reviews of TripJack's");
}
