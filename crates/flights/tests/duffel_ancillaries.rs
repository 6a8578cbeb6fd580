//! Seats, bags and what else Duffel sells with an offer: nothing gets lost, and nothing of it costs the price.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::brief;
use crate::duffel_bodies::sold::*;
use crate::duffel_bodies::*;
use crate::recorded::{self, SEAT_MAPS, data, list, text};
use serde_json::{Value, json};
use tokio::time::timeout;
use wayfare_flights::duffel::{Duffel, read};
use wayfare_flights::{Ancillary, AncillaryKind, FlightSupplier, PricedOrder};
use wayfare_stub_server::{Reply, reply};
use wayfare_supply::{Answer, SupplierHttp};

fn priced(offer: &Value, seat_maps: Option<&Value>) -> PricedOrder {
    let seat_maps = seat_maps.map(|maps| answer(maps).into_bytes());
    read::offer(answer(offer).as_bytes(), seat_maps.as_deref(), true).unwrap()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Each service that is remembered, with its id and what it is, as often as it has passengers; each is shown, once.
/// One code is one thing for each traveller on the same flights.
fn remembered(priced: &PricedOrder) -> Vec<(String, Ancillary)> {
    let (mut found, mut shown, mut names) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for alike in array(&priced.ancillary_catalog["services"]) {
        for (code, ids) in alike["ids"].as_object().unwrap() {
            let is_it = |ancillary: &&Ancillary| {
                let told = json!({
                    "kind": ancillary.kind, "segments": ancillary.segments, "most": ancillary.most,
                    "price": ancillary.price, "ids": alike["ids"],
                });
                ancillary.code == *code && told == *alike
            };
            let ancillary = priced.ancillaries.iter().find(is_it).unwrap();
            let is_new = shown.insert(format!("{ancillary:?}"));
            assert!(is_new, "{ancillary:?} twice");
            for (passenger, id) in ids.as_object().unwrap() {
                let name = format!("{} {code} {} {passenger}", alike["kind"], alike["segments"]);
                assert!(names.insert(name.clone()), "{name} is two things");
                found.push((id.as_str().unwrap().to_owned(), ancillary.clone()));
            }
        }
    }
    assert_eq!(shown.len(), priced.ancillaries.len());
    found
}

fn offers_in(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(fields) if fields.contains_key("total_amount") && fields.contains_key("slices") => {
            found.push(value.clone());
        }
        Value::Object(fields) => fields.values().for_each(|field| offers_in(field, found)),
        Value::Array(items) => items.iter().for_each(|item| offers_in(item, found)),
        _ => {}
    }
}

fn ids<'a>(items: impl IntoIterator<Item = &'a Value>) -> Vec<Value> {
    items.into_iter().map(|item| item["id"].clone()).collect()
}

fn segments(offer: &Value) -> Vec<Value> {
    ids(array(&offer["slices"]).iter().flat_map(|slice| array(&slice["segments"])))
}

#[test]
fn each_service_of_the_recordings_is_kept_at_its_price_for_its_passengers() {
    if !recorded::are_here() {
        return;
    }
    let (mut lines, mut astray) = (BTreeSet::new(), 0);
    for name in recorded::SEARCHES.into_iter().chain(recorded::OFFERS) {
        let mut offers = Vec::new();
        offers_in(&data(name).unwrap(), &mut offers);
        for mut offer in offers {
            let (known, people) = (segments(&offer), ids(array(&offer["passengers"])));
            let services = array(&offer["available_services"]).to_vec();
            // Some of the documentation's examples name passengers and segments that they don't have.
            let is_astray = |service: &&Value| {
                array(&service["segment_ids"]).iter().any(|id| !known.contains(id))
                    || array(&service["passenger_ids"]).iter().any(|id| !people.contains(id))
            };
            let lost = services.iter().filter(is_astray).count();
            astray += lost;
            let found = remembered(&priced(&offer, None));
            assert_eq!(found.len(), services.len() - lost, "{name}");

            for service in offer["available_services"].as_array_mut().into_iter().flatten() {
                service["segment_ids"] = json!(known);
                service["passenger_ids"] = json!(people);
            }
            let found = remembered(&priced(&offer, None));
            assert_eq!(found.len(), services.len() * people.len(), "{name}");
            for (_, sold) in &found {
                assert_eq!(sold.segments.len(), known.len(), "{name}");
            }
            lines.extend(found.iter().map(|(_, sold)| brief::ancillary(sold)));
        }
    }
    assert_eq!(astray, 3);
    let lines: Vec<String> = lines.into_iter().collect();
    insta::assert_snapshot!("duffel_services", lines.join("\n"));
}

