//! Misbehaviour on demand, in Hotelbeds' words.

use chrono::TimeDelta;
use reqwest::Method;
use rust_decimal::dec;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

fn only_rate(checked: &Value) -> Value {
    checked["hotel"]["rooms"][0]["rates"][0].clone()
}

#[tokio::test]
async fn a_price_that_moved_is_booked_only_under_a_key_that_tells_it() {
    let stage = Stage::open().await;
    let rate = stage.bookable().await;
    let told_before = only_rate(&stage.check(&[&rate]).await.fine());
    stage.next_of("hotelbeds", "price", "price_changed:10").await;
    let moved = only_rate(&stage.check(&[&rate]).await.fine());
    let tenth = net(&rate) * dec!(1.1) - net(&moved);
    assert!(tenth.abs() < dec!(0.05), "{tenth}");
    for old in [&rate, &told_before] {
        let message = stage.book_rate(old, "HTL-1").await.denied(500, "PRODUCT_ERROR");
        assert_eq!(message, "Price has changed");
    }
    let again = only_rate(&stage.check(&[&told_before]).await.fine());
    assert_eq!(again["net"], moved["net"]);
    let booking = stage.book_rate(&moved, "HTL-1").await.fine();
    assert_eq!(exact(&booking["booking"]["totalNet"]), net(&moved));

    stage.next_of("hotelbeds", "book", "price_changed:-5").await;
    for _ in 0..2 {
        stage
            .book_rate(&moved, "HTL-2")
            .await
            .denied(500, "PRODUCT_ERROR");
    }
    let cheaper = only_rate(&stage.check(&[&moved]).await.fine());
    assert!(net(&cheaper) < net(&moved));
    stage.book_rate(&cheaper, "HTL-2").await.fine();
    assert_eq!(stage.orders().await.len(), 2);
}

