//! Who may travel: the party that was priced, of the right ages, each infant on an adult of its own.

use chrono::Duration;
use serde_json::{Value, json};
use wayfare_tests::{Person, Trip, World, faulty_bodies, one_way, round_trip};

async fn order(agent: &Person, trip: &Trip) -> Value {
    agent.order(&agent.quote(trip).await, trip)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passenger_is_refused_for_each_thing_that_is_wrong() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let order = order(&agent, &one_way("DEL", "BOM").party(2, 1, 1)).await;
    let last_day = (world.now() + Duration::days(30)).date_naive();
    let born = |years: u32, days: i64| last_day - chrono::Months::new(12 * years) + Duration::days(days);
    let (almost_12, just_12) = (born(12, 1), born(12, 0));
    let (almost_2, just_2, unborn) = (born(2, 1), born(2, 0), born(0, 1));
    let in_two_days = (world.now() + Duration::days(2)).date_naive();
    let name = "must be letters, spaces, hyphens and apostrophes";
    let no_adult = "{passengers[3].infant_ref must be the pax_index of an adult without an infant}";
    let table = format!(
        r#"
        /contact_email           "nobody"               {{contact_email must be an e-mail address}}
        /contact_email           "a@b@c.d"              {{contact_email must be an e-mail address}}
        /contact_email           "a b@c.d"              {{contact_email must be an e-mail address}}
        /contact_email           "a@c.d\r\nBcc: x@y.z"  {{contact_email must be an e-mail address}}
        /contact_phone           "98-12"                {{contact_phone has 4 digits behind +91, which no number there has}}
        /contact_country_code    "9191"                 {{contact_country_code must be the calling code of a country, such as 91}}
        /contact_country_code    null                   {{contact_country_code this field is required}}
        /passengers/0/first_name  "R2D2"                 {{passengers[0].first_name {name}}}
        /passengers/3/last_name  "--"                   {{passengers[3].last_name {name}}}
        /passengers/1/last_name  "{long}"               {{passengers[1].last_name must have at most 50 characters}}
        /passengers/0/type       "adult"                {{passengers[0].type must be one of ADT, CHD, INF}}
        /passengers/0/title      "Lord"                 {{passengers[0].title must be one of Mr, Mrs, Ms, Miss, Mstr, Dr}}
        /passengers/0/title      "Mstr"                 {{passengers[0].title is no title of a ADT}}
        /passengers/2/title      "Dr"                   {{passengers[2].title is no title of a CHD}}
        /passengers/3/title      "Mrs"                  {{passengers[3].title is no title of a INF}}
        /passengers/0/dob        "1990-13-01"           {{passengers[0].dob must be a date (YYYY-MM-DD)}}
        /passengers/1/pax_index  1                      {{passengers[1].pax_index must be unique}}
        /passengers/1/pax_index  0                      {{passengers[1].pax_index must be between 1 and 27}}
        /passengers/0/dob        "1880-01-01"           {{passengers[0].dob must be within the last 120 years}}
        /passengers/3/dob        "{in_two_days}"        {{passengers[3].dob must not be in the future}}
        /passengers/0/dob        "{almost_12}"          {{passengers[0].dob does not make a ADT {on_the_day}}}
        /passengers/2/dob        "{just_12}"            {{passengers[2].dob does not make a CHD {on_the_day}}}
        /passengers/2/dob        "{almost_2}"           {{passengers[2].dob does not make a CHD {on_the_day}}}
        /passengers/3/dob        "{just_2}"             {{passengers[3].dob does not make a INF {on_the_day}}}
        /passengers/3/dob        "{unborn}"             {{passengers[3].dob must not be in the future}}
        /passengers/3/infant_ref  3                      {no_adult}
        /passengers/3/infant_ref  "1"                    {{passengers[3].infant_ref must be a whole number}}
        "#,
        long = "x".repeat(51),
        on_the_day = "on the day of the last flight",
    );
    for (wrong, faults) in faulty_bodies(&order, &table) {
        agent.book(&wrong).await.is_invalid(&faults);
    }
    let mut two_children = order.clone();
    two_children["passengers"][1]["type"] = json!("CHD");
    agent.book(&two_children).await.is_invalid(
        "{passengers must have 2 of type ADT but has 1} {passengers must have 1 of type CHD but has 2} \
         {passengers[1].dob does not make a CHD on the day of the last flight}",
    );
    let mut fewer = order.clone();
    fewer["passengers"].as_array_mut().unwrap().pop();
    agent.book(&fewer).await.is_invalid("{passengers must have 1 of type INF but has 0}");
    world.nothing_happened().await;
    agent.book(&order).await.ok();
    world.books_agree().await;
}

