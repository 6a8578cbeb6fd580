//! Papers of passengers at Duffel: demanded on one route, taken on another, and refused where an offer takes none.

use serde_json::{Value, json};

use crate::harness::*;

fn passport(expires_on: &str) -> Value {
    json!([{
        "type": "passport", "unique_identifier": "Z1234567", "issuing_country_code": "IN", "expires_on": expires_on,
    }])
}

fn with_papers(offer: &Value, papers: Value) -> Value {
    let mut order = instant(offer);
    order["passengers"][0]["identity_documents"] = papers;
    order
}

#[tokio::test]
async fn an_offer_says_whether_passports_are_demanded_and_taken() {
    let stage = Stage::open().await;
    for (from, to, required, types) in [
        ("BOM", "LHR", true, json!(["passport"])),
        ("DEL", "DXB", false, json!(["passport"])),
        ("DEL", "BOM", false, json!([])),
        ("DEL", "LHR", false, json!([])),
    ] {
        let offer = stage.offer(one_way(from, to), |_| true).await;
        has(
            &offer,
            json!({
                "passenger_identity_documents_required": required,
                "supported_passenger_identity_document_types": types,
                "allowed_passenger_identity_document_types": types,
            }),
        );
    }
}

#[tokio::test]
async fn an_order_has_the_passports_that_its_offer_demands_and_shows_none() {
    let stage = Stage::open().await;
    let offer = stage.offer(one_way("BOM", "LHR"), |_| true).await;
    let mut of_another_kind = passport("2031-01-01");
    of_another_kind[0]["type"] = json!("tax_id");
    for (papers, code) in [
        (Value::Null, "validation_required"),
        (json!([]), "validation_required"),
        (passport("2027-01-01"), "validation_inclusion"),
        (of_another_kind, "validation_inclusion"),
    ] {
        stage.post("/orders", with_papers(&offer, papers)).await.refused(422, code);
    }
    let order = done(&stage, "/orders", with_papers(&offer, passport("2031-01-01"))).await;
    assert!(!order.to_string().contains("Z1234567"), "{order}");
}

#[tokio::test]
async fn a_document_is_refused_where_an_offer_takes_none() {
    let stage = Stage::open().await;
    let home = stage.offer(one_way("DEL", "BOM"), |_| true).await;
    for papers in [passport("2031-01-01"), json!([])] {
        stage.post("/orders", with_papers(&home, papers)).await.refused(422, "invalid_field_sets");
    }
    stage.buy(&home).await;
    let abroad = stage.offer(one_way("DEL", "DXB"), |_| true).await;
    done(&stage, "/orders", with_papers(&abroad, passport("2031-01-01"))).await;
    let without = stage.offer(one_way("DEL", "DXB"), |_| true).await;
    stage.buy(&without).await;
}

#[tokio::test]
async fn memberships_count_at_the_airline_of_their_programme() {
    let stage = Stage::open().await;
    let of_zz = stage.offer(one_way("LHR", "JFK"), owned_by("ZZ")).await;
    let other = stage.offer(one_way("LHR", "JFK"), |offer| !owned_by("ZZ")(offer)).await;
    assert_eq!(of_zz["supported_loyalty_programmes"], json!(["ZZ"]));
    assert_eq!(other["supported_loyalty_programmes"], json!([]));
    let member = |offer: &Value| {
        let mut order = instant(offer);
        order["passengers"][0]["loyalty_programme_accounts"] =
            json!([{ "airline_iata_code": "ZZ", "account_number": "12345" }]);
        order
    };
    stage.post("/orders", member(&other)).await.refused(422, "validation_inclusion");
    done(&stage, "/orders", member(&of_zz)).await;
}
