//! Orders and offers that outlast a kill.

use std::fs::OpenOptions;
use std::io::Write;

use reqwest::Method;
use serde_json::json;
use wayfare_domain::Clock;
use wayfare_sandbox::{LogError, Sandbox, Settings, StartError};

use crate::harness::*;

#[tokio::test]
async fn orders_offers_and_claims_outlast_the_process() {
    let folder = Folder::new("restart");
    let settings = folder.settings();
    let stage = Stage::with(settings.clone()).await;
    let offers = stage.offers(one_way("DEL", "BOM")).await;
    let other = stage.offer(return_trip("DEL", "LHR"), |_| true).await;
    let order = stage.buy(&offers[0]).await;
    let quote = done(&stage, "/order_cancellations", json!({ "order_id": order["id"] })).await;
    stage.sandbox.stop().await;

    let stage = Stage::with(settings.clone()).await;
    let mut found = stage.get(&path_of(&order)).await.data(200);
    assert_eq!(found["cancellation"].take(), quote);
    let mut before = order.clone();
    before["cancellation"].take();
    assert_eq!(found, before);
    refuses(
        &stage,
        "/orders",
        instant(&offers[1]),
        "offer_request_already_booked",
    )
    .await;
    let confirm = confirm_path(&quote);
    stage.post(&confirm, json!({})).await.data(200);
    // An offer needs no memory.
    let id = text(&other["id"]);
    let again = stage.get(&format!("/offers/{id}")).await.data(200);
    has(
        &again,
        json!({ "total_amount": other["total_amount"], "slices": other["slices"] }),
    );
    stage.buy(&other).await;
    stage.sandbox.stop().await;

    let stage = Stage::with(settings).await;
    let statuses = each(&stage.orders().await, "status");
    assert_eq!(statuses, ["cancelled", "confirmed"]);
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
    let append = |text: &str| {
        OpenOptions::new()
            .append(true)
            .open(&log)
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap()
    };
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
    let refused = Sandbox::start_at(settings, Clock::frozen_at(start()))
        .await
        .unwrap_err();
    assert!(
        matches!(refused, StartError::Log(LogError::Damaged { line: 3, .. })),
        "{refused}"
    );
}

#[tokio::test]
async fn two_sandboxes_do_not_share_a_folder() {
    let folder = Folder::new("shared");
    let settings = folder.settings();
    let stage = Stage::with(settings.clone()).await;
    let refused = Sandbox::start(settings.clone()).await.unwrap_err();
    assert!(
        matches!(refused, StartError::Log(LogError::InUse { .. })),
        "{refused}"
    );
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
    Sandbox::start(Settings { bind, ..settings() })
        .await
        .unwrap()
        .stop()
        .await;
}