/// Countries that share a code are told apart by digits that people type as the code's, as the number's, or as both.
#[tokio::test(flavor = "multi_thread")]
async fn a_shared_calling_code_may_be_typed_with_its_digits_and_the_number_with_them_too() {
    let (_world, _, agent) = World::start().await.and_agent("1000000").await;
    for (code, phone, stored) in [
        ("1-876", "876 555 1234", "8765551234"),
        ("1-876", "555 1234", "8765551234"),
        ("44-1481", "01481 960194", "1481960194"),
        ("1-684", "(684) 733-1234", "6847331234"),
    ] {
        let mut order = order(&agent, &one_way("DEL", "BOM")).await;
        order["allow_duplicate"] = json!(true);
        order["contact_country_code"] = json!(code);
        order["contact_phone"] = json!(phone);
        let booking = agent.booking(agent.book(&order).await.ok()["booking_ref"].as_str().unwrap()).await;
        assert_eq!(booking["contact_details"]["phone"], stored, "{code} {phone}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_name_passengers_by_their_place_in_the_request() {
    let (_world, _, agent) = World::start().await.and_agent("1000000").await;
    let mut order = order(&agent, &one_way("DEL", "BOM").party(2, 1, 0)).await;
    order["passengers"].as_array_mut().unwrap().reverse();
    order["passengers"][0]["dob"] = json!("1980-01-01");
    let refused = agent.book(&order).await;
    refused.is_invalid("{passengers[0].dob does not make a CHD on the day of the last flight}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_flights_day_decides_the_age() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let mut order = order(&agent, &round_trip("DEL", "BOM").party(1, 0, 1)).await;
    // Two years old between the two flights: an infant on the way there only.
    let birthday = (world.now() + Duration::days(33)).date_naive() - chrono::Months::new(24);
    order["passengers"][1]["dob"] = json!(birthday);
    let refused = agent.book(&order).await;
    refused.is_invalid("{passengers[1].dob does not make a INF on the day of the last flight}");
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn infants_sit_on_the_adult_they_name_or_on_the_next_free_one() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let mut order = order(&agent, &one_way("DEL", "BOM").party(2, 0, 2)).await;
    order["passengers"][3]["infant_ref"] = json!(1);
    let mut taken = order.clone();
    taken["passengers"][2]["infant_ref"] = json!(1);
    let refused = agent.book(&taken).await;
    refused.is_invalid("{passengers[3].infant_ref must be the pax_index of an adult without an infant}");
    // Titles and genders as clients write them; names as passports have them.
    order["passengers"][0]["title"] = json!("MR");
    order["passengers"][0]["gender"] = json!("male");
    order["passengers"][0]["last_name"] = json!("O'Neill-Łukasz");
    let booked = agent.book(&order).await.ok();
    let held = "select string_agg(t->>'index' || ' on ' || (t->>'held_by'), ', ' order by t->>'index')
        from bookings, jsonb_array_elements(product_content->'travellers') t where t->>'kind' = 'INF'";
    assert_eq!(world.line(held).await, "3 on 2, 4 on 1");
    let detail = agent.booking(booked["booking_ref"].as_str().unwrap()).await;
    assert_has!(detail["passengers"][0], { "last_name": "O'Neill-Łukasz", "title": "Mr", "gender": "M" });
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_the_supplier_cannot_print_is_refused_before_anything_is_held() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let mut order = agent.order_for(&one_way("DEL", "BOM")).await;
    order["passengers"][0]["first_name"] = json!("Мария");
    order["passengers"][0]["last_name"] = json!("Abcdefghijklmnopqrstu");
    agent.book(&order).await.is_invalid(
        "{passengers[0].first_name must be in Latin letters for this supplier, as the passport spells it} \
         {passengers[0].last_name must have at most 20 characters for this supplier}",
    );
    assert_eq!(world.line("select count(*)::text from bookings").await, "0");
    order["passengers"][0]["first_name"] = json!("Łukasz");
    order["passengers"][0]["last_name"] = json!("O'Neill");
    agent.book(&order).await.ok();
}
