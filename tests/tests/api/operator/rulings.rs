//! What the operator rules about money after the sale: one transfer, one row of the fare ledger, one event, and never more
//! back than was paid.

use rust_decimal::{Decimal, dec};
use serde_json::Value;
use wayfare_domain::{BookingRef, FeesRuling, IncidentId, RulingKind, RulingState};
use wayfare_operations::{
    Error,
    access::operators::By,
    engine::{incidents::TakeOver, ruling::RulingMade},
    operator::desk::{self, RulingRequest},
};
use wayfare_tests::{MONEY, Person, World, amount, money, one_way, sum};

fn asked(kind: RulingKind, amount: Decimal) -> RulingRequest {
    RulingRequest {
        number: 1,
        kind,
        amount,
        fees: FeesRuling::Return,
        from_loss: false,
        amount_again: None,
        take_over: TakeOver::No,
        note: "Ravi at the supplier's desk".to_owned(),
        incident: None,
        key: None,
    }
}

async fn rule(world: &World, reference: &str, request: RulingRequest) -> Result<RulingMade, Error> {
    desk::rule(&world.platform, By::command_line(), &BookingRef::from(reference.to_owned()), request).await
}

/// Everything that a ruling could change.
async fn everything(world: &World) -> String {
    let query = "select concat_ws('|', (select jsonb_agg(w order by id) from wallets w),
        (select count(*) from transfers), (select count(*) from fare_transactions), (select count(*) from rulings),
        (select count(*) from events), (select jsonb_agg(b order by id) from bookings b))";
    world.line(query).await
}

/// That it is refused with this text, and changes nothing.
async fn is_refused(world: &World, reference: &str, request: RulingRequest, text: &str) {
    let before = everything(world).await;
    let error = rule(world, reference, request).await.unwrap_err().to_string();
    assert!(error.contains(text), "{error}");
    assert_eq!(everything(world).await, before);
}

/// The agency's fares and ancillaries, supplier by supplier and report by report, are what its wallets spent.
async fn adds_up(world: &World, admin: &Person, agent: &Person) {
    add_up_to(world, admin, agent, money() - agent.balance().await).await;
}

/// The same of an agent who has spent so much.
async fn add_up_to(world: &World, admin: &Person, agent: &Person, spent: Decimal) {
    let ledger = admin.get("/org/fare-transactions").await.ok();
    let rows = &ledger["transactions"];
    assert_eq!(sum(rows, "agent_fare") + sum(rows, "ancillary"), spent, "{ledger}");
    assert_eq!(amount(&ledger["summary"]["total_agent_fare"]), sum(rows, "agent_fare"));
    assert_eq!(ledger["summary"]["transaction_count"], rows.as_array().unwrap().len());
    let finance = admin.get("/org/finance-summary").await.ok();
    assert_eq!(sum(&finance["by_supplier"], "agent_fare"), sum(rows, "agent_fare"));
    assert_eq!(sum(&finance["by_supplier"], "bookings"), dec!(1));
    assert_eq!(amount(&agent.get("/me/stats").await.ok()["total_spent"]), spent);
    let unpaid = "select coalesce(sum(case e.side when 'credit' then e.amount else -e.amount end), 0)
        - (select sum(supplier_amount) from fare_transactions) from entries e where e.account like 'supplier:%'";
    assert_eq!(world.line(unpaid).await.parse::<Decimal>().unwrap(), Decimal::ZERO);
    world.is_settled().await;
}

