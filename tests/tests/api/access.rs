//! Who may ask for what: every route by everybody, and nobody learns of what is not theirs.

use reqwest::Method;
use serde_json::{Value, json};
use wayfare_tests::{Person, World, one_way};

const UNAUTHENTICATED: &str = r#"{"success":false,"error":"invalid credentials"}"#;
const NOT_FOUND: &str = r#"{"success":false,"error":"resource not found"}"#;

struct Route {
    method: Method,
    path: String,
    body: Value,
    /// Another agent of the agency, another agency's admin, the agency's admin, the agent.
    expected: [u16; 4],
}

fn route(method: Method, path: &str, body: Value, expected: [u16; 4]) -> Route {
    Route {
        method,
        path: path.to_owned(),
        body,
        expected,
    }
}

async fn ask(person: &Person, route: &Route) -> wayfare_tests::Reply {
    let request = person.request(route.method.clone(), &route.path);
    let request = if route.body.is_null() {
        request
    } else {
        request.json(&route.body)
    };
    person.send(request).await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_answers_everybody_as_it_must() {
    let world = World::frozen().await;
    let agency = world.agency().await;
    let old_token = agency.agent("late", "0").await;
    world.pass(3_600);
    let agent = agency.agent("arjun", "1000000").await;
    let other = agency.agent("bina", "1000000").await;
    let suspended = agency.agent("chetan", "0").await;
    world
        .sql("update users set status = 'suspended' where username = 'chetan'")
        .await;
    let deleted = agency.agent("dinesh", "0").await;
    let admin = agency.admin("1000000").await;
    let foreign = world.agency().await.admin("1000000").await;
    let trip = one_way("DEL", "BOM");
    let bought = agent.buy(trip.clone()).await.reference;
    let offer = agent.offer(&trip).await;
    let order = agent.order(&agent.quote(&trip).await, &trip);

    let of = |suffix: &str| format!("/flights/bookings/{bought}{suffix}");
    let user = |suffix: &str| format!("/org/users/{}{suffix}", deleted.id);
    let routes = [
        route(Method::GET, "/me", json!(null), [200, 200, 200, 200]),
        route(Method::GET, "/wallet", json!(null), [200, 200, 200, 200]),
        route(
            Method::GET,
            "/wallet/transactions",
            json!(null),
            [200, 200, 200, 200],
        ),
        route(Method::PUT, "/me", json!({}), [200, 200, 200, 200]),
        route(Method::PUT, "/me/password", json!({}), [422, 422, 422, 422]),
        route(Method::GET, "/me/stats", json!(null), [200, 200, 200, 200]),
        route(Method::GET, "/org/users", json!(null), [403, 200, 200, 403]),
        route(Method::POST, "/org/users", json!({}), [403, 422, 422, 403]),
        route(Method::GET, &user(""), json!(null), [403, 404, 200, 403]),
        route(Method::PUT, &user(""), json!({}), [403, 404, 200, 403]),
        route(Method::PUT, &user("/suspend"), json!({}), [403, 404, 200, 403]),
        route(Method::PUT, &user("/activate"), json!({}), [403, 404, 200, 403]),
        route(Method::DELETE, &user(""), json!(null), [403, 404, 200, 403]),
        route(Method::GET, "/org/wallet", json!(null), [403, 200, 200, 403]),
        route(Method::GET, "/org/profile", json!(null), [403, 200, 200, 403]),
        route(
            Method::PUT,
            "/org/profile",
            json!({ "name": "New" }),
            [403, 200, 200, 403],
        ),
        route(Method::GET, "/org/settings", json!(null), [403, 200, 200, 403]),
        route(
            Method::PUT,
            "/org/settings",
            json!({ "key": "crm", "value": "x" }),
            [403, 200, 200, 403],
        ),
        route(Method::GET, "/org/audit-logs", json!(null), [403, 200, 200, 403]),
        route(
            Method::POST,
            "/flights/search",
            trip.body(world.now()),
            [200, 200, 200, 200],
        ),
        route(
            Method::POST,
            "/flights/price",
            json!({ "offer_ids": [offer] }),
            [404, 404, 404, 200],
        ),
        route(Method::POST, "/flights/book", order, [404, 404, 404, 200]),
        route(
            Method::GET,
            "/flights/bookings",
            json!(null),
            [200, 200, 200, 200],
        ),
        route(Method::GET, &of(""), json!(null), [404, 404, 200, 200]),
        route(Method::POST, &of("/penalty"), json!({}), [404, 404, 200, 200]),
        // It was bought at once and has its tickets.
        route(
            Method::POST,
            &of("/issue-ticket"),
            json!({ "amount": 1 }),
            [404, 404, 409, 409],
        ),
        // The admin cancels it, so that the agent comes too late.
        route(Method::POST, &of("/cancel"), json!({}), [404, 404, 200, 400]),
    ];
    let nobodies = [
        ("without a token", agent.with_token(None)),
        ("with an empty token", agent.with_token(Some(""))),
        ("with garbage", agent.with_token(Some("garbage"))),
        ("with dots", agent.with_token(Some("a.b.c"))),
        ("with a token that expired", old_token),
        ("with a suspended user's token", suspended),
    ];
    for route in &routes {
        for (who, nobody) in &nobodies {
            let reply = ask(nobody, route).await;
            assert_eq!(
                (reply.status, reply.text.as_str()),
                (401, UNAUTHENTICATED),
                "{} {who}",
                reply.asked
            );
        }
        let people = [
            ("another agent", &other),
            ("another agency's admin", &foreign),
            ("the admin", &admin),
            ("the agent", &agent),
        ];
        for ((who, person), expected) in people.into_iter().zip(route.expected) {
            let reply = ask(person, route).await;
            assert_eq!(reply.status, expected, "{} by {who}: {}", reply.asked, reply.text);
            if expected == 404 {
                assert_eq!(reply.text, NOT_FOUND, "{} by {who}", reply.asked);
            }
        }
    }
    for body in [
        other.get("/flights/bookings").await,
        foreign.get("/flights/bookings").await,
    ] {
        assert_eq!(body.json()["meta"]["total"], 0);
    }
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_anothers_and_what_is_not_there_look_the_same() {
    let world = World::start().await;
    let agent = world.agent("1000000").await;
    let stranger = world.agency().await.admin("1000000").await;
    let theirs = agent.buy(one_way("DEL", "BOM")).await.reference;
    let nowhere = [
        "FA-00000000",
        "fa-00000000",
        "FA-",
        "x",
        "%00",
        "%ff",
        "..%2f..",
        "'%20or%201=1--",
    ];
    for reference in nowhere.iter().copied().chain([theirs.as_str()]) {
        let path = format!("/flights/bookings/{reference}");
        let replies = [
            stranger.get(&path).await,
            stranger.penalty(reference).await,
            stranger.cancel(reference).await,
        ];
        for reply in replies {
            assert_eq!(
                (reply.status, reply.text.as_str()),
                (404, NOT_FOUND),
                "{}",
                reply.asked
            );
        }
    }
    // References are as they were given, in one spelling.
    let lower = theirs.to_lowercase();
    agent
        .get(&format!("/flights/bookings/{lower}"))
        .await
        .is(404, "resource not found");
    assert_eq!(agent.booking(&theirs).await["status"], "confirmed");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_is_judged_before_what_is_asked() {
    let world = World::start().await;
    let nobody = world.agent("0").await.with_token(None);
    nobody
        .post_text("/flights/search", "{")
        .await
        .is(401, "invalid credentials");
    nobody
        .get("/flights/bookings?per_page=0")
        .await
        .is(401, "invalid credentials");
}
