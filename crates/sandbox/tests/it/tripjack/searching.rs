//! Searches: the same world as Duffel's, cut as TripJack cuts it.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

/// The keys of an answer.
fn keys(trips: &Value) -> Vec<&String> {
    trips.as_object().unwrap().keys().collect()
}

#[tokio::test]
async fn every_fare_adds_up_and_tells_no_commission_before_the_review() {
    let stage = Stage::open().await;
    let there_and_back = query(&[("DEL", "BOM", DAY), ("BOM", "DEL", BACK)]);
    let abroad = query(&[("DEL", "SIN", DAY), ("SIN", "DEL", BACK)]);
    let mut seen = 0;
    for search in [there_and_back, abroad] {
        let trips = stage.trips(family(search)).await;
        for fare in keys(&trips).iter().flat_map(|key| fares(&trips[key.as_str()])) {
            let by_kind = fare["fd"].as_object().unwrap();
            assert_eq!(by_kind.keys().collect::<Vec<_>>(), ["ADULT", "CHILD", "INFANT"]);
            for price in by_kind.values() {
                let cost = |name: &str| number(&price["fC"][name]);
                let taxes = price["afC"]["TAF"].as_object().unwrap().values();
                assert_eq!(cost("TF"), cost("BF") + cost("TAF"));
                assert_eq!(cost("TAF"), taxes.map(number).sum::<Decimal>());
                assert_eq!(cost("NF"), cost("TF"));
                assert!(price["fC"].get("NCM").is_none() && price["afC"].get("NCM").is_none());
                assert_eq!(cost("TF").scale(), 2);
            }
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

/// What identifies a trip, and its base fare.
type Sold = BTreeSet<(Vec<(String, String)>, Decimal)>;

fn sold_by_tripjack(trips: &Value) -> Sold {
    let mut sold = Sold::new();
    for trip in list(trips) {
        let flight = |segment: &Value| {
            let flown = &segment["fD"];
            let name = format!("{}{}", text(&flown["aI"]["code"]), text(&flown["fN"]));
            (name, text(&segment["dt"]).to_owned())
        };
        let flights: Vec<_> = list(&trip["sI"]).iter().map(flight).collect();
        for fare in list(&trip["totalPriceList"]) {
            sold.insert((flights.clone(), number(&fare["fd"]["ADULT"]["fC"]["BF"])));
        }
    }
    sold
}

fn sold_by_duffel(offers: &[Value]) -> Sold {
    let flight = |segment: &Value| {
        let name = format!(
            "{}{}",
            text(&segment["marketing_carrier"]["iata_code"]),
            text(&segment["marketing_carrier_flight_number"])
        );
        let departs = text(&segment["departing_at"]);
        (name, departs.strip_suffix(":00").unwrap().to_owned())
    };
    let segments = |offer: &Value| -> Vec<(String, String)> {
        let slices = list(&offer["slices"]).iter();
        slices.flat_map(|slice| list(&slice["segments"])).map(flight).collect()
    };
    offers.iter().map(|offer| (segments(offer), amount(&offer["base_amount"]))).collect()
}

#[tokio::test]
async fn both_suppliers_sell_the_same_flights_at_the_same_base_fares() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "BOM", DAY)])).await;
    let offers = stage.offers(one_way("DEL", "BOM")).await;
    assert_eq!(sold_by_tripjack(&trips["ONWARD"]), sold_by_duffel(&offers));
    let trips = stage.trips(query(&[("DEL", "LHR", DAY), ("LHR", "DEL", BACK)])).await;
    let offers = stage.offers(return_trip("DEL", "LHR")).await;
    assert_eq!(sold_by_tripjack(&trips["COMBO"]), sold_by_duffel(&offers));
}

