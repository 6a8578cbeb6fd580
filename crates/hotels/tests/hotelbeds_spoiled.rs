//! Answers in Hotelbeds' words, our own and recorded ones, spoiled: bad input never panics, and no total is ever wrong.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod far_end;
mod hotelbeds_bodies;
mod recorded;

use std::sync::LazyLock;

use hotelbeds_bodies::*;
use proptest::prelude::*;
use proptest::sample::Index;
use recorded::json_of;
use serde_json::{Value, json};
use wayfare_domain::OrderStatus;
use wayfare_hotels::hotelbeds::read;
use wayfare_hotels::{Query, RoomRate};

const ID: &str = "207-12306403";

static BODIES: LazyLock<Vec<Value>> = LazyLock::new(bodies);
static COUPLES: LazyLock<RoomRate> = LazyLock::new(|| only_rate(couples("key-couples", json!("300.10"))));

fn recorded_query() -> Query {
    let mut query = query(hotels(&["6619"]));
    query.rooms = vec![guests(1, &[])];
    query
}

fn bodies() -> Vec<Value> {
    let taxed = with(
        couples("taxed", json!("300.00")),
        &[
            (
                "taxes",
                json!({"taxes": [
                    {"included": true, "amount": "27.27", "currency": "EUR", "type": "TAX"},
                    {"included": false, "amount": "6.60", "currency": "USD", "type": "FEE"}
                ]}),
            ),
            ("offers", json!([{"amount": "-20.00"}])),
            ("hotelMandatory", json!(true)),
            ("sellingRate", json!("320.00")),
        ],
    );
    let own = [
        found(&[hotel(74400, &[taxed.clone(), family("key", json!(99.9))])]),
        checked(&taxed),
        booking(),
        cancelled(&json!("99.90")),
        json!({"bookings": {"bookings": [{"reference": ID, "clientReference": REFERENCE}], "total": 1}}),
    ];
    let recorded = [
        "200-list-available-hotels.json",
        "200-list-checkrates.json",
        "200-confirm-booking.json",
    ];
    let recorded = recorded.iter().filter_map(|name| json_of("hotelbeds", name));
    own.into_iter().chain(recorded).collect()
}

/// What is true of every rate that is ever read, whatever was sent.
fn assert_sound(rate: &RoomRate) {
    let total = rate.parts.total().unwrap();
    assert!(total.is_positive(), "{rate:?}");
    assert!(total.bounded().is_ok(), "{rate:?}");
    for part in [
        rate.parts.rooms,
        rate.parts.taxes,
        rate.parts.other_fees,
        rate.parts.discounts,
    ] {
        assert!(!part.is_negative(), "{rate:?}");
    }
    assert!(
        rate.commission
            .is_none_or(|commission| { !commission.is_negative() && commission.amount() <= total.amount() })
    );
    assert!(rate.minimum_price.is_none_or(|price| price == total));
    assert!(rate.policy.deadlines.is_sorted_by_key(|deadline| deadline.from));
    for deadline in &rate.policy.deadlines {
        assert!(!deadline.fee.is_negative() && deadline.fee.amount() <= total.amount());
    }
    assert!(!rate.token.is_empty());
}

