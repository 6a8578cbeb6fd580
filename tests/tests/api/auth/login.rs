//! Log-in, profile, rate limits and request ids.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use wayfare_tests::{World, WorldOptions, contract};

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_tells_user_and_tokens() {
    let (_world, agency, agent) = World::frozen().await.and_agent("0").await;
    let login =
        json!({ "agent_id": agency.code.as_ref(), "username": "ARJUN", "password": "correct horse 7" });
    let data = agent.with_token(None).post("/auth/login", &login).await.ok();
    assert_answer!("log_in", data);
    assert_answer!("own_profile", agent.get("/me").await.ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_learns_why_a_log_in_failed() {
    let (world, agency) = World::start().await.and_agency().await;
    agency.agent("bina", "0").await;
    let agent = agency.agent("arjun", "0").await.with_token(None);
    world.sql("update users set status = 'suspended' where username = 'bina'").await;
    let code = agency.code.as_ref();
    let right = "correct horse 7";
    for (agency, user, password) in [
        ("WF000000", "arjun", right),
        ("", "arjun", "x"),
        (code, "nobody", right),
        (code, "arjun", "wrong horse 7"),
        (code, "arjun", "correct horse 7 "),
        (code, "arjun", "Correct horse 7"),
        (code, "bina", right),
        (code, "arjun'--", right),
    ] {
        let login = json!({ "agent_id": agency, "username": user, "password": password });
        let reply = agent.post("/auth/login", &login).await;
        if agency.is_empty() {
            reply.is_invalid("{agent_id this field is required}");
        } else {
            let refusal = r#"{"success":false,"error":"invalid credentials"}"#;
            assert_eq!((reply.status, reply.text.as_str()), (401, refusal), "{login}");
        }
    }
    world.sql("update organizations set status = 'suspended'").await;
    let login = json!({ "agent_id": code, "username": "arjun", "password": right });
    agent.post("/auth/login", &login).await.is(401, "invalid credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_agency_is_out_at_once() {
    let (world, _, agent) = World::start().await.and_agent("0").await;
    agent.get("/me").await.ok();
    world.sql("update organizations set status = 'suspended'").await;
    agent.get("/me").await.is(401, "invalid credentials");
    world.sql("update organizations set status = 'active'").await;
    agent.get("/me").await.ok();
    world.sql("update users set session_epoch = session_epoch + 1").await;
    agent.get("/me").await.is(401, "invalid credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_twenty_first_log_in_of_a_minute_has_to_wait() {
    let world = World::with(WorldOptions::limited()).await;
    let nobody = world.agency().await;
    // Making the agency logged nobody in; this is the first.
    let agent = nobody.agent("arjun", "0").await;
    let login = json!({ "agent_id": "WF000000", "username": "x", "password": "y" });
    let replies = join_all((0..20).map(|_| agent.post("/auth/login", &login))).await;
    let limited: Vec<_> = replies.iter().filter(|reply| reply.status != 401).collect();
    assert_eq!(limited.len(), 1);
    limited[0].is(429, "too many requests");
    let wait: u32 = limited[0].header("retry-after").parse().unwrap();
    assert!((1..=3).contains(&wait));
    agent.get("/me").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sixty_first_search_of_a_minute_has_to_wait() {
    let (_world, agency) = World::with(WorldOptions::limited()).await.and_agency().await;
    let (agent, other) = (agency.agent("arjun", "0").await, agency.agent("bina", "0").await);
    let empty = json!({});
    let replies = join_all((0..62).map(|_| agent.post("/flights/search", &empty))).await;
    let limited: Vec<_> = replies.iter().filter(|reply| reply.status == 429).collect();
    assert!((1..=2).contains(&limited.len()), "{}", limited.len());
    limited[0].is(429, "too many requests");
    assert!(!limited[0].header("retry-after").is_empty());
    assert_eq!(other.post("/flights/search", &json!({})).await.status, 422);
    agent.get("/me").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_a_request_id() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    let with = async |id: &str| {
        let request = agent.request(reqwest::Method::GET, "/me");
        let request = request.header("x-request-id", id);
        agent.send(request).await.header("x-request-id").to_owned()
    };
    for ours in ["a", "trace 7/b", "x".repeat(128).as_str(), "{\"id\":1}"] {
        assert_eq!(with(ours).await, ours);
    }
    for unusable in ["", "x".repeat(129).as_str(), "tab\there", "é"] {
        let made = with(unusable).await;
        assert!(made.len() == 36 && made != unusable, "{made}");
    }
    for reply in [
        agent.get("/nowhere").await,
        agent.post("/wallet", &json!({})).await,
        agent.with_token(None).get("/me").await,
        agent.post_text("/flights/book", "{").await,
    ] {
        assert_eq!(reply.header("x-request-id").len(), 36, "{}", reply.asked);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_process_says_whether_it_lives_and_can_work() {
    let world = World::start().await;
    for path in ["/health/live", "/health/ready"] {
        let answer = reqwest::get(format!("{}{path}", world.base_url)).await.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.text().await.unwrap(), r#"{"status":"ok"}"#);
    }
    // What is asked of it is not there, as while it is away.
    world.sql("alter table look_to_book rename to elsewhere").await;
    let path = "/health/ready";
    let answer = reqwest::get(format!("{}{path}", world.base_url)).await.unwrap();
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let body = answer.text().await.unwrap();
    assert_eq!((status, headers["retry-after"].to_str().unwrap()), (503, "5"));
    assert_eq!(body, r#"{"success":false,"error":"not ready"}"#);
    contract::check(&Method::GET, path, status, &headers, &body);
    assert_eq!(reqwest::get(format!("{}/health/live", world.base_url)).await.unwrap().status(), 200);
}
