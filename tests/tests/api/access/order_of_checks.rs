//! The order in which a request is judged (P-117): the first of all that is wrong is told.

use futures_util::future::join_all;
use reqwest::Method;
use wayfare_tests::{Person, Reply, World, WorldOptions};

const NO_PORTAL: &str =
    "your organization subscription (API only) does not include portal access to this feature";

/// A request whose path names nobody, and whose body is none.
async fn ask(person: &Person) -> Reply {
    person.send(person.request(Method::PUT, "/org/users/nobody").body("{")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_all_that_is_wrong_the_first_is_told() {
    let (world, agency) = World::with(WorldOptions::limited()).await.and_agency().await;
    agency.second_admin("vikram").await;
    let agent = agency.agent("arjun", "0").await;
    let admin = agency.log_in("vikram").await;
    let statement = "update organizations set status = 'suspended', ip_whitelist_enabled = true,
             subscription_type = 'api_only';
         update users set status = 'suspended' where username = 'arjun'";
    world.sql(statement).await;
    // What was wrong is mended, from the first to the last.
    for token in [None, Some(""), Some("garbage")] {
        ask(&agent.with_token(token)).await.is(401, "invalid credentials");
    }
    ask(&agent).await.is(401, "invalid credentials");
    world.sql("update users set status = 'active'").await;
    ask(&agent).await.is(401, "invalid credentials");
    world.sql("update organizations set status = 'active'").await;
    // Whoever is elsewhere takes nothing out of the bucket.
    for reply in join_all((0..650).map(|_| ask(&agent))).await {
        reply.is(403, "access denied");
        assert_eq!(reply.header("ratelimit-limit"), "");
    }
    world.sql("update organizations set ip_whitelist_enabled = false").await;
    ask(&agent).await.is(403, NO_PORTAL);
    let replies = join_all((0..650).map(|_| ask(&agent))).await;
    let (spent, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 429);
    assert!(!spent.is_empty());
    for reply in refused {
        reply.is(403, NO_PORTAL);
    }
    world.sql("update organizations set subscription_type = 'full'").await;
    ask(&agency.agent("bina", "0").await).await.is(403, "access denied");
    ask(&admin).await.is(415, "unsupported content type");
    let put = |body: &'static str| admin.send_text(Method::PUT, "/org/users/nobody", body);
    put("{").await.is(400, "malformed JSON at line 1 column 1");
    put(r#"{"name": 7}"#).await.is_invalid("{name must be a string}");
    put(r#"{"name": "New"}"#).await.is_missing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_is_read_after_who_asks_is_known() {
    let (_world, _, agent) = World::start().await.and_agent("0").await;
    let nobody = agent.with_token(None);
    for path in ["/flights/bookings?per_page=0", "/org/users?per_page=0"] {
        nobody.get(path).await.is(401, "invalid credentials");
    }
    agent.get("/org/users?per_page=0").await.is(403, "access denied");
}
