//! What is asked for wrongly, or by those whose booking it is not.

use serde_json::json;
use wayfare_tests::faulty_bodies;

use super::stage;

const REQUIRED: &str = "this field is required";

#[tokio::test(flavor = "multi_thread")]
async fn each_field_at_fault_is_named() {
    let stage = stage().await;
    let (fare_key, _) = stage.cheapest().await;
    let yesterday = (stage.world.now() - chrono::Duration::days(2)).date_naive();
    let long = "x".repeat(501);
    let date = "must be a date (YYYYMMDD or YYYY-MM-DD)";
    let journeys = format!(
        r#"
        .             {{}}            {{origin {REQUIRED}}} {{destination {REQUIRED}}} {{new_date {REQUIRED}}}
        /origin       "DELHI"       {{origin must be a 3-letter IATA code}}
        /destination  "QQQ"         {{destination is not a known IATA airport code}}
        /destination  "DEL"         {{destination must differ from origin}}
        /new_date     "01/06/2027"  {{new_date {date}}}
        /new_date     "20270231"    {{new_date {date}}}
        /new_date     "{yesterday}"  {{new_date must not be in the past}}
        /remarks      "{long}"      {{remarks must have at most 500 characters}}
        "#
    );
    let orders = format!(
        r#"
        /fare_keys      null                    {{fare_keys {REQUIRED}}}
        /fare_keys      []                      {{fare_keys {REQUIRED}}}
        /fare_keys      [{fare_key}, {fare_key}]  {{fare_keys must each be named once}}
        /passengers     [{{ "pax_index": 2 }}]  {{passengers[0].pax_index is nobody of the booking}}
        /passengers     [{{ "pax_index": 1, "first_name": "Bina", "last_name": "Sharma" }}]  {{passengers[0] {name}}}
        /passengers     [{{ "pax_index": 1, "type": "CHD" }}]  {{passengers[0].type must be as on the booking}}
        /contact_email  "new@sunrise.example"   {{contact_phone {REQUIRED}}}
        "#,
        name = "must have the name that is on the booking",
    );
    let journey = json!({ "origin": "DEL", "destination": "BOM", "new_date": "2027-06-01" });
    for (what, good, table) in [
        ("reschedule-avail", journey, journeys),
        (
            "reschedule-penalty",
            json!({}),
            format!(".  {{}}  {{fare_key {REQUIRED}}}"),
        ),
        ("reschedule", json!({ "fare_keys": [fare_key] }), orders),
    ] {
        for (body, faults) in faulty_bodies(&good, &table) {
            stage.post(what, &body).await.is_invalid(&faults);
        }
    }
    stage.is_untouched().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_their_searchers_and_expire() {
    let stage = stage().await;
    let (fare_key, _) = stage.cheapest().await;
    let colleague = stage.agency.agent("bina", "1000000").await;
    let theirs = colleague.buy(wayfare_tests::one_way("DEL", "BLR")).await;
    for (what, body) in [
        ("reschedule", json!({ "fare_keys": [fare_key] })),
        ("reschedule-penalty", json!({ "fare_key": fare_key })),
    ] {
        // Neither the other's booking with an own key, nor an own booking with the other's key.
        let path = format!("/flights/bookings/{}/{what}", stage.reference);
        colleague.post(&path, &body).await.is_missing();
        let path = format!("/flights/bookings/{}/{what}", theirs.reference);
        colleague.post(&path, &body).await.is_missing();
        stage.agent.post(&path, &body).await.is_missing();
    }
    let offer = stage.agent.offer(&wayfare_tests::one_way("DEL", "BOM")).await;
    stage.reschedule(&json!(offer)).await.is_missing();
    stage.world.pass(1200);
    stage
        .reschedule(&fare_key)
        .await
        .is(400, "offer has expired, please search again");
    stage
        .post("reschedule-penalty", &json!({ "fare_key": fare_key }))
        .await
        .is(400, "offer has expired, please search again");
    let orders = stage.world.supplier_orders().await;
    assert_eq!(orders.len(), 2);
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_booking_that_stands_is_rescheduled() {
    let stage = stage().await;
    let (fare_key, _) = stage.cheapest().await;
    stage.agent.cancels(&stage.reference).await;
    let journey = json!({ "origin": "DEL", "destination": "BOM", "new_date": "2027-06-01" });
    for (what, body) in [
        ("reschedule-avail", journey),
        ("reschedule-penalty", json!({ "fare_key": fare_key })),
        ("reschedule", json!({ "fare_keys": [fare_key] })),
    ] {
        stage
            .post(what, &body)
            .await
            .is(400, "booking is already cancelled");
    }
    stage.world.is_settled().await;
}
