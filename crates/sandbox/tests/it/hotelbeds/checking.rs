//! Rates again, under fresh keys.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

fn only_rate(checked: &Value) -> &Value {
    let rates = list(&checked["hotel"]["rooms"][0]["rates"]);
    assert_eq!(rates.len(), 1);
    &rates[0]
}

#[tokio::test]
async fn a_rate_to_recheck_is_booked_only_under_the_key_of_its_check() {
    let stage = Stage::open().await;
    let found = stage.rate(&query(), |rate| !is_bookable(rate)).await;
    let refused = stage.book_rate(&found.rate, "HB-1").await;
    assert!(refused.denied(400, "INVALID_DATA").contains("RECHECK"));
    let checked = stage.check(&[&found.rate]).await.fine();
    let rate = only_rate(&checked);
    assert_ne!(rate["rateKey"], found.rate["rateKey"]);
    has(rate, json!({ "rateType": "BOOKABLE", "net": found.rate["net"] }));
    assert_eq!(number(&checked["hotel"]["totalNet"]), net(rate));
    assert!(text(&rate["rateComments"]).contains("Check-in hour"));
    assert_eq!(checked["hotel"]["code"], found.hotel["code"]);
    stage.book_rate(rate, "HB-1").await.fine();
}

#[tokio::test]
async fn keys_last_half_an_hour_and_those_of_a_check_begin_anew() {
    let stage = Stage::open().await;
    let rate = stage.bookable().await;
    stage.clock.advance(TimeDelta::minutes(29));
    let checked = stage.check(&[&rate]).await.fine();
    stage.clock.advance(TimeDelta::minutes(1));
    for refused in [stage.check(&[&rate]).await, stage.book_rate(&rate, "HB-1").await] {
        let message = refused.denied(400, "INVALID_DATA");
        assert!(message.contains("rateKeys only last 30 minutes"));
    }
    let fresh = only_rate(&checked);
    stage.clock.advance(TimeDelta::minutes(28));
    stage.book_rate(fresh, "HB-1").await.fine();
    stage.clock.advance(TimeDelta::minutes(1));
    stage.book_rate(fresh, "HB-2").await.denied(400, "INVALID_DATA");
}

#[tokio::test]
async fn a_key_is_neither_built_nor_mended() {
    let stage = Stage::open().await;
    let rate = stage.bookable().await;
    let key = text(&rate["rateKey"]);
    let longer = key.replacen("20270224", "20270225", 1);
    let (bare, held) = key.split_once("|N@").unwrap();
    for wrong in [longer, bare.to_owned(), format!("|N@{held}"), format!("{key}A"), String::new()] {
        let rate = json!({ "rateKey": wrong });
        stage.check(&[&rate]).await.denied(400, "INVALID_DATA");
    }
}

#[tokio::test]
async fn keys_of_two_types_two_hotels_or_too_many_are_not_checked_together() {
    let stage = Stage::open().await;
    let hotels = stage.available(&query()).await;
    let mixed = hotels.iter().find_map(|hotel| {
        let rates = found_in(hotel);
        let (bookable, others): (Vec<_>, Vec<_>) =
            rates.into_iter().partition(|found| is_bookable(&found.rate));
        Some((bookable.first()?.rate.clone(), others.first()?.rate.clone()))
    });
    let (bookable, other) = mixed.unwrap();
    let refused = stage.check(&[&bookable, &other]).await;
    assert!(refused.denied(400, "INVALID_DATA").contains("together"));
    stage.check(&[&bookable, &bookable]).await.fine();
    let [one, two] = [0, 1].map(|at| found_in(&hotels[at])[0].rate.clone());
    stage.check(&[&one, &two]).await.denied(400, "INVALID_DATA");
    stage.check(&[]).await.denied(400, "INVALID_DATA");
    stage.check(&[&bookable; 11]).await.denied(400, "INVALID_DATA");
    stage.check(&[&bookable; 10]).await.fine();
}
