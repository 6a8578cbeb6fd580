//! Papers at TripJack: a review says which are demanded and taken, and a booking has to fit it.

use serde_json::{Value, json};

use super::harness::*;
use crate::harness::*;

fn gst() -> Value {
    json!({
        "gstNumber": "27AAPFU0939F1ZV", "registeredName": "Tara Travels", "email": "tax@tara.example",
        "mobile": "912212345678", "address": "1 Hill Road",
    })
}

/// The body with this at the pointer's end; null leaves it out.
fn with(body: &Value, object: &str, name: &str, value: Value) -> Value {
    let mut body = body.clone();
    let members = body.pointer_mut(object).unwrap().as_object_mut().unwrap();
    match value {
        Value::Null => members.remove(name),
        value => members.insert(name.to_owned(), value),
    };
    body
}

const FIRST: &str = "/travellerInfo/0";

#[tokio::test]
async fn conditions_follow_the_route() {
    let stage = Stage::open().await;
    for (from, to, expected) in [
        ("DEL", "BOM", json!({ "gst": { "gstappl": true, "igm": false }, "ipa": false })),
        ("DEL", "HYD", json!({ "gst": { "gstappl": true, "igm": true } })),
        ("BOM", "DXB", json!({ "ipa": true, "gst": { "gstappl": true, "igm": false } })),
        ("DEL", "KTM", json!({ "pcs": { "pm": false, "pped": false } })),
        (
            "DEL",
            "SIN",
            json!({ "pcs": { "pm": true, "pped": true }, "gst": { "gstappl": false, "igm": false } }),
        ),
        ("DEL", "COK", json!({ "dc": { "ida": true, "idm": false, "iqpe": false } })),
        ("BOM", "COK", json!({ "dc": { "ida": true, "idm": true, "iqpe": false } })),
    ] {
        let review = stage.first_review(from, to).await;
        has(&review["conditions"], expected);
        assert!(!list(&review["conditions"]["ffas"]).is_empty());
    }
}

#[tokio::test]
async fn what_is_demanded_is_there_and_what_is_not_taken_is_not() {
    let stage = Stage::open().await;
    for (from, to, object, name, value, code) in [
        ("DEL", "HYD", "", "gstInfo", Value::Null, "400"),
        ("DEL", "HYD", "/gstInfo", "mobile", json!(""), "400"),
        ("DEL", "SIN", "", "gstInfo", gst(), "400"),
        ("DEL", "SIN", FIRST, "pan", json!("ABCDE1234F"), "400"),
        ("DEL", "SIN", FIRST, "eD", json!("2027-08-20"), "1067"),
        ("BOM", "DXB", FIRST, "pan", Value::Null, "400"),
        ("BOM", "DXB", FIRST, "pan", json!("?"), "400"),
        ("BOM", "COK", FIRST, "di", Value::Null, "400"),
        ("DEL", "BOM", FIRST, "di", json!("117"), "400"),
        ("DEL", "BOM", FIRST, "pNum", json!("Z1234567"), "400"),
        ("DEL", "BOM", FIRST, "ff", json!({ "XX": "1" }), "400"),
    ] {
        let review = stage.first_review(from, to).await;
        let mut body = paid(&review);
        if to == "HYD" {
            body = with(&body, "", "gstInfo", gst());
        }
        if (from, to) == ("BOM", "DXB") {
            body = with(&body, FIRST, "pan", json!("ABCDE1234F"));
        }
        if (from, to) == ("BOM", "COK") {
            body = with(&body, FIRST, "di", json!("117"));
        }
        let wrong = stage.book(with(&body, object, name, value)).await;
        assert_eq!(wrong.body["errors"][0]["errCode"], code, "{from}-{to} {name}: {}", wrong.text);
        stage.book(body).await.done();
    }
}

#[tokio::test]
async fn passports_may_be_left_out_where_they_are_only_taken() {
    let stage = Stage::open().await;
    let review = stage.first_review("DEL", "KTM").await;
    stage.book(paid(&review)).await.done();
    let review = stage.first_review("DEL", "KTM").await;
    let without = with(&paid(&review), FIRST, "pNum", Value::Null);
    stage.book(without).await.done();
}
