//! Orders looked for and given back at Duffel.

use crate::answers::order_to_cancel;
use crate::duffel_bodies::*;
use crate::lookups::as_named;
use serde_json::{Value, json};
use wayfare_domain::OrderStatus;
use wayfare_flights::{FlightSupplier, OrderMode, SupplierOrder};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{AfterSales, Answer, CancellationQuote, CancellationState, Refusal};

fn not_found() -> Reply {
    reply(404, error("invalid_request_error", "not_found", "No such thing."))
}

async fn find(stub: &StubServer, order_id: Option<&str>) -> Answer<Option<SupplierOrder>> {
    duffel(stub).find(as_named(order_id, &booking(OrderMode::Instant))).await
}

/// A page of orders, each made at a minute of the test's hour with some reference.
fn page(orders: &[(&str, &str)], after: Option<&str>) -> Reply {
    let orders: Vec<Value> = orders
        .iter()
        .map(|(made_at, reference)| {
            let changes = [
                ("/created_at", json!(format!("2026-03-01T{made_at}:00Z"))),
                ("/metadata", json!({"reference": reference})),
            ];
            with(order(), &changes)
        })
        .collect();
    reply(200, json!({"data": orders, "meta": {"after": after, "limit": 200}}).to_string())
}

#[tokio::test]
async fn an_order_is_found_by_its_id() {
    let stub = duffel_stub([reply(200, answer(&order()))]).await;
    let Answer::Done(Some(found)) = find(&stub, Some("ord_1")).await else { panic!() };
    assert_eq!((found.id.as_str(), found.tickets.len()), ("ord_1", 4));
    assert_eq!(stub.only().line, "GET /air/orders/ord_1");
    assert_eq!(find(&duffel_stub([not_found()]).await, Some("ord_1")).await, Answer::Done(None));
}

#[tokio::test]
async fn an_order_of_another_booking_is_not_found_by_its_id() {
    let foreign = with(order(), &[("/metadata/reference", json!("FA-OTHERONE-1"))]);
    let stub = duffel_stub([reply(200, answer(&foreign))]).await;
    let Answer::Unknown(reason) = find(&stub, Some("ord_1")).await else { panic!() };
    assert_eq!(reason, "order ord_1 belongs to FA-OTHERONE-1");
    // Somebody who knows says that it is ours, and nothing speaks against it.
    let unnamed = with(order(), &[("/metadata", json!({}))]);
    let stub = duffel_stub([reply(200, answer(&unnamed))]).await;
    assert!(matches!(find(&stub, Some("ord_1")).await, Answer::Done(Some(_))));
}

#[tokio::test]
async fn ids_that_are_none_are_not_sent() {
    let stub = duffel_stub([]).await;
    assert!(matches!(find(&stub, Some("ord/1")).await, Answer::Unknown(_)));
    let refused = Answer::Refused(Refusal::new("there is no such cancellation"));
    assert_eq!(duffel(&stub).cancel("ord_1", "../x", None, None).await, refused);
    assert!(stub.requests().is_empty());
}

#[tokio::test]
async fn an_order_without_an_id_is_found_by_our_reference_among_the_travellers_orders() {
    let ours = "FA-7K2M9Q4X-1";
    let stub = duffel_stub([
        page(&[("12:09", "FA-7K2M9Q4X-2"), ("12:08", "FA-7K2M9Q4X-11")], Some("next")),
        page(&[("12:07", "FA-7K2M9Q4X"), ("12:06", ours)], Some("more")),
    ])
    .await;
    let Answer::Done(Some(found)) = find(&stub, None).await else { panic!() };
    assert_eq!(found.raw.tree()["metadata"]["reference"], ours);
    let list = "GET /air/orders?limit=200&sort=-created_at";
    let named = format!("{list}&passenger_name%5B%5D=Rao");
    assert_eq!(stub.lines(), [named.clone(), format!("{named}&after=next")]);
}

