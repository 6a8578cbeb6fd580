//! Changes of orders at Duffel: what is sent, what its answers come to, and that nothing but its word confirms one.

use crate::duffel_bodies::*;
use crate::lookups::by_id;
use crate::recorded::text;
use serde_json::{Value, json};
use wayfare_domain::Money;
use wayfare_flights::{FlightSupplier, OrderMode};
use wayfare_stub_server::{did_not_run, recordings, reply};
use wayfare_supply::{Answer, ChangePrice, PendingChange};

/// A change that is ready, at this price in pounds, 15 of it a penalty.
pub fn pending(total: &str) -> PendingChange {
    PendingChange {
        id: "oce_1".to_owned(),
        price: ChangePrice { total: gbp(total), penalty: gbp("15.00"), is_money: false },
        expires_at: "2026-03-01T12:30:00Z".parse().ok(),
        is_confirmed: false,
        supplier_context: Value::Null,
    }
}

/// The same in Duffel's words.
fn change(total: &str) -> Value {
    json!({
        "id": "oce_1", "order_id": "ord_1",
        "change_total_amount": total, "change_total_currency": "GBP",
        "penalty_total_amount": "15.00", "penalty_total_currency": "GBP",
        "refund_to": null, "expires_at": "2026-03-01T12:30:00Z", "confirmed_at": null,
    })
}

fn confirmed(total: &str) -> Value {
    with(change(total), &[("/confirmed_at", json!("2026-03-01T12:00:09Z"))])
}

#[tokio::test]
async fn a_change_is_made_ready_confirmed_and_found() {
    let replies = [change("20.00"), confirmed("20.00"), confirmed("20.00")];
    let stub = duffel_stub(replies.map(|body| reply(200, answer(&body)))).await;
    let duffel = duffel(&stub);
    let ready = done(duffel.prepare_change(by_id("ord_1", &booking(OrderMode::Instant)), "oco_1").await);
    assert_eq!(ready, pending("20.00"));
    let made = PendingChange { is_confirmed: true, ..pending("20.00") };
    assert_eq!(done(duffel.confirm_change(by_id("ord_1", &booking(OrderMode::Instant)), &ready).await), made);
    assert_eq!(done(duffel.find_pending_change("oce_1").await), made);
    assert_eq!(
        stub.lines(),
        [
            "POST /air/order_changes",
            "POST /air/order_changes/oce_1/actions/confirm",
            "GET /air/order_changes/oce_1",
        ]
    );
    let bodies: Vec<Value> = stub.requests().into_iter().map(|request| request.body).collect();
    let paid = json!({ "type": "balance", "amount": "20.00", "currency": "GBP" });
    assert_eq!(
        bodies,
        [
            json!({ "data": { "selected_order_change_offer": "oco_1" } }),
            json!({ "data": { "payment": paid } }),
            Value::Null,
        ]
    );
}

#[tokio::test]
async fn nothing_is_paid_for_what_costs_nothing() {
    for total in ["0.00", "-20.00"] {
        let stub = duffel_stub([reply(200, answer(&confirmed(total)))]).await;
        done(
            duffel(&stub).confirm_change(by_id("ord_1", &booking(OrderMode::Instant)), &pending(total)).await,
        );
        assert_eq!(stub.only().body, json!({ "data": {} }), "{total}");
    }
}

#[tokio::test]
async fn what_is_answered_without_being_confirmed_is_not_known_to_be() {
    let stub = duffel_stub([reply(200, answer(&change("20.00")))]).await;
    let answer =
        duffel(&stub).confirm_change(by_id("ord_1", &booking(OrderMode::Instant)), &pending("20.00")).await;
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
}

/// A change that is gone was perhaps confirmed before.
#[tokio::test]
async fn a_change_that_is_not_found_is_not_refused() {
    let missing = error("invalid_request_error", "not_found", "no such change");
    let stub = duffel_stub([reply(404, missing)]).await;
    is_unknown(duffel(&stub).find_pending_change("oce_1").await, "");
}

