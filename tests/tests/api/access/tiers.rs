//! What a subscription gives: an `api_only` agency has no portal, and everything else.

use reqwest::Method;
use serde_json::json;
use wayfare_tests::{World, one_way};

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_without_the_portal_has_all_the_rest() {
    let (world, _, admin, agent) = World::start().await.and_people("0", "1000000").await;
    world.sql("update organizations set subscription_type = 'api_only'").await;
    for path in [
        "/org/profile",
        "/org/settings",
        "/org/audit-logs",
        "/org/wallet",
        "/me",
        "/wallet",
        "/wallet/transactions",
        "/flights/bookings",
    ] {
        admin.get(path).await.ok();
    }
    assert_eq!(admin.get("/org/profile").await.ok()["subscription_type"], "api_only");
    let setting = json!({ "key": "crm", "value": "x" });
    admin.put("/org/settings", &setting).await.says(200, "setting updated");
    agent.cancel(&agent.buy(one_way("DEL", "BOM")).await.reference).await.ok();
    agent.get("/org/profile").await.is(403, "access denied");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_portal_is_refused_to_everybody_of_such_an_agency_before_anything_else_is_looked_at() {
    let (world, _, admin, agent) = World::start().await.and_people("0", "0").await;
    let one = format!("/org/users/{}", agent.id);
    let routes = [
        (Method::GET, "/org/users?per_page=0".to_owned()),
        (Method::POST, "/org/users".to_owned()),
        (Method::GET, one.clone()),
        (Method::PUT, one.clone()),
        (Method::DELETE, one.clone()),
        (Method::PUT, format!("{one}/suspend")),
        (Method::PUT, format!("{one}/activate")),
        (Method::GET, "/org/users/x".to_owned()),
        (Method::GET, "/org/packages".to_owned()),
        (Method::POST, "/org/packages".to_owned()),
        (Method::POST, "/org/hotel-packages/preview".to_owned()),
        (Method::DELETE, "/org/packages/assign".to_owned()),
        (Method::PUT, "/org/hotel-packages/x".to_owned()),
        (Method::POST, "/org/hotel-packages/assign-agent/x".to_owned()),
    ];
    world.sql("update organizations set subscription_type = 'api_only'").await;
    for (method, path) in &routes {
        for person in [&admin, &agent] {
            let reply = person.send(person.request(method.clone(), path).body("{")).await;
            reply.is(
                403,
                "your organization subscription (API only) does not include portal access to this feature",
            );
        }
    }
    world.sql("update organizations set subscription_type = 'full'").await;
    agent.get("/org/users").await.is(403, "access denied");
    assert_eq!(admin.get("/org/users").await.json()["meta"]["total"], 2);
}
