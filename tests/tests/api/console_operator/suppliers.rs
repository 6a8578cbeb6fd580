//! Suppliers at the operator's screens: how they do, closed and opened by the desk, their accounts by finance.

use reqwest::Method;
use wayfare_domain::OperatorRole;
use wayfare_operations::suppliers::health::HealthReporter;
use wayfare_supply::Limits;
use wayfare_tests::{World, WorldOptions, one_way};

use super::desk::Desk;

#[tokio::test(flavor = "multi_thread")]
async fn it_is_seen_how_suppliers_do_as_each_server_says() {
    let options = WorldOptions {
        limits: Limits::default().with(|limits| limits.failures_to_open = 2),
        ..WorldOptions::default()
    };
    let (world, agency, agent) = World::with(options).await.and_agent("1000000").await;
    let desk = Desk::of(&world);
    let viewer = desk.signed("vera", OperatorRole::Viewer).await;
    viewer.get("/operator").await.has(200, "href=\"/operator/suppliers\"");
    // Nobody has said anything yet.
    viewer.get("/operator/suppliers").await.has(200, "Not seen").has(200, "No calls in the last hour");
    let page = viewer.get("/operator/suppliers/duffel").await;
    page.has(200, "No server has said anything of it in the last hour")
        .has(200, "No agency has searched there")
        .has(200, "Operators of the desk and admins close suppliers");
    assert!(!page.text.contains("<form method=\"post\" action=\"/operator/suppliers"));
    let mut server = HealthReporter::of("server <1>");
    agent.buy(one_way("DEL", "BOM")).await;
    world.count_looks().await;
    server.report(&world.platform.suppliers).await.unwrap();
    let shown = viewer.get("/operator/suppliers").await;
    shown.shows(200, &["Works", "0 of 64", "1.0 (1 for 1)", "<path d=\"M0 39L4 39"]);
    let page = viewer.get("/operator/suppliers/duffel").await;
    page.has(200, "server &#60;1&#62;")
        .has(200, "Lets calls through")
        .has(200, &format!("/operator/agencies/{}", agency.code));
    world.next_times("search", "status:500", 2).await;
    for to in ["HYD", "MAA", "CCU"] {
        agent.search(&one_way("DEL", to)).await;
    }
    server.report(&world.platform.suppliers).await.unwrap();
    viewer.get("/operator/suppliers").await.has(200, "Left alone").has(200, "1 not sent, 2 no answer");
    viewer.get("/operator/suppliers/duffel").await.has(200, "Turns calls away until ");
    // A server that has said nothing for a minute.
    world.sql("update supplier_health set seen_at = seen_at - interval '61 seconds'").await;
    viewer.get("/operator/suppliers").await.has(200, "0, 1 gone");
    viewer.get("/operator/suppliers/duffel").await.has(200, "Gone</span>");
    viewer.get("/operator/suppliers/nobody").await.has(404, "There is nothing here");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_desk_closes_with_a_reason_and_opens_and_nobody_else_does() {
    let (world, _, _) = World::start().await.and_agent("1000").await;
    let desk = Desk::of(&world);
    let clerk = desk.signed("dev", OperatorRole::Desk).await;
    let path = "/operator/suppliers/duffel";
    let close = format!("{path}/close");
    clerk.get(path).await.has(200, &format!("action=\"{close}\""));
    let refused = clerk.post(&close, &[("reason", " ")]).await;
    refused.has(422, "There is a problem").has(422, "id=\"reason-error\"");
    let long = "x".repeat(501);
    let shown = clerk.post(&close, &[("reason", &long)]).await;
    shown.shows(422, &["reason-error", &format!("value=\"{long}\"")]);
    let form = [("reason", "wrong <names>")];
    for _ in 0..2 {
        assert_eq!(clerk.post(&close, &form).await.leads_to(), format!("{path}?done=close"));
    }
    let page = clerk.get(&format!("{path}?done=close")).await;
    page.shows(200, &["Nothing new is sold of it", "wrong &#60;names&#62;", "dev &#60;of the desk&#62;"]);
    assert_eq!(page.text.matches("<td data-label=\"What\">Closed for sales").count(), 1);
    clerk.get("/operator/suppliers").await.has(200, "Closed for sales");
    // Of another site, and of another role.
    let open = format!("{path}/open");
    let elsewhere = [("sec-fetch-site", "cross-site")];
    let page = clerk.ask(Method::POST, &open, &elsewhere, &[("note", "")]).await;
    page.has(403, "This form came from another site");
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    finance.post(&open, &[("note", "")]).await.has(403, "Your role may not do this");
    let to = clerk.post(&open, &[("note", "mended")]).await.leads_to();
    clerk.get(&to).await.has(200, "It is sold again").has(200, "mended").has(200, "Stop selling");
    clerk.post(&format!("{path}/nothing"), &[]).await.has(404, "");
    assert_eq!(world.line("select count(*) from supplier_accounts where closed_at is not null").await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn finance_sets_limits_and_states_balances_and_what_was_typed_stays() {
    let (world, _, _) = World::start().await.and_agent("1000").await;
    let desk = Desk::of(&world);
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    let path = "/operator/suppliers/duffel";
    finance.get(path).await.has(200, "State the balance").has(200, "Not known");
    let balance = format!("{path}/balance");
    let page = finance.post(&balance, &[("balance", "1,000"), ("currency", "INR")]).await;
    page.shows(422, &["balance-error", "value=\"1,000\""]);
    let page = finance.post(&balance, &[("balance", "1000.50"), ("currency", "<x>")]).await;
    page.shows(422, &["currency-error", "value=\"&#60;x&#62;\""]);
    finance.post(&balance, &[("balance", "1000.50"), ("currency", "inr")]).await.leads_to();
    let limits = format!("{path}/limits");
    let page = finance.post(&limits, &[("warn_below", "5"), ("stop_below", "10")]).await;
    page.shows(422, &["warn_below-error", "value=\"10\""]);
    let page = finance.post(&limits, &[("warn_below", "5000"), ("stop_below", "much")]).await;
    page.shows(422, &["stop_below-error", "value=\"5000\""]);
    let to = finance.post(&limits, &[("warn_below", "5000"), ("stop_below", "")]).await.leads_to();
    finance
        .get(&to)
        .await
        .has(200, "₹1,000.50")
        .has(200, "₹5,000.00")
        .has(200, "Our account there is low.")
        .has(200, "warns below 5000, stops at nothing");
    let clerk = desk.signed("dev", OperatorRole::Desk).await;
    clerk.post(&limits, &[]).await.has(403, "Your role may not do this");
}
