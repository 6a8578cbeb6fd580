//! Recorded answers of TripJack through the adapter, where they are present (see `recorded`).

use std::collections::{BTreeMap, BTreeSet};

use crate::recorded::tripjack::*;
use crate::recorded::{self, now, text};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_domain::{Party, PassengerType};
use wayfare_flights::tripjack::read;
use wayfare_flights::{AncillaryKind, Offer, OfferKind, Offers};
use wayfare_reference::airport;

const PARTIES: [Party; 3] = [party(1, 0, 0), party(2, 1, 1), party(4, 3, 2)];

const fn party(adults: u8, children: u8, infants: u8) -> Party {
    Party {
        adults,
        children,
        infants,
    }
}

fn counts(party: Party) -> [(PassengerType, &'static str, u8); 3] {
    [
        (PassengerType::Adult, "ADULT", party.adults),
        (PassengerType::Child, "CHILD", party.children),
        (PassengerType::Infant, "INFANT", party.infants),
    ]
}

/// An amount as its digits stand in the body.
fn amount(value: &Value) -> Decimal {
    value.to_string().parse().unwrap()
}

fn search(name: &str, party: Party) -> Offers {
    read::search(&body(name).unwrap(), party, now()).unwrap()
}

/// Every fare of a recorded search with the key of its list and its trip, in order.
fn fares(search: &Value) -> Vec<(&str, &Value, &Value)> {
    let lists = search["searchResult"]["tripInfos"].as_object().unwrap();
    let trips = lists.iter().flat_map(|(key, trips)| {
        trips
            .as_array()
            .unwrap()
            .iter()
            .map(move |trip| (key.as_str(), trip))
    });
    trips
        .flat_map(|(key, trip)| {
            let fares = trip["totalPriceList"].as_array().unwrap();
            fares.iter().map(move |fare| (key, trip, fare))
        })
        .collect()
}

fn assert_price(found: &Offer, fare: &Value, party: Party) {
    let id = &found.token;
    let sum = |field: &str| -> Decimal {
        let of = |(_, word, count): (_, &str, u8)| match count {
            0 => Decimal::ZERO,
            _ => amount(&fare["fd"][word]["fC"][field]) * Decimal::from(count),
        };
        counts(party).into_iter().map(of).sum()
    };
    let charge = found.charge;
    assert_eq!(charge.total.amount(), sum("TF"), "{id}");
    assert_eq!(charge.base.amount(), sum("BF"), "{id}");
    assert_eq!(charge.taxes.amount(), sum("TAF"), "{id}");
    assert_eq!(charge.total.currency().code(), "INR", "{id}");
    let shares = found.shares.as_ref().unwrap();
    let expected = counts(party).into_iter().filter(|(_, _, count)| *count > 0);
    assert_eq!(shares.len(), expected.clone().count(), "{id}");
    for (share, (kind, word, count)) in shares.iter().zip(expected) {
        let amounts = &fare["fd"][word]["fC"];
        assert_eq!((share.kind, share.count), (kind, u32::from(count)), "{id}");
        assert_eq!(share.base.amount(), amount(&amounts["BF"]), "{id}");
        assert_eq!(share.taxes.amount(), amount(&amounts["TAF"]), "{id}");
    }
}

fn assert_flights(found: &Offer, trip: &Value) {
    let id = &found.token;
    let flights = trip["sI"].as_array().unwrap();
    assert_eq!(found.segments().count(), flights.len(), "{id}");
    for (segment, flight) in found.segments().zip(flights) {
        let read = [
            segment.airline.as_str(),
            &segment.flight_number,
            &segment.origin,
            &segment.destination,
            segment.aircraft.as_deref().unwrap(),
            &segment.departure.format("%Y-%m-%dT%H:%M").to_string(),
            &segment.arrival.format("%Y-%m-%dT%H:%M").to_string(),
        ];
        let recorded = [
            "/fD/aI/code",
            "/fD/fN",
            "/da/code",
            "/aa/code",
            "/fD/eT",
            "/dt",
            "/at",
        ];
        assert_eq!(read, recorded.map(|pointer| text(flight, pointer)), "{id}");
        let terminal = |told: &Option<String>| {
            told.as_ref()
                .map_or(String::new(), |name| format!("Terminal {name}"))
        };
        assert_eq!(
            terminal(&segment.departure_terminal),
            text(flight, "/da/terminal"),
            "{id}"
        );
        assert_eq!(
            terminal(&segment.arrival_terminal),
            text(flight, "/aa/terminal"),
            "{id}"
        );
        assert_eq!(
            segment.operating_carrier.as_deref().unwrap_or_default(),
            text(flight, "/oB/code"),
            "{id}"
        );
        assert_eq!(
            segment.duration_minutes.map(u64::from),
            flight["duration"].as_u64(),
            "{id}"
        );
    }
    for journey in &found.journeys {
        let (first, last) = (
            journey.segments.first().unwrap(),
            journey.segments.last().unwrap(),
        );
        let departure = airport(&first.origin).unwrap().instant_of(first.departure);
        let arrival = airport(&last.destination).unwrap().instant_of(last.arrival);
        let elapsed = (arrival - departure).num_minutes();
        assert_eq!(journey.duration_minutes.map(i64::from), Some(elapsed), "{id}");
    }
}

#[test]
fn every_recorded_file_has_its_place() {
    let Some(folder) = folder() else { return };
    let read: BTreeSet<&str> = SEARCHES
        .into_iter()
        .chain([REVIEW, REVIEW_WITHOUT_FLIGHTS])
        .collect();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().to_str().unwrap().to_owned();
        assert!(read.contains(name.as_str()), "{name} has no place");
    }
}

