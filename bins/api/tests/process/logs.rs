//! The log as JSON, read while bookings are made: what belongs together is found by one id.

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use wayfare_stub_server::{StubServer, reply};

use crate::api::{Api, order, search};
use crate::place::{Place, Server, until};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

/// The lines of the log about calls to suppliers that change something there, or look up what became of it.
fn calls(server: &Server) -> Vec<Value> {
    let lines = server.said();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}")));
    lines.filter(|line| line["message"] == "called a supplier").collect()
}

/// What the spans around a line say under this name, each value once.
fn said(line: &Value, name: &str) -> Vec<String> {
    let spans = line["spans"].as_array().unwrap().iter();
    let mut values: Vec<String> = spans.filter_map(|span| span[name].as_str().map(str::to_owned)).collect();
    values.dedup();
    values
}

/// Those of this purpose, for this booking.
fn of(server: &Server, purpose: &str, reference: &Value) -> Vec<Value> {
    let reference = reference.as_str().unwrap();
    let mut calls = calls(server);
    calls.retain(|line| {
        said(line, "purpose") == [purpose] && said(line, "booking").iter().any(|of| of == reference)
    });
    calls
}

/// Books with these headers: what was answered, and the request's id as the answer has it.
async fn book(api: &Api, headers: &[(&'static str, &str)]) -> (Value, String) {
    let (key, _) = api.price("duffel").await;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, HeaderValue::from_str(value).unwrap());
    }
    let request = reqwest::Client::new()
        .post(format!("{}/api/v1/flights/book", api.url()))
        .bearer_auth(api.token())
        .headers(map)
        .json(&order(&key));
    let answer = request.send().await.unwrap();
    let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    let body: Value = answer.json().await.unwrap();
    (body["data"].clone(), id)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_line_of_a_bookings_calls_names_the_request_and_the_booking() {
    let place = Place::new().await;
    let server = place.start_with([("WAYFARE_LOG_FORMAT", "json"), ("WAYFARE_PATIENCE_S", "2")]).await;
    let api = Api::agent(&place).await;

    let caller = format!("00-{TRACE}-b7ad6b7169203331-01");
    let headers = [("x-request-id", "the-callers-own"), ("traceparent", &caller)];
    let (booked, id) = book(&api, &headers).await;
    assert_eq!((booked["status"].as_str(), id.as_str()), (Some("CONFIRMED"), "the-callers-own"));
    let sent = of(&server, "step", &booked["booking_ref"]);
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!(said(&sent[0], "request_id"), ["the-callers-own"]);
    assert_eq!(said(&sent[0], "trace_id"), [TRACE]);
    assert_eq!(said(&sent[0], "supplier"), ["duffel"]);
    assert_eq!(sent[0]["outcome"], "answered");

    // What is no trace is as good as nothing, and so are two of them.
    let other = format!("00-{}-b7ad6b7169203331-01", TRACE.replace('0', "1"));
    for headers in [
        vec![("traceparent", "00-here-there-01")],
        vec![("traceparent", caller.as_str()), ("traceparent", other.as_str())],
    ] {
        let (booked, id) = book(&api, &headers).await;
        let sent = of(&server, "step", &booked["booking_ref"]);
        assert_eq!(said(&sent[0], "request_id"), [id]);
        let [own] = said(&sent[0], "trace_id").try_into().unwrap();
        let is_id = own.len() == 32 && own.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_id && own != TRACE, "{own}");
    }

    // The answer is lost: the worker looks the order up, under a trace of its own.
    api.fault("book", "drop_after").await;
    let (pending, id) = book(&api, &headers).await;
    let reference = &pending["booking_ref"];
    let sent = of(&server, "step", reference);
    assert_eq!(said(&sent[0], "request_id"), [id]);
    assert_eq!(sent[0]["outcome"], "unknown");
    let looked_up = until("it is looked up", async || of(&server, "look_up", reference).pop()).await;
    assert_eq!(said(&looked_up, "work"), ["recovery"]);
    assert_eq!(said(&looked_up, "request_id"), [""; 0]);
    let [own] = said(&looked_up, "trace_id").try_into().unwrap();
    assert!(own.len() == 32 && own != TRACE, "{own}");

    // Whatever is about one booking says so.
    for line in calls(&server) {
        let purpose = said(&line, "purpose");
        let is_named = said(&line, "booking").len() == 1 && said(&line, "trace_id").len() == 1;
        assert!(is_named, "{purpose:?}: {line}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_warning_names_its_request_also_where_only_warnings_are_logged() {
    let place = Place::new().await;
    let variables = [("WAYFARE_LOG_FORMAT", "json"), ("WAYFARE_LOG", "warn")];
    let server = place.start_with(variables).await;
    let api = Api::agent(&place).await;
    api.fault("book", "drop_after").await;
    let (pending, id) = book(&api, &[]).await;
    let said_of_it = until("the warning", async || {
        let lines = server.said();
        let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut lines = lines.filter(|line| line["message"] == "a supplier's answer is not known");
        lines.next()
    })
    .await;
    assert_eq!(said(&said_of_it, "request_id"), [id]);
    let reference = pending["booking_ref"].as_str().unwrap();
    assert_eq!(said(&said_of_it, "booking"), [reference]);
    assert!(calls(&server).is_empty(), "they are of level info");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn suppliers_and_webhooks_are_told_the_trace() {
    let supplier = StubServer::deciding(|_| reply(500, ""), []).await;
    let receiver = StubServer::deciding(|_| reply(200, ""), []).await;
    let place = Place::new().await;
    let settings = place.write(
        "wayfare.toml",
        &format!(
            "[[suppliers]]\ncode = 'elsewhere'\nkind = 'duffel'\nbase_url = '{}'\ntoken = 'token'\n",
            supplier.base_url
        ),
    );
    let variables = [("WAYFARE_CONFIG", settings.to_str().unwrap()), ("WAYFARE_SANDBOX", "on")];
    let _server = place.start_with(variables).await;
    let api = Api::agent(&place).await;
    let admin = Api::log_in(&place, "org_admin").await;
    let hook = json!({ "url": receiver.base_url, "event_types": ["booking.confirmed"] });
    let (status, made) = admin.try_post("/org/webhooks", hook).await;
    assert_eq!(status, 201, "{made}");

    let caller = format!("00-{TRACE}-b7ad6b7169203331-01");
    let search = reqwest::Client::new()
        .post(format!("{}/api/v1/flights/search", api.url()))
        .bearer_auth(api.token())
        .header("traceparent", &caller)
        .json(&search());
    assert_eq!(search.send().await.unwrap().status(), 200);
    // The worker reads its list, too.
    let mut asked = supplier.requests().into_iter();
    let asked = asked.find(|request| request.line.starts_with("POST /air/offer_requests"));
    let asked = asked.expect("it was searched there");
    assert_eq!(asked.header("traceparent"), Some(caller.as_str()), "{}", asked.headers);

    api.book().await;
    let told = until("the webhook", async || receiver.requests().pop()).await;
    let trace = told.header("traceparent").unwrap();
    let parts: Vec<usize> = trace.split('-').map(str::len).collect();
    assert_eq!(parts, [2, 32, 16, 2], "{trace}");
    assert!(!trace.contains(TRACE), "a delivery has a trace of its own");
}
