//! Exchange rates at the operator's screens: what one does is seen before it is set, and what a file changes before it is
//! taken.

use wayfare_domain::OperatorRole;
use wayfare_tests::World;

use super::desk::Desk;
use crate::console::browser::pairs;

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_is_seen_before_it_is_set_and_taken_back() {
    let world = World::start().await;
    let desk = Desk::of(&world);
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    let list = "/operator/rates";
    finance.get("/operator").await.has(200, "href=\"/operator/rates\"");
    finance.get(list).await.has(200, "There is no rate");
    let reply = finance.get("/operator/rates?from=gbp&to=inr").await;
    reply.shows(200, &["Nobody quotes a rate from GBP to INR", "value=\"GBP\""]);
    let reply = finance.get("/operator/rates?from=%3Cb%3E&to=").await;
    reply.shows(200, &["from-error", "value=\"&#60;B&#62;\""]);
    let form = |rate: &'static str| [("from", "gbp"), ("to", "INR"), ("rate", rate)];
    let (check, set) = ("/operator/rates/check", "/operator/rates/set");
    for (rate, wrong) in [
        ("", "How many units"),
        ("0", "Must be greater than 0"),
        ("dear", "Is not an amount"),
        ("10000000000", "Must have at most 10 digits"),
    ] {
        for path in [check, set] {
            let refused = finance.post(path, &form(rate)).await;
            refused.has(422, "id=\"rate-error\"").has(422, wrong).has(422, &format!("value=\"{rate}\""));
        }
    }
    finance.post(check, &[("from", "INR"), ("to", "inr"), ("rate", "1")]).await.has(422, "to-error");
    let unknown = [("from", "XXQ"), ("to", "INR"), ("rate", "1")];
    finance.post(check, &unknown).await.has(422, "no currency that is known").has(422, "value=\"XXQ\"");
    // Nothing counts yet: a fare can't be sold.
    finance.post(check, &form("100")).await.has(200, "nobody quotes a rate").has(200, "₹10,000.00");
    assert_eq!(world.line("select count(*) from exchange_rates").await, "0");
    for _ in 0..2 {
        assert_eq!(finance.post(set, &form("100")).await.leads_to(), "/operator/rates?done=set");
    }
    let page = finance.get("/operator/rates?done=set").await;
    page.has(200, "The rate is set").has(200, "farah &#60;of the desk&#62;").has(200, "Take back");
    // A fare of 10,000 rupees at the next one.
    let seen = finance.post(check, &form("105.25")).await;
    seen.has(200, "Comes to ₹10,000.00 now").has(200, "₹10,525.00").has(200, "₹525.00 more");
    assert_eq!(seen.hidden(set)[2], ("rate".to_owned(), "105.25".to_owned()));
    finance.get(list).await.has(200, "<td data-label=\"Rate\" class=\"num\">100</td>");

    let viewer = desk.signed("vera", OperatorRole::Viewer).await;
    let shown = viewer.get("/operator/rates?from=GBP&to=INR").await;
    shown.has(200, "1 GBP is 100 INR");
    assert!(!shown.text.contains("Take back") && !shown.text.contains("See what it does"));
    let remove = "/operator/rates/remove";
    for path in [check, set, remove] {
        viewer.post(path, &form("1")).await.has(403, "Your role may not do this");
    }
    let pair = [("from", "GBP"), ("to", "INR")];
    for _ in 0..2 {
        assert_eq!(finance.post(remove, &pair).await.leads_to(), "/operator/rates?done=removed");
    }
    finance.get(list).await.has(200, "There is no rate");
    let events =
        "select string_agg(action, ' ' order by created_at) from operator_events where action like 'rate.%'";
    assert_eq!(world.line(events).await, "rate.set rate.set rate.removed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_taken_after_what_it_changes_was_seen() {
    let world = World::start().await;
    let desk = Desk::of(&world);
    let finance = desk.signed("farah", OperatorRole::Finance).await;
    let file =
        |day: chrono::NaiveDate, usd: &str| format!("Date, USD, INR, QQQ, \n{day}, {usd}, 90.5, 3, \n");
    let day = world.now().date_naive();
    let before = day - chrono::Duration::days(9);
    let (import, check) = ("/operator/rates/import", "/operator/rates/import/check");
    finance.get(import).await.has(200, "See what it changes");
    let old = file(before, "1.25");
    let old = [("file", old.as_str())];
    let seen = finance.post(check, &old).await;
    seen.has(200, "There are none now").has(200, "QQQ in line 2").has(200, "Take these 2 rates");
    assert_eq!(world.line("select count(*) from exchange_rates").await, "0");
    for _ in 0..2 {
        let imported = finance.post(import, &pairs(&seen.hidden(import))).await;
        assert_eq!(imported.leads_to(), "/operator/rates?done=imported");
    }
    // Nine days are too many for the bank's rates.
    let page = finance.get("/operator/rates?done=imported").await;
    page.shows(200, &["The file is taken", "Central bank, old", "9 days"]);
    let new = file(day, "1.2");
    let seen = finance.post(check, &[("file", new.as_str())]).await;
    seen.has(200, "1.25").has(200, "−4.00 %").has(200, "1 as they were");
    finance.post(import, &[("file", new.as_str())]).await.leads_to();

    // An older one is taken by force only, and nothing that was typed is lost.
    for path in [check, import] {
        finance.post(path, &old).await.shows(422, &["file-error", "it is taken by force only", "1.25, 90.5"]);
        let wrong = [("file", "Date, USD\n1 May 2020, <b>"), ("force", "yes")];
        finance
            .post(path, &wrong)
            .await
            .has(422, "file-error")
            .has(422, "Line 2: `USD` must be a decimal number")
            .has(422, "&#60;b&#62;</textarea>")
            .has(422, "value=\"yes\" checked");
        finance.post(path, &[("file", " ")]).await.has(422, "Put the text of the file here");
    }
    let forced = [old[0], ("force", "yes")];
    assert_eq!(finance.post(check, &forced).await.hidden(import)[1].0, "force");
    let viewer = desk.signed("vera", OperatorRole::Viewer).await;
    for path in [check, import] {
        viewer.post(path, &forced).await.has(403, "Your role may not do this");
    }
    finance.post(import, &forced).await.leads_to();
    assert_eq!(world.line("select rate::text from exchange_rates where to_currency = 'USD'").await, "1.25");
}
