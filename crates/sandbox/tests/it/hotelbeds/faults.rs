//! Misbehaviour on demand, in Hotelbeds' words.

use chrono::TimeDelta;
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
    assert_eq!(number(&booking["booking"]["totalNet"]), net(&moved));

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
