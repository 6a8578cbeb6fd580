//! Bookings that end, or of which it is asked what that would cost.

use chrono::TimeDelta;
use reqwest::Method;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

async fn booked(stage: &Stage, fits: impl Fn(&Value) -> bool) -> (Value, Value) {
    let found = stage.rate(&query(), |rate| is_bookable(rate) && fits(rate)).await;
    let body = stage.book_rate(&found.rate, "HTL-7K2M9Q4X-1").await.fine();
    (found.rate, body["booking"]["reference"].clone())
}

#[tokio::test]
async fn a_simulation_tells_the_cost_and_changes_nothing() {
    let stage = Stage::open().await;
    let (_, reference) = booked(&stage, is_refundable).await;
    let before = stage.booking(&reference).await.fine()["booking"].take();
    let simulated = stage.end_booking(&reference, "SIMULATION").await.fine();
    let booking = &simulated["booking"];
    assert_eq!(booking["status"], "CANCELLED");
    assert_eq!(number(&booking["hotel"]["cancellationAmount"]), Decimal::ZERO);
    assert!(booking["cancellationReference"].is_string());
    assert_eq!(stage.booking(&reference).await.fine()["booking"], before);

    let ended = stage.end_booking(&reference, "CANCELLATION").await.fine();
    assert_eq!(ended["booking"]["status"], "CANCELLED");
    assert_eq!(number(&ended["booking"]["totalNet"]), Decimal::ZERO);
    let after = stage.booking(&reference).await.fine();
    assert_eq!(after["booking"], ended["booking"]);
    let order = &stage.orders().await[0];
    assert_eq!((&order["status"], order["cancelled_at"].is_string()), (&json!("cancelled"), true));
    for flag in ["SIMULATION", "CANCELLATION"] {
        let again = stage.end_booking(&reference, flag).await;
        assert!(again.denied(400, "INVALID_DATA").contains("already"));
    }
}

#[tokio::test]
async fn the_cost_follows_the_policies_until_the_stay_begins() {
    let stage = Stage::open().await;
    let (rate, reference) = booked(&stage, is_refundable).await;
    let cost = async || {
        let simulated = stage.end_booking(&reference, "SIMULATION").await.fine();
        number(&simulated["booking"]["hotel"]["cancellationAmount"])
    };
    for policy in list(&rate["cancellationPolicies"]) {
        let from: chrono::DateTime<chrono::Utc> = text(&policy["from"]).parse().unwrap();
        stage.clock.advance(from - stage.clock.now() - TimeDelta::seconds(1));
        assert!(cost().await < amount(&policy["amount"]));
        stage.clock.advance(TimeDelta::seconds(1));
        assert_eq!(cost().await, amount(&policy["amount"]));
    }
    // Rooms are ready in the afternoon.
    stage.clock.advance(TimeDelta::hours(4));
    for flag in ["SIMULATION", "CANCELLATION"] {
        let refused = stage.end_booking(&reference, flag).await;
        let message = refused.denied(500, "PRODUCT_ERROR");
        assert_eq!(message, "Cannot cancel a booking after the check-in");
    }
}

#[tokio::test]
async fn of_what_is_not_refundable_nothing_comes_back() {
    let stage = Stage::open().await;
    let (rate, reference) = booked(&stage, |rate| !is_refundable(rate)).await;
    let ended = stage.end_booking(&reference, "CANCELLATION").await.fine();
    let hotel = &ended["booking"]["hotel"];
    assert_eq!(number(&hotel["cancellationAmount"]), net(&rate));
    assert_eq!(amount(&hotel["totalNet"]), net(&rate));
}

#[tokio::test]
async fn without_a_flag_it_is_cancelled_and_only_by_whose_it_is() {
    let stage = Stage::open().await;
    let (_, reference) = booked(&stage, is_refundable).await;
    let path = format!("{API}/bookings/{}", reference.as_str().unwrap());
    let other = "hotelbeds_test_other";
    for method in [Method::GET, Method::DELETE] {
        let request = stage.hotelbeds_request_as(other, method, &path);
        sent(request).await.unwrap().denied(404, "INVALID_DATA");
    }
    stage.end_booking(&json!("1-1"), "CANCELLATION").await.denied(404, "INVALID_DATA");
    stage.end_booking(&reference, "PERHAPS").await.denied(400, "INVALID_REQUEST");
    sent(stage.hotelbeds_request(Method::DELETE, &path)).await.unwrap().fine();
    assert_eq!(stage.orders().await[0]["status"], "cancelled");
}
