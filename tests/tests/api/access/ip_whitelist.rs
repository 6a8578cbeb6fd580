//! The addresses that an agency accepts.

use reqwest::Method;
use serde_json::json;
use wayfare_tests::{Agency, Person, Reply, World, WorldOptions};

async fn behind_a_proxy() -> World {
    World::with(WorldOptions {
        trusted_proxies: vec!["127.0.0.0/8".parse().unwrap(), "10.0.0.0/8".parse().unwrap()],
        ..WorldOptions::default()
    })
    .await
}

async fn accept(world: &World, networks: &str) {
    world
        .sql(&format!("update organizations set ip_whitelist_enabled = true, whitelist = '{{{networks}}}'"))
        .await;
}

async fn from(person: &Person, forwarded: &str) -> Reply {
    person.send(person.request(Method::GET, "/me").header("x-forwarded-for", forwarded)).await
}

async fn log_in_from(agency: &Agency, person: &Person, forwarded: &str, password: &str) -> Reply {
    let nobody = person.with_token(None);
    let login = json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": password });
    let request = nobody.request(Method::POST, "/auth/login").json(&login);
    nobody.send(request.header("x-forwarded-for", forwarded)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn only_listed_addresses_come_in() {
    let (world, _, agent) = behind_a_proxy().await.and_agent("0").await;
    accept(&world, "203.0.113.7,198.51.100.0/24,2001:db8::/32").await;
    for inside in [
        "203.0.113.7",
        "::ffff:203.0.113.7",
        "198.51.100.1",
        "2001:db8::1",
        // What the client itself wrote stands further left.
        "192.0.2.1, 203.0.113.7, 10.0.0.1",
    ] {
        from(&agent, inside).await.ok();
    }
    for outside in ["203.0.113.8", "198.51.101.1", "2001:db9::1", "203.0.113.7, 192.0.2.1", "unknown", ""] {
        from(&agent, outside).await.is(403, "access denied");
    }
    agent.get("/me").await.is(403, "access denied");
    world.sql("update organizations set ip_whitelist_enabled = false").await;
    agent.get("/me").await.ok();
    // On, and nothing listed: nobody.
    accept(&world, "").await;
    from(&agent, "203.0.113.7").await.is(403, "access denied");
    agent.with_token(Some("garbage")).get("/me").await.is(401, "invalid credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_believed_who_is_not_a_configured_proxy() {
    let (world, _, agent) = World::start().await.and_agent("0").await;
    accept(&world, "203.0.113.7").await;
    from(&agent, "203.0.113.7").await.is(403, "access denied");
    accept(&world, "127.0.0.1").await;
    from(&agent, "203.0.113.7").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_from_elsewhere_is_denied_once_the_password_was_right() {
    let (world, agency, agent) = behind_a_proxy().await.and_agent("0").await;
    accept(&world, "203.0.113.7").await;
    let right = "correct horse 7";
    log_in_from(&agency, &agent, "203.0.113.7", right).await.ok();
    log_in_from(&agency, &agent, "203.0.113.8", right).await.is(403, "access denied");
    log_in_from(&agency, &agent, "203.0.113.8", "wrong horse 7").await.is(401, "invalid credentials");
    world.sql("update users set status = 'suspended'").await;
    log_in_from(&agency, &agent, "203.0.113.8", right).await.is(401, "invalid credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_from_elsewhere_is_denied_and_spends_nothing() {
    let (world, _, agent) = World::start().await.and_agent("0").await;
    let token = agent.refresh_token.clone().unwrap();
    accept(&world, "203.0.113.7").await;
    agent.refresh(&token).await.is(403, "access denied");
    accept(&world, "127.0.0.1").await;
    agent.refresh(&token).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_journal_names_the_client_and_not_the_proxy() {
    let (_world, _, admin) = behind_a_proxy().await.and_admin("0").await;
    let request = admin.request(Method::PUT, "/org/profile").json(&json!({ "name": "Sunset Travels" }));
    let request = request.header("x-forwarded-for", "2001:db8::7").header("user-agent", "desk/1");
    admin.send(request).await.says(200, "profile updated");
    let entry = &admin.get("/org/audit-logs?action=organization.updated").await.json()["data"][0];
    assert_has!(entry, { "ip_address": "2001:db8::7", "user_agent": "desk/1" });
}
