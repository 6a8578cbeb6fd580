//! Booking an offer and paying at once.

use serde_json::{Value, json};

use crate::harness::*;

#[tokio::test]
async fn an_offer_is_booked_paid_and_ticketed_at_once() {
    let stage = Stage::open().await;
    let mut search = return_trip("DEL", "LHR");
    search["passengers"] = json!([{ "type": "adult" }, { "age": 9 }, { "type": "infant_without_seat" }]);
    let offer = stage.offer(search, |_| true).await;
    let order = stage.buy(&offer).await;

    for field in ["total_amount", "base_amount", "tax_amount", "total_currency", "conditions", "owner"] {
        assert_eq!(order[field], offer[field], "{field}");
    }
    has(&order, json!({ "type": "instant", "offer_id": offer["id"] }));
    assert_eq!(order["metadata"], json!({ "reference": "FA-7K2M9Q4X-1" }));
    assert_eq!(text(&order["booking_reference"]).len(), 6);
    assert_eq!(order["payment_status"]["awaiting_payment"], false);
    assert_eq!(order["available_actions"], json!(["cancel", "update"]));
    let documents = list(&order["documents"]);
    assert_eq!(documents.len(), 3);
    for (document, passenger) in documents.iter().zip(list(&order["passengers"])) {
        assert_eq!(text(&document["unique_identifier"]).len(), 13);
        assert_eq!(document["passenger_ids"], json!([passenger["id"]]));
    }
    let segments = |body: &Value| body["slices"][1]["segments"][0]["id"].clone();
    assert_eq!(segments(&order), segments(&offer));
    let read = stage.get(&path_of(&order)).await.data(200);
    assert_eq!(read, order);
}

#[tokio::test]
async fn an_offer_request_is_booked_once() {
    let stage = Stage::open().await;
    let offers = stage.offers(one_way("DEL", "BOM")).await;
    stage.buy(&offers[0]).await;
    for again in [&offers[0], &offers[1]] {
        stage.post("/orders", instant(again)).await.refused(422, "offer_request_already_booked");
    }
    assert_eq!(stage.orders().await.len(), 1);
}

#[tokio::test]
async fn two_orders_at_the_same_moment_make_one() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    let (one, other) =
        tokio::join!(stage.post("/orders", instant(&offer)), stage.post("/orders", instant(&offer)));
    let mut statuses = [one.status, other.status];
    statuses.sort();
    assert_eq!(statuses, [201, 422]);
}

#[tokio::test]
async fn a_payment_must_be_of_the_amount_and_in_the_currency_of_the_offer() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    let with = |path: &str, value: Value| {
        let mut order = instant(&offer);
        *order.pointer_mut(path).unwrap() = value;
        order
    };
    #[rustfmt::skip]
    let cases = [
        ("/payments/0/amount", json!("1.00"), "payment_amount_does_not_match_order_amount"),
        ("/payments/0/amount", json!(100), "validation_type"),
        ("/payments/0/currency", json!("USD"), "payment_currency_does_not_match_order_currency"),
        ("/payments/0/type", json!("airline_credit"), "validation_inclusion"),
        ("/payments", json!([]), "validation_required"),
    ];
    for (path, value, code) in cases {
        stage.post("/orders", with(path, value)).await.refused(422, code);
    }
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn passengers_must_be_the_offers_and_complete() {
    let stage = Stage::open().await;
    let mut search = one_way("DEL", "BOM");
    search["passengers"] = json!([{ "type": "adult" }, { "age": 9 }, { "type": "infant_without_seat" }]);
    let offer = stage.offer(search, |_| true).await;
    #[rustfmt::skip]
    let cases = [
        ("/passengers/0/id", json!("pas_0000AEdJFJSX3Q17VeEU0R"), "validation_inclusion"),
        ("/passengers/1/id", offer["passengers"][0]["id"].clone(), "validation_unique"),
        ("/passengers/0/title", json!("sir"), "validation_inclusion"),
        ("/passengers/0/gender", json!("female"), "validation_inclusion"),
        ("/passengers/0/given_name", json!("Asha2"), "validation_format"),
        ("/passengers/0/family_name", json!("An Extraordinarily Long Name"), "validation_length"),
        ("/passengers/0/born_on", json!("2020-01-01"), "validation_inclusion"),
        ("/passengers/1/born_on", json!("2010-01-01"), "validation_inclusion"),
        ("/passengers/0/email", json!("nowhere"), "validation_format"),
        ("/passengers/0/phone_number", json!("9812345678"), "invalid_phone_number"),
        ("/passengers/0/infant_passenger_id", json!(null), "validation_required"),
        ("/passengers/0/infant_passenger_id", offer["passengers"][1]["id"].clone(), "validation_inclusion"),
        ("/selected_offers/0", json!("off_0000AEdJFJSX3Q17VeEU0R"), "not_found"),
        ("/type", json!("later"), "validation_inclusion"),
    ];
    for (path, value, code) in cases {
        let mut order = instant(&offer);
        *order.pointer_mut(path).unwrap() = value;
        let answer = stage.post("/orders", order).await;
        let errors = answer.body["errors"].as_array().unwrap();
        assert_eq!(answer.status, 422);
        assert!(errors.iter().any(|error| error["code"] == code), "{path}: {}", answer.text);
    }
    let mut without_one = instant(&offer);
    without_one["passengers"].as_array_mut().unwrap().pop();
    stage.post("/orders", without_one).await.refused(422, "validation_length");
    let mut namesakes = instant(&offer);
    namesakes["passengers"][1]["given_name"] = json!("Asha");
    stage.post("/orders", namesakes).await.refused(422, "duplicate_passenger_name");
    assert!(stage.orders().await.is_empty());
}

