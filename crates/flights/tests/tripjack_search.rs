//! TripJack's searches: what is sent, and what comes of the trips and fares that are found.

use crate::brief;
use crate::tripjack_bodies::*;
use serde_json::{Value, json};
use wayfare_domain::Party;
use wayfare_flights::{Cabin, FlightSupplier, OfferKind, Offers, TripType};
use wayfare_stub_server::{StubServer, reply};

#[tokio::test]
async fn a_search_asks_for_the_party_and_its_routes() {
    let empty = || reply(200, found(&json!({})));
    let stub = StubServer::start([empty(), empty()]).await;
    assert_eq!(done(tripjack(&stub.base_url).search(&both_ways()).await), Offers::default());
    let mut picky = query(TripType::OneWay, &[("DEL", "BOM")]);
    (picky.direct_only, picky.airline, picky.cabin) = (true, Some("6E".into()), Cabin::Economy);
    done(tripjack(&stub.base_url).search(&picky).await);

    let [both, one] = stub.requests().try_into().unwrap();
    assert_eq!(both.line, "POST /fms/v1/air-search-all");
    assert!(both.headers.lines().any(|line| line == format!("apikey: {KEY}")), "{}", both.headers);
    let route = |from: &str, to: &str, day: &str| json!({"fromCityOrAirport": {"code": from}, "toCityOrAirport": {"code": to}, "travelDate": day});
    let expected = json!({"searchQuery": {
        "cabinClass": "PREMIUM_ECONOMY",
        "paxInfo": {"ADULT": 2, "CHILD": 1, "INFANT": 1},
        "routeInfos": [route("DEL", "BOM", "2026-04-01"), route("BOM", "DEL", "2026-04-02")],
    }});
    assert_eq!(both.body, expected);
    let expected = json!({"searchQuery": {
        "cabinClass": "ECONOMY",
        "paxInfo": {"ADULT": 2, "CHILD": 1, "INFANT": 1},
        "routeInfos": [route("DEL", "BOM", "2026-04-01")],
        "preferredAirline": [{"code": "6E"}],
        "searchModifiers": {"isDirectFlight": true, "isConnectingFlight": false},
    }});
    assert_eq!(one.body, expected);
}

#[test]
fn a_fare_is_an_offer_with_its_parts() {
    let mut stop = flight("1", "DEL", "UDR", 1, 0);
    stop["so"] = json!([place("JAI")]);
    stop["cT"] = json!(120);
    let mut onward = flight("2", "UDR", "BOM", 1, 1);
    onward["oB"] = json!({"code": "YY", "name": "Airline YY"});
    let mut fare = fare("p1");
    fare["tai"] = json!({"tbi": {"2": [
        {"CHILD": {"iB": "1 Kg"}}, {"ADULT": {"iB": "25KG", "cB": "0Default"}},
    ]}});
    let found = offers(&json!({"ONWARD": [trip(&[stop, onward], &[fare])]}));
    assert_eq!(found.unusable, Vec::<String>::new());
    assert_eq!(found.airlines["YY"].name, "Airline YY");
    assert_eq!((found.offers.len(), found.offers[0].journeys[0].stops()), (1, 2));
    insta::assert_snapshot!("tripjack_offer", brief::offer(&found.offers[0]));
}

