//! Every recorded answer to a search for flights, in whatever file of the recordings it is, known by its shape: the adapter
//! finds each offer at its price, and the sum of all is the one that is added up here without the adapter.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_domain::Party;
use wayfare_flights::{Offers, duffel, tripjack};
use wayfare_stub_server::recordings;

use crate::recorded::{bytes, now};

/// Of one supplier: how many files had answers, and how many offers were in them.
#[derive(Debug, Default)]
struct Read {
    files: usize,
    offers: usize,
    unusable: usize,
    sums: BTreeMap<String, Decimal>,
}

impl Read {
    /// Compares what the adapter found with what is in the answer: each offer's id, with its currency and price.
    fn add(&mut self, file: &str, found: &Offers, theirs: &BTreeMap<String, (String, Decimal)>) {
        let ours: BTreeMap<&str, (&str, Decimal)> = found
            .offers
            .iter()
            .map(|offer| {
                let total = offer.charge.total;
                (offer.token.as_str(), (total.currency().code(), total.amount()))
            })
            .collect();
        for (token, (currency, total)) in &ours {
            let (their_currency, their_total) =
                theirs.get(*token).unwrap_or_else(|| panic!("{file}: {token}"));
            assert_eq!((*currency, *total), (their_currency.as_str(), *their_total), "{file}: {token}");
        }
        // What can't be used is told, at most in 21 lines.
        let missing = theirs.len() - ours.len();
        assert_eq!(found.unusable.len(), missing.min(21), "{file}: {:?}", found.unusable);
        self.files += 1;
        self.offers += ours.len();
        self.unusable += missing;
        for (token, (currency, total)) in theirs {
            if ours.contains_key(token.as_str()) {
                *self.sums.entry(currency.clone()).or_default() += total;
            }
        }
        let sum: Decimal = ours.values().map(|(_, total)| *total).sum();
        let expected = theirs.iter().filter(|(token, _)| ours.contains_key(token.as_str()));
        assert_eq!(sum, expected.map(|(_, (_, total))| *total).sum(), "{file}");
    }
}

fn decimal(text: &str) -> Option<Decimal> {
    text.parse().ok()
}

/// Duffel's offers anywhere in an answer: objects with an id, a total and slices, or of a search that is read again.
fn duffel_offers<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    let is_offer = value["id"].as_str().is_some_and(|id| id.starts_with("off_"))
        && value["total_amount"].is_string()
        && value["owner"].is_object();
    match value {
        _ if is_offer => found.push(value),
        Value::Array(items) => items.iter().for_each(|item| duffel_offers(item, found)),
        Value::Object(fields) => {
            for name in ["data", "offers"] {
                fields.get(name).into_iter().for_each(|field| duffel_offers(field, found));
            }
        }
        _ => {}
    }
}

#[test]
fn every_recording_of_duffels_offers_is_read_at_its_price() {
    let Some(files) = recordings::of("duffel") else { return };
    let mut read = Read::default();
    for (path, _, value) in &files {
        let mut offers = Vec::new();
        duffel_offers(value, &mut offers);
        if offers.is_empty() {
            continue;
        }
        // A file may have an offer twice.
        let mut theirs = BTreeMap::new();
        offers.retain(|offer| {
            let id = offer["id"].as_str().unwrap().to_owned();
            let total = decimal(offer["total_amount"].as_str().unwrap()).unwrap();
            let currency = offer["total_currency"].as_str().unwrap().to_owned();
            theirs.insert(id, (currency, total)).is_none()
        });
        let answer = bytes(&json!({ "data": { "offers": offers } }));
        let found = duffel::read::search(&answer, true).unwrap();
        read.add(&path.display().to_string(), &found, &theirs);
    }
    println!("Duffel: {read:?}");
    assert!(read.offers > 0, "no offer of Duffel's was read of {} files", files.len());
}

/// The fares of TripJack's answer to a search, each at what it costs the party.
fn tripjack_fares(value: &Value, party: Party) -> BTreeMap<String, (String, Decimal)> {
    let lists = value["searchResult"]["tripInfos"].as_object().into_iter().flatten();
    let trips = lists.flat_map(|(_, trips)| trips.as_array().into_iter().flatten());
    let fares = trips.flat_map(|trip| trip["totalPriceList"].as_array().into_iter().flatten());
    let counts = [("ADULT", party.adults), ("CHILD", party.children), ("INFANT", party.infants)];
    let price = |fare: &Value| -> Option<Decimal> {
        let parts = counts.iter().filter(|(_, count)| *count > 0);
        let parts = parts.map(|(kind, count)| {
            let total = fare["fd"][*kind]["fC"]["TF"].as_number()?.to_string();
            Some(decimal(&total)? * Decimal::from(*count))
        });
        parts.sum()
    };
    fares
        .filter_map(|fare| Some((fare["id"].as_str()?.to_owned(), ("INR".to_owned(), price(fare)?))))
        .collect()
}

#[test]
fn every_recording_of_tripjacks_searches_is_read_at_its_price() {
    let Some(files) = recordings::of("tripjack") else { return };
    let mut read = Read::default();
    for (path, body, value) in &files {
        for (adults, children, infants) in [(1, 0, 0), (2, 1, 1)] {
            let party = Party { adults, children, infants };
            let theirs = tripjack_fares(value, party);
            if theirs.is_empty() {
                continue;
            }
            let found = tripjack::read::search(body, party, now()).unwrap();
            read.add(&path.display().to_string(), &found, &theirs);
        }
    }
    println!("TripJack: {read:?}");
    assert!(read.offers > 0, "no fare of TripJack's was read of {} files", files.len());
}

/// The codes of airlines that the answer names.
fn airline_codes(answer: &Value, codes: &mut BTreeSet<String>) {
    match answer {
        Value::Object(members) => {
            for (name, member) in members {
                let code = match name.as_str() {
                    "owner" | "marketing_carrier" | "operating_carrier" => &member["iata_code"],
                    "aI" | "oB" => &member["code"],
                    _ => &Value::Null,
                };
                codes.extend(code.as_str().map(str::to_owned));
                airline_codes(member, codes);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| airline_codes(item, codes)),
        _ => {}
    }
}

#[test]
fn every_airline_of_the_recordings_has_a_name() {
    for supplier in ["duffel", "tripjack"] {
        let Some(files) = recordings::of(supplier) else { return };
        let mut codes = BTreeSet::new();
        for (_, _, answer) in &files {
            airline_codes(answer, &mut codes);
        }
        println!("{supplier}: airlines {codes:?}");
        let nameless: Vec<&String> =
            codes.iter().filter(|code| wayfare_reference::airline(code).is_none()).collect();
        assert_eq!(nameless, Vec::<&String>::new(), "{supplier}");
    }
}
