//! Recorded answers of Duffel through the adapter, where they are present (see `recorded`).

use std::collections::BTreeSet;
use wayfare_supply::CancellationState;

use crate::recorded::*;
use serde_json::{Value, json};
use wayfare_domain::OrderStatus;
use wayfare_flights::duffel::read;
use wayfare_flights::{Offer, OfferKind, SupplierOrder};

/// What is seen of an offer without the adapter's types.
fn assert_same(name: &str, recorded: &Value, found: &Offer) {
    assert_eq!(found.token, text(recorded, "/id"), "{name}");
    let id = &found.token;
    assert_eq!(
        found.charge.total.to_string(),
        text(recorded, "/total_amount"),
        "{name} {id}"
    );
    assert_eq!(
        found.charge.total.currency().code(),
        text(recorded, "/total_currency"),
        "{name} {id}"
    );
    assert_eq!(
        found.charge.base.to_string(),
        text(recorded, "/base_amount"),
        "{name} {id}"
    );
    assert_eq!(
        found.charge.base.plus(found.charge.taxes).unwrap(),
        found.charge.total,
        "{name} {id}"
    );
    let slices = recorded["slices"].as_array().unwrap();
    assert_eq!(
        found.kind,
        if slices.len() == 1 {
            OfferKind::Offer
        } else {
            OfferKind::Bundled
        },
        "{name} {id}"
    );
    assert_eq!(found.journeys.len(), slices.len(), "{name} {id}");
    for (journey, slice) in found.journeys.iter().zip(slices) {
        assert!(journey.duration_minutes.is_some(), "{name} {id}");
        let flights = slice["segments"].as_array().unwrap();
        assert_eq!(journey.segments.len(), flights.len(), "{name} {id}");
        for (segment, flight) in journey.segments.iter().zip(flights) {
            let read = [
                &segment.airline,
                &segment.flight_number,
                &segment.origin,
                &segment.destination,
            ];
            let recorded = ["/marketing_carrier/iata_code", "/marketing_carrier_flight_number"]
                .into_iter()
                .chain(["/origin/iata_code", "/destination/iata_code"])
                .map(|pointer| text(flight, pointer));
            assert!(read.into_iter().eq(recorded), "{name} {id}");
            let departure = segment.departure.format("%Y-%m-%dT%H:%M:%S").to_string();
            assert!(
                text(flight, "/departing_at").starts_with(&departure),
                "{name} {id}"
            );
            assert!(
                segment.cabin.is_some() && segment.duration_minutes.is_some(),
                "{name} {id}"
            );
        }
    }
    let may_hold = recorded["payment_requirements"]["requires_instant_payment"] == json!(false);
    assert_eq!((found.instant, found.holdable), (true, may_hold), "{name} {id}");
}

#[test]
fn every_recorded_file_has_its_place() {
    let Some(folder) = folder() else { return };
    let read: BTreeSet<&str> = SEARCHES
        .into_iter()
        .chain(UNUSABLE_SEARCHES.map(|(name, _)| name))
        .chain(EMPTY_SEARCHES.map(|(name, _)| name))
        .chain(OFFER_LISTS)
        .chain(OFFERS)
        .chain(SEAT_MAPS)
        .chain(ORDERS)
        .chain(ORDER_LISTS)
        .chain(CANCELLATIONS)
        .chain(CANCELLATION_LISTS)
        .chain(ORDER_SERVICES)
        .chain(AIRLINE_CHANGES)
        .chain(UNREADABLE_AIRLINE_CHANGES)
        .collect();
    for language in ["java", "js", "python", "ruby"] {
        for entry in std::fs::read_dir(folder.join(language)).unwrap() {
            let name = format!("{language}/{}", entry.unwrap().file_name().to_str().unwrap());
            let ignored = NOT_READ.split_whitespace().any(|word| name.contains(word));
            assert!(read.contains(name.as_str()) || ignored, "{name} has no place");
        }
    }
}

