//! What every supplier has in common: a world that follows from the seed, keys, error envelopes, and the names of calls
//! that faults are queued for.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::*;
use crate::hotelbeds::harness as hotelbeds;
use crate::liteapi::harness as liteapi;
use crate::tripjack::harness as tripjack;

#[rustfmt::skip]
const CALLS: [(&str, &str, Method, &str); 62] = [
    ("duffel", "search", Method::POST, "/offer_requests"),
    ("duffel", "search", Method::GET, "/offer_requests/orq_0"),
    ("duffel", "search", Method::GET, "/offers?offer_request_id=orq_0"),
    ("duffel", "price", Method::GET, "/offers/off_0"),
    ("duffel", "price", Method::POST, "/offers/off_0/actions/price"),
    ("duffel", "price", Method::POST, "/orders/ord_0/actions/price"),
    ("duffel", "services", Method::GET, "/seat_maps?offer_id=off_0"),
    ("duffel", "services", Method::GET, "/orders/ord_0/available_services"),
    ("duffel", "book", Method::POST, "/orders"),
    ("duffel", "lookup", Method::GET, "/orders"),
    ("duffel", "lookup", Method::GET, "/orders/ord_0"),
    ("duffel", "lookup", Method::GET, "/payments?order_id=ord_0"),
    ("duffel", "lookup", Method::GET, "/order_cancellations/ore_0"),
    ("duffel", "lookup", Method::GET, "/order_cancellations?order_id=ord_0"),
    ("duffel", "lookup", Method::GET, "/airline_initiated_changes?order_id=ord_0"),
    ("duffel", "price", Method::POST, "/order_change_requests"),
    ("duffel", "price", Method::GET, "/order_change_requests/ocr_0"),
    ("duffel", "price", Method::GET, "/order_change_offers?order_change_request_id=ocr_0"),
    ("duffel", "price", Method::GET, "/order_change_offers/oco_0"),
    ("duffel", "change", Method::POST, "/order_changes"),
    ("duffel", "lookup", Method::GET, "/order_changes/oce_0"),
    ("duffel", "ticket", Method::POST, "/order_changes/oce_0/actions/confirm"),
    ("duffel", "change", Method::PATCH, "/orders/ord_0"),
    ("duffel", "change", Method::PATCH, "/airline_initiated_changes/aic_0"),
    ("duffel", "change", Method::POST, "/airline_initiated_changes/aic_0/actions/accept"),
    ("duffel", "add_service", Method::POST, "/orders/ord_0/services"),
    ("duffel", "ticket", Method::POST, "/payments"),
    ("duffel", "cancel_quote", Method::POST, "/order_cancellations"),
    ("duffel", "cancel", Method::POST, "/order_cancellations/ore_0/actions/confirm"),
    ("tripjack", "search", Method::POST, "/fms/v1/air-search-all"),
    ("tripjack", "price", Method::POST, "/fms/v1/review"),
    ("tripjack", "price", Method::POST, "/fms/v2/farerule"),
    ("tripjack", "price", Method::POST, "/oms/v1/air/fare-validate"),
    ("tripjack", "services", Method::POST, "/fms/v1/seat"),
    ("tripjack", "book", Method::POST, "/oms/v1/air/book"),
    ("tripjack", "ticket", Method::POST, "/oms/v1/air/confirm-book"),
    ("tripjack", "cancel", Method::POST, "/oms/v1/air/unhold"),
    ("tripjack", "cancel", Method::POST, "/oms/v1/air/amendment/submit-amendment"),
    ("tripjack", "cancel_quote", Method::POST, "/oms/v1/air/amendment/amendment-charges"),
    ("tripjack", "lookup", Method::POST, "/oms/v1/booking-details"),
    ("tripjack", "lookup", Method::POST, "/oms/v1/air/amendment/amendment-details"),
    ("liteapi", "search", Method::POST, "/hotels/rates"),
    ("liteapi", "services", Method::GET, "/data/hotels"),
    ("liteapi", "services", Method::GET, "/data/hotel"),
    ("liteapi", "services", Method::GET, "/data/cities"),
    ("liteapi", "services", Method::GET, "/data/hotelTypes"),
    ("liteapi", "services", Method::GET, "/data/facilities"),
    ("liteapi", "price", Method::POST, "/rates/prebook"),
    ("liteapi", "price", Method::GET, "/prebooks/nothing12"),
    ("liteapi", "book", Method::POST, "/rates/book"),
    ("liteapi", "lookup", Method::GET, "/bookings"),
    ("liteapi", "lookup", Method::GET, "/bookings/nothing12"),
    ("liteapi", "cancel", Method::PUT, "/bookings/nothing12"),
    ("hotelbeds", "search", Method::POST, "/hotel-api/1.0/hotels"),
    ("hotelbeds", "price", Method::POST, "/hotel-api/1.0/checkrates"),
    ("hotelbeds", "book", Method::POST, "/hotel-api/1.0/bookings"),
    ("hotelbeds", "lookup", Method::GET, "/hotel-api/1.0/bookings"),
    ("hotelbeds", "cancel", Method::DELETE, "/hotel-api/1.0/bookings/1-1?cancellationFlag=CANCELLATION"),
    ("hotelbeds", "cancel_quote", Method::DELETE, "/hotel-api/1.0/bookings/1-1?cancellationFlag=SIMULATION&language=ENG"),
    ("hotelbeds", "services", Method::GET, "/hotel-content-api/1.0/hotels/1/details"),
    ("hotelbeds", "services", Method::GET, "/hotel-content-api/1.0/locations/destinations"),
    ("hotelbeds", "services", Method::GET, "/hotel-content-api/1.0/types/boards"),
];

