//! Answers in Duffel's words, our own and recorded ones, spoiled: bad input never panics.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod far_end;
mod recorded;
mod spoiled;

use far_end::bodies::{flight, offer, order};
use recorded::*;
use serde_json::{Value, json};
use spoiled::*;
use wayfare_flights::duffel::read;

fn readers(body: &[u8], tally: &mut Tally) {
    tally.note(read::search(body, true));
    tally.note(read::search(body, false));
    tally.note(read::offer(body, true));
    tally.note(read::order(body, &[("pas_1", 1), ("pas_2", 2)], now()));
    tally.note(
        read::orders(body)
            .inspect(|page| assert!(page.with_reference("FA-1").is_none() || page.reaches(now()))),
    );
    tally.note(read::cancellation(body));
}

/// Our own answers and, where they are present, recorded ones, in every envelope that there is.
fn bodies() -> Vec<Value> {
    let own = [
        offer("off_1", &[flight("LHR", "EDI"), flight("EDI", "LHR")]),
        order(),
    ];
    let names = SEARCHES
        .into_iter()
        .chain(OFFERS)
        .chain(ORDERS)
        .chain(CANCELLATIONS);
    let bodies = own.into_iter().chain(names.filter_map(data)).flat_map(|value| {
        [
            json!({"data": value}),
            json!({"data": {"offers": [value]}}),
            json!({"data": [value], "meta": {"after": "x"}}),
        ]
    });
    bodies.filter(|body| bytes(body).len() < 40_000).collect()
}

#[test]
fn spoiled_bodies_are_errors_or_answers_and_never_panics() {
    with_spoiled_bytes(&bodies(), 20_000, readers);
}

#[test]
fn strange_values_in_any_field_are_errors_or_answers_and_never_panics() {
    with_strange_values(&bodies(), 10_000, readers);
}
