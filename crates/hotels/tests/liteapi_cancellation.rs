//! Bookings of LiteAPI given back over real sockets: what is worked out before, what they say, and what became of it.

use crate::answers::order_to_cancel;
use crate::liteapi_stage::*;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use wayfare_domain::{KeptByTerms, OrderStatus, Zone};
use wayfare_hotels::arrival;
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{
    AfterSales, Answer, CancellationQuote, CancellationState, OrderToCancel, Refusal, RefusalKind,
};

const ID: &str = "hSq2gVDrf";

fn refused<T>(kind: RefusalKind, text: &str) -> Answer<T> {
    Answer::Refused(Refusal::of(kind, text))
}

/// What is quoted of a booking at this time.
async fn quoted(body: &Value, order: OrderToCancel<'_>, now: DateTime<Utc>) -> CancellationQuote {
    let stub = StubServer::start([reply(200, body.to_string())]).await;
    done(liteapi_at(&stub, now).quote_cancellation(order).await)
}

/// A booking at this price, of which so much is ours, whose penalties are amounts from days of April on.
fn costing(price: f64, commission: Value, penalties: &[(u32, f64)]) -> Value {
    let mut body = booking("CONFIRMED", REFERENCE);
    body["data"]["price"] = json!(price);
    body["data"]["commission"] = commission;
    body["data"]["bookedRooms"] = json!([]);
    body["data"]["cancellationPolicies"] = policies_of(penalties);
    body
}

fn policies_of(penalties: &[(u32, f64)]) -> Value {
    let penalty = |(day, amount): &(u32, f64)| json!({"cancelTime": format!("2026-04-{day:02} 10:00:00"), "amount": amount, "currency": "USD", "type": "amount"});
    let penalties: Vec<Value> = penalties.iter().map(penalty).collect();
    json!({"refundableTag": "RFN", "cancelPolicyInfos": penalties})
}

fn in_april(day: u32) -> DateTime<Utc> {
    format!("2026-04-{day:02}T12:00:00Z").parse().unwrap()
}

/// What the terms that were sold keep of a price.
fn sold(total: &str, most: &str) -> KeptByTerms {
    let most = dollars(most);
    KeptByTerms { total: dollars(total), most, least: most }
}

/// As production answers them: a price of 33.95, of which 1.92 is ours, is lost whole with a penalty of 32.03.
#[tokio::test]
async fn a_penalty_that_is_the_price_without_our_commission_gives_nothing_back() {
    let penalties = [(20, 16.015), (25, 32.03)];
    let whole = costing(33.95, json!(1.92), &penalties);
    let mut two_rooms = costing(67.90, json!(3.84), &[(20, 32.03), (25, 64.06)]);
    let room = json!({"amount": 33.95, "currency": "USD", "cancellationPolicies": policies_of(&penalties)});
    two_rooms["data"]["bookedRooms"] = json!([room, room]);
    let mut unequal = costing(100.0, json!(10.0), &[(20, 45.0), (25, 90.0)]);
    unequal["data"]["bookedRooms"] = json!([
        {"amount": 70.0, "currency": "USD", "rate": {"cancellationPolicies": policies_of(&[(20, 31.5), (25, 63.0)])}},
        {"amount": 30.0, "currency": "USD", "rate": {"cancellationPolicies": policies_of(&[(20, 13.5), (25, 27.0)])}},
    ]);
    for (body, before, between, after) in [
        (&whole, "33.95", "16.97", "0.00"),
        (&two_rooms, "67.90", "33.94", "0.00"),
        (&unequal, "100.00", "50.00", "0.00"),
    ] {
        for (day, refund) in [(19, before), (21, between), (26, after)] {
            let quote = quoted(body, order_to_cancel(ID, OrderStatus::Confirmed), in_april(day)).await;
            assert_eq!(quote.refund, Some(dollars(refund)), "{day}: {body}");
            assert_eq!(quote.at_most, quote.refund, "no more comes back than the terms give");
        }
    }
}