#[test]
fn as_many_offers_come_out_as_fares_go_in_each_at_its_price() {
    if folder().is_none() {
        return;
    }
    let mut read_fares = 0;
    for name in SEARCHES {
        let recorded = value(name).unwrap();
        let fares = fares(&recorded);
        assert_eq!(read::count(&body(name).unwrap()).unwrap(), fares.len(), "{name}");
        for party in PARTIES {
            let found = search(name, party);
            assert_eq!(found.unusable, Vec::<String>::new(), "{name}");
            assert_eq!(found.offers.len(), fares.len(), "{name}");
            // The recorded lists stand in another order than a map's keys.
            let mut of_key: BTreeMap<(&str, u8), Vec<&Offer>> = BTreeMap::new();
            for offer in &found.offers {
                let key = if offer.kind == OfferKind::Bundled {
                    "COMBO"
                } else {
                    ""
                };
                of_key.entry((key, offer.route_index)).or_default().push(offer);
            }
            let mut place = BTreeMap::new();
            for (key, trip, fare) in &fares {
                let list = match *key {
                    "COMBO" => ("COMBO", 0),
                    "ONWARD" => ("", 0),
                    "RETURN" => ("", 1),
                    other => panic!("{other}"),
                };
                let place: &mut usize = place.entry(list).or_default();
                let offer = of_key[&list][*place];
                *place += 1;
                assert_eq!(offer.token, text(fare, "/id"), "{name}");
                assert_price(offer, fare, party);
                assert_flights(offer, trip);
                let adult = &fare["fd"]["ADULT"];
                let segment = offer.segments().next().unwrap();
                assert_eq!(segment.cabin.unwrap().as_ref(), text(adult, "/cc"), "{name}");
                assert_eq!(
                    segment.fare_basis.as_deref().unwrap(),
                    text(adult, "/fB"),
                    "{name}"
                );
                assert_eq!(
                    offer.fare.fare_class.as_deref().unwrap(),
                    text(adult, "/cB"),
                    "{name}"
                );
                assert_eq!(
                    offer.fare.seats_left.map(u64::from),
                    adult["sR"].as_u64(),
                    "{name}"
                );
                assert_eq!(
                    offer.fare.refund.refundable,
                    Some(adult["rT"] != json!(0)),
                    "{name}"
                );
                let named = offer.fare.fare_name.as_deref().unwrap_or_default();
                assert_eq!(named, text(fare, "/fareIdentifier"), "{name}");
                let terms = (offer.charge.commission, offer.instant, offer.holdable);
                assert_eq!(terms, (None, true, false), "{name}");
            }
        }
        read_fares += fares.len();
    }
    assert_eq!(read_fares, 341);
}

#[test]
fn special_returns_pair_one_to_one_and_all_other_halves_freely() {
    if folder().is_none() {
        return;
    }
    let found = search("air-search-all__return_domestic.json", PARTIES[0]);
    let mut pairs: BTreeMap<(u8, String), BTreeSet<String>> = BTreeMap::new();
    for offer in &found.offers {
        let special = offer.fare.fare_name.as_deref() == Some("SPECIAL_RETURN");
        assert_eq!(offer.kind == OfferKind::Combinable, special);
        assert_eq!(offer.kind == OfferKind::OneWay, !special);
        assert_eq!(offer.combination.is_some(), special);
        assert_eq!(offer.journeys.len(), 1);
        if let Some(combination) = &offer.combination {
            let place = (offer.route_index, combination.group.clone());
            pairs.entry(place).or_default().extend(combination.with.clone());
        }
    }
    assert_eq!(pairs.len(), 6);
    for ((direction, group), with) in &pairs {
        let [other] = with.iter().collect::<Vec<_>>().try_into().unwrap();
        let back = &pairs[&(1 - direction, String::clone(other))];
        assert_eq!(back, &BTreeSet::from([group.clone()]));
    }
}

