//! Answers in Duffel's words, our own and recorded ones, spoiled: bad input never panics.

use std::sync::LazyLock;

use crate::duffel_bodies::sold::*;
use crate::duffel_bodies::{booking, flight, offer};
use crate::recorded::*;
use serde_json::{Value, json};
use wayfare_flights::duffel::{added_services, read};
use wayfare_flights::{OrderMode, SupplierOrder};
use wayfare_stub_server::spoiling::*;

static MEMORY: LazyLock<Value> = LazyLock::new(|| booking(OrderMode::Instant).supplier_context);
static SERVICES: LazyLock<Vec<u8>> = LazyLock::new(|| bytes(&json!({"data": services()})));
static STANDING: LazyLock<SupplierOrder> = LazyLock::new(|| {
    let order = bytes(&json!({"data": order_with(&[], "130.30")}));
    read::order(&order, &[], now()).unwrap()
});

fn readers(body: &[u8], tally: &mut Tally) {
    tally.note(read::search(body, true));
    tally.note(read::search(body, false));
    tally.note(read::offer(body, None, true));
    let well = bytes(&json!({"data": offer("off_1", &[flight("LHR", "EDI")])}));
    // Spoiled seats cost nothing but seats.
    read::offer(&well, Some(body), true).unwrap();
    let order = read::order(body, &[("pas_1", 1), ("pas_2", 2)], now());
    if let Ok(order) = &order {
        tally.note(added_services::services(&SERVICES, order, &MEMORY));
    }
    tally.note(order);
    tally.note(added_services::services(body, &STANDING, &MEMORY));
    tally.note(
        read::orders(body)
            .inspect(|page| assert!(page.with_reference("FA-1").is_none() || page.reaches(now()))),
    );
    tally.note(read::cancellation(body));
    tally.note(read::cancellations(body));
    tally.note(read::accepted(body));
    tally.note(read::change_offers(body));
    tally.note(read::pending_change(body));
}

/// A request for other flights, and what was made ready of one of its offers.
fn changes() -> [Value; 2] {
    let amounts = json!({
        "id": "oco_1", "change_total_amount": "20.00", "change_total_currency": "GBP",
        "penalty_total_amount": "15.00", "penalty_total_currency": "GBP", "refund_to": null,
        "expires_at": "2026-03-01T12:30:00Z", "confirmed_at": null,
    });
    let mut offered = amounts.clone();
    offered["slices"] = json!({"remove": [], "add": [{"segments": [flight("LHR", "EDI")]}]});
    [json!({"order_change_offers": [offered]}), amounts]
}

/// What an order still sells.
fn services() -> [Value; 2] {
    [
        service("aso_1", &["pas_1"], &["seg_1"], "20.00", &json!({})),
        service("aso_2", &["pas_2", "pas_3"], &["seg_2", "seg_3"], "9.50", &json!({"type": "meal"})),
    ]
}

/// An order with services, of which its airline has changed a flight.
fn changed_order() -> Value {
    let mut order = order_with(&[bag_on("ser_1", "pas_1", "seg_1", 1)], "150.30");
    let slice = json!({"segments": [flight("LHR", "EDI")]});
    order["airline_initiated_changes"] = json!([{
        "id": "aic_1", "created_at": "2026-03-01T12:20:00Z", "action_taken": null,
        "available_actions": ["accept"], "removed": [slice], "added": [slice],
    }]);
    order
}

/// Our own answers and, where they are present, recorded ones, in every envelope that there is.
fn bodies() -> Vec<Value> {
    let own =
        [offer("off_1", &[flight("LHR", "EDI"), flight("EDI", "LHR")]), changed_order(), json!(services())];
    let own = own.into_iter().chain(changes());
    let names = SEARCHES
        .into_iter()
        .chain(OFFERS)
        .chain(SEAT_MAPS)
        .chain(ORDERS)
        .chain(CANCELLATIONS)
        .chain(ORDER_SERVICES);
    let bodies = own.chain(names.filter_map(data)).flat_map(|value| {
        [
            json!({"data": value}),
            json!({"data": {"offers": [value]}}),
            json!({"data": [value], "meta": {"after": "x"}}),
        ]
    });
    bodies.filter(|body| bytes(body).len() < 40_000).collect()
}

#[test]
fn spoiled_bodies_are_errors_or_answers_and_never_panics() {
    with_spoiled_bytes(&bodies(), 4_000, readers);
}

#[test]
fn strange_values_in_any_field_are_errors_or_answers_and_never_panics() {
    with_strange_values(&bodies(), 2_000, readers);
}