#[tokio::test]
async fn that_there_is_no_order_is_only_believed_after_a_look_at_all_since_the_offer() {
    // The filter by name may compare otherwise than we think.
    let stub = duffel_stub([page(&[], None), page(&[("12:06", "FA-7K2M9Q4X-1")], None)]).await;
    assert!(matches!(find(&stub, None).await, Answer::Done(Some(_))));
    let stub = duffel_stub([page(&[], None), page(&[("12:06", "FA-OTHER-1")], None)]).await;
    assert_eq!(find(&stub, None).await, Answer::Done(None));
    // The offer is of 11:50, so that no order of it stands after one of 11:49.
    let older = || page(&[("12:06", "FA-OTHER-1"), ("11:49", "FA-OTHER-2")], Some("older"));
    let stub = duffel_stub([older(), older()]).await;
    assert_eq!(find(&stub, None).await, Answer::Done(None));
    assert_eq!(stub.requests().len(), 2);
    // A list that is not newest first proves nothing until its end.
    let mixed =
        || page(&[("11:40", "FA-OTHER-1"), ("12:06", "FA-OTHER-2"), ("11:49", "FA-OTHER-3")], Some("x"));
    let stub = duffel_stub([page(&[], None), mixed(), page(&[("12:05", "FA-7K2M9Q4X-1")], None)]).await;
    assert!(matches!(find(&stub, None).await, Answer::Done(Some(_))));
}

#[tokio::test]
async fn a_list_without_end_is_given_up_as_unknown() {
    let newer = || page(&[("12:06", "FA-OTHER-1")], Some("more"));
    let stub = duffel_stub(std::iter::repeat_with(newer).take(9)).await;
    assert!(matches!(find(&stub, None).await, Answer::Unknown(_)));
    assert_eq!(stub.requests().len(), 5);
}

fn cancellation(confirmed_at: Option<&str>, refund: Option<&str>, refund_to: &str) -> Value {
    json!({
        "id": "ore_1", "order_id": "ord_1", "expires_at": "2026-03-01T13:00:00Z", "confirmed_at": confirmed_at,
        "refund_amount": refund, "refund_currency": "GBP", "refund_to": refund_to,
    })
}

fn quote(raw: Value, refund: Option<&str>, confirmed: bool) -> Answer<CancellationQuote> {
    let state = if confirmed { CancellationState::Confirmed } else { CancellationState::Pending };
    Answer::Done(CancellationQuote {
        expires_at: "2026-03-01T13:00:00Z".parse().ok(),
        ..CancellationQuote::of("ore_1", refund.map(gbp), state, raw)
    })
}

async fn quoted(stub: &StubServer) -> Answer<CancellationQuote> {
    duffel(stub).quote_cancellation(order_to_cancel("ord_1", OrderStatus::Confirmed)).await
}

#[tokio::test]
async fn a_cancellation_is_quoted_carried_out_and_looked_for() {
    let pending = cancellation(None, Some("90.80"), "balance");
    let carried_out = cancellation(Some("2026-03-01T12:01:00Z"), Some("90.80"), "balance");
    let bodies = [(201, &pending), (200, &carried_out), (200, &carried_out)];
    let stub = duffel_stub(bodies.map(|(status, body)| reply(status, answer(body)))).await;
    let duffel = duffel(&stub);
    assert_eq!(quoted(&stub).await, quote(pending, Some("90.80"), false));
    let over = quote(carried_out, Some("90.80"), true);
    assert_eq!(duffel.cancel("ord_1", "ore_1", None, None).await, over);
    assert_eq!(duffel.find_cancellation("ord_1", "ore_1", None).await, over);
    assert_eq!(
        stub.lines(),
        [
            "POST /air/order_cancellations",
            "POST /air/order_cancellations/ore_1/actions/confirm",
            "GET /air/order_cancellations/ore_1",
        ]
    );
    assert_eq!(stub.requests()[0].body, json!({"data": {"order_id": "ord_1"}}));
}

