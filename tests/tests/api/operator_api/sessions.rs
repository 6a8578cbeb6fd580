//! Operators' sessions: they end when nobody uses them, at the end of a working day, and with whoever they are of; no token is
//! good at both APIs.

use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::json;
use wayfare_api::RateLimits;
use wayfare_domain::OperatorRole::{Admin, Desk, Viewer};
use wayfare_operations::worker;
use wayfare_tests::{World, thresholds};

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_an_hour_after_its_last_use_and_eight_hours_after_its_beginning() {
    let (world, meera) = World::frozen().await.and_operator("meera", Desk).await;
    world.pass(3_599);
    meera.get("/me").await.ok();
    world.pass(3_601);
    meera.get("/me").await.is(401, "invalid credentials");
    // Used all the time, it ends all the same.
    let meera = meera.logged_in("meera").await;
    for _ in 0..15 {
        world.pass(1_900);
        meera.get("/me").await.ok();
    }
    world.pass(300);
    meera.get("/me").await.is(401, "invalid credentials");
    let count = "select count(*)::text from operator_sessions";
    assert_eq!(world.line(count).await, "2");
    world.pass(1);
    worker::remove_old(&world.platform).await.unwrap();
    assert_eq!(world.line(count).await, "0", "what has ended is removed");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_token_is_good_at_both_apis() {
    let (world, door) = World::frozen().await.and_operators();
    let meera = door.operator("meera", Admin).await;
    let agency = world.agency().await;
    let admin = agency.admin("1000").await;
    let browser =
        json!({ "agent_id": agency.code.as_ref(), "username": "asha", "password": wayfare_tests::PASSWORD });
    let browser = admin.post("/auth/sessions", &browser).await.succeeds(201);
    for token in [admin.token.as_deref(), browser["token"].as_str(), Some("wfo_"), None] {
        door.nobody().with_token(token).get("/me").await.is(401, "invalid credentials");
    }
    admin.with_token(meera.token.as_deref()).get("/wallet").await.is(401, "invalid credentials");
    // No token stands in the database.
    let token = meera.token.clone().unwrap();
    assert!(!world.line("select string_agg(s::text, ' ') from operator_sessions s").await.contains(&token));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_operator_is_out_at_once_and_one_admin_stays() {
    let (world, door) = World::frozen().await.and_operators();
    let admin = door.operator("anil", Admin).await;
    let desk = door.operator("dev", Desk).await;
    let path = format!("/operators/{}", desk.id);
    assert_eq!(admin.put(&path, &json!({ "status": "suspended" })).await.ok()["status"], "suspended");
    desk.get("/me").await.is(401, "invalid credentials");
    let again = json!({ "username": "dev", "password": desk.password.expose_secret() });
    desk.post("/sessions", &again).await.is(401, "invalid credentials");
    admin.put(&path, &json!({ "status": "active" })).await.ok();
    desk.get("/me").await.is(401, "invalid credentials");
    desk.logged_in("dev").await.get("/me").await.ok();
    let own = format!("/operators/{}", admin.id);
    for change in [json!({ "status": "suspended" }), json!({ "role": "viewer" })] {
        admin.put(&own, &change).await.is(400, "one active operator with the role admin has to stay");
    }
    admin.put(&path, &json!({ "role": "admin" })).await.ok();
    admin.put(&own, &json!({ "role": "viewer" })).await.ok();
    admin.get("/operators").await.is(403, "this needs the role admin");
    let done = "select string_agg(action, ' ' order by action) from operator_events where action not like '%logged%'";
    assert_eq!(
        world.line(done).await,
        "operator.added operator.added operator.changed operator.changed operator.changed operator.changed"
    );
    let named = format!(
        "select count(*)::text from operator_events where action = 'operator.changed' and actor_id = '{}'",
        admin.id
    );
    assert_eq!(world.line(&named).await, "4");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_told_once_and_changing_it_ends_every_session() {
    let (_world, door) = World::frozen().await.and_operators();
    let admin = door.operator("anil", Admin).await;
    let new = json!({ "username": "vera", "name": "Vera Pinto", "role": "viewer" });
    let added = admin.post("/operators", &new).await.succeeds(201);
    let password = added["password"].as_str().unwrap();
    admin
        .post("/operators", &json!({ "username": "VERA", "name": "Vera", "role": "desk" }))
        .await
        .is(409, "username is already taken");
    assert!(!admin.get("/operators").await.text.contains(password));
    let log_in = json!({ "username": "Vera", "password": password });
    let token = door.nobody().post("/sessions", &log_in).await.succeeds(201)["token"].clone();
    let vera = door.nobody().with_token(token.as_str());
    let change = json!({ "current_password": "wrong", "new_password": "another horse 9" });
    vera.put("/me/password", &change).await.is(400, "current password is incorrect");
    let change = json!({ "current_password": password, "new_password": "another horse 9" });
    vera.put("/me/password", &change).await.says(200, "password changed successfully");
    vera.get("/me").await.is(401, "invalid credentials");
    let log_in = json!({ "username": "vera", "password": "another horse 9" });
    let vera = vera.with_token(vera.post("/sessions", &log_in).await.succeeds(201)["token"].as_str());
    let sessions = vera.get("/me/sessions").await.ok();
    assert_eq!(sessions.as_array().unwrap().len(), 1);
    assert_eq!(sessions[0]["is_current"], true);
    let path = format!("/operators/{}/reset-password", added["id"].as_str().unwrap());
    assert_ne!(admin.send(admin.request(Method::POST, &path)).await.ok()["password"], added["password"]);
    vera.get("/me").await.is(401, "invalid credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn log_ins_and_passwords_are_not_to_be_guessed() {
    let mut world = World::frozen().await;
    let door = world.limited_operator_api(RateLimits::on(thresholds(20, 60, 600)));
    let vera = door.operator("vera", Viewer).await;
    // All at once: a hash takes a while, in which some of the 20 come back.
    let wrong = json!({ "password": "wrong" });
    let asked = (0..40).map(|_| vera.post("/sessions/current/confirm", &wrong));
    let replies = futures_util::future::join_all(asked).await;
    let (tried, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 400);
    assert!((20..40).contains(&tried.len()), "{} may try", tried.len());
    for reply in tried {
        reply.is(400, "current password is incorrect");
    }
    for reply in refused {
        reply.is(429, "too many requests");
    }
    let wrong = json!({ "username": "vera", "password": "wrong" });
    let replies = futures_util::future::join_all((0..40).map(|_| vera.post("/sessions", &wrong))).await;
    let (refused, wrong): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 429);
    assert!(!refused.is_empty(), "{wrong:?}");
    for reply in wrong {
        assert_eq!(reply.status, 401, "{}", reply.text);
    }
}
