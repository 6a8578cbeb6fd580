//! Every call to TripJack with every fault: how it ends, and that nothing is sent again.

use crate::answers::{ending, finding, order_to_cancel};
use crate::faults::{row, told};
use crate::lookups::{by_id, by_reference};
use crate::tripjack_acts::*;
use crate::tripjack_bodies::*;
use crate::tripjack_changes;
use serde_json::json;
use wayfare_domain::OrderStatus;
use wayfare_flights::{FlightSupplier, OrderMode};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::AfterSales;

/// What is asked: an order, by whether it is paid, cancellations of a hold (`release`) and of a paid order (`amend`), and
/// reissues, from the question for them to their look-up.
const CALLS: &str = "search price rules book find ticket paid quote release amend released amended reissues flights ready reissue reissued";

fn faults() -> Vec<(&'static str, Reply)> {
    let error = |status, text: &str| error(status, "1", &format!("{text} {KEY}"));
    vec![
        ("500", reply(500, error(500, "Internal"))),
        ("500 in 200", reply(200, error(500, "Internal"))),
        ("502 of a gateway", reply(502, "<h1>Error</h1>")),
        ("504 of a gateway", reply(504, "<h1>slow</h1>")),
        ("400 not found", reply(400, error(400, "Order not found"))),
        ("404 no such booking", reply(404, error(404, "No such booking"))),
        ("404 of something else", reply(404, error(404, "User not found"))),
        ("400 who knows", reply(400, error(400, "Who knows"))),
        ("400 expired", reply(400, error(400, "Session is expired"))),
        ("200 fare has changed", reply(200, error(400, "Fare has changed"))),
        ("400 exists already", reply(400, error(400, "Booking already exists"))),
        ("200 duplicate", reply(200, error(400, "Duplicate request"))),
        ("400 in other words", reply(400, format!("<h1>{KEY}</h1>"))),
        ("404 in other words", reply(404, "")),
        ("401", reply(401, "")),
        ("403", reply(403, error(403, "Your address is not allowed"))),
        ("403 in 200", reply(200, error(403, "Access denied"))),
        ("429", reply(429, "")),
        ("429 in 200", reply(200, error(429, "Slower"))),
        ("302", reply(302, "")),
        ("200 and nothing", reply(200, "")),
        ("200 without fields", reply(200, "{}")),
        ("200 with its status only", reply(200, json!({"status": {"success": true}}).to_string())),
        ("200 that breaks off", reply(200, acknowledged().replace('}', ""))),
        ("200 in other words", reply(200, "<h1>no</h1>")),
        ("200 that is cut", Reply::Cut(200, acknowledged())),
        ("a cut connection", Reply::Hang),
        ("silence", Reply::Silence),
    ]
}

/// What is answered before the call that matters.
fn before(call: &str) -> Vec<Reply> {
    match call {
        "ticket" => vec![ok(&held()), taken()],
        "quote" => vec![ok(&order("SUCCESS"))],
        "release" => vec![ok(&held())],
        "reissues" => vec![ok(&reissuable())],
        "flights" => vec![ok(&reissuable()), ok(&json!({"requestIds": ["7"]}))],
        _ => Vec::new(),
    }
}

async fn end(call: &str, stub: &StubServer) -> &'static str {
    let tripjack = tripjack(&stub.base_url);
    let (request, hold) = (booking(OrderMode::Instant), booking(OrderMode::Hold));
    let offers = offers(&json!({"ONWARD": [trip(&[flight("1", "DEL", "BOM", 1, 0)], &[fare("p1")])]}));
    let confirmed = OrderStatus::Confirmed;
    match call {
        "search" => told(KEY, tripjack.search(&both_ways()).await, ending),
        "price" => told(KEY, tripjack.price(&["p1"], PARTY).await, ending),
        "rules" => told(KEY, tripjack.fare_rules(&offers.offers[0], None).await, ending),
        "book" => told(KEY, tripjack.book(&request).await, ending),
        "find" => told(KEY, tripjack.find(by_reference(&request)).await, finding),
        "ticket" => told(KEY, tripjack.ticket("TJS1", &hold, inr("11501.35")).await, ending),
        "paid" => told(KEY, tripjack.find_ticketed("TJS1", &hold).await, finding),
        "quote" => told(KEY, tripjack.quote_cancellation(order_to_cancel("TJS1", confirmed)).await, ending),
        "release" => told(KEY, tripjack.cancel("TJS1", "release", None, None).await, ending),
        "amend" => told(KEY, tripjack.cancel("TJS1", "amendment", None, None).await, ending),
        "released" => told(KEY, tripjack.find_cancellation("TJS1", "release", None).await, ending),
        "reissues" | "flights" => {
            let wanted = [tripjack_changes::wanted(0)];
            told(KEY, tripjack.change_offers("TJS1", &request, &wanted).await, ending)
        }
        "ready" => told(KEY, tripjack.prepare_change(by_id("TJS1", &request), "r1").await, ending),
        "reissue" => told(
            KEY,
            tripjack.confirm_change(by_id("TJS1", &request), &tripjack_changes::ready("3450")).await,
            ending,
        ),
        "reissued" => told(KEY, tripjack.find_pending_change("TJS2").await, ending),
        _ => told(KEY, tripjack.find_cancellation("TJS1", "AM1", None).await, ending),
    }
}

#[tokio::test]
async fn each_call_ends_with_each_fault_as_it_should_and_is_sent_once() {
    let mut lines = vec![row("", &CALLS.split(' ').collect::<Vec<_>>())];
    for (name, fault) in faults() {
        let mut ends = Vec::new();
        for call in CALLS.split(' ') {
            let stub = StubServer::start(before(call).into_iter().chain([fault.clone()])).await;
            ends.push(end(call, &stub).await);
            // An order may be looked at before and after.
            let mut sent = stub.lines();
            sent.retain(|line| line != DETAILS);
            let count = sent.len();
            sent.dedup();
            assert_eq!(sent.len(), count, "{call}, {name}: {:?}", stub.lines());
        }
        lines.push(row(name, &ends));
    }
    let nobody = StubServer::nobody().await;
    let mut ends = Vec::new();
    for call in CALLS.split(' ') {
        ends.push(end(call, &nobody).await);
    }
    lines.push(row("nobody listens", &ends));
    insta::assert_snapshot!("tripjack_faults", lines.join("\n"));
}
