//! Recorded orders, cancellations and reviews, in whatever file of the recordings they are, known by their shape: each is read
//! at its total, and their sums are those that are added up here without the adapter.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_domain::Money;
use wayfare_flights::{duffel, tripjack};
use wayfare_stub_server::{did_not_run, recordings};

use crate::recorded::{bytes, list, now, text};

/// How much there is of one kind: what the adapter read of it, and what the answers say.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sums(BTreeMap<String, (usize, Decimal)>);

impl Sums {
    fn add(&mut self, currency: &str, amount: Decimal) {
        let (count, sum) = self.0.entry(currency.to_owned()).or_default();
        *count += 1;
        *sum += amount;
    }

    fn add_money(&mut self, money: Money) {
        self.add(money.currency().code(), money.amount());
    }
}

fn compare(what: &str, files: usize, ours: &Sums, theirs: &Sums) {
    println!("{what}: {files} files, {ours:?}");
    assert_eq!(ours, theirs, "{what}");
    if files == 0 {
        did_not_run(&format!("no file of WAYFARE_RECORDINGS has {what}"));
    }
}

/// What is in the answer, one or many, that has an id of this kind and this amount.
fn duffel_things(answer: &Value, id: &str, amount: &str) -> Vec<Value> {
    let content = answer.get("data").unwrap_or(answer).clone();
    let is_one = |thing: &Value| text(thing, "/id").starts_with(id) && thing[amount].is_string();
    list(content).into_iter().filter(is_one).collect()
}

#[test]
fn every_recording_of_duffels_orders_is_read_at_its_total() {
    let Some(files) = recordings::of("duffel") else { return };
    let (mut read_files, mut ours, mut theirs) = (0, Sums::default(), Sums::default());
    for (path, _, answer) in &files {
        let orders = duffel_things(answer, "ord_", "total_amount");
        read_files += usize::from(!orders.is_empty());
        for order in orders {
            let people = order["passengers"].as_array().into_iter().flatten();
            let seated: Vec<(&str, u32)> = people.map(|who| text(who, "/id")).zip(1..).collect();
            let read = duffel::read::order(&bytes(&json!({"data": order})), &seated, now());
            let read = read.unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
            assert_eq!(read.id, text(&order, "/id"));
            assert_eq!(read.pnr, text(&order, "/booking_reference"));
            ours.add_money(read.total);
            let total = text(&order, "/total_amount").parse().unwrap();
            theirs.add(text(&order, "/total_currency"), total);
        }
    }
    compare("orders of Duffel's", read_files, &ours, &theirs);
}

#[test]
fn every_recording_of_duffels_cancellations_is_read_with_its_refund() {
    let Some(files) = recordings::of("duffel") else { return };
    let (mut read_files, mut ours, mut theirs) = (0, Sums::default(), Sums::default());
    for (path, _, answer) in &files {
        let cancellations = duffel_things(answer, "ore_", "refund_amount");
        read_files += usize::from(!cancellations.is_empty());
        for cancellation in cancellations {
            let read = duffel::read::cancellation(&bytes(&json!({"data": cancellation})));
            let read = read.unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
            assert_eq!(read.id, text(&cancellation, "/id"));
            ours.add_money(read.refund.unwrap());
            let refund = text(&cancellation, "/refund_amount").parse().unwrap();
            theirs.add(text(&cancellation, "/refund_currency"), refund);
        }
    }
    compare("cancellations of Duffel's", read_files, &ours, &theirs);
}

#[test]
fn every_recording_of_tripjacks_reviews_is_read_at_its_total() {
    let Some(files) = recordings::of("tripjack") else { return };
    let (mut read_files, mut ours, mut theirs) = (0, Sums::default(), Sums::default());
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
        ours.add_money(Money::sum(totals.clone().next().unwrap().currency(), totals).unwrap());
        theirs.add("INR", total.to_string().parse().unwrap());
        read_files += 1;
    }
    compare("reviews of TripJack's", read_files, &ours, &theirs);
}
