//! Every call to Duffel with every fault: how it ends, and that nothing is sent again.

use std::collections::BTreeSet;

use crate::answers::{ending, finding, order_to_cancel};
use crate::duffel_added::{added, standing};
use crate::duffel_bodies::*;
use crate::duffel_changes::pending;
use crate::faults::{row, told};
use crate::lookups::as_named;
use futures_util::future::join_all;
use serde_json::json;
use wayfare_domain::OrderStatus;
use wayfare_flights::{FlightSupplier, OrderMode};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::AfterSales;

/// What is asked: an order by its id, by our reference (`list`), by whether it is paid or was added to; cancellations; and changes of
/// flights, as they are made ready, confirmed and looked for.
const CALLS: &str = "search price book find list ticket paid services add added quote cancel cancelled ready \
    confirm changed";

/// Duffel's errors, as its documentation has them.
const ERRORS: &str = "\
422 invalid_state_error offer_expired
422 airline_error offer_no_longer_available
422 validation_error offer_request_already_booked
422 validation_error not_found
404 invalid_request_error not_found
422 airline_error price_changed
422 validation_error payment_amount_does_not_match_order_amount
400 invalid_state_error invalid_order_create_type
422 invalid_state_error insufficient_balance
422 invalid_state_error already_cancelled
422 invalid_state_error order_cancellation_stale
422 validation_error validation_format
400 invalid_request_error missing_version_header
422 airline_error airline_unknown
422 airline_error airline_internal
409 airline_error duplicate_booking
500 api_error internal_server_error
504 api_error gateway_timeout_error
429 rate_limit_error rate_limit_exceeded
401 authentication_error access_token_not_found
403 authentication_error access_token_not_found";

fn faults() -> Vec<(String, Reply)> {
    let secret = format!("Because of {TOKEN}.");
    let errors = ERRORS.lines().map(|line| {
        let [status, kind, code] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let body = error(kind, code, &secret);
        (format!("{status} {code}"), reply(status.parse().unwrap(), body))
    });
    let others = [
        ("500", reply(500, "")),
        ("502 of a gateway", reply(502, "<h1>Error: Server Error</h1>")),
        ("429", reply(429, "")),
        ("302", reply(302, "")),
        ("401 without words", reply(401, "")),
        ("404 in other words", reply(404, "<h1>nobody</h1>")),
        ("422 in other words", reply(422, "<h1>no</h1>")),
        ("202", reply(202, answer(&json!({})))),
        ("200 without fields", reply(200, answer(&json!({"id": "ord_1"})))),
        ("200 without an id", reply(200, answer(&json!({"confirmed_at": null})))),
        ("200 that breaks off", reply(200, "{")),
        ("200 and nothing", reply(200, "")),
        ("200 that is cut", Reply::Cut(200, answer(&order()))),
        ("a cut connection", Reply::Hang),
        ("silence", Reply::Silence),
    ];
    let others = others.map(|(name, reply)| (name.to_owned(), reply));
    errors.chain(others).collect()
}

async fn end(call: &str, stub: &StubServer) -> &'static str {
    let duffel = duffel(stub);
    let (request, hold) = (booking(OrderMode::Instant), booking(OrderMode::Hold));
    let lookup = |order_id| as_named(order_id, &request);
    let confirmed = OrderStatus::Confirmed;
    match call {
        "search" => told(TOKEN, duffel.search(&query(&[("LHR", "EDI")])).await, ending),
        "price" => told(TOKEN, duffel.price(&["off_1"], PARTY).await, ending),
        "book" => told(TOKEN, duffel.book(&request).await, ending),
        "find" => told(TOKEN, duffel.find(lookup(Some("ord_1"))).await, finding),
        "list" => told(TOKEN, duffel.find(lookup(None)).await, finding),
        "ticket" => told(TOKEN, duffel.ticket("ord_1", &hold, gbp("130.30")).await, ending),
        "paid" => told(TOKEN, duffel.find_ticketed("ord_1", &hold).await, finding),
        "services" => told(TOKEN, duffel.services("ord_1", &request).await, ending),
        "add" => told(TOKEN, duffel.add_services("ord_1", &request, &added()).await, ending),
        "added" => told(TOKEN, duffel.find_added("ord_1", &request, &added()).await, finding),
        "quote" => told(TOKEN, duffel.quote_cancellation(order_to_cancel("ord_1", confirmed)).await, ending),
        "cancel" => told(TOKEN, duffel.cancel("ord_1", "ore_1", None, None).await, ending),
        "ready" => told(TOKEN, duffel.prepare_change(lookup(Some("ord_1")), "oco_1").await, ending),
        "confirm" => {
            told(TOKEN, duffel.confirm_change(lookup(Some("ord_1")), &pending("20.00")).await, ending)
        }
        "changed" => told(TOKEN, duffel.find_pending_change("oce_1").await, ending),
        _ => told(TOKEN, duffel.find_cancellation("ord_1", "ore_1", None).await, ending),
    }
}

#[tokio::test]
async fn each_call_ends_with_each_fault_as_it_should_and_is_sent_once() {
    let mut lines = vec![row("", &CALLS.split(' ').collect::<Vec<_>>())];
    for (name, fault) in faults() {
        let ends = join_all(CALLS.split(' ').map(async |call| {
            // Who adds looks at the order first.
            let before = (call == "add").then(standing);
            let stub = duffel_stub(before.into_iter().chain([fault.clone()])).await;
            let ended = end(call, &stub).await;
            let lines = stub.lines();
            let once: BTreeSet<&String> = lines.iter().collect();
            assert!(once.len() == lines.len() && !lines.is_empty(), "{call}, {name}: {lines:?}");
            ended
        }));
        let ends = ends.await;
        lines.push(row(&name, &ends));
    }
    let nobody = StubServer::nobody().await;
    let ends = join_all(CALLS.split(' ').map(|call| end(call, &nobody))).await;
    lines.push(row("nobody listens", &ends));
    insta::assert_snapshot!("duffel_faults", lines.join("\n"));
}
