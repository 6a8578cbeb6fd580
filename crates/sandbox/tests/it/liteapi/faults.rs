//! Misbehaviour on demand, in LiteAPI's words.

use chrono::TimeDelta;
use rust_decimal::dec;
use serde_json::Value;

use super::harness::*;
use crate::harness::*;

async fn any_offer(stage: &Stage) -> Value {
    stage.hotel_offer(&query(), is_refundable).await
}

#[tokio::test]
async fn a_price_that_moved_is_told_and_stays_moved() {
    let stage = Stage::open().await;
    let offer = any_offer(&stage).await;
    stage.next_of("liteapi", "price", "price_changed:10").await;
    for _ in 0..2 {
        let prebook = stage.prebook(&offer).await.good()["data"].take();
        assert_eq!(prebook["priceDifferencePercent"], 10);
        assert!((number(&prebook["price"]) - price(&offer) * dec!(1.1)).abs() < dec!(0.05));
        assert_eq!(
            prebook["price"],
            prebook["roomTypes"][0]["rates"][0]["retailRate"]["total"][0]["amount"]
        );
    }
    assert_eq!(
        price(&any_offer(&stage).await),
        price(&offer),
        "another search, another offer"
    );
}

#[tokio::test]
async fn what_changes_at_booking_is_refused_until_it_is_checked_again() {
    let stage = Stage::open().await;
    let offer = any_offer(&stage).await;
    let prebook = stage.prebook(&offer).await.good();
    stage.next_of("liteapi", "book", "price_changed:-5").await;
    for _ in 0..2 {
        let error = is_bad(&stage, "/rates/book", &wish(&prebook, "HTL-A-1"), 400, 4002).await;
        assert_eq!(error["description"], "invalid prebookId, invalid rate");
    }
    let again = stage.prebook(&offer).await.good();
    assert!(number(&again["data"]["price"]) < number(&prebook["data"]["price"]));
    is_good(&stage, "/rates/book", &wish(&again, "HTL-A-1")).await;
}

#[tokio::test]
async fn what_is_sold_out_stays_so() {
    let stage = Stage::open().await;
    let offer = any_offer(&stage).await;
    let prebook = stage.prebook(&offer).await.good();
    stage.next_of("liteapi", "book", "sold_out").await;
    is_bad(&stage, "/rates/book", &wish(&prebook, "HTL-A-1"), 400, 2013).await;
    is_bad(&stage, "/rates/book", &wish(&prebook, "HTL-A-1"), 400, 2013).await;
    stage.prebook(&offer).await.bad(408, 4040);
    let offer = any_offer(&stage).await;
    stage.next_of("liteapi", "price", "sold_out").await;
    stage.prebook(&offer).await.bad(408, 4040);
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn a_booking_without_an_answer_is_found_by_the_clients_reference() {
    let stage = Stage::open().await;
    let offer = any_offer(&stage).await;
    for (fault, is_made) in [
        ("drop_before", false),
        ("drop_after", true),
        ("broken_json", false),
    ] {
        let prebook = stage.prebook(&offer).await.good();
        stage.next_of("liteapi", "book", fault).await;
        let reference = format!("HTL-{fault}-1");
        let answer = stage
            .try_liteapi("/rates/book", &wish(&prebook, &reference))
            .await;
        assert!(answer.is_err() || answer.unwrap().body.is_null());
        assert_eq!(
            stage.under(&reference).await.len(),
            usize::from(is_made),
            "{fault}"
        );
    }
    let prebook = stage.prebook(&offer).await.good();
    stage.next_of("liteapi", "book", "appears_after:5000").await;
    assert!(
        stage
            .try_liteapi("/rates/book", &wish(&prebook, "HTL-LATE-1"))
            .await
            .is_err()
    );
    assert!(stage.under("HTL-LATE-1").await.is_empty());
    assert_eq!(
        stage.orders().await.last().unwrap()["order_reference"],
        "HTL-LATE-1"
    );
    stage
        .liteapi("/rates/book", &wish(&prebook, "HTL-LATE-1"))
        .await
        .bad(400, 4005);
    stage.clock.advance(TimeDelta::seconds(5));
    assert_eq!(stage.under("HTL-LATE-1").await[0]["status"], "CONFIRMED");
}

#[tokio::test]
async fn a_booking_that_takes_its_time_is_confirmed_then_or_given_up() {
    let stage = Stage::open().await;
    let offer = any_offer(&stage).await;
    for (fault, end, status) in [
        ("pending:30", "CONFIRMED", "confirmed"),
        ("aborted:30", "FAILED", "cancelled"),
    ] {
        stage.next_of("liteapi", "book", fault).await;
        let reference = format!("HTL-{status}-1");
        let made = stage.book_rooms(&offer, &reference).await.good()["data"].take();
        assert_eq!(made["status"], "PENDING");
        assert_eq!(stage.under(&reference).await[0]["status"], "PENDING");
        assert_eq!(stage.cancel_rooms(&made["bookingId"]).await.status, 304);
        stage.clock.advance(TimeDelta::seconds(30));
        assert_eq!(stage.under(&reference).await[0]["status"], end);
        assert_eq!(stage.orders().await.last().unwrap()["status"], status);
    }
}
