//! What is asked for wrongly, or by those whose booking it is not.

use serde_json::{Value, json};

use super::stage;

#[tokio::test(flavor = "multi_thread")]
async fn each_field_at_fault_is_named() {
    let stage = stage().await;
    let (fare_key, _) = stage.cheapest().await;
    let traveller = |pairs: Value| json!({ "fare_keys": [fare_key], "passengers": pairs });
    let yesterday = (stage.world.now() - chrono::Duration::days(2)).date_naive();
    let journey = |name: &str, value: Value| {
        let mut body = json!({ "origin": "DEL", "destination": "BOM", "new_date": "2027-06-01" });
        body[name] = value;
        body
    };
    let table = [
        (
            "reschedule-avail",
            json!({}),
            "{origin this field is required} {destination this field is required} {new_date this field is required}",
        ),
        (
            "reschedule-avail",
            journey("origin", json!("DELHI")),
            "{origin must be a 3-letter IATA code}",
        ),
        (
            "reschedule-avail",
            journey("destination", json!("QQQ")),
            "{destination is not a known IATA airport code}",
        ),
        (
            "reschedule-avail",
            journey("destination", json!("DEL")),
            "{destination must differ from origin}",
        ),
        (
            "reschedule-avail",
            journey("new_date", json!("01/06/2027")),
            "{new_date must be a date (YYYYMMDD or YYYY-MM-DD)}",
        ),
        (
            "reschedule-avail",
            journey("new_date", json!("20270231")),
            "{new_date must be a date (YYYYMMDD or YYYY-MM-DD)}",
        ),
        (
            "reschedule-avail",
            journey("new_date", json!(yesterday)),
            "{new_date must not be in the past}",
        ),
        (
            "reschedule-avail",
            journey("remarks", json!("x".repeat(501))),
            "{remarks must have at most 500 characters}",
        ),
        (
            "reschedule-penalty",
            json!({}),
            "{fare_key this field is required}",
        ),
        ("reschedule", json!({}), "{fare_keys this field is required}"),
        (
            "reschedule",
            json!({ "fare_keys": [] }),
            "{fare_keys this field is required}",
        ),
        (
            "reschedule",
            json!({ "fare_keys": [fare_key, fare_key] }),
            "{fare_keys must each be named once}",
        ),
        (
            "reschedule",
            traveller(json!([{ "pax_index": 2 }])),
            "{passengers[0].pax_index is nobody of the booking}",
        ),
        (
            "reschedule",
            traveller(json!([{ "pax_index": 1, "first_name": "Bina", "last_name": "Sharma" }])),
            "{passengers[0] must have the name that is on the booking}",
        ),
        (
            "reschedule",
            traveller(json!([{ "pax_index": 1, "type": "CHD" }])),
            "{passengers[0].type must be as on the booking}",
        ),
        (
            "reschedule",
            json!({ "fare_keys": [fare_key], "contact_email": "new@sunrise.example" }),
            "{contact_phone this field is required}",
        ),
    ];
    for (what, body, faults) in table {
        let reply = stage.post(what, &body).await;
        reply.is(422, &format!("code=422, message=[{faults}]"));
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
