//! Recorded answers of LiteAPI through the adapter, where they are present (see `recorded`).

use std::collections::BTreeMap;

use crate::liteapi_stage::*;
use crate::recorded::*;
use chrono::{DateTime, Utc};
use serde_json::Value;
use wayfare_domain::{Currency, Money, OrderStatus};
use wayfare_hotels::liteapi::read;
use wayfare_hotels::{HotelSupplier, Lookup, MealPlan, PaymentPlace, Query, RoomRate};
use wayfare_stub_server::recordings;
use wayfare_stub_server::{StubServer, reply};
use wayfare_supply::{AfterSales, Answer, CancellationState, RefusalKind};

/// Before any of their penalties.
fn now() -> DateTime<Utc> {
    "2022-01-01T00:00:00Z".parse().unwrap()
}

/// A number of theirs as an amount of money.
fn exact(number: &Value, currency: Currency) -> Money {
    Money::rounded(number.to_string().parse().unwrap(), currency)
}

/// Two grown-ups in one room, which is what was asked for in all of them.
fn recorded_query() -> Query {
    query(&[(2, &[])])
}

/// What is seen of a rate without the adapter's types. The parts come to the supplier's total to the cent.
fn assert_same(rate: &Value, found: &RoomRate) {
    let total = &rate["retailRate"]["total"][0];
    assert_eq!(total["currency"], "USD");
    let usd = Currency::USD;
    assert_eq!(found.parts.total(), Ok(exact(&total["amount"], usd)));
    let sum = |included: bool| {
        let lines = rate["retailRate"]["taxesAndFees"].as_array().unwrap().iter();
        let lines = lines.filter(|line| line["included"] == included);
        Money::sum(usd, lines.map(|line| exact(&line["amount"], usd)))
    };
    assert_eq!(found.parts.taxes_and_fees(), sum(true));
    assert_eq!(
        Money::sum(usd, found.fees_at_hotel.iter().map(|fee| fee.amount)),
        sum(false)
    );
    assert_eq!(
        found.commission,
        Some(exact(&rate["commission"][0]["amount"], usd))
    );
    assert_eq!(found.room_name, rate["name"].as_str().unwrap());
    assert_eq!(found.meals, rate["boardName"].as_str().unwrap());
    let refundable = rate["cancellationPolicies"]["refundableTag"] == "RFN";
    assert_eq!(found.policy.refundable, Some(refundable));
    let penalties = rate["cancellationPolicies"]["cancelPolicyInfos"]
        .as_array()
        .unwrap();
    assert_eq!(found.policy.deadlines.len(), penalties.len());
    for (deadline, penalty) in found.policy.deadlines.iter().zip(penalties) {
        let time = penalty["cancelTime"].as_str().unwrap();
        assert_eq!(deadline.from.format("%Y-%m-%d %H:%M:%S").to_string(), time);
        let expected = match penalty["type"].as_str() {
            Some("percentage") => found.parts.total().unwrap(),
            _ => exact(&penalty["amount"], usd),
        };
        assert_eq!(deadline.fee, expected);
    }
}

/// Every offer that can be booked is found, whatever its price, and only those.
fn assert_all(answers: &[Value], found: &wayfare_hotels::HotelResults) -> usize {
    let mut rates: BTreeMap<(&str, &str), &RoomRate> = BTreeMap::new();
    for hotel in &found.hotels {
        for rate in &hotel.rates {
            assert_eq!((rate.kind, rate.rooms, &rate.bundle), (0, 1, &None));
            rates.insert((&hotel.id, &rate.token), rate);
        }
    }
    let mut seen = 0;
    for (hotel, offer) in answers.iter().flat_map(offers) {
        let rate = &offer["rates"][0];
        let sellable = offer["offerId"].is_string() && rate["retailRate"]["total"].is_array();
        let key = (hotel, offer["offerId"].as_str().unwrap_or_default());
        assert_eq!(rates.contains_key(&key), sellable, "{key:?}");
        if let Some(found) = rates.get(&key) {
            assert_same(rate, found);
            assert_eq!(found.room_id, offer["roomTypeId"].as_str().unwrap());
            let minimum = exact(&offer["suggestedSellingPrice"]["amount"], Currency::USD);
            assert_eq!(found.minimum_price, Some(minimum));
            seen += 1;
        }
    }
    assert_eq!(seen, rates.len());
    seen
}

