//! The routes on which Duffel's test mode rehearses a situation.

use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};

use crate::harness::*;

fn segments(offer: &Value) -> &Vec<Value> {
    list(&offer["slices"][0]["segments"])
}

/// What an offer has to be like.
type Fits<'a> = &'a dyn Fn(&Value) -> bool;

#[tokio::test]
async fn flights_are_as_their_route_wants_them() {
    let stage = Stage::open().await;
    let stops_once = |offer: &Value| {
        let stops = list(&segments(offer)[0]["stops"]);
        stops.len() == 1 && stops[0]["airport"]["iata_code"].is_string() && stops[0]["duration"] == "PT1H"
    };
    let has_no_bags = |segment: &Value| segment["passengers"][0]["baggages"] == json!([]);
    #[rustfmt::skip]
    let cases: [(&str, &str, Fits<'_>); 4] = [
        ("JFK", "EWR", &holdable),
        ("LHR", "DXB", &|offer| segments(offer).len() == 2),
        ("DXB", "AMS", &|offer| segments(offer).len() > 1 || stops_once(offer)),
        ("BTS", "MRU", &|offer| segments(offer).iter().all(has_no_bags)),
    ];
    for (from, to, fits) in cases {
        let offers = stage.offers(one_way(from, to)).await;
        assert!(offers.len() >= 10 && offers.iter().all(fits), "{from}-{to}");
    }
    assert!(stage.offers(one_way("PVD", "RAI")).await.is_empty());
    // There and back they are ordinary.
    assert!(!stage.offers(return_trip("PVD", "RAI")).await.is_empty());
    let ordinary = stage.offers(return_trip("LHR", "DXB")).await;
    assert!(ordinary.iter().any(|offer| segments(offer).len() == 1));

    let offer = stage.offer(one_way("BTS", "ABV"), |_| true).await;
    let id = text(&offer["id"]);
    let read = stage.get(&format!("/offers/{id}?return_available_services=true")).await;
    assert_eq!(read.data(200)["available_services"], json!([]));
    assert_eq!(stage.get(&format!("/seat_maps?offer_id={id}")).await.data(200), json!([]));
}

#[tokio::test]
async fn what_fails_on_a_route_fails_as_duffel_says_it() {
    let stage = Stage::open().await;
    let search = stage.post("/offer_requests", one_way("STN", "LHR")).await;
    assert_eq!(search.refused(504, "gateway_timeout_error")["type"], "api_error");
    #[rustfmt::skip]
    let cases = [
        ("JFK", "EWR", 422, "invalid_order_create_type"), ("LGW", "LHR", 422, "offer_no_longer_available"),
        ("LHR", "LGW", 502, "airline_unknown"), ("LGW", "STN", 422, "insufficient_balance"),
    ];
    for (from, to, status, code) in cases {
        let offer = stage.offer(one_way(from, to), |_| true).await;
        stage.post("/orders", instant(&offer)).await.refused(status, code);
        if code == "offer_no_longer_available" {
            let id = text(&offer["id"]);
            let error = stage.get(&format!("/offers/{id}")).await.refused(status, code);
            assert!(error["source"].is_string(), "an airline's error names the airline");
            stage.post(&format!("/offers/{id}/actions/price"), json!({})).await.refused(422, code);
        }
    }
    assert!(stage.orders().await.is_empty());
    let held = stage.offer(one_way("JFK", "EWR"), |_| true).await;
    let held = done(&stage, "/orders", hold(&held)).await;
    assert_eq!(held["payment_status"]["awaiting_payment"], true);
}

#[tokio::test]
async fn lhr_stn_is_dearer_by_ten_at_every_reading() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("LHR", "STN"), |_| true).await;
    let path = format!("/offers/{}", text(&offer["id"]));
    for reading in 1..=3 {
        let read = stage.get(&path).await.data(200);
        let risen = amount(&offer["total_amount"]) + dec!(10) * Decimal::from(reading);
        assert_eq!(amount(&read["total_amount"]), risen);
        assert_eq!(amount(&read["base_amount"]) + amount(&read["tax_amount"]), risen);
    }
    let code = "payment_amount_does_not_match_order_amount";
    stage.post("/orders", instant(&offer)).await.refused(422, code);
    let read = stage.get(&path).await.data(200);
    assert_eq!(stage.buy(&read).await["total_amount"], read["total_amount"]);
}