#[test]
fn as_many_offers_come_out_as_go_in_each_at_its_price() {
    if folder().is_none() {
        return;
    }
    let mut count = 0;
    for name in SEARCHES.into_iter().chain(OFFER_LISTS) {
        for answer in list(data(name).unwrap()) {
            let offers = match answer.get("offers") {
                Some(offers) => offers.as_array().unwrap().clone(),
                None => vec![answer],
            };
            let found = searched(&offers);
            assert_eq!(found.unusable, Vec::<String>::new(), "{name}");
            assert_eq!(found.offers.len(), offers.len(), "{name}");
            for (found_offer, recorded) in found.offers.iter().zip(&offers) {
                assert_same(name, recorded, found_offer);
                let owner = text(recorded, "/owner/iata_code");
                assert_eq!(
                    found.airlines[owner].name,
                    text(recorded, "/owner/name"),
                    "{name}"
                );
            }
            count += offers.len();
        }
    }
    assert!(count >= 130, "only {count} offers");
}

#[test]
fn an_offer_that_cannot_be_used_is_named_with_its_reason() {
    if folder().is_none() {
        return;
    }
    for (name, reason) in UNUSABLE_SEARCHES {
        let offers = data(name).unwrap()["offers"].as_array().unwrap().clone();
        let found = searched(&offers);
        assert_eq!(found.offers, [], "{name}");
        assert_eq!(found.unusable.len(), offers.len().min(21), "{name}");
        for (line, recorded) in found.unusable.iter().take(20).zip(&offers) {
            assert!(
                line.starts_with(text(recorded, "/id")) && line.contains(reason),
                "{name}: {line}"
            );
        }
    }
    for (name, why) in EMPTY_SEARCHES {
        for answer in list(data(name).unwrap()) {
            assert!(
                answer.get("offers").is_none_or(|offers| offers == &json!([])),
                "{name} is not: {why}"
            );
        }
    }
}

#[test]
fn an_offer_read_alone_is_the_same_and_remembers_its_passengers() {
    if folder().is_none() {
        return;
    }
    for name in OFFERS {
        let recorded = data(name).unwrap();
        let priced = read::offer(&bytes(&json!({"data": recorded})), None, true).unwrap();
        assert_same(name, &recorded, &priced.offers[0]);
        let ids = |of: &Value| -> Vec<String> {
            of["passengers"]
                .as_array()
                .unwrap()
                .iter()
                .map(|who| text(who, "/id").to_owned())
                .collect()
        };
        assert_eq!(ids(&priced.supplier_context), ids(&recorded), "{name}");
        assert_eq!(
            priced.expires_at,
            text(&recorded, "/expires_at").parse().ok(),
            "{name}"
        );
    }
}

#[test]
fn every_order_is_read_at_its_price_with_its_state_and_tickets() {
    if folder().is_none() {
        return;
    }
    let mut lapsed = 0;
    for name in ORDERS.into_iter().chain(ORDER_LISTS) {
        let recorded = list(data(name).unwrap());
        let page = read::orders(&bytes(&json!({"data": recorded, "meta": {"after": null}}))).unwrap();
        assert_eq!(page.orders, recorded, "{name}");
        for order in &recorded {
            let people = order["passengers"].as_array().unwrap();
            let seated: Vec<(&str, u32)> = people.iter().map(|who| text(who, "/id")).zip(1..).collect();
            let read = read::order(&bytes(&json!({"data": order})), &seated, now()).unwrap();
            assert_eq!(read.id, text(order, "/id"), "{name}");
            assert_eq!(
                read.total.to_string(),
                text(order, "/total_amount"),
                "{name} {}",
                read.id
            );
            assert_eq!(
                read.total.currency().code(),
                text(order, "/total_currency"),
                "{name} {}",
                read.id
            );
            assert_eq!(read.pnr, text(order, "/booking_reference"), "{name} {}", read.id);
            assert_eq!(&read.raw, order, "{name}");
            let documents = order["documents"].as_array().unwrap();
            let tickets: BTreeSet<&str> = documents
                .iter()
                .filter(|document| document["type"] == "electronic_ticket")
                .filter(|document| people.len() == 1 || document.get("passenger_ids").is_some())
                .map(|document| text(document, "/unique_identifier"))
                .collect();
            let numbers: BTreeSet<&str> = read.tickets.iter().map(|ticket| ticket.number.as_str()).collect();
            assert_eq!(numbers, tickets, "{name} {}", read.id);
            let cancelled = !order["cancelled_at"].is_null();
            let awaits = order["payment_status"]["awaiting_payment"] == json!(true);
            let unpaid_hold = !order["payment_status"]["payment_required_by"].is_null() && tickets.is_empty();
            let expected = match (cancelled, awaits, unpaid_hold) {
                (false, true, _) => OrderStatus::Held,
                (false, false, false) => OrderStatus::Confirmed,
                (true, ..) | (false, false, true) => OrderStatus::Cancelled,
            };
            lapsed += u32::from(!cancelled && !awaits && unpaid_hold);
            assert_eq!(read.status, expected, "{name} {}", read.id);
        }
    }
    assert!(lapsed > 0, "the recordings have holds that nobody paid in time");
}

