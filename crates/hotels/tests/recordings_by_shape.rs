//! Every recorded answer to a search for hotels, in whatever file of the recordings it is, known by its shape: each rate that
//! the adapter finds has its price, and their sum is the one that is added up here without the adapter.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::Value;
use wayfare_domain::{Currency, parse_currency};
use wayfare_hotels::{HotelResults, Query, RoomGuests, SearchArea, hotelbeds, liteapi};
use wayfare_stub_server::{did_not_run, recordings};

use crate::recorded::offers;

/// Of one supplier: how many files had answers, and how many rates were in them.
#[derive(Debug, Default)]
struct Read {
    files: usize,
    rates: usize,
    unusable: usize,
    sum: Decimal,
}

type Prices = BTreeMap<String, Decimal>;

impl Read {
    fn add(&mut self, file: &str, found: &HotelResults, theirs: &Prices) {
        let rates = found.hotels.iter().flat_map(|hotel| &hotel.rates);
        let ours: Prices =
            rates.map(|rate| (rate.token.clone(), rate.parts.total().unwrap().amount())).collect();
        let expected: Prices = theirs
            .iter()
            .filter(|(token, _)| ours.contains_key(*token))
            .map(|(token, price)| (token.clone(), *price))
            .collect();
        assert_eq!(ours, expected, "{file}");
        let missing = theirs.len() - ours.len();
        assert!(
            missing == 0 || !found.unusable.is_empty(),
            "{file}: {missing} rates are missing and nothing is told"
        );
        self.files += 1;
        self.rates += ours.len();
        self.unusable += missing;
        self.sum += expected.values().sum::<Decimal>();
        assert_eq!(ours.values().sum::<Decimal>(), expected.values().sum::<Decimal>(), "{file}");
    }
}

/// A number with the digits that were sent, or the text.
pub fn exact(value: &Value) -> Option<Decimal> {
    value.to_string().trim_matches('"').parse().ok()
}

/// A stay of one room, since the recorded answers don't say who asked.
pub fn query(check_in: &str, check_out: &str, adults: u8) -> Query {
    Query {
        check_in: check_in.parse().unwrap(),
        check_out: check_out.parse().unwrap(),
        rooms: vec![RoomGuests { adults, children_ages: Vec::new() }],
        area: SearchArea::Hotels(Vec::new()),
        nationality: "DE".to_owned(),
        language: "en".to_owned(),
    }
}

#[test]
fn every_recording_of_hotelbeds_rates_is_read_at_its_price() {
    let Some(files) = recordings::of("hotelbeds") else { return };
    let mut read = Read::default();
    for (path, body, value) in &files {
        let stay = &value["hotels"];
        let days = stay["checkIn"].as_str().zip(stay["checkOut"].as_str());
        let (Some((check_in, check_out)), Some(hotels)) = (days, stay["hotels"].as_array()) else { continue };
        let rooms = hotels.iter().flat_map(|hotel| hotel["rooms"].as_array().into_iter().flatten());
        let rates: Vec<&Value> =
            rooms.flat_map(|room| room["rates"].as_array().into_iter().flatten()).collect();
        let theirs: Prices = rates
            .iter()
            .filter_map(|rate| Some((rate["rateKey"].as_str()?.to_owned(), exact(&rate["net"])?)))
            .collect();
        let adults = rates.iter().find_map(|rate| rate["adults"].as_u64()).unwrap_or(2);
        let query = query(check_in, check_out, u8::try_from(adults).unwrap());
        let now = format!("{check_in}T00:00:00Z").parse::<chrono::DateTime<chrono::Utc>>();
        let now = now.unwrap() - chrono::TimeDelta::days(30);
        let found = hotelbeds::read::search(body, &query, now).unwrap();
        read.add(&path.display().to_string(), &found, &theirs);
    }
    println!("Hotelbeds: {read:?}");
    assert!(read.rates > 0, "no rate of Hotelbeds was read of {} files", files.len());
}

/// Whether it is an answer of LiteAPI's to a search, or an event of one.
fn is_search(value: &Value) -> bool {
    ["data", "rates"].into_iter().any(|list| {
        let hotels = value[list].as_array();
        hotels.is_some_and(|hotels| {
            !hotels.is_empty() && hotels.iter().all(|hotel| hotel["roomTypes"].is_array())
        })
    })
}

/// What each offer costs, and in which currency.
fn liteapi_prices(answers: &[Value]) -> (Prices, Currency) {
    let mut currency = None;
    let mut prices = Prices::new();
    for (_, offer) in answers.iter().flat_map(offers) {
        let total = &offer["rates"][0]["retailRate"]["total"][0];
        let named = offer["offerId"].as_str().zip(exact(&total["amount"]));
        if let Some((id, amount)) = named {
            currency = total["currency"].as_str().and_then(parse_currency).or(currency);
            prices.insert(id.to_owned(), amount);
        }
    }
    (prices, currency.unwrap_or(Currency::USD))
}

#[test]
fn every_recording_of_liteapis_streams_is_read_at_its_price() {
    let Some(streams) = recordings::streams() else { return };
    let mut read = Read::default();
    let now = "2022-01-01T00:00:00Z".parse().unwrap();
    for (path, stream) in &streams {
        let events = stream.lines().filter_map(|line| line.strip_prefix("data:"));
        let answers: Vec<Value> =
            events.filter_map(|event| serde_json::from_str(event).ok()).filter(is_search).collect();
        if answers.is_empty() {
            continue;
        }
        let (theirs, currency) = liteapi_prices(&answers);
        let query = query("2025-12-05", "2025-12-10", 2);
        let found = liteapi::read::search(stream.as_bytes(), &query, currency, now).unwrap();
        read.add(&path.display().to_string(), &found, &theirs);
    }
    println!("LiteAPI's streams: {read:?}");
    if read.rates == 0 {
        did_not_run("no file of WAYFARE_RECORDINGS has a stream of hotels' rates");
    }
}

#[test]
fn every_recording_of_liteapis_offers_is_read_at_its_price() {
    let Some(files) = recordings::of("liteapi") else { return };
    let mut read = Read::default();
    let now = "2022-01-01T00:00:00Z".parse().unwrap();
    for (path, body, value) in &files {
        if !is_search(value) {
            continue;
        }
        let (theirs, currency) = liteapi_prices(std::slice::from_ref(value));
        let query = query("2025-12-05", "2025-12-10", 2);
        let found = liteapi::read::search(body, &query, currency, now).unwrap();
        read.add(&path.display().to_string(), &found, &theirs);
    }
    println!("LiteAPI: {read:?}");
    assert!(read.rates > 0, "no offer of LiteAPI's was read of {} files", files.len());
}
