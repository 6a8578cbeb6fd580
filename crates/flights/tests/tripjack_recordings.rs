//! Recorded answers of TripJack through the adapter, where they are present (see `recorded`).

use std::collections::{BTreeMap, BTreeSet};

use crate::brief;
use crate::recorded::tripjack::*;
use crate::recorded::{self, now, text, without};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_domain::Party;
use wayfare_flights::tripjack::read;
use wayfare_flights::{OfferKind, Offers, SharedText};
use wayfare_stub_server::recordings;

const PARTIES: [Party; 3] = [party(1, 0, 0), party(2, 1, 1), party(4, 3, 2)];

const fn party(adults: u8, children: u8, infants: u8) -> Party {
    Party { adults, children, infants }
}

fn search(name: &str, party: Party) -> Offers {
    read::search(&body(name).unwrap(), party, now()).unwrap()
}

/// What each recorded fare costs the party, by its id.
fn prices(search: &Value, party: Party) -> BTreeMap<String, Decimal> {
    let lists = search["searchResult"]["tripInfos"].as_object().unwrap();
    let trips = lists.values().flat_map(|trips| trips.as_array().unwrap());
    let fares = trips.flat_map(|trip| trip["totalPriceList"].as_array().unwrap());
    let price = |fare: &Value| -> Decimal {
        let of = |(word, count): (&str, u8)| match count {
            0 => Decimal::ZERO,
            // An amount as its digits stand in the body.
            _ => fare["fd"][word]["fC"]["TF"].to_string().parse::<Decimal>().unwrap() * Decimal::from(count),
        };
        let counts = [("ADULT", party.adults), ("CHILD", party.children), ("INFANT", party.infants)];
        counts.into_iter().map(of).sum()
    };
    fares.map(|fare| (text(fare, "/id").to_owned(), price(fare))).collect()
}

#[test]
fn every_known_recording_has_its_place() {
    let read: BTreeSet<&str> = SEARCHES.into_iter().chain([REVIEW, REVIEW_WITHOUT_FLIGHTS]).collect();
    for name in recordings::known("tripjack") {
        assert!(read.contains(name), "{name} has no place");
    }
}

#[test]
fn as_many_offers_come_out_as_fares_go_in_each_at_its_price() {
    if !are_here() {
        return;
    }
    let (mut lines, mut read_fares) = (Vec::new(), 0);
    for name in SEARCHES {
        for party in PARTIES {
            let prices = prices(&value(name).unwrap(), party);
            let found = search(name, party);
            assert_eq!(found.unusable, Vec::<String>::new(), "{name}");
            let read = found.offers.iter().map(|offer| (offer.token.clone(), offer.charge.total.amount()));
            assert_eq!(read.collect::<BTreeMap<_, _>>(), prices, "{name}");
            assert_eq!(read::count(&body(name).unwrap()).unwrap(), found.offers.len(), "{name}");
            if party == PARTIES[1] {
                lines.push(format!("{name}: {}", brief::totals(&found.offers)));
                lines.push(brief::offer(&found.offers[0]));
            }
            read_fares += found.offers.len();
        }
    }
    assert_eq!(read_fares, 341 * PARTIES.len());
    insta::assert_snapshot!("tripjack_offers", lines.join("\n"));
}

#[test]
fn special_returns_pair_one_to_one_and_all_other_halves_freely() {
    if !are_here() {
        return;
    }
    let found = search("air-search-all__return_domestic.json", PARTIES[0]);
    let mut pairs: BTreeMap<(u8, SharedText), BTreeSet<SharedText>> = BTreeMap::new();
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
        let back = &pairs[&(1 - direction, SharedText::clone(other))];
        assert_eq!(back, &BTreeSet::from([group.clone()]));
    }
}

#[test]
fn a_review_has_the_total_to_the_paisa_and_what_is_left_to_us() {
    if !are_here() {
        return;
    }
    let recorded = value(REVIEW).unwrap();
    let token = text(&recorded, "/tripInfos/0/totalPriceList/0/id");
    let reviewed = read::review(&body(REVIEW).unwrap(), &[token], now()).unwrap().unwrap();
    assert_eq!((reviewed.party, reviewed.has_seats), (party(1, 1, 1), true));
    // It was made years ago by its own word, so that it counts from now.
    assert_eq!(reviewed.expires_at, Some(now() + chrono::TimeDelta::seconds(840)));
    let offers = reviewed.offers.iter().map(brief::offer);
    let lines: Vec<String> = offers.chain(reviewed.ancillaries.iter().map(brief::ancillary)).collect();
    insta::assert_snapshot!("tripjack_review", lines.join("\n"));
}

#[test]
fn a_review_without_flights_says_so_and_with_them_it_is_whole() {
    if !are_here() {
        return;
    }
    let mut recorded = value(REVIEW_WITHOUT_FLIGHTS).unwrap();
    let token = "R15-2-10-3743860810_0DELBLRAI2412~33210890034287930";
    let read = |recorded: &Value| read::review(&recorded::bytes(recorded), &[token], now());
    let error = read(&recorded).unwrap_err().to_string();
    assert!(error.contains("sI"), "{error}");
    recorded["tripInfos"][0]["sI"] = value(REVIEW).unwrap()["tripInfos"][0]["sI"].clone();
    let reviewed = read(&recorded).unwrap().unwrap();
    assert!(!reviewed.has_seats);
    let rules = recorded["tripInfos"][0]["totalPriceList"][0]["fareRuleInformation"].clone();
    let rules = read::fare_rules(&recorded::bytes(&json!({"farerule": {"DEL-BLR": rules}}))).unwrap();
    let lines: Vec<String> = reviewed.offers.iter().map(brief::offer).chain([brief::rules(&rules)]).collect();
    insta::assert_snapshot!("tripjack_review_without_flights", lines.join("\n"));
}

#[test]
fn a_needed_field_that_is_missing_is_named_and_costs_only_its_trip_or_fare() {
    if !are_here() {
        return;
    }
    let recorded = value("air-search-all__return_domestic.json").unwrap();
    let all = search("air-search-all__return_domestic.json", PARTIES[1]).offers.len();
    let trip = "/searchResult/tripInfos/ONWARD/1";
    let fares = recorded.pointer(&format!("{trip}/totalPriceList")).unwrap().as_array().unwrap();
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
        let [line] = found.unusable.as_slice() else { panic!("{field}: {:?}", found.unusable) };
        let name = match field {
            "/totalPriceList/2/id" => "ONWARD[1][2]",
            _ if lost == 1 => text(&fares[2], "/id"),
            _ => "ONWARD[1]",
        };
        assert!(line.starts_with(name), "{field}: {line}");
        assert!(line.contains(field.rsplit('/').next().unwrap()), "{field}: {line}");
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