#[test]
fn every_cancellation_is_read_with_its_refund() {
    if folder().is_none() {
        return;
    }
    for name in CANCELLATIONS.into_iter().chain(CANCELLATION_LISTS) {
        for recorded in list(data(name).unwrap()) {
            let read = read::cancellation(&bytes(&json!({"data": recorded}))).unwrap();
            assert_eq!(read.id, text(&recorded, "/id"), "{name}");
            let refund = read.refund.unwrap();
            let credits = matches!(text(&recorded, "/refund_to"), "voucher" | "airline_credits");
            let expected = if credits {
                "0.00"
            } else {
                text(&recorded, "/refund_amount")
            };
            assert_eq!(refund.to_string(), expected, "{name} {}", read.id);
            assert_eq!(
                refund.currency().code(),
                text(&recorded, "/refund_currency"),
                "{name} {}",
                read.id
            );
            assert_eq!(
                read.state == CancellationState::Confirmed,
                !recorded["confirmed_at"].is_null(),
                "{name} {}",
                read.id
            );
        }
    }
}

fn without(value: &Value, pointer: &str) -> Value {
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let mut value = value.clone();
    value
        .pointer_mut(parent)
        .unwrap()
        .as_object_mut()
        .unwrap()
        .remove(field)
        .expect(pointer);
    value
}

#[test]
fn a_needed_field_that_is_missing_is_named_and_costs_no_other_offer() {
    if folder().is_none() {
        return;
    }
    let offers = data("java/offer_request.json").unwrap()["offers"]
        .as_array()
        .unwrap()
        .clone();
    for pointer in [
        "/id",
        "/total_amount",
        "/total_currency",
        "/base_amount",
        "/base_currency",
        "/slices",
        "/slices/0/segments",
        "/slices/0/segments/0/departing_at",
        "/slices/0/segments/0/arriving_at",
        "/slices/0/segments/0/origin",
        "/slices/0/segments/0/origin/iata_code",
        "/slices/0/segments/0/destination/iata_code",
        "/slices/0/segments/0/marketing_carrier",
        "/slices/0/segments/0/marketing_carrier/iata_code",
        "/slices/0/segments/0/marketing_carrier_flight_number",
    ] {
        let mut changed = offers.clone();
        changed[3] = without(&offers[3], pointer);
        let found = searched(&changed);
        let [line] = &found.unusable[..] else {
            panic!("{pointer}: {:?}", found.unusable)
        };
        let field = pointer.rsplit('/').next().unwrap();
        assert!(line.contains(field), "{pointer}: {line}");
        let name = if pointer == "/id" {
            "offers[3]"
        } else {
            text(&offers[3], "/id")
        };
        assert!(line.starts_with(name), "{pointer}: {line}");
        assert!(
            !pointer.contains("segments/0") || line.contains("slices[0].segments[0]"),
            "{pointer}: {line}"
        );
        assert_eq!(found.offers.len(), offers.len() - 1, "{pointer}");
    }
    for (file, pointers) in [
        (
            "java/order.json",
            &["/id", "/total_amount", "/total_currency", "/payment_status"][..],
        ),
        (
            "java/order.json",
            &[
                "/payment_status/awaiting_payment",
                "/documents/0/unique_identifier",
            ],
        ),
        ("java/order_cancellation.json", &["/id", "/refund_currency"]),
        (
            "java/offers_by_id_with_services.json",
            &["/passengers", "/passengers/0/id", "/passengers/0/type"],
        ),
    ] {
        let recorded = data(file).unwrap();
        for pointer in pointers {
            let body = bytes(&json!({"data": without(&recorded, pointer)}));
            let error = match file {
                "java/order.json" => read::order(&body, &[], now()).unwrap_err(),
                "java/order_cancellation.json" => read::cancellation(&body).unwrap_err(),
                _ => read::offer(&body, None, true).unwrap_err(),
            };
            let field = pointer.rsplit('/').next().unwrap();
            assert!(error.to_string().contains(field), "{file} {pointer}: {error}");
        }
    }
}

