//! What is asked for wrongly, or by those whose booking it is not.

use serde_json::json;
use wayfare_tests::{World, WorldOptions, faulty_bodies, one_way};

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
        /fare_keys      []                      {{fare_keys must have at least 1 item}}
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
        ("reschedule-penalty", json!({}), format!(".  {{}}  {{fare_key {REQUIRED}}}")),
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
        colleague.post(&format!("/flights/bookings/{}/{what}", stage.reference), &body).await.is_missing();
        let path = format!("/flights/bookings/{}/{what}", theirs.reference);
        colleague.post(&path, &body).await.is_missing();
        stage.agent.post(&path, &body).await.is_missing();
    }
    let offer = stage.agent.offer(&wayfare_tests::one_way("DEL", "BOM")).await;
    stage.reschedule(&json!(offer)).await.is_missing();
    stage.world.pass(1200);
    let penalty = stage.post("reschedule-penalty", &json!({ "fare_key": fare_key })).await;
    for late in [stage.reschedule(&fare_key).await, penalty] {
        late.is(400, "offer has expired, please search again");
    }
    assert_eq!(stage.world.supplier_orders().await.len(), 2);
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
        stage.post(what, &body).await.is(400, "booking is already cancelled");
    }
    stage.world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ticket_password_is_asked_for_and_guesses_count_with_those_at_book() {
    let (world, agency) = World::with(WorldOptions::limited()).await.and_agency().await;
    let (admin, agent) = (agency.admin("0").await, agency.agent("arjun", "1000000").await);
    let trip = one_way("DEL", "BOM");
    let bought = agent.buy(trip.clone()).await;
    for (key, value) in [("ticket_password", "open sesame"), ("ticket_password_enabled", "true")] {
        admin.put("/org/settings", &json!({ "key": key, "value": value })).await.ok();
    }
    let path = format!("/flights/bookings/{}/reschedule", bought.reference);
    let day = (world.now() + chrono::Duration::days(44)).date_naive();
    let journey = json!({ "origin": "DEL", "destination": "BOM", "new_date": day });
    let found = agent.post(&format!("{path}-avail"), &journey).await.ok();
    let mut body = json!({ "fare_keys": [found[0]["fare_key"]] });
    // What it costs may be asked without.
    agent.post(&format!("{path}-penalty"), &json!({ "fare_key": found[0]["fare_key"] })).await.ok();
    agent.post(&path, &body).await.is_invalid("{issue_ticket_password this field is required}");
    body["issue_ticket_password"] = json!("Open sesame");
    agent.post(&path, &body).await.is(403, "access denied");
    assert_eq!(world.line("select count(*) from bookings").await, "1");
    body["issue_ticket_password"] = json!("open sesame");
    agent.post(&path, &body).await.says(200, "booking rescheduled");

    let mut order = agent.order(&agent.quote(&trip).await, &trip);
    order["issue_ticket_password"] = json!("1234");
    let mut tries = 0;
    while agent.book(&order).await.status == 403 {
        tries += 1;
        assert!(tries < 50, "nobody guesses for long");
    }
    agent.post(&path, &body).await.is(429, "too many requests");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_of_one_journey_needs_no_names_and_may_go_elsewhere() {
    let stage = stage().await;
    let day = (stage.world.now() + chrono::Duration::days(44)).date_naive();
    let elsewhere = json!({ "origin": "DEL", "destination": "BLR", "new_date": day });
    let found = stage.post("reschedule-avail", &elsewhere).await.ok();
    let rescheduled = stage.reschedule(&found[0]["fare_key"]).await.ok();
    assert_has!(rescheduled, { "cancellation/status": "cancelled" });
    assert!(rescheduled["cancellation"].get("journeys").is_none());
    assert_eq!(stage.at_the_supplier().await, ["cancelled", "confirmed"]);
    stage.world.is_settled().await;
}