#[tokio::test]
async fn one_way_is_onward_also_abroad() {
    let stage = Stage::open().await;
    for (from, to) in [("DEL", "BOM"), ("DEL", "LHR"), ("LON", "DEL")] {
        let trips = stage.trips(query(&[(from, to, DAY)])).await;
        assert_eq!(keys(&trips), ["ONWARD"]);
        for trip in list(&trips["ONWARD"]) {
            for (place, segment) in list(&trip["sI"]).iter().enumerate() {
                has(segment, json!({ "sN": place, "isRs": false }));
            }
        }
    }
}

#[tokio::test]
async fn a_domestic_return_is_two_halves_and_special_fares_name_each_other() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "BOM", DAY), ("BOM", "DEL", BACK)])).await;
    assert_eq!(keys(&trips), ["ONWARD", "RETURN"]);
    assert!(list(&trips["RETURN"]).iter().all(|trip| trip["sI"][0]["isRs"] == true));
    let specials = |key: &str| -> Vec<(String, Vec<String>)> {
        fares(&trips[key])
            .iter()
            .filter(|fare| fare["fareIdentifier"] == "SPECIAL_RETURN")
            .map(|fare| {
                let named = list(&fare["msri"]).iter();
                let named = named.map(|name| name.as_str().unwrap().to_owned());
                (text(&fare["sri"]).to_owned(), named.collect())
            })
            .collect()
    };
    let (onward, back) = (specials("ONWARD"), specials("RETURN"));
    assert!(onward.len() >= 3);
    assert_eq!(onward.len(), back.len());
    for (own, named) in &onward {
        let [other] = named.as_slice() else { panic!("{own} names {named:?}") };
        let twins: Vec<_> = back.iter().filter(|(name, _)| name == other).collect();
        assert_eq!(twins.len(), 1);
        assert_eq!(twins[0].1, std::slice::from_ref(own));
    }
    for fare in fares(&trips["ONWARD"]) {
        let is_special = fare["fareIdentifier"] == "SPECIAL_RETURN";
        assert_eq!(fare.get("sri").is_some(), is_special);
        assert_eq!(fare["msri"] != json!([]), is_special);
    }
    let published = fare_of(&trips["ONWARD"], "PUBLISHED");
    let special = fare_of(&trips["ONWARD"], "SPECIAL_RETURN");
    let base = |fare: &Value| number(&fare["fd"]["ADULT"]["fC"]["BF"]);
    assert!(base(&special) < base(&published) * Decimal::from(2));
}

#[tokio::test]
async fn across_borders_a_trip_is_sold_whole() {
    let stage = Stage::open().await;
    let trips = stage.trips(query(&[("DEL", "JFK", DAY), ("JFK", "DEL", BACK)])).await;
    assert_eq!(keys(&trips), ["COMBO"]);
    let mut changes = 0;
    for trip in list(&trips["COMBO"]) {
        let segments = list(&trip["sI"]);
        let turn = segments.iter().position(|segment| segment["isRs"] == true).unwrap();
        assert_eq!(segments[turn]["da"]["code"], "JFK");
        for (at, segment) in segments.iter().enumerate() {
            let place = if at < turn { at } else { at - turn };
            assert_eq!(segment["sN"], json!(place));
            let ends = at + 1 == turn || at + 1 == segments.len();
            assert_eq!(segment.get("cT").is_none(), ends);
            changes += usize::from(!ends);
        }
    }
    assert!(changes > 0);
    let round = [("DEL", "SIN", DAY), ("SIN", "BKK", "2027-02-24"), ("BKK", "DEL", BACK)];
    let trips = stage.trips(query(&round)).await;
    assert_eq!(keys(&trips), ["COMBO"]);
    let starts = |trip: &Value| list(&trip["sI"]).iter().filter(|segment| segment["sN"] == 0).count();
    assert!(list(&trips["COMBO"]).iter().all(|trip| starts(trip) == 3));
}

