//! Searches: plausible, repeatable, and adding up.

use chrono::NaiveDateTime;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::harness::*;

#[tokio::test]
async fn a_search_finds_ten_to_sixty_offers_on_any_route_and_in_any_class() {
    let stage = Stage::open().await;
    let routes =
        [("DEL", "BOM"), ("DEL", "LHR"), ("LHR", "JFK"), ("AKL", "FAE"), ("CCU", "IXB"), ("GRU", "NRT")];
    for (from, to) in routes {
        for cabin in [json!(null), json!("economy"), json!("business"), json!("first")] {
            for mut search in [one_way(from, to), return_trip(from, to)] {
                search["cabin_class"] = cabin.clone();
                let offers = stage.offers(search).await;
                assert!((10..=60).contains(&offers.len()), "{from}-{to} in {cabin}: {} offers", offers.len());
            }
        }
    }
}

#[tokio::test]
async fn every_amount_adds_up_exactly_and_has_two_decimals() {
    let stage = Stage::open().await;
    let mut search = return_trip("DEL", "LHR");
    search["passengers"] =
        json!([{ "type": "adult" }, { "type": "adult" }, { "age": 7 }, { "type": "infant_without_seat" }]);
    for offer in stage.offers(search).await {
        let (base, tax) = (amount(&offer["base_amount"]), amount(&offer["tax_amount"]));
        assert_eq!(base + tax, amount(&offer["total_amount"]), "{}", offer["id"]);
        assert_eq!([base.scale(), tax.scale()], [2, 2]);
        for currency in ["base_currency", "tax_currency", "total_currency"] {
            assert_eq!(offer[currency], "INR");
        }
    }
}

#[tokio::test]
async fn times_are_local_and_durations_follow_from_the_zones() {
    let stage = Stage::open().await;
    for offer in stage.offers(one_way("DEL", "JFK")).await {
        let mut last: Option<(NaiveDateTime, Value)> = None;
        for segment in list(&offer["slices"][0]["segments"]) {
            let local = |name: &str| -> NaiveDateTime { segment[name].as_str().unwrap().parse().unwrap() };
            let instant = |end: &str, at: &str| {
                let airport =
                    wayfare_reference::airport(segment[end]["iata_code"].as_str().unwrap()).unwrap();
                airport.instant_of(local(at))
            };
            let minutes =
                (instant("destination", "arriving_at") - instant("origin", "departing_at")).num_minutes();
            assert_eq!(segment["duration"], duration(minutes), "{segment}");
            if let Some((arrived, at)) = last {
                assert_eq!(at, segment["origin"]["iata_code"]);
                assert!((50..=240).contains(&(local("departing_at") - arrived).num_minutes()), "{segment}");
            }
            last = Some((local("arriving_at"), segment["destination"]["iata_code"].clone()));
        }
    }
}

fn duration(minutes: i64) -> String {
    let (hours, minutes) = (minutes / 60, minutes % 60);
    match (hours, minutes) {
        (0, minutes) => format!("PT{minutes}M"),
        (hours, 0) => format!("PT{hours}H"),
        (hours, minutes) => format!("PT{hours}H{minutes}M"),
    }
}

#[tokio::test]
async fn a_route_has_direct_and_connecting_flights_and_several_brands() {
    let stage = Stage::open().await;
    let offers = stage.offers(one_way("DEL", "LHR")).await;
    let segments = |offer: &Value| list(&offer["slices"][0]["segments"]).len();
    assert!(offers.iter().any(|offer| segments(offer) == 1));
    assert!(offers.iter().any(|offer| segments(offer) == 2));
    let mut brands: Vec<_> =
        offers.iter().map(|offer| offer["slices"][0]["fare_brand_name"].to_string()).collect();
    brands.sort();
    brands.dedup();
    assert!(brands.len() >= 3, "{brands:?}");
    let refund = |offer: &Value| offer["conditions"]["refund_before_departure"].clone();
    assert!(offers.iter().any(|offer| refund(offer).is_null()), "some airlines do not say");
    let is_lost = |refund: Value| refund["allowed"] == false && refund["penalty_amount"].is_null();
    assert!(offers.iter().any(|offer| is_lost(refund(offer))));
    assert!(offers.iter().any(|offer| refund(offer)["penalty_amount"] == "0.00"));
}

