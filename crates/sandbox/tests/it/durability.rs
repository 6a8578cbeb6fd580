//! Orders and offers that outlast a kill.

use std::fs::OpenOptions;
use std::io::Write;

use reqwest::Method;
use serde_json::json;
use wayfare_domain::Clock;
use wayfare_sandbox::{LogError, Sandbox, Settings, StartError};

use crate::harness::*;
use crate::sales::*;

#[tokio::test]
async fn bookings_claims_and_offers_outlast_the_process_and_sessions_do_not() {
    for (supplier, again, session) in [
        ("duffel", Some("offer_request_already_booked"), None),
        ("tripjack", Some("400"), Some("1071")),
        ("liteapi", Some("4005"), Some("4002")),
        ("hotelbeds", None, None),
    ] {
        let folder = Folder::new(supplier);
        let stage = Stage::with(folder.settings()).await;
        let mut sold = Vec::new();
        for id in ["HTL-A-1", "HTL-B-1"] {
            let offer = found(&stage, supplier).await;
            let offer = priced(&stage, supplier, &offer).await.body;
            booked(&stage, supplier, &offer, id).await.unwrap();
            sold.push((offer, id));
        }
        cancel(&stage, supplier, &stage.orders().await[1]["id"]).await;
        let next = found(&stage, supplier).await;
        let session_of_next = priced(&stage, supplier, &next).await.body;
        let orders = stage.orders().await;
        assert_eq!(each(&orders, "status"), ["confirmed", "cancelled"]);
        let mut before = Vec::new();
        for (offer, id) in &sold {
            before.extend(looked_up(&stage, supplier, offer, id).await);
        }
        stage.sandbox.stop().await;

        let stage = Stage::with(folder.settings()).await;
        assert_eq!(stage.orders().await, orders);
        let mut after = Vec::new();
        for (offer, id) in &sold {
            after.extend(looked_up(&stage, supplier, offer, id).await);
        }
        assert_eq!((after.len(), after), (2, before));
        if let Some(code) = again {
            let (offer, id) = &sold[0];
            let refused = booked(&stage, supplier, offer, id).await.unwrap();
            is_refused(supplier, &refused, code, "");
        }
        if let Some(code) = session {
            let refused = booked(&stage, supplier, &session_of_next, "HTL-C-1").await.unwrap();
            is_refused(supplier, &refused, code, "");
        }
        // What was found needs no memory, and sold rooms are not forgotten.
        let offer = priced(&stage, supplier, &next).await.body;
        assert_eq!(offer["hotel"]["rooms"], session_of_next["hotel"]["rooms"]);
        booked(&stage, supplier, &offer, "HTL-D-1").await.unwrap();
        assert_eq!(stage.orders().await.len(), 3, "{supplier}");
    }
}

#[tokio::test]
async fn nobody_finds_the_orders_of_another() {
    let stage = Stage::open().await;
    for supplier in SUPPLIERS {
        let offer = found(&stage, supplier).await;
        let offer = priced(&stage, supplier, &offer).await.body;
        booked(&stage, supplier, &offer, "HTL-A-1").await.unwrap();
    }
    for order in stage.orders().await {
        for supplier in SUPPLIERS {
            let is_found = looked_up_by_id(&stage, supplier, &order["id"]).await == 200;
            assert_eq!(is_found, order["supplier"] == supplier, "{supplier}: {order}");
        }
    }
    assert_eq!(list(&stage.get("/orders").await.data(200)).len(), 1);
}

#[tokio::test]
async fn services_read_before_a_restart_can_be_bought_after_it_and_outlast_the_next() {
    let folder = Folder::new("services");
    let settings = folder.settings();
    let stage = Stage::with(settings.clone()).await;
    let offer = stage.any_offer().await;
    let path = format!("/offers/{}?return_available_services=true", text(&offer["id"]));
    let bag = stage.get(&path).await.data(200)["available_services"][0].clone();
    stage.sandbox.stop().await;

    let stage = Stage::with(settings.clone()).await;
    let mut order = instant(&offer);
    order["services"] = json!([{ "id": bag["id"], "quantity": 1 }]);
    let total = amount(&offer["total_amount"]) + amount(&bag["total_amount"]);
    order["payments"][0]["amount"] = json!(total.to_string());
    let order = stage.post("/orders", order).await.data(201);
    assert_eq!(amount(&order["total_amount"]), total);
    let id = text(&order["id"]);
    let change = format!("/orders/{id}/airline_change");
    assert_eq!(stage.control(Method::POST, &change, None).await.status, 201);
    let before = stage.get(&format!("/orders/{id}")).await.data(200);
    stage.sandbox.stop().await;

    let stage = Stage::with(settings).await;
    assert_eq!(stage.get(&format!("/orders/{id}")).await.data(200), before);
}

#[tokio::test]
async fn a_last_line_that_was_cut_short_is_dropped_and_a_damaged_one_is_not() {
    let folder = Folder::new("torn");
    let settings = folder.settings();
    let stage = Stage::with(settings.clone()).await;
    let order = stage.any_order().await;
    stage.sandbox.stop().await;

    let log = folder.log();
    let append =
        |text: &str| OpenOptions::new().append(true).open(&log).unwrap().write_all(text.as_bytes()).unwrap();
    append(r#"{"supplier":"duffel","id":"ord_"#);
    let stage = Stage::with(settings.clone()).await;
    assert_eq!(stage.orders().await.len(), 1);
    stage.any_order().await;
    stage.sandbox.stop().await;

    let stage = Stage::with(settings.clone()).await;
    let ids = each(&stage.orders().await, "id");
    assert_eq!((ids.len(), &ids[0]), (2, &order["id"]));
    stage.sandbox.stop().await;

    append("not an order\n");
    let refused = Sandbox::start_at(settings, Clock::frozen_at(start())).await.unwrap_err();
    assert!(matches!(refused, StartError::Log(LogError::Damaged { line: 3, .. })), "{refused}");
}

#[tokio::test]
async fn two_sandboxes_do_not_share_a_folder() {
    let folder = Folder::new("shared");
    let settings = folder.settings();
    let stage = Stage::with(settings.clone()).await;
    let refused = Sandbox::start(settings.clone()).await.unwrap_err();
    assert!(matches!(refused, StartError::Log(LogError::InUse { .. })), "{refused}");
    stage.sandbox.stop().await;
    Sandbox::start(settings).await.unwrap().stop().await;
}

#[tokio::test]
async fn a_port_that_is_taken_is_said_so_and_free_again_after_a_stop() {
    let stage = Stage::open().await;
    let bind = stage.sandbox.address();
    let refused = Sandbox::start(Settings { bind, ..settings() }).await.unwrap_err();
    assert!(matches!(refused, StartError::Bind { .. }), "{refused}");
    stage.sandbox.stop().await;
    Sandbox::start(Settings { bind, ..settings() }).await.unwrap().stop().await;
}
