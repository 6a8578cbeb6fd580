//! Bad requests: each is refused with its status and exact text, and names every field at fault.

use reqwest::Method;
use serde_json::json;
use wayfare_tests::{World, faulty_bodies, one_way};

const REQUIRED: &str = "this field is required";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_json_is_told_with_its_position() {
    let (_world, _, agent) = World::start().await.and_agent("1000").await;
    for (body, text) in [
        ("", "malformed JSON at line 1 column 0"),
        ("{", "malformed JSON at line 1 column 1"),
        ("{\n  \"search_params\": }", "malformed JSON at line 2 column 20"),
        ("{} {}", "malformed JSON at line 1 column 4"),
        ("\u{feff}{", "malformed JSON at line 1 column 1"),
        ("\u{feff}\u{feff}{}", "malformed JSON at line 1 column 1"),
        ("{\"a\": NaN}", "malformed JSON at line 1 column 7"),
        ("{'a': 1}", "malformed JSON at line 1 column 2"),
    ] {
        for path in ["/flights/search", "/flights/price", "/flights/book", "/auth/login"] {
            agent.post_text(path, body).await.is(400, text);
        }
    }
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    agent.post_text("/flights/search", &deep).await.is(400, "malformed JSON at line 1 column 132");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mark_before_utf_8_is_taken_and_another_encoding_is_named() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    let put = |body: Vec<u8>| agent.send_text(Method::PUT, "/me", body);
    let text = "{\"name\": \"Jos\u{e9} Rao\"}";
    assert_eq!(put(format!("\u{feff}{text}").into_bytes()).await.ok()["name"], "Jos\u{e9} Rao");

    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let wide: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    for (body, reason) in [
        (little.clone(), "not UTF-16"),
        ([vec![0xff, 0xfe], little].concat(), "not UTF-16"),
        ([vec![0xfe, 0xff], big].concat(), "not UTF-16"),
        ([vec![0xff, 0xfe, 0, 0], wide].concat(), "not UTF-32"),
        (latin, "which byte 14 is not"),
    ] {
        put(body).await.is(400, &format!("the body must be UTF-8, {reason}"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_object_is_told() {
    let (_world, _, agent) = World::start().await.and_agent("1000").await;
    for body in ["[]", "7", "null", "\"text\"", "true"] {
        for path in ["/flights/search", "/flights/price", "/flights/book", "/auth/login"] {
            agent.post_text(path, body).await.is_invalid("{body must be an object}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_names_every_field_at_fault() {
    let (world, _, agent) = World::start().await.and_agent("1000").await;
    let yesterday = world.now().date_naive() - chrono::Duration::days(2);
    let far = world.now().date_naive() + chrono::Duration::days(400);
    let slice = |from: &str, to: &str| json!({ "origin": from, "destination": to, "departure_date": world.now().date_naive() + chrono::Duration::days(9) });
    let table = [
        (json!({}), "{search_params this field is required} {slices this field is required}"),
        (
            json!({ "search_params": {}, "slices": [{}] }),
            "{search_params.trip_type this field is required} {search_params.cabin_class this field is required} \
             {search_params.passengers this field is required} {slices[0].origin this field is required} \
             {slices[0].destination this field is required} {slices[0].departure_date this field is required}",
        ),
        (
            json!({ "search_params": 7, "slices": "DEL-BOM" }),
            "{search_params must be an object} {slices must be an array}",
        ),
        (
            json!({
                "search_params": {
                    "trip_type": "CIRCLE", "cabin_class": 1, "passengers": { "adults": "2", "children": 1.5 },
                    "preferred_currency": "rupees", "direct_flights_only": "yes", "max_results": 0,
                    "airline_id": "AIR INDIA",
                },
                "slices": [{ "origin": 5, "destination": "DELHI", "departure_date": "01/02/2027" }, 7],
            }),
            "{search_params.trip_type must be one of ONE_WAY, RETURN, MULTI_CITY} \
             {search_params.cabin_class must be a string} \
             {search_params.passengers.adults must be a whole number} \
             {search_params.passengers.children must be a whole number} \
             {search_params.preferred_currency must be a 3-letter currency code} \
             {search_params.direct_flights_only must be true or false} \
             {search_params.max_results must be between 1 and 4294967295} \
             {search_params.airline_id must be a 2-character IATA airline code} \
             {slices[0].origin must be a string} {slices[0].destination must have at most 3 characters} \
             {slices[0].departure_date must be a date (YYYY-MM-DD)} {slices[1] must be an object}",
        ),
    ];
    for (body, faults) in table {
        agent.post("/flights/search", &body).await.is_invalid(faults);
    }
    let seven = json!(vec![slice("DEL", "BOM"); 7]);
    let table = format!(
        r#"
        /search_params/passengers  {{ "adults": 10, "children": 10, "infants": -1 }}  {crowd}
        /search_params/passengers  {{ "adults": 1, "infants": 2 }}  {{search_params.passengers.infants must not be more than adults}}
        /search_params/trip_type   "RETURN"      {{slices must have exactly 2 items for RETURN}}
        /search_params/trip_type   "MULTI_CITY"  {{slices must have 2 to 6 items for MULTI_CITY}}
        /slices                    []            {{slices must have between 1 and 6 items}}
        /slices                    {seven}       {{slices must have between 1 and 6 items}}
        /slices/0/origin           "QQQ"         {{slices[0].origin is not a known IATA airport code}}
        /slices/0/destination      "del"         {{slices[0].destination must differ from origin}}
        /slices/0/departure_date   "{yesterday}"  {{slices[0].departure_date must not be in the past}}
        /slices/0/departure_date   "{far}"       {{slices[0].departure_date must be within 361 days}}
        /slices/0/departure_date   "2027-02-30"  {{slices[0].departure_date must be a date (YYYY-MM-DD)}}
        /slices/0/departure_date   "2027-2-3"    {{slices[0].departure_date must be a date (YYYY-MM-DD)}}
        "#,
        crowd = "{search_params.passengers.adults must be between 1 and 9} \
                 {search_params.passengers.children must be between 0 and 9} \
                 {search_params.passengers.infants must be between 0 and 9}",
    );
    let search = one_way("DEL", "BOM").body(world.now());
    for (body, faults) in faulty_bodies(&search, &table) {
        agent.post("/flights/search", &body).await.is_invalid(&faults);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn price_book_and_log_in_name_every_field_at_fault() {
    let (world, _, agent) = World::start().await.and_agent("1000").await;
    let table = [
        (
            "/auth/login",
            json!({}),
            format!("{{agent_id {REQUIRED}}} {{username {REQUIRED}}} {{password {REQUIRED}}}"),
        ),
        (
            "/auth/login",
            json!({ "agent_id": 7, "username": " ", "password": "" }),
            format!("{{agent_id must be a string}} {{username {REQUIRED}}} {{password {REQUIRED}}}"),
        ),
        ("/flights/price", json!({}), format!("{{offer_ids {REQUIRED}}}")),
        ("/flights/price", json!({ "offer_ids": [] }), format!("{{offer_ids {REQUIRED}}}")),
        (
            "/flights/price",
            json!({ "offer_ids": [7], "adults": 0, "children": "1", "infants": 10 }),
            "{offer_ids must be an array of strings} {adults must be between 1 and 9} \
             {children must be a whole number} {infants must be between 0 and 9}"
                .to_owned(),
        ),
        (
            "/flights/price",
            json!({ "flight_selection": { "offer_ids": "of_1" } }),
            "{flight_selection.offer_ids must be an array of strings}".to_owned(),
        ),
        (
            "/flights/book",
            json!({}),
            format!(
                "{{booking_keys {REQUIRED}}} {{contact_email {REQUIRED}}} {{contact_phone {REQUIRED}}} \
                 {{passengers {REQUIRED}}}"
            ),
        ),
        (
            "/flights/book",
            json!({
                "booking_keys": "bk", "contact_email": 1, "contact_phone": "12", "passengers": [{}, []],
                "agent_price": { "agent_fare": "12.00", "service_fee": true }, "hold": "yes",
            }),
            format!(
                "{{booking_keys must be an array of strings}} {{contact_email must be a string}} \
                 {{contact_country_code {REQUIRED}}} \
                 {{passengers[0].pax_index {REQUIRED}}} {{passengers[0].type {REQUIRED}}} \
                 {{passengers[0].title {REQUIRED}}} {{passengers[0].first_name {REQUIRED}}} \
                 {{passengers[0].last_name {REQUIRED}}} {{passengers[0].gender {REQUIRED}}} \
                 {{passengers[0].dob {REQUIRED}}} {{passengers[1] must be an object}} \
                 {{agent_price.service_fee must be a number}} {{agent_price.agent_fare must be a number}} \
                 {{hold must be true or false}}"
            ),
        ),
        (
            "/flights/book",
            json!({ "booking_keys": ["bk"], "passengers": [], "contact_email": "a@b.c", "contact_phone": "+919812345678" }),
            "{passengers must have between 1 and 27 items}".to_owned(),
        ),
    ];
    for (path, body, faults) in table {
        agent.post(path, &body).await.is_invalid(&faults);
    }
    world.nothing_happened().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_are_wrong_in_form_get_the_envelope() {
    let (world, _, agent) = World::start().await.and_agent("1000").await;
    let large = format!("{{\"a\":\"{}\"}}", "x".repeat(1024 * 1024));
    agent.post_text("/flights/search", &large).await.is(413, "request body too large");
    let fits = format!("{{\"a\":\"{}\"}}", "x".repeat(1024 * 1024 - 8));
    assert_eq!(agent.post_text("/flights/search", &fits).await.status, 422);

    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/xml"] {
        let request = agent.request(Method::POST, "/flights/search");
        agent.send(request.header("content-type", kind).body("{}")).await.is(415, "unsupported content type");
    }
    let untyped = agent.request(Method::POST, "/flights/price").body("{}");
    agent.send(untyped).await.is(415, "unsupported content type");
    for kind in ["application/json; charset=utf-8", "Application/JSON"] {
        let request = agent.request(Method::POST, "/flights/price");
        assert_eq!(agent.send(request.header("content-type", kind).body("{}")).await.status, 422, "{kind}");
    }

    for (method, path) in [
        (Method::GET, "/flights/search"),
        (Method::DELETE, "/flights/bookings"),
        (Method::PATCH, "/me"),
        (Method::POST, "/wallet"),
        (Method::GET, "/auth/login"),
        (Method::GET, "/flights/bookings/FA-00000000/cancel"),
        (Method::PATCH, "/flights/bookings/FA-00000000"),
    ] {
        agent.send(agent.request(method, path)).await.is(405, "method not allowed");
    }
    for path in ["", "/", "/flights", "/flights/bookings/FA-1/cancel/now", "/../../etc/passwd", "/me/"] {
        agent.get(path).await.is_missing();
    }
    let answer = reqwest::get(format!("{}/nothing", world.base_url)).await.unwrap();
    assert_eq!(answer.status(), 404);
    assert_eq!(answer.text().await.unwrap(), r#"{"success":false,"error":"resource not found"}"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_fields_are_ignored() {
    let (world, _, agent) = World::start().await.and_agent("1000").await;
    let mut body = one_way("DEL", "BOM").body(world.now());
    body["wanted"] = json!({ "window": true });
    body["search_params"]["loyalty"] = json!([1, 2, 3]);
    agent.post("/flights/search", &body).await.ok();
}