#[tokio::test]
async fn direct_flights_only_where_no_connection_is_wanted() {
    let stage = Stage::open().await;
    let mut search = one_way("DEL", "LHR");
    search["max_connections"] = json!(0);
    let offers = stage.offers(search).await;
    assert!(!offers.is_empty());
    assert!(offers.iter().all(|offer| list(&offer["slices"][0]["segments"]).len() == 1));
}

#[tokio::test]
async fn about_a_third_of_the_offers_must_be_paid_at_once() {
    let stage = Stage::open().await;
    let mut offers = stage.offers(one_way("DEL", "LHR")).await;
    offers.extend(stage.offers(one_way("DEL", "BOM")).await);
    offers.extend(stage.offers(one_way("SIN", "SYD")).await);
    let instant = offers.iter().filter(|offer| !holdable(offer)).count();
    assert!((20..=45).contains(&(instant * 100 / offers.len())), "{instant} of {}", offers.len());
    for offer in offers.iter().filter(|offer| holdable(offer)) {
        assert!(offer["payment_requirements"]["payment_required_by"].is_string());
    }
}

#[tokio::test]
async fn children_and_infants_pay_less_by_type_and_by_age() {
    let stage = Stage::open().await;
    let mut totals: Vec<Decimal> = Vec::new();
    for passenger in
        [json!({ "type": "adult" }), json!({ "age": 35 }), json!({ "type": "child" }), json!({ "age": 8 })]
    {
        let mut search = one_way("DEL", "BOM");
        search["passengers"] = json!([passenger]);
        totals.push(amount(&stage.offers(search).await[0]["total_amount"]));
    }
    assert_eq!((totals[0], totals[2]), (totals[1], totals[3]));
    assert!(totals[2] < totals[0]);
}

#[tokio::test]
async fn nobody_flies_within_a_city() {
    let stage = Stage::open().await;
    assert_eq!(stage.offers(one_way("LTN", "LHR")).await, Vec::<Value>::new());
    assert_eq!(stage.offers(one_way("DEL", "DEL")).await, Vec::<Value>::new());
}

#[tokio::test]
async fn wrong_fields_are_named_as_duffel_names_them() {
    let stage = Stage::open().await;
    let answer = stage.post("/offer_requests", json!({})).await;
    let errors = answer.body["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 2, "{}", answer.text);
    assert_eq!(errors[0]["source"], json!({ "field": "slices", "pointer": "/slices" }));
    assert_eq!(errors[1]["source"], json!({ "field": "passengers", "pointer": "/passengers" }));
    assert_eq!(errors[0]["message"], "Field 'slices' can't be blank");
    answer.refused(422, "validation_required");

    let wrong = |path: &str, value: Value| {
        let mut search = one_way("DEL", "BOM");
        *search.pointer_mut(path).unwrap() = value;
        search
    };
    #[rustfmt::skip]
    let cases = [
        (wrong("/slices/0/origin", json!("QQQ")), "validation_inclusion", "/slices/0/origin"),
        (wrong("/slices/0/departure_date", json!("21/02/2027")), "validation_format", "/slices/0/departure_date"),
        (wrong("/slices/0/departure_date", json!("2027-01-09")), "validation_inclusion", "/slices/0/departure_date"),
        (wrong("/passengers", json!(vec![json!({ "type": "adult" }); 10])), "validation_length", "/passengers"),
        (wrong("/passengers/0/type", json!("senior")), "validation_inclusion", "/passengers/0/type"),
        (wrong("/passengers", json!([{ "type": "infant_without_seat" }])), "validation_inclusion", "/passengers"),
        (wrong("/cabin_class", json!("steerage")), "validation_inclusion", "/cabin_class"),
    ];
    for (search, code, pointer) in cases {
        let error = stage.post("/offer_requests", search).await.refused(422, code);
        assert_eq!(error["type"], "validation_error", "{pointer}");
        assert_eq!(error["source"]["pointer"], pointer);
    }
    let mut back_before = return_trip("DEL", "BOM");
    back_before["slices"][1]["departure_date"] = json!("2027-02-20");
    stage.post("/offer_requests", back_before).await.refused(422, "validation_inclusion");
    let (path, search) = ("/offer_requests?supplier_timeout=10", one_way("DEL", "BOM"));
    let error = stage.post(path, search).await.refused(422, "validation_inclusion");
    assert_eq!(error["source"], json!({ "parameter": "supplier_timeout" }));
}