/// A call of that name, without what it needs.
pub(crate) async fn call(stage: &Stage, supplier: &str, name: &str) -> Answer {
    let (.., method, path) = CALLS.iter().find(|(of, each, ..)| (*of, *each) == (supplier, name)).unwrap();
    called(stage, supplier, method.clone(), path).await
}

async fn called(stage: &Stage, supplier: &str, method: Method, path: &str) -> Answer {
    let request = match supplier {
        "duffel" => stage.request(method, path).json(&json!({ "data": {} })),
        "tripjack" => stage.tripjack_request(method, path).json(&json!({})),
        "liteapi" => stage.liteapi_request(method, path),
        _ => stage.hotelbeds_request(method, path),
    };
    sent(request).await.unwrap()
}

/// The code of an error, or the text of one without a code.
pub(crate) fn code(supplier: &str, answer: &Answer) -> String {
    let code = match supplier {
        "duffel" => &answer.body["errors"][0]["code"],
        "tripjack" => &answer.body["errors"][0]["errCode"],
        _ if answer.body["error"].is_string() => &answer.body["error"],
        _ => &answer.body["error"]["code"],
    };
    let code = code.as_str().map_or(code.to_string(), str::to_owned);
    // Hotelbeds puts a token behind its codes.
    code.split('-').next().unwrap().to_owned()
}

#[tokio::test]
async fn every_call_has_its_name() {
    let stage = Stage::open().await;
    for (supplier, name, method, path) in CALLS {
        stage.next_of(supplier, name, "status:418").await;
        let answer = called(&stage, supplier, method, path).await;
        assert_eq!(answer.status, 418, "{supplier} {name} {path}: {}", answer.text);
    }
}

