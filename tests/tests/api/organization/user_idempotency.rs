//! Idempotency-Key on `POST /org/users`: a user is made once, and nobody reads a password out of what is kept.

use futures_util::future::join_all;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wayfare_tests::{PASSWORD, Person, Reply, World, WorldOptions};

const RUNNING: &str = "a request with this idempotency key is still running";

fn new_user(username: &str) -> Value {
    json!({ "email": format!("{username}@sunrise.example"), "name": "Dev Rao", "username": username,
        "password": PASSWORD, "role": "agent" })
}

async fn make(admin: &Person, key: &str, body: &Value) -> Reply {
    admin.post_with_key("/org/users", key, body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_and_body_make_one_user_and_are_answered_to_the_letter() {
    let (world, agency, admin) = World::start().await.and_admin("0").await;
    let first = make(&admin, "k", &new_user("dev")).await;
    let made = first.ok();
    assert_eq!(first.header("Idempotency-Replayed"), "");
    // The stored answer stays what it was, whatever becomes of the user.
    let path = format!("/org/users/{}/suspend", made["id"].as_str().unwrap());
    admin.put(&path, &json!({})).await.succeeds(200);
    let again = make(&admin, "k", &new_user("dev")).await;
    assert_eq!(again.text, first.text);
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    assert_eq!(world.line("select count(*) from users").await, "2");
    let made = "select count(*) from events where action = 'user.created' and actor_type = 'org_user'";
    assert_eq!(world.line(made).await, "1");

    // Another admin's key is another key.
    agency.second_admin("esha").await;
    make(&agency.log_in("esha").await, "k", &new_user("dev")).await.is(409, "username is already taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_request_under_the_key_is_refused() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    make(&admin, "k", &new_user("dev")).await.ok();
    let mut other_password = new_user("dev");
    other_password["password"] = json!("correct horse 8");
    for body in [new_user("esha"), other_password] {
        make(&admin, "k", &body).await.is(422, "idempotency key was used with a different request");
    }
    assert_eq!(world.line("select count(*) from users").await, "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_user_leaves_the_key_free() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    make(&admin, "k", &new_user("asha")).await.is(409, "username is already taken");
    let mut short = new_user("dev");
    short["password"] = json!("short");
    assert_eq!(make(&admin, "k", &short).await.status, 422);
    assert_eq!(world.line("select count(*) from idempotency_keys").await, "0");
    let made = make(&admin, "k", &new_user("dev")).await;
    assert_eq!(made.ok()["username"], "dev");
    assert_eq!(made.header("Idempotency-Replayed"), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_not_kept_is_the_users_present_state() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let made = make(&admin, "k", &new_user("dev")).await.ok();
    world.sql("update idempotency_keys set status = null, answer = null").await;
    let path = format!("/org/users/{}", made["id"].as_str().unwrap());
    let now = admin.put(&path, &json!({ "name": "Dev R. Rao" })).await.ok();
    let again = make(&admin, "k", &new_user("dev")).await;
    assert_eq!(again.ok(), now);
    assert_eq!(again.header("Idempotency-Replayed"), "true");
    assert_eq!(world.line("select count(*) from users").await, "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_requests_at_once_on_two_servers_one_makes_the_user() {
    let (mut world, _, admin) = World::start().await.and_admin("0").await;
    // It knows nothing of what runs on the first one.
    let other = admin.at(&world.another_process(&WorldOptions::default()));
    for round in 0..4 {
        let (key, body) = (format!("k{round}"), new_user(&format!("dev{round}")));
        let answers = join_all([&admin, &other, &admin, &other].map(|admin| make(admin, &key, &body))).await;
        let (made, others): (Vec<&Reply>, Vec<&Reply>) = answers
            .iter()
            .partition(|reply| reply.status == 200 && reply.header("Idempotency-Replayed").is_empty());
        assert_eq!(made.len(), 1, "{answers:?}");
        for reply in others {
            if reply.status == 200 {
                assert_eq!(reply.text, made[0].text);
            } else {
                reply.is(409, RUNNING);
            }
        }
        assert_eq!(make(&other, &key, &body).await.text, made[0].text);
    }
    assert_eq!(world.line("select count(*) from users").await, "5");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_tells_no_password() {
    let (world, _, admin) = World::start().await.and_admin("0").await;
    let body = new_user("dev");
    make(&admin, "k", &body).await.ok();
    let kept = world.line("select row_to_json(t)::text from idempotency_keys t").await;
    assert!(kept.contains("dev@sunrise.example") && !kept.contains(PASSWORD), "{kept}");

    // Whoever reads the table knows all of the request but the password: without our key they can't check a guess.
    let parts = ["POST".as_bytes(), b"/api/v1/org/users", body.to_string().as_bytes()].map(<[u8]>::to_vec);
    let framed: Vec<u8> = parts
        .iter()
        .flat_map(|part| [&(part.len() as u64).to_be_bytes(), part.as_slice()].concat())
        .collect();
    for guess in [parts.concat(), framed, parts[2].clone()] {
        let hash: String = Sha256::digest(&guess).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(!kept.contains(&hash), "{kept}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_day_a_key_that_made_a_user_may_book_and_the_other_way_round() {
    let (world, agency, admin) = World::frozen().await.and_admin("1000000").await;
    make(&admin, "k", &new_user("dev")).await.ok();
    world.pass(24 * 3600 + 1);
    let admin = agency.log_in("asha").await;
    let order = admin.order_for(&wayfare_tests::one_way("DEL", "BOM")).await;
    let booked = admin.post_with_key("/flights/book", "k", &order).await;
    assert_eq!(booked.ok()["status"], "CONFIRMED");
    assert_eq!(booked.header("Idempotency-Replayed"), "");
    world.pass(24 * 3600 + 1);
    make(&agency.log_in("asha").await, "k", &new_user("esha")).await.ok();
    world.books_agree().await;
}
