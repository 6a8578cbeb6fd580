//! What users see and change of themselves.

use rust_decimal::Decimal;
use serde_json::json;
use wayfare_tests::{PASSWORD, Reply, World, WorldOptions, amount, faulty_bodies, one_way};

const OUT: &str = "invalid credentials";
const NEW: &str = "another horse 8";

#[tokio::test(flavor = "multi_thread")]
async fn the_own_profile_changes_in_name_and_phone() {
    let (world, _, agent) = World::start().await.and_agent("0").await;
    let before = agent.get("/me").await.ok();
    let body = json!({ "name": "Arjun Rao", "phone": "+91 1", "status": "suspended", "role": "org_admin" });
    let after = agent.put("/me", &body).await.ok();
    let mut expected = before;
    (expected["name"], expected["phone"]) = (json!("Arjun Rao"), json!("+91 1"));
    assert_eq!(after, expected);
    assert_eq!(agent.get("/me").await.ok(), expected);
    assert_eq!(agent.put("/me", &json!({})).await.ok(), expected);
    let refused = agent.put("/me", &json!({ "name": " ", "phone": "\u{0}" })).await;
    refused.is_invalid("{name this field is required} {phone must not contain NUL}");
    let events =
        "select action || ' ' || (actor_id::text = entity_id) from events where actor_type = 'org_user'";
    assert_eq!(world.lines(events).await, ["user.updated true"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_ends_every_session_this_one_too() {
    let (world, agency, agent) = World::start().await.and_agent("0").await;
    let elsewhere = agency.log_in("arjun").await;
    let change = |current: &str, new: &str| json!({ "current_password": current, "new_password": new });
    agent.put("/me/password", &change("wrong horse 7", NEW)).await.is(400, "current password is incorrect");
    let table = r#"
        .              {}                       {current_password this field is required} {new_password this field is required}
        /new_password  "1234567"                {new_password must be between 8 and 128 characters}
        /new_password  "ARJUN@sunrise.example"  {new_password must not be the username or email}
    "#;
    for (body, faults) in faulty_bodies(&change(PASSWORD, NEW), table) {
        agent.put("/me/password", &body).await.is_invalid(&faults);
    }
    agent.get("/me").await.ok();
    let changed = agent.put("/me/password", &change(PASSWORD, NEW)).await;
    changed.reads(200, r#"{"success":true,"message":"password changed successfully"}"#);
    for person in [&agent, &elsewhere] {
        person.get("/me").await.is(401, OUT);
        person.refresh_own().await.is(401, OUT);
    }
    let login = |password: &str| json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": password });
    agent.post("/auth/login", &login(PASSWORD)).await.is(401, OUT);
    agent.post("/auth/login", &login(NEW)).await.ok();
    let events =
        "select concat_ws(' ', action, old_value, new_value) from events where action like '%password%'";
    assert_eq!(world.lines(events).await, ["user.password_changed"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_guesses_an_old_password_for_long() {
    let (_world, agency) = World::with(WorldOptions::limited()).await.and_agency().await;
    let (agent, other) = (agency.agent("arjun", "0").await, agency.agent("bina", "0").await);
    let change = |current: &str| json!({ "current_password": current, "new_password": NEW });
    let mut guessed = Vec::new();
    // Guesses come back with time, and a busy machine takes its time.
    while guessed.len() < 60 && guessed.last().is_none_or(|reply: &Reply| reply.status == 400) {
        guessed.push(agent.put("/me/password", &change("wrong horse 7")).await);
    }
    assert_eq!(guessed[0].header("ratelimit-limit"), "20");
    assert!((20..60).contains(&(guessed.len() - 1)), "{}", guessed.len());
    let refused = guessed.last().unwrap();
    refused.is(429, "too many requests");
    assert!(!refused.header("retry-after").is_empty());
    // What else they do has not to wait, nor has anybody else.
    agent.get("/me").await.ok();
    other.put("/me/password", &change(PASSWORD)).await.says(200, "password changed successfully");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_password_changes_at_once_one_counts() {
    let (world, _, agent) = World::start().await.and_agent("0").await;
    let change = |new: &str| json!({ "current_password": PASSWORD, "new_password": new });
    let (one, other) = (change("first horse 1"), change("second horse 2"));
    let (first, second) =
        futures_util::join!(agent.put("/me/password", &one), agent.put("/me/password", &other));
    let won = [&first, &second].iter().filter(|reply| reply.status == 200).count();
    assert_eq!(won, 1, "{} {}", first.text, second.text);
    assert_eq!(world.line("select session_epoch from users where username = 'arjun'").await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn own_figures_add_up_to_what_the_wallet_says() {
    let (world, agency, admin) = World::start().await.and_admin("500").await;
    let (agent, other) = (agency.agent("arjun", "1000000").await, agency.agent("bina", "1000000").await);
    let none = agent.get("/me/stats").await.ok();
    assert_answer!("no_figures", none);
    agent.buy(one_way("DEL", "BOM")).await;
    let trip = one_way("DEL", "BLR");
    agent.cancel(&agent.buy(trip.clone()).await.reference).await.ok();
    world.next("book", "status:422").await;
    agent.try_buy(&one_way("DEL", "MAA")).await;
    other.buy(trip).await;

    let stats = agent.get("/me/stats").await.ok();
    let failed: i64 =
        world.line("select count(*) from bookings where status = 'failed'").await.parse().unwrap();
    assert_has!(stats, { "total_bookings": 2 + failed, "confirmed_bookings": 1, "cancelled_bookings": 1 });
    let balance = agent.balance().await;
    assert_eq!(amount(&stats["wallet_balance"]), balance);
    assert_eq!(amount(&stats["total_spent"]), Decimal::from(1_000_000) - balance);
    assert_eq!(stats["total_commissions"].to_string(), "0.00");
    // An admin's wallet is the organization's; what others booked is not theirs.
    let admins = admin.get("/me/stats").await.ok();
    assert_eq!(admins["wallet_balance"].to_string(), "500.00");
    assert_eq!(admins["total_bookings"], 0);
    world.books_agree().await;
}
