//! What stays unknown is the operator's to see: raised once, healed by itself or resolved by a ruling, and never twice.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use wayfare_domain::{
    BookingStatus, ClosedBy, IncidentId, IncidentKind, IncidentOutcome,
    IncidentOutcome::{Acknowledged, Done, Refused},
    PageRequest,
};
use wayfare_operations::{
    Error, Incident, Resolution,
    access::operators::By,
    engine::{incidents, resolution},
};
use wayfare_tests::{LASTS, MONEY, Person, World, WorldOptions, amount, money, one_way};

async fn listed(world: &World, all: bool) -> Vec<Incident> {
    incidents::list(&world.platform.core, all, PageRequest { page: 1, per_page: 20 }).await.unwrap().items
}

/// The only exception that is open.
async fn only(world: &World) -> Incident {
    let mut open = listed(world, false).await;
    assert_eq!(open.len(), 1, "{open:?}");
    open.remove(0)
}

fn ruling(outcome: IncidentOutcome, order_id: Option<&str>) -> Resolution {
    Resolution {
        outcome,
        order_id: order_id.map(str::to_owned),
        note: "Ravi at the supplier's desk, by telephone".to_owned(),
    }
}

async fn resolve(
    world: &World,
    id: IncidentId,
    outcome: IncidentOutcome,
    order_id: Option<&str>,
) -> Result<Incident, Error> {
    resolution::resolve(&world.platform.engine, By::command_line(), id, &ruling(outcome, order_id)).await
}

/// That the ruling is refused for this reason, and changes nothing.
async fn is_refused(
    world: &World,
    id: IncidentId,
    (outcome, order_id): (IncidentOutcome, Option<&str>),
    why: &str,
) {
    let before = world.line("select jsonb_agg(x)::text from exceptions x").await;
    assert_eq!(resolve(world, id, outcome, order_id).await.unwrap_err().to_string(), why);
    assert_eq!(world.line("select jsonb_agg(x)::text from exceptions x").await, before);
}

async fn quoted(agent: &Person) -> (Decimal, Value) {
    let trip = one_way("DEL", "BOM");
    let priced = agent.quote(&trip).await;
    (amount(&priced["price_summary"]["total_payable"]), agent.order(&priced, &trip))
}

/// Books while this fault waits; the look-ups fail from then on. The reference and the fare.
async fn left_pending(world: &World, agent: &Person, fault: &str) -> (String, Decimal) {
    let (fare, order) = quoted(agent).await;
    world.next("book", fault).await;
    let booked = agent.book(&order).await.succeeds(202);
    world.next_times("lookup", "status:500", 99).await;
    (booked["booking_ref"].as_str().unwrap().to_owned(), fare)
}

/// Lets the recovery look again and again, well past the deadline.
async fn stays_unknown(world: &World) {
    for _ in 0..6 {
        assert_eq!(world.recover_in(301).await, 1);
    }
    // A supplier that failed again and again is not asked anything for ten seconds.
    world.pass(11);
}

/// A booking whose outcome stays unknown, who made it, its fare and what was raised.
async fn unknown(fault: &str) -> (World, Person, String, Decimal, Incident) {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare) = left_pending(&world, &agent, fault).await;
    stays_unknown(&world).await;
    let raised = only(&world).await;
    (world, agent, reference, fare, raised)
}

async fn events(world: &World) -> Vec<String> {
    let query =
        "select concat_ws(' ', action, actor_type, new_value ->> 'outcome', new_value ->> 'closed_by')
                 from events where entity_type = 'exception' order by action";
    world.lines(query).await
}