#[tokio::test]
async fn what_comes_back_is_what_the_booking_gives_or_what_was_sold_whichever_is_less() {
    let net = || costing(100.0, json!(10), &[(20, 45.0)]);
    let whole = || costing(100.0, json!(10), &[(20, 45.0), (22, 90.0)]);
    for (body, sold_terms, day, refund) in [
        // The penalty is of what is left without the commission, unless the sale says that it is of the price.
        (net(), None, 21, "50.00"),
        (net(), Some(sold("100.00", "50.00")), 21, "50.00"),
        (net(), Some(sold("100.00", "45.00")), 21, "55.00"),
        (net(), Some(sold("100.00", "0.00")), 21, "50.00"),
        (net(), Some(sold("100.00", "70.00")), 21, "30.00"),
        (net(), Some(sold("100.00", "100.00")), 19, "0.00"),
        // What tells its basis itself is not read otherwise, whatever was sold.
        (whole(), Some(sold("100.00", "90.00")), 23, "0.00"),
        (whole(), Some(sold("100.00", "45.00")), 21, "50.00"),
        (costing(100.0, json!(null), &[(20, 45.0)]), Some(sold("100.00", "45.00")), 21, "55.00"),
        // It was booked at another price: what was lost whole is.
        (costing(90.0, json!(9), &[(20, 81.0)]), Some(sold("100.00", "100.00")), 21, "0.00"),
        (costing(90.0, json!(9), &[(28, 81.0)]), Some(sold("100.00", "100.00")), 21, "0.00"),
    ] {
        let order =
            OrderToCancel { kept_by_terms: sold_terms, ..order_to_cancel(ID, OrderStatus::Confirmed) };
        let quote = quoted(&body, order, in_april(day)).await;
        assert_eq!(quote.refund, Some(dollars(refund)), "{sold_terms:?} on day {day}: {body}");
    }
}

#[tokio::test]
async fn what_names_no_deadline_is_free_until_the_hotels_day_of_arrival_and_then_what_they_give() {
    let open = costing(150.0, json!(15), &[]);
    for (zone, last_free) in [
        ("Pacific/Auckland".parse::<wayfare_domain::Zone>().unwrap(), "2026-04-30T11:59:59Z"),
        (Zone::KOLKATA, "2026-04-30T18:29:59Z"),
        ("America/Los_Angeles".parse::<wayfare_domain::Zone>().unwrap(), "2026-05-01T06:59:59Z"),
    ] {
        let check_in = "2026-05-01".parse().unwrap();
        let terms = |now: DateTime<Utc>| {
            let most = if now < arrival(check_in, Some(zone)) { "0.00" } else { "150.00" };
            KeptByTerms { least: dollars("0.00"), ..sold("150.00", most) }
        };
        let last_free: DateTime<Utc> = last_free.parse().unwrap();
        let second = chrono::TimeDelta::seconds(1);
        let day = chrono::TimeDelta::days(1);
        for (now, refund) in [
            (last_free, "150.00"),
            (last_free + second, "0.00"),
            (last_free + day, "0.00"),
            (last_free + day * 3, "0.00"),
        ] {
            for kept_by_terms in [None, Some(terms(now))] {
                let order = OrderToCancel {
                    kept_by_terms,
                    first_day: Some(arrival(check_in, Some(zone))),
                    ..order_to_cancel(ID, OrderStatus::Confirmed)
                };
                let quote = quoted(&open, order, now).await;
                assert_eq!(quote.refund, Some(dollars(refund)), "{zone} at {now}");
                assert_eq!(quote.at_most, Some(dollars("150.00")), "{zone} at {now}");
            }
        }
    }
    // Without a zone nothing is promised after the day has begun anywhere.
    let zone: Option<Zone> = None;
    let order = OrderToCancel {
        first_day: Some(arrival("2026-05-01".parse().unwrap(), zone)),
        ..order_to_cancel(ID, OrderStatus::Confirmed)
    };
    for (now, refund) in [("2026-04-30T09:59:59Z", "150.00"), ("2026-04-30T10:00:00Z", "0.00")] {
        let quote = quoted(&open, order, now.parse().unwrap()).await;
        assert_eq!(quote.refund, Some(dollars(refund)), "{now}");
    }
}

