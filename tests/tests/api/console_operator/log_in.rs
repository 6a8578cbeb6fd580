//! Logging in and out of the operator's screens, and what they have in common with the console of agencies.

use reqwest::{Method, header};
use wayfare_domain::OperatorRole;
use wayfare_tests::{PASSWORD, World};

use super::desk::Desk;
use crate::console::browser::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn operators_log_in_at_their_own_listener_with_a_cookie_of_its_own() {
    let (world, agency, _) = World::start().await.and_agent("0").await;
    let desk = Desk::of(&world);
    let stranger = Browser::at(&desk.url);
    assert_eq!(stranger.get("/").await.leads_to(), "/operator");
    for path in ["/operator/me", "/operator/people"] {
        let to = stranger.get(path).await.leads_to();
        assert_eq!(to, format!("/operator/login?to={}", path.replace('/', "%2F")));
    }
    let page = stranger.get("/operator/login?to=%2Foperator%2Fme").await;
    page.has(200, "value=\"/operator/me\"").has(200, "Operator</span>");
    assert!(!page.text.contains("Agency code"));
    assert_eq!(stranger.get(&page.link("/operator/assets/console-")).await.status, 200);
    // Nothing of agencies is here, and nothing of operators there.
    assert_eq!(stranger.get("/console/login").await.status, 404);
    assert_eq!(Browser::of(&world).get("/operator/login").await.status, 404);
    stranger.get("/operator/v1/nothing").await.has(404, "\"success\":false");
    stranger.get("/operator/nothing").await.has(404, "There is no such page");
    let password = desk.add("meera", OperatorRole::Viewer).await;
    for (username, password) in [("meera", "wrong <b>"), ("nobody", &password), ("arjun", PASSWORD)] {
        let form = [("username", username), ("password", password), ("to", "")];
        let refused = stranger.post("/operator/login", &form).await;
        refused.has(401, "Username or password is wrong").has(401, username);
        assert!(!refused.text.contains("wrong <b>") && !refused.headers.contains_key(header::SET_COOKIE));
    }
    let form = [("username", "meera"), ("password", password.as_str()), ("to", "/operator/me")];
    let page = stranger.post("/operator/login", &form).await;
    assert_eq!(page.leads_to(), "/operator/me");
    let cookie = page.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("wayfare-operator=wfo_"), "{cookie}");
    // Neither token opens the other console.
    let token = cookie.split(';').next().unwrap().split_once('=').unwrap().1;
    let as_agent = format!("wayfare={token}");
    let headers = [(header::COOKIE.as_str(), as_agent.as_str())];
    let page = Browser::of(&world).ask(Method::GET, "/console", &headers, &[]).await;
    assert!(page.leads_to().starts_with("/console/login"));
    Browser::signed(&world, &agency, "arjun").await.get("/console").await.has(200, "Today");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_passwords_and_roles_are_seen_and_changed() {
    let world = World::start().await;
    let desk = Desk::of(&world);
    let browser = desk.signed("meera", OperatorRole::Desk).await;
    let page = browser.get("/operator/me").await;
    page.has(200, "meera &#60;of the desk&#62;").has(200, "Desk</p>").has(200, "This one");
    for (name, value) in
        [("content-security-policy", "script-src 'self'; style-src 'self'"), ("cache-control", "no-store")]
    {
        assert!(page.headers[name].to_str().unwrap().contains(value));
    }
    // The role is named to whoever may not.
    browser.get("/operator/people").await.has(403, "Your role may not do this");
    let form = [
        ("current_password", "wrong"),
        ("new_password", "correct horse battery 9"),
        ("again", "correct horse battery 9"),
    ];
    let refused = browser.post("/operator/me/password", &form).await;
    refused.has(422, "There is a problem").has(422, "current_password-error");
    assert!(!refused.text.contains("battery"));
    assert_eq!(browser.post("/operator/me/look", &[("theme", "dark")]).await.leads_to(), "/operator/me");
    assert_eq!(browser.post("/operator/logout", &[]).await.leads_to(), "/operator/login");
    assert!(browser.get("/operator/me").await.leads_to().starts_with("/operator/login"));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_site_changes_nothing_of_the_operators() {
    let world = World::start().await;
    let desk = Desk::of(&world);
    let browser = desk.signed("asha", OperatorRole::Admin).await;
    let own = desk.url.clone();
    let mut added = 0;
    for (headers, allowed) in [
        (vec![("sec-fetch-site", "cross-site")], false),
        (vec![("sec-fetch-site", "same-site")], false),
        (vec![("origin", "https://evil.example")], false),
        (vec![("origin", world.base_url.as_str())], false),
        (vec![("origin", own.as_str())], true),
        (vec![("sec-fetch-site", "same-origin")], true),
    ] {
        let name = format!("person{added}");
        let form = [("username", name.as_str()), ("name", "Person"), ("role", "viewer")];
        let page = browser.ask(Method::POST, "/operator/people", &headers, &form).await;
        assert_eq!(page.status, if allowed { 200 } else { 403 }, "{headers:?}");
        added += usize::from(allowed);
        assert_eq!(world.line("select count(*)::text from operators").await, (added + 1).to_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_tls_the_cookie_is_for_tls_alone() {
    let world = World::start().await;
    let desk = Desk::found_at(&world, Some("https://desk.example.com".parse().unwrap()));
    let password = desk.add("meera", OperatorRole::Viewer).await;
    let form = [("username", "meera"), ("password", &password), ("to", "")];
    let page = Browser::at(&desk.url).post("/operator/login", &form).await;
    assert_eq!(page.leads_to(), "/operator");
    let cookie = page.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("__Host-wayfare-operator=wfo_"), "{cookie}");
    assert!(cookie.contains("; Secure"), "{cookie}");
}