#[test]
fn the_recorded_search() {
    let (Some(body), Some(answer)) = (bytes(SEARCH), json(SEARCH)) else {
        return;
    };
    let found = read::search(&body, &recorded_query(), Currency::USD, now()).unwrap();
    assert_eq!(found.unusable, [""; 0]);
    assert_eq!(assert_all(&[answer], &found), 1);
    let hotel = &found.hotels[0];
    assert_eq!(
        (hotel.id.as_str(), hotel.name.as_str()),
        ("lp1897", "Hotel Example NYC")
    );
    assert!(hotel.images[0].url.ends_with("123456a_hb_a_001.jpg"));
    let rate = &hotel.rates[0];
    assert_eq!(
        (rate.meal_plan, rate.payment),
        (MealPlan::RoomOnly, PaymentPlace::Prepaid)
    );
    assert_eq!(rate.parts.taxes, dollars("21.91"));
    assert_eq!(rate.parts.other_fees, dollars("1.62"));
    assert_eq!(rate.parts.rooms, dollars("140.13"));
    assert!(rate.parts.discounts.is_zero());
    assert_eq!(rate.policy.free_until(), "2026-07-30T02:00:00Z".parse().ok());
}

#[test]
fn the_recorded_stream() {
    let Some(stream) = streamed() else { return };
    let events = stream.lines().filter_map(|line| line.strip_prefix("data: {"));
    let answers: Vec<Value> = events
        .map(|event| serde_json::from_str(&format!("{{{event}")).unwrap())
        .collect();
    let found = read::search(stream.as_bytes(), &recorded_query(), Currency::USD, now()).unwrap();
    assert!(assert_all(&answers, &found) > 20);
    let few = found.unusable.last().unwrap();
    assert!(few.starts_with("and ") && few.ends_with(" more"), "{few}");
    let hotel = &found.hotels[0];
    assert_eq!((hotel.id.as_str(), found.hotels.len()), ("lp19c91", 1));
    assert_eq!(hotel.name, "Hampton Inn Staunton");
    assert_eq!(hotel.address.line1, None, "an empty address is none");
    let totals: Vec<_> = hotel
        .rates
        .iter()
        .map(|rate| rate.parts.total().unwrap().amount())
        .collect();
    assert!(totals.is_sorted());
    let names: Vec<_> = hotel
        .rates
        .iter()
        .filter_map(|rate| rate.rate_name.as_deref())
        .collect();
    assert!(names.iter().all(|name| *name == "package"));
}

#[test]
fn the_recorded_price() {
    let (Some(prebook), Some(mut alone)) = (bytes(PREBOOK), prebook_alone()) else {
        return;
    };
    let mut query = recorded_query();
    query.check_in = "2025-12-05".parse().unwrap();
    query.check_out = "2025-12-10".parse().unwrap();
    // What was recorded sells vouchers for cars and takes off a gift: we ask for neither.
    let reason = read::prebooked(&prebook, &query, "OFFER", now())
        .unwrap_err()
        .to_string();
    assert_eq!(reason, "the offer costs 213.66 USD, but its rooms 163.66 USD");

    let priced = read::prebooked(alone.to_string().as_bytes(), &query, "OFFER", now()).unwrap();
    assert_eq!(
        (priced.prebook_id.as_str(), priced.hotel_id.as_str()),
        ("zzWkJcdgk", "lp1897")
    );
    assert_eq!(priced.rates.len(), 1);
    let rate = alone["data"]["roomTypes"][0]["rates"][0].take();
    assert_same(&rate, &priced.rates[0]);
    assert_eq!(priced.rates[0].minimum_price, Some(dollars("185.70")));
    assert!(priced.rates[0].remarks[0].starts_with("A Resort Fee totaling USD43.61"));
}