/// An offer of these flights to these people, whose ids the recorded maps have without their offer.
fn offer_of(maps: &[Value]) -> Value {
    let mut people = BTreeSet::new();
    for service in maps.iter().flat_map(seat_services) {
        people.insert(text(&service.1, "/passenger_id").to_owned());
    }
    let flights = maps.iter().map(|map| {
        let mut flight = flight("LHR", "EDI");
        flight["id"] = map["segment_id"].clone();
        flight
    });
    let mut offer = offer("off_1", &flights.collect::<Vec<_>>());
    offer["passengers"] = people.iter().map(|id| json!({"id": id, "type": "adult"})).collect();
    offer
}

/// Each service of a map with its seat's designator.
fn seat_services(map: &Value) -> Vec<(String, Value)> {
    let rows = array(&map["cabins"]).iter().flat_map(|cabin| array(&cabin["rows"]));
    let sections = rows.flat_map(|row| array(&row["sections"]));
    let elements = sections.flat_map(|section| array(&section["elements"]));
    let services = elements.flat_map(|seat| {
        let services = array(&seat["available_services"]).iter();
        services.map(|service| (text(seat, "/designator").to_owned(), service.clone()))
    });
    services.collect()
}

#[test]
fn each_seat_of_the_recordings_that_can_be_bought_is_kept_at_its_price_on_its_flight() {
    if !recorded::are_here() {
        return;
    }
    let mut count = 0;
    for name in SEAT_MAPS {
        let maps = list(data(name).unwrap());
        let priced = priced(&offer_of(&maps), Some(&json!(maps)));
        let found = remembered(&priced);
        let mut expected = 0;
        for (place, map) in (0..).zip(&maps) {
            for (designator, service) in seat_services(map) {
                let is_it = |(id, seat): &&(String, Ancillary)| {
                    id == text(&service, "/id") && seat.name.starts_with(&format!("Seat {designator}"))
                };
                let (_, seat) = found.iter().find(is_it).unwrap();
                let stated = text(&service, "/total_amount").parse();
                assert_eq!(Ok(seat.price.amount()), stated, "{name} {designator}");
                assert_eq!(
                    (&seat.segments[..], seat.kind, seat.most),
                    (&[place][..], AncillaryKind::Seat, 1)
                );
                // One recording has two rows 40.
                assert!(
                    seat.code == designator || seat.code == "40H-2",
                    "{name}: {} for {designator}",
                    seat.code
                );
                expected += 1;
            }
        }
        assert_eq!(found.len(), expected, "{name}");
        count += expected;
    }
    assert_eq!(count, 509);
}

