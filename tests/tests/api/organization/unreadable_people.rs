//! A booking whose people don't open, since its row is another's or broken: an error, and never data.

use serde_json::{Value, json};
use wayfare_domain::BookingRef;
use wayfare_operations::operator;
use wayfare_tests::{Person, World, capture_log, captured_log, one_way, stay_at};

use super::marks::{MARKS, mark_in, marked_booking, marked_stay, stage};

/// Gives the row of this kind of one booking what the row of that kind of another holds.
pub async fn copy(world: &World, (one, kind): (&str, &str), (other, of_kind): (&str, &str)) {
    let statement = format!(
        "update booking_people p
             set kek_id = o.kek_id, wrapped_key = o.wrapped_key, sealed = coalesce(o.sealed, p.sealed)
             from booking_people o, bookings pb, bookings ob where (pb.org_id, pb.id) = (p.org_id, p.booking_id)
             and (ob.org_id, ob.id) = (o.org_id, o.booking_id) and pb.booking_ref = '{one}'
             and ob.booking_ref = '{other}' and p.kind = '{kind}' and o.kind = '{of_kind}'"
    );
    world.sql(&statement).await;
    let twice = "select count(*) from (select from booking_people where wrapped_key is not null
        group by wrapped_key having count(*) > 1) t";
    assert_ne!(world.line(twice).await, "0", "it was copied");
}

