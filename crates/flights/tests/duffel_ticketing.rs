//! Held orders paid at Duffel, and what is found out of a payment that nobody answered.

use std::time::Duration;

use crate::duffel_bodies::*;
use crate::lookups::as_named;
use crate::sandboxed::{LASTS, Stage};
use serde_json::{Value, json};
use wayfare_domain::{OrderStatus, TicketStatus};
use wayfare_flights::{FlightSupplier, OrderMode, OrderRequest, SupplierOrder};
use wayfare_stub_server::{Reply, StubServer};
use wayfare_supply::{Answer, Limits, Refusal, RefusalKind};

const HOUR: i64 = 3600;

/// A sandbox, and an order that is held there.
async fn held() -> (Stage, (OrderRequest, SupplierOrder)) {
    let stage = Stage::open(Limits::default()).await;
    let held = stage.held().await;
    (stage, held)
}

async fn pay(stage: &Stage, held: &(OrderRequest, SupplierOrder)) -> Answer<SupplierOrder> {
    let (request, order) = held;
    stage.duffel.ticket(&order.id, request, order.total).await
}

async fn look(stage: &Stage, held: &(OrderRequest, SupplierOrder)) -> Answer<Option<SupplierOrder>> {
    stage.duffel.find_ticketed(&held.1.id, &held.0).await
}

/// That the order is paid once, and each traveller has a ticket.
async fn is_ticketed(stage: &Stage, order: &SupplierOrder) {
    assert_eq!(order.status, OrderStatus::Confirmed);
    let tickets: Vec<_> = order.tickets.iter().map(|ticket| ticket.traveller).collect();
    assert_eq!(tickets, [1, 2, 3, 4].map(Some));
    assert!(order.tickets.iter().all(|ticket| ticket.status == TicketStatus::Issued));
    assert_eq!(stage.orders().await, ["confirmed"]);
    assert_eq!(stage.payments(&order.id).await, 1);
}

#[tokio::test]
async fn a_held_order_is_ticketed_when_it_is_paid_and_paid_once_however_often_it_is_asked_for() {
    let (stage, held) = held().await;
    assert_eq!((held.1.status, held.1.tickets.len()), (OrderStatus::Held, 0));
    assert_eq!(done(look(&stage, &held).await), None);

    let paid = done(pay(&stage, &held).await);
    assert_eq!((&paid.id, paid.total), (&held.1.id, held.1.total));
    is_ticketed(&stage, &paid).await;
    assert_eq!(done(look(&stage, &held).await), Some(paid.clone()));
    assert_eq!(done(pay(&stage, &held).await), paid);
    is_ticketed(&stage, &paid).await;
}

#[tokio::test]
async fn an_order_that_was_bought_at_once_is_ticketed_already() {
    let stage = Stage::open(Limits::default()).await;
    let bought = stage.booked(("DEL", "BOM"), OrderMode::Instant).await;
    is_ticketed(&stage, &done(pay(&stage, &bought).await)).await;
}

#[tokio::test]
async fn a_payment_that_nobody_took_is_unknown_and_found_not_to_be_there() {
    let (stage, held) = held().await;
    for fault in ["status:500", "status:502", "broken_json", "drop_before"] {
        stage.next("ticket", fault, 1).await;
        is_unknown(pay(&stage, &held).await, fault);
        assert_eq!(stage.waiting().await, 0, "{fault}");
        assert_eq!(done(look(&stage, &held).await), None, "{fault}");
        assert_eq!(stage.orders().await, ["held"], "{fault}");
    }
    is_ticketed(&stage, &done(pay(&stage, &held).await)).await;
}

