//! How much callers may ask, and what is not understood: all of it in the envelope, and nobody holds the server up.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use wayfare_api::RateLimits;
use wayfare_tests::{LONG, Reply, World, WorldOptions, thresholds};

fn limits(reply: &Reply) -> [u32; 3] {
    ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"]
        .map(|name| reply.header(name).parse().unwrap_or_else(|_| panic!("{} has no {name}", reply.asked)))
}

async fn limited() -> World {
    World::with(WorldOptions::limited()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_tells_what_is_left() {
    let (_world, agency) = limited().await.and_agency().await;
    let (agent, other) = (agency.agent("arjun", "0").await, agency.agent("bina", "0").await);
    let [limit, first, reset] = limits(&agent.get("/me").await);
    assert_eq!((limit, first, reset), (600, 599, 1));
    // Refusals count and tell too, and each user has a bucket of their own.
    let denied = agent.get("/org/wallet").await;
    denied.is(403, "access denied");
    assert!((597..=599).contains(&limits(&denied)[1]));
    assert_eq!(limits(&other.get("/me").await)[1], 599);
    assert_eq!(limits(&agent.post("/flights/search", &json!({})).await), [60, 59, 1]);
    let login = agent.with_token(None).post("/auth/login", &json!({})).await;
    let [limit, remaining, reset] = limits(&login);
    assert_eq!((login.status, limit), (422, 20));
    // Two log-ins were there before, and a bucket of 20 fills by one every 3 seconds.
    assert!((17..=19).contains(&remaining) && reset <= 9, "{remaining} {reset}");
    // Whose bucket it would be is not known.
    let nobody = agent.with_token(Some("garbage")).get("/me").await;
    assert_eq!((nobody.status, nobody.header("ratelimit-limit")), (401, ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_bucket_is_told_with_the_time_to_wait() {
    let (mut world, _, agent) = World::start().await.and_agent("0").await;
    // One more each minute.
    let url = world.another_server(RateLimits::on(thresholds(20, 1, 600)));
    let agent = agent.at(&url);
    assert_eq!(agent.post("/flights/search", &json!({})).await.status, 422);
    let refused = agent.post("/flights/search", &json!({})).await;
    refused.is(429, "too many requests");
    let [limit, remaining, reset] = limits(&refused);
    assert_eq!((limit, remaining), (1, 0));
    assert!((1..=60).contains(&reset), "{reset}");
    assert_eq!(refused.header("retry-after"), reset.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_limits_nothing_is_told() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    assert_eq!(agent.get("/me").await.header("ratelimit-limit"), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_method_is_told_the_right_ones() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    for (method, path, allowed) in [
        (Method::POST, "/me", "GET, PUT"),
        (Method::DELETE, "/org/profile", "GET, PUT"),
        (Method::GET, "/flights/book", "POST"),
        (Method::OPTIONS, "/auth/login", "POST"),
        (Method::PATCH, "/flights/bookings/FA-00000000/cancel", "POST"),
    ] {
        let reply = admin.send(admin.request(method, path)).await;
        reply.is(405, "method not allowed");
        assert_eq!(reply.header("allow"), allowed, "{}", reply.asked);
        assert_eq!(reply.header("content-type"), "application/json");
        assert_eq!(reply.header("x-request-id").len(), 36);
    }
    let head = admin.send(admin.request(Method::HEAD, "/me")).await;
    assert_eq!((head.status, head.header("allow"), head.text.as_str()), (405, "GET, PUT", ""));
    let live = reqwest::Client::new().post(format!("{}/health/live", world.base_url)).send().await.unwrap();
    assert_eq!((live.status().as_u16(), &live.headers()["allow"]), (405, &"GET".parse().unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_known_is_told_how_to_become_it() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    let nobody = agent.with_token(None);
    let login = json!({ "agent_id": "WF000000", "username": "x", "password": "y" });
    for reply in [
        nobody.get("/me").await,
        agent.with_token(Some("garbage")).get("/org/profile").await,
        nobody.post("/auth/login", &login).await,
    ] {
        reply.is(401, "invalid credentials");
        assert_eq!(reply.header("www-authenticate"), "Bearer", "{}", reply.asked);
    }
    assert_eq!(agent.get("/org/profile").await.header("www-authenticate"), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_refused_in_the_envelope() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    admin.get("/nowhere").await.is_missing();
    let outside = reqwest::get(format!("{}/nowhere", world.base_url)).await.unwrap();
    assert_eq!(outside.status(), 404);
    assert_eq!(outside.text().await.unwrap(), r#"{"success":false,"error":"resource not found"}"#);

    let deep = format!(r#"{{"name":{}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    let deep_object = format!("{}1{}", r#"{"a":"#.repeat(10_000), "}".repeat(10_000));
    for (body, text) in [
        (deep.as_str(), "malformed JSON at line 1 column 135"),
        (&deep_object, "malformed JSON at line 1 column 636"),
        ("{\"name\":\n  x}", "malformed JSON at line 2 column 3"),
        ("", "malformed JSON at line 1 column 0"),
        ("{} {}", "malformed JSON at line 1 column 4"),
    ] {
        admin.send_text(Method::PUT, "/org/profile", body.to_owned()).await.is(400, text);
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let request = admin.request(Method::PUT, "/org/profile").header("content-type", kind);
        admin.send(request.body("{}")).await.is(415, "unsupported content type");
    }
    let large = format!(r#"{{"name":"{}"}}"#, "x".repeat(1024 * 1024));
    admin.send_text(Method::PUT, "/org/profile", large).await.is(413, "request body too large");
    admin.get("/me").await.ok();
}

/// Sends the head of a request and then one byte of its body every 50 ms, without an end; what the server says.
async fn dribble(world: &World, head: &str) -> String {
    let address = world.base_url.trim_start_matches("http://");
    let (mut read, mut write) = TcpStream::connect(address).await.unwrap().into_split();
    write.write_all(head.as_bytes()).await.unwrap();
    let dribbling = tokio::spawn(async move {
        while write.write_all(b" ").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let mut said = Vec::new();
    // The server may cut the connection while we still write.
    let _ = timeout(LONG, read.read_to_end(&mut said)).await.expect("the server waits for all of it");
    dribbling.abort();
    String::from_utf8_lossy(&said).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_byte_by_byte_is_sent_away() {
    let world =
        World::with(WorldOptions { slowest_request: Duration::from_secs(6), ..WorldOptions::default() })
            .await;
    let admin = world.agency().await.admin("0").await;
    let token = admin.token.clone().unwrap();
    let head = |path: &str| {
        format!(
            "PUT /api/v1{path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: 100000\r\n\r\n{{"
        )
    };
    let said = dribble(&world, &head("/org/profile")).await;
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    assert!(said.contains("connection: close"), "{said}");
    assert!(said.ends_with(r#"{"success":false,"error":"request took too long"}"#), "{said}");
    // A head that does not end.
    let said = dribble(&world, "GET /api/v1/me HTTP/1.1\r\nx-slow: ").await;
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    // Who is turned away at the door is not waited for.
    let said = dribble(&world, &head("/org/profile").replace(&token, "garbage")).await;
    assert!(said.starts_with("HTTP/1.1 401 "), "{said}");
    admin.get("/me").await.ok();
}