async fn listed(agent: &Person, list: &str, reference: &str) -> Value {
    let found = agent.get(list).await.ok();
    let mut rows = found.as_array().unwrap().iter();
    rows.find(|row| row["booking_ref"] == reference).unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_whose_people_do_not_open_is_listed_without_them_and_given_back() {
    capture_log();
    let (world, agency, _, agent) = stage().await;
    let flight = marked_booking(&agent, "duffel", false).await;
    let other = agent.buy(one_way("DEL", "BLR")).await.reference;
    let (stay, other_stay) =
        (marked_stay(&agent, &stay_at("liteapi")).await, marked_stay(&agent, &stay_at("hotelbeds")).await);
    let before = listed(&agent, "/flights/bookings", &flight).await;
    copy(&world, (&flight, "people"), (&other, "people")).await;
    copy(&world, (&stay, "people"), (&other_stay, "people")).await;

    let shown = listed(&agent, "/flights/bookings", &flight).await;
    let nobody = json!([{ "title": null, "first_name": "", "last_name": "", "type": "ADT" }]);
    assert_eq!((&shown["passengers"], &shown["people_erased_at"]), (&nobody, &json!(null)));
    for same in ["pnr", "status", "public_fare", "passenger_count", "origin"] {
        assert_eq!(shown[same], before[same], "{same}");
    }
    assert_ne!(listed(&agent, "/flights/bookings", &other).await["passengers"], nobody);
    for (list, reference, whole) in [
        ("/flights/bookings", &flight, false),
        ("/hotels/bookings", &stay, false),
        ("/hotels/bookings", &other_stay, true),
    ] {
        let text = listed(&agent, list, reference).await.to_string();
        assert_eq!(mark_in(text.as_bytes()).is_some(), whole, "{text}");
        let detail = agent.get(&format!("{list}/{reference}")).await;
        assert_eq!(detail.status, if whole { 200 } else { 500 }, "{}", detail.text);
        let line = |line: &&str| line.contains(reference.as_str()) && line.contains("don't open");
        let log = captured_log();
        assert_eq!(log.lines().find(line).is_some_and(|line| line.contains("ERROR")), !whole);
    }
    // Whom it is for does not matter to what it gives back.
    let penalty = agent.penalty(&flight).await.ok();
    let cancelled = agent.cancels(&flight).await;
    assert_eq!(cancelled["refund_to_wallet"], penalty["refund_amount"], "{cancelled}");
    let refund = agent.post(&format!("/flights/bookings/{flight}/refund-status"), &json!({})).await.ok();
    assert_eq!(refund["status"], "refunded");
    world.next_at("liteapi", "cancel", "drop_before").await;
    agent.cancel_stay(&stay).await;
    world.recover_in(3600).await;
    let agent = agency.log_in("arjun").await;
    assert_eq!(listed(&agent, "/flights/bookings", &flight).await["status"], "cancelled");
    world.books_agree().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_that_do_not_open_can_be_erased() {
    let (world, agency, ..) = stage().await;
    let agent = agency.log_in("arjun").await;
    let (flight, other) =
        (marked_booking(&agent, "duffel", false).await, marked_booking(&agent, "tripjack", false).await);
    copy(&world, (&flight, "people"), (&other, "people")).await;
    world.pass(90 * 86_400);
    let (admin, agent) = (agency.log_in("asha").await, agency.log_in("arjun").await);
    assert_eq!(admin.get(&format!("/org/bookings/{flight}/people")).await.status, 500);
    let erase = |reference: &str| format!("/org/bookings/{reference}/people/erase");
    admin.post(&erase(&flight), &json!({})).await.says(200, "people erased");
    assert!(agent.booking(&flight).await["people_erased_at"].is_string());
    copy(&world, (&other, "people"), (&other, "answers")).await;
    operator::people::erase(&world.platform, &BookingRef::from(other.clone())).await.unwrap();
    assert!(agent.booking(&other).await["people_erased_at"].is_string());
    world.books_agree().await;
}

/// Whoever can write to the database and not read the keys learns nothing by it.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_of_another_agency_kind_or_booking_is_an_error_and_not_data() {
    let (world, _, admin, agent) = stage().await;
    let secret = marked_booking(&world.agency().await.agent("zara", "1000000").await, "duffel", false).await;
    for (kind, other, of_kind) in [
        ("people", true, "people"),
        ("people", true, "answers"),
        ("people", false, "answers"),
        ("answers", true, "answers"),
        ("answers", true, "people"),
        ("answers", false, "people"),
    ] {
        let mine = agent.buy(one_way("DEL", "BLR")).await.reference;
        let from = if other { &secret } else { &mine };
        copy(&world, (&mine, kind), (from, of_kind)).await;
        let people = admin.get(&format!("/org/bookings/{mine}/people")).await;
        assert_eq!(people.status, 500, "{kind} {other} {of_kind}: {}", people.text);
        assert_eq!(mark_in(people.text.as_bytes()), None);
        let detail = agent.get(&format!("/flights/bookings/{mine}")).await;
        let status = if kind == "people" { 500 } else { 200 };
        assert_eq!(detail.status, status, "{kind} {other} {of_kind}: {}", detail.text);
        assert!(!detail.text.contains(MARKS[1]), "{}", detail.text);
    }
    // What a supplier said of another booking, and what somebody else was answered under a key.
    let mine = agent.buy(one_way("DEL", "BLR")).await.reference;
    let statement = format!(
        "update supplier_answers a set sealed = o.sealed from supplier_answers o, bookings ab, bookings ob
         where (ab.org_id, ab.id) = (a.org_id, a.booking_id) and (ob.org_id, ob.id) = (o.org_id, o.booking_id)
         and ab.booking_ref = '{mine}' and ob.booking_ref = '{secret}'"
    );
    world.sql(&statement).await;
    assert_eq!(admin.get(&format!("/org/bookings/{mine}/people")).await.status, 500);
    let order = agent.order_for(&one_way("DEL", "BLR")).await;
    agent.post_with_key("/flights/book", "mine", &order).await.ok();
    world
        .sql("update idempotency_keys k set sealed_answer = o.sealed_answer from idempotency_keys o where k.key = 'mine' and o.key = 'duffel false'")
        .await;
    let again = agent.post_with_key("/flights/book", "mine", &order).await;
    assert_eq!(again.status, 500, "{}", again.text);
}
