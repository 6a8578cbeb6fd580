//! Answers in Hotelbeds' words, our own and recorded ones, spoiled: bad input never panics, and no total is ever wrong.

use std::sync::LazyLock;

use crate::hotelbeds_bodies::*;
use serde_json::{Value, json};
use wayfare_hotels::hotelbeds::read;
use wayfare_hotels::{Query, RoomRate};
use wayfare_stub_server::recordings;
use wayfare_stub_server::spoiling::*;

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
        json!({"bookings": {"bookings": [{"reference": ID, "hotel": {"rooms": [{"supplierConfirmationCode": ["A-17"]}]}}]}}),
    ];
    let recorded = ["200-list-available-hotels.json", "200-list-checkrates.json", "200-confirm-booking.json"];
    let recorded = recorded.iter().filter_map(|name| recordings::json("hotelbeds", name));
    own.into_iter().chain(recorded).collect()
}

/// What is true of every rate that is ever read, whatever was sent.
fn assert_sound(rate: &RoomRate) {
    let total = rate.parts.total().unwrap();
    assert!(total.is_positive(), "{rate:?}");
    assert!(total.bounded().is_ok(), "{rate:?}");
    for part in [rate.parts.rooms, rate.parts.taxes, rate.parts.other_fees, rate.parts.discounts] {
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
        let Ok(told) = serde_json::from_slice::<Value>(body) else { return true };
        let charged = [&told["booking"]["totalNet"], &told["booking"]["hotel"]["totalNet"]];
        let is_told = charged.iter().any(|told| {
            let told = told.to_string();
            told.trim_matches('"').parse() == Ok(stay.total.amount())
        });
        assert!(is_told || stay.total == request.total, "{stay:?}");
        assert_eq!(stay.raw.tree().get("creationUser"), None);
    }
    let sold = read::Sold { total: money("400.00"), charged: money("400.00") };
    if let Ok(quote) = read::cancellation_quote(body, ID, sold) {
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
    for page in [read::cancelled_bookings(body), read::reconfirmed_bookings(body)].into_iter().flatten() {
        was_read = true;
        assert!(page.orders.len() <= page.count, "{page:?}");
    }
    was_read
}

#[test]
fn every_body_is_read_while_it_is_whole() {
    for body in BODIES.iter() {
        assert!(read_all(body.to_string().as_bytes()), "{body}");
    }
}

fn readers(body: &[u8], tally: &mut Tally) {
    tally.note(read_all(body).then_some(()).ok_or("no reader can read it"));
}

#[test]
fn spoiled_bytes_never_panic_or_make_a_wrong_total() {
    with_spoiled_bytes(&BODIES, 3_000, readers);
}

#[test]
fn strange_values_never_panic_or_make_a_wrong_total() {
    with_strange_values(&BODIES, 3_000, readers);
}
