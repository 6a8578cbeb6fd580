//! Services for an order that stands at Duffel, and what airlines change of it: what is sent, and what each answer means.

use crate::answers::{ending, refused};
use crate::brief;
use crate::duffel_bodies::sold::*;
use crate::duffel_bodies::*;
use serde_json::{Value, json};
use wayfare_flights::duffel::{added_services, read};
use wayfare_flights::{
    AddedServices, AncillaryChoice, FlightSupplier, OrderMode, SoldServices, SupplierOrder,
};
use wayfare_stub_server::{Reply, StubServer, reply};
use wayfare_supply::{Answer, Refusal, RefusalKind};

/// What the order sells: bags for both adults on the first flight, a seat and a meal on the last.
fn list() -> Value {
    let seat = json!({"type": "seat", "maximum_quantity": 1, "metadata": {"designator": "7C", "name": null}});
    let meal = json!({"type": "meal", "maximum_quantity": 1, "metadata": null});
    json!([
        service("aso_1", &["pas_1"], &["seg_1"], "20.00", &json!({})),
        service("aso_2", &["pas_2"], &["seg_1"], "20.00", &json!({})),
        service("aso_3", &["pas_2"], &["seg_3"], "9.50", &seat),
        service("aso_4", &["pas_2"], &["seg_3"], "6.00", &meal),
        service("euro", &["pas_2"], &["seg_3"], "6.00", &json!({"total_currency": "EUR"})),
        service("lost", &["pas_2"], &["seg_9"], "6.00", &json!({})),
    ])
}

/// The order before: a bag of the first adult's is on it.
fn before() -> [Value; 1] {
    [bag_on("ser_0", "pas_1", "seg_1", 1)]
}

fn sold() -> SoldServices {
    let order = json!({"data": order_with(&before(), "150.30")}).to_string();
    let order = read::order(order.as_bytes(), &[], clock().now()).unwrap();
    let supplier_context = booking(OrderMode::Instant).supplier_context;
    added_services::services(answer(&list()).as_bytes(), &order, &supplier_context).unwrap()
}

/// Two bags and the seat for the second adult.
pub fn added() -> AddedServices {
    let sold = sold();
    let extra = |place: usize, quantity: u32, words: &str| AncillaryChoice {
        traveller: 2,
        ancillary: sold.ancillaries[place].clone(),
        quantity,
        wire_format: json!(words),
    };
    AddedServices {
        ancillaries: vec![extra(0, 2, "aso_2"), extra(1, 1, "aso_3")],
        supplier_context: sold.supplier_context.clone(),
        total: gbp("49.50"),
    }
}

fn seat_on(id: &str, passenger: &str) -> Value {
    let mut seat = bag_on(id, passenger, "seg_3", 1);
    seat["type"] = json!("seat");
    seat["metadata"] = json!({"designator": "7C", "name": null, "disclosures": []});
    seat
}

/// The order after: these beside what was on it.
fn after(new: &[Value]) -> Value {
    order_with(&[&before(), new].concat(), "199.80")
}

fn all_new() -> [Value; 2] {
    [bag_on("ser_1", "pas_2", "seg_1", 2), seat_on("ser_2", "pas_2")]
}

async fn add(stub: &StubServer) -> Answer<SupplierOrder> {
    duffel(stub).add_services("ord_1", &booking(OrderMode::Instant), &added()).await
}

async fn find(stub: &StubServer) -> Answer<Option<SupplierOrder>> {
    duffel(stub).find_added("ord_1", &booking(OrderMode::Instant), &added()).await
}

