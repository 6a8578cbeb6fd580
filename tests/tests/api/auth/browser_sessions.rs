//! Sessions of browsers: one token each, and what a user sees and ends of all sessions of theirs.

use serde_json::{Value, json};
use wayfare_tests::{Agency, PASSWORD, Person, World};

const OUT: &str = "invalid credentials";
const HOUR: i64 = 3_600;

async fn begin(agency: &Agency, username: &str, person: &Person) -> (Person, Value) {
    let log_in = json!({ "agent_id": agency.code.as_ref(), "username": username, "password": PASSWORD });
    let begun = person.with_token(None).post("/auth/sessions", &log_in).await.succeeds(201);
    (person.with_token(begun["token"].as_str()), begun)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_lasts_half_a_day_after_it_was_used_and_a_week_at_most() {
    let (world, agency, agent) = World::frozen().await.and_agent("0").await;
    let (browser, begun) = begin(&agency, "arjun", &agent).await;
    assert!(begun["token"].as_str().unwrap().starts_with("wfs_"));
    assert_has!(begun, { "user/username": "arjun", "agent_id": agency.code.as_ref() });
    world.pass(12 * HOUR - 1);
    browser.get("/me").await.ok();
    world.pass(12 * HOUR - 1);
    browser.get("/me").await.ok();
    world.pass(12 * HOUR);
    browser.get("/me").await.is(401, OUT);
    let (browser, _) = begin(&agency, "arjun", &agent).await;
    for _ in 0..15 {
        world.pass(11 * HOUR);
        browser.get("/me").await.ok();
    }
    world.pass(3 * HOUR);
    browser.get("/me").await.is(401, OUT);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_is_kept_hashed_and_moved_on_at_most_once_a_minute() {
    let (world, agency, agent) = World::frozen().await.and_agent("0").await;
    let (browser, begun) = begin(&agency, "arjun", &agent).await;
    let token = begun["token"].as_str().unwrap();
    assert!(!world.line("select s::text from sessions s where token_hash is not null").await.contains(token));
    let until = "select idle_until from sessions where token_hash is not null";
    let before = world.line(until).await;
    world.pass(59);
    browser.get("/me").await.ok();
    assert_eq!(world.line(until).await, before);
    world.pass(1);
    browser.get("/me").await.ok();
    assert_ne!(world.line(until).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_may_act_no_more_is_out_with_every_session() {
    let (world, agency, agent) = World::frozen().await.and_agent("0").await;
    let (browser, _) = begin(&agency, "arjun", &agent).await;
    world.sql("update users set status = 'suspended' where username = 'arjun'").await;
    browser.get("/me").await.is(401, OUT);
    world.sql("update users set status = 'active' where username = 'arjun'").await;
    browser.get("/me").await.ok();
    let words = json!({ "current_password": PASSWORD, "new_password": "another horse 8" });
    assert_eq!(browser.put("/me/password", &words).await.status, 200);
    browser.get("/me").await.is(401, OUT);
    for token in ["wfs_", "wfs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] {
        agent.with_token(Some(token)).get("/me").await.is(401, OUT);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn own_sessions_are_seen_and_ended_and_nobody_elses() {
    let (world, agency, agent) = World::start().await.and_agent("0").await;
    let (browser, _) = begin(&agency, "arjun", &agent).await;
    let sessions = browser.get("/me/sessions").await.ok();
    let sessions = sessions.as_array().unwrap();
    let current: Vec<bool> = sessions.iter().map(|one| one["is_current"].as_bool().unwrap()).collect();
    assert_eq!(current, [true, false]);
    assert_has!(sessions, { "0/ip_address": "127.0.0.1", "1/idle_until": null });
    let other = agency.agent("bina", "0").await;
    let id = sessions[1]["id"].as_str().unwrap();
    other.delete(&format!("/me/sessions/{id}")).await.is_missing();
    assert_eq!(browser.delete(&format!("/me/sessions/{id}")).await.status, 200);
    agent.get("/me").await.is(401, OUT);
    agent.refresh_own().await.is(401, OUT);
    browser.delete(&format!("/me/sessions/{id}")).await.is_missing();
    assert_eq!(browser.delete("/auth/sessions/current").await.status, 200);
    browser.get("/me").await.is(401, OUT);
    assert_eq!(world.line("select count(*)::text from events where action = 'auth.logged_out'").await, "2");
}
