//! Services bought with an order at Duffel: in which words, for what price, and what becomes of stale ids.

use crate::answers;
use crate::duffel_bodies::sold::*;
use crate::duffel_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::Traveller;
use wayfare_flights::duffel::{Duffel, read};
use wayfare_flights::{
    Ancillary, AncillaryChoice, AncillaryKind, FlightSupplier, OrderMode, OrderRequest, PricedOrder,
};
use wayfare_stub_server::{Reply, reply};
use wayfare_supply::{Answer, Refusal, RefusalKind};

/// An offer that sells bags, insurance for three together, and two seats of the last flight.
fn shop(prefix: &str, bag: &str) -> (Value, Value) {
    let id = |name: &str| format!("{prefix}{name}");
    let insurance = json!({"type": "cancel_for_any_reason", "maximum_quantity": 1, "metadata": null});
    let services = [
        service(&id("b1"), &["pas_1"], &["seg_1"], bag, &json!({})),
        service(&id("b2"), &["pas_2"], &["seg_1"], bag, &json!({})),
        service(&id("b3"), &["pas_3"], &["seg_1"], "12.50", &json!({})),
        service(&id("all"), &["pas_1", "pas_2", "pas_3"], &["seg_1"], "3.25", &insurance),
    ];
    let (a1, a2, b1) = (id("1A1"), id("1A2"), id("1B1"));
    let maps = json!([seat_map(
        "seg_3",
        &[
            seat("1A", &[(&a1, "pas_1", "15.00"), (&a2, "pas_2", "15.00")]),
            seat("1B", &[(&b1, "pas_1", "15.00")]),
        ]
    )]);
    (journey(&services), maps)
}

fn priced() -> PricedOrder {
    let (offer, maps) = shop("", "20.00");
    read::offer(answer(&offer).as_bytes(), Some(answer(&maps).as_bytes()), true).unwrap()
}

fn sold<'a>(priced: &'a PricedOrder, code: &str, price: &str) -> &'a Ancillary {
    let is_it = |sold: &&Ancillary| sold.code == code && sold.price == gbp(price);
    priced.ancillaries.iter().find(is_it).unwrap()
}

fn want(traveller: u32, ancillary: &Ancillary, quantity: u32) -> AncillaryChoice {
    AncillaryChoice::new(traveller, ancillary.clone(), quantity)
}

async fn adapter() -> Duffel {
    duffel(&duffel_stub([]).await)
}

#[tokio::test]
async fn each_traveller_is_sold_what_is_theirs_by_the_place_that_books_them() {
    let (duffel, priced) = (adapter().await, priced());
    let wanted = [
        want(2, sold(&priced, "checked-23kg", "20.00"), 2),
        want(3, sold(&priced, "checked-23kg", "12.50"), 1),
        want(1, sold(&priced, "cancel_for_any_reason", "3.25"), 1),
        want(2, sold(&priced, "1A", "15.00"), 1),
        want(1, sold(&priced, "1B", "15.00"), 1),
    ];
    let words = |travellers: &[Traveller]| {
        duffel.order_wire_format(&priced.supplier_context, &priced.ancillary_catalog, travellers, &wanted)
    };
    let mut travellers = booking(OrderMode::Instant).travellers;
    assert_eq!(words(&travellers), Ok(["b2", "b3", "all", "1A2", "1B1"].map(Value::from).to_vec()));
    // The second adult is named first, and sits where the first adult of the offer does.
    travellers.swap(0, 1);
    let theirs = [want(2, sold(&priced, "1B", "15.00"), 1)];
    let words = |wanted: &[AncillaryChoice]| {
        duffel.order_wire_format(&priced.supplier_context, &priced.ancillary_catalog, &travellers, wanted)
    };
    assert_eq!(words(&theirs), Ok(vec![json!("1B1")]));
    assert_eq!(words(&[]), Ok(Vec::new()));
}

