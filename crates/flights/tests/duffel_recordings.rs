//! Recorded answers of Duffel through the adapter, where they are present (see `recorded`).

use std::collections::{BTreeMap, BTreeSet};

use crate::brief;
use crate::recorded::*;
use serde_json::{Value, json};
use wayfare_domain::Money;
use wayfare_flights::duffel::{added_services, read};
use wayfare_flights::{Offer, SupplierOrder};
use wayfare_stub_server::recordings;
use wayfare_supply::CancellationState;

#[test]
fn every_known_recording_has_its_place() {
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
    for name in recordings::known("duffel") {
        let ignored = NOT_READ.split_whitespace().any(|word| name.contains(word));
        assert!(read.contains(name) || ignored, "{name} has no place");
    }
}

/// The offers in a recording of a search, a batch of searches, or a list.
fn offers_in(name: &str) -> Vec<Value> {
    let answers = list(data(name).unwrap()).into_iter();
    let offers = answers.flat_map(|mut answer| match answer.get_mut("offers") {
        Some(offers) => list(offers.take()),
        None => vec![answer],
    });
    offers.collect()
}

#[test]
fn as_many_offers_come_out_as_go_in_each_at_its_price() {
    if !are_here() {
        return;
    }
    let mut by_language: BTreeMap<&str, Vec<Offer>> = BTreeMap::new();
    for name in SEARCHES.into_iter().chain(OFFER_LISTS) {
        let recorded = offers_in(name);
        let found = searched(&recorded);
        assert_eq!(found.unusable, Vec::<String>::new(), "{name}");
        assert_eq!(found.offers.len(), recorded.len(), "{name}");
        for (offer, recorded) in found.offers.iter().zip(&recorded) {
            assert_eq!(offer.token, text(recorded, "/id"), "{name}");
            let total = offer.charge.total.to_string();
            assert_eq!(total, text(recorded, "/total_amount"), "{name}");
            let owner = text(recorded, "/owner/iata_code");
            assert_eq!(found.airlines[owner].name, text(recorded, "/owner/name"), "{name}");
        }
        let (language, _) = name.split_once('/').unwrap();
        by_language.entry(language).or_default().extend(found.offers);
    }
    let totals = |(language, offers): (&&str, &Vec<Offer>)| format!("{language}: {}", brief::totals(offers));
    insta::assert_snapshot!("duffel_offers", by_language.iter().map(totals).collect::<Vec<_>>().join("\n"));
}

#[test]
fn an_offer_that_cannot_be_used_is_named_with_its_reason() {
    if !are_here() {
        return;
    }
    for (name, reason) in UNUSABLE_SEARCHES {
        let offers = data(name).unwrap()["offers"].as_array().unwrap().clone();
        let found = searched(&offers);
        assert_eq!(found.offers, [], "{name}");
        assert_eq!(found.unusable.len(), offers.len().min(21), "{name}");
        for (line, recorded) in found.unusable.iter().take(20).zip(&offers) {
            assert!(line.starts_with(text(recorded, "/id")) && line.contains(reason), "{name}: {line}");
        }
    }
    for (name, why) in EMPTY_SEARCHES {
        for answer in list(data(name).unwrap()) {
            assert!(answer.get("offers").is_none_or(|offers| offers == &json!([])), "{name} is not: {why}");
        }
    }
}

#[test]
fn an_offer_read_alone_is_the_same_and_remembers_its_passengers() {
    if !are_here() {
        return;
    }
    let mut lines = Vec::new();
    for name in OFFERS {
        let recorded = data(name).unwrap();
        let priced = read::offer(&bytes(&json!({"data": recorded})), None, true).unwrap();
        assert_eq!(priced.offers, searched(std::slice::from_ref(&recorded)).offers, "{name}");
        assert_eq!(priced.expires_at, priced.offers[0].expires_at, "{name}");
        let ids = |of: &Value| -> Vec<String> {
            let people = of["passengers"].as_array().unwrap().iter();
            people.map(|who| text(who, "/id").to_owned()).collect()
        };
        assert_eq!(ids(&priced.supplier_context), ids(&recorded), "{name}");
        let rules = serde_json::from_value(priced.ancillary_catalog["rules"].clone()).unwrap();
        lines.push(format!("{name}: {}\n{}", brief::offer(&priced.offers[0]), brief::rules(&rules)));
    }
    insta::assert_snapshot!("duffel_offers_alone", lines.join("\n"));
}

