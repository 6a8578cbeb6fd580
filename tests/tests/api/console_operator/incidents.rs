//! The incidents desk: what a silent supplier leaves behind is seen with its evidence, claimed by one, and ruled on once; the
//! wallet shows it, and the audit log says who did it.

use rust_decimal::Decimal;
use wayfare_domain::OperatorRole;
use wayfare_tests::{MONEY, Person, World, amount, one_way};

use super::desk::Desk;

/// A booking whose supplier is silent for so long that it becomes an incident: its reference, its fare, the incident's id.
async fn silent_booking(world: &World, agent: &Person) -> (String, Decimal, String) {
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote(&trip).await;
    let fare = amount(&priced["price_summary"]["total_payable"]);
    world.next("book", "drop_before").await;
    let booked = agent.book(&agent.order(&priced, &trip)).await.succeeds(202);
    world.next_times("lookup", "status:500", 99).await;
    for _ in 0..6 {
        assert_eq!(world.recover_in(301).await, 1);
    }
    world.pass(11);
    let id = world.line("select id::text from exceptions").await;
    (booked["booking_ref"].as_str().unwrap().to_owned(), fare, id)
}

/// An amount in rupees as a page has it.
fn rupees(amount: Decimal) -> String {
    let text = format!("{amount:.2}");
    let (whole, rest) = text.split_once('.').unwrap();
    let (head, tail) = whole.split_at(whole.len().saturating_sub(3));
    match head {
        "" => format!("₹{tail}.{rest}"),
        head => format!("₹{head},{tail}.{rest}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_silent_supplier_leaves_is_seen_ruled_refused_and_released() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare, id) = silent_booking(&world, &agent).await;
    assert!(fare < Decimal::from(100_000), "the helper writes no lakhs");
    let agency = world.line("select name from organizations").await;
    let code = world.line("select agent_id from organizations").await;
    let desk = Desk::of(&world);
    let browser = desk.signed("meera", OperatorRole::Desk).await;
    let shown = browser.get("/operator").await;
    shown.shows(200, &["Open incidents", "/operator/incidents?kind=outcome_unknown"]);
    // The queue, with its money and its filters.
    let queue = browser.get("/operator/incidents").await;
    queue.has(200, &reference).has(200, &rupees(fare)).has(200, &agency).has(200, "Outcome not known");
    for (filter, is_there) in [
        (format!("agency={}", code.to_lowercase()), true),
        ("kind=outcome_unknown".to_owned(), true),
        ("kind=other_total".to_owned(), false),
        ("all=yes".to_owned(), true),
    ] {
        let page = browser.get(&format!("/operator/incidents?{filter}")).await;
        assert_eq!(page.status, 200, "{filter}: {}", page.text);
        assert_eq!(page.text.contains(&reference), is_there, "{filter}");
    }
    let path = format!("/operator/incidents/{id}");
    let case = browser.get(&path).await;
    let button = format!("Refused: release {} to {agency}", rupees(fare));
    case.has(200, "Order at the supplier: its outcome is not known")
        .has(200, "Money was set aside in the wallet")
        .has(200, &format!("{reference}-1"))
        .has(200, &button)
        .has(200, "data-keys=\"2\"")
        .has(200, "name=\"order_id\"");
    // Without a note nothing is ruled, and what was typed is there.
    let resolve = format!("{path}/resolve");
    let refused = browser.post(&resolve, &[("outcome", "done"), ("order_id", "ord_<9>"), ("note", "")]).await;
    refused.has(422, "There is a problem").has(422, "note-error").has(422, "value=\"ord_&#60;9&#62;\"");
    let refused = browser.post(&resolve, &[("outcome", "noted"), ("note", "their desk, by telephone")]).await;
    refused.has(422, "Must be done or refused").has(422, "their desk, by telephone</textarea>");
    assert_eq!(agent.balance().await, Decimal::from(1_000_000) - Decimal::ZERO);
    assert!(!world.held().await.is_zero());
    let form = [("outcome", "refused"), ("note", "their desk knows nothing of it")];
    let to = browser.post(&resolve, &form).await.leads_to();
    assert_eq!(to, format!("{path}?done=ruled"));
    let page = browser.get(&to).await;
    page.shows(200, &["The ruling is carried out.", "a ruling of meera", "their desk knows nothing of it"]);
    assert!(world.held().await.is_zero());
    assert_eq!(agent.booking(&reference).await["status"], "failed");
    let by = "select o.username from events e join operators o on o.id = e.actor_id
              where e.action = 'exception.resolved' and e.actor_type = 'operator'";
    assert_eq!(world.line(by).await, "meera");
    // Sent again it changes nothing, and says why.
    browser.post(&resolve, &form).await.has(409, "Your ruling changed nothing");
    let count = "select count(*)::text from events where action = 'exception.resolved'";
    assert_eq!(world.line(count).await, "1");
    browser.get("/operator/incidents").await.has(200, "Nothing waits for a person");
    world.all_is_well().await;
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_case_is_claimed_by_one_and_ruled_on_by_the_desk_alone() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (_, _, id) = silent_booking(&world, &agent).await;
    let desk = Desk::of(&world);
    let meera = desk.signed("meera", OperatorRole::Desk).await;
    let ravi = desk.signed("ravi", OperatorRole::Desk).await;
    let path = format!("/operator/incidents/{id}");
    let (claim, release, resolve) =
        (format!("{path}/claim"), format!("{path}/release"), format!("{path}/resolve"));
    assert_eq!(
        meera.post(&claim, &[("kind", "outcome_unknown")]).await.leads_to(),
        format!("{path}?kind=outcome_unknown&done=claimed")
    );
    meera.get(&path).await.has(200, "You have taken this");
    // Somebody else sees it, takes it in vain, and decides nothing.
    assert_eq!(ravi.post(&claim, &[]).await.leads_to(), path);
    ravi.get(&path).await.has(200, "Claimed by meera");
    let form = [("outcome", "refused"), ("note", "I was faster")];
    ravi.post(&resolve, &form).await.has(422, "There is a problem").has(422, "meera");
    assert_eq!(meera.post(&release, &[]).await.leads_to(), format!("{path}?done=released"));
    for role in [OperatorRole::Viewer, OperatorRole::Finance] {
        let name = format!("{role:?}").to_lowercase();
        let reader = desk.signed(&name, role).await;
        let page = reader.get(&path).await;
        page.has(200, "You may read this one");
        assert!(!page.text.contains("name=\"outcome\""));
        for path in [&claim, &release, &resolve] {
            reader.post(path, &form).await.has(403, "Your role may not do this");
        }
    }
    assert!(!world.held().await.is_zero());
    let nothing = "/operator/incidents/01900000-0000-7000-8000-000000000000";
    meera.get(nothing).await.has(404, "There is nothing here");
    // What becomes known meanwhile closes the case, and a ruling on it changes nothing.
    world.all_is_well().await;
    assert_eq!(world.recover_in(301).await, 1);
    let late = ravi.post(&resolve, &form).await;
    late.has(409, "the supplier&#39;s answer")
        .has(409, "Your ruling changed nothing. Your note was: I was faster");
    world.books_agree().await;
}