#[tokio::test]
async fn a_cancellation_is_quoted_from_the_bookings_own_policy() {
    let quoted = async |body: Value| {
        let stub = StubServer::start([reply(200, body.to_string())]).await;
        let quote =
            liteapi(&stub).quote_cancellation(order_to_cancel("hSq2gVDrf", OrderStatus::Confirmed)).await;
        assert_eq!(stub.only().line, "GET /book/bookings/hSq2gVDrf");
        quote
    };
    let free = done(quoted(booking("CONFIRMED", REFERENCE)).await);
    assert_eq!((free.id.as_str(), free.state), ("cancel", CancellationState::Pending));
    assert_eq!((free.refund, free.at_most), (Some(dollars("150.00")), Some(dollars("150.00"))));
    assert_eq!(free.expires_at, "2026-04-20T10:00:00Z".parse().ok(), "until the next deadline");

    let mut late = booking("CONFIRMED", REFERENCE);
    late["data"]["cancellationPolicies"]["cancelPolicyInfos"][0]["cancelTime"] = json!("2026-03-01 12:00:00");
    let late = done(quoted(late).await);
    assert_eq!(late.refund, Some(dollars("75.00")), "a deadline counts from its own moment on");
    assert_eq!(late.expires_at, "2026-04-25T00:00:00Z".parse().ok());

    let mut strict = booking("CONFIRMED", REFERENCE);
    strict["data"]["cancellationPolicies"] = json!({"refundableTag": "NRFN", "cancelPolicyInfos": []});
    let strict = done(quoted(strict).await);
    assert_eq!((strict.refund, strict.expires_at), (Some(dollars("0.00")), None));

    let mut over = booking("CANCELLED", REFERENCE);
    assert_eq!(done(quoted(over.clone()).await).refund, None, "it doesn't say");
    over["data"]["amountRefunded"] = json!(75);
    let over = done(quoted(over).await);
    assert_eq!((over.state, over.refund), (CancellationState::Confirmed, Some(dollars("75.00"))));
    let mut unreadable = booking("CANCELLED", REFERENCE);
    unreadable["data"]["amountRefunded"] = json!("soon");
    let unreadable = done(quoted(unreadable).await);
    assert_eq!((unreadable.state, unreadable.refund), (CancellationState::Confirmed, None));

    let pending = quoted(booking("PENDING", REFERENCE)).await;
    assert_eq!(pending, refused(RefusalKind::Other, "the booking is pending"));
}

