//! Rulings at the operator's API: what a debit note may charge and how it is withdrawn, and whose an incident is that a ruling
//! settles.

use diesel_async::SimpleAsyncConnection;
use rust_decimal::{Decimal, dec};
use serde_json::{Value, json};
use wayfare_domain::{Amount, OperatorRole::Desk};
use wayfare_operations::operator::desk;
use wayfare_tests::{Person, World, amount, eventually, one_way};

/// A booking, what was paid for it, and where it is ruled on.
async fn bought(agent: &Person) -> (String, Decimal, String) {
    let before = agent.balance().await;
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let paid = before - agent.balance().await;
    let path = format!("/bookings/{}/rulings", bought.reference);
    (bought.reference, paid, path)
}

fn debit(amount: Decimal) -> Value {
    json!({ "order": 1, "kind": "debit_note", "amount": Amount(amount), "note": "ADM 4711" })
}

fn twice(amount: Decimal) -> Value {
    let mut note = debit(amount);
    note["amount_again"] = note["amount"].clone();
    note
}

#[tokio::test(flavor = "multi_thread")]
async fn a_debit_note_is_bounded_by_what_the_order_cost_and_wants_the_password() {
    let (world, dev) = World::frozen().await.and_operator("dev", Desk).await;
    let agent = world.agent("1000000").await;
    let (_, paid, path) = bought(&agent).await;
    let before = agent.balance().await;
    let more = paid + dec!(1);
    // More than the order cost is a slip, until it is said twice.
    let refused = dev.post(&path, &debit(more)).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("{amount comes to"), "{}", refused.text);
    assert!(refused.text.contains("say the amount twice"), "{}", refused.text);
    let mut other = debit(more);
    other["amount_again"] = json!(Amount(paid));
    dev.post(&path, &other).await.is_invalid("{amount_again is not the same amount}");
    for much in [dec!(10_000_000_000_000), dec!(9_999_999_999)] {
        let refused = dev.post(&path, &twice(much)).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
    }
    assert_eq!(agent.balance().await, before);
    assert_eq!(world.line("select count(*)::text from rulings").await, "0");
    // What is charged counts together.
    dev.post(&path, &debit(paid)).await.ok();
    assert_eq!(agent.balance().await, before - paid);
    let refused = dev.post(&path, &debit(dec!(1))).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    dev.post(&path, &twice(dec!(1))).await.ok();
    // Ten minutes later the password is wanted, of this ruling alone.
    world.pass(601);
    dev.post(&path, &twice(dec!(1))).await.is(403, "confirm your password");
    let refund = json!({ "order": 1, "kind": "refund", "amount": 1, "note": "they gave it back" });
    dev.post(&path, &refund).await.ok();
    dev.confirm().await.ok();
    dev.post(&path, &twice(dec!(1))).await.ok();
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_debit_note_that_is_due_is_withdrawn_and_never_collected() {
    let (mut world, agency, admin, agent) = World::frozen().await.and_people("0", "10000").await;
    let dev = world.operator_api().operator("dev", Desk).await;
    let (reference, _, path) = bought(&agent).await;
    let left = agent.balance().await;
    let made = dev.post(&path, &twice(left + dec!(10))).await.ok();
    assert_eq!(made["state"], "due");
    let withdraw = format!("{path}/{}/withdraw", made["id"].as_str().unwrap());
    dev.post(&withdraw, &json!({})).await.is_invalid("{note this field is required}");
    let note = json!({ "note": "their desk took the ADM back" });
    let withdrawn = dev.post(&withdraw, &note).await.ok();
    assert_eq!(withdrawn["state"], "withdrawn");
    assert!(amount(&withdrawn["moved"]).is_zero());
    dev.post(&withdraw, &note).await.is_invalid("{ruling is no debit note that is due}");
    dev.post(&format!("{path}/01900000-0000-7000-8000-000000000000/withdraw"), &note).await.is_missing();
    // With money it would have been collected.
    agency.top_up(Some("arjun"), "1000").await;
    assert!(desk::collect(&world.platform, None).await.unwrap().is_empty());
    assert_eq!(agent.balance().await, left + dec!(1000));
    let told = admin.get("/notifications").await.json();
    assert!(told.to_string().contains("booking.debit_withdrawn"), "{told}");
    let shown = dev.get(&format!("/bookings/{reference}")).await.text;
    assert!(shown.contains("booking.debit_withdrawn"), "{shown}");
    world.books_agree().await;
}