#[tokio::test]
async fn what_cannot_be_had_is_named_with_its_place_and_the_reason() {
    let (duffel, priced) = (adapter().await, priced());
    let bag = sold(&priced, "checked-23kg", "20.00");
    let [insurance, a, b] = [("cancel_for_any_reason", "3.25"), ("1A", "15.00"), ("1B", "15.00")]
        .map(|(code, price)| sold(&priced, code, price));
    let unsold = Ancillary { code: "checked-32kg".into(), ..bag.clone() };
    let dearer = Ancillary { price: gbp("20.01"), ..bag.clone() };
    let elsewhere = Ancillary { segments: vec![1], ..bag.clone() };
    let travellers = booking(OrderMode::Instant).travellers;
    let cases: [(&[AncillaryChoice], usize, &str); 13] = [
        (&[want(1, bag, 1), want(4, bag, 1)], 1, "is not for infants"),
        (&[want(3, bag, 1)], 0, "is not for this traveller"),
        (&[want(2, b, 1)], 0, "is not for this traveller"),
        (&[want(9, bag, 1)], 0, "is for nobody who travels"),
        (&[want(1, &unsold, 1)], 0, "is not sold"),
        (&[want(1, &dearer, 1)], 0, "is not sold"),
        (&[want(1, &elsewhere, 1)], 0, "is not sold"),
        (&[want(1, bag, 3)], 0, "can be had 1 to 2 times"),
        (&[want(1, bag, 0)], 0, "can be had 1 to 2 times"),
        (&[want(1, bag, 1), want(1, bag, 1)], 1, "is asked for more than once"),
        (&[want(1, insurance, 1), want(3, insurance, 1)], 1, "is asked for more than once"),
        (&[want(1, a, 1), want(2, a, 1)], 1, "is asked for more than once"),
        (&[want(1, a, 1), want(1, b, 1)], 1, "is a second seat for the traveller on one flight"),
    ];
    for (wanted, place, reason) in cases {
        let refused = duffel.order_wire_format(
            &priced.supplier_context,
            &priced.ancillary_catalog,
            &travellers,
            wanted,
        );
        assert_eq!(refused, Err((place, reason.to_owned())), "{wanted:?}");
    }
    let strange = json!("strange");
    for (supplier_context, ancillary_catalog, travellers) in [
        (&strange, &priced.ancillary_catalog, &travellers[..]),
        (&priced.supplier_context, &strange, &travellers[..]),
        (&priced.supplier_context, &priced.ancillary_catalog, &travellers[..1]),
    ] {
        let refused =
            duffel.order_wire_format(supplier_context, ancillary_catalog, travellers, &[want(1, bag, 1)]);
        assert!(matches!(refused, Err((0, _))), "{refused:?}");
    }
}

/// Two bags and a seat for the second adult, as they were ordered out of the price: 55.00 beside the fare.
fn with_extras(mode: OrderMode) -> OrderRequest {
    let priced = priced();
    let extra = |code: &str, price: &str, quantity: u32, words: &str| AncillaryChoice {
        traveller: 2,
        ancillary: sold(&priced, code, price).clone(),
        quantity,
        wire_format: json!(words),
    };
    OrderRequest {
        ancillaries: vec![extra("checked-23kg", "20.00", 2, "b2"), extra("1A", "15.00", 1, "1A2")],
        ..booking(mode)
    }
}

fn services(prefix: &str) -> Value {
    json!([
        {"id": format!("{prefix}b2"), "quantity": 2}, {"id": format!("{prefix}1A2"), "quantity": 1},
    ])
}

fn payment(amount: &str) -> Value {
    json!([{"type": "balance", "amount": amount, "currency": "GBP"}])
}

#[tokio::test]
async fn services_are_ordered_with_the_fare_and_paid_for_with_it_or_when_a_hold_is_paid() {
    let stub = duffel_stub([reply(201, answer(&order_with(&[], "185.30")))]).await;
    let made = done(duffel(&stub).book(&with_extras(OrderMode::Instant)).await);
    assert_eq!(made.total, gbp("185.30"));
    let body = &stub.only().body["data"];
    assert_eq!((&body["services"], &body["payments"]), (&services(""), &payment("185.30")));

    let stub = duffel_stub([reply(201, answer(&held_with(&[], "185.30")))]).await;
    done(duffel(&stub).book(&with_extras(OrderMode::Hold)).await);
    let body = &stub.only().body["data"];
    assert_eq!((&body["services"], body.get("payments")), (&services(""), None));
}