#[test]
fn a_combination_is_one_offer_with_a_leg_there_and_a_leg_back() {
    if folder().is_none() {
        return;
    }
    let name = "air-search-all__return_international.json";
    let recorded = value(name).unwrap();
    let found = search(name, PARTIES[0]);
    for (offer, (_, trip, _)) in found.offers.iter().zip(fares(&recorded)) {
        let [there, back] = offer.journeys.as_slice() else {
            panic!()
        };
        let flights = trip["sI"].as_array().unwrap();
        let marked = flights
            .iter()
            .filter(|flight| flight["isRs"] == json!(true))
            .count();
        assert_eq!(back.segments.len(), marked);
        assert_eq!(
            there.segments[0].origin,
            back.segments.last().unwrap().destination
        );
        assert_eq!(
            there.segments.last().unwrap().destination,
            back.segments[0].origin
        );
    }
    assert!(found.airlines.len() > 3 && found.airlines["AI"].name == "Air India");
}

#[test]
fn baggage_is_told_as_it_stands_for_each_flight() {
    if folder().is_none() {
        return;
    }
    let mut seen = BTreeSet::new();
    for name in SEARCHES {
        for offer in search(name, PARTIES[0]).offers {
            for bags in offer.segments().map(|segment| segment.baggage.clone()) {
                seen.insert((bags.check_in.unwrap_or_default(), bags.cabin.unwrap_or_default()));
            }
        }
    }
    let expected = [
        ("15 kg", ""),
        ("20 kg", ""),
        ("25 kg", ""),
        ("25 kg (01 Piece only)", "7 kg"),
        ("30 kg", ""),
    ];
    let seen: Vec<(&str, &str)> = seen
        .iter()
        .map(|(bags, cabin)| (bags.as_str(), cabin.as_str()))
        .collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_review_has_the_total_to_the_paisa_and_what_is_left_to_us() {
    if folder().is_none() {
        return;
    }
    let recorded = value(REVIEW).unwrap();
    let fare = &recorded["tripInfos"][0]["totalPriceList"][0];
    let token = text(fare, "/id");
    let reviewed = read::review(&body(REVIEW).unwrap(), &[token], now())
        .unwrap()
        .unwrap();
    let [offer] = reviewed.offers.as_slice() else {
        panic!()
    };
    assert_eq!(reviewed.party, party(1, 1, 1));
    assert_price(offer, fare, reviewed.party);
    assert_flights(offer, &recorded["tripInfos"][0]);
    assert_eq!(offer.charge.total.to_string(), "8547.70");
    assert_eq!(offer.charge.commission.unwrap().to_string(), "942.40");
    assert_eq!((offer.holdable, offer.kind), (true, OfferKind::OneWay));
    assert_eq!(offer.owner.as_deref(), Some("SG"));
    assert_eq!(offer.fare.baggage.check_in, None, "0Default says nothing");
    for share in offer.shares.as_ref().unwrap() {
        let parts: Decimal = share.tax_parts.iter().map(|part| part.amount.amount()).sum();
        assert_eq!(parts, share.taxes.amount());
        assert_eq!(share.tax_parts.len(), 4);
    }
    // It was made years ago by its own word, so that it counts from now.
    assert_eq!(reviewed.expires_at, Some(now() + chrono::TimeDelta::seconds(840)));
    assert!(reviewed.has_seats);

    let sold = &recorded["tripInfos"][0]["sI"][0]["ssrInfo"];
    for (kind, word) in [(AncillaryKind::Baggage, "BAGGAGE"), (AncillaryKind::Meal, "MEAL")] {
        let ours: Vec<_> = reviewed
            .ancillaries
            .iter()
            .filter(|ancillary| ancillary.kind == kind)
            .collect();
        let theirs = sold[word].as_array().unwrap();
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            assert_eq!(
                (ours.code.as_str(), ours.name.as_str()),
                (text(theirs, "/code"), text(theirs, "/desc"))
            );
            assert_eq!(ours.price.amount(), amount(&theirs["amount"]));
            assert_eq!((ours.segments.as_slice(), ours.most), (&[0][..], 1));
        }
    }
}

