//! The ledger at the operator's screens: a proof is begun and watched, a wrong entry stays red until a proof finds none.

use diesel_async::SimpleAsyncConnection;
use reqwest::Method;
use wayfare_domain::OperatorRole;
use wayfare_tests::{World, eventually};

use super::desk::Desk;
use crate::console::browser::{Browser, Page};

const LEDGER: &str = "/operator/ledger";
const BEGIN: &str = "/operator/ledger/verifications";

/// What comes into the page while it is watched.
async fn part(browser: &Browser, path: &str) -> Page {
    browser.ask(Method::GET, path, &[("hx-request", "true")], &[]).await
}

/// The page of a proof that has ended.
async fn ended(browser: &Browser, path: &str) -> Page {
    eventually("the proof has ended", async || {
        let page = browser.get(path).await;
        assert_eq!(page.status, 200, "{}", page.text);
        (!page.text.contains("Running")).then_some(page)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_is_begun_watched_and_kept_with_its_result() {
    let (world, _, _) = World::start().await.and_admin("5000").await;
    let desk = Desk::of(&world);
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    let shown = finance.get(LEDGER).await;
    shown.shows(200, &["The ledger was not proven yet.", "Verify now", "aria-current=\"page\">Ledger"]);
    finance.get("/operator").await.has(200, "Never proven").has(200, "All of them sell");
    let mut lock = world.database.owner().await;
    lock.batch_execute("begin; lock table entries in access exclusive mode").await.unwrap();
    let proof = finance.post(BEGIN, &[]).await.leads_to();
    // The form sent twice leads to the same one.
    assert_eq!(finance.post(BEGIN, &[]).await.leads_to(), proof);
    let page = finance.get(&proof).await;
    page.has(200, "Running").has(200, "<noscript>").has(200, &format!("hx-get=\"{proof}\""));
    eventually("it shows how far it is", async || {
        let moved = part(&finance, &proof).await;
        assert!(!moved.text.contains("<html"), "{}", moved.text);
        moved.text.contains("0 of 1 entries, 0 %").then_some(())
    })
    .await;
    let list = part(&finance, LEDGER).await;
    list.has(200, "hx-get=\"/operator/ledger?page=1\"").has(200, "How much of it is read");
    finance.get("/operator").await.has(200, "One runs now");
    lock.batch_execute("rollback").await.unwrap();
    let page = ended(&finance, &proof).await;
    page.shows(200, &["All agrees", "1 of 1 entries, 100 %", "the commit of a test", "farah"]);
    assert!(!page.text.contains("hx-get"), "{}", page.text);
    let list = finance.get(LEDGER).await;
    list.has(200, &proof).has(200, "All agrees");
    assert!(!list.text.contains("hx-get"), "{}", list.text);
    finance.get("/operator").await.has(200, "All agrees").has(200, &proof);
    for nothing in ["01900000-0000-7000-8000-000000000000", "nonsense"] {
        assert_eq!(finance.get(&format!("{LEDGER}/{nothing}")).await.status, 404);
    }
    world.books_agree().await;
    finance.get(LEDGER).await.has(200, "Command line");
    let from_elsewhere = finance.ask(Method::POST, BEGIN, &[("sec-fetch-site", "cross-site")], &[]).await;
    from_elsewhere.has(403, "This form came from another site");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_entry_is_red_until_a_later_proof_finds_none() {
    let (world, _, _) = World::start().await.and_admin("5000").await;
    let desk = Desk::of(&world);
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    let change = |difference: &str| {
        format!(
            "set session_replication_role = replica;
             update entries set amount = amount {difference}, balance_after = balance_after {difference}
             where wallet_id is not null"
        )
    };
    world.sql(&change("+ 1")).await;
    let proof = finance.post(BEGIN, &[]).await.leads_to();
    let fault = "entry 1: debits of 5000.00 and credits of 5001.00 differ";
    ended(&finance, &proof).await.shows(200, &["The ledger does not agree", fault, "2 do not agree"]);
    let red = finance.get("/operator").await;
    red.has(200, "role=\"alert\"").has(200, fault).has(200, &format!("href=\"{proof}\""));
    world.sql(&change("- 1")).await;
    finance.get("/operator").await.has(200, fault);
    // One that is lost makes nothing good.
    let statement = "insert into ledger_verifications (id, state, started_at, commit, leased_until)
         values (gen_random_uuid(), 'running', now(), 'a1b2c3', now())";
    world.sql(statement).await;
    finance.get("/operator").await.has(200, fault);
    finance.get(LEDGER).await.has(200, "Lost").has(200, "a1b2c3");
    let lost = world.line("select id::text from ledger_verifications where commit = 'a1b2c3'").await;
    finance.get(&format!("{LEDGER}/{lost}")).await.has(200, "Its server died or was stopped");
    ended(&finance, &finance.post(BEGIN, &[]).await.leads_to()).await.has(200, "All agrees");
    let page = finance.get("/operator").await;
    assert!(!page.text.contains("role=\"alert\""), "{}", page.text);
    finance.get(&proof).await.has(200, fault);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_trial_balance_is_added_up_for_those_who_may() {
    let (world, agency, _) = World::start().await.and_admin("5000").await;
    let desk = Desk::of(&world);
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    let plain = finance.get(LEDGER).await;
    plain.has(200, "Every entry is read for it");
    assert!(!plain.text.contains("Debits</th>"));
    let shown = finance.get(&format!("{LEDGER}?balance=yes&agency=")).await;
    shown.shows(200, &["funding", "₹5,000.00", "−₹5,000.00"]);
    let code = agency.code.to_string().to_lowercase();
    let shown = finance.get(&format!("{LEDGER}?balance=yes&agency={code}")).await;
    shown.shows(200, &["wallets", &format!("value=\"{}\"", agency.code)]);
    let shown = finance.get(&format!("{LEDGER}?balance=yes&agency=%3Cb%3E")).await;
    shown.shows(200, &["There is no agency", "&#60;B&#62;"]);
    world.sql("update wallets set balance = balance + 1").await;
    let shown = finance.get(&format!("{LEDGER}?balance=yes")).await;
    shown.shows(200, &["The books do not agree", "wallets hold 5001.00 INR, their entries say 5000.00"]);
    for role in [OperatorRole::Viewer, OperatorRole::Desk] {
        let reader = desk.signed(&format!("{role:?}").to_lowercase(), role).await;
        let page = reader.get(&format!("{LEDGER}?balance=yes")).await;
        page.has(200, "Operators with the role finance");
        assert!(!page.text.contains("Verify now") && !page.text.contains("funding"));
        reader.post(BEGIN, &[]).await.has(403, "Your role may not do this");
    }
    assert_eq!(world.line("select count(*)::text from ledger_verifications").await, "0");
}
