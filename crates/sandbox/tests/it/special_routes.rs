//! The routes on which Duffel's test mode rehearses a situation.

use rust_decimal::dec;
use serde_json::{Value, json};

use crate::harness::*;

fn first_slice(offer: &Value) -> &Vec<Value> {
    offer["slices"][0]["segments"].as_array().unwrap()
}

#[tokio::test]
async fn pvd_rai_has_no_offers() {
    let stage = Stage::open().await;
    assert!(stage.offers(one_way("PVD", "RAI")).await.is_empty());
}

#[tokio::test]
async fn jfk_ewr_can_only_be_held() {
    let stage = Stage::open().await;
    let offers = stage.offers(one_way("JFK", "EWR")).await;
    assert!(offers.len() >= 10 && offers.iter().all(holdable));
    let error = stage
        .post("/orders", instant(&offers[0]))
        .await
        .refused(422, "invalid_order_create_type");
    assert_eq!(
        (&error["type"], &error["source"]["pointer"]),
        (&json!("validation_error"), &json!("/type"))
    );
    assert_eq!(
        stage.post("/orders", hold(&offers[0])).await.data(201)["payment_status"]["awaiting_payment"],
        true
    );
}

#[tokio::test]
async fn lhr_dxb_has_only_connections() {
    let stage = Stage::open().await;
    let offers = stage.offers(one_way("LHR", "DXB")).await;
    assert!(offers.len() >= 10 && offers.iter().all(|offer| first_slice(offer).len() == 2));
}

#[tokio::test]
async fn dxb_ams_stops_inside_a_segment() {
    let stage = Stage::open().await;
    let offers = stage.offers(one_way("DXB", "AMS")).await;
    let direct: Vec<_> = offers
        .iter()
        .filter(|offer| first_slice(offer).len() == 1)
        .collect();
    assert!(direct.len() >= 10);
    for offer in direct {
        let stops = first_slice(offer)[0]["stops"].as_array().unwrap();
        assert_eq!(stops.len(), 1);
        assert!(stops[0]["airport"]["iata_code"].is_string() && stops[0]["duration"] == "PT1H");
    }
}

#[tokio::test]
async fn bts_mru_has_no_bags() {
    let stage = Stage::open().await;
    for offer in stage.offers(one_way("BTS", "MRU")).await {
        assert!(
            first_slice(&offer)
                .iter()
                .all(|segment| segment["passengers"][0]["baggages"] == json!([]))
        );
    }
}

#[tokio::test]
async fn bts_abv_has_no_services() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("BTS", "ABV"), |_| true).await;
    let id = offer["id"].as_str().unwrap();
    let read = stage
        .get(&format!("/offers/{id}?return_available_services=true"))
        .await
        .data(200);
    assert_eq!(read["available_services"], json!([]));
    assert_eq!(
        stage.get(&format!("/seat_maps?offer_id={id}")).await.data(200),
        json!([])
    );
}

#[tokio::test]
async fn stn_lhr_times_out() {
    let stage = Stage::open().await;
    let error = stage
        .post("/offer_requests", one_way("STN", "LHR"))
        .await
        .refused(504, "gateway_timeout_error");
    assert_eq!(error["type"], "api_error");
}

#[tokio::test]
async fn lgw_lhr_is_gone_when_it_is_read_and_when_it_is_booked() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("LGW", "LHR"), |_| true).await;
    let id = offer["id"].as_str().unwrap();
    let error = stage
        .get(&format!("/offers/{id}"))
        .await
        .refused(422, "offer_no_longer_available");
    assert!(
        error["source"].is_string(),
        "an airline's error names the airline"
    );
    stage
        .post(&format!("/offers/{id}/actions/price"), json!({}))
        .await
        .refused(422, "offer_no_longer_available");
    stage
        .post("/orders", instant(&offer))
        .await
        .refused(422, "offer_no_longer_available");
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn lhr_stn_is_dearer_by_ten_at_every_reading() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("LHR", "STN"), |_| true).await;
    let path = format!("/offers/{}", offer["id"].as_str().unwrap());
    let before = amount(&offer["total_amount"]);
    for reading in 1..=3 {
        let read = stage.get(&path).await.data(200);
        assert_eq!(
            amount(&read["total_amount"]),
            before + dec!(10) * rust_decimal::Decimal::from(reading)
        );
        assert_eq!(
            amount(&read["base_amount"]) + amount(&read["tax_amount"]),
            amount(&read["total_amount"])
        );
    }
    let code = "payment_amount_does_not_match_order_amount";
    stage.post("/orders", instant(&offer)).await.refused(422, code);
    let read = stage.get(&path).await.data(200);
    assert_eq!(stage.buy(&read).await["total_amount"], read["total_amount"]);
}

#[tokio::test]
async fn lhr_lgw_fails_at_the_order() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("LHR", "LGW"), |_| true).await;
    stage
        .post("/orders", instant(&offer))
        .await
        .refused(502, "airline_unknown");
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn lgw_stn_has_too_little_balance() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("LGW", "STN"), |_| true).await;
    stage
        .post("/orders", instant(&offer))
        .await
        .refused(422, "insufficient_balance");
}

#[tokio::test]
async fn a_special_route_is_an_ordinary_one_on_the_way_there_and_back() {
    let stage = Stage::open().await;
    assert!(!stage.offers(return_trip("PVD", "RAI")).await.is_empty());
    assert!(
        stage
            .offers(return_trip("LHR", "DXB"))
            .await
            .iter()
            .any(|offer| first_slice(offer).len() == 1)
    );
}
