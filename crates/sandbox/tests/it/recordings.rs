//! Field by field against answers that the real Duffel gave.
//!
//! They are not part of this project: with `WAYFARE_RECORDINGS` set to the folder that holds them, each path in them
//! (places in lists left out) must be in the sandbox's answer, too. Without them, this test says that it did not run.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use wayfare_stub_server::recordings;

use crate::harness::*;

/// Visits everything in a body, under its path.
pub(crate) fn visit(value: &Value, at: &str, found: &mut impl FnMut(&str, &Value)) {
    found(at, value);
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| visit(member, &format!("{at}.{name}"), found))
        }
        Value::Array(items) => items.iter().for_each(|item| visit(item, &format!("{at}[]"), found)),
        _ => {}
    }
}

fn all_paths(values: &[Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut keep = |path: &str, _: &Value| {
        found.insert(path.to_owned());
    };
    values.iter().for_each(|value| visit(value, "", &mut keep));
    found
}

/// Answers of one real supplier, in whatever files they are.
pub(crate) struct Recordings;

impl Recordings {
    /// The recordings of this supplier, where all are there that these tests know.
    pub(crate) fn open(supplier: &str) -> Option<Self> {
        recordings::are_here(supplier).then_some(Self)
    }

    /// One answer, by its supplier and its name.
    pub(crate) fn read(&self, supplier: &str, name: &str) -> Value {
        recordings::json(supplier, name).unwrap()
    }

    /// Everything that a recorded answer has is in ours, but for what is left out, with all that is in it.
    pub(crate) fn is_covered(&self, supplier: &str, name: &str, answers: &[Value], left_out: &[&str]) {
        let (ours, theirs) = (all_paths(answers), all_paths(&[self.read(supplier, name)]));
        let is_left_out = |path: &&String| left_out.iter().any(|left_out| path.starts_with(left_out));
        let missing: Vec<_> = theirs.difference(&ours).filter(|path| !is_left_out(path)).collect();
        assert!(missing.is_empty(), "{name} has what the sandbox lacks: {missing:#?}");
    }
}

#[tokio::test]
async fn every_field_that_duffel_sent_is_sent_here() {
    let Some(recordings) = Recordings::open("duffel") else { return };
    let stage = Stage::open().await;
    let mut by_city = one_way("NYC", "LON");
    by_city["cabin_class"] = json!(null);
    let search = stage.post("/offer_requests", by_city).await.body;
    let search_id = text(&search["data"]["id"]).to_owned();
    let searched = stage.get(&format!("/offer_requests/{search_id}")).await.body;
    let offers = stage.get(&format!("/offers?offer_request_id={search_id}")).await.body;
    let mut with_services = Vec::new();
    // Only on a few routes an offer takes documents.
    for destination in ["LHR", "DXB"] {
        for offer in stage.offers(one_way("DEL", destination)).await {
            let path = format!("/offers/{}?return_available_services=true", text(&offer["id"]));
            with_services.push(stage.get(&path).await.body);
        }
    }

    let fits = |offer: &Value| owned_by("AI")(offer) && refundable(offer);
    let offer = stage.offer(one_way("DEL", "LHR"), fits).await;
    let id = text(&offer["id"]);
    let maps = stage.get(&format!("/seat_maps?offer_id={id}")).await.body;
    let with_bags = stage.get(&format!("/offers/{id}?return_available_services=true")).await.data(200);
    let (bag, seat) = (&with_bags["available_services"][0], seat(&maps));
    let services = json!([{ "id": bag["id"], "quantity": 1 }, { "id": seat["id"], "quantity": 1 }]);
    let intended = json!({ "intended_services": services });
    let priced = done(&stage, &format!("/offers/{id}/actions/price"), intended).await;
    let mut wanted = instant(&priced);
    wanted["services"] = services;
    let order = stage.post("/orders", wanted).await.body;
    let order_id = text(&order["data"]["id"]).to_owned();
    let orders = stage.get("/orders?limit=1").await.body;
    let sold = stage.get(&format!("/orders/{order_id}/available_services")).await.body;
    let change = format!("/orders/{order_id}/airline_change");
    assert_eq!(stage.control(Method::POST, &change, None).await.status, 201);
    let changed = stage.get(&format!("/orders/{order_id}")).await.data(200);
    let change = changed["airline_initiated_changes"][0].clone();
    let quote = stage.post("/order_cancellations", json!({ "order_id": order_id })).await.body;

    let holdable = stage.offer(one_way("DEL", "BOM"), holdable).await;
    let held = done(&stage, "/orders", hold(&holdable)).await;
    let payment =
        json!({ "order_id": held["id"], "payment": balance(&held["total_amount"], &held["total_currency"]) });
    let paid = done(&stage, "/payments", payment).await;
    // Our single answers have no `meta`, which is null in theirs.
    let paid = json!({ "meta": null, "data": paid });
    let invalid = stage.post("/offer_requests", json!({})).await.body;
    let gone = stage.offer(one_way("LHR", "LGW"), |_| true).await;
    let airline = stage.post("/orders", instant(&gone)).await.body;
    let missing = stage.get("/orders/ord_0").await.body;
    let booking =
        "js/booking__AirlineInitiatedChanges__mockAirlineInitiatedChanges__mockAirlineInitiatedChange.json";
    for (name, answers) in [
        ("ruby/offer_requests__create_with_offers.json", vec![search]),
        ("ruby/offer_requests__show.json", vec![searched]),
        ("ruby/offers__list.json", vec![offers]),
        ("ruby/offers__show.json", with_services.clone()),
        ("java/offers_by_id_with_services.json", with_services),
        ("ruby/seat_maps__list.json", vec![maps]),
        ("ruby/orders__show.json", vec![order]),
        ("ruby/orders__list.json", vec![orders]),
        ("java/order_available_services.json", vec![sold]),
        (booking, vec![change]),
        ("ruby/order_cancellations__show.json", vec![quote.clone()]),
        ("java/order_cancellation.json", vec![quote]),
        ("ruby/payments__show.json", vec![paid.clone()]),
        ("python/create-payment.json", vec![paid]),
        ("ruby/validation_error.json", vec![invalid]),
        ("ruby/airline_error.json", vec![airline.clone()]),
        ("java/exceptions__500_airline_internal.json", vec![airline]),
        ("ruby/api_error.json", vec![missing.clone()]),
        ("ruby/authentication_error.json", vec![missing.clone()]),
        ("ruby/invalid_request_error.json", vec![missing.clone()]),
        ("ruby/invalid_state_error.json", vec![missing.clone()]),
        ("ruby/rate_limit_error.json", vec![missing]),
    ] {
        recordings.is_covered("duffel", name, &answers, &[]);
    }
}

fn refundable(offer: &Value) -> bool {
    offer["conditions"]["refund_before_departure"]["penalty_amount"].is_string()
}

fn seat(maps: &Value) -> Value {
    let rows = list(&maps["data"][0]["cabins"][0]["rows"]);
    let sections = rows.iter().flat_map(|row| list(&row["sections"]));
    let elements = sections.flat_map(|section| list(&section["elements"]));
    elements
        .flat_map(|element| element["available_services"].as_array().into_iter().flatten())
        .next()
        .unwrap()
        .clone()
}