#[tokio::test]
async fn orders_are_found_by_reference_offer_name_and_payment() {
    let stage = Stage::open().await;
    let mut orders = Vec::new();
    for to in ["BOM", "BLR", "MAA"] {
        let offer = stage.offer(one_way("DEL", to), holdable).await;
        stage.clock.advance(chrono::TimeDelta::minutes(1));
        let mut wanted = if to == "MAA" { hold(&offer) } else { instant(&offer) };
        wanted["passengers"][0]["family_name"] = json!(format!("Rao {to}"));
        orders.push(stage.post("/orders", wanted).await.data(201));
    }
    let find = async |query: &str| {
        let found = stage.get(&format!("/orders?{query}")).await.data(200);
        let ids: Vec<Value> = found.as_array().unwrap().iter().map(|order| order["id"].clone()).collect();
        ids.iter().map(|id| orders.iter().position(|order| order["id"] == *id).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(find("").await, [2, 1, 0], "newest first");
    assert_eq!(find("sort=created_at").await, [0, 1, 2]);
    assert_eq!(find(&format!("booking_reference={}", text(&orders[1]["booking_reference"]))).await, [1]);
    assert_eq!(find(&format!("offer_id={}", text(&orders[0]["offer_id"]))).await, [0]);
    assert_eq!(find("awaiting_payment=true").await, [2]);
    assert_eq!(find("awaiting_payment=false").await, [1, 0]);
    assert_eq!(find("passenger_name[]=rao%20blr").await, [1]);
    assert_eq!(find("passenger_name%5B%5D=Nobody").await, Vec::<usize>::new());
    let page = stage.get("/orders?limit=2").await;
    let after = text(&page.body["meta"]["after"]).replace('=', "%3D");
    assert_eq!(find(&format!("limit=2&after={after}")).await, [0]);
    stage.get("/orders?sort=price").await.refused(422, "validation_inclusion");
    stage.get("/orders/ord_0000AEdJFxag2IaNxbrlY1").await.refused(404, "not_found");
}

#[tokio::test]
async fn metadata_are_kept_and_replaced() {
    let stage = Stage::open().await;
    let order = stage.any_order().await;
    let path = path_of(&order);
    let changed = stage
        .patch(&path, json!({ "metadata": { "reference": "FA-7K2M9Q4X-2", "desk": "4" } }))
        .await
        .data(200);
    assert_eq!(changed["metadata"], json!({ "reference": "FA-7K2M9Q4X-2", "desk": "4" }));
    stage.patch(&path, json!({ "metadata": { "reference": 7 } })).await.refused(422, "validation_type");
    assert_eq!(stage.get(&path).await.data(200)["metadata"], changed["metadata"]);
    assert_eq!(stage.orders().await[0]["order_reference"], "FA-7K2M9Q4X-2");
}