#[tokio::test]
async fn a_rate_that_is_sold_out_stays_so_until_it_is_searched_again() {
    let stage = Stage::open().await;
    for call in ["price", "book"] {
        let rate = stage.bookable().await;
        stage.next_of("hotelbeds", call, "sold_out").await;
        let first = match call {
            "price" => stage.check(&[&rate]).await,
            _ => stage.book_rate(&rate, "HTL-1").await,
        };
        for refused in [
            first,
            stage.check(&[&rate]).await,
            stage.book_rate(&rate, "HTL-1").await,
        ] {
            let message = refused.denied(500, "PRODUCT_ERROR");
            assert_eq!(message, "Insufficient allotment");
        }
        let again = stage.bookable().await;
        stage.check(&[&again]).await.fine();
    }
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn statuses_and_limits_are_answered_in_hotelbeds_words() {
    let stage = Stage::open().await;
    let rate = stage.bookable().await;
    for (status, code) in [
        (400, "INVALID_REQUEST"),
        (500, "SYSTEM_ERROR"),
        (503, "SYSTEM_ERROR"),
    ] {
        stage
            .next_of("hotelbeds", "price", &format!("status:{status}"))
            .await;
        stage.check(&[&rate]).await.denied(status, code);
    }
    for status in [401, 403, 404] {
        stage
            .next_of("hotelbeds", "price", &format!("status:{status}"))
            .await;
        let answer = stage.check(&[&rate]).await;
        assert_eq!((answer.status, answer.body["error"].is_string()), (status, true));
    }
    stage.next_of("hotelbeds", "price", "rate_limited").await;
    let limited = stage.check(&[&rate]).await;
    assert_eq!(
        (limited.status, &limited.body),
        (429, &json!({ "error": "Rate limit exceeded" }))
    );
    assert_eq!(limited.headers["retry-after"], "1");
    stage.next_of("hotelbeds", "price", "broken_json").await;
    let broken = stage.check(&[&rate]).await;
    assert_eq!((broken.status, broken.body), (200, Value::Null));
    stage.next_of("hotelbeds", "price", "slow:30").await;
    let begun = std::time::Instant::now();
    stage.check(&[&rate]).await.fine();
    assert!(begun.elapsed().as_millis() >= 30);
}

#[tokio::test]
async fn a_booking_without_an_answer_is_found_by_the_clients_reference() {
    let stage = Stage::open().await;
    let rate = stage.bookable().await;
    for (fault, is_made) in [
        ("drop_before", false),
        ("drop_after", true),
        ("broken_json", false),
    ] {
        stage.next_of("hotelbeds", "book", fault).await;
        let reference = format!("HTL-{fault}-1");
        let answer = stage
            .try_hotelbeds("/bookings", &wish(&[&rate], &reference))
            .await;
        assert!(answer.is_err() || answer.unwrap().body.is_null());
        let found = stage.bookings_under(&reference).await;
        assert_eq!(found.len(), usize::from(is_made), "{fault}");
    }
    stage.next_of("hotelbeds", "book", "appears_after:5000").await;
    let cut = stage
        .try_hotelbeds("/bookings", &wish(&[&rate], "HTL-LATE-1"))
        .await;
    assert!(cut.is_err());
    let order = stage.orders().await.pop().unwrap();
    assert_eq!(
        (&order["order_reference"], &order["status"]),
        (&json!("HTL-LATE-1"), &json!("confirmed"))
    );
    assert!(stage.bookings_under("HTL-LATE-1").await.is_empty());
    stage.booking(&order["id"]).await.denied(404, "INVALID_DATA");
    stage
        .end_booking(&order["id"], "CANCELLATION")
        .await
        .denied(404, "INVALID_DATA");
    stage.clock.advance(TimeDelta::milliseconds(5_000));
    assert_eq!(stage.bookings_under("HTL-LATE-1").await.len(), 1);
    stage.booking(&order["id"]).await.fine();
}

#[tokio::test]
async fn a_cancellation_without_an_answer_was_made_or_not() {
    let stage = Stage::open().await;
    let rate = stage.bookable().await;
    for (fault, status) in [("drop_before", "CONFIRMED"), ("drop_after", "CANCELLED")] {
        let booking = stage.book_rate(&rate, "HTL-1").await.fine()["booking"].take();
        stage.next_of("hotelbeds", "cancel", fault).await;
        let path = format!("{API}/bookings/{}", booking["reference"].as_str().unwrap());
        let request =
            stage.hotelbeds_request(Method::DELETE, &format!("{path}?cancellationFlag=CANCELLATION"));
        assert!(sent(request).await.is_err());
        let after = stage.booking(&booking["reference"]).await.fine();
        assert_eq!(after["booking"]["status"], status);
    }
}

#[tokio::test]
async fn every_call_has_its_name_and_some_cannot_suffer_everything() {
    let stage = Stage::open().await;
    let calls = [
        ("search", Method::POST, "/hotel-api/1.0/hotels"),
        ("price", Method::POST, "/hotel-api/1.0/checkrates"),
        ("book", Method::POST, "/hotel-api/1.0/bookings"),
        ("lookup", Method::GET, "/hotel-api/1.0/bookings"),
        ("lookup", Method::GET, "/hotel-api/1.0/bookings/1-1"),
        ("cancel", Method::DELETE, "/hotel-api/1.0/bookings/1-1"),
        (
            "cancel",
            Method::DELETE,
            "/hotel-api/1.0/bookings/1-1?cancellationFlag=CANCELLATION",
        ),
        (
            "cancel_quote",
            Method::DELETE,
            "/hotel-api/1.0/bookings/1-1?cancellationFlag=SIMULATION&language=ENG",
        ),
        ("services", Method::GET, "/hotel-content-api/1.0/hotels"),
        ("services", Method::GET, "/hotel-content-api/1.0/hotels/1/details"),
        (
            "services",
            Method::GET,
            "/hotel-content-api/1.0/locations/destinations",
        ),
        ("services", Method::GET, "/hotel-content-api/1.0/types/boards"),
    ];
    for (call, method, path) in calls {
        stage.next_of("hotelbeds", call, "status:418").await;
        let answer = sent(stage.hotelbeds_request(method, path)).await.unwrap();
        assert_eq!(answer.status, 418, "{call} {path}: {}", answer.text);
    }
    for (call, fault) in [
        ("book", "pending:5"),
        ("book", "aborted:5"),
        ("book", "lapses:5"),
        ("cancel", "refund_later:5"),
        ("cancel", "rejected:5"),
        ("search", "sold_out"),
        ("ticket", "drop_after"),
        ("change", "drop_after"),
        ("add_service", "drop_after"),
    ] {
        let wanted = json!({ "supplier": "hotelbeds", "call": call, "fault": fault });
        let answer = stage.control(Method::POST, "/faults", Some(wanted)).await;
        assert_eq!(answer.status, 422, "{call} {fault}");
    }
}