/// A recorded order of these flights, with what else is told here.
fn order_of(changes: &[(&str, Value)]) -> Value {
    let mut order = data(ORDERS[0]).unwrap();
    for (field, value) in changes {
        order[*field] = value.clone();
    }
    order
}

fn order_read(order: &Value) -> SupplierOrder {
    read::order(&bytes(&json!({"data": order})), &[], now()).unwrap()
}

#[test]
fn each_service_for_an_order_is_told_at_its_price() {
    if folder().is_none() {
        return;
    }
    for name in ORDER_SERVICES {
        let services = list(data(name).unwrap());
        let ids = |field: &str| -> BTreeSet<&str> {
            let ids = services
                .iter()
                .flat_map(|service| service[field].as_array().unwrap());
            ids.map(|id| id.as_str().unwrap()).collect()
        };
        let segments: Vec<Value> = ids("segment_ids").iter().map(|id| json!({"id": id})).collect();
        let passengers = ids("passenger_ids");
        let passengers: Vec<Value> = passengers
            .iter()
            .map(|id| json!({"id": id, "kind": "ADT"}))
            .collect();
        let order = order_read(&order_of(&[("slices", json!([{"segments": segments}]))]));
        let supplier_context = json!({"passengers": passengers, "offer_created_at": null});
        let sold = read::services(&bytes(&json!({"data": services})), &order, &supplier_context).unwrap();
        assert_eq!(sold.ancillaries.len(), services.len(), "{name}");
        for (ancillary, service) in sold.ancillaries.iter().zip(&services) {
            assert_eq!(
                ancillary.price.to_string(),
                text(service, "/total_amount"),
                "{name}"
            );
            assert_eq!(
                Some(u64::from(ancillary.most)),
                service["maximum_quantity"].as_u64()
            );
            assert_eq!(ancillary.segments, [0], "{name}");
        }
        assert_eq!(
            sold.supplier_context["services"].as_array().unwrap().len(),
            2,
            "{name}"
        );
    }
}

#[test]
fn each_change_by_an_airline_is_told_with_its_flights_and_one_that_is_strange_costs_no_order() {
    if folder().is_none() {
        return;
    }
    for name in AIRLINE_CHANGES {
        let recorded = data(name).unwrap();
        let order = order_read(&order_of(&[("airline_initiated_changes", json!([recorded]))]));
        let [change] = &order.airline_changes[..] else {
            panic!("{name}")
        };
        assert_eq!(change.id, text(&recorded, "/id"), "{name}");
        assert_eq!(
            change.action_taken.as_deref(),
            recorded["action_taken"].as_str(),
            "{name}"
        );
        assert_eq!(
            json!(change.available_actions),
            recorded["available_actions"],
            "{name}"
        );
        assert_eq!(
            change.told_at,
            text(&recorded, "/created_at").parse().ok(),
            "{name}"
        );
        for (side, segments) in [("removed", &change.removed), ("added", &change.added)] {
            let [segment] = &segments[..] else {
                panic!("{name}: {side}")
            };
            let flight = &recorded[side][0]["segments"][0];
            assert_eq!(
                segment.flight_number,
                text(flight, "/marketing_carrier_flight_number")
            );
            let departure = segment.departure.format("%Y-%m-%dT%H:%M:%S").to_string();
            assert_eq!(departure, text(flight, "/departing_at"), "{name}: {side}");
        }
    }
    for name in UNREADABLE_AIRLINE_CHANGES {
        let recorded = list(data(name).unwrap());
        assert!(!recorded.is_empty(), "{name}");
        let order = order_read(&order_of(&[("airline_initiated_changes", json!(recorded))]));
        assert_eq!(order.airline_changes, [], "{name}");
    }
}