#[tokio::test]
async fn what_an_order_still_sells_is_told_by_the_places_of_its_flights() {
    let standing = order_with(&before(), "150.30");
    let stub = duffel_stub_with([reply(200, answer(&standing))], reply(200, answer(&list()))).await;
    let adapter = duffel(&stub);
    assert!(adapter.sells_services_later());
    let request = booking(OrderMode::Instant);
    let Answer::Done(told) = adapter.services("ord_1", &request).await else { panic!() };
    assert_eq!(told, sold());
    assert_eq!(stub.lines(), ["GET /air/orders/ord_1"]);
    assert_eq!(stub.side_requests()[0].line, "GET /air/orders/ord_1/available_services");
    let lines: Vec<String> = told.ancillaries.iter().map(brief::ancillary).collect();
    insta::assert_snapshot!("duffel_services_later", lines.join("\n"));
    let wanted: Vec<AncillaryChoice> =
        told.ancillaries[..2].iter().map(|ancillary| AncillaryChoice::new(2, ancillary.clone(), 1)).collect();
    let words = adapter.order_wire_format(
        &request.supplier_context,
        &told.ancillary_catalog,
        &request.travellers,
        &wanted,
    );
    assert_eq!(words, Ok(vec![json!("aso_2"), json!("aso_3")]));
}