#[tokio::test]
async fn only_money_is_a_refund() {
    for (refund, refund_to, expected) in [
        (Some("90.80"), "balance", Some("90.80")),
        (Some("0.00"), "awaiting_payment", Some("0.00")),
        (Some("90.80"), "airline_credits", Some("0.00")),
        (Some("90.80"), "voucher", Some("0.00")),
        (None, "balance", None),
    ] {
        let body = cancellation(None, refund, refund_to);
        let stub = duffel_stub([reply(201, answer(&body))]).await;
        assert_eq!(quoted(&stub).await, quote(body, expected, false));
    }
}

/// What a quote says of its refund that nobody can read is handed on: it can be confirmed all the same where it has an id.
#[tokio::test]
async fn a_quote_whose_refund_cannot_be_read_is_a_quote_all_the_same() {
    let with = |name: &str, value: Value| {
        let mut body = cancellation(None, Some("90.80"), "balance");
        body[name] = value;
        answer(&body)
    };
    for (body, id) in [
        (with("refund_amount", json!("soon")), "ore_1"),
        (with("refund_amount", json!("-1.00")), "ore_1"),
        (with("refund_amount", json!({})), "ore_1"),
        (with("refund_currency", json!(null)), "ore_1"),
        (with("refund_currency", json!("XAU")), "ore_1"),
        (with("id", json!(7)), ""),
        (with("id", json!("../ore_1")), ""),
        ("<html>".to_owned(), ""),
        (String::new(), ""),
    ] {
        let stub = duffel_stub([reply(201, body.clone())]).await;
        let Answer::Done(quote) = quoted(&stub).await else { panic!("{body}") };
        if body.contains("../") {
            // It can be read, and goes into no path.
            let refused = Answer::Refused(Refusal::new("there is no such cancellation"));
            assert_eq!(duffel(&stub).cancel("ord_1", &quote.id, None, None).await, refused);
            continue;
        }
        assert_eq!((quote.id.as_str(), quote.refund), (id, None), "{body}");
        assert!(quote.unclear.is_some(), "{body}");
    }
    // Until when it may be confirmed says nothing of how much comes back.
    let stub = duffel_stub([reply(201, with("expires_at", json!("soon")))]).await;
    let quote = done(quoted(&stub).await);
    assert!(quote.refund.is_some() && quote.unclear.is_none(), "{quote:?}");
    assert_eq!(quote.expires_at, None);
    // That it was carried out is not hidden by it.
    let mut carried_out = cancellation(Some("2026-03-01T12:01:00Z"), Some("90.80"), "balance");
    carried_out["refund_amount"] = json!("soon");
    let stub = duffel_stub([reply(200, answer(&carried_out))]).await;
    let found = done(duffel(&stub).find_cancellation("ord_1", "ore_1", None).await);
    assert_eq!((found.state, found.refund), (CancellationState::Confirmed, None));
}

/// What is rounded by more than a float leaves behind is counted, and only that.
#[tokio::test]
async fn what_is_lost_of_a_refund_is_counted() {
    for (amount, refund, lost) in [
        ("90.80", "90.80", 0),
        ("90.800", "90.80", 0),
        ("90.8000000000001", "90.80", 0),
        ("9.08e1", "90.80", 0),
        ("90.805", "90.81", 1),
    ] {
        let body = cancellation(None, Some(amount), "balance");
        let stub = duffel_stub([reply(201, answer(&body))]).await;
        let duffel = duffel(&stub);
        let order = order_to_cancel("ord_1", OrderStatus::Confirmed);
        assert_eq!(duffel.quote_cancellation(order).await, quote(body, Some(refund), false));
        let losses = duffel.metrics().losses;
        assert_eq!(losses.len(), lost, "{losses:?}");
    }
}