#[tokio::test]
async fn words_that_are_not_ours_are_not_sent() {
    let stub = duffel_stub([]).await;
    let mut request = with_extras(OrderMode::Instant);
    request.ancillaries[0].wire_format = json!(7);
    let refused = Answer::Refused(Refusal::new("checked-23kg has no id of a service"));
    assert_eq!(duffel(&stub).book(&request).await, refused);
    assert!(stub.requests().is_empty());
}

/// The refusal of one of a body's records, as Duffel words it.
fn not_found(pointer: &str) -> Reply {
    let body = json!({"errors": [{
        "type": "validation_error", "code": "not_found", "title": "Linked record not found",
        "message": "The resource you are trying to access does not exist.",
        "source": {"pointer": pointer, "field": "id"},
    }]});
    reply(422, body.to_string())
}

#[tokio::test]
async fn a_service_under_a_stale_id_is_refused_in_clear_words() {
    for (pointer, kind, words) in [
        ("/services/1/id", RefusalKind::Other, "no longer offered"),
        ("/selected_offers/0", RefusalKind::Gone, "does not exist"),
    ] {
        let stub = duffel_stub([not_found(pointer)]).await;
        let Answer::Refused(refusal) = duffel(&stub).book(&with_extras(OrderMode::Instant)).await else {
            panic!("{pointer}")
        };
        assert_eq!(refusal.kind, kind, "{pointer}");
        assert!(refusal.text.contains(words), "{}", refusal.text);
        assert_eq!(stub.requests().len(), 1, "{pointer}");
    }
}

#[tokio::test]
async fn a_fare_that_fell_is_paid_with_the_same_services_under_their_present_ids() {
    let moved = || reply(422, error("airline_error", "price_changed", "Other."));
    let now = |prefix: &str, bag: &str, total: &str| {
        let (offer, maps) = shop(prefix, bag);
        let offer = with(offer, &[("/total_amount", json!(total))]);
        (reply(200, answer(&offer)), reply(200, answer(&maps)))
    };
    let (offer, maps) = now("new_", "20.00", "120.10");
    let made = reply(201, answer(&order_with(&[], "175.10")));
    let stub = duffel_stub_with([moved(), offer, made], maps).await;
    done(duffel(&stub).book(&with_extras(OrderMode::Instant)).await);
    let asked = stub.requests();
    let body = &asked[2].body["data"];
    assert_eq!((&body["services"], &body["payments"]), (&services("new_"), &payment("175.10")));
    assert_eq!(body["metadata"], asked[0].body["data"]["metadata"]);

    // A fare that is the same, a bag that has become dearer, and seats that nobody tells of now.
    let (dearer, maps) = now("new_", "21.00", "120.10");
    let (same, _) = now("new_", "20.00", "130.30");
    let (fallen, _) = now("new_", "20.00", "120.10");
    for (offer, maps) in [(same, maps.clone()), (dearer, maps), (fallen, reply(500, "oh"))] {
        let stub = duffel_stub_with([moved(), offer], maps).await;
        let refused = answers::refused(RefusalKind::PriceChanged, "price_changed", "Other.");
        assert_eq!(duffel(&stub).book(&with_extras(OrderMode::Instant)).await, refused);
        assert_eq!(stub.requests().len(), 2);
    }

    // Without a seat nobody asks for seats.
    let mut bags = with_extras(OrderMode::Instant);
    bags.ancillaries.retain(|extra| extra.ancillary.kind == AncillaryKind::Baggage);
    let (fallen, maps) = now("new_", "20.00", "120.10");
    let made = reply(201, answer(&order_with(&[], "160.10")));
    let stub = duffel_stub_with([moved(), fallen, made], maps).await;
    done(duffel(&stub).book(&bags).await);
    assert_eq!(stub.requests()[2].body["data"]["payments"], payment("160.10"));
    assert!(stub.side_requests().is_empty());
}