#[test]
fn lists_of_trips_are_halves_or_wholes() {
    let there = || flight("1", "DEL", "BOM", 1, 0);
    let home = || back(flight("2", "BOM", "DEL", 2, 0));
    let found = offers(&json!({
        "RETURN": [trip(&[home()], &[special("p2", "b", "a"), fare("p3")])],
        "ONWARD": [trip(&[there()], &[special("p1", "a", "b")])],
    }));
    let shapes: Vec<_> = found.offers.iter().map(shape).collect();
    let onward = vec!["DEL-BOM".to_owned()];
    let way_back = vec!["BOM-DEL".to_owned()];
    let expected = [
        (OfferKind::Combinable, 0, onward.clone()),
        (OfferKind::Combinable, 1, way_back.clone()),
        (OfferKind::OneWay, 1, way_back.clone()),
    ];
    let mut sorted = shapes.clone();
    sorted.sort_by_key(|(_, slice, _)| *slice);
    assert_eq!(sorted, expected);
    let combinations: Vec<_> = found.offers.iter().filter_map(|offer| offer.combination.as_ref()).collect();
    assert!(combinations.iter().any(|combination| combination.group == "a" && combination.with == ["b"]));
    assert!(combinations.iter().any(|combination| combination.group == "b" && combination.with == ["a"]));

    // Abroad a return is one piece, by the mark of the way back or by its flights' count alone.
    let mut unmarked = with(home(), &[("/isRs", json!(false))]);
    unmarked.as_object_mut().unwrap().remove("isRs");
    let mut uncounted = home();
    uncounted.as_object_mut().unwrap().remove("sN");
    for home in [home(), unmarked, uncounted] {
        let found = offers(&json!({"COMBO": [trip(&[there(), home], &[fare("p1")])]}));
        let whole = (OfferKind::Bundled, 0, vec!["DEL-BOM".to_owned(), "BOM-DEL".to_owned()]);
        assert_eq!(shape(&found.offers[0]), whole);
    }

    // Several cities: each its own list at home, one piece with connections abroad.
    let found = offers(&json!({
        "0": [trip(&[there()], &[fare("p1")])],
        "2": [trip(&[home()], &[fare("p2")])],
    }));
    let shapes: Vec<_> = found.offers.iter().map(shape).collect();
    assert_eq!(shapes, [(OfferKind::OneWay, 0, onward), (OfferKind::OneWay, 2, way_back)]);
    let cities = [
        flight("1", "DEL", "DXB", 1, 0),
        flight("2", "DXB", "LHR", 1, 1),
        flight("3", "LHR", "CDG", 2, 0),
        flight("4", "CDG", "DEL", 3, 0),
    ];
    let found = offers(&json!({"COMBO": [trip(&cities, &[fare("p1")])]}));
    let journeys = ["DEL-LHR", "LHR-CDG", "CDG-DEL"].map(str::to_owned).to_vec();
    assert_eq!(shape(&found.offers[0]), (OfferKind::Bundled, 0, journeys));
}

#[test]
fn what_cannot_be_used_is_a_line_and_costs_no_other() {
    let flights = [flight("1", "DEL", "BOM", 1, 0)];
    let odd = |pointer: &str, value: Value| with(fare("odd"), &[(pointer, value)]);
    for (bad, reason) in [
        (odd("/fd/CHILD", json!(null)), "fd.CHILD is missing"),
        (odd("/fd/ADULT/fC/TF", json!(-1)), "fd.ADULT.fC.TF must not be negative"),
        (odd("/fd/ADULT/fC/TF", json!("1,200")), "fd.ADULT.fC.TF: 1,200 is no amount"),
        (odd("/fd/ADULT/fC/TF", json!(99_999_999_999_999_999_u64)), "fd.ADULT.fC.TF must have at most 14"),
    ] {
        let found = offers(&json!({"ONWARD": [trip(&flights, &[fare("p1"), bad, fare("p2")])]}));
        let [line] = found.unusable.as_slice() else { panic!("{reason}: {:?}", found.unusable) };
        assert!(line.starts_with("odd: ") && line.contains(reason), "{reason}: {line}");
        let tokens: Vec<_> = found.offers.iter().map(|offer| offer.token.as_str()).collect();
        assert_eq!(tokens, ["p1", "p2"], "{reason}");
    }
    let late = with(flights[0].clone(), &[("/dt", json!("soon"))]);
    for (lists, line) in [
        (
            json!({"ONWARD": [trip(&[late], &[fare("x")]), trip(&flights, &[fare("p1")])]}),
            "ONWARD[0]: sI[0].dt",
        ),
        (json!({"ONWARD": [trip(&[], &[fare("x")]), trip(&flights, &[fare("p1")])]}), "x: sI is empty"),
        (
            json!({"SIDEWAYS": [trip(&flights, &[fare("x")])], "0": [trip(&flights, &[fare("p1")])]}),
            "SIDEWAYS[0]: ",
        ),
    ] {
        let found = offers(&lists);
        assert_eq!(found.offers.len(), 1, "{line}");
        assert!(found.unusable.len() == 1 && found.unusable[0].starts_with(line), "{:?}", found.unusable);
    }
}