#[test]
fn who_can_have_the_same_at_the_same_price_finds_it_under_one_code() {
    let back = ["seg_2", "seg_3"];
    let size = json!({"metadata": {
        "type": "carry_on", "maximum_weight_kg": 10, "maximum_length_cm": 55, "maximum_height_cm": 40,
        "maximum_depth_cm": 20,
    }});
    let insurance =
        json!({"type": "cancel_for_any_reason", "maximum_quantity": 1, "metadata": {"refund_amount": "9"}});
    let services = [
        service("s1", &["pas_1"], &["seg_1"], "20.00", &json!({})),
        service("s2", &["pas_2"], &["seg_1"], "20.00", &json!({})),
        service("s3", &["pas_3"], &["seg_1"], "12.50", &json!({})),
        service("s4", &["pas_1"], &["seg_1"], "35.00", &json!({})),
        service("s5", &["pas_1"], &back, "20.00", &json!({})),
        service("s6", &["pas_2"], &back, "15.00", &size),
        service("s7", &["pas_3"], &back, "5.00", &json!({"metadata": null, "maximum_quantity": null})),
        service("s8", &["pas_1", "pas_2", "pas_3"], &["seg_1", "seg_2", "seg_3"], "3.25", &insurance),
    ];
    let maps = json!([
        seat_map(
            "seg_3",
            &[
                seat("1A", &[("t1", "pas_1", "15.0"), ("t2", "pas_2", "15.00"), ("t3", "pas_3", "7.50")]),
                seat("1B", &[]),
                seat("1C", &[("t4", "pas_1", "0.00")]),
            ]
        ),
        with(
            seat_map("seg_1", &[seat("1A", &[("t5", "pas_2", "9.00")])]),
            &[
                ("/cabins/0/rows/0/sections/1/elements/0/name", json!("Legroom")),
                ("/cabins/0/rows/0/sections/1/elements/0/disclosures", json!(["Adults only"])),
            ]
        ),
    ]);
    let first = priced(&journey(&services), Some(&maps));
    let told: Vec<String> = first.ancillaries.iter().map(brief::ancillary).collect();
    assert_eq!(
        told,
        [
            "BAGGAGE checked-23kg | Checked bag 23 kg | 20.00 x2 on [0]",
            "BAGGAGE checked-23kg | Checked bag 23 kg | 12.50 x2 on [0]",
            "BAGGAGE checked-23kg-2 | Checked bag 23 kg | 35.00 x2 on [0]",
            "BAGGAGE checked-23kg | Checked bag 23 kg | 20.00 x2 on [1, 2]",
            "BAGGAGE carry_on-10kg-55x40x20cm | Carry on bag 10 kg, 55 x 40 x 20 cm | 15.00 x2 on [1, 2]",
            "BAGGAGE extra | Extra bag | 5.00 x1 on [1, 2]",
            "OTHER cancel_for_any_reason | Cancel for any reason, for 3 travellers together | 3.25 x1 on [0, 1, 2]",
            "SEAT 1A | Seat 1A | 15.00 x1 on [2]",
            "SEAT 1A | Seat 1A | 7.50 x1 on [2]",
            "SEAT 1C | Seat 1C | 0.00 x1 on [2]",
            "SEAT 1A | Seat 1A, Legroom. Adults only | 9.00 x1 on [0]",
        ]
    );
    let ids_of = |priced: &PricedOrder, code: &str, place: usize| {
        priced.ancillary_catalog["services"][place]["ids"][code].clone()
    };
    assert_eq!(ids_of(&first, "checked-23kg", 0), json!({"0": "s1", "1": "s2"}));
    assert_eq!(ids_of(&first, "cancel_for_any_reason", 6), json!({"0": "s8", "1": "s8", "2": "s8"}));
    assert_eq!(ids_of(&first, "1A", 7), json!({"0": "t1", "1": "t2"}));
    assert_eq!(remembered(&first).len(), 7 + 3 + 5);

    // The next reading has other ids, and is the same to everybody else.
    let renewed: Vec<Value> = services
        .iter()
        .map(|service| with(service.clone(), &[("/id", json!(format!("new_{}", text(service, "/id"))))]))
        .collect();
    let again = priced(&journey(&renewed), Some(&maps));
    assert_eq!(again.ancillaries, first.ancillaries);
    assert_eq!(ids_of(&again, "checked-23kg", 0), json!({"0": "new_s1", "1": "new_s2"}));
}

#[test]
fn a_service_that_cannot_be_used_costs_nothing_else() {
    let good = || service("good", &["pas_1"], &["seg_1"], "20.00", &json!({}));
    for (field, value) in [
        ("id", json!(null)),
        ("type", json!(7)),
        ("total_amount", json!("free")),
        ("total_amount", json!("-1.00")),
        ("total_currency", json!("EUR")),
        ("total_currency", json!("???")),
        ("passenger_ids", json!(["pas_9"])),
        ("passenger_ids", json!([])),
        ("segment_ids", json!(["seg_1", "seg_9"])),
        ("segment_ids", json!([])),
        ("maximum_quantity", json!(0)),
        ("metadata", json!("heavy")),
    ] {
        let bad = service("bad", &["pas_1"], &["seg_2"], "20.00", &json!({ field: value }));
        let found = remembered(&priced(&journey(&[bad, good()]), None));
        let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(ids, ["good"], "{field}: {value}");
    }
    let mut offer = journey(&[]);
    for strange in [json!(null), json!({}), json!("none"), json!([1, null, []])] {
        offer["available_services"] = strange;
        assert_eq!(priced(&offer, None).ancillaries, []);
    }
}

