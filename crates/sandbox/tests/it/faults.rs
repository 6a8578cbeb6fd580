//! Misbehaviour on demand: what happens at every supplier, in the words of each.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use reqwest::Method;
use rust_decimal::dec;
use serde_json::{Value, json};

use crate::every_supplier::call;
use crate::harness::*;
use crate::liteapi::harness as liteapi;
use crate::sales::*;

#[tokio::test]
async fn a_price_that_moved_stays_moved_and_is_booked_once_it_is_known() {
    for (supplier, code, words) in [
        ("duffel", "price_changed", "airline_error"),
        ("tripjack", "1015", "The fare has changed"),
        ("liteapi", "4002", "invalid prebookId, invalid rate"),
        ("hotelbeds", "PRODUCT_ERROR", "Price has changed"),
    ] {
        let stage = Stage::open().await;
        let offer = found(&stage, supplier).await;
        let before = priced(&stage, supplier, &offer).await.body;
        let old = total(supplier, &before);
        stage.next_of(supplier, "price", "price_changed:10").await;
        let moved = priced(&stage, supplier, &offer).await.body;
        let new = total(supplier, &moved);
        assert!((old * dec!(1.1) - new).abs() < dec!(0.05), "{supplier}: {old}, {new}");
        let again = priced(&stage, supplier, &offer).await.body;
        assert_eq!(total(supplier, &again), new, "{supplier}");
        match supplier {
            "duffel" => {
                let offer = &moved["data"];
                assert_eq!(amount(&offer["base_amount"]) + amount(&offer["tax_amount"]), new);
            }
            "tripjack" => {
                let alert = &moved["alerts"][0];
                assert_eq!((number(&alert["oldFare"]), number(&alert["newFare"])), (old, new));
                assert_eq!(alert["type"], "FAREALERT");
            }
            "liteapi" => {
                assert_eq!(moved["data"]["priceDifferencePercent"], 10);
                let rate = &moved["data"]["roomTypes"][0]["rates"][0]["retailRate"];
                assert_eq!(number(&rate["total"][0]["amount"]), new);
                let searched = found(&stage, supplier).await;
                assert_eq!(liteapi::price(&searched), liteapi::price(&offer));
            }
            _ => {}
        }
        let refused = booked(&stage, supplier, &before, "HTL-A-1").await.unwrap();
        is_refused(supplier, &refused, code, words);

        stage.next_of(supplier, "book", "price_changed:-5").await;
        for _ in 0..2 {
            let refused = booked(&stage, supplier, &moved, "HTL-A-1").await.unwrap();
            is_refused(supplier, &refused, code, words);
        }
        assert!(stage.orders().await.is_empty());
        let cheaper = priced(&stage, supplier, &offer).await.body;
        assert!(total(supplier, &cheaper) < new, "{supplier}");
        booked(&stage, supplier, &cheaper, "HTL-A-1").await.unwrap();
        let orders = stage.orders().await;
        assert_eq!((orders.len(), number(&orders[0]["amount"])), (1, total(supplier, &cheaper)));
    }
}

