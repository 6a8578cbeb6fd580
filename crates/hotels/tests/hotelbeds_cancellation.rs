//! Bookings of Hotelbeds given back over real sockets: simulated, cancelled, and looked up.

use crate::answers::{ending, order_to_cancel};
use crate::hotelbeds_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::OrderStatus;
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::CancellationState::{Confirmed, Pending};
use wayfare_supply::{AfterSales, Answer, CancellationQuote, OrderToCancel};

const ID: &str = "207-12306403";

async fn quote(stub: &StubServer, charged: Option<&str>) -> Answer<CancellationQuote> {
    let order = OrderToCancel { charged: charged.map(money), ..order_to_cancel(ID, OrderStatus::Confirmed) };
    hotelbeds(stub).quote_cancellation(order).await
}

/// What a simulation answers.
fn simulated(amount: Value) -> Value {
    booking_with(&[], &[("cancellationAmount", amount)])
}

/// The booking at dictated prices: 20 more than what is charged.
fn dictated() -> Value {
    let mut body = booking();
    let rate = &mut body["booking"]["hotel"]["rooms"][0]["rates"][0];
    rate["hotelMandatory"] = json!(true);
    rate["sellingRate"] = json!("320.10");
    body
}

#[tokio::test]
async fn what_comes_back_is_the_total_less_what_is_kept() {
    // A price that the hotel dictates is known of the booking that repeats it, and of what was sold. What is kept is told of what
    // they charge, and as large a part of the price is kept.
    for (standing, charged, amount, refund, id) in [
        (booking(), None, json!("99.90"), "300.10", "EUR-400.00"),
        (booking(), None, json!(0), "400.00", "EUR-400.00"),
        (booking(), None, json!(400.00), "0.00", "EUR-400.00"),
        (booking(), None, json!("999.00"), "0.00", "EUR-400.00"),
        (booking(), Some("420.00"), json!("100.00"), "315.00", "EUR-420.00-400.00"),
        (booking(), Some("420.00"), json!(0), "420.00", "EUR-420.00-400.00"),
        (booking(), Some("420.00"), json!("400.00"), "0.00", "EUR-420.00-400.00"),
        (dictated(), None, json!("100.00"), "315.00", "EUR-420.00-400.00"),
        (dictated(), None, json!("400.00"), "0.00", "EUR-420.00-400.00"),
        (dictated(), Some("420.00"), json!("100.00"), "315.00", "EUR-420.00-400.00"),
        (booking(), Some("380.00"), json!("100.00"), "280.00", "EUR-380.00"),
    ] {
        let stub = StubServer::start([ok(&standing), ok(&simulated(amount.clone()))]).await;
        let quoted = done(quote(&stub, charged).await);
        assert_eq!(quoted.refund, Some(money(refund)), "{amount}");
        assert_eq!((quoted.id.as_str(), quoted.state), (id, Pending));
        assert_eq!(quoted.expires_at, None);
        assert!(!quoted.raw.to_string().contains("hb_key"));
        assert_eq!(
            stub.lines(),
            [format!("GET {BOOKINGS}/{ID}"), format!("DELETE {BOOKINGS}/{ID}?cancellationFlag=SIMULATION")]
        );
    }
}

#[tokio::test]
async fn each_fault_of_a_quote_has_its_end_and_cancels_nothing() {
    for (replies, expected) in [
        (vec![ok(&cancelled(&json!(0)))], "refused"),
        (vec![error(ABSENT)], "refused"),
        (vec![Reply::Hang], "unknown"),
        (vec![ok(&booking()), ok(&booking())], "done"),
        (vec![ok(&booking()), ok(&simulated(json!("-1.00")))], "done"),
        (
            vec![ok(&booking()), error("500 PRODUCT_ERROR Cannot cancel a booking after the check-in")],
            "refused",
        ),
        (vec![ok(&booking()), reply(429, "")], "unavailable"),
        (vec![ok(&booking()), reply(200, "{")], "done"),
        (vec![ok(&booking()), Reply::Silence], "unknown"),
    ] {
        let stub = StubServer::start(replies.clone()).await;
        assert_eq!(ending(&quote(&stub, None).await), expected, "{replies:?}");
        for line in stub.lines() {
            assert!(line.starts_with("GET ") || line.ends_with("=SIMULATION"), "{line}");
        }
    }
    let stub = StubServer::start([]).await;
    let strange =
        hotelbeds(&stub).quote_cancellation(order_to_cancel("207-1?x", OrderStatus::Confirmed)).await;
    assert_eq!((ending(&strange), stub.requests().len()), ("refused", 0));
}