#[tokio::test]
async fn statuses_are_answered_in_each_suppliers_envelope() {
    let stage = Stage::open().await;
    let gateway = "Access to this API has been disallowed";
    #[rustfmt::skip]
    let cases = [
        ("duffel", 403, "insufficient_permissions"), ("duffel", 429, "rate_limit_exceeded"),
        ("duffel", 500, "internal_server_error"), ("duffel", 503, "service_unavailable"), ("duffel", 504, "gateway_timeout_error"),
        ("tripjack", 400, "400"), ("tripjack", 403, "403"), ("tripjack", 429, "429"), ("tripjack", 503, "503"),
        ("liteapi", 401, "401"), ("liteapi", 429, "429"), ("liteapi", 503, "503"),
        ("hotelbeds", 400, "INVALID_REQUEST"), ("hotelbeds", 403, gateway), ("hotelbeds", 429, "Rate limit exceeded"), ("hotelbeds", 503, "SYSTEM_ERROR"),
    ];
    for (supplier, status, expected) in cases {
        let fault = match status {
            429 => "rate_limited".to_owned(),
            status => format!("status:{status}"),
        };
        stage.next_of(supplier, "search", &fault).await;
        let answer = call(&stage, supplier, "search").await;
        assert_eq!((answer.status, code(supplier, &answer).as_str()), (status, expected), "{supplier}");
        assert_eq!(answer.headers.contains_key("retry-after"), status == 429);
    }
}

#[tokio::test]
async fn only_test_keys_are_let_in_and_unknown_paths_lead_nowhere() {
    let stage = Stage::open().await;
    #[rustfmt::skip]
    let cases = [("tripjack/ums/v1/user-detail", "apikey", "tripjack"), ("liteapi/v3.0/data/hotelTypes", "X-API-Key", "liteapi")];
    for (path, header, supplier) in cases {
        let url = format!("{}/{path}", stage.sandbox.base_url());
        for key in ["", "duffel_test_x", &format!("{supplier}_live_x"), &format!("{supplier}_test_")] {
            let answer = sent(stage.client.get(&url).header(header, key)).await.unwrap();
            assert_eq!((answer.status, code(supplier, &answer).as_str()), (401, "401"), "{key}");
        }
    }
    #[rustfmt::skip]
    let nowhere = [
        ("duffel", "/order_changes/oce_0"), ("tripjack", "/fms/v9/review"), ("tripjack", "/fms/v1/review/"),
        ("liteapi", "/nowhere"), ("hotelbeds", "/hotel-api/2.0/hotels"), ("hotelbeds", "/hotel-content-api/1.0/types/moods"),
    ];
    for (supplier, path) in nowhere {
        let answer = called(&stage, supplier, Method::GET, path).await;
        assert_eq!(answer.status, 404, "{supplier} {path}");
        assert_ne!(code(supplier, &answer), "null", "{supplier} {path}: {}", answer.text);
    }
}

/// What a search finds at each supplier, without ids and instants.
async fn found(stage: &Stage) -> [Value; 4] {
    let days = [("DEL", "BOM", DAY), ("BOM", "DEL", tripjack::BACK)];
    [
        json!(stage.offers(return_trip("BLR", "SIN")).await),
        stage.trips(tripjack::query(&days)).await,
        json!(stage.hotels(&liteapi::query()).await),
        json!(stage.available(&hotelbeds::query()).await),
    ]
    .map(lasting)
}

fn lasting(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            let passes = [
                "id",
                "rateKey",
                "offerId",
                "rateId",
                "cancelTime",
                "payment_required_by",
                "price_guarantee_expires_at",
            ];
            let is_instant = |name: &str| name.ends_with("_at") && !name.ends_with("ing_at");
            members.retain(|name, _| {
                !passes.contains(&name.as_str()) && !name.ends_with("_id") && !is_instant(name)
            });
            members.values_mut().for_each(|member| *member = lasting(member.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = lasting(item.take())),
        _ => {}
    }
    value
}

#[tokio::test]
async fn the_same_search_and_seed_find_the_same_apart_from_ids_and_instants() {
    let [one, same] = [Stage::open().await, Stage::open().await];
    let seed = 43;
    let other = Stage::with(wayfare_sandbox::Settings { seed, ..settings() }).await;
    same.clock.advance(chrono::TimeDelta::hours(5));
    let ours = found(&one).await;
    assert!(ours.iter().all(|found| found.to_string().len() > 10_000));
    assert_eq!(ours, found(&same).await);
    for (ours, theirs) in ours.iter().zip(found(&other).await) {
        assert_ne!(*ours, theirs);
    }
}