#[tokio::test]
async fn nothing_is_sold_for_an_order_that_cannot_be_read() {
    let well = || reply(200, answer(&order_with(&[], "130.30")));
    let services = || reply(200, answer(&list()));
    let refusal = || reply(404, error("invalid_request_error", "not_found", "No such order."));
    let mut silent = order_with(&[], "130.30");
    silent.as_object_mut().unwrap().remove("services");
    let foreign = with(order_with(&[], "130.30"), &[("/metadata/reference", json!("FA-OTHERONE-1"))]);
    for (order, list, ends) in [
        (well(), refusal(), "refused"),
        (well(), reply(500, "oh"), "unknown"),
        (well(), reply(200, r#"{"data":{}}"#), "unknown"),
        (well(), Reply::Silence, "unknown"),
        (reply(200, answer(&silent)), services(), "unknown"),
        (reply(200, answer(&foreign)), services(), "unknown"),
    ] {
        let when = format!("{order:?} {list:?}");
        let stub = duffel_stub_with([order], list).await;
        let request = booking(OrderMode::Instant);
        assert_eq!(ending(&duffel(&stub).services("ord_1", &request).await), ends, "{when}");
    }
}

#[tokio::test]
async fn services_are_paid_for_where_the_order_is_and_not_while_it_is_held() {
    let services = json!([{"id": "aso_2", "quantity": 2}, {"id": "aso_3", "quantity": 1}]);
    let payment = json!({"type": "balance", "amount": "49.50", "currency": "GBP"});
    let held = |services: &[Value], total: &str| held_with(services, total);
    let grown = [&before()[..], &all_new()[..]].concat();
    for (now, then, payment) in [
        (order_with(&before(), "150.30"), after(&all_new()), Some(&payment)),
        (held(&before(), "150.30"), held(&grown, "199.80"), None),
    ] {
        let stub = duffel_stub([reply(200, answer(&now)), reply(200, answer(&then))]).await;
        let Answer::Done(order) = add(&stub).await else { panic!() };
        assert_eq!(order.total, gbp("199.80"));
        assert_eq!(stub.lines(), ["GET /air/orders/ord_1", "POST /air/orders/ord_1/services"]);
        let body = &stub.requests()[1].body["data"];
        assert_eq!((&body["add_services"], body.get("payment")), (&services, payment));
    }
}

#[tokio::test]
async fn nothing_is_added_to_an_order_that_is_not_as_it_was() {
    let cancelled =
        with(order_with(&before(), "150.30"), &[("/cancelled_at", json!("2026-03-01T12:00:30Z"))]);
    let changed = "the order has changed since: ask again what can be bought";
    for (now, text) in [
        (after(&[]), changed),
        (order_with(&[], "150.30"), changed),
        (order_with(&[&before()[..], &all_new()[..]].concat(), "150.30"), changed),
        (cancelled, "the order does not stand any more"),
    ] {
        let stub = duffel_stub([reply(200, answer(&now))]).await;
        assert_eq!(add(&stub).await, Answer::Refused(Refusal::new(text)));
        assert_eq!(stub.requests().len(), 1);
    }
    let gone = error("invalid_request_error", "not_found", "No such order.");
    let stub = duffel_stub([reply(404, gone)]).await;
    assert_eq!(add(&stub).await, refused(RefusalKind::Gone, "not_found", "No such order."));
    for act in [
        reply(500, "oh"),
        reply(429, ""),
        reply(200, "{"),
        reply(200, answer(&order())),
        Reply::Hang,
        Reply::Silence,
    ] {
        let stub = duffel_stub([act.clone()]).await;
        is_unavailable(add(&stub).await, &act);
        assert_eq!(stub.requests().len(), 1, "{act:?}");
    }
}

#[tokio::test]
async fn what_is_not_ours_is_not_sent() {
    let stub = duffel_stub([]).await;
    let (duffel, request) = (duffel(&stub), booking(OrderMode::Instant));
    let mut wordless = added();
    wordless.ancillaries[1].wire_format = Value::Null;
    let forgotten = AddedServices { supplier_context: Value::Null, ..added() };
    for (id, added) in [("../x", &added()), ("ord_1", &wordless), ("ord_1", &forgotten)] {
        is_refused(duffel.add_services(id, &request, added).await, "");
    }
    assert!(matches!(duffel.services("../x", &request).await, Answer::Refused(_)));
    assert!(stub.requests().is_empty() && stub.side_requests().is_empty());
}

pub fn standing() -> Reply {
    reply(200, answer(&order_with(&before(), "150.30")))
}

#[tokio::test]
async fn an_addition_that_may_stand_is_unknown_and_never_sent_again() {
    for act in [
        reply(202, answer(&after(&all_new()))),
        // An order that doesn't show them, or only some.
        reply(200, answer(&order_with(&before(), "150.30"))),
        reply(200, answer(&after(&all_new()[..1]))),
    ] {
        let stub = duffel_stub([standing(), act.clone()]).await;
        is_unknown(add(&stub).await, &act);
        assert_eq!(stub.requests().len(), 2, "{act:?}");
    }
}

#[tokio::test]
async fn an_addition_that_is_refused_did_not_happen() {
    let numbered = json!({"errors": [{
        "type": "invalid_request_error", "code": 400, "title": "Unsupported operation", "message": "Not here.",
    }]});
    let stale = json!({"errors": [{
        "type": "validation_error", "code": "not_found", "message": "It does not exist.",
        "source": {"pointer": "/add_services/0/id", "field": "id"},
    }]});
    for (status, body, kind, code, text) in [
        (400, numbered.to_string(), RefusalKind::Other, "400", "Not here."),
        (
            422,
            stale.to_string(),
            RefusalKind::Other,
            "not_found",
            "what was to be bought besides the fare is no longer offered so: ask again what there is",
        ),
        (
            422,
            error("validation_error", "payment_amount_does_not_match_order_amount", "Dearer."),
            RefusalKind::PriceChanged,
            "payment_amount_does_not_match_order_amount",
            "Dearer.",
        ),
    ] {
        let stub = duffel_stub([standing(), reply(status, body)]).await;
        assert_eq!(add(&stub).await, refused(kind, code, text));
        assert_eq!(stub.requests().len(), 2);
    }
    let poor = error("invalid_state_error", "insufficient_balance", "Too poor.");
    for (status, body) in [(429, ""), (422, poor.as_str())] {
        let stub = duffel_stub([standing(), reply(status, body)]).await;
        assert!(matches!(add(&stub).await, Answer::Unavailable(_)));
    }
}

/// How a look for what was added ends over this order.
async fn found(order: Value) -> Result<bool, String> {
    let stub = duffel_stub([reply(200, answer(&order))]).await;
    match find(&stub).await {
        Answer::Done(order) => Ok(order.is_some()),
        Answer::Unknown(reason) => Err(reason),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_was_added_is_found_by_what_was_not_there_before() {
    assert_eq!(found(after(&all_new())).await, Ok(true));
    let stub = duffel_stub([reply(200, answer(&after(&all_new())))]).await;
    let Answer::Done(Some(order)) = find(&stub).await else { panic!() };
    assert_eq!((order.total, order.tickets.len()), (gbp("199.80"), 4));
    assert_eq!(stub.only().line, "GET /air/orders/ord_1");

    // One at a time, beside what somebody else bought, and given back since.
    let [_, seat] = all_new();
    let bag = |id: &str| bag_on(id, "pas_2", "seg_1", 1);
    assert_eq!(found(after(&[bag("ser_3"), seat.clone(), bag("ser_4")])).await, Ok(true));
    let others = bag_on("ser_5", "pas_1", "seg_1", 2);
    assert_eq!(found(after(&[&all_new()[..], &[others]].concat())).await, Ok(true));
    let cancelled = |order: Value| with(order, &[("/cancelled_at", json!("2026-03-01T12:00:30Z"))]);
    assert_eq!(found(cancelled(after(&all_new()))).await, Ok(true));

    assert_eq!(found(order_with(&before(), "150.30")).await, Ok(false));
    assert_eq!(found(order_with(&[], "150.30")).await, Ok(false));
    assert_eq!(found(cancelled(order_with(&before(), "150.30"))).await, Ok(false));
}

#[tokio::test]
async fn a_doubtful_look_never_says_that_nothing_was_added() {
    let [bags, seat] = all_new();
    let other_seat = {
        let mut seat = seat_on("ser_2", "pas_2");
        seat["metadata"]["designator"] = json!("8C");
        seat
    };
    let some = "the order has new services, and they are not all of these";
    for new in [
        vec![bags.clone()],
        vec![seat.clone()],
        vec![bag_on("ser_1", "pas_2", "seg_1", 1), seat.clone()],
        vec![bag_on("ser_1", "pas_1", "seg_1", 2), seat.clone()],
        vec![bag_on("ser_1", "pas_2", "seg_2", 2), seat.clone()],
        // The airline has changed the flights since.
        vec![bag_on("ser_1", "pas_2", "seg_9", 2), seat],
        vec![bags, other_seat],
    ] {
        assert_eq!(found(after(&new)).await, Err(some.to_owned()), "{new:?}");
    }
    let dearer = "the order has no new service, but costs another amount than before";
    assert_eq!(found(after(&[])).await, Err(dearer.to_owned()));
    for services in [json!(null), json!("none"), json!([{"id": "ser_1"}]), json!([7])] {
        let order = with(after(&[]), &[("/services", services.clone())]);
        assert!(found(order).await.is_err(), "{services}");
    }
    let foreign = with(after(&all_new()), &[("/metadata/reference", json!("FA-OTHERONE-1"))]);
    assert!(found(foreign).await.is_err());
}

fn change(id: &str, told_at: &str) -> Value {
    let slice = |from: &str, hour: &str| {
        let leaves = json!(format!("2026-04-01T{hour}:00:00"));
        let flight = with(flight(from, "EDI"), &[("/departing_at", leaves)]);
        json!({"id": "sli_1", "fare_brand_name": "Flex", "duration": null, "segments": [flight]})
    };
    json!({
        "id": id, "created_at": told_at, "action_taken": null, "action_taken_at": null,
        "available_actions": ["accept", "cancel", "change"],
        "removed": [slice("LHR", "09")], "added": [slice("LHR", "07"), slice("LGW", "08")],
        "travel_agent_ticket": null,
    })
}

#[test]
fn what_airlines_changed_is_told_oldest_first_and_costs_no_order() {
    let cancelled = with(
        change("aic_1", "2026-03-01T12:10:00Z"),
        &[("/action_taken", json!("cancelled")), ("/added", json!([]))],
    );
    let mut changed = order();
    changed["airline_initiated_changes"] = json!([
        change("aic_2", "2026-03-01T12:20:00Z"),
        cancelled,
        with(change("aic_3", "2026-03-01T12:30:00Z"), &[("/removed/0/segments", json!([]))]),
        {"id": 4},
        null,
    ]);
    let read = |order: &Value| read::order(answer(order).as_bytes(), &[("pas_1", 1)], clock().now()).unwrap();
    let changes = read(&changed).airline_changes;
    let lines: Vec<String> = changes.iter().map(brief::change).collect();
    insta::assert_snapshot!("duffel_changes", lines.join("\n"));

    for strange in [json!(null), json!("none"), json!({"id": "aic_1"}), json!(7)] {
        changed["airline_initiated_changes"] = strange;
        assert_eq!(read(&changed).airline_changes, []);
    }
}