/// What it was sold for is known here: it could be carried out all the same.
#[tokio::test]
async fn a_booking_that_can_not_be_read_leaves_unclear_what_comes_back() {
    let mut stateless = booking();
    stateless["booking"]["status"] = json!({});
    let mut of_another = booking();
    of_another["booking"]["reference"] = json!("207-1");
    for (body, came) in [
        (stateless.to_string(), "status"),
        (of_another.to_string(), "totalNet"),
        (r#"{"booking": null}"#.to_owned(), "booking"),
        (r#"{"booking": {"refer"#.to_owned(), "refer"),
    ] {
        let stub = StubServer::start([reply(200, body.clone())]).await;
        let quoted = done(quote(&stub, Some("400.00")).await);
        assert_eq!((quoted.id.as_str(), quoted.refund), ("EUR-400.00", None), "{body}");
        let unclear = quoted.unclear.unwrap_or_else(|| panic!("{body}"));
        assert!(unclear.came.to_string().contains(came), "{body}: {unclear:?}");
        assert!(!unclear.came.to_string().contains("holder"), "{unclear:?}");
        assert_eq!(stub.lines(), [format!("GET {BOOKINGS}/{ID}")]);
    }
    // What says itself that it failed is no booking that can't be read; nor is one whose price nobody knows.
    let failed = r#"{"error": {"code": "SYSTEM_ERROR", "message": "try later"}}"#;
    for (body, charged) in [(failed, Some("400.00")), (r#"{"booking": null}"#, None)] {
        let stub = StubServer::start([reply(200, body)]).await;
        assert_eq!(ending(&quote(&stub, charged).await), "unknown", "{body}");
    }
    let stub = StubServer::start([ok(&booking()), reply(200, failed)]).await;
    assert_eq!(ending(&quote(&stub, None).await), "unknown");
}

#[tokio::test]
async fn a_cancellation_gives_back_what_it_says_itself() {
    for (amount, refund) in
        [(json!("99.90"), Some("300.10")), (json!(0), Some("400.00")), (json!(null), None)]
    {
        let stub = StubServer::start([ok(&cancelled(&amount))]).await;
        let given_back = done(hotelbeds(&stub).cancel(ID, "EUR-400.00", None, None).await);
        assert_eq!(given_back.refund, refund.map(money), "{amount}");
        assert_eq!((given_back.id.as_str(), given_back.state), ("PPFPPJXXVZ", Confirmed));
        assert_eq!(stub.lines(), [format!("DELETE {BOOKINGS}/{ID}?cancellationFlag=CANCELLATION")]);
    }
    let stub = StubServer::start([ok(&booking())]).await;
    let pending = done(hotelbeds(&stub).cancel(ID, "EUR-400.00", None, None).await);
    assert_eq!((pending.id.as_str(), pending.state), ("EUR-400.00", Pending));
}

#[tokio::test]
async fn each_fault_of_a_cancellation_has_its_end_and_is_sent_once() {
    let mut other_currency = cancelled(&json!("1.00"));
    other_currency["booking"]["currency"] = json!("USD");
    other_currency["booking"]["hotel"]["currency"] = json!("USD");
    let mut other_booking = cancelled(&json!(0));
    other_booking["booking"]["reference"] = json!("1-1");
    for (act, expected) in [
        (error("500 PRODUCT_ERROR Cannot cancel a booking after the check-in"), "too late"),
        (error("500 PRODUCT_ERROR Hotel does not allow cancellations"), "not changeable"),
        (error("400 INVALID_DATA Invalid reference"), "refused"),
        (error("400 INVALID_DATA The booking is already cancelled"), "unknown"),
        (error("500 PRODUCT_ERROR Something else"), "unknown"),
        (error("503 PRODUCT_ERROR the booking is locked. Please try again later"), "unknown"),
        (error("500 SYSTEM_ERROR Internal server error"), "unknown"),
        (reply(403, r#"{"error":"Developer Over Rate"}"#), "unavailable"),
        (reply(429, ""), "unavailable"),
        (reply(502, ""), "unknown"),
        (reply(200, "{"), "unknown"),
        // How much comes back must not hide that it was carried out.
        (ok(&other_currency), "done"),
        (ok(&other_booking), "unknown"),
        (Reply::Cut(200, cancelled(&json!(0)).to_string()), "unknown"),
        (Reply::Hang, "unknown"),
        (Reply::Silence, "unknown"),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        assert_eq!(ending(&hotelbeds(&stub).cancel(ID, "EUR-400.00", None, None).await), expected, "{act:?}");
        assert_eq!(stub.requests().len(), 1);
    }
    let stub = StubServer::start([]).await;
    for (order, cancellation) in
        [("207-1/..", "EUR-400.00"), (ID, "EUR400.00"), (ID, "EUR--1.00"), (ID, "XAU-1.00"), (ID, "")]
    {
        let answer = hotelbeds(&stub).cancel(order, cancellation, None, None).await;
        assert_eq!(ending(&answer), "refused", "{order} {cancellation}");
    }
    assert_eq!(stub.requests().len(), 0);
}

#[tokio::test]
async fn the_booking_tells_what_became_of_a_cancellation() {
    for (body, state, refund) in [
        (cancelled(&json!("99.90")), Confirmed, Some("300.10")),
        (cancelled(&json!(null)), Confirmed, None),
        (booking(), Pending, None),
    ] {
        let stub = StubServer::start([ok(&body)]).await;
        let found = done(hotelbeds(&stub).find_cancellation(ID, "EUR-400.00", None).await);
        assert_eq!((found.state, found.refund), (state, refund.map(money)));
        assert_eq!(found.expires_at, None);
        assert_eq!(stub.lines(), [format!("GET {BOOKINGS}/{ID}")]);
    }
    for (act, expected) in [
        (error(ABSENT), "unknown"),
        (error("400 INVALID_DATA Hm."), "unknown"),
        (reply(429, ""), "unavailable"),
        (Reply::Hang, "unknown"),
    ] {
        let stub = StubServer::start([act.clone()]).await;
        let answer = hotelbeds(&stub).find_cancellation(ID, "EUR-400.00", None).await;
        assert_eq!(ending(&answer), expected, "{act:?}");
    }
}

#[tokio::test]
async fn a_hotel_that_cancels_gives_back_what_the_total_leaves_and_a_total_as_before_says_nothing() {
    let costing = |standing: Value, total: Value| {
        let mut body = standing;
        body["booking"]["status"] = json!("CANCELLED");
        body["booking"]["totalNet"] = total.clone();
        body["booking"]["hotel"]["totalNet"] = total;
        body
    };
    let without_rooms = |mut body: Value| {
        body["booking"]["hotel"].as_object_mut().unwrap().remove("rooms");
        body
    };
    for (body, charged, refund) in [
        // Whether 400 is what a hotel that dictates 420 had charged before, or what it keeps now, only its rates say.
        (without_rooms(costing(dictated(), json!("400.00"))), "420.00", None),
        (without_rooms(costing(dictated(), json!("0.00"))), "420.00", Some("420.00")),
        (costing(booking(), json!("0.00")), "400.00", Some("400.00")),
        (costing(booking(), json!("99.90")), "400.00", Some("300.10")),
        (costing(booking(), json!("400.00")), "400.00", None),
        (costing(booking(), json!("500.00")), "400.00", None),
        // At a dictated price: 20 more than what is charged.
        (costing(dictated(), json!("0.00")), "420.00", Some("420.00")),
        (costing(dictated(), json!("100.00")), "420.00", Some("315.00")),
        (costing(dictated(), json!("400.00")), "420.00", None),
    ] {
        let stub = StubServer::start([ok(&body)]).await;
        let stated = done(hotelbeds(&stub).unasked_refund(ID, money(charged)).await);
        assert_eq!(stated.map(|stated| stated.amount), refund.map(money), "{body}");
    }
    let stub = StubServer::start([ok(&booking())]).await;
    is_unknown(hotelbeds(&stub).unasked_refund(ID, money("400.00")).await, "");
}
