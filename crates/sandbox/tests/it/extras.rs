//! Bags and seats: with the offer, and after the order.

use serde_json::{Value, json};

use crate::harness::*;

#[tokio::test]
async fn extras_are_priced_with_the_offer_and_bought_with_the_order() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("DEL", "BOM"), owned_by("6E")).await;
    let id = text(&offer["id"]);
    let read = stage.get(&format!("/offers/{id}?return_available_services=true")).await.data(200);
    let bag = &read["available_services"][0];
    assert_eq!((&bag["type"], &bag["metadata"]["maximum_weight_kg"]), (&json!("baggage"), &json!(23)));
    let maps = stage.get(&format!("/seat_maps?offer_id={id}")).await.data(200);
    let seat = free_seats(&maps).remove(0);
    let services = json!([{ "id": bag["id"], "quantity": 2 }, { "id": seat["id"], "quantity": 1 }]);

    let intended =
        json!({ "intended_payment_methods": [{ "type": "balance" }], "intended_services": services });
    let priced = done(&stage, &format!("/offers/{id}/actions/price"), intended).await;
    let due = amount(&offer["total_amount"])
        + amount(&bag["total_amount"]) * rust_decimal::dec!(2)
        + amount(&seat["total_amount"]);
    assert_eq!(amount(&priced["total_amount"]), due);
    assert_eq!(amount(&priced["base_amount"]) + amount(&priced["tax_amount"]), due);
    assert_eq!(priced["intended_services"], services);

    let mut wanted = instant(&priced);
    wanted["services"] = services;
    let order = stage.post("/orders", wanted).await.data(201);
    assert_eq!(order["total_amount"], priced["total_amount"]);
    let kinds = each(list(&order["services"]), "type");
    assert_eq!(kinds, ["baggage", "seat"]);
    let passenger = &order["slices"][0]["segments"][0]["passengers"][0];
    assert_eq!(passenger["seat"]["designator"], order["services"][1]["metadata"]["designator"]);
}

fn free_seats(maps: &Value) -> Vec<Value> {
    let mut seats = Vec::new();
    for row in list(&maps[0]["cabins"][0]["rows"]) {
        for section in list(&row["sections"]) {
            for element in list(&section["elements"]) {
                seats.extend(element["available_services"].as_array().into_iter().flatten().cloned());
            }
        }
    }
    seats
}

#[tokio::test]
async fn service_ids_of_an_earlier_reading_are_not_found() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    let path = format!("/offers/{}?return_available_services=true", text(&offer["id"]));
    let earlier = stage.get(&path).await.data(200)["available_services"][0]["id"].clone();
    let latest = stage.get(&path).await.data(200)["available_services"][0]["id"].clone();
    assert_ne!(earlier, latest);
    let mut order = instant(&offer);
    order["services"] = json!([{ "id": earlier, "quantity": 1 }]);
    stage.post("/orders", order.clone()).await.refused(422, "not_found");
    order["services"] = json!([{ "id": latest, "quantity": 1 }, { "id": latest, "quantity": 1 }]);
    stage.post("/orders", order.clone()).await.refused(422, "validation_unique");
    order["services"] = json!([{ "id": latest, "quantity": 9 }]);
    stage.post("/orders", order).await.refused(422, "validation_inclusion");
}

#[tokio::test]
async fn two_seats_for_one_passenger_are_refused() {
    let stage = Stage::open().await;
    let offer = stage.any_offer().await;
    let maps = stage.get(&format!("/seat_maps?offer_id={}", text(&offer["id"]))).await.data(200);
    let seats = free_seats(&maps);
    let mut order = instant(&offer);
    order["services"] =
        json!([{ "id": seats[0]["id"], "quantity": 1 }, { "id": seats[1]["id"], "quantity": 1 }]);
    stage.post("/orders", order).await.refused(422, "validation_unique");
}

#[tokio::test]
async fn a_bag_is_added_to_an_order_that_is_paid() {
    let stage = Stage::open().await;
    let order = stage.buy(&stage.offer(one_way("DEL", "BOM"), owned_by("6E")).await).await;
    let path = path_of(&order);
    let services = stage.get(&format!("{path}/available_services")).await.data(200);
    let bag = &services[0];
    let add = |quantity: u32, paid: &Value| {
        let payment = balance(paid, &bag["total_currency"]);
        json!({ "add_services": [{ "id": bag["id"], "quantity": quantity }], "payment": payment })
    };
    let code = "payment_amount_does_not_match_order_amount";
    stage.post(&format!("{path}/services"), add(2, &bag["total_amount"])).await.refused(422, code);
    let changed = done(&stage, &format!("{path}/services"), add(1, &bag["total_amount"])).await;
    let due = amount(&order["total_amount"]) + amount(&bag["total_amount"]);
    assert_eq!(amount(&changed["total_amount"]), due);
    assert_eq!(list(&changed["services"]).len(), 1);
    let left = stage.get(&format!("{path}/available_services")).await.data(200);
    assert_eq!(left[0]["maximum_quantity"], 1);
    stage.post(&format!("{path}/services"), add(2, &bag["total_amount"])).await.refused(422, "not_found");
}

