//! Services with an order and after it, with the sandbox at the far end.

use crate::answers::{is_refused, is_unavailable, is_unknown, order_to_cancel};
use std::time::Duration;

use crate::duffel_bodies::{PARTY, done};
use crate::lookups::as_named;
use crate::sandboxed::{LASTS, Stage, request_for};
use wayfare_domain::{Money, OrderStatus};
use wayfare_flights::{
    AddedServices, Ancillary, AncillaryChoice, AncillaryKind, FlightSupplier, Offer, OrderMode, OrderRequest,
    PricedOrder, SupplierOrder,
};
use wayfare_supply::{AfterSales, Answer, Limits, RefusalKind};

/// IndiGo sells bags after the order too.
const ROUTE: (&str, &str) = ("DEL", "BOM");

async fn stage() -> Stage {
    Stage::open(Limits::default()).await
}

async fn priced(stage: &Stage, mode: OrderMode) -> PricedOrder {
    let fits = |offer: &&Offer| {
        offer.owner.as_deref() == Some("6E") && (mode == OrderMode::Instant || offer.can_hold == Some(true))
    };
    stage.priced(ROUTE, fits).await
}

/// The first of this kind for the first traveller of whom it can be.
fn first(ancillaries: &[Ancillary], kind: AncillaryKind) -> &Ancillary {
    ancillaries.iter().find(|sold| sold.kind == kind).unwrap()
}

/// What is ordered for these: each kind, once, for a traveller.
fn ancillaries(
    stage: &Stage,
    (ancillaries, ancillary_catalog): (&[Ancillary], &serde_json::Value),
    request: &OrderRequest,
    kinds: &[(u32, AncillaryKind)],
) -> Vec<AncillaryChoice> {
    let mut wanted: Vec<AncillaryChoice> = kinds
        .iter()
        .map(|&(traveller, kind)| AncillaryChoice::new(traveller, first(ancillaries, kind).clone(), 1))
        .collect();
    let wire_formats = stage
        .duffel
        .order_wire_format(&request.supplier_context, ancillary_catalog, &request.travellers, &wanted)
        .unwrap();
    for (choice, wire_format) in wanted.iter_mut().zip(wire_formats) {
        choice.wire_format = wire_format;
    }
    wanted
}

/// A request for a bag and a seat with the fare.
async fn with_extras(stage: &Stage, mode: OrderMode) -> OrderRequest {
    let priced = priced(stage, mode).await;
    let mut request = request_for(&priced, mode);
    let kinds = [(1, AncillaryKind::Baggage), (2, AncillaryKind::Seat)];
    request.ancillaries =
        ancillaries(stage, (&priced.ancillaries, &priced.ancillary_catalog), &request, &kinds);
    request
}

fn services(order: &SupplierOrder) -> usize {
    order.raw.tree()["services"].as_array().unwrap().len()
}

#[tokio::test]
async fn an_order_is_bought_with_its_services_and_costs_what_is_due() {
    let stage = stage().await;
    let request = with_extras(&stage, OrderMode::Instant).await;
    let order = done(stage.duffel.book(&request).await);
    assert_eq!((order.status, services(&order)), (OrderStatus::Confirmed, 2));
    assert_eq!(order.total, request.due().unwrap());
}

#[tokio::test]
async fn a_hold_has_its_services_and_is_ticketed_with_them() {
    let stage = stage().await;
    let request = with_extras(&stage, OrderMode::Hold).await;
    let held = done(stage.duffel.book(&request).await);
    assert_eq!((held.status, services(&held)), (OrderStatus::Held, 2));
    assert_eq!(held.total, request.due().unwrap());
    let paid = done(stage.duffel.ticket(&held.id, &request, held.total).await);
    assert_eq!((paid.status, paid.total), (OrderStatus::Confirmed, held.total));
}