#[tokio::test]
async fn a_domestic_multi_city_trip_has_a_key_for_each_way() {
    let stage = Stage::open().await;
    let ways = [("DEL", "BOM", DAY), ("BOM", "BLR", "2027-02-24"), ("BLR", "DEL", BACK)];
    let trips = stage.trips(query(&ways)).await;
    assert_eq!(keys(&trips), ["0", "1", "2"]);
    let ids = ["0", "1", "2"].map(|key| fare_of(&trips[key], "PUBLISHED")["id"].clone());
    let review = stage.review(&[&ids[0], &ids[1], &ids[2]]).await.done();
    assert_eq!(list(&review["tripInfos"]).len(), 3);
    assert_eq!(review["searchQuery"]["searchType"], "MULTICITY");
}

#[tokio::test]
async fn filters_are_those_that_the_api_has() {
    let stage = Stage::open().await;
    let base = query(&[("DEL", "LHR", DAY)]);
    let with = |name: &str, value: Value| {
        let mut query = base.clone();
        query["searchModifiers"][name] = value;
        query
    };
    let lengths = |trips: &Value| -> BTreeSet<usize> {
        list(&trips["ONWARD"]).iter().map(|trip| list(&trip["sI"]).len()).collect()
    };
    assert_eq!(lengths(&stage.trips(base.clone()).await), BTreeSet::from([1, 2]));
    let direct = stage.trips(with("isDirectFlight", json!(true))).await;
    assert_eq!(lengths(&direct), BTreeSet::from([1]));
    let connecting = stage.trips(with("isConnectingFlight", json!(true))).await;
    assert_eq!(lengths(&connecting), BTreeSet::from([2]));
    assert_eq!(stage.trips(with("pft", json!("STUDENT"))).await, json!({}));
    let mut preferred = base.clone();
    preferred["preferredAirline"] = json!([{ "code": "AI" }, { "code": "BA" }]);
    let trips = stage.trips(preferred).await;
    let airlines: BTreeSet<String> =
        list(&trips["ONWARD"]).iter().map(|trip| trip["sI"][0]["fD"]["aI"]["code"].to_string()).collect();
    assert_eq!(airlines, BTreeSet::from(["\"AI\"".to_owned(), "\"BA\"".to_owned()]));
    // What was filtered can be bought.
    let id = &connecting["ONWARD"][0]["totalPriceList"][0]["id"];
    let review = stage.review(&[id]).await.done();
    assert_eq!(list(&review["tripInfos"][0]["sI"]).len(), 2);
    assert_eq!(review["searchQuery"]["searchModifiers"]["isConnectingFlight"], true);
}

#[tokio::test]
async fn a_search_that_makes_no_sense_is_refused() {
    let stage = Stage::open().await;
    let base = query(&[("DEL", "BOM", DAY), ("BOM", "DEL", BACK)]);
    let cases = [
        ("/paxInfo", json!({ "ADULT": 1, "INFANT": 2 }), "1001"),
        ("/paxInfo", json!({ "ADULT": 6, "CHILD": 4 }), "1006"),
        ("/paxInfo", json!({ "ADULT": 0 }), "400"),
        ("/paxInfo", json!({ "ADULT": "one" }), "400"),
        ("/cabinClass", json!("STEERAGE"), "400"),
        ("/routeInfos", json!([]), "400"),
        ("/routeInfos/0/fromCityOrAirport/code", json!("QQQ"), "400"),
        ("/routeInfos/0/travelDate", json!("2027-01-09"), "400"),
        ("/routeInfos/1/travelDate", json!("2027-02-20"), "400"),
        ("/routeInfos/0/travelDate", json!("21/02/2027"), "400"),
    ];
    for (path, value, code) in cases {
        let mut query = base.clone();
        *query.pointer_mut(path).unwrap() = value;
        let body = json!({ "searchQuery": query });
        stage.tripjack("/fms/v1/air-search-all", body).await.declined(400, code);
    }
    assert_eq!(stage.trips(query(&[("LTN", "LHR", DAY)])).await, json!({}));
}
