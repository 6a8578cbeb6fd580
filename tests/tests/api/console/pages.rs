//! Pages and their states: who sees what, what every answer carries, and what other sites can't do.

use reqwest::{Method, header};
use wayfare_domain::Role;
use wayfare_tests::{PASSWORD, World, WorldOptions};

use super::browser::Browser;

const PAGES: [&str; 8] = [
    "/console",
    "/console/flights",
    "/console/hotels",
    "/console/hotels/bookings",
    "/console/bookings",
    "/console/wallet",
    "/console/me",
    "/console/notifications",
];

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_not_logged_in_is_led_to_the_log_in_and_back() {
    let (world, agency, _) = World::start().await.and_agent("0").await;
    let stranger = Browser::of(&world);
    for path in PAGES {
        let to = stranger.get(path).await.leads_to();
        assert_eq!(to, format!("/console/login?to={}", path.replace('/', "%2F")));
    }
    stranger.get("/console/login?to=%2Fconsole%2Fwallet").await.has(200, "value=\"/console/wallet\"");
    let part = stranger.ask(Method::GET, "/console/wallet", &[("hx-request", "true")], &[]).await;
    assert_eq!(
        (part.status, part.headers["hx-redirect"].to_str().unwrap()),
        (401, "/console/login?to=%2Fconsole")
    );
    let wrong =
        [("agency", agency.code.as_ref()), ("username", "arjun"), ("password", "wrong <b>"), ("to", "")];
    let refused = stranger.post("/console/login", &wrong).await;
    refused.has(401, "Agency code, username or password is wrong").has(401, "value=\"arjun\"");
    assert!(!refused.text.contains("wrong <b>") && !refused.headers.contains_key(header::SET_COOKIE));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_there_for_agents_and_admins_and_carries_the_policy() {
    let (world, agency, _) = World::start().await.and_admin("1000").await;
    agency.agent("arjun", "500").await;
    for username in ["asha", "arjun"] {
        let browser = Browser::signed(&world, &agency, username).await;
        for path in PAGES.into_iter().chain(["/console/nothing", "/console/bookings/FA-00000000"]) {
            let page = browser.get(path).await;
            let expected = if path.contains("nothing") || path.contains("FA-") { 404 } else { 200 };
            page.has(expected, "<main id=\"main\"");
            for (name, value) in [
                ("content-security-policy", "script-src 'self'; style-src 'self'"),
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "same-origin"),
                ("cross-origin-opener-policy", "same-origin"),
                ("permissions-policy", "camera=()"),
                ("cache-control", "no-store"),
            ] {
                assert!(page.headers[name].to_str().unwrap().contains(value), "{path}: {name}");
            }
            assert!(!page.headers.contains_key("access-control-allow-origin"));
            // The first answer fits the first packets.
            assert!(page.text.len() < 60_000, "{path}");
        }
        let wallet = browser.get("/console/wallet").await;
        assert_eq!(wallet.text.contains("Balance over time"), username == "asha");
        let own = if username == "asha" { "₹1,000.00" } else { "₹500.00" };
        wallet.has(200, own);
    }
    let asset = Browser::of(&world).get("/console/login").await.link("/console/assets/console-");
    let asset = Browser::of(&world).get(&asset).await;
    assert!(asset.headers["cache-control"].to_str().unwrap().contains("immutable"));
    assert_eq!(Browser::of(&world).get("/console/assets/console-0.css").await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_role_may_see_what_it_is_led_to() {
    let (world, agency, ..) = World::start().await.and_people("1000", "500").await;
    let one_of_each = "select distinct on (role) username from users order by role, username";
    let one_of_each = world.lines(one_of_each).await;
    assert_eq!(one_of_each.len(), Role::WORDS.len(), "somebody of each role");
    for username in one_of_each {
        let seen = Browser::signed(&world, &agency, &username).await.follow("/console").await;
        assert!(seen.len() > 3, "{username} is led to {seen:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_site_changes_nothing() {
    let (world, agency, agent) = World::start().await.and_agent("0").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let form = [("name", "Mallory"), ("phone", "")];
    let own = world.base_url.clone();
    for (headers, allowed) in [
        (vec![("sec-fetch-site", "cross-site")], false),
        (vec![("sec-fetch-site", "same-site")], false),
        (vec![("sec-fetch-site", "cross-site"), ("origin", own.as_str())], false),
        (vec![("origin", "https://evil.example")], false),
        (vec![("origin", "null")], false),
        (vec![("origin", own.as_str())], true),
        (vec![("sec-fetch-site", "same-origin")], true),
    ] {
        let page = browser.ask(Method::POST, "/console/me", &headers, &form).await;
        assert_eq!(page.status, if allowed { 303 } else { 403 }, "{headers:?}");
        assert_eq!(agent.get("/me").await.ok()["name"] == "Mallory", allowed, "{headers:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_and_the_profile_are_ones_own_to_change() {
    let (world, agency, agent) = World::start().await.and_agent("0").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let other = Browser::signed(&world, &agency, "arjun").await;
    let long = format!("<b>{}", "x".repeat(500));
    let saved = browser.post("/console/me", &[("name", &long), ("phone", "98")]).await;
    assert_eq!(saved.status, 422, "{}", saved.text);
    saved.has(422, "There is a problem").has(422, "&#60;b&#62;xxx");
    assert_eq!(
        browser.post("/console/me", &[("name", "Arjun Rao"), ("phone", "98")]).await.leads_to(),
        "/console/me?done=profile"
    );
    let shown = browser.get("/console/me?done=profile").await;
    shown.shows(200, &["Your profile is saved.", "value=\"Arjun Rao\""]);
    // Three sessions: two browsers, and the log-in of a program.
    let page = browser.get("/console/me").await;
    let ends: Vec<&str> = page.text.split("action=\"/console/me/sessions/").skip(1).collect();
    assert_eq!(ends.len(), 2);
    for end in ends {
        let id = end.split('/').next().unwrap();
        assert_eq!(browser.post(&format!("/console/me/sessions/{id}/end"), &[]).await.status, 303);
    }
    other.get("/console").await.leads_to();
    agent.get("/me").await.is(401, "invalid credentials");
    let out = browser.post("/console/logout", &[]).await;
    assert_eq!(
        (out.leads_to().as_str(), out.headers["clear-site-data"].to_str().unwrap()),
        ("/console/login", "\"cache\"")
    );
    browser.get("/console").await.leads_to();
}

/// The API sees who called the console, and believes it of nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn the_address_of_a_session_is_the_browsers() {
    let (world, agency, agent) = World::start().await.and_agent("0").await;
    let browser = Browser::signed(&world, &agency, "arjun").await;
    let headers = [("x-forwarded-for", "203.0.113.9"), ("wayfare-console", "guessed")];
    browser.ask(Method::GET, "/console", &headers, &[]).await.has(200, "Today");
    assert_eq!(agent.get("/me/sessions").await.ok()[0]["ip_address"], "127.0.0.1");
}

/// A proxy may write a line of its own behind what the browser sent, which counts for nothing.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_the_address_is_what_the_proxy_tells() {
    let options =
        WorldOptions { trusted_proxies: vec!["127.0.0.1".parse().unwrap()], ..WorldOptions::default() };
    let (world, agency, agent) = World::with(options).await.and_agent("0").await;
    let headers = [
        ("sec-fetch-site", "same-origin"),
        ("x-forwarded-for", "198.51.100.7"),
        ("x-forwarded-for", "203.0.113.9"),
    ];
    let form = [("agency", agency.code.as_ref()), ("username", "arjun"), ("password", PASSWORD)];
    let page = Browser::of(&world).ask(Method::POST, "/console/login", &headers, &form).await;
    assert_eq!(page.leads_to(), "/console");
    assert_eq!(agent.get("/me/sessions").await.ok()[0]["ip_address"], "203.0.113.9");
}
