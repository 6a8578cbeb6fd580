//! Refresh tokens, log-out, and signing keys that change while people are logged in.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};
use wayfare_tests::{Person, World, eventually, one_way};

const OUT: &str = "invalid credentials";

fn kid(person: &Person) -> String {
    let header = person.token.as_deref().unwrap().split('.').next().unwrap();
    let header: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).unwrap()).unwrap();
    header["kid"].as_str().unwrap().to_owned()
}

async fn log_out(person: &Person) -> wayfare_tests::Reply {
    person.post("/auth/logout", &json!({ "refresh_token": person.refresh_token.as_deref().unwrap() })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_gives_the_next_pair_and_six_hours() {
    let (world, _, agent) = World::frozen().await.and_agent("0").await;
    world.pass(3_600);
    agent.get("/me").await.is(401, OUT);
    // The expired access token is in the Authorization header, and is not looked at.
    let data = agent.refresh_own().await.ok();
    assert_answer!("refreshed", data);
    let next = agent.with_token(data["tokens"]["access_token"].as_str());
    world.pass(21_599);
    next.get("/me").await.ok();
    world.pass(1);
    next.get("/me").await.is(401, OUT);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_lasts_thirty_days_and_each_next_one_too() {
    let (world, _, agent) = World::frozen().await.and_agent("0").await;
    world.pass(30 * 86_400 - 1);
    let next = agent.refreshed().await;
    world.pass(30 * 86_400 - 1);
    let last = next.refreshed().await;
    world.pass(30 * 86_400);
    last.refresh_own().await.is(401, OUT);
    log_out(&last).await.is(401, OUT);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spent_refresh_token_ends_everything_that_came_of_its_log_in() {
    let (world, agency, agent) = World::start().await.and_agent("0").await;
    let elsewhere = agency.log_in("arjun").await;
    let second = agent.refreshed().await;
    let third = second.refreshed().await;
    agent.get("/me").await.ok();
    third.get("/me").await.ok();
    agent.refresh_own().await.is(401, OUT);
    for person in [&agent, &second, &third] {
        person.get("/me").await.is(401, OUT);
        person.refresh_own().await.is(401, OUT);
    }
    // Another log-in of the same person is another session.
    elsewhere.refreshed().await.get("/me").await.ok();
    let events =
        "select action || ' ' || entity_type || ' ' || actor_id from events where action like 'auth.%'";
    assert_eq!(world.lines(events).await, [format!("auth.token_reused session {}", agent.id)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_refreshes_at_once_one_wins_and_both_are_out() {
    let (world, _, agent) = World::start().await.and_agent("0").await;
    for _ in 0..5 {
        let login = json!({ "agent_id": world.line("select agent_id from organizations").await,
            "username": "arjun", "password": wayfare_tests::PASSWORD });
        let tokens = agent.post("/auth/login", &login).await.ok()["tokens"].clone();
        let token = tokens["refresh_token"].as_str().unwrap();
        let replies = join_all((0..4).map(|_| agent.refresh(token))).await;
        let (won, lost): (Vec<_>, Vec<_>) = replies.into_iter().partition(|reply| reply.status == 200);
        assert_eq!((won.len(), lost.len()), (1, 3));
        for reply in &lost {
            reply.is(401, OUT);
        }
        let won = won[0].ok()["tokens"].clone();
        agent.refresh(won["refresh_token"].as_str().unwrap()).await.is(401, OUT);
        agent.with_token(won["access_token"].as_str()).get("/me").await.is(401, OUT);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_out_ends_its_session_at_once() {
    let (_world, agency, agent) = World::start().await.and_agent("0").await;
    let elsewhere = agency.log_in("arjun").await;
    let next = agent.refreshed().await;
    log_out(&next.with_token(None)).await.reads(200, r#"{"success":true,"message":"logged out"}"#);
    for person in [&agent, &next] {
        person.get("/me").await.is(401, OUT);
        log_out(person).await.is(401, OUT);
        person.refresh_own().await.is(401, OUT);
    }
    elsewhere.get("/me").await.ok();
    // A spent token logs nobody out politely, but its session is over.
    let spent = elsewhere.clone();
    let next = elsewhere.refreshed().await;
    log_out(&spent).await.is(401, OUT);
    next.get("/me").await.is(401, OUT);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_other_text_is_a_refresh_token() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    let access = agent.token.clone().unwrap();
    let stranger = agent.with_token(None);
    for path in ["/auth/refresh", "/auth/logout"] {
        for token in ["x", "\u{0}", " ", access.as_str(), &"A".repeat(43)] {
            stranger.post(path, &json!({ "refresh_token": token })).await.is(401, OUT);
        }
        let missing = "code=422, message=[{refresh_token this field is required}]";
        stranger.post(path, &json!({})).await.is(422, missing);
        stranger.post(path, &json!({ "refresh_token": "" })).await.is(422, missing);
        let refused = stranger.post(path, &json!({ "refresh_token": 7 })).await;
        refused.is_invalid("{refresh_token must be a string}");
        stranger.get(path).await.is(405, "method not allowed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_who_may_not_act_gets_new_tokens() {
    let (world, agency) = World::start().await.and_agency().await;
    let mut agent = agency.agent("arjun", "0").await;
    for (out, back) in [
        ("update users set status = 'suspended'", "update users set status = 'active'"),
        ("update organizations set status = 'suspended'", "update organizations set status = 'active'"),
    ] {
        world.sql(out).await;
        agent.refresh_own().await.is(401, OUT);
        world.sql(back).await;
        // It was not spent by the refusal.
        agent = agent.refreshed().await;
    }
    world.sql("update users set session_epoch = session_epoch + 1").await;
    agent.refresh_own().await.is(401, OUT);
    let again = agency.log_in("arjun").await;
    world.sql("update users set deleted_at = now()").await;
    again.refresh_own().await.is(401, OUT);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_log_ins_stand_in_the_journal_without_what_was_typed() {
    let (world, agency, agent) = World::start().await.and_agent("0").await;
    for (code, username) in
        [(agency.code.as_ref(), "Arjun"), (agency.code.as_ref(), "my secret"), ("WF000000", "arjun")]
    {
        let login = json!({ "agent_id": code, "username": username, "password": "wrong horse 7" });
        agent.post("/auth/login", &login).await.is(401, OUT);
    }
    let events = "select action || ' ' || entity_id || ' ' || (ip_address <> '')::text from events
        where action like 'auth.%' order by entity_id desc";
    // They are written outside the requests.
    eventually("both events", async || (world.lines(events).await.len() == 2).then_some(())).await;
    assert_eq!(
        world.lines(events).await,
        [format!("auth.login_refused {} true", agent.id), "auth.login_refused  true".to_owned()]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_of_lapsed_sessions_goes_with_the_next_log_in() {
    let (world, agency, agent) = World::frozen().await.and_agent("0").await;
    agent.refreshed().await;
    world.pass(30 * 86_400);
    agency.log_in("arjun").await;
    let left = "select (select count(*) from sessions) || ' ' || (select count(*) from refresh_tokens)";
    assert_eq!(world.line(left).await, "1 1");
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_keys_change_and_nobody_has_to_log_in_again() {
    const NEW: &[u8] = b"the next signing key, long enough";
    let (world, agency, agent) = World::frozen().await.and_agent("100000").await;
    let refreshed = agency.log_in("arjun").await.refreshed().await;
    let offer = agent.offer(&one_way("DEL", "BOM")).await;

    world.rotate_keys(&[(NEW, None), (World::SIGNING_KEY, Some(world.now() + Duration::seconds(21_600)))]);
    agent.get("/me").await.ok();
    // An offer that was found before is priced after.
    agent.price(&offer).await.ok();
    let after = agency.log_in("arjun").await;
    after.get("/me").await.ok();
    assert_ne!(kid(&after), kid(&agent));
    assert_eq!(kid(&refreshed), kid(&agent));
    assert_eq!(kid(&after.refreshed().await), kid(&after));
    world.pass(21_599);
    refreshed.get("/me").await.ok();
    world.pass(1);
    refreshed.get("/me").await.is(401, OUT);

    // A key that leaked is taken away: what it signed is worth nothing from then on.
    let agent = agency.log_in("arjun").await;
    world.rotate_keys(&[(World::SIGNING_KEY, None)]);
    agent.get("/me").await.is(401, OUT);
    agent.refreshed().await.get("/me").await.ok();
}