const SEATS: usize = 2;

fn sold_out_of_seats() -> Value {
    journey(&[service("s1", &["pas_1"], &["seg_1"], "20.00", &json!({}))])
}

fn seats() -> Reply {
    let services = [("t1", "pas_1", "15.00")];
    let map = seat_map("seg_1", &[seat("1A", &services), seat("1B", &services)]);
    reply(200, answer(&json!([map])))
}

fn kinds(answer: Answer<PricedOrder>) -> Vec<AncillaryKind> {
    done(answer).ancillaries.iter().map(|sold| sold.kind).collect()
}

#[tokio::test]
async fn a_price_is_two_calls_and_loses_only_its_seats_when_their_call_fails() {
    let offer = || [reply(200, answer(&sold_out_of_seats()))];
    let stub = duffel_stub_with(offer(), seats()).await;
    let found = kinds(duffel(&stub).price(&["off_1"], PARTY).await);
    assert_eq!(found.len(), 1 + SEATS);
    assert_eq!((stub.requests().len(), stub.side_requests().len()), (1, 1));
    for bad in [
        reply(500, "oh"),
        reply(504, ""),
        reply(200, "<html>"),
        reply(200, "{}"),
        reply(200, r#"{"data":[{"segment_id":7}]}"#),
        reply(200, r#"{"data":null}"#),
        reply(404, error("invalid_request_error", "not_found", "No maps.")),
        reply(422, error("airline_error", "airline_internal", "No maps.")),
        reply(401, error("authentication_error", "access_token_not_found", "No.")),
        reply(429, error("rate_limit_error", "rate_limit_exceeded", "Slowly.")),
        reply(301, ""),
        Reply::Cut(200, answer(&json!([]))),
        Reply::Hang,
        Reply::Silence,
    ] {
        let stub = duffel_stub_with(offer(), bad.clone()).await;
        let found = kinds(duffel(&stub).price(&["off_1"], PARTY).await);
        assert_eq!(found, [AncillaryKind::Baggage], "{bad:?}");
        assert_eq!(stub.requests().len(), 1, "{bad:?}");
    }
}

#[tokio::test]
async fn seats_are_waited_for_three_seconds_after_their_offer_at_most() {
    let stub = duffel_stub_with([reply(200, answer(&sold_out_of_seats()))], Reply::Silence).await;
    let config = config(&stub, TOKEN).with(|config| config.read_deadline = Duration::from_secs(3600));
    let duffel = Duffel::new(SupplierHttp::new(config, clock()).unwrap());
    let begun = Instant::now();
    let priced = timeout(Duration::from_secs(60), duffel.price(&["off_1"], PARTY)).await;
    assert_eq!(kinds(priced.expect("it waits for seats")), [AncillaryKind::Baggage]);
    assert!(begun.elapsed() >= Duration::from_secs(3));
}

#[tokio::test]
async fn an_offer_that_is_refused_waits_for_no_seats() {
    let gone = error("invalid_request_error", "not_found", "What?");
    // Whoever waited for them would take three seconds, however busy the machine is.
    let mut took = Vec::new();
    for _ in 0..3 {
        let stub = duffel_stub_with([reply(404, gone.clone())], Reply::Silence).await;
        let config = config(&stub, TOKEN).with(|config| config.read_deadline = Duration::from_secs(3600));
        let duffel = Duffel::new(SupplierHttp::new(config, clock()).unwrap());
        let begun = Instant::now();
        is_refused(duffel.price(&["off_1"], PARTY).await, "");
        took.push(begun.elapsed());
    }
    assert!(took.iter().any(|took| *took < Duration::from_secs(3)), "{took:?}");
}