/// A booking that its supplier has cancelled by itself: its reference, and what it cost there.
async fn cancelled_there(world: &World, agent: &Person) -> (String, Decimal) {
    let bought = agent.buy(one_way("DEL", "BOM")).await;
    let orders = world.supplier_orders().await;
    let order = orders.last().unwrap();
    let total = "select content -> 'total' ->> 'amount' from supplier_orders where status = 'confirmed'";
    let total = world.line(total).await;
    world.duffel_cancels(order["id"].as_str().unwrap()).await;
    (bought.reference, total.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_supplier_cancelled_comes_back_once() {
    let (world, _, admin, agent) = World::frozen().await.and_people("0", MONEY).await;
    let (reference, total) = cancelled_there(&world, &agent).await;
    let paid = money() - agent.balance().await;
    world.pass(60);
    let more = asked(RulingKind::SupplierCancelled, total + dec!(1));
    is_refused(&world, &reference, more, "more than the supplier charged").await;
    let slip = RulingRequest {
        amount_again: Some(total + dec!(2)),
        ..asked(RulingKind::SupplierCancelled, total + dec!(1))
    };
    is_refused(&world, &reference, slip, "is not the same amount").await;
    let nobodys = RulingRequest { number: 2, ..asked(RulingKind::SupplierCancelled, total) };
    is_refused(&world, &reference, nobodys, "no order of this booking").await;

    let request = RulingRequest { key: Some("k".to_owned()), ..asked(RulingKind::SupplierCancelled, total) };
    let made = rule(&world, &reference, request.clone()).await.unwrap();
    assert!(!made.repeated);
    assert_eq!(made.ruling.moved.amount(), paid);
    assert_eq!(agent.balance().await, money());
    let again = rule(&world, &reference, request.clone()).await.unwrap();
    assert!(again.repeated);
    assert_eq!(again.ruling, made.ruling);
    let other = RulingRequest { amount: total - dec!(1), ..request };
    is_refused(&world, &reference, other, "different request").await;
    let second = asked(RulingKind::SupplierCancelled, dec!(1));
    is_refused(&world, &reference, second, "was given back already").await;
    let more = asked(RulingKind::Refund, dec!(1));
    is_refused(&world, &reference, more, "0.00 of what was paid are left").await;

    assert_eq!(agent.booking(&reference).await["status"], "cancelled");
    let refunds = agent.get("/flights/refunds").await.json();
    assert_has!(refunds["data"][0], { "booking_ref": reference.as_str(), "refund_status": "refunded" });
    let rows = agent.get("/me/fare-transactions").await.ok();
    let kinds: Vec<&Value> =
        rows["transactions"].as_array().unwrap().iter().map(|row| &row["kind"]).collect();
    assert_eq!(kinds, ["refund", "sale"]);
    let moved = agent.get("/wallet/transactions?ref_type=refund").await.json();
    assert_eq!(moved["data"][0]["description"], format!("refund for {reference}"));
    let events = "select string_agg(action, ' ' order by action) from events where action in ('refund.completed', 'booking.cancelled')";
    assert_eq!(world.line(events).await, "booking.cancelled refund.completed");
    adds_up(&world, &admin, &agent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_supplier_keeps_is_not_given_back() {
    let (world, _, admin, agent) = World::frozen().await.and_people("0", MONEY).await;
    let (reference, total) = cancelled_there(&world, &agent).await;
    let paid = money() - agent.balance().await;
    world.pass(60);
    let made = rule(&world, &reference, asked(RulingKind::SupplierCancelled, dec!(0))).await.unwrap().ruling;
    assert_eq!((made.moved.amount(), made.transfer), (dec!(0), None));
    assert_eq!(money() - agent.balance().await, paid, "{total}");
    assert_eq!(agent.booking(&reference).await["status"], "cancelled");
    // More comes back later, and then at the operator's expense.
    world.pass(60);
    rule(&world, &reference, asked(RulingKind::Refund, dec!(100.50))).await.unwrap();
    world.pass(60);
    let goodwill = RulingRequest { from_loss: true, ..asked(RulingKind::Refund, paid - dec!(100.50)) };
    rule(&world, &reference, goodwill.clone()).await.unwrap();
    assert_eq!(agent.balance().await, money());
    is_refused(&world, &reference, goodwill, "are left").await;
    let loss = "select sum(amount)::text from entries where account = 'loss' and side = 'debit'";
    assert_eq!(world.line(loss).await.parse::<Decimal>().unwrap(), paid - dec!(100.50));
    adds_up(&world, &admin, &agent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_debit_note_waits_until_it_is_covered_and_is_collected_once() {
    let (world, agency, admin, agent) = World::frozen().await.and_people("0", "10000").await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    let left = agent.balance().await;
    world.pass(60);
    rule(&world, &reference, asked(RulingKind::DebitNote, dec!(250.25))).await.unwrap();
    assert_eq!(agent.balance().await, left - dec!(250.25));
    add_up_to(&world, &admin, &agent, dec!(10000) - agent.balance().await).await;

    world.pass(60);
    let left = agent.balance().await;
    let request = RulingRequest {
        key: Some("adm 7".to_owned()),
        amount_again: Some(left + dec!(10)),
        ..asked(RulingKind::DebitNote, left + dec!(10))
    };
    let due = rule(&world, &reference, request.clone()).await.unwrap().ruling;
    assert_eq!((due.state, due.transfer, due.moved.amount()), (RulingState::Due, None, dec!(0)));
    assert_eq!(agent.balance().await, left);
    assert!(rule(&world, &reference, request).await.unwrap().repeated);
    let told = admin.get("/notifications").await.json();
    assert_eq!(told["data"][0]["kind"], "booking.debit_due", "{told}");
    // Nobody can pay it yet.
    assert_eq!(desk::collect(&world.platform, None).await.unwrap()[0].ruling.state, RulingState::Due);
    assert_eq!(agent.balance().await, left);

    world.pass(60);
    agency.top_up(Some("arjun"), "10").await;
    let (one, other) =
        tokio::join!(desk::collect(&world.platform, None), desk::collect(&world.platform, None));
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(one.iter().chain(&other).filter(|made| !made.repeated).count(), 1, "{one:?} {other:?}");
    assert_eq!(agent.balance().await, dec!(0));
    assert!(desk::collect(&world.platform, None).await.unwrap().is_empty());
    let said = agent.get("/wallet/transactions?ref_type=deduction").await.json();
    let text = format!("debit note for {reference}: Ravi at the supplier's desk");
    assert_eq!(said["data"][0]["description"], text);
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_supplier_gives_back_beyond_what_it_charged_is_ruled_and_is_the_operators() {
    let (world, _, admin, agent) = World::frozen().await.and_people("0", MONEY).await;
    let (reference, total) = cancelled_there(&world, &agent).await;
    world.pass(60);
    let more = total + dec!(120);
    let request = RulingRequest { amount_again: Some(more), ..asked(RulingKind::SupplierCancelled, more) };
    rule(&world, &reference, request).await.unwrap();
    assert_eq!(agent.balance().await, money());
    adds_up(&world, &admin, &agent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_off_is_the_operators_alone() {
    let (world, _, admin, agent) = World::frozen().await.and_people("0", MONEY).await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    let before = admin.get("/org/fare-transactions").await.ok();
    let log = admin.get("/org/audit-log").await.json()["meta"]["total"].clone();
    world.pass(60);
    let slip = asked(RulingKind::WriteOff, dec!(9999999));
    is_refused(&world, &reference, slip, "say the amount twice to charge more").await;
    rule(&world, &reference, asked(RulingKind::WriteOff, dec!(77))).await.unwrap();
    assert_eq!(admin.get("/org/fare-transactions").await.ok()["summary"], before["summary"]);
    assert_eq!(admin.get("/org/audit-log").await.json()["meta"]["total"], log);
    let row = "select concat_ws(' ', kind, agent_fare, supplier_amount) from fare_transactions where kind = 'write_off'";
    assert_eq!(world.line(row).await, "write_off 0.00 77.00");
    adds_up(&world, &admin, &agent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ruling_closes_its_incident_and_no_other() {
    let (world, _, admin, agent) = World::frozen().await.and_people("0", MONEY).await;
    let (reference, total) = cancelled_there(&world, &agent).await;
    let raise = "insert into exceptions (org_id, id, booking_id, kind, problem, details, raised_at)
        select org_id, gen_random_uuid(), id, 'cancelled_by_supplier', 'gone', '{}', now() from bookings";
    world.sql(raise).await;
    let id: IncidentId = world.line("select id::text from exceptions").await.parse().unwrap();
    let unknown = RulingRequest {
        incident: Some("0199c2b0-0000-7000-8000-000000000000".parse().unwrap()),
        ..asked(RulingKind::SupplierCancelled, total)
    };
    is_refused(&world, &reference, unknown, "no open incident").await;
    let request = RulingRequest { incident: Some(id), ..asked(RulingKind::SupplierCancelled, total) };
    world.pass(60);
    rule(&world, &reference, request.clone()).await.unwrap();
    let closed =
        "select concat_ws(' ', outcome, closed_by, ruling_id = (select id from rulings)) from exceptions";
    assert_eq!(world.line(closed).await, "ruled operator t");
    let refund = RulingRequest { kind: RulingKind::WriteOff, ..request };
    is_refused(&world, &reference, refund, "no open incident").await;
    adds_up(&world, &admin, &agent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_rulings_name_their_field_and_change_nothing() {
    let (world, _, _, agent) = World::frozen().await.and_people("0", MONEY).await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    for (request, text) in [
        (asked(RulingKind::Refund, dec!(0)), "amount must be above 0"),
        (asked(RulingKind::DebitNote, dec!(-1)), "amount must be above 0"),
        (asked(RulingKind::Refund, dec!(1.001)), "amount"),
        (asked(RulingKind::Refund, dec!(99999999)), "of what was paid are left"),
        (
            RulingRequest { note: " ".to_owned(), ..asked(RulingKind::Refund, dec!(1)) },
            "note must be between",
        ),
        (
            RulingRequest { from_loss: true, ..asked(RulingKind::DebitNote, dec!(1)) },
            "from loss is only for a refund",
        ),
    ] {
        is_refused(&world, &reference, request, text).await;
    }
    let missing = rule(&world, "FA-NOTHERE1", asked(RulingKind::Refund, dec!(1))).await;
    assert!(matches!(missing, Err(Error::NotFound)));
    world.is_settled().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_rule_at_once_never_give_more_back_than_was_paid() {
    let (world, _, admin, agent) = World::frozen().await.and_people("0", MONEY).await;
    let reference = agent.buy(one_way("DEL", "BOM")).await.reference;
    let paid = money() - agent.balance().await;
    world.pass(60);
    let part = (paid / dec!(4)).round_dp(2);
    let ruled = (0..12).map(|_| rule(&world, &reference, asked(RulingKind::Refund, part)));
    let ruled = futures_util::future::join_all(ruled).await;
    let done = ruled.iter().filter(|made| made.is_ok()).count();
    assert!((3..=4).contains(&done), "{ruled:?}");
    assert_eq!(money() - agent.balance().await, paid - part * Decimal::from(done));
    adds_up(&world, &admin, &agent).await;
}
