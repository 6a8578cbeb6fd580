//! Answers in LiteAPI's words, our own and recorded ones, spoiled: bad input never panics, and never makes a total that
//! its parts don't come to.

use crate::liteapi_stage::*;
use crate::recorded::*;
use serde_json::{Value, json};
use wayfare_domain::{Currency, Money};
use wayfare_hotels::RoomRate;
use wayfare_hotels::liteapi::read;
use wayfare_stub_server::spoiling::*;

/// The parts are all there and come to a price that money can be.
fn assert_sound(rate: &RoomRate) {
    let total = rate.parts.total().unwrap();
    assert!(total.is_positive() && total.bounded().is_ok(), "{rate:?}");
    assert_eq!(total.currency(), rate.parts.rooms.currency());
    let parts = [
        rate.parts.rooms,
        rate.parts.taxes,
        rate.parts.service_charge,
        rate.parts.resort_fee,
        rate.parts.other_fees,
        rate.parts.discounts,
    ];
    assert!(parts.into_iter().all(|part| !part.is_negative()), "{rate:?}");
    assert!(
        rate.commission
            .is_none_or(|commission| !commission.is_negative() && commission.amount() <= total.amount())
    );
    let mut last = Money::zero(total.currency());
    for instant in rate.policy.deadlines.iter().map(|deadline| deadline.from) {
        let fee = rate.policy.fee_at(instant, total).unwrap();
        assert!(!fee.is_negative() && fee.amount() <= total.amount());
        last = fee;
    }
    let end = chrono::DateTime::<chrono::Utc>::MAX_UTC;
    if rate.policy.refundable == Some(true) {
        assert_eq!(rate.policy.fee_at(end, total), Ok(last));
    }
}

fn readers(body: &[u8], tally: &mut Tally) {
    for query in [query(&[(2, &[])]), two_kinds()] {
        let found = read::search(body, &query, Currency::USD, now());
        for hotel in found.iter().flat_map(|found| &found.hotels) {
            assert!(!hotel.rates.is_empty());
            hotel.rates.iter().for_each(assert_sound);
        }
        tally.note(found);
        let priced = read::prebooked(body, &query, "OFFER", now());
        priced.iter().flat_map(|priced| &priced.rates).for_each(assert_sound);
        tally.note(priced);
    }
    let booking = read::booking(body, now());
    if let Ok(booking) = &booking {
        let stay = &booking.stay;
        assert!(!stay.total.is_negative());
        let now = "2026-03-01T12:00:00Z".parse().unwrap();
        let fee = stay.policy.fee_at(now, stay.total).unwrap();
        assert!(!stay.total.minus(fee).unwrap().is_negative());
    }
    tally.note(booking);
    tally.note(read::listed(body, REFERENCE));
    tally.note(read::cancelled_bookings(body));
    tally.note(read::cancelled(body).inspect(|quote| {
        assert!(quote.refund.is_none_or(|refund| !refund.is_negative()));
    }));
    tally.note(read::details(body));
}

/// Our own answers and, where they are present, recorded ones.
fn bodies() -> Vec<Value> {
    let rates = [rate(1, 2, 0, 100.0), rate(2, 1, 1, 50.0)];
    let own = [
        json!({"data": [hotel_offers("lp1", &[offer("A", &rates[..1]), offer("B", &rates)])], "hotels": [{"id": "lp1"}]}),
        prebook(&rates, 150.0),
        booking("CONFIRMED", REFERENCE),
        json!({"data": [{"bookingId": "b", "clientReference": REFERENCE}]}),
    ];
    let names = [SEARCH, BOOKING_LIST].into_iter().chain(BOOKINGS).chain(CANCELLATIONS);
    own.into_iter().chain(names.filter_map(json)).chain(prebook_alone()).collect()
}

#[test]
fn spoiled_bodies_are_errors_or_answers_and_never_panics() {
    with_spoiled_bytes(&bodies(), 2_000, readers);
}

#[test]
fn strange_values_in_any_field_are_errors_or_answers_and_never_panics() {
    with_strange_values(&bodies(), 2_000, readers);
}

#[test]
fn a_stream_that_is_cut_anywhere_is_no_answer() {
    let offers = [offer("A", &[rate(1, 2, 0, 100.0)])];
    let own = stream(&[json!({"rates": [hotel_offers("lp1", &offers)]}), json!({"hotels": []})]);
    let query = query(&[(2, &[])]);
    let whole = read::search(own.as_bytes(), &query, Currency::USD, now()).unwrap();
    assert_eq!(whole.hotels.len(), 1);
    let end = own.find("[DONE]").unwrap() + "[DONE]".len();
    for cut in 1..end {
        let answer = read::search(&own.as_bytes()[..cut], &query, Currency::USD, now());
        assert!(answer.is_err(), "{:?}", &own[..cut]);
    }
    for cut in end..own.len() {
        assert_eq!(read::search(&own.as_bytes()[..cut], &query, Currency::USD, now()), Ok(whole.clone()));
    }
}