#[test]
fn a_review_without_flights_says_so_and_with_them_it_is_whole() {
    if folder().is_none() {
        return;
    }
    let mut recorded = value(REVIEW_WITHOUT_FLIGHTS).unwrap();
    let token = "R15-2-10-3743860810_0DELBLRAI2412~33210890034287930";
    let read = |recorded: &Value| read::review(&recorded::bytes(recorded), &[token], now());
    let error = read(&recorded).unwrap_err().to_string();
    assert!(error.contains("sI"), "{error}");
    recorded["tripInfos"][0]["sI"] = value(REVIEW).unwrap()["tripInfos"][0]["sI"].clone();
    let reviewed = read(&recorded).unwrap().unwrap();
    let [offer] = reviewed.offers.as_slice() else {
        panic!()
    };
    assert_price(
        offer,
        &recorded["tripInfos"][0]["totalPriceList"][0],
        reviewed.party,
    );
    assert_eq!(offer.charge.total.to_string(), "13533.00");
    assert_eq!(offer.charge.commission, None);
    assert_eq!(offer.shares.as_ref().unwrap()[0].tax_parts.len(), 3);
    assert!(!reviewed.has_seats);

    let rules = recorded["tripInfos"][0]["totalPriceList"][0]["fareRuleInformation"].clone();
    let rules = read::fare_rules(&recorded::bytes(&json!({"farerule": {"DEL-BLR": rules}}))).unwrap();
    let fees: BTreeSet<_> = rules
        .fees
        .iter()
        .map(|fee| {
            (
                fee.kind.as_ref(),
                fee.amount.map(|amount| amount.to_string()),
                fee.text.as_deref(),
            )
        })
        .collect();
    let penalty = Some("Available with Penalty");
    let expected = [
        ("cancellation", Some("3500.00".to_owned()), penalty),
        ("date_change", Some("2500.00".to_owned()), penalty),
        ("no_show", None, Some("Not Applicable")),
    ];
    assert_eq!(fees, BTreeSet::from(expected));
}

fn without(value: &Value, pointer: &str) -> Value {
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let mut value = value.clone();
    let parent = value.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    parent.remove(field).expect(pointer);
    value
}

#[test]
fn a_needed_field_that_is_missing_is_named_and_costs_only_its_trip_or_fare() {
    if folder().is_none() {
        return;
    }
    let recorded = value("air-search-all__return_domestic.json").unwrap();
    let all = search("air-search-all__return_domestic.json", PARTIES[1])
        .offers
        .len();
    let trip = "/searchResult/tripInfos/ONWARD/1";
    let fares = recorded
        .pointer(&format!("{trip}/totalPriceList"))
        .unwrap()
        .as_array()
        .unwrap();
    for (field, lost) in [
        ("/sI", fares.len()),
        ("/sI/0/fD", fares.len()),
        ("/sI/0/fD/fN", fares.len()),
        ("/sI/0/fD/aI", fares.len()),
        ("/sI/0/fD/aI/code", fares.len()),
        ("/sI/0/da/code", fares.len()),
        ("/sI/0/aa", fares.len()),
        ("/sI/0/dt", fares.len()),
        ("/sI/0/at", fares.len()),
        ("/totalPriceList", fares.len()),
        ("/totalPriceList/2/id", 1),
        ("/totalPriceList/2/fd", 1),
        ("/totalPriceList/2/fd/CHILD", 1),
        ("/totalPriceList/2/fd/ADULT/fC", 1),
        ("/totalPriceList/2/fd/ADULT/fC/TF", 1),
        ("/totalPriceList/2/fd/INFANT/fC/BF", 1),
    ] {
        let body = recorded::bytes(&without(&recorded, &format!("{trip}{field}")));
        let found = read::search(&body, PARTIES[1], now()).unwrap();
        let [line] = found.unusable.as_slice() else {
            panic!("{field}: {:?}", found.unusable)
        };
        let name = match field {
            "/totalPriceList/2/id" => "ONWARD[1][2]",
            _ if lost == 1 => text(&fares[2], "/id"),
            _ => "ONWARD[1]",
        };
        assert!(line.starts_with(name), "{field}: {line}");
        assert!(
            line.contains(field.rsplit('/').next().unwrap()),
            "{field}: {line}"
        );
        assert_eq!(found.offers.len(), all - lost, "{field}");
    }
    let review = value(REVIEW).unwrap();
    for pointer in [
        "/bookingId",
        "/tripInfos",
        "/searchQuery",
        "/searchQuery/paxInfo",
        "/totalPriceInfo",
        "/totalPriceInfo/totalFareDetail/fC/TF",
        "/tripInfos/0/totalPriceList/0/fd/INFANT",
    ] {
        let error = read::review(&recorded::bytes(&without(&review, pointer)), &["x"], now()).unwrap_err();
        let field = pointer.rsplit('/').next().unwrap();
        assert!(error.to_string().contains(field), "{pointer}: {error}");
    }
}
