//! Money that an admin gives to an agent: all of it or nothing, once, and never to somebody who is gone.

use futures_util::future::join_all;
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_api::RateLimits;
use wayfare_tests::{Person, Reply, World, amount, one_way};

const DONE: &str = "wallet allocated to agent";

fn path(agent: &Person) -> String {
    format!("/org/wallet/topup/{}", agent.id)
}

async fn give(admin: &Person, agent: &Person, amount: &str) -> Reply {
    admin.post_text(&path(agent), &format!(r#"{{"amount": {amount}}}"#)).await
}

async fn give_under(admin: &Person, agent: &Person, key: &str, body: &Value) -> Reply {
    admin.post_with_key(&path(agent), key, body).await
}

/// How many allocations there are, and how many events tell of one.
async fn made(world: &World) -> String {
    let query = "select (select count(*) from transfers where key like 'allocation:%') || ' ' ||
        (select count(*) from events where action = 'wallet.allocated')";
    world.line(query).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allocation_moves_money_to_the_agent_and_tells_of_it() {
    let (world, _, admin, agent) = World::start().await.and_people("1000", "0").await;
    let body = r#"{"amount": 250.50, "description": " Diwali travel "}"#;
    let reply = admin.post_text(&path(&agent), body).await;
    assert_eq!((reply.status, reply.json()), (200, json!({ "success": true, "message": DONE })));
    give(&admin, &agent, "1e2").await.says(200, DONE);
    assert_eq!(admin.balance().await, dec!(649.50));
    assert_eq!(agent.balance().await, dec!(350.50));

    let rows = agent.get("/wallet/transactions").await.ok();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    assert_has!(rows[0], { "type": "credit", "description": "allocated to agent" });
    assert_has!(rows[1], { "type": "credit", "description": "allocated to agent: Diwali travel" });
    let events = admin.get("/org/audit-logs?action=wallet.allocated").await.ok();
    assert_eq!(events.as_array().unwrap().len(), 2);
    let wallet = &agent.get("/wallet").await.ok()["id"];
    assert_has!(events[1], { "actor_id": admin.id, "entity_type": "wallet", "entity_id": wallet });
    assert_eq!(events[1]["new_value"]["amount"].to_string(), "250.50");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_amount_is_told_before_anybody_is_looked_for() {
    let (world, _, admin, agent) = World::start().await.and_people("1000", "0").await;
    let long = format!(r#"{{"amount": 1, "description": "{}"}}"#, "x".repeat(501));
    for (body, faults) in [
        ("{}", "{amount this field is required}"),
        (r#"{"amount": null}"#, "{amount this field is required}"),
        (r#"{"amount": 0}"#, "{amount must be greater than 0}"),
        (r#"{"amount": -1}"#, "{amount must be greater than 0}"),
        (r#"{"amount": "10"}"#, "{amount must be a number}"),
        (r#"{"amount": 0.001}"#, "{amount must have at most 2 decimals}"),
        (r#"{"amount": 100000000000000}"#, "{amount must have at most 14 digits before the decimal point}"),
        (r#"{"amount": "x", "description": 7}"#, "{amount must be a number} {description must be a string}"),
        (&long, "{description must have at most 500 characters}"),
    ] {
        for path in [&path(&agent), "/org/wallet/topup/00000000-0000-7000-8000-000000000000"] {
            admin.post_text(path, body).await.is_invalid(faults);
        }
    }
    assert_eq!(made(&world).await, "0 0");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_gets_money_but_an_agent_of_the_agency() {
    let (world, agency, admin, agent) = World::start().await.and_people("1000", "0").await;
    agency.second_admin("vikram").await;
    let vikram = agency.log_in("vikram").await;
    let foreign = world.agency().await.agent("bina", "0").await;
    let gone = agency.agent("chetan", "0").await;
    admin.delete_user(&gone).await;
    let mut nobody = agent.clone();
    nobody.id = "00000000-0000-7000-8000-000000000000".to_owned();
    let mut misspelt = agent.clone();
    misspelt.id = "x".to_owned();
    for other in [&vikram, &admin, &foreign, &gone, &nobody, &misspelt] {
        give(&admin, other, "1").await.is_missing();
        // Not even of who has more than there is.
        give(&admin, other, "5000").await.is_missing();
    }
    give(&agent, &agent, "1").await.is(403, "access denied");
    give(&agent.with_token(None), &agent, "1").await.is(401, "invalid credentials");
    assert_eq!(made(&world).await, "0 0");

    // Who is suspended gets it, and can spend it when they are back.
    admin.suspend_user(&agent).await;
    give(&admin, &agent, "1").await.says(200, DONE);
    world.sql("update organizations set subscription_type = 'api_only'").await;
    let text = "your organization subscription (API only) does not include portal access to this feature";
    give(&admin, &agent, "1").await.is(403, text);
    assert_eq!(made(&world).await, "1 1");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allocation_spends_what_is_there_and_neither_credit_nor_what_is_held() {
    let (world, _, admin, agent) = World::start().await.and_people("100000", "0").await;
    world.sql("update wallets set credit_limit = 1000000 where owner_type = 'org'").await;
    give(&admin, &agent, "100000.01").await.is(400, "insufficient org wallet balance (available: 100000.00)");
    world.next("book", "drop_after").await;
    let trip = one_way("DEL", "BOM");
    let priced = admin.quote(&trip).await;
    admin.book(&admin.order(&priced, &trip)).await.succeeds(202);
    let free = dec!(100000) - amount(&priced["price_summary"]["total_payable"]);
    let text = format!("insufficient org wallet balance (available: {free})");
    give(&admin, &agent, "100000").await.is(400, &text);
    give(&admin, &agent, &free.to_string()).await.says(200, DONE);
    let none = "insufficient org wallet balance (available: 0.00)";
    give(&admin, &agent, "0.01").await.is(400, none);
    give(&admin, &agent, "0.01").await.is(400, none);
    world.sql("update wallets set is_active = false where owner_type = 'org'").await;
    give(&admin, &agent, "0.01").await.is(400, none);
    assert_eq!(made(&world).await, "1 1");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_allocations_at_once_the_wallet_pays_for_exactly_ten() {
    let (mut world, agency, admin) = World::start().await.and_admin("1009.99").await;
    let elsewhere = admin.at(&world.another_server(RateLimits::off()));
    let (arjun, bina) = (agency.agent("arjun", "0").await, agency.agent("bina", "0").await);
    let asked = (0..50).map(|number| {
        let admin = if number % 2 == 0 { &admin } else { &elsewhere };
        give(admin, if number % 3 == 0 { &arjun } else { &bina }, "100")
    });
    let replies = join_all(asked).await;
    let (done, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!((done.len(), refused.len()), (10, 40));
    for reply in refused {
        let text = reply.json()["error"].as_str().unwrap().to_owned();
        let available = text
            .strip_prefix("insufficient org wallet balance (available: ")
            .and_then(|rest| rest.strip_suffix(')'))
            .unwrap_or_else(|| panic!("{text}"));
        assert_eq!(reply.status, 400);
        assert!(available.parse::<Decimal>().unwrap() < dec!(100), "{text}");
    }
    assert_eq!(admin.balance().await, dec!(9.99));
    assert_eq!(arjun.balance().await + bina.balance().await, dec!(1000));
    assert_eq!(made(&world).await, "10 10");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_money_is_lost_with_an_agent_who_is_deleted_meanwhile() {
    let (world, agency, admin) = World::start().await.and_admin("10000").await;
    let (mut given, mut refused) = (0, 0);
    for round in 0..8 {
        let agent = agency.agent(&format!("agent{round}"), "0").await;
        let delete = async {
            tokio::time::sleep(std::time::Duration::from_millis(round)).await;
            admin.delete_user(&agent).await;
        };
        let ((), replies) = tokio::join!(delete, join_all((0..12).map(|_| give(&admin, &agent, "1"))));
        for reply in replies {
            if reply.status == 200 {
                given += 1;
            } else {
                reply.is_missing();
                refused += 1;
            }
        }
        give(&admin, &agent, "1").await.is_missing();
    }
    assert_eq!(made(&world).await, format!("{given} {given}"));
    // Whoever was given something has given it back.
    assert_eq!(admin.balance().await, dec!(10000), "{given} given, {refused} refused");
    let left = "select count(*) from wallets where owner_type = 'user' and balance <> 0";
    assert_eq!(world.line(left).await, "0");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_gives_once_and_is_answered_to_the_letter() {
    let (world, agency, admin, agent) = World::start().await.and_people("1000", "0").await;
    let body = json!({ "amount": 100, "description": "May" });
    let first = give_under(&admin, &agent, "k", &body).await;
    first.says(200, DONE);
    assert_eq!(first.header("Idempotency-Replayed"), "");
    let again = give_under(&admin, &agent, "k", &body).await;
    assert_eq!(again.text, first.text);
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    // An answer that a crash kept from being stored.
    world.sql("update idempotency_keys set status = null, answer = null").await;
    let again = give_under(&admin, &agent, "k", &body).await;
    assert_eq!(again.text, first.text);
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    assert_eq!(made(&world).await, "1 1");

    let mismatch = "idempotency key was used with a different request";
    give_under(&admin, &agency.agent("bina", "0").await, "k", &body).await.is(422, mismatch);
    give_under(&admin, &agent, "k", &json!({ "amount": 101, "description": "May" })).await.is(422, mismatch);
    // A refusal leaves a key free.
    let refused = "insufficient org wallet balance (available: 900.00)";
    give_under(&admin, &agent, "l", &json!({ "amount": 901 })).await.is(400, refused);
    give_under(&admin, &agent, "l", &json!({ "amount": 900 })).await.says(200, DONE);
    assert_eq!(made(&world).await, "2 2");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_requests_under_one_key_on_two_servers_one_gives() {
    let (mut world, _, admin, agent) = World::start().await.and_people("1000", "0").await;
    let elsewhere = admin.at(&world.another_server(RateLimits::off()));
    for round in 1..=6 {
        let (key, body) = (format!("k{round}"), json!({ "amount": 1 }));
        let asked = [&admin, &elsewhere, &admin, &elsewhere].map(|who| give_under(who, &agent, &key, &body));
        let replies = join_all(asked).await;
        let first = |reply: &&Reply| reply.status == 200 && reply.header("Idempotency-Replayed").is_empty();
        assert_eq!(replies.iter().filter(first).count(), 1, "{replies:?}");
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            reply.is(409, "a request with this idempotency key is still running");
        }
        assert_eq!(agent.balance().await, Decimal::from(round));
    }
    assert_eq!(made(&world).await, "6 6");
    world.books_agree().await;
}