#[tokio::test]
async fn what_is_sold_out_stays_so_until_it_is_searched_again() {
    for (supplier, at_price, at_book, words) in [
        ("duffel", "offer_no_longer_available", "offer_no_longer_available", "airline_error"),
        ("tripjack", "1000", "1000", "no longer available"),
        ("liteapi", "4040", "2013", ""),
        ("hotelbeds", "PRODUCT_ERROR", "PRODUCT_ERROR", "Insufficient allotment"),
    ] {
        for call in ["price", "book"] {
            let stage = Stage::open().await;
            let offer = found(&stage, supplier).await;
            let before = priced(&stage, supplier, &offer).await.body;
            stage.next_of(supplier, call, "sold_out").await;
            if call == "book" {
                let first = booked(&stage, supplier, &before, "HTL-A-1").await.unwrap();
                is_refused(supplier, &first, at_book, words);
            }
            for _ in 0..2 {
                is_refused(supplier, &priced(&stage, supplier, &offer).await, at_price, words);
                let refused = booked(&stage, supplier, &before, "HTL-A-1").await.unwrap();
                is_refused(supplier, &refused, at_book, words);
            }
            assert!(stage.orders().await.is_empty());
            stage.clock.advance(TimeDelta::seconds(1));
            let another = found(&stage, supplier).await;
            let another = priced(&stage, supplier, &another).await;
            assert_eq!(another.status, 200, "{supplier}: {}", another.text);
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_lost_says_nothing_of_the_work() {
    for supplier in SUPPLIERS {
        let stage = Stage::open().await;
        for (fault, is_made) in [("drop_before", false), ("drop_after", true), ("broken_json", false)] {
            let offer = found(&stage, supplier).await;
            let offer = priced(&stage, supplier, &offer).await.body;
            let before = stage.orders().await.len();
            let id = format!("HTL-{fault}-1");
            stage.next_of(supplier, "book", fault).await;
            match booked(&stage, supplier, &offer, &id).await {
                Ok(answer) => {
                    assert_eq!((fault, answer.status, answer.body), ("broken_json", 200, Value::Null))
                }
                Err(cut) => assert!(cut.is_request() && !cut.is_timeout() && !cut.is_connect(), "{cut:?}"),
            }
            let made = usize::from(is_made);
            assert_eq!(stage.orders().await.len() - before, made, "{supplier} {fault}");
            assert_eq!(looked_up(&stage, supplier, &offer, &id).await.len(), made);
        }
    }
}

#[tokio::test]
async fn a_booking_that_appears_later_is_cut_off_and_hidden_from_look_ups_only() {
    for (supplier, hidden, again) in [
        ("duffel", 404, Some("offer_request_already_booked")),
        ("liteapi", 204, Some("4005")),
        ("hotelbeds", 404, None),
    ] {
        let stage = Stage::open().await;
        let offer = found(&stage, supplier).await;
        let offer = priced(&stage, supplier, &offer).await.body;
        stage.next_of(supplier, "book", "appears_after:5000").await;
        let cut = booked(&stage, supplier, &offer, "HTL-LATE-1").await;
        assert!(cut.is_err());
        let [order] = stage.orders().await.try_into().unwrap();
        assert_eq!(order["status"], "confirmed");
        let one = async || looked_up_by_id(&stage, supplier, &order["id"]).await;
        assert_eq!(one().await, hidden, "{supplier}");
        assert!(looked_up(&stage, supplier, &offer, "HTL-LATE-1").await.is_empty());
        match again {
            Some(with) => {
                let refused = booked(&stage, supplier, &offer, "HTL-LATE-1").await.unwrap();
                is_refused(supplier, &refused, with, "");
            }
            None => {
                let refused = stage.end_booking(&order["id"], "CANCELLATION").await;
                refused.denied(404, "INVALID_DATA");
            }
        }
        stage.clock.advance(TimeDelta::milliseconds(5_000));
        assert_eq!(one().await, 200, "{supplier}");
        assert_eq!(looked_up(&stage, supplier, &offer, "HTL-LATE-1").await.len(), 1);
    }
}

#[tokio::test]
async fn a_fault_happens_to_its_supplier_only() {
    let stage = Stage::open().await;
    for supplier in SUPPLIERS {
        stage.next_of(supplier, "search", "status:503").await;
    }
    for (called, supplier) in SUPPLIERS.into_iter().enumerate() {
        for status in [503, 200] {
            let answer = call(&stage, supplier, "search").await;
            assert_eq!(answer.status == 503, status == 503, "{supplier}: {}", answer.text);
            let queued = stage.control(Method::GET, "/faults", None).await.body;
            let queued: Vec<&Value> = list(&queued).iter().map(|fault| &fault["supplier"]).collect();
            assert_eq!(queued, SUPPLIERS[called + 1..]);
        }
    }
}

#[tokio::test]
async fn a_bad_gateway_is_a_page_and_a_limit_says_when_to_come_again() {
    let stage = Stage::open().await;
    for supplier in SUPPLIERS {
        stage.next_of(supplier, "search", "status:502").await;
        let page = call(&stage, supplier, "search").await;
        assert_eq!((page.status, &page.headers["content-type"] == "text/html; charset=utf-8"), (502, true));
        assert!(page.text.starts_with("<html>") && page.text.contains("<h1>502 Bad Gateway</h1>"));
    }
    stage.next("search", "rate_limited").await;
    let limited = call(&stage, "duffel", "search").await;
    assert_eq!(limited.status, 429);
    for (name, value) in [
        ("retry-after", "1"),
        ("ratelimit-limit", "4000"),
        ("ratelimit-remaining", "0"),
        ("ratelimit-reset", "Sun, 10 Jan 2027 12:00:01 GMT"),
    ] {
        assert_eq!(limited.headers[name], value, "{name}");
    }
}

#[tokio::test]
async fn slow_answers_late_and_does_its_work_even_for_a_caller_who_has_left() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    stage.next("price", "slow:200").await;
    let begun = Instant::now();
    stage.get(&format!("/offers/{}", text(&offer["id"]))).await.data(200);
    assert!(begun.elapsed() >= Duration::from_millis(200));

    stage.next("book", "slow:3000").await;
    let request = stage.request(Method::POST, "/orders").json(&json!({ "data": instant(&offer) }));
    let leaving = tokio::spawn(request.send());
    stage.has_struck().await;
    leaving.abort();
    assert!(leaving.await.unwrap_err().is_cancelled());
    while stage.orders().await.is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(stage.orders().await.len(), 1);

    // What is slow goes on when the faults are cleared.
    stage.next("book", "slow:600000").await;
    let offer = stage.any_offer().await;
    let request = stage.request(Method::POST, "/orders").json(&json!({ "data": instant(&offer) }));
    let booking = tokio::spawn(request.send());
    stage.has_struck().await;
    stage.control(Method::DELETE, "/faults", None).await;
    assert_eq!(booking.await.unwrap().unwrap().status(), 201);
}

#[tokio::test]
async fn a_late_refund_leaves_the_order_as_it_is_until_its_time_has_come() {
    let stage = Stage::open().await;
    let order = stage.any_order().await;
    let quote = done(&stage, "/order_cancellations", json!({ "order_id": order["id"] })).await;
    let id = text(&quote["id"]);
    stage.next("cancel", "refund_later:90").await;
    let confirm = format!("/order_cancellations/{id}/actions/confirm");
    assert_eq!(stage.post(&confirm, json!({})).await.data(200)["confirmed_at"], json!(null));
    let path = path_of(&order);
    assert_eq!(stage.get(&path).await.data(200)["cancelled_at"], json!(null));
    assert_eq!(stage.orders().await[0]["status"], "confirmed");
    let again = stage.post(&confirm, json!({})).await.data(200);
    assert_eq!(again["confirmed_at"], json!(null), "asking again changes nothing");

    stage.clock.advance(TimeDelta::seconds(90));
    let settled = stage.get(&format!("/order_cancellations/{id}")).await.data(200);
    assert_eq!(settled["confirmed_at"], "2027-01-10T12:01:30.000000Z");
    assert_eq!(stage.get(&path).await.data(200)["cancelled_at"], settled["confirmed_at"]);
    assert_eq!(stage.orders().await[0]["status"], "cancelled");
}
