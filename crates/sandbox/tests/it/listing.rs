//! Offers: listing them, reading one again, and for how long.

use serde_json::json;

use crate::harness::*;

#[tokio::test]
async fn a_city_is_searched_as_its_airports() {
    let stage = Stage::open().await;
    let request = done(&stage, "/offer_requests", one_way("DEL", "LON")).await;
    let slice = &request["slices"][0];
    has(slice, json!({ "origin_type": "airport", "destination_type": "city" }));
    assert!(list(&slice["destination"]["airports"]).len() >= 4);
    for offer in list(&request["offers"]) {
        assert_eq!(offer["slices"][0]["destination"]["iata_city_code"], "LON");
    }
}

#[tokio::test]
async fn offers_are_listed_in_pages_cheapest_first() {
    let stage = Stage::open().await;
    let request = done(&stage, "/offer_requests?return_offers=false", one_way("DEL", "LHR")).await;
    assert_eq!(request.get("offers"), None);
    let id = text(&request["id"]);
    let mut totals = Vec::new();
    let mut after = String::new();
    loop {
        let page =
            stage.get(&format!("/offers?offer_request_id={id}&sort=total_amount&limit=7{after}")).await;
        totals
            .extend(page.body["data"].as_array().unwrap().iter().map(|offer| amount(&offer["total_amount"])));
        match page.body["meta"]["after"].as_str() {
            Some(cursor) => after = format!("&after={}", cursor.replace('=', "%3D")),
            None => break,
        }
    }
    assert!(totals.is_sorted());
    let whole = stage.get(&format!("/offer_requests/{id}")).await.data(200);
    assert_eq!(totals.len(), list(&whole["offers"]).len());
    stage.get("/offers?offer_request_id=orq_0000").await.refused(404, "not_found");
    stage.get("/offers").await.refused(422, "validation_required");
}

#[tokio::test]
async fn an_offer_stands_for_half_an_hour() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    let path = format!("/offers/{}", text(&offer["id"]));
    assert_eq!(stage.get(&path).await.data(200)["total_amount"], offer["total_amount"]);
    stage.clock.advance(chrono::TimeDelta::minutes(30));
    stage.get(&path).await.refused(422, "offer_no_longer_available");
    stage.post("/orders", instant(&offer)).await.refused(422, "offer_expired");
}

#[tokio::test]
async fn prices_are_in_the_currency_asked_for() {
    let yen = Stage::with(wayfare_sandbox::Settings { currency: "JPY".to_owned(), ..settings() }).await;
    let offer = yen.offer(one_way("HND", "CTS"), |_| true).await;
    assert_eq!((offer["total_currency"].as_str(), amount(&offer["total_amount"]).scale()), (Some("JPY"), 0));
    let unknown = wayfare_sandbox::Settings { currency: "XXX".to_owned(), ..settings() };
    assert!(wayfare_sandbox::Sandbox::start(unknown).await.is_err());
}

#[tokio::test]
async fn flights_of_today_that_have_left_are_not_sold() {
    let stage = Stage::open().await;
    let mut search = one_way("LHR", "EDI");
    search["slices"][0]["departure_date"] = json!("2027-01-10");
    for offer in stage.offers(search).await {
        let departs = text(&offer["slices"][0]["segments"][0]["departing_at"]);
        assert!(departs > "2027-01-10T13:00:00", "{departs}");
    }
}
