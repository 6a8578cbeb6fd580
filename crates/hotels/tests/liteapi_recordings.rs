//! Recorded answers of LiteAPI through the adapter, where they are present (see `recorded`).

use std::collections::BTreeMap;

use crate::answers::ending;
use crate::brief;
use crate::liteapi_stage::*;
use crate::recorded::*;
use crate::recordings_of_bookings_by_shape::now;
use serde_json::Value;
use wayfare_domain::{Currency, Money};
use wayfare_hotels::liteapi::read;
use wayfare_hotels::{HotelSupplier, Lookup, Query};
use wayfare_stub_server::{StubServer, recordings, reply};
use wayfare_supply::{AfterSales, Answer, CancellationState};

/// A number of theirs as an amount of money.
fn exact(number: &Value, currency: Currency) -> Money {
    Money::rounded(number.to_string().parse().unwrap(), currency)
}

/// Two grown-ups in one room, which is what was asked for in all of them.
fn recorded_query() -> Query {
    query(&[(2, &[])])
}

/// Every offer that can be booked is found at its price, and only those.
fn assert_all(answers: &[Value], found: &wayfare_hotels::HotelResults) -> usize {
    let of_hotel = |hotel: &wayfare_hotels::HotelResult| {
        let rates = hotel.rates.iter();
        let rates = rates.map(|rate| ((hotel.id.clone(), rate.token.clone()), rate.parts.total().unwrap()));
        rates.collect::<Vec<_>>()
    };
    let ours: BTreeMap<(String, String), Money> = found.hotels.iter().flat_map(of_hotel).collect();
    let theirs = answers.iter().flat_map(offers).filter_map(|(hotel, offer)| {
        let total = offer["rates"][0]["retailRate"]["total"].get(0)?;
        let key = (hotel.to_owned(), offer["offerId"].as_str()?.to_owned());
        Some((key, exact(&total["amount"], Currency::USD)))
    });
    assert_eq!(ours, theirs.collect());
    ours.len()
}

/// The hotels and their rates.
fn told(found: &wayfare_hotels::HotelResults) -> String {
    let of_hotel = |hotel: &wayfare_hotels::HotelResult| {
        let rates = hotel.rates.iter().take(3).map(brief::rate);
        std::iter::once(brief::hotel(hotel)).chain(rates).collect::<Vec<_>>()
    };
    found.hotels.iter().flat_map(of_hotel).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_recorded_search() {
    let (Some(body), Some(answer)) = (bytes(SEARCH), json(SEARCH)) else { return };
    let found = read::search(&body, &recorded_query(), Currency::USD, now()).unwrap();
    assert_eq!(found.unusable, [""; 0]);
    assert_eq!(assert_all(&[answer], &found), 1);
    insta::assert_snapshot!("liteapi_search", told(&found));
}

#[test]
fn the_recorded_stream() {
    let Some(stream) = streamed() else { return };
    let events = stream.lines().filter_map(|line| line.strip_prefix("data: {"));
    let answers: Vec<Value> =
        events.map(|event| serde_json::from_str(&format!("{{{event}")).unwrap()).collect();
    let found = read::search(stream.as_bytes(), &recorded_query(), Currency::USD, now()).unwrap();
    assert!(assert_all(&answers, &found) > 20);
    let few = found.unusable.last().unwrap();
    assert!(few.starts_with("and ") && few.ends_with(" more"), "{few}");
    insta::assert_snapshot!("liteapi_stream", told(&found));
}

#[test]
fn the_recorded_price() {
    let (Some(prebook), Some(alone)) = (bytes(PREBOOK), prebook_alone()) else { return };
    let mut query = recorded_query();
    query.check_in = "2025-12-05".parse().unwrap();
    query.check_out = "2025-12-10".parse().unwrap();
    // What was recorded sells vouchers for cars and takes off a gift: we ask for neither.
    let reason = read::prebooked(&prebook, &query, "OFFER", now()).unwrap_err().to_string();
    assert_eq!(reason, "the offer costs 213.66 USD, but its rooms 163.66 USD");

    let priced = read::prebooked(alone.to_string().as_bytes(), &query, "OFFER", now()).unwrap();
    assert_eq!((priced.prebook_id.as_str(), priced.hotel_id.as_str()), ("zzWkJcdgk", "lp1897"));
    let lines: Vec<String> = priced.rates.iter().map(brief::rate).collect();
    insta::assert_snapshot!("liteapi_price", lines.join("\n"));
}

#[test]
fn recorded_bookings() {
    let mut lines = Vec::new();
    for name in BOOKINGS {
        let (Some(body), Some(raw)) = (bytes(name), json(name)) else { return };
        let found = read::booking(&body, now()).unwrap();
        assert_eq!(*found.stay.raw.tree(), raw["data"]);
        let (reference, refunded) = (found.reference, found.refunded);
        lines.push(format!("{reference:?} refunded {refunded:?}: {}", brief::stay(&found.stay)));
    }
    // A penalty in dollars for a price in euros is the whole price, and told.
    insta::assert_snapshot!("liteapi_bookings", lines.join("\n"));
}

#[test]
fn the_recorded_list_of_bookings_is_of_nobodys_reference() {
    let (Some(body), Some(mut list)) = (bytes(BOOKING_LIST), json(BOOKING_LIST)) else { return };
    assert!(read::listed(&body, REFERENCE).is_err());
    list["data"][0]["client_reference"] = REFERENCE.into();
    let found = read::listed(list.to_string().as_bytes(), REFERENCE).unwrap();
    assert_eq!(found.as_deref(), Some("Rb5JVigyN"));
}

#[test]
fn recorded_cancellations() {
    for (name, refund) in CANCELLATIONS.into_iter().zip(["0.00", "125.00"]) {
        let Some(body) = bytes(name) else { return };
        let quote = read::cancelled(&body).unwrap();
        assert_eq!((quote.state, quote.refund), (CancellationState::Confirmed, Some(dollars(refund))));
    }
}

#[test]
fn recorded_hotels() {
    let Some(body) = bytes(HOTEL) else { return };
    let hotel = read::details(&body).unwrap();
    assert!(hotel.description.as_ref().unwrap().contains("Central Manhattan Location"));
    let known = (&hotel.id, &hotel.name, &hotel.address, hotel.stars, &hotel.property_type);
    let unknown = (&hotel.phone, &hotel.email, hotel.has_free_breakfast);
    insta::assert_snapshot!("liteapi_hotel", format!("{known:?} {unknown:?} {} images", hotel.images.len()));
    assert!(hotel.amenities.len() > 40);
    for texts in [&hotel.amenities, &hotel.room_amenities] {
        let mut once = texts.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), texts.len());
    }
    assert!(hotel.room_amenities.iter().any(|amenity| amenity == "Hair dryer"));
}