#[test]
fn every_order_is_read_at_its_price_with_its_state_and_tickets() {
    if !are_here() {
        return;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in ORDERS.into_iter().chain(ORDER_LISTS) {
        let recorded = list(data(name).unwrap());
        let page = read::orders(&bytes(&json!({"data": recorded, "meta": {"after": null}}))).unwrap();
        assert_eq!(page.orders, recorded, "{name}");
        for order in &recorded {
            let people = order["passengers"].as_array().unwrap();
            let seated: Vec<(&str, u32)> = people.iter().map(|who| text(who, "/id")).zip(1..).collect();
            let read = read::order(&bytes(&json!({"data": order})), &seated, now()).unwrap();
            assert_eq!(&*read.raw.tree(), order, "{name}");
            let named = [&read.id, &read.pnr, &read.total.to_string()];
            let theirs = ["/id", "/booking_reference", "/total_amount"].map(|field| text(order, field));
            assert_eq!(named, theirs, "{name}");
            let documents = order["documents"].as_array().unwrap();
            let is_told = |number: &str| documents.iter().any(|told| told["unique_identifier"] == number);
            assert!(read.tickets.iter().all(|ticket| is_told(&ticket.number)), "{name}");
            let sort = format!(
                "{:?} {}, {} documents, tickets {:?}, due {:?}, paid {}, cancelled {}",
                read.status,
                read.total.currency().code(),
                documents.len(),
                read.tickets.iter().map(|ticket| (ticket.traveller, ticket.status)).collect::<Vec<_>>(),
                read.payment_required_by.map(|due| due.date_naive()),
                order["payment_status"]["awaiting_payment"] == json!(false),
                !order["cancelled_at"].is_null(),
            );
            *counts.entry(sort).or_default() += 1;
        }
    }
    let lines = counts.iter().map(|(sort, count)| format!("{count} {sort}"));
    insta::assert_snapshot!("duffel_orders", lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_cancellation_is_read_with_its_refund() {
    if !are_here() {
        return;
    }
    let mut lines = Vec::new();
    for name in CANCELLATIONS.into_iter().chain(CANCELLATION_LISTS) {
        let recorded = list(data(name).unwrap());
        let read = recorded.iter().map(|recorded| {
            let read = read::cancellation(&bytes(&json!({"data": recorded}))).unwrap();
            assert_eq!(read.id, text(recorded, "/id"), "{name}");
            read
        });
        let refunds: Vec<_> = read.map(|read| (read.state, read.refund.unwrap())).collect();
        let sum = Money::sum(refunds[0].1.currency(), refunds.iter().map(|(_, refund)| *refund));
        let confirmed = refunds.iter().filter(|(state, _)| *state == CancellationState::Confirmed);
        lines.push(format!("{name}: {} of {} confirmed, {sum:?}", confirmed.count(), refunds.len()));
    }
    insta::assert_snapshot!("duffel_cancellations", lines.join("\n"));
}

#[test]
fn a_needed_field_that_is_missing_is_named_and_costs_no_other_offer() {
    if !are_here() {
        return;
    }
    let offers = data("java/offer_request.json").unwrap()["offers"].as_array().unwrap().clone();
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
        let [line] = &found.unusable[..] else { panic!("{pointer}: {:?}", found.unusable) };
        let field = pointer.rsplit('/').next().unwrap();
        assert!(line.contains(field), "{pointer}: {line}");
        let name = if pointer == "/id" { "offers[3]" } else { text(&offers[3], "/id") };
        assert!(line.starts_with(name), "{pointer}: {line}");
        assert!(
            !pointer.contains("segments/0") || line.contains("slices[0].segments[0]"),
            "{pointer}: {line}"
        );
        assert_eq!(found.offers.len(), offers.len() - 1, "{pointer}");
    }
    for (file, pointers) in [
        ("java/order.json", &["/id", "/total_amount", "/total_currency", "/payment_status"][..]),
        ("java/order.json", &["/payment_status/awaiting_payment"]),
        ("java/order_cancellation.json", &["/id"]),
        ("java/offers_by_id_with_services.json", &["/passengers", "/passengers/0/id", "/passengers/0/type"]),
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
            let told = error.to_string();
            assert!(told.contains(field) || told.contains("passengers"), "{file} {pointer}: {error}");
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
    if !are_here() {
        return;
    }
    let mut lines = Vec::new();
    for name in ORDER_SERVICES {
        let services = list(data(name).unwrap());
        let ids = |field: &str| -> BTreeSet<&str> {
            let ids = services.iter().flat_map(|service| service[field].as_array().unwrap());
            ids.map(|id| id.as_str().unwrap()).collect()
        };
        let segments: Vec<Value> = ids("segment_ids").iter().map(|id| json!({"id": id})).collect();
        let passengers = ids("passenger_ids");
        let passengers: Vec<Value> = passengers.iter().map(|id| json!({"id": id, "kind": "ADT"})).collect();
        let order = order_read(&order_of(&[("slices", json!([{"segments": segments}]))]));
        let supplier_context = json!({"passengers": passengers, "offer_created_at": null});
        let sold =
            added_services::services(&bytes(&json!({"data": services})), &order, &supplier_context).unwrap();
        assert_eq!(sold.supplier_context["services"].as_array().unwrap().len(), 2, "{name}");
        lines.extend(sold.ancillaries.iter().map(|sold| format!("{name}: {}", brief::ancillary(sold))));
    }
    insta::assert_snapshot!("duffel_order_services", lines.join("\n"));
}

#[test]
fn each_change_by_an_airline_is_told_with_its_flights_and_one_that_is_strange_costs_no_order() {
    if !are_here() {
        return;
    }
    let mut lines = Vec::new();
    for name in AIRLINE_CHANGES {
        let recorded = data(name).unwrap();
        let order = order_read(&order_of(&[("airline_initiated_changes", json!([recorded]))]));
        lines.extend(order.airline_changes.iter().map(brief::change));
    }
    insta::assert_snapshot!("duffel_airline_changes", lines.join("\n"));
    for name in UNREADABLE_AIRLINE_CHANGES {
        let recorded = list(data(name).unwrap());
        assert!(!recorded.is_empty(), "{name}");
        let order = order_read(&order_of(&[("airline_initiated_changes", json!(recorded))]));
        assert_eq!(order.airline_changes, [], "{name}");
    }
}