/// Credit with an airline is no money of ours.
#[tokio::test]
async fn only_what_comes_back_to_where_it_was_paid_from_is_money() {
    for (to, is_money) in [
        (json!("original_form_of_payment"), true),
        (json!("airline_credits"), false),
        (json!("voucher"), false),
        (json!(null), false),
    ] {
        let body = with(change("-20.00"), &[("/refund_to", to.clone())]);
        let stub = duffel_stub([reply(200, answer(&body))]).await;
        let ready =
            done(duffel(&stub).prepare_change(by_id("ord_1", &booking(OrderMode::Instant)), "oco_1").await);
        assert_eq!((ready.price.total, ready.price.is_money), (gbp("-20.00"), is_money), "{to}");
    }
}

/// A penalty in another currency than the total can't be told apart in it: all of the total is shown as the flights' difference.
#[tokio::test]
async fn a_penalty_in_another_currency_does_not_hide_the_change() {
    let body = with(change("20.00"), &[("/penalty_total_currency", json!("EUR"))]);
    let stub = duffel_stub([reply(200, answer(&body))]).await;
    let ready = duffel(&stub).prepare_change(by_id("ord_1", &booking(OrderMode::Instant)), "oco_1").await;
    let price = done(ready).price;
    assert_eq!((price.total, price.penalty), (gbp("20.00"), gbp("0.00")));
}

/// A change that was carried out was, whatever it says that it cost; one that is only ready needs its price.
#[tokio::test]
async fn an_amount_that_cannot_be_read_does_not_hide_a_change_that_was_carried_out() {
    for odd in [json!("much"), json!(null)] {
        let confirmed = with(
            change("20.00"),
            &[("/change_total_amount", odd.clone()), ("/confirmed_at", json!("2027-01-01T10:00:00Z"))],
        );
        let stub = duffel_stub([reply(200, answer(&confirmed))]).await;
        assert!(done(duffel(&stub).find_pending_change("oce_1").await).is_confirmed, "{odd}");
        let stub = duffel_stub([reply(200, answer(&confirmed))]).await;
        let order = booking(OrderMode::Instant);
        is_unknown(duffel(&stub).prepare_change(by_id("ord_1", &order), "oco_1").await, "");
    }
}

#[tokio::test]
async fn every_recorded_change_is_read_at_its_price() {
    let Some(files) = recordings::of("duffel") else { return };
    let mut read = 0;
    for (path, _, recorded) in &files {
        let theirs = recorded.get("data").unwrap_or(recorded);
        let is_change = theirs["change_total_amount"].is_string() && theirs.get("confirmed_at").is_some();
        if !is_change {
            continue;
        }
        read += 1;
        let stub = duffel_stub([reply(200, answer(theirs))]).await;
        let found = done(duffel(&stub).find_pending_change("oce_1").await);
        let money = |field: &str| {
            let amount = text(theirs, &format!("/{field}_amount")).parse().unwrap();
            let currency = text(theirs, &format!("/{field}_currency")).parse().unwrap();
            Money::exact(amount, currency).unwrap()
        };
        assert_eq!(found.id, text(theirs, "/id"), "{}", path.display());
        assert_eq!(found.price.total, money("change_total"), "{}", path.display());
        assert_eq!(found.price.penalty, money("penalty_total"), "{}", path.display());
        assert_eq!(found.is_confirmed, theirs["confirmed_at"].is_string(), "{}", path.display());
        let ends: Option<chrono::DateTime<chrono::Utc>> = text(theirs, "/expires_at").parse().ok();
        assert_eq!(found.expires_at, ends, "{}", path.display());
    }
    println!("changes of orders: {read} files");
    if read == 0 {
        did_not_run("no file of WAYFARE_RECORDINGS has a change of an order");
    }
}