#[tokio::test]
async fn duffel_airways_sells_nothing_after_the_order() {
    let stage = Stage::open().await;
    let order = stage.buy(&stage.offer(one_way("DEL", "BOM"), owned_by("ZZ")).await).await;
    let path = path_of(&order);
    assert_eq!(stage.get(&format!("{path}/available_services")).await.data(200), json!([]));
    let add = json!({ "add_services": [{ "id": "ase_0", "quantity": 1 }], "payment": balance(&json!("20.00"), &json!("INR")) });
    let answer = stage.post(&format!("{path}/services"), add).await;
    assert_eq!((answer.status, &answer.body["errors"][0]["code"]), (400, &json!(400)));
}

/// An order of IndiGo's with these services, and what they cost together.
pub(crate) async fn bought(stage: &Stage, search: Value, chosen: &[&str], kind: &str) -> (Value, Value) {
    let fits = |offer: &Value| owned_by("6E")(offer) && (kind == "instant" || holdable(offer));
    let offer = stage.offer(search, fits).await;
    let id = text(&offer["id"]);
    let read = stage.get(&format!("/offers/{id}?return_available_services=true")).await.data(200);
    let maps = stage.get(&format!("/seat_maps?offer_id={id}")).await.data(200);
    let (bag, seat) = (&read["available_services"][0], &free_seats(&maps)[0]);
    let services = chosen.iter().map(|kind| match *kind {
        "bag" => bag,
        _ => seat,
    });
    let services: Vec<&Value> = services.collect();
    let cost: rust_decimal::Decimal = services.iter().map(|service| amount(&service["total_amount"])).sum();
    let mut order = if kind == "hold" { hold(&read) } else { instant(&read) };
    order["services"] =
        services.iter().map(|service| json!({ "id": service["id"], "quantity": 1 })).collect();
    if kind == "instant" {
        let due = (amount(&read["total_amount"]) + cost).to_string();
        order["payments"] = json!([balance(&json!(due), &read["total_currency"])]);
    }
    let order = stage.post("/orders", order).await.data(201);
    (order, json!(cost.to_string()))
}

#[tokio::test]
async fn a_hold_may_have_services_which_are_paid_for_with_it() {
    let stage = Stage::open().await;
    let (held, cost) = bought(&stage, one_way("DEL", "BOM"), &["bag", "seat"], "hold").await;
    assert_eq!(list(&held["services"]).len(), 2);
    let fare = amount(&held["total_amount"]) - amount(&cost);

    let path = path_of(&held);
    let more = stage.get(&format!("{path}/available_services")).await.data(200)[0].clone();
    let add = |payment: Option<Value>| {
        let mut body = json!({ "add_services": [{ "id": more["id"], "quantity": 1 }] });
        if let Some(payment) = payment {
            body["payment"] = payment;
        }
        body
    };
    let paid = balance(&more["total_amount"], &more["total_currency"]);
    let code = "pay_later_order_no_payment_for_ancillaries";
    stage.post(&format!("{path}/services"), add(Some(paid))).await.refused(422, code);
    let held = stage.post(&format!("{path}/services"), add(None)).await.data(200);
    let total = fare + amount(&cost) + amount(&more["total_amount"]);
    assert_eq!(amount(&held["total_amount"]), total);
    assert_eq!(held["payment_status"]["awaiting_payment"], true);

    let payment = balance(&held["total_amount"], &held["total_currency"]);
    done(&stage, "/payments", json!({ "order_id": held["id"], "payment": payment })).await;
}

#[tokio::test]
async fn where_the_fare_gives_anything_back_so_do_bags_and_seats_are_kept() {
    let stage = Stage::open().await;
    let (order, _) = bought(&stage, one_way("DEL", "BOM"), &["bag", "seat"], "instant").await;
    let quote = json!({ "order_id": order["id"] });
    let refund = stage.post("/order_cancellations", quote).await.data(201);
    let condition = &order["conditions"]["refund_before_departure"];
    let seat = amount(&order["services"][1]["total_amount"]);
    assert_eq!(order["services"][1]["type"], "seat");
    let expected = if condition["allowed"] == true {
        amount(&order["total_amount"]) - seat - amount(&condition["penalty_amount"])
    } else {
        rust_decimal::Decimal::ZERO
    };
    assert_eq!(amount(&refund["refund_amount"]), expected);
}

#[tokio::test]
async fn services_that_appear_later_are_cut_off_and_hidden_from_look_ups_only() {
    let stage = Stage::open().await;
    let order = stage.buy(&stage.offer(one_way("DEL", "BOM"), owned_by("6E")).await).await;
    let path = path_of(&order);
    let bag = stage.get(&format!("{path}/available_services")).await.data(200)[0].clone();
    let payment = balance(&bag["total_amount"], &bag["total_currency"]);
    let add = json!({ "add_services": [{ "id": bag["id"], "quantity": 1 }], "payment": payment });
    stage.next("add_service", "appears_after:5000").await;
    assert!(stage.try_post(&format!("{path}/services"), add).await.is_err());
    let seen = stage.get(&path).await.data(200);
    has(&seen, json!({ "services": [], "total_amount": order["total_amount"] }));
    let due = amount(&order["total_amount"]) + amount(&bag["total_amount"]);
    assert_eq!(stage.orders().await[0]["amount"].to_string(), due.to_string());

    stage.clock.advance(chrono::TimeDelta::milliseconds(5_000));
    let seen = stage.get(&path).await.data(200);
    assert_eq!(amount(&seen["total_amount"]), due);
    assert_eq!(list(&seen["services"]).len(), 1);
}
