//! The booking desk: any booking is found by what names it, seen with what happened to it, corrected, and ruled on once.

use rust_decimal::Decimal;
use wayfare_domain::OperatorRole;
use wayfare_tests::{World, one_way};

use super::desk::Desk;
use crate::console::browser::{altered, pairs};

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_is_found_seen_corrected_and_a_refund_is_ruled_once() {
    let (world, _, agent) = World::start().await.and_agent("1000000").await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    let before = agent.balance().await;
    let desk = Desk::of(&world);
    let browser = desk.signed("meera", OperatorRole::Desk).await;
    browser.get("/operator/bookings").await.has(200, "LAST/FIRST");
    let path = format!("/operator/bookings/{reference}");
    let found = browser.get(&format!("/operator/bookings?q={reference}")).await;
    assert_eq!(found.leads_to(), path);
    let order = world.line("select supplier_order_id from supplier_orders").await;
    let code = world.line("select agent_id from organizations").await;
    for query in [format!("q={order}"), format!("agency={code}")] {
        browser.get(&format!("/operator/bookings?{query}")).await.has(200, &path);
    }
    browser.get("/operator/bookings?q=NOBODY/AT+ALL").await.has(200, "Nothing is found");
    browser.get("/operator/bookings?agency=NOBODY").await.has(200, "There is no agency NOBODY");
    browser
        .get(&path)
        .await
        .has(200, "Orders at suppliers")
        .has(200, &order)
        .has(200, "Order at the supplier: done")
        .has(200, "Money moved in the ledger");
    browser.get("/operator/bookings/FA-00000000").await.has(404, "There is nothing here");
    let correct = format!("{path}/correct");
    let form = [("order", "1"), ("what", "ticket"), ("whose", ""), ("number", "<b>"), ("note", "their desk")];
    browser.get(&correct).await.has(200, "Correct a number of");
    browser.post(&correct, &form).await.has(422, "whose-error").has(422, "value=\"&#60;b&#62;\"");
    let form = [("order", "1"), ("what", "pnr"), ("number", "ZZTOP9"), ("note", "their desk")];
    browser.post(&correct, &form).await.leads_to();
    browser.get(&path).await.has(200, "ZZTOP9");
    // A ruling is shown with what it does before it does it.
    let rule = format!("{path}/ruling");
    let mut form = browser.get(&rule).await.hidden(&rule);
    let typed = [
        ("order", "1"),
        ("kind", "refund"),
        ("amount", "x"),
        ("fees", "return"),
        ("note", "goodwill"),
        ("from_loss", "yes"),
    ];
    form.extend(typed.map(|(name, value)| (name.to_owned(), value.to_owned())));
    browser.post(&rule, &pairs(&form)).await.has(422, "amount-error").has(422, "goodwill");
    let asked = browser.post(&rule, &altered(&form, "amount", "250.50")).await;
    asked.has(200, "Nothing has moved yet").has(200, "Refund ₹250.50 to");
    assert_eq!(agent.balance().await, before);
    let sure = asked.hidden(&rule);
    for _ in 0..2 {
        assert_eq!(browser.post(&rule, &pairs(&sure)).await.leads_to(), format!("{path}?done=ruled"));
    }
    assert_eq!(world.line("select count(*)::text from rulings").await, "1");
    assert_eq!((agent.balance().await - before).to_string(), "250.50");
    browser.get(&path).await.has(200, "Ruling: refund, done");
    // Whom it is for is read where it is asked for, and that is written down.
    let read = "select count(*)::text from events e join operators o on o.id = e.actor_id
                where e.action = 'people.read' and o.username = 'meera'";
    assert_eq!(world.line(read).await, "0");
    let people = format!("{path}/people");
    browser.post(&people, &[]).await.shows(200, &["Whom <span class=\"mono\">", "What suppliers answered"]);
    assert_eq!(world.line(read).await, "1");
    // Whoever reads only sees no buttons, and none of the forms does anything.
    let viewer = desk.signed("vera", OperatorRole::Viewer).await;
    let page = viewer.get(&path).await;
    page.has(200, &reference);
    assert!(!page.text.contains("Ask the suppliers now"));
    for form in [&correct, &people, &format!("{path}/look")] {
        let sent = [("order", "1"), ("what", "pnr"), ("number", "AAAAA9"), ("note", "n")];
        viewer.post(form, &sent).await.has(403, "Your role may not do this");
    }
    viewer.post(&rule, &pairs(&sure)).await.has(403, "Your role may not do this");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_debit_note_that_is_due_is_withdrawn_where_it_is_shown() {
    let (world, _, agent) = World::start().await.and_agent("10000").await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let desk = Desk::of(&world);
    let browser = desk.signed("meera", OperatorRole::Desk).await;
    let path = format!("/operator/bookings/{}", bought.reference);
    let rule = format!("{path}/ruling");
    let mut form = browser.get(&rule).await.hidden(&rule);
    let more = (agent.balance().await + Decimal::from(10)).to_string();
    let typed = [
        ("order", "1"),
        ("kind", "debit_note"),
        ("amount", more.as_str()),
        ("amount_again", more.as_str()),
        ("note", "ADM of the airline"),
    ];
    form.extend(typed.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let sure = browser.post(&rule, &pairs(&form)).await.hidden(&rule);
    assert_eq!(browser.post(&rule, &pairs(&sure)).await.leads_to(), format!("{path}?done=due"));
    let id = world.line("select id from rulings").await;
    let withdraw = format!("{path}/rulings/{id}/withdraw");
    let viewer = desk.signed("vera", OperatorRole::Viewer).await;
    let page = viewer.get(&path).await;
    page.has(200, "Debit notes that are due");
    assert!(!page.text.contains(&withdraw));
    browser.get(&path).await.has(200, &withdraw);
    let wrong = [("note", "card 4111 1111 1111 1111")];
    browser.post(&withdraw, &wrong).await.has(422, "Must not contain a card number");
    let note = [("note", "their desk took the ADM back")];
    viewer.post(&withdraw, &note).await.has(403, "Your role may not do this");
    let withdrawn = browser.post(&withdraw, &note).await;
    assert_eq!(withdrawn.leads_to(), format!("{path}?done=withdrawn"));
    let page = browser.get(&path).await;
    page.has(200, "Ruling: debit note, withdrawn");
    assert!(!page.text.contains("Debit notes that are due"));
    // From a page that was open meanwhile.
    browser.post(&withdraw, &note).await.has(422, "Is no debit note that is due");
    world.books_agree().await;
}
