//! An agency's users, as its admins manage them.

use futures_util::future::join_all;
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_tests::{Agency, PASSWORD, Person, World, WorldOptions, amount, faulty_bodies, one_way};

const REQUIRED: &str = "this field is required";
const OUT: &str = "invalid credentials";
const LAST: &str = "an organization keeps at least one active org_admin";

fn new_user(username: &str, role: &str) -> Value {
    json!({ "email": format!("{username}@sunrise.example"), "name": "Dev Rao", "username": username,
        "password": PASSWORD, "role": role })
}

/// Somebody whom the admin has made, logged in.
async fn made(agency: &Agency, admin: &Person, username: &str, role: &str) -> Person {
    admin.post("/org/users", &new_user(username, role)).await.ok();
    agency.log_in(username).await
}

fn path(person: &Person, suffix: &str) -> String {
    format!("/org/users/{}{suffix}", person.id)
}

async fn events(world: &World) -> Vec<String> {
    let query =
        "select concat_ws(' ', action, actor_type, old_value::text, '->', new_value::text) from events
         where action like 'user.%' and actor_type <> 'operator' order by id";
    world.lines(query).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_makes_a_user_who_comes_in() {
    let (world, agency, admin) = World::frozen().await.and_admin("0").await;
    let mut body = new_user("dev", "agent");
    body["phone"] = json!(" +91 98123 45678 ");
    body["status"] = json!("suspended");
    let made = admin.post("/org/users", &body).await.ok();
    assert_answer!("new_user", made);
    assert_eq!(made["org_id"], admin.get("/me").await.ok()["org_id"]);
    let dev = agency.log_in("dev").await;
    assert_eq!(dev.balance().await, Decimal::ZERO);
    assert_eq!(admin.get(&path(&dev, "")).await.ok(), made);
    assert_eq!(
        events(&world).await,
        [
            r#"user.created org_user -> {"name": "Dev Rao", "role": "agent", "email": "dev@sunrise.example", "phone": "+91 98123 45678", "status": "active", "username": "dev"}"#
        ]
    );
    // An admin has no wallet but the organization's.
    let second = self::made(&agency, &admin, "esha", "org_admin").await;
    assert_eq!(second.get("/wallet").await.ok()["owner_type"], "org");
    assert_eq!(world.line("select count(*) from wallets").await, "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_of_a_new_user_is_checked() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let user = new_user("dev", "agent");
    let x = |count| "x".repeat(count);
    let table = format!(
        r#"
        .          {{}}  {{email {REQUIRED}}} {{name {REQUIRED}}} {{username {REQUIRED}}} {{password {REQUIRED}}} {{role {REQUIRED}}}
        /role      "super_admin"          {{role must be one of org_admin, agent}}
        /email     "dev"                  {{email must be an e-mail address}}
        /password  "1234567"              {{password must be between 8 and 128 characters}}
        /password  "{password}"           {{password must be between 8 and 128 characters}}
        /password  "Dev@Sunrise.example"  {{password must not be the username or email}}
        /username  "correct horse 7"      {{password must not be the username or email}}
        /username  "{username}"           {{username must have at most 64 characters}}
        /username  "a\u0000b"             {{username must not contain NUL}}
        /username  7                      {{username must be a string}}
        /name      "{name}"               {{name must have at most 100 characters}}
        /name      "a\nb"                 {{name must not contain control characters}}
        /phone     "{phone}"              {{phone must be between 0 and 32 characters}}
        /phone     "\u0007"               {{phone must not contain control characters}}
        /phone     []                     {{phone must be a string}}
        "#,
        password = x(129),
        username = x(65),
        name = x(101),
        phone = x(33),
    );
    for (body, faults) in faulty_bodies(&user, &table) {
        admin.post("/org/users", &body).await.is_invalid(&faults);
    }
    assert_eq!(world.line("select count(*) from users").await, "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_taken_once_in_an_agency_and_free_again_after() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let dev = made(&agency, &admin, "dev", "agent").await;
    let mut same_name = new_user("DEV", "agent");
    same_name["email"] = json!("other@sunrise.example");
    let taken = admin.post("/org/users", &same_name).await;
    assert_eq!(taken.text, r#"{"success":false,"error":"username is already taken"}"#);
    taken.is(409, "username is already taken");
    let mut same_address = new_user("other", "agent");
    same_address["email"] = json!("Dev@Sunrise.example");
    admin.post("/org/users", &same_address).await.is(409, "email is already taken");
    // Another agency has its own.
    world.agency().await.admin("0").await.post("/org/users", &new_user("dev", "agent")).await.ok();
    admin.delete_user(&dev).await;
    admin.post("/org/users", &new_user("dev", "agent")).await.ok();
    // Of many at once one is made.
    let replies =
        join_all((0..4).map(|_| async { admin.post("/org/users", &new_user("esha", "agent")).await.status }))
            .await;
    assert_eq!(replies.iter().filter(|status| **status == 200).count(), 1, "{replies:?}");
    assert_eq!(replies.iter().filter(|status| **status == 409).count(), 3, "{replies:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_paged_newest_first_and_filtered() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    for name in ["arjun", "bina", "chetan"] {
        admin.post("/org/users", &new_user(name, "agent")).await.ok();
    }
    let bina = agency.log_in("bina").await;
    let gone = agency.log_in("chetan").await;
    world.agency().await.agent("foreigner", "0").await;
    admin.suspend_user(&bina).await;
    let names = async |query: &str| {
        let list = admin.get(&format!("/org/users{query}")).await.json();
        let users = list["data"].as_array().unwrap().iter();
        let names: Vec<&str> = users.map(|user| user["username"].as_str().unwrap()).collect();
        (names.join(" "), list["meta"].clone())
    };
    let meta = json!({ "page": 1, "per_page": 20, "total": 4, "total_pages": 1 });
    assert_eq!(names("").await, ("chetan bina arjun asha".to_owned(), meta));
    for (query, expected) in [
        ("?role=agent", "chetan bina arjun"),
        ("?role=org_admin", "asha"),
        ("?status=suspended", "bina"),
        ("?status=active&role=agent", "chetan arjun"),
        ("?per_page=3&page=2", "asha"),
        ("?per_page=3&page=9", ""),
        ("?role=", "chetan bina arjun asha"),
    ] {
        assert_eq!(names(query).await.0, expected, "{query}");
    }
    admin.get("/org/users?role=boss&status=gone&page=0&per_page=101").await.is_invalid(
        "{page must be a whole number of at least 1} {per_page must be between 1 and 100} \
         {role must be one of org_admin, agent} {status must be one of active, suspended}",
    );
    admin.delete_user(&gone).await;
    assert_eq!(names("").await.0, "bina arjun asha");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_changed_in_what_may_change() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let dev = made(&agency, &admin, "dev", "agent").await;
    let at = path(&dev, "");
    let before = admin.get(&at).await.ok();
    assert_eq!(admin.put(&at, &json!({})).await.ok(), before);
    let body =
        json!({ "name": "Dev R. Rao", "phone": "1", "role": "org_admin", "email": "x@y.example", "id": "x" });
    let after = admin.put(&at, &body).await.ok();
    let mut expected = before.clone();
    (expected["name"], expected["phone"]) = (json!("Dev R. Rao"), json!("1"));
    assert_eq!(after, expected);
    admin.put(&at, &json!({ "phone": "" })).await.ok();
    let suspended = admin.put(&at, &json!({ "status": "suspended", "phone": "2" })).await.ok();
    assert_eq!(suspended["status"], "suspended");
    dev.get("/me").await.is(401, OUT);
    assert_eq!(admin.put(&at, &json!({ "status": "active" })).await.ok()["status"], "active");
    // The old token stays dead.
    dev.get("/me").await.is(401, OUT);
    agency.log_in("dev").await;
    admin.put(&at, &json!({ "name": "", "status": "gone", "phone": 1 })).await.is_invalid(
        "{name this field is required} {phone must be a string} \
         {status must be one of active, suspended}",
    );
    let told = events(&world).await;
    assert_eq!(
        told[1..],
        [
            r#"user.updated org_user {"name": "Dev Rao", "phone": ""} -> {"name": "Dev R. Rao", "phone": "1"}"#,
            r#"user.updated org_user {"name": "Dev R. Rao", "phone": "1"} -> {"name": "Dev R. Rao", "phone": ""}"#,
            r#"user.updated org_user {"name": "Dev R. Rao", "phone": ""} -> {"name": "Dev R. Rao", "phone": "2"}"#,
            r#"user.suspended org_user {"role": "agent", "status": "active"} -> {"role": "agent", "status": "suspended"}"#,
            r#"user.activated org_user {"role": "agent", "status": "suspended"} -> {"role": "agent", "status": "active"}"#,
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_user_is_out_at_once_until_activated() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let dev = made(&agency, &admin, "dev", "agent").await;
    for _ in 0..2 {
        let reply = admin.put(&path(&dev, "/suspend"), &json!({})).await;
        reply.reads(200, r#"{"success":true,"message":"user suspended"}"#);
    }
    dev.get("/me").await.is(401, OUT);
    dev.refresh_own().await.is(401, OUT);
    let login = json!({ "agent_id": agency.code.as_ref(), "username": "dev", "password": PASSWORD });
    dev.post("/auth/login", &login).await.is(401, OUT);
    for _ in 0..2 {
        let reply = admin.put(&path(&dev, "/activate"), &json!({})).await;
        reply.reads(200, r#"{"success":true,"message":"user activated"}"#);
    }
    dev.refresh_own().await.is(401, OUT);
    agency.log_in("dev").await.get("/me").await.ok();
    // Doing it twice is one change.
    let actions =
        "select action from events where action in ('user.suspended', 'user.activated') order by id";
    assert_eq!(world.lines(actions).await, ["user.suspended", "user.activated"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_active_admin_stays() {
    let (_world, agency, admin) = World::start().await.and_admin("0").await;
    let second = made(&agency, &admin, "esha", "org_admin").await;
    admin.suspend_user(&second).await;
    admin.put(&path(&admin, "/suspend"), &json!({})).await.is(400, LAST);
    admin.put(&path(&admin, ""), &json!({ "status": "suspended", "name": "X" })).await.is(400, LAST);
    admin.delete(&path(&admin, "")).await.is(400, LAST);
    assert_eq!(admin.get("/me").await.ok()["name"], "asha Sunrise");
    // A suspended one doesn't count, and may go.
    admin.delete_user(&second).await;
    let third = made(&agency, &admin, "farah", "org_admin").await;
    third.delete_user(&admin).await;
    admin.get("/me").await.is(401, OUT);
    third.put(&path(&third, "/suspend"), &json!({})).await.is(400, LAST);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_admins_who_suspend_each_other_leave_one() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    for round in 0..5 {
        let second = made(&agency, &admin, &format!("esha{round}"), "org_admin").await;
        let empty = json!({});
        let (at_second, at_admin) = (path(&second, "/suspend"), path(&admin, ""));
        let (first, other) = futures_util::join!(admin.put(&at_second, &empty), async {
            if round % 2 == 0 {
                second.put(&path(&admin, "/suspend"), &json!({})).await
            } else {
                second.delete(&at_admin).await
            }
        });
        let done = [&first, &other].iter().filter(|reply| reply.status == 200).count();
        assert_eq!(done, 1, "{} {}", first.text, other.text);
        let active = "select count(*) from users where role = 'org_admin' and status = 'active' and deleted_at is null";
        assert_eq!(world.line(active).await, "1");
        if other.status == 200 {
            return;
        }
        assert!([400, 401].contains(&other.status), "{}", other.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_deleted_user_has_left_goes_back_and_their_name_stays() {
    let (world, agency, admin, agent) = World::start().await.and_people("1000.50", "100000").await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let left = agent.balance().await;
    admin.delete(&path(&agent, "")).await.reads(200, r#"{"success":true,"message":"user deleted"}"#);
    agent.get("/me").await.is(401, OUT);
    agent.refresh_own().await.is(401, OUT);
    let login = json!({ "agent_id": agency.code.as_ref(), "username": "arjun", "password": PASSWORD });
    agent.post("/auth/login", &login).await.is(401, OUT);
    for again in [
        admin.get(&path(&agent, "")).await,
        admin.delete(&path(&agent, "")).await,
        admin.put(&path(&agent, "/activate"), &json!({})).await,
        admin.put(&path(&agent, ""), &json!({ "name": "X" })).await,
    ] {
        again.is_missing();
    }
    assert_eq!(admin.balance().await, dec!(1000.50) + left);
    let newest = admin.get("/wallet/transactions").await.ok()[0].clone();
    assert_has!(newest, { "description": "deallocated from agent: user deleted", "type": "credit" });
    assert_eq!(newest["amount"].to_string(), left.to_string());
    let kept =
        "select t.reason || ' ' || (t.performed_by is not null) || ' ' || w.balance || ' ' || w.is_active
        from wallets w join entries e on (e.org_id, e.wallet_id) = (w.org_id, w.id) and e.side = 'debit'
        join transfers t on (t.org_id, t.id) = (e.org_id, e.transfer_id)
        where w.owner_type = 'user' order by e.sequence desc limit 1";
    assert_eq!(world.line(kept).await, "topup true 0.00 false");
    assert_eq!(admin.booking(&bought.reference).await["booking_ref"], bought.reference);
    let names = "select user_name from bookings union all select user_name from fare_transactions
        union all select name from users where username = 'arjun'";
    assert_eq!(world.lines(names).await, ["arjun Sunrise"; 3]);
    let told = events(&world).await;
    assert!(
        told.len() == 1
            && told[0].starts_with("user.deleted org_user {")
            && told[0].contains(&format!("\"balance\": {left}")),
        "{told:?}"
    );
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_back_for_a_deleted_user_goes_to_the_organization() {
    let (world, _, admin, agent) = World::start().await.and_people("1000", "100000").await;
    // Of the dearest much comes back.
    let first = agent.buy_dearest(&one_way("DEL", "BOM")).await.reference;
    let second = agent.buy_dearest(&one_way("DEL", "BLR")).await.reference;
    // It is on its way back when the user goes.
    world.next("cancel", "drop_after").await;
    agent.cancel(&first).await.succeeds(202);
    admin.delete_user(&agent).await;
    let before = admin.balance().await;
    world.sql("update effects set due_at = now() where state = 'open'").await;
    assert_eq!(world.recover().await, 1);
    let refunded = admin.cancel(&second).await.ok();
    let refunds = "select sum(refund_to_wallet)::text from refunds where status = 'refunded'";
    let back: Decimal = world.line(refunds).await.parse().unwrap();
    let given_back = amount(&refunded["refund_to_wallet"]);
    assert!(given_back > Decimal::ZERO && given_back < back, "{given_back} of {back}");
    assert_eq!(admin.balance().await, before + back);
    let entries = admin.get("/wallet/transactions").await.ok();
    for (entry, bought) in [(&entries[0], &second), (&entries[1], &first)] {
        let told = format!("refund of booking {bought} of arjun Sunrise");
        assert_has!(entry, { "type": "credit", "description": told });
    }
    assert_eq!(world.line("select balance from wallets where owner_type = 'user'").await, "0.00");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_with_money_on_hold_stays_until_it_is_settled() {
    let options = WorldOptions { processing_time: std::time::Duration::ZERO, ..WorldOptions::default() };
    let (world, agency, admin) = World::with(options).await.and_admin("100000").await;
    let second = made(&agency, &admin, "esha", "org_admin").await;
    let agent = agency.agent("arjun", "100000").await;
    for person in [&agent, &second] {
        world.next("book", "drop_before").await;
        person.try_buy(&one_way("DEL", "BOM")).await.succeeds(202);
        admin.delete(&path(person, "")).await.is(400, "user has pending bookings");
        person.get("/me").await.ok();
    }
    world.sql("update effects set due_at = now()").await;
    assert_eq!(world.recover().await, 2);
    for person in [&agent, &second] {
        admin.delete(&path(person, "")).await.says(200, "user deleted");
    }
    assert_eq!(admin.balance().await, dec!(200000));
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_debt_is_taken_over_only_when_it_is_covered() {
    let (world, agency, admin, agent) = World::start().await.and_people("100", "10").await;
    world.sql("update wallets set credit_limit = 1000000").await;
    let fare = agent.buy(one_way("DEL", "BOM")).await.fare;
    // Credit of the organization's pays nobody's debt.
    admin.delete(&path(&agent, "")).await.is(400, "insufficient org wallet balance (available: 100.00)");
    agent.get("/me").await.ok();
    agency.admin("100000").await;
    admin.delete_user(&agent).await;
    assert_eq!(admin.balance().await, dec!(100110) - fare);
    let newest = admin.get("/wallet/transactions").await.ok()[0].clone();
    assert_has!(newest, { "type": "debit", "description": "deallocated from agent: user deleted" });
    // The credit line is gone with the user.
    assert_eq!(world.line("select is_active from wallets where owner_type = 'user'").await, "false");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn users_of_another_agency_are_not_there() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let dev = made(&agency, &admin, "dev", "agent").await;
    let stranger = world.agency().await.admin("0").await;
    let nowhere = ["x", "00000000-0000-7000-8000-000000000000", "%00", "..%2f.."];
    for id in nowhere.into_iter().chain([dev.id.as_str()]) {
        let at = format!("/org/users/{id}");
        for reply in [
            stranger.get(&at).await,
            stranger.put(&at, &json!({ "name": "X" })).await,
            stranger.delete(&at).await,
            stranger.put(&format!("{at}/suspend"), &json!({})).await,
            stranger.put(&format!("{at}/activate"), &json!({})).await,
        ] {
            reply.reads(404, r#"{"success":false,"error":"resource not found"}"#);
        }
        // The body comes first.
        let refused = stranger.put(&at, &json!({ "status": "gone" })).await;
        refused.is_invalid("{status must be one of active, suspended}");
    }
    assert_eq!(dev.get("/me").await.ok()["name"], "Dev Rao");
}