#[tokio::test]
async fn the_recorded_list_of_hotels_tells_of_those_that_are_found() {
    let Some(list) = bytes(HOTELS) else { return };
    let ids = ["lp42fec", "lp50f7f", "lp51261"];
    let hotels: Vec<Value> =
        ids.into_iter().map(|id| hotel_offers(id, &[offer(id, &[rate(1, 2, 0, 50.0)])])).collect();
    let body = stream(&[serde_json::json!({"rates": hotels})]);
    let list = String::from_utf8(list).unwrap();
    let beside = [("GET /api/data/hotels?", reply(200, list)), ("GET /api/data/", reply(404, ""))];
    let stub = StubServer::with_side([reply(200, body)], beside).await;
    let found = done(liteapi(&stub).search(&recorded_query()).await);
    let lines: Vec<String> = found.hotels.iter().map(brief::hotel).collect();
    insta::assert_snapshot!("liteapi_hotels", lines.join("\n"));
}

/// What an error that was recorded means: `empty`, a kind of refusal, `outage`, or `?` where nobody knows.
async fn meaning(asked: &str, body: &[u8]) -> String {
    let body = String::from_utf8(body.to_vec()).unwrap();
    let stub = StubServer::start([reply(400, body), reply(200, r#"{"data":[]}"#)]).await;
    let supplier = liteapi(&stub);
    let request = request();
    let order_id = (asked == "find by id").then_some("hSq2gVDrf");
    let lookup = Lookup { order_id, request: &request };
    fn word<T: std::fmt::Debug>(answer: Answer<T>, empty: impl Fn(&T) -> bool) -> String {
        match &answer {
            Answer::Done(content) if empty(content) => "empty".to_owned(),
            Answer::Done(content) => panic!("{content:?}"),
            other => ending(other).to_owned(),
        }
    }
    match asked {
        "search" => word(supplier.search(&recorded_query()).await, |found| found.hotels.is_empty()),
        "price" => {
            let offers = [offer("OFFER", &[rate(1, 2, 0, 100.0)])];
            let body = stream(&[serde_json::json!({"rates": [hotel_offers("lp1897", &offers)]})]);
            let found = read::search(body.as_bytes(), &recorded_query(), Currency::USD, now()).unwrap();
            let asked = [&found.hotels[0].rates[0]];
            word(supplier.price(&recorded_query(), "lp1897", &asked).await, |_| false)
        }
        "book" => word(supplier.book(&request).await, |_| false),
        "cancel" => word(supplier.cancel("hSq2gVDrf", "cancel", None, None).await, |_| false),
        _ => word(supplier.find(lookup).await, Option::is_none),
    }
}

/// Every recorded error, each judged on purpose.
///
/// Of a failed booking whose provider answered, only LiteAPI could not read what: the hotel may have it. A duplicate is
/// looked up, and not found yet.
const MEANINGS: &str = "\
empty       search/post_hotels_rates__204__no-availability-found.json
empty       search/post_hotels_rates__400__hotel-ids-not-found.json
gone        booking/post_rates_prebook__400__invalid-offerId.json
unavailable booking/post_rates_prebook__401__Unauthorized.json
expired     booking/post_rates_prebook__408__Outdated-offerId.json
unavailable booking/post_rates_prebook__408__Prebook-timeout.json
refused     booking/post_rates_book__400__-request-body-validation-message-.json
expired     booking/post_rates_book__400__Invalid-prebookId-rate-not-found.json
unknown     booking/post_rates_book__400__booking-failed-provider-booking-response.json
refused     booking/post_rates_book__400__booking-failed-provider-response-was-uns.json
unknown     booking/post_rates_book__400__booking-incomplete-booking-data-was-not-.json
unknown     booking/post_rates_book__400__booking-initial-save-failed-please-try-a.json
refused     booking/post_rates_book__400__booking-not-confirmed.json
unknown     booking/post_rates_book__400__booking-unique-id-generation-failure-ple.json
unknown     booking/post_rates_book__400__duplicate-booking-attempt-with-existing-.json
refused     booking/post_rates_book__400__empty-request-body.json
expired     booking/post_rates_book__400__invalid-prebookId-invalid-rate.json
refused     booking/post_rates_book__400__missing-or-empty-token.json
refused     booking/post_rates_book__400__missing-or-empty-transaction-id.json
unavailable booking/post_rates_book__400__missing-or-not-supported-payment-method.json
unknown     booking/post_rates_book__400__payment-failed-please-check-your-provide.json
unknown     booking/post_rates_book__400__payment-metadata-retrieval-failed.json
unknown     booking/post_rates_book__400__payment-not-completed.json
unknown     booking/post_rates_book__400__payment-retrieval-failed.json
unknown     booking/post_rates_book__400__payment-status-save-failed.json
unknown     booking/post_rates_book__400__payment-transaction-id-save-failed.json
unknown     booking/post_rates_book__400__please-check-if-you-have-provided-a-paym.json
unknown     booking/post_rates_book__400__prebookId-data-retrieval-failed.json
refused     booking/post_rates_book__400__prebookId-data-validation-failed-please-.json
unknown     booking/post_rates_book__400__prebookId-invalid-data.json
unknown     booking/post_rates_book__400__prebookId-is-not-associated-to-the-reque.json
unknown     booking/get_bookings__400__example.json
unavailable booking/get_bookings__401__example.json
empty       booking/get_bookings_bookingId__204__example.json
unavailable booking/get_bookings_bookingId__401__example.json
refused     booking/put_bookings_bookingId__204__example.json
not changeable booking/put_bookings_bookingId__304__example.json
unavailable booking/put_bookings_bookingId__401__example.json";

/// The names of the recorded errors, and their meanings.
fn meanings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let words = MEANINGS.lines().map(|line| line.rsplit_once(' ').unwrap());
    words.map(|(meaning, name)| (name, meaning.trim()))
}

#[tokio::test]
async fn every_recorded_error_is_judged_on_purpose() {
    for (name, expected) in meanings() {
        let Some(body) = bytes(name) else { return };
        let (_, asked) = ERRORS.iter().find(|(start, _)| name.starts_with(start)).unwrap();
        assert_eq!(meaning(asked, &body).await, expected, "{name}");
    }
}

#[tokio::test]
async fn errors_about_hotels_leave_them_out() {
    for name in recordings::known(SUPPLIER) {
        if !HOTEL_ERRORS.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        let Some(body) = bytes(name) else { return };
        let body = String::from_utf8(body).unwrap();
        let stub = StubServer::start([reply(400, body)]).await;
        let answer = liteapi(&stub).details(&["lp1"], "en").await;
        match answer {
            Answer::Done(told) => assert!(name.contains("hotelId-is-missing") && told.is_empty()),
            Answer::Unavailable(_) => assert!(name.contains("Unauthorized"), "{name}"),
            Answer::Refused(_) => assert!(name.contains("countryCode"), "{name}"),
            Answer::Unknown(reason) => panic!("{name}: {reason}"),
        }
    }
}

#[test]
fn not_one_known_recording_is_lost() {
    let read: Vec<&str> = [SEARCH, STREAMED_IN, PREBOOK, BOOKING_LIST, HOTEL, HOTELS]
        .into_iter()
        .chain(BOOKINGS)
        .chain(CANCELLATIONS)
        .chain(meanings().map(|(name, _)| name))
        .collect();
    for name in recordings::known(SUPPLIER) {
        let has_place = read.contains(&name)
            || HOTEL_ERRORS.iter().any(|start| name.starts_with(start))
            || NOT_READ.split_whitespace().any(|word| name.contains(word));
        assert!(has_place, "{name}");
    }
}