#[tokio::test]
async fn a_payment_that_was_taken_without_an_answer_is_found() {
    for fault in ["drop_after", LASTS] {
        let (stage, held) = held().await;
        stage.next("ticket", fault, 1).await;
        is_unknown(pay(&stage, &held).await, fault);
        stage.all_is_well().await;
        while stage.orders().await != ["confirmed"] {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let found = done(look(&stage, &held).await).unwrap();
        is_ticketed(&stage, &found).await;
    }
}

#[tokio::test]
async fn a_payment_that_comes_late_is_not_there_yet() {
    let (stage, held) = held().await;
    stage.next("ticket", LASTS, 1).await;
    is_unknown(pay(&stage, &held).await, "slow");
    assert_eq!(done(look(&stage, &held).await), None, "which is no proof yet");
    stage.all_is_well().await;
    while stage.orders().await != ["confirmed"] {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    is_ticketed(&stage, &done(look(&stage, &held).await).unwrap()).await;
}

#[tokio::test]
async fn an_order_that_is_paid_and_cannot_be_read_is_unknown_and_never_refused() {
    for fault in
        ["status:500", "status:404", "status:422", "status:401", "broken_json", "drop_before", "rate_limited"]
    {
        let (stage, held) = held().await;
        stage.next("lookup", fault, 1).await;
        is_unknown(pay(&stage, &held).await, fault);
        stage.pass(1);
        is_ticketed(&stage, &done(look(&stage, &held).await).unwrap()).await;
    }
}

#[tokio::test]
async fn a_look_up_that_fails_decides_nothing() {
    let (stage, held) = held().await;
    for fault in ["status:500", "status:404", "status:422", "broken_json", "drop_after"] {
        stage.next("lookup", fault, 1).await;
        is_unknown(look(&stage, &held).await, fault);
    }
    stage.next("lookup", "rate_limited", 1).await;
    assert!(matches!(look(&stage, &held).await, Answer::Unavailable(_)));
    stage.pass(1);
    assert_eq!(done(look(&stage, &held).await), None);
}

#[tokio::test]
async fn a_supplier_that_turns_the_payment_away_took_nothing() {
    let (stage, held) = held().await;
    stage.next("ticket", "rate_limited", 1).await;
    let Answer::Unavailable(outage) = pay(&stage, &held).await else { panic!() };
    assert_eq!(outage.retry_after, Some(Duration::from_secs(1)));
    stage.pass(1);
    stage.next("ticket", "status:403", 1).await;
    assert!(matches!(pay(&stage, &held).await, Answer::Unavailable(_)));
    stage.next("ticket", "status:422", 1).await;
    assert!(matches!(pay(&stage, &held).await, Answer::Refused(_)));
    assert_eq!(stage.orders().await, ["held"]);
}

#[tokio::test]
async fn another_price_than_the_orders_is_not_paid() {
    let (stage, (request, mut order)) = held().await;
    let total = order.total;
    order.total = total.plus(total).unwrap();
    let held = (request, order);
    is_refused_at_its_price(pay(&stage, &held).await, "twice the price");
    // The price is kept for two days, and may have moved since.
    stage.pass(49 * HOUR);
    let (request, order) = held;
    let held = (request, SupplierOrder { total, ..order });
    is_refused_at_its_price(pay(&stage, &held).await, "after two days");
    assert_eq!(done(look(&stage, &held).await), None);
    assert_eq!(stage.orders().await, ["held"]);
}

#[tokio::test]
async fn an_order_that_nobody_paid_in_time_is_refused_and_not_ticketed() {
    let (stage, held) = held().await;
    stage.pass(72 * HOUR);
    let Answer::Refused(refusal) = pay(&stage, &held).await else { panic!() };
    assert!(refusal.text.contains("payment_required_by"), "{}", refusal.text);
    assert_eq!(done(look(&stage, &held).await), None);
    let lapsed = done(stage.duffel.find(as_named(Some(&held.1.id), &held.0)).await).unwrap();
    assert_eq!((lapsed.status, lapsed.tickets.len()), (OrderStatus::Cancelled, 0));
}

/// After the price's guarantee Duffel takes money only for an order that was priced again.
#[tokio::test]
async fn a_price_that_is_guaranteed_no_more_is_asked_for_and_paid_if_it_is_the_same() {
    let (stage, held) = held().await;
    stage.pass(49 * HOUR);
    stage.next("price", "price_changed:0", 1).await;
    is_ticketed(&stage, &done(pay(&stage, &held).await)).await;
}

#[tokio::test]
async fn what_costs_something_else_after_its_guarantee_is_refused_and_shows_what_it_costs() {
    for (fault, is_dearer) in [("price_changed:3.5", true), ("price_changed:-2", false)] {
        let (stage, held) = held().await;
        stage.pass(49 * HOUR);
        stage.next("price", fault, 1).await;
        is_refused_at_its_price(pay(&stage, &held).await, fault);
        assert_eq!(stage.payments(&held.1.id).await, 0, "{fault}");
        let shown = done(stage.duffel.find(as_named(Some(&held.1.id), &held.0)).await).unwrap();
        assert_eq!(shown.total.amount() > held.1.total.amount(), is_dearer, "{fault}");
    }
}

#[tokio::test]
async fn a_price_that_is_not_answered_leaves_the_order_unpaid() {
    let (stage, held) = held().await;
    stage.pass(49 * HOUR);
    for fault in ["status:500", "status:422", "broken_json", "sold_out", "drop_before", "drop_after"] {
        stage.next("price", fault, 1).await;
        is_refused_at_its_price(pay(&stage, &held).await, fault);
        assert_eq!(stage.waiting().await, 0, "{fault}");
        assert_eq!(stage.payments(&held.1.id).await, 0, "{fault}");
    }
    // It was priced at last, at another price, and nobody heard it.
    is_refused_at_its_price(pay(&stage, &held).await, "priced");
}

fn is_refused_at_its_price(answer: Answer<SupplierOrder>, when: &str) {
    let Answer::Refused(refusal) = answer else { panic!("{when}: {answer:?}") };
    assert_eq!(refusal.kind, RefusalKind::PriceChanged, "{when}: {}", refusal.text);
}

// What the sandbox never says, from a far end of our own.

fn reply(status: u16, data: &Value) -> Reply {
    Reply::Whole(status, answer(data))
}

fn payment(status: &str) -> Value {
    json!({"id": "pay_1", "status": status, "amount": "130.30", "currency": "GBP", "failure_reason": null})
}

fn held_order() -> Value {
    let unpaid = json!({
        "awaiting_payment": true, "payment_required_by": "2026-03-03T12:00:00Z",
        "price_guarantee_expires_at": null, "paid_at": null,
    });
    with(order(), &[("/payment_status", unpaid), ("/documents", json!([]))])
}

async fn ticket(stub: &StubServer) -> Answer<SupplierOrder> {
    let request = booking(OrderMode::Hold);
    duffel(stub).ticket("ord_1", &request, gbp("130.30")).await
}

async fn find_ticketed(stub: &StubServer) -> Answer<Option<SupplierOrder>> {
    duffel(stub).find_ticketed("ord_1", &booking(OrderMode::Hold)).await
}

#[tokio::test]
async fn the_orders_total_is_paid_from_the_balance_and_the_order_is_read() {
    for paid in [payment("succeeded"), json!({"id": "pay_1", "amount": "130.30"})] {
        let stub = duffel_stub([reply(201, &paid), reply(200, &order())]).await;
        assert_eq!(done(ticket(&stub).await).status, OrderStatus::Confirmed);
        assert_eq!(stub.lines(), ["POST /air/payments", "GET /air/orders/ord_1"]);
        let payment = json!({"type": "balance", "amount": "130.30", "currency": "GBP"});
        assert_eq!(stub.requests()[0].body, json!({"data": {"order_id": "ord_1", "payment": payment}}));
    }
}

/// A payment of the second call that nobody answers is unknown, as of the first.
#[tokio::test]
async fn a_price_is_asked_for_as_it_will_be_paid() {
    let stale = || Reply::Whole(422, error("invalid_request_error", "price_changed", "It has changed."));
    let stub = duffel_stub([stale(), reply(200, &order()), Reply::Hang]).await;
    is_unknown(ticket(&stub).await, "paid without an answer");
    let lines = ["POST /air/payments", "POST /air/orders/ord_1/actions/price", "POST /air/payments"];
    assert_eq!(stub.lines(), lines);
    assert_eq!(stub.requests()[1].body, json!({"data": {"intended_payment_methods": [{"type": "balance"}]}}));
}

#[tokio::test]
async fn a_payment_means_what_its_status_says() {
    let failed = |reason: Value| with(payment("failed"), &[("/failure_reason", reason)]);
    let refused = |text: &str| Some(Answer::Refused(Refusal::new(text)));
    for (body, expected) in [
        (failed(json!("insufficient_balance")), refused("insufficient_balance")),
        (failed(Value::Null), refused("the payment failed")),
        (payment("cancelled"), refused("the payment failed")),
        (payment("pending"), None),
        (payment("perhaps"), None),
    ] {
        let stub = duffel_stub([reply(201, &body)]).await;
        match expected {
            Some(expected) => assert_eq!(ticket(&stub).await, expected),
            None => is_unknown(ticket(&stub).await, body.to_string()),
        }
        assert_eq!(stub.requests().len(), 1, "{body}");
    }
}

#[tokio::test]
async fn what_is_paid_already_is_told_as_the_order_tells_it() {
    for code in ["already_paid", "order_type_not_eligible_for_payment"] {
        let refused = || Reply::Whole(422, error("invalid_state_error", code, "No."));
        let stub = duffel_stub([refused(), reply(200, &order())]).await;
        assert_eq!(done(ticket(&stub).await).tickets.len(), 4);
        let stub = duffel_stub([refused(), reply(200, &held_order())]).await;
        is_unknown(ticket(&stub).await, code);
    }
}

#[tokio::test]
async fn that_nothing_is_paid_takes_an_unpaid_order_and_no_payment_under_way() {
    let refused = || Reply::Whole(404, error("invalid_request_error", "not_found", "No such thing."));
    for (payments, expected) in [
        (reply(200, &json!([])), Some(None)),
        (reply(200, &json!([payment("failed"), payment("cancelled")])), Some(None)),
        (reply(200, &json!([payment("failed"), payment("pending")])), None),
        (reply(200, &json!([payment("succeeded")])), None),
        (reply(200, &json!([payment("perhaps")])), None),
        (refused(), None),
        (Reply::Hang, None),
    ] {
        let when = format!("{payments:?}");
        let stub = duffel_stub([reply(200, &held_order()), payments]).await;
        match expected {
            Some(expected) => assert_eq!(done(find_ticketed(&stub).await), expected, "{when}"),
            None => is_unknown(find_ticketed(&stub).await, &when),
        }
        let asked = &stub.requests()[1].line;
        assert_eq!(asked, "GET /air/payments?order_id=ord_1&limit=200");
    }
    let gone = duffel_stub([refused()]).await;
    is_unknown(find_ticketed(&gone).await, "an order that is not found");
}

#[tokio::test]
async fn an_id_that_is_none_is_not_sent() {
    let stub = duffel_stub([]).await;
    let request = booking(OrderMode::Hold);
    let answer = duffel(&stub).ticket("../payments", &request, gbp("130.30")).await;
    assert_eq!(answer, Answer::Refused(Refusal::new("there is no such order")));
    assert!(stub.requests().is_empty());
}