async fn supplier_order(world: &World, reference: &str) -> String {
    let orders = world.supplier_orders().await;
    orders.iter().find(|order| order["reference"] == reference).unwrap()["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_past_the_deadline_raises_one_exception_however_often_it_is_looked_up() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare) = left_pending(&world, &agent, "drop_after").await;
    for _ in 0..2 {
        assert_eq!(world.recover_in(400).await, 1);
        assert!(listed(&world, true).await.is_empty(), "it is not late yet");
    }
    stays_unknown(&world).await;
    let exception = only(&world).await;
    assert_eq!(listed(&world, true).await.len(), 1);
    assert_eq!(exception.kind, IncidentKind::OutcomeUnknown);
    assert_eq!(exception.booking_ref.as_ref(), reference);
    assert_eq!(exception.booking_status, BookingStatus::Pending);
    assert_eq!(exception.held.amount(), fare);
    let effect = exception.step.unwrap();
    assert_eq!(effect.reference.as_ref(), format!("{reference}-1"));
    assert_eq!((effect.attempts, effect.order_id), (8, None));
    assert!(exception.closed.is_none() && exception.resolution.is_none());
    assert_eq!(events(&world).await, ["exception.raised system"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_is_nothing_unusual_before_the_suppliers_processing_time_is_over() {
    let options =
        WorldOptions { incident_after: std::time::Duration::from_secs(1), ..WorldOptions::default() };
    let (world, _, agent) = World::with(options.frozen()).await.and_agent(MONEY).await;
    left_pending(&world, &agent, "drop_after").await;
    assert_eq!(world.recover_in(129).await, 1);
    assert!(listed(&world, true).await.is_empty());
    assert_eq!(world.recover_in(10).await, 1);
    only(&world).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_that_becomes_known_closes_its_exception() {
    let (world, agent, reference, fare, Incident { id, .. }) = unknown("drop_after").await;
    world.all_is_well().await;
    assert_eq!(world.recover_in(301).await, 1);
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    assert_eq!(agent.balance().await, money() - fare);
    assert!(listed(&world, false).await.is_empty());
    let closed = incidents::show(&world.platform.core, id).await.unwrap();
    assert_eq!(closed.closed, Some((ClosedBy::Itself, world.now())));
    assert!(closed.held.is_zero() && closed.resolution.is_none());
    assert_eq!(events(&world).await, ["exception.closed system itself", "exception.raised system"]);
    let why = format!("exception is closed already by itself, booking {reference} is confirmed");
    is_refused(&world, id, (Refused, None), &why).await;
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_that_the_supplier_has_not_made_gives_the_money_back() {
    let (world, agent, reference, _, Incident { id, .. }) = unknown("drop_before").await;
    let resolved = resolve(&world, id, Refused, None).await.unwrap();
    assert_eq!(resolved.closed, Some((ClosedBy::Operator, world.now())));
    assert_eq!(resolved.resolution, Some(ruling(Refused, None)));
    assert_eq!(resolved.booking_status, BookingStatus::Failed);
    assert!(world.held().await.is_zero());
    assert_eq!(agent.balance().await, money());
    assert_eq!(
        events(&world).await,
        [
            "exception.closed operator operator",
            "exception.raised system",
            "exception.resolved operator refused"
        ]
    );
    let by = world.line("select actor_type from events where action = 'booking.failed'").await;
    assert_eq!(by, "operator");
    // What the operator notes is not the agency's to read.
    let detail = agent.booking(&reference).await;
    assert_eq!(detail["status"], "failed");
    assert!(!detail.to_string().contains("telephone"), "{detail}");
    world.all_is_well().await;
    assert_eq!(world.recover().await, 0);
    let why = format!("exception is closed already by operator, booking {reference} is failed");
    is_refused(&world, id, (Refused, None), &why).await;
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_the_operator_names_is_looked_up_by_its_id_and_charged_once() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let other = agent.buy(one_way("DEL", "BOM")).await;
    let foreign = supplier_order(&world, &other.reference).await;
    let (reference, fare) = left_pending(&world, &agent, "drop_after").await;
    let ours = supplier_order(&world, &reference).await;
    stays_unknown(&world).await;
    world.all_is_well().await;
    let exception = only(&world).await;
    // What is named wrongly neither confirms the booking nor refuses it.
    for (named, problem) in [
        ("ord_nobody", "not found under the operator's order id".to_owned()),
        (foreign.as_str(), format!("order {foreign} belongs to {}-1", other.reference)),
        ("no/id", "\"no/id\" is no id of an order".to_owned()),
    ] {
        let open = resolve(&world, exception.id, Done, Some(named)).await.unwrap();
        assert_eq!(open.resolution, Some(ruling(Done, Some(named))));
        assert!(open.closed.is_none());
        assert_eq!(world.recover().await, 1, "it is due at once");
        let open = only(&world).await;
        assert_eq!(open.step.unwrap().problem.unwrap(), problem);
        assert_eq!(open.booking_status, BookingStatus::Pending);
        assert_eq!(open.held.amount(), fare);
    }
    resolve(&world, exception.id, Done, Some(&ours)).await.unwrap();
    assert_eq!(world.recover().await, 1);
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    assert_eq!(agent.balance().await, money() - other.fare - fare);
    let closed = incidents::show(&world.platform.core, exception.id).await.unwrap();
    assert_eq!(closed.closed, Some((ClosedBy::Operator, world.now())), "who ruled closed it");
    let by = "select actor_type || ' ' || (new_value ->> 'closed_by') from events where action = 'exception.closed'";
    assert_eq!(world.line(by).await, "operator operator");
    assert_eq!(closed.step.unwrap().order_id, Some(ours));
    assert_eq!(world.recover().await, 0);
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_that_nobody_could_carry_out_is_carried_out_by_the_recovery() {
    let (world, agent, reference, ..) = unknown("drop_before").await;
    // The operator's program died between the two.
    let statement = "update exceptions set outcome = 'refused', note = 'as the supplier says';
         update effects set due_at = '2000-01-01'";
    world.sql(statement).await;
    assert_eq!(world.recover().await, 1);
    assert_eq!(agent.booking(&reference).await["status"], "failed");
    assert_eq!(listed(&world, true).await.remove(0).closed, Some((ClosedBy::Operator, world.now())));
    assert_eq!(agent.balance().await, money());
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_turns_up_after_the_ruling_is_raised_and_noted() {
    let (world, agent, reference, _, first) = unknown("drop_after").await;
    // The recovery has found the order, and is overtaken by the operator while it answers.
    world.all_is_well().await;
    world.next("lookup", LASTS).await;
    world.pass(301);
    let platform = world.platform.clone();
    let recovery = tokio::spawn(async move { wayfare_operations::worker::recover_due(&platform).await });
    world.has_struck().await;
    resolve(&world, first.id, Refused, None).await.unwrap();
    world.all_is_well().await;
    recovery.await.unwrap().unwrap();
    assert_eq!(agent.booking(&reference).await["status"], "failed");
    assert_eq!(agent.balance().await, money());
    let second = only(&world).await;
    assert_eq!(second.kind, IncidentKind::OrderWithoutBooking);
    assert_eq!(second.details["order_id"], supplier_order(&world, &reference).await);
    assert!(second.held.is_zero());
    let noted = "must be noted: nothing is open at the supplier";
    is_refused(&world, second.id, (Refused, None), &format!("{{outcome {noted}}}")).await;
    let resolved = resolve(&world, second.id, Acknowledged, None).await.unwrap();
    assert_eq!(resolved.closed, Some((ClosedBy::Operator, world.now())));
    assert!(listed(&world, false).await.is_empty());
    let newest: Vec<_> = listed(&world, true).await.iter().map(|one| one.id).collect();
    assert_eq!(newest, [second.id, first.id]);
    let why = format!("exception is closed already by operator, booking {reference} is failed");
    is_refused(&world, second.id, (Acknowledged, None), &why).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_the_suppliers_answer_and_the_operator_the_first_wins_and_the_other_is_told() {
    let (world, agency) = World::frozen().await.and_agency().await;
    agency.agent("arjun", MONEY).await;
    let mut fares = Decimal::ZERO;
    for _ in 0..6 {
        let (reference, fare) = left_pending(&world, &agency.log_in("arjun").await, "drop_after").await;
        stays_unknown(&world).await;
        let exception = only(&world).await;
        world.all_is_well().await;
        world.pass(301);
        let (ruled, looked_at) = tokio::join!(resolve(&world, exception.id, Refused, None), world.recover());
        assert!(looked_at <= 2);
        let status =
            world.line(&format!("select status from bookings where booking_ref = '{reference}'")).await;
        let closed = incidents::show(&world.platform.core, exception.id).await.unwrap();
        let (by, _) = closed.closed.unwrap();
        match ruled {
            Ok(_) => assert_eq!((status.as_str(), by), ("failed", ClosedBy::Operator)),
            Err(Error::IncidentClosed { by: told, status: shown, .. }) => {
                assert_eq!((told, shown), (ClosedBy::Itself, BookingStatus::Confirmed));
                assert_eq!((status.as_str(), by), ("confirmed", ClosedBy::Itself));
                fares += fare;
            }
            Err(other) => panic!("{other}"),
        }
        // Raised where the order had been found before the ruling and was closed after it.
        for left in listed(&world, false).await {
            assert_eq!(left.kind, IncidentKind::OrderWithoutBooking);
            resolve(&world, left.id, Acknowledged, None).await.unwrap();
        }
        let paid = world.line("select sum(balance) from wallets where owner_type = 'user'").await;
        assert_eq!(paid.parse::<Decimal>().unwrap(), money() - fares);
        assert!(world.held().await.is_zero());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_is_refused_and_changes_nothing() {
    let (world, _, _, fare, Incident { id, .. }) = unknown("drop_before").await;
    let raised = events(&world).await;
    for (outcome, order_id, text) in [
        (Acknowledged, None, "{outcome must be done or refused: what the supplier says became of it}"),
        (Done, None, "{order_id is missing: under which id does the supplier have the order?}"),
        (Done, Some(""), "{order_id is missing: under which id does the supplier have the order?}"),
        (Refused, Some("ord_1"), "{order_id is only for a booking that is done}"),
    ] {
        is_refused(&world, id, (outcome, order_id), text).await;
    }
    for note in ["", " \n", &"n".repeat(2001)] {
        let unnoted = Resolution { note: note.to_owned(), ..ruling(Refused, None) };
        let error =
            resolution::resolve(&world.platform.engine, By::command_line(), id, &unnoted).await.unwrap_err();
        assert_eq!(error.to_string(), "{note must be between 1 and 2000 characters}");
    }
    let unknown = IncidentId::new(&world.clock);
    assert!(matches!(resolve(&world, unknown, Refused, None).await.unwrap_err(), Error::NotFound));
    assert!(matches!(incidents::show(&world.platform.core, unknown).await.unwrap_err(), Error::NotFound));
    assert_eq!(events(&world).await, raised);
    assert_eq!(world.held().await, fare);
    only(&world).await;
}

/// A cancellation whose outcome stays unknown, with what was bought and what would come back.
async fn cancellation_stays_unknown(
    world: &World,
    agent: &Person,
    fault: &str,
) -> (String, Decimal, Decimal) {
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let penalty = agent.penalty(&bought.reference).await.ok();
    world.next("cancel", fault).await;
    agent.cancel(&bought.reference).await.succeeds(202);
    world.next_times("lookup", "status:500", 99).await;
    stays_unknown(world).await;
    (bought.reference, bought.fare, amount(&penalty["refund_amount"]))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_was_done_pays_back_what_was_quoted() {
    let (world, agency, agent) = World::frozen().await.and_agent(MONEY).await;
    let (_, fare, refund) = cancellation_stays_unknown(&world, &agent, "drop_after").await;
    let exception = only(&world).await;
    assert!(exception.step.as_ref().unwrap().order_id.is_some());
    let why = "{order_id is only for a booking that is done}";
    is_refused(&world, exception.id, (Done, Some("ord_1")), why).await;
    let resolved = resolve(&world, exception.id, Done, None).await.unwrap();
    assert_eq!(resolved.booking_status, BookingStatus::Cancelled);
    assert_eq!(resolved.closed, Some((ClosedBy::Operator, world.now())));
    assert_eq!(agency.log_in("arjun").await.balance().await, money() - fare + refund);
    assert_eq!(world.line("select status from refunds").await, "refunded");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_was_refused_lets_the_booking_stand() {
    let (world, agency, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare, _) = cancellation_stays_unknown(&world, &agent, "drop_before").await;
    let resolved = resolve(&world, only(&world).await.id, Refused, None).await.unwrap();
    assert_eq!(resolved.booking_status, BookingStatus::Confirmed);
    let agent = agency.log_in("arjun").await;
    assert_eq!(agent.balance().await, money() - fare);
    assert_eq!(world.line("select status from refunds").await, "failed");
    world.all_is_well().await;
    world.books_agree().await;
    agent.cancels(&reference).await;
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_without_a_quote_cannot_be_done() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    cancellation_stays_unknown(&world, &agent, "drop_before").await;
    world.sql("update refunds set status = 'failed'").await;
    let exception = only(&world).await;
    let why = "{outcome can't be done: the supplier has quoted no refund}";
    is_refused(&world, exception.id, (Done, None), why).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supplier_that_charges_another_total_is_the_operators_to_see() {
    let (world, _, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, fare) = left_pending(&world, &agent, "drop_after").await;
    world.all_is_well().await;
    // What was quoted is no longer what the order says.
    world.sql("update bookings set pricing = jsonb_set(pricing, '{0,supplier_total,amount}', '1')").await;
    assert_eq!(world.recover_in(2).await, 1);
    assert_eq!(agent.booking(&reference).await["status"], "confirmed");
    assert_eq!(agent.balance().await, money() - fare);
    let exception = only(&world).await;
    assert_eq!(exception.kind, IncidentKind::OtherTotal);
    assert_eq!(amount(&exception.details["quoted"]["amount"]), Decimal::ONE);
    assert!(amount(&exception.details["charged"]["amount"]) > Decimal::ONE);
    resolve(&world, exception.id, Acknowledged, None).await.unwrap();
    assert!(listed(&world, false).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn exceptions_are_nobodys_in_the_api() {
    let (world, agency, agent) = World::frozen().await.and_agent(MONEY).await;
    let (reference, _) = left_pending(&world, &agent, "drop_before").await;
    stays_unknown(&world).await;
    let id = only(&world).await.id;
    let admin = agency.admin("0").await;
    let foreign = world.agency().await.admin("0").await;
    for person in [&admin, &foreign, &admin.with_token(None)] {
        for path in ["/exceptions".to_owned(), format!("/exceptions/{id}")] {
            person.get(&path).await.is_missing();
        }
        let body = json!({ "outcome": "refused", "note": "mine" });
        person.post(&format!("/exceptions/{id}/resolve"), &body).await.is_missing();
    }
    let detail = admin.booking(&reference).await;
    assert_eq!(detail["status"], "pending");
    assert!(!detail.to_string().contains(&id.to_string()), "{detail}");
    assert!(only(&world).await.resolution.is_none());
}