#[tokio::test]
async fn services_of_an_earlier_look_are_refused_and_nothing_is_bought() {
    let stage = stage().await;
    let request = with_extras(&stage, OrderMode::Instant).await;
    done(stage.duffel.price(&[&request.offer_token], PARTY).await);
    let Answer::Refused(refusal) = stage.duffel.book(&request).await else { panic!() };
    assert_eq!(refusal.kind, RefusalKind::Other);
    assert!(refusal.text.contains("no longer offered"), "{}", refusal.text);
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn a_fare_that_falls_while_it_is_booked_is_bought_with_its_services() {
    let stage = stage().await;
    let request = with_extras(&stage, OrderMode::Instant).await;
    stage.next("book", "price_changed:-5", 1).await;
    let order = done(stage.duffel.book(&request).await);
    let due = request.due().unwrap();
    assert!(order.total.amount() < due.amount(), "{:?} {due:?}", order.total);
    let services_cost = due.minus(request.total).unwrap();
    assert_eq!(services(&order), 2);
    assert!(order.total.amount() > services_cost.amount());
}

/// A bag for the second traveller, to be added to an order.
async fn bag_for(stage: &Stage, order: &SupplierOrder, request: &OrderRequest) -> AddedServices {
    let sold = done(stage.duffel.services(&order.id, request).await);
    let bag = [(2, AncillaryKind::Baggage)];
    let ancillaries = ancillaries(stage, (&sold.ancillaries, &sold.ancillary_catalog), request, &bag);
    AddedServices {
        total: ancillaries[0].cost().unwrap(),
        ancillaries,
        supplier_context: sold.supplier_context,
    }
}

async fn bought(stage: &Stage, mode: OrderMode) -> (OrderRequest, SupplierOrder) {
    let request = request_for(&priced(stage, mode).await, mode);
    let order = done(stage.duffel.book(&request).await);
    (request, order)
}

fn with_bag(order: &SupplierOrder, added: &AddedServices) -> Money {
    order.total.plus(added.total).unwrap()
}

#[tokio::test]
async fn a_bag_is_added_once_to_a_paid_order_and_to_a_held_one() {
    for (mode, payments) in [(OrderMode::Instant, 2), (OrderMode::Hold, 0)] {
        let stage = stage().await;
        let (request, order) = bought(&stage, mode).await;
        let added = bag_for(&stage, &order, &request).await;
        let look = stage.duffel.find_added(&order.id, &request, &added).await;
        assert_eq!(done(look), None);
        let now = done(stage.duffel.add_services(&order.id, &request, &added).await);
        assert_eq!((now.total, services(&now)), (with_bag(&order, &added), 1));
        assert_eq!(stage.payments(&order.id).await, payments);
        let found = done(stage.duffel.find_added(&order.id, &request, &added).await);
        assert_eq!(found.map(|order| order.total), Some(now.total));
        // Whoever looked before it was there adds nothing any more.
        is_refused(stage.duffel.add_services(&order.id, &request, &added).await, "");
    }
}

#[tokio::test]
async fn an_addition_that_nobody_did_is_found_not_to_be_there() {
    let stage = stage().await;
    let (request, order) = bought(&stage, OrderMode::Instant).await;
    let added = bag_for(&stage, &order, &request).await;
    for fault in ["status:500", "status:502", "broken_json", "drop_before"] {
        stage.next("add_service", fault, 1).await;
        is_unknown(stage.duffel.add_services(&order.id, &request, &added).await, fault);
        assert_eq!(stage.waiting().await, 0, "{fault}");
        let look = stage.duffel.find_added(&order.id, &request, &added).await;
        assert_eq!(done(look), None, "{fault}");
        assert_eq!(stage.payments(&order.id).await, 1, "{fault}");
    }
    stage.next("add_service", "rate_limited", 1).await;
    is_unavailable(stage.duffel.add_services(&order.id, &request, &added).await, "");
    stage.pass(1);
    stage.next("add_service", "status:422", 1).await;
    is_refused(stage.duffel.add_services(&order.id, &request, &added).await, "");
    done(stage.duffel.add_services(&order.id, &request, &added).await);
}

#[tokio::test]
async fn an_addition_without_an_answer_is_found_when_it_is_there() {
    for (fault, pass) in [("drop_after", 0), (LASTS, 0), ("appears_after:5000", 5)] {
        let stage = stage().await;
        let (request, order) = bought(&stage, OrderMode::Instant).await;
        let added = bag_for(&stage, &order, &request).await;
        stage.next("add_service", fault, 1).await;
        is_unknown(stage.duffel.add_services(&order.id, &request, &added).await, fault);
        if pass > 0 {
            let look = stage.duffel.find_added(&order.id, &request, &added).await;
            assert_eq!(done(look), None, "{fault}");
        }
        stage.all_is_well().await;
        stage.pass(pass);
        // The order's payment, and the service's.
        while stage.payments(&order.id).await < 2 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let found = done(stage.duffel.find_added(&order.id, &request, &added).await);
        assert_eq!(found.map(|found| found.total), Some(with_bag(&order, &added)), "{fault}");
        assert_eq!(stage.payments(&order.id).await, 2, "{fault}");
    }
}

#[tokio::test]
async fn looks_that_fail_decide_nothing() {
    let stage = stage().await;
    let (request, order) = bought(&stage, OrderMode::Instant).await;
    let added = bag_for(&stage, &order, &request).await;
    for fault in ["status:500", "status:404", "broken_json", "drop_after"] {
        stage.next("lookup", fault, 1).await;
        is_unknown(stage.duffel.find_added(&order.id, &request, &added).await, fault);
        stage.next("services", fault, 1).await;
        let told = stage.duffel.services(&order.id, &request).await;
        assert!(!matches!(told, Answer::Done(_)), "{fault}: {told:?}");
    }
    // Who can't look at the order first adds nothing.
    stage.next("lookup", "drop_before", 1).await;
    is_unavailable(stage.duffel.add_services(&order.id, &request, &added).await, "");
    assert_eq!(stage.payments(&order.id).await, 1);
}

#[tokio::test]
async fn an_order_that_was_given_back_sells_nothing_and_takes_nothing() {
    let stage = stage().await;
    let (request, order) = bought(&stage, OrderMode::Instant).await;
    let added = bag_for(&stage, &order, &request).await;
    let quote = done(stage.duffel.quote_cancellation(order_to_cancel(&order.id, order.status)).await);
    done(stage.duffel.cancel(&order.id, &quote.id, None, None).await);
    assert_eq!(done(stage.duffel.services(&order.id, &request).await).ancillaries, []);
    is_refused(stage.duffel.add_services(&order.id, &request, &added).await, "");
    assert_eq!(done(stage.duffel.find_added(&order.id, &request, &added).await), None);
}

#[tokio::test]
async fn flights_that_an_airline_put_off_are_told_with_the_order_which_still_sells() {
    let stage = stage().await;
    let (request, order) = bought(&stage, OrderMode::Instant).await;
    assert_eq!(order.airline_changes, []);
    stage.airline_changes(&order.id).await;
    let found = done(stage.duffel.find(as_named(Some(&order.id), &request)).await).unwrap();
    let [change] = &found.airline_changes[..] else { panic!("{:?}", found.airline_changes) };
    let put_off = change.added[0].departure - change.removed[0].departure;
    assert_eq!(put_off, chrono::TimeDelta::hours(1));
    assert_eq!(change.available_actions, ["accept", "cancel", "change"]);
    assert_eq!((change.action_taken.as_deref(), change.told_at), (None, Some(stage.clock.now())));

    let added = bag_for(&stage, &order, &request).await;
    done(stage.duffel.add_services(&order.id, &request, &added).await);
}
