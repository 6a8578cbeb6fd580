//! The exceptions' rows: raised once, ruled on while they are open, closed once, listed newest first.

use serde_json::json;
use wayfare_domain::{
    BookingRef, ClosedBy, IncidentId,
    IncidentKind::{self, OrderWithoutBooking, OtherTotal, OutcomeUnknown},
    IncidentOutcome, OperatorId, PageRequest, ProductKind, Scope,
};
use wayfare_store::{
    access::organizations,
    booking::{
        bookings,
        incidents::{self, IncidentFilter, NewIncident, Resolution},
        steps::{self, Step},
    },
};
use wayfare_tests::{World, one_way};

/// A world with a booking whose step is open.
async fn with_open_effect() -> (World, Step) {
    let world = World::frozen().await;
    let agency = world.agency().await;
    let agent = agency.agent("arjun", "1000000").await;
    world.next("book", "drop_before").await;
    let booked = agent.try_buy(&one_way("DEL", "BOM")).await.succeeds(202);
    let reference = BookingRef::from(booked["booking_ref"].as_str().unwrap().to_owned());
    let mut connection = world.database.connection().await;
    let organization = organizations::by_code(&mut connection, &agency.code).await.unwrap();
    let organization = organization.unwrap().id;
    let scope = Scope::Organization(organization);
    let found = bookings::find(&mut connection, ProductKind::Flight, scope, &reference).await;
    let booking = found.unwrap().unwrap().booking;
    let open = steps::under_way_on(&mut connection, organization, booking.id);
    let step = open.await.unwrap().remove(0);
    (world, step)
}

fn about(world: &World, step: &Step, kind: IncidentKind) -> NewIncident<'static> {
    world.pass(1);
    NewIncident {
        id: IncidentId::new(&world.clock),
        organization: step.organization,
        booking: step.booking,
        step: Some(step.id),
        kind,
        problem: "it is so",
        details: json!({ "how": "much" }),
        raised_at: world.now(),
    }
}

fn page(page: u32, per_page: u32) -> PageRequest {
    PageRequest { page, per_page }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_a_kind_is_open_on_an_effect_and_raising_it_again_changes_nothing() {
    let (world, step) = with_open_effect().await;
    let connection = &mut world.database.connection().await;
    let first = about(&world, &step, OutcomeUnknown);
    assert!(incidents::raise(connection, &first).await.unwrap());
    let again = NewIncident { problem: "something else", ..about(&world, &step, OutcomeUnknown) };
    assert!(!incidents::raise(connection, &again).await.unwrap());
    let found = incidents::find(connection, first.id).await.unwrap().unwrap();
    assert_eq!((found.problem.as_str(), found.raised_at), (first.problem, first.raised_at));
    assert_eq!(found.details, first.details);
    assert!(incidents::find(connection, again.id).await.unwrap().is_none());
    // Once it is closed, the next one is another.
    let closed = incidents::close(connection, &found, ClosedBy::Operator, world.now());
    assert!(closed.await.unwrap());
    assert!(incidents::raise(connection, &again).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_closed_is_neither_ruled_on_nor_closed_again() {
    let (world, step) = with_open_effect().await;
    let connection = &mut world.database.connection().await;
    let new = about(&world, &step, OutcomeUnknown);
    incidents::raise(connection, &new).await.unwrap();
    let incident = incidents::find(connection, new.id).await.unwrap().unwrap();
    assert_eq!(incidents::resolution(connection, &step).await.unwrap(), None);
    let resolution = Resolution {
        outcome: IncidentOutcome::Done,
        order_id: Some("ord_1".to_owned()),
        note: "by telephone".to_owned(),
    };
    let who = OperatorId::new(&world.clock);
    assert!(incidents::resolve(connection, &incident, &resolution, Some(who)).await.unwrap());
    assert_eq!(
        incidents::resolution(connection, &step).await.unwrap(),
        Some((resolution.clone(), Some(who)))
    );
    let (at, steps) = (world.now(), [&step]);
    let closed = incidents::close_of(connection, &steps, ClosedBy::Itself, at);
    // Whoever found the order: the operator had said that it was done (D-152).
    assert_eq!(closed.await.unwrap(), [(step.organization, new.id, ClosedBy::Operator, Some(who))]);
    assert_eq!(incidents::resolution(connection, &step).await.unwrap(), None);
    let other = Resolution { outcome: IncidentOutcome::Refused, order_id: None, note: "too late".to_owned() };
    assert!(!incidents::resolve(connection, &incident, &other, None).await.unwrap());
    let again = incidents::close(connection, &incident, ClosedBy::Operator, at);
    assert!(!again.await.unwrap());
    let again = incidents::close_of(connection, &steps, ClosedBy::Operator, at);
    assert!(again.await.unwrap().is_empty());
    let found = incidents::find(connection, new.id).await.unwrap().unwrap();
    assert_eq!((found.closed, found.resolution), (Some((ClosedBy::Operator, at)), Some(resolution)));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_effects_end_closes_only_what_was_unknown_of_it() {
    let (world, step) = with_open_effect().await;
    let connection = &mut world.database.connection().await;
    for kind in [OtherTotal, OutcomeUnknown, OrderWithoutBooking] {
        let new = about(&world, &step, kind);
        incidents::raise(connection, &new).await.unwrap();
    }
    let steps = [&step];
    let none = incidents::close_of(connection, &[], ClosedBy::Itself, world.now());
    assert!(none.await.unwrap().is_empty());
    let closed = incidents::close_of(connection, &steps, ClosedBy::Itself, world.now());
    assert_eq!(closed.await.unwrap().len(), 1);
    let kinds = async |connection: &mut _, all, request| -> (Vec<IncidentKind>, i64) {
        let filter = IncidentFilter { all, ..IncidentFilter::default() };
        let page = incidents::list(connection, &filter, request).await.unwrap();
        (page.items.iter().map(|one| one.kind).collect(), page.total)
    };
    let open = (vec![OrderWithoutBooking, OtherTotal], 2);
    assert_eq!(kinds(connection, false, page(1, 20)).await, open);
    let all = (vec![OrderWithoutBooking, OutcomeUnknown], 3);
    assert_eq!(kinds(connection, true, page(1, 2)).await, all);
    assert_eq!(kinds(connection, true, page(2, 2)).await, (vec![OtherTotal], 3));
    assert_eq!(kinds(connection, true, page(3, 2)).await, (vec![], 3));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_about_no_effect_is_shown_too() {
    let (world, step) = with_open_effect().await;
    let connection = &mut world.database.connection().await;
    let new = NewIncident { step: None, ..about(&world, &step, OtherTotal) };
    assert!(incidents::raise(connection, &new).await.unwrap());
    let found = incidents::find(connection, new.id).await.unwrap().unwrap();
    assert!(found.step.is_none() && found.held.is_positive());
}