/// A booking of whose order it is raised that its supplier cancelled it; its incident is open.
async fn cancelled_there(world: &World, agent: &Person) -> (String, String) {
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    world.duffel_cancels(world.supplier_orders().await.last().unwrap()["id"].as_str().unwrap()).await;
    let incident = "01900000-0000-7000-8000-000000000006".to_owned();
    for (id, number) in [("5", 2), ("6", 1)] {
        let raise = format!(
            "insert into exceptions (org_id, id, booking_id, kind, problem, details, raised_at)
             select b.org_id, '01900000-0000-7000-8000-00000000000{id}', b.id, 'cancelled_by_supplier', 'gone',
                 '{{\"number\": {number}}}', now() from bookings b where b.booking_ref = '{}'",
            bought.reference
        );
        world.sql(&raise).await;
    }
    (bought.reference, incident)
}

async fn events(world: &World) -> Vec<String> {
    world.lines("select action from events where entity_type = 'exception' order by id").await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_operator_works_on_is_ruled_by_another_only_on_purpose() {
    let (world, door) = World::frozen().await.and_operators();
    let (asha, dev) = (door.operator("asha", Desk).await, door.operator("dev", Desk).await);
    let agent = world.agent("1000000").await;
    let (reference, _, path) = bought(&agent).await;
    world.raises_other_total("01900000-0000-7000-8000-000000000007", &reference).await;
    let incident = "/incidents/01900000-0000-7000-8000-000000000007";
    asha.post(&format!("{incident}/claim"), &json!({})).await.ok();
    let before = agent.balance().await;
    let mut ruling = json!({
        "order": 1, "kind": "refund", "amount": 100, "note": "their mail",
        "incident_id": "01900000-0000-7000-8000-000000000007",
    });
    let busy = "asha of the platform works on this exception";
    dev.post(&path, &ruling).await.is(409, busy);
    dev.post(&format!("{incident}/claim"), &json!({ "take_over": false })).await.is(409, busy);
    assert_eq!(agent.balance().await, before);
    ruling["take_over"] = json!(true);
    dev.post(&path, &ruling).await.ok();
    assert_eq!(agent.balance().await, before + dec!(100));
    let said = events(&world).await;
    assert!(said.contains(&"exception.taken_over".to_owned()), "{said:?}");
    let from = "select new_value ->> 'from' from events where action = 'exception.taken_over'";
    assert_eq!(world.line(from).await, asha.id);
    let by = "select actor_id::text from events where action = 'exception.taken_over'";
    assert_eq!(world.line(by).await, dev.id);
    assert_eq!(dev.get(incident).await.ok()["incident"]["closed_by"], "operator");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_and_a_decision_take_over_too() {
    let (world, door) = World::frozen().await.and_operators();
    let (asha, dev) = (door.operator("asha", Desk).await, door.operator("dev", Desk).await);
    let (reference, _, _) = bought(&world.agent("1000000").await).await;
    for (id, what) in [("8", "claim"), ("9", "resolve")] {
        let incident = format!("01900000-0000-7000-8000-00000000000{id}");
        world.raises_other_total(&incident, &reference).await;
        let path = format!("/incidents/{incident}");
        asha.post(&format!("{path}/claim"), &json!({})).await.ok();
        let mut body = json!({ "outcome": "noted", "note": "handled" });
        let refused = dev.post(&format!("{path}/{what}"), &body).await;
        refused.is(409, "asha of the platform works on this exception");
        body["take_over"] = json!(true);
        let shown = dev.post(&format!("{path}/{what}"), &body).await.ok();
        assert_eq!(shown["claimed_by"]["username"], "dev", "{shown}");
    }
}

/// An incident of the order's step, as most are.
async fn raised(world: &World, reference: &str, id: &str) -> String {
    let incident = format!("01900000-0000-7000-8000-00000000000{id}");
    world.raises_other_total(&incident, reference).await;
    let step = "select e.id from effects e where e.booking_id = x.booking_id limit 1";
    world.sql(&format!("update exceptions x set effect_id = ({step}) where id = '{incident}'")).await;
    incident
}

/// Whoever decides has looked whose it is before, and another claims it meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_that_is_made_while_another_decides_is_not_passed_over() {
    let (world, door) = World::frozen().await.and_operators();
    let (asha, dev) = (door.operator("asha", Desk).await, door.operator("dev", Desk).await);
    let agent = world.agent("1000000").await;
    let (reference, _, path) = bought(&agent).await;
    let before = agent.balance().await;
    for (id, what) in [("2", "resolve"), ("3", "rule"), ("4", "rule beside")] {
        let incident = raised(&world, &reference, id).await;
        let mut elsewhere = world.database.connection().await;
        let claim = format!(
            "begin; update exceptions set claimed_by = '{}', claimed_at = to_timestamp({}) where id = '{incident}'",
            asha.id,
            world.now().timestamp()
        );
        elsewhere.batch_execute(&claim).await.unwrap();
        let named = (what == "rule").then_some(&incident);
        let (path, body) = match what {
            "resolve" => {
                (format!("/incidents/{incident}/resolve"), json!({ "outcome": "noted", "note": "handled" }))
            }
            _ => (
                path.clone(),
                json!({ "order": 1, "kind": "refund", "amount": 100, "note": "their mail", "incident_id": named }),
            ),
        };
        let decides = dev.clone();
        let decided = tokio::spawn(async move { decides.post(&path, &body).await });
        let waiting = "select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'";
        eventually("that it waits", async || (world.line(waiting).await == "1").then_some(())).await;
        elsewhere.batch_execute("commit").await.unwrap();
        decided.await.unwrap().is(409, "asha of the platform works on this exception");
        assert_eq!(agent.balance().await, before);
        let open = format!(
            "select (closed_at is null and outcome is null)::text from exceptions where id = '{incident}'"
        );
        assert_eq!(world.line(&open).await, "true");
        world.sql(&format!("delete from exceptions where id = '{incident}'")).await;
    }
    world.books_agree().await;
}

/// Both would give the agency the same money.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_on_which_another_works_is_ruled_on_only_on_purpose_whatever_is_named() {
    let (world, door) = World::frozen().await.and_operators();
    let (asha, dev) = (door.operator("asha", Desk).await, door.operator("dev", Desk).await);
    let agent = world.agent("1000000").await;
    let (reference, _, path) = bought(&agent).await;
    let before = agent.balance().await;
    let incident = raised(&world, &reference, "3").await;
    let mut ruling = json!({ "order": 1, "kind": "refund", "amount": 100, "note": "their mail" });
    asha.post(&format!("/incidents/{incident}/claim"), &json!({})).await.ok();
    dev.post(&path, &ruling).await.is(409, "asha of the platform works on this exception");
    assert_eq!(agent.balance().await, before);
    // Who has it does both.
    asha.post(&path, &ruling).await.ok();
    // What can't be ruled takes nothing over.
    ruling["take_over"] = json!(true);
    ruling["incident_id"] = json!(incident);
    ruling["note"] = json!(" ");
    assert_eq!(dev.post(&path, &ruling).await.status, 422);
    ruling["note"] = json!("their mail");
    ruling["incident_id"] = Value::Null;
    dev.post(&path, &ruling).await.ok();
    assert_eq!(agent.balance().await, before + dec!(200));
    // It is open all the same, and whose it was: nobody has said that this settles it.
    let shown = dev.get(&format!("/incidents/{incident}")).await.ok();
    assert_has!(shown, { "incident/claimed_by/username": "asha", "incident/closed_by": null });
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_that_the_supplier_cancelled_closes_its_incident_by_itself() {
    let (world, door) = World::frozen().await.and_operators();
    let (asha, dev) = (door.operator("asha", Desk).await, door.operator("dev", Desk).await);
    let (reference, incident) = cancelled_there(&world, &world.agent("1000000").await).await;
    asha.post(&format!("/incidents/{incident}/claim"), &json!({})).await.ok();
    let path = format!("/bookings/{reference}/rulings");
    let mut ruling =
        json!({ "order": 1, "kind": "supplier_cancelled", "amount": 0, "note": "nothing comes back" });
    // It is found, and so is who works on it.
    dev.post(&path, &ruling).await.is(409, "asha of the platform works on this exception");
    ruling["take_over"] = json!(true);
    assert_eq!(dev.post(&path, &ruling).await.ok()["incident_id"], incident.as_str());
    let shown = dev.get(&format!("/incidents/{incident}")).await.ok();
    assert_has!(shown, { "incident/outcome": "ruled", "incident/closed_by": "operator" });
    // That of another order stays.
    let open = "select id::text from exceptions where closed_at is null";
    assert_eq!(world.line(open).await, "01900000-0000-7000-8000-000000000005");
    world.books_agree().await;
}