/// Every reader that there is. True when one of them could read it.
fn read_all(body: &[u8]) -> bool {
    let mut was_read = false;
    for query in [query(hotels(&["74400"])), recorded_query()] {
        if let Ok(found) = read::search(body, &query, now()) {
            was_read = true;
            let rates = found.hotels.iter().flat_map(|hotel| &hotel.rates);
            rates.for_each(assert_sound);
        }
        for hotel in ["74400", "6619"] {
            if let Ok(checked) = read::check(body, &query, hotel, &COUPLES, now()) {
                was_read = true;
                if let read::Checked::Stands(rate) = checked {
                    assert_sound(&rate);
                }
            }
        }
    }
    let request = request();
    if let Ok(stay) = read::stay(body, &request, money("0.00"), now()) {
        was_read = true;
        // What is beside the booking may be spoiled so that only those can read it who pass it over.
        let Ok(told) = serde_json::from_slice::<Value>(body) else {
            return true;
        };
        let charged = [
            &told["booking"]["totalNet"],
            &told["booking"]["hotel"]["totalNet"],
        ];
        let is_told = charged.iter().any(|told| {
            let told = told.to_string();
            told.trim_matches('"').parse() == Ok(stay.total.amount())
        });
        assert!(
            is_told || (stay.status == OrderStatus::Cancelled && stay.total == request.total),
            "{stay:?}"
        );
        assert_eq!(stay.raw.get("creationUser"), None);
    }
    if let Ok(quote) = read::cancellation_quote(body, ID, money("400.00")) {
        was_read = true;
        let refund = quote.refund.unwrap();
        assert!(!refund.is_negative() && refund.amount() <= money("400.00").amount());
    }
    if let Ok(cancellation) = read::cancellation(body, ID, "EUR-400.00") {
        was_read = true;
        assert!(
            cancellation.refund.is_none_or(|refund| {
                !refund.is_negative() && refund.amount() <= money("400.00").amount()
            })
        );
    }
    was_read |= read::listing(body, REFERENCE).is_ok();
    was_read
}

fn strange() -> [Value; 18] {
    [
        json!(null),
        json!(-1),
        json!(99_999_999_999_u64),
        json!(1e300),
        json!(""),
        json!("-0.00"),
        json!("99999999999999.99"),
        json!("-79228162514264337593543950335"),
        json!("79228162514264337593543950336"),
        json!("0.0000000000000000000000000001"),
        json!("+262142-12-31T23:59:59Z"),
        json!("-262143-01-01T00:00:00Z"),
        json!("2026-03-29T02:30:00+99:99"),
        json!("JPY"),
        json!("XAU"),
        json!({}),
        json!([]),
        json!(true),
    ]
}

/// Every value in it that holds no others.
fn leaves<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    if value.as_array().is_some_and(|items| !items.is_empty()) {
        let items = value.as_array_mut().into_iter().flatten();
        items.for_each(|item| leaves(item, found));
    } else if value.as_object().is_some_and(|fields| !fields.is_empty()) {
        let fields = value.as_object_mut().into_iter().flatten();
        fields.for_each(|(_, field)| leaves(field, found));
    } else {
        found.push(value);
    }
}

#[test]
fn every_body_is_read_while_it_is_whole() {
    for body in BODIES.iter() {
        assert!(read_all(body.to_string().as_bytes()), "{body}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spoiled_bytes_never_panic_or_make_a_wrong_total(
        which: Index,
        faults in prop::collection::vec((any::<Index>(), 0..4_u8, any::<u8>()), 1..4),
    ) {
        let mut body = which.get(&BODIES).to_string().into_bytes();
        for (at, fault, with) in faults {
            if body.is_empty() {
                break;
            }
            let at = at.index(body.len());
            match fault {
                0 => body[at] ^= 1 << (with % 8),
                1 => body[at] = b"0123456789-.:+eE\"{}[],nT"[usize::from(with) % 24],
                2 => drop(body.drain(at..(at + 1 + usize::from(with) % 40).min(body.len()))),
                _ => body.truncate(at),
            }
        }
        read_all(&body);
    }

    #[test]
    fn strange_values_never_panic_or_make_a_wrong_total(
        which: Index,
        faults in prop::collection::vec((any::<Index>(), 0..18_usize), 1..4),
    ) {
        let mut body = which.get(&BODIES).clone();
        let mut places = Vec::new();
        leaves(&mut body, &mut places);
        for (place, value) in faults {
            let place = place.index(places.len());
            *places[place] = strange()[value].clone();
        }
        read_all(body.to_string().as_bytes());
    }
}