#[test]
fn recorded_bookings() {
    let expected = [
        (
            "hSq2gVDrf",
            OrderStatus::Confirmed,
            "115.00 USD",
            "100.00 USD",
            None,
        ),
        (
            "GmRZ9XR4y",
            OrderStatus::Cancelled,
            "83.38 EUR",
            "83.38 EUR",
            Some("83.38 EUR"),
        ),
        ("ABC123", OrderStatus::Confirmed, "100.00 USD", "100.00 USD", None),
    ];
    for (name, (id, status, total, last_fee, refunded)) in BOOKINGS.into_iter().zip(expected) {
        let (Some(body), Some(raw)) = (bytes(name), json(name)) else {
            return;
        };
        let found = read::booking(&body, now()).unwrap();
        let stay = found.stay;
        assert_eq!((stay.id.as_str(), stay.status), (id, status));
        assert_eq!(format!("{:?}", stay.total), total);
        assert_eq!(
            stay.confirmation,
            raw["data"]["hotelConfirmationCode"].as_str().unwrap()
        );
        assert_eq!(
            found.reference.as_deref(),
            raw["data"]["clientReference"].as_str()
        );
        assert_eq!(
            found.refunded.map(|refunded| format!("{refunded:?}")).as_deref(),
            refunded
        );
        assert_eq!(stay.policy.refundable, Some(true));
        let [deadline] = &stay.policy.deadlines[..] else {
            panic!("{:?}", stay.policy)
        };
        assert_eq!(format!("{:?}", deadline.fee), last_fee);
        assert_eq!(stay.raw, raw["data"]);
        assert!(stay.created_at.is_some());
    }
    let Some(body) = bytes(BOOKINGS[1]) else { return };
    let remarks = read::booking(&body, now()).unwrap().stay.policy.remarks;
    assert_eq!(
        remarks,
        ["Cancellation from 2025-03-30 02:00:00 GMT: 163.66 USD"],
        "a penalty in dollars for a price in euros is the whole price, and told"
    );
    let Some(body) = bytes(BOOKINGS[2]) else { return };
    let texts = read::booking(&body, now()).unwrap().stay.voucher_texts;
    assert_eq!(texts, ["Free breakfast\nFree WiFi", "Standard rate"]);
}

#[test]
fn the_recorded_list_of_bookings_is_of_nobodys_reference() {
    let (Some(body), Some(mut list)) = (bytes(BOOKING_LIST), json(BOOKING_LIST)) else {
        return;
    };
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
        assert_eq!(
            (quote.state, quote.refund),
            (CancellationState::Confirmed, Some(dollars(refund)))
        );
    }
}

#[test]
fn recorded_hotels() {
    let Some(body) = bytes(HOTEL) else { return };
    let hotel = read::details(&body).unwrap();
    assert_eq!(
        (hotel.id.as_str(), hotel.name.as_str()),
        ("lp1897", "The Manhattan at Times Square")
    );
    assert_eq!(hotel.stars.unwrap().to_string(), "4");
    assert_eq!(hotel.property_type.as_deref(), Some("hotel"));
    assert_eq!(hotel.address.line1.as_deref(), Some("790 7th Avenue"));
    assert_eq!(hotel.address.city.as_deref(), Some("New York"));
    assert_eq!(hotel.address.country.as_deref(), Some("US"));
    assert_eq!(
        (&hotel.phone, &hotel.email, hotel.has_free_breakfast),
        (&None, &None, None)
    );
    assert!(hotel.description.unwrap().contains("Central Manhattan Location"));
    assert_eq!(hotel.images.len(), 4);
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
    let hotels: Vec<Value> = ids
        .into_iter()
        .map(|id| hotel_offers(id, &[offer(id, &[rate(1, 2, 0, 50.0)])]))
        .collect();
    let body = stream(&[serde_json::json!({"rates": hotels})]);
    let list = String::from_utf8(list).unwrap();
    let beside = [
        ("GET /api/data/hotels?", reply(200, list)),
        ("GET /api/data/", reply(404, "")),
    ];
    let stub = StubServer::with_side([reply(200, body)], beside).await;
    let found = done(liteapi(&stub).search(&recorded_query()).await);
    let shown: Vec<_> = found
        .hotels
        .iter()
        .map(|hotel| {
            let stars = hotel.stars.unwrap().to_string();
            (
                hotel.name.as_str(),
                stars,
                hotel.address.country.as_deref(),
                hotel.latitude.unwrap().to_string(),
            )
        })
        .collect();
    let croatia = Some("HR");
    assert_eq!(
        shown,
        [
            ("Hotel Jadran", "3".to_owned(), croatia, "43.73464".to_owned()),
            ("Apartmani Ani", "3".to_owned(), croatia, "43.660413".to_owned()),
            ("Villa Rosa", "2.5".to_owned(), croatia, "43.678974".to_owned()),
        ]
    );
}

