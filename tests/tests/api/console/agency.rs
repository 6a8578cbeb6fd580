//! The agency's pages of people and money: users, what agents have, transactions and the fare ledger.

use rust_decimal::dec;
use serde_json::json;
use wayfare_tests::{Agency, PASSWORD, Person, World, one_way};

use super::browser::{Browser, Page, pairs};

/// Every page of the agency that needs no id.
pub const PAGES: [&str; 15] = [
    "/console/agency/users",
    "/console/agency/users/new",
    "/console/agency/allocations",
    "/console/agency/transactions",
    "/console/agency/transactions.csv",
    "/console/agency/fares",
    "/console/agency/packages",
    "/console/agency/packages/new",
    "/console/agency/hotel-packages",
    "/console/agency/hotel-packages/new",
    "/console/agency/reports",
    "/console/agency/webhooks",
    "/console/agency/webhooks/new",
    "/console/agency/audit",
    "/console/agency/profile",
];

/// An agency with its admin in front of the console and its agent.
pub async fn office(money: &str) -> (World, Agency, Person, Person, Browser) {
    let (world, agency, admin, agent) = World::start().await.and_people(money, "0").await;
    let browser = Browser::signed(&world, &agency, "asha").await;
    (world, agency, admin, agent, browser)
}

/// Sends the form of this page that goes there, with its hidden fields and these.
pub async fn send(browser: &Browser, page: &Page, action: &str, typed: &[(&str, &str)]) -> Page {
    let hidden = page.hidden(action);
    let mut form = pairs(&hidden);
    form.extend(typed);
    browser.post(action, &form).await
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_see_nothing_of_the_agency_and_admins_all_of_it() {
    let (world, agency, _, _, browser) = office("1000").await;
    let agent = Browser::signed(&world, &agency, "arjun").await;
    let stranger = Browser::of(&world);
    for path in PAGES {
        let page = browser.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        if !path.ends_with(".csv") {
            page.has(200, "aria-label=\"Agency\"").has(200, "<main id=\"main\"");
            assert_eq!(page.text.matches("<h1").count(), 1, "{path}");
            assert!(page.text.len() < 60_000, "{path}: {}", page.text.len());
        }
        agent.get(path).await.has(403, "You may not see this");
        assert!(stranger.get(path).await.leads_to().starts_with("/console/login"));
    }
    assert!(!agent.get("/console").await.text.contains("/console/agency"));
    browser.get("/console").await.has(200, "data-keys=\"g a\"");
    assert_eq!(browser.get("/console/agency").await.leads_to(), "/console/agency/users");
    // What an agent sends does nothing.
    let form = [("key", "k1"), ("name", "x"), ("setting", "book_mode")];
    for path in [
        "/console/agency/users",
        "/console/agency/packages",
        "/console/agency/webhooks",
        "/console/agency/profile",
        "/console/agency/settings",
    ] {
        let page = agent.post(path, &form).await;
        assert!(matches!(page.status, 403 | 422), "{path}: {}", page.status);
    }
    assert_eq!(world.line("select count(*) from packages").await, "0");
    for path in [
        "users/none",
        "users/0198c0de-0000-7000-8000-000000000001",
        "packages/0198c0de-0000-7000-8000-000000000001",
        "webhooks/0198c0de-0000-7000-8000-000000000001",
        "webhooks/x",
        "nothing",
    ] {
        assert_eq!(browser.get(&format!("/console/agency/{path}")).await.status, 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agency_without_the_portal_reads_why() {
    let (world, _, _, _, browser) = office("1000").await;
    world.sql("update organizations set subscription_type = 'api_only'").await;
    for path in PAGES {
        let page = browser.get(path).await;
        let has_it =
            ["allocations", "reports", "webhooks", "audit", "profile"].iter().any(|name| path.contains(name));
        match has_it {
            true => page.has(200, "aria-label=\"Agency\""),
            false => page.has(403, "does not have the portal").has(403, "href=\"/console/agency/webhooks\""),
        };
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_is_added_once_changed_suspended_and_deleted() {
    let (world, agency, admin, _, browser) = office("1000").await;
    let new = browser.get("/console/agency/users/new").await;
    let typed = [
        ("name", "Bina <b>Rao</b>"),
        ("email", "bina@sunrise.example"),
        ("phone", ""),
        ("username", "arjun"),
        ("password", PASSWORD),
        ("role", "agent"),
    ];
    let action = "/console/agency/users";
    // The name is taken: it is told at its field, and what was typed is there but the password.
    let taken = send(&browser, &new, action, &typed).await;
    taken
        .has(422, "href=\"#username\"")
        .has(422, "Username is already taken")
        .has(422, "value=\"Bina &#60;b&#62;Rao&#60;/b&#62;\"");
    assert!(!taken.text.contains(PASSWORD));
    let mut free = typed;
    free[3].1 = "bina";
    let short = [("password", "x")];
    let mut weak = free;
    weak[4] = short[0];
    send(&browser, &taken, action, &weak).await.has(422, "id=\"password-error\"");
    let added = send(&browser, &taken, action, &free).await.leads_to();
    assert_eq!(added, send(&browser, &taken, action, &free).await.leads_to(), "the form came twice");
    assert_eq!(admin.get("/org/users?role=agent").await.json()["meta"]["total"], 2);
    let path = added.split('?').next().unwrap().to_owned();
    browser.get(&added).await.has(200, "The user is added");
    let listed = browser.get("/console/agency/users?role=agent").await;
    listed.has(200, "Bina &#60;b&#62;Rao&#60;/b&#62;").has(200, "bina@sunrise.example");
    assert!(!listed.text.contains("asha@sunrise"));
    browser.get("/console/agency/users?status=suspended").await.shows(200, &["No users here", "Show all"]);

    let long = "x".repeat(300);
    let kept = browser.post(&path, &[("name", &long), ("phone", "98")]).await;
    kept.has(422, "href=\"#name\"").has(422, "value=\"98\"").has(422, &long);
    let saved = browser.post(&path, &[("name", "Bina Rao"), ("phone", "98")]).await;
    browser.get(&saved.leads_to()).await.has(200, "value=\"Bina Rao\"");
    for (act, word) in [("suspend", "Suspended"), ("suspend", "Suspended"), ("activate", "Active")] {
        browser.get(&browser.post(&format!("{path}/{act}"), &[]).await.leads_to()).await.has(200, word);
    }

    admin.give(&agency.log_in("bina").await, "230", "to begin with").await;
    let delete = format!("{path}/delete");
    let page = browser.get(&delete).await;
    page.shows(200, &["Delete, ₹230.00 go back to the agency", "Nobody is deleted yet"]);
    assert_eq!(admin.balance().await, dec!(770));
    browser.get(&browser.post(&delete, &[]).await.leads_to()).await.has(200, "The user is deleted");
    browser.post(&delete, &[]).await.leads_to();
    assert_eq!(admin.balance().await, dec!(1000));
    assert_eq!(browser.get(&path).await.status, 404);
    // The last admin stays.
    let own = format!("/console/agency/users/{}", admin.id);
    browser.post(&format!("{own}/suspend"), &[]).await.has(409, "keeps at least one active org_admin");
    browser.post(&format!("{own}/delete"), &[]).await.has(409, "keeps at least one active org_admin");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_given_money_once() {
    let (world, _, admin, agent, browser) = office("1000").await;
    let page = browser.get("/console/agency/allocations").await;
    page.has(200, "₹1,000.00").has(200, "arjun Sunrise");
    let action = format!("/console/agency/allocations/{}", agent.id);
    let (amount, reason) = (format!("amount-{}", agent.id), format!("description-{}", agent.id));
    for (typed, wrong) in [
        ("", "How much?"),
        ("many", "Is not an amount"),
        ("-5", "Amount: "),
        ("5000", "Insufficient org wallet balance"),
    ] {
        let refused = send(&browser, &page, &action, &[(&amount, typed), (&reason, "for <i>May</i>")]).await;
        refused
            .has(422, wrong)
            .has(422, &format!("href=\"#{amount}\""))
            .has(422, &format!("id=\"{amount}-error\""))
            .has(422, &format!("value=\"{typed}\""))
            .has(422, "for &#60;i&#62;May&#60;/i&#62;");
    }
    let typed = [(amount.as_str(), "1,00.5"), (reason.as_str(), "for May")];
    for _ in 0..2 {
        let given = send(&browser, &page, &action, &typed).await.leads_to();
        browser.get(&given).await.has(200, "arjun Sunrise has ₹100.50 now.");
    }
    assert_eq!(agent.balance().await, dec!(100.50));
    assert_eq!(admin.balance().await, dec!(899.50));
    // Without the key of a form of ours nothing is given.
    assert_eq!(browser.post(&action, &typed).await.status, 404);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn transactions_are_filtered_and_lead_to_their_bookings_and_to_a_file() {
    let (world, _, admin, agent, browser) = office("1000000").await;
    let bought = admin.buy(one_way("DEL", "BOM")).await;
    admin.give(&agent, "12.50", "=for <May>").await;
    let path = "/console/agency/transactions";
    let all = browser.get(path).await;
    all.has(200, "=for &#60;May&#62;")
        .has(200, "Balance after")
        .has(200, &format!("href=\"/console/bookings/{}\"", bought.reference))
        .has(200, "+₹10,00,000.00");
    let given = browser.get(&format!("{path}?type=debit&max_amount=100&search=may")).await;
    given.has(200, "−₹12.50").has(200, "arjun Sunrise");
    assert!(!given.text.contains(&bought.reference));
    browser.get(&format!("{path}?agent={}", agent.id)).await.has(200, "+₹12.50");
    browser.get(&format!("{path}?search=nothing")).await.has(200, "Nothing matches");
    let wrong = browser.get(&format!("{path}?from=yesterday&min_amount=x&search=kept")).await;
    wrong.has(422, "href=\"#from\"").has(422, "id=\"min_amount-error\"").has(422, "value=\"kept\"");
    browser.get(&format!("{path}?type=sideways")).await.has(422, "id=\"type-error\"");
    let file = browser.get(&all.link("/console/agency/transactions.csv")).await;
    // As a spreadsheet opens it right.
    assert_eq!(file.text, admin.get("/org/wallet/transactions/export?bom=true&times=agency").await.text);
    assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
    assert!(file.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    let less = browser.get("/console/agency/transactions.csv?type=debit&max_amount=100").await;
    assert_eq!(less.text.lines().count(), 2, "{}", less.text);
    assert_eq!(browser.get("/console/agency/transactions.csv?from=x").await.status, 404);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_fare_ledger_shows_what_was_sold_by_whom() {
    let (_world, _, admin, agent, browser) = office("1000000").await;
    let path = "/console/agency/fares";
    let page = browser.get(path).await;
    page.shows(200, &["Nothing was sold in this period", "Nothing was bought at a supplier"]);
    let bought = admin.buy(one_way("DEL", "BOM")).await;
    for period in ["monthly", "weekly", "<b>"] {
        let page = browser.get(&format!("{path}?period={period}")).await;
        page.shows(200, &[&bought.reference, "asha Sunrise", "Sale"]);
    }
    let ledger = admin.get("/org/fare-transactions?period=monthly").await.ok();
    assert_ne!(ledger["summary"]["total_agent_fare"].to_string(), json!(0).to_string());
    browser.get(&format!("{path}?user={}", agent.id)).await.has(200, "Nothing was sold in this period");
}