#[tokio::test]
async fn a_booking_that_can_not_be_read_leaves_unclear_what_comes_back() {
    let mut strange = booking("CONFIRMED", REFERENCE);
    strange["data"]["status"] = json!({});
    for (body, came) in [
        (strange.to_string(), true),
        (r#"{"data": null}"#.to_owned(), false),
        (r#"{"data": {"bookingId"#.to_owned(), true),
    ] {
        let stub = StubServer::start([reply(200, body.clone())]).await;
        let order = order_to_cancel(ID, OrderStatus::Confirmed);
        let quote = liteapi_at(&stub, in_april(19)).quote_cancellation(order).await;
        let quote = done(quote);
        let unclear = quote.unclear.unwrap_or_else(|| panic!("{body}"));
        assert_eq!((quote.state, quote.refund), (CancellationState::Pending, None), "{body}");
        assert_eq!(unclear.came.to_string().len() > 2, came, "{body}: {unclear:?}");
        assert!(!unclear.came.to_string().contains("firstName"), "{unclear:?}");
    }
}

#[tokio::test]
async fn the_day_of_arrival_ends_by_the_hotels_clock() {
    // By no clock, by Auckland's but not by Los Angeles', by the last one's.
    for (now, refund) in [
        ("2026-05-01T11:00:00Z", "75.00"),
        ("2026-05-02T00:30:00Z", "75.00"),
        ("2026-05-02T11:59:59Z", "75.00"),
        ("2026-05-02T12:00:00Z", "0.00"),
    ] {
        let mut body = booking("CONFIRMED", REFERENCE);
        body["data"]["cancellationPolicies"]["cancelPolicyInfos"] =
            json!([{"cancelTime": "2026-04-20 10:00:00", "amount": 50, "type": "percentage"}]);
        let stub = StubServer::start([reply(200, body.to_string())]).await;
        let supplier = liteapi_at(&stub, now.parse().unwrap());
        let quote = supplier.quote_cancellation(order_to_cancel("hSq2gVDrf", OrderStatus::Confirmed)).await;
        assert_eq!(done(quote).refund, Some(dollars(refund)), "{now}");
    }
}

#[tokio::test]
async fn a_cancellation_is_carried_out_once_and_says_what_comes_back() {
    for (status, refund) in [("CANCELLED", 125.0), ("CANCELLED_WITH_CHARGES", 0.0)] {
        let body = json!({"data": {
            "bookingId": "hSq2gVDrf", "status": status, "cancellation_fee": 25.0, "refund_amount": refund, "currency": "USD",
        }});
        let stub = StubServer::start([reply(200, body.to_string())]).await;
        let quote = done(liteapi(&stub).cancel("hSq2gVDrf", "cancel", None, None).await);
        assert_eq!(stub.only().line, "PUT /book/bookings/hSq2gVDrf");
        assert_eq!((quote.id.as_str(), quote.state), ("cancel", CancellationState::Confirmed));
        assert_eq!(quote.refund, Some(dollars(&format!("{refund:.2}"))));
    }
    let untold = json!({"data": {"bookingId": "x", "status": "CANCELLED", "currency": "USD"}});
    let stub = StubServer::start([reply(200, untold.to_string())]).await;
    let quote = done(liteapi(&stub).cancel(ID, "cancel", None, None).await);
    assert_eq!((quote.state, quote.refund), (CancellationState::Confirmed, None));
    // How much comes back must not hide that it was carried out.
    let unreadable = json!({"data": {"bookingId": "x", "status": "CANCELLED", "refund_amount": "soon", "currency": "USD"}});
    let stub = StubServer::start([reply(200, unreadable.to_string())]).await;
    let quote = done(liteapi(&stub).cancel(ID, "cancel", None, None).await);
    assert_eq!((quote.state, quote.refund), (CancellationState::Confirmed, None));
    assert!(quote.unclear.is_some(), "{quote:?}");
    for act in [
        reply(304, ""),
        reply(400, error(304, "unable to process request")),
        reply(204, ""),
        reply(400, error(204, "booking id not found")),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        is_refused(liteapi(&stub).cancel("hSq2gVDrf", "cancel", None, None).await, &act);
    }
    let standing = json!({"data": {"bookingId": "x", "status": "CONFIRMED", "currency": "USD"}});
    for act in silences().into_iter().chain([reply(200, standing.to_string())]) {
        let stub = StubServer::start([act.clone()]).await;
        is_unknown(liteapi(&stub).cancel("hSq2gVDrf", "cancel", None, None).await, &act);
        assert_eq!(stub.requests().len(), 1);
    }
}

#[tokio::test]
async fn what_became_of_a_cancellation_is_told_by_the_booking() {
    let found = async |act: Reply| {
        let stub = StubServer::start([act]).await;
        liteapi(&stub).find_cancellation("hSq2gVDrf", "cancel", None).await
    };
    let over = done(found(reply(200, booking("CANCELLED", REFERENCE).to_string())).await);
    assert_eq!((over.state, over.refund), (CancellationState::Confirmed, None));
    let stands = found(reply(200, booking("CONFIRMED", REFERENCE).to_string())).await;
    assert_eq!(stands, refused(RefusalKind::Other, "the booking was not cancelled"));
    for act in silences().into_iter().chain([reply(204, ""), reply(400, error(4000, "no"))]) {
        is_unknown(found(act.clone()).await, &act);
    }
}