/// However an amount is written, it is the same fare; the digits go through no float.
#[test]
fn a_fare_costs_the_same_however_its_amounts_are_written() {
    let flights = [flight("1", "DEL", "BOM", 1, 0)];
    let body = |fares: &[Value]| json!({"ONWARD": [trip(&flights, fares)]});
    let plain = offers(&body(&[fare("p1")]));
    let written = [
        |amount: &str| format!("{amount}000000000001"),
        |amount: &str| format!("\"{amount}\""),
        |amount: &str| format!("\" {amount}00 \""),
        |amount: &str| format!("{amount}e0"),
        |amount: &str| format!("{amount}0000000000000000000000000000000000001"),
        |amount: &str| format!("{}E-2", amount.replace('.', "").trim_start_matches('0')),
    ];
    for write in written {
        let mut odd = fare("p1");
        for kind in ["ADULT", "CHILD", "INFANT"] {
            for name in ["BF", "TF", "TAF", "NCM"] {
                if let Some(amount) = odd.pointer_mut(&format!("/fd/{kind}/fC/{name}")) {
                    let exact: rust_decimal::Decimal = amount.to_string().parse().unwrap();
                    *amount = serde_json::from_str(&write(&format!("{exact:.2}"))).unwrap();
                }
            }
        }
        let found = offers(&body(&[odd]));
        assert_eq!(found.unusable, [""; 0]);
        assert_eq!(found.offers[0].charge, plain.offers[0].charge);
        assert_eq!(found.offers[0].shares, plain.offers[0].shares);
    }
}

#[test]
fn the_total_of_one_passenger_wins_over_its_parts() {
    let off = with(fare("p1"), &[("/fd/ADULT/fC/TAF", json!(1.0)), ("/fd/ADULT/fC/BF", json!(4000.5))]);
    let found = offers(&json!({"ONWARD": [trip(&[flight("1", "DEL", "BOM", 1, 0)], &[off])]}));
    let charge = found.offers[0].charge;
    assert_eq!((charge.total, charge.taxes), (inr("11501.35"), inr("600.35")));
}

#[tokio::test]
async fn a_party_of_more_than_nine_seats_is_never_asked_for() {
    let supplier = tripjack(&StubServer::nobody().await.base_url);
    for (adults, children, infants, declined) in
        [(9, 0, 9, false), (5, 4, 2, false), (9, 1, 0, true), (1, 9, 0, true)]
    {
        let mut query = query(TripType::OneWay, &[("DEL", "BOM")]);
        query.party = Party { adults, children, infants };
        assert_eq!(supplier.declines(&query).is_some(), declined, "{adults} {children} {infants}");
    }
}

#[tokio::test]
async fn a_trip_across_borders_is_asked_for_like_one_within_a_country() {
    let supplier = tripjack(&StubServer::nobody().await.base_url);
    for (trip_type, slices) in [
        (TripType::OneWay, &[("DEL", "BOM")][..]),
        (TripType::OneWay, &[("DEL", "DXB")]),
        (TripType::Return, &[("DEL", "KTM"), ("KTM", "DEL")]),
        (TripType::MultiCity, &[("DEL", "BOM"), ("LHR", "EDI")]),
    ] {
        assert_eq!(supplier.declines(&query(trip_type, slices)), None, "{slices:?}");
    }
}

#[test]
fn of_many_fares_that_cannot_be_used_the_first_are_named_and_the_rest_counted() {
    let flights = [flight("1", "DEL", "BOM", 1, 0)];
    let odd = with(fare("odd"), &[("/fd/ADULT/fC/BF", json!(-1))]);
    for (count, lines, last) in [(20, 20, "odd: "), (21, 21, "and 1 more"), (500, 21, "and 480 more")] {
        let found = offers(&json!({"ONWARD": [trip(&flights, &vec![odd.clone(); count])]}));
        assert_eq!(found.unusable.len(), lines);
        assert!(found.unusable.last().unwrap().starts_with(last), "{:?}", found.unusable);
    }
}
