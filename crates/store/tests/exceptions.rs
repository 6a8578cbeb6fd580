//! The exceptions' rows: raised once, ruled on while they are open, closed once, listed newest first.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may panic, and so may its helpers"
)]

use serde_json::json;
use wayfare_domain::{
    BookingRef, ClosedBy, ExceptionId,
    ExceptionKind::{self, OrderWithoutBooking, OtherTotal, OutcomeUnknown},
    ExceptionOutcome, PageRequest, Scope,
};
use wayfare_flights::Itinerary;
use wayfare_store::{
    access::organizations,
    booking::{
        bookings::{self, Booking},
        incidents::{self, NewException, Ruling},
        steps::{self, Effect},
    },
};
use wayfare_tests::{World, one_way};

/// A world with a booking whose effect is open.
async fn with_open_effect() -> (World, Effect) {
    let world = World::frozen().await;
    let agency = world.agency().await;
    let agent = agency.agent("arjun", "1000000").await;
    world.next("book", "drop_before").await;
    let booked = agent.try_buy(&one_way("DEL", "BOM")).await.succeeds(202);
    let reference = BookingRef::from(booked["booking_ref"].as_str().unwrap().to_owned());
    let mut connection = world.database.connection().await;
    let organization = organizations::by_code(&mut connection, &agency.code)
        .await
        .unwrap();
    let organization = organization.unwrap().id;
    let scope = Scope::Organization(organization);
    let booking: Option<Booking<Itinerary>> =
        bookings::find(&mut connection, scope, &reference).await.unwrap();
    let open = steps::under_way_on(&mut connection, organization, booking.unwrap().id);
    let effect = open.await.unwrap().remove(0);
    (world, effect)
}

fn about(world: &World, effect: &Effect, kind: ExceptionKind) -> NewException<'static> {
    world.pass(1);
    NewException {
        id: ExceptionId::new(&world.clock),
        organization: effect.organization,
        booking: effect.booking,
        effect: Some(effect.id),
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
    let (world, effect) = with_open_effect().await;
    let connection = &mut world.database.connection().await;
    let first = about(&world, &effect, OutcomeUnknown);
    assert!(incidents::raise(connection, &first).await.unwrap());
    let again = NewException {
        problem: "something else",
        ..about(&world, &effect, OutcomeUnknown)
    };
    assert!(!incidents::raise(connection, &again).await.unwrap());
    let found = incidents::find(connection, first.id).await.unwrap().unwrap();
    assert_eq!(
        (found.problem.as_str(), found.raised_at),
        (first.problem, first.raised_at)
    );
    assert_eq!(found.details, first.details);
    assert!(incidents::find(connection, again.id).await.unwrap().is_none());
    // Once it is closed, the next one is another.
    let closed = incidents::close(connection, &found, ClosedBy::Operator, world.now());
    assert!(closed.await.unwrap());
    assert!(incidents::raise(connection, &again).await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_closed_is_neither_ruled_on_nor_closed_again() {
    let (world, effect) = with_open_effect().await;
    let connection = &mut world.database.connection().await;
    let new = about(&world, &effect, OutcomeUnknown);
    incidents::raise(connection, &new).await.unwrap();
    let exception = incidents::find(connection, new.id).await.unwrap().unwrap();
    assert_eq!(incidents::ruling(connection, &effect).await.unwrap(), None);
    let ruling = Ruling {
        outcome: ExceptionOutcome::Done,
        order_id: Some("ord_1".to_owned()),
        note: "by telephone".to_owned(),
    };
    assert!(incidents::rule(connection, &exception, &ruling).await.unwrap());
    assert_eq!(
        incidents::ruling(connection, &effect).await.unwrap(),
        Some(ruling.clone())
    );
    let (at, effects) = (world.now(), [&effect]);
    let closed = incidents::close_of(connection, &effects, ClosedBy::Itself, at);
    assert_eq!(closed.await.unwrap(), [(effect.organization, new.id)]);
    assert_eq!(incidents::ruling(connection, &effect).await.unwrap(), None);
    let other = Ruling {
        outcome: ExceptionOutcome::Refused,
        order_id: None,
        note: "too late".to_owned(),
    };
    assert!(!incidents::rule(connection, &exception, &other).await.unwrap());
    let again = incidents::close(connection, &exception, ClosedBy::Operator, at);
    assert!(!again.await.unwrap());
    let again = incidents::close_of(connection, &effects, ClosedBy::Operator, at);
    assert!(again.await.unwrap().is_empty());
    let found = incidents::find(connection, new.id).await.unwrap().unwrap();
    assert_eq!(
        (found.closed, found.ruling),
        (Some((ClosedBy::Itself, at)), Some(ruling))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_effects_end_closes_only_what_was_unknown_of_it() {
    let (world, effect) = with_open_effect().await;
    let connection = &mut world.database.connection().await;
    for kind in [OtherTotal, OutcomeUnknown, OrderWithoutBooking] {
        let new = about(&world, &effect, kind);
        incidents::raise(connection, &new).await.unwrap();
    }
    let effects = [&effect];
    let none = incidents::close_of(connection, &[], ClosedBy::Itself, world.now());
    assert!(none.await.unwrap().is_empty());
    let closed = incidents::close_of(connection, &effects, ClosedBy::Itself, world.now());
    assert_eq!(closed.await.unwrap().len(), 1);
    let kinds = async |connection: &mut _, all, request| -> (Vec<ExceptionKind>, i64) {
        let page = incidents::list(connection, all, request).await.unwrap();
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
    let (world, effect) = with_open_effect().await;
    let connection = &mut world.database.connection().await;
    let new = NewException {
        effect: None,
        ..about(&world, &effect, OtherTotal)
    };
    assert!(incidents::raise(connection, &new).await.unwrap());
    let found = incidents::find(connection, new.id).await.unwrap().unwrap();
    assert!(found.effect.is_none() && found.held.is_positive());
}