/// What an error that was recorded means: `empty`, a kind of refusal, `outage`, or `?` where nobody knows.
async fn meaning(asked: &str, body: &[u8]) -> String {
    let body = String::from_utf8(body.to_vec()).unwrap();
    let stub = StubServer::start([reply(400, body), reply(200, r#"{"data":[]}"#)]).await;
    let supplier = liteapi(&stub);
    let request = request();
    let order_id = (asked == "find by id").then_some("hSq2gVDrf");
    let lookup = Lookup {
        order_id,
        request: &request,
    };
    fn word<T: std::fmt::Debug>(answer: Answer<T>, empty: impl Fn(&T) -> bool) -> String {
        let word = match answer {
            Answer::Done(content) if empty(&content) => "empty",
            Answer::Done(content) => panic!("{content:?}"),
            Answer::Refused(refusal) => match refusal.kind {
                RefusalKind::Expired => "expired",
                RefusalKind::Gone => "gone",
                RefusalKind::PriceChanged => "price changed",
                RefusalKind::Other => "refused",
            },
            Answer::Unavailable(_) => "outage",
            Answer::Unknown(_) => "?",
        };
        word.to_owned()
    }
    match asked {
        "search" => word(supplier.search(&recorded_query()).await, |found| {
            found.hotels.is_empty()
        }),
        "price" => {
            let offers = [offer("OFFER", &[rate(1, 2, 0, 100.0)])];
            let body = stream(&[serde_json::json!({"rates": [hotel_offers("lp1897", &offers)]})]);
            let found = read::search(body.as_bytes(), &recorded_query(), Currency::USD, now()).unwrap();
            let asked = [&found.hotels[0].rates[0]];
            word(supplier.price(&recorded_query(), "lp1897", &asked).await, |_| {
                false
            })
        }
        "book" => word(supplier.book(&request).await, |_| false),
        "cancel" => word(supplier.cancel("hSq2gVDrf", "cancel").await, |_| false),
        _ => word(supplier.find(lookup).await, Option::is_none),
    }
}

/// Every recorded error, each judged on purpose.
const MEANINGS: [(&str, &str); 38] = [
    (
        "search/post_hotels_rates__204__no-availability-found.json",
        "empty",
    ),
    ("search/post_hotels_rates__400__hotel-ids-not-found.json", "empty"),
    ("booking/post_rates_prebook__400__invalid-offerId.json", "gone"),
    ("booking/post_rates_prebook__401__Unauthorized.json", "outage"),
    (
        "booking/post_rates_prebook__408__Outdated-offerId.json",
        "expired",
    ),
    ("booking/post_rates_prebook__408__Prebook-timeout.json", "outage"),
    (
        "booking/post_rates_book__400__-request-body-validation-message-.json",
        "refused",
    ),
    (
        "booking/post_rates_book__400__Invalid-prebookId-rate-not-found.json",
        "expired",
    ),
    // The provider answered, and only LiteAPI could not read what: the hotel may have it.
    (
        "booking/post_rates_book__400__booking-failed-provider-booking-response.json",
        "?",
    ),
    (
        "booking/post_rates_book__400__booking-failed-provider-response-was-uns.json",
        "refused",
    ),
    (
        "booking/post_rates_book__400__booking-incomplete-booking-data-was-not-.json",
        "?",
    ),
    (
        "booking/post_rates_book__400__booking-initial-save-failed-please-try-a.json",
        "?",
    ),
    (
        "booking/post_rates_book__400__booking-not-confirmed.json",
        "refused",
    ),
    (
        "booking/post_rates_book__400__booking-unique-id-generation-failure-ple.json",
        "?",
    ),
    // Looked up, and not found yet.
    (
        "booking/post_rates_book__400__duplicate-booking-attempt-with-existing-.json",
        "?",
    ),
    ("booking/post_rates_book__400__empty-request-body.json", "refused"),
    (
        "booking/post_rates_book__400__invalid-prebookId-invalid-rate.json",
        "expired",
    ),
    (
        "booking/post_rates_book__400__missing-or-empty-token.json",
        "refused",
    ),
    (
        "booking/post_rates_book__400__missing-or-empty-transaction-id.json",
        "refused",
    ),
    (
        "booking/post_rates_book__400__missing-or-not-supported-payment-method.json",
        "refused",
    ),
    (
        "booking/post_rates_book__400__payment-failed-please-check-your-provide.json",
        "?",
    ),
    (
        "booking/post_rates_book__400__payment-metadata-retrieval-failed.json",
        "?",
    ),
    ("booking/post_rates_book__400__payment-not-completed.json", "?"),
    ("booking/post_rates_book__400__payment-retrieval-failed.json", "?"),
    (
        "booking/post_rates_book__400__payment-status-save-failed.json",
        "?",
    ),
    (
        "booking/post_rates_book__400__payment-transaction-id-save-failed.json",
        "?",
    ),
    (
        "booking/post_rates_book__400__please-check-if-you-have-provided-a-paym.json",
        "?",
    ),
    (
        "booking/post_rates_book__400__prebookId-data-retrieval-failed.json",
        "?",
    ),
    (
        "booking/post_rates_book__400__prebookId-data-validation-failed-please-.json",
        "refused",
    ),
    ("booking/post_rates_book__400__prebookId-invalid-data.json", "?"),
    (
        "booking/post_rates_book__400__prebookId-is-not-associated-to-the-reque.json",
        "?",
    ),
    ("booking/get_bookings__400__example.json", "?"),
    ("booking/get_bookings__401__example.json", "outage"),
    ("booking/get_bookings_bookingId__204__example.json", "empty"),
    ("booking/get_bookings_bookingId__401__example.json", "outage"),
    ("booking/put_bookings_bookingId__204__example.json", "refused"),
    ("booking/put_bookings_bookingId__304__example.json", "refused"),
    ("booking/put_bookings_bookingId__401__example.json", "outage"),
];

#[tokio::test]
async fn every_recorded_error_is_judged_on_purpose() {
    for (name, expected) in MEANINGS {
        let Some(body) = bytes(name) else { return };
        let (_, asked) = ERRORS.iter().find(|(start, _)| name.starts_with(start)).unwrap();
        assert_eq!(meaning(asked, &body).await, expected, "{name}");
    }
}

#[tokio::test]
async fn errors_about_hotels_leave_them_out() {
    let Some(folder) = recordings::folder(SUPPLIER) else {
        return;
    };
    for name in recordings::names(&folder.join("static")) {
        let name = format!("static/{name}");
        if !HOTEL_ERRORS.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        let body = String::from_utf8(bytes(&name).unwrap()).unwrap();
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
fn not_one_recording_is_lost() {
    let Some(folder) = recordings::folder(SUPPLIER) else {
        return;
    };
    let read: Vec<&str> = [SEARCH, PREBOOK, BOOKING_LIST, HOTEL, HOTELS]
        .into_iter()
        .chain(BOOKINGS)
        .chain(CANCELLATIONS)
        .chain(MEANINGS.iter().map(|(name, _)| *name))
        .collect();
    for part in ["search", "booking", "static"] {
        for name in recordings::names(&folder.join(part)) {
            let name = format!("{part}/{name}");
            let has_place = read.contains(&name.as_str())
                || HOTEL_ERRORS.iter().any(|start| name.starts_with(start))
                || NOT_READ.split_whitespace().any(|word| name.contains(word));
            assert!(has_place, "{name}");
        }
    }
}
