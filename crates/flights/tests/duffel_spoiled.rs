//! Recorded answers of Duffel with bits flipped and pieces cut out: bad input never panics.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod recorded;

use std::sync::LazyLock;

use recorded::*;
use serde_json::{Value, json};
use wayfare_flights::duffel::read;

/// A small generator, so that a failure comes again with the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit.max(1)).unwrap()).unwrap()
    }

    /// Bits flipped, digits and signs changed, a piece cut out, or the end cut off.
    fn spoil(&mut self, body: &mut Vec<u8>) {
        let at = self.below(body.len());
        match self.below(4) {
            0 => body[at] ^= 1 << self.below(8),
            1 => body[at] = b"0123456789-.:+eE\"{}[],nT"[self.below(24)],
            2 => drop(body.drain(at..(at + 1 + self.below(40)).min(body.len()))),
            _ => body.truncate(at),
        }
    }
}

/// One that is well, and sells a bag.
static OFFER: LazyLock<Vec<u8>> =
    LazyLock::new(|| bytes(&json!({"data": data("java/offers_by_id_with_services.json").unwrap()})));

/// What every reader makes of the body: how many could read it, and how many not.
fn read_all_ways(body: &[u8]) -> (u32, u32) {
    let outcomes = [
        read::search(body, true).map(drop),
        read::search(body, false).map(drop),
        read::offer(body, None, true).map(drop),
        read::order(body, &[("pas_1", 1), ("pas_2", 2)], now()).map(drop),
        read::orders(body).map(|page| assert!(page.with_reference("FA-1").is_none() || page.reaches(now()))),
        read::cancellation(body).map(drop),
    ];
    let priced = read::offer(&OFFER, Some(body), true).unwrap();
    assert!(
        !priced.ancillaries.is_empty(),
        "spoiled seats cost nothing but seats"
    );
    let errors = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    let unread = errors
        .inspect(|error| assert!(!error.to_string().is_empty()))
        .count();
    let unread = u32::try_from(unread).unwrap();
    (6 - unread, unread)
}

/// Recorded answers in every envelope that there is.
fn envelopes() -> Vec<Value> {
    let names = SEARCHES
        .into_iter()
        .chain(OFFERS)
        .chain(SEAT_MAPS)
        .chain(ORDERS)
        .chain(CANCELLATIONS);
    let bodies = names.flat_map(|name| {
        let value = data(name).unwrap();
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
    if folder().is_none() {
        return;
    }
    let mut dice = Dice(0x005e_edd0_ffe1);
    let bodies: Vec<Vec<u8>> = envelopes().iter().map(bytes).collect();
    let (mut read, mut unread) = (0, 0);
    for _ in 0..4_000 {
        let mut body = bodies[dice.below(bodies.len())].clone();
        for _ in 0..=dice.below(3) {
            if !body.is_empty() {
                dice.spoil(&mut body);
            }
        }
        let (well, badly) = read_all_ways(&body);
        read += well;
        unread += badly;
    }
    assert!(read > 100 && unread > 100, "{read} read, {unread} not");
}

/// Every value in it that holds no others.
fn leaves<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    if value.as_array().is_some_and(|items| !items.is_empty()) {
        value
            .as_array_mut()
            .into_iter()
            .flatten()
            .for_each(|item| leaves(item, found));
    } else if value.as_object().is_some_and(|fields| !fields.is_empty()) {
        value
            .as_object_mut()
            .into_iter()
            .flatten()
            .for_each(|(_, item)| leaves(item, found));
    } else {
        found.push(value);
    }
}

#[test]
fn strange_values_in_any_field_are_errors_or_answers_and_never_panics() {
    if folder().is_none() {
        return;
    }
    let strange = [
        json!(null),
        json!(-1),
        json!(99_999_999_999_u64),
        json!(""),
        json!("-0.00"),
        json!("99999999999999.99"),
        json!("-79228162514264337593543950335"),
        json!("79228162514264337593543950336"),
        json!("0.0000000000000000000000000001"),
        json!("+262142-12-31T23:59:59"),
        json!("2026-03-29T02:30:00"),
        json!("+262142-12-31T23:59:59Z"),
        json!("-262143-01-01T00:00:00Z"),
        json!("P4294967295DT4294967295H"),
        json!("JPY"),
        json!("XAU"),
        json!({}),
        json!([]),
        json!(true),
    ];
    let mut dice = Dice(0x005e_edd0_ffe2);
    let bodies = envelopes();
    let (mut read, mut unread) = (0, 0);
    for _ in 0..4_000 {
        let mut body = bodies[dice.below(bodies.len())].clone();
        let mut places = Vec::new();
        leaves(&mut body, &mut places);
        for _ in 0..=dice.below(2) {
            let place = dice.below(places.len());
            *places[place] = strange[dice.below(strange.len())].clone();
        }
        let (well, badly) = read_all_ways(&bytes(&body));
        read += well;
        unread += badly;
    }
    assert!(read > 4_000 && unread > 100, "{read} read, {unread} not");
}
