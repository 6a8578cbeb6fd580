//! TripJack's orders with the sandbox at the far end: their whole life, and what its faults make of it.

use crate::answers::{ending, order_to_cancel};
use crate::tripjack_bodies::*;
use crate::tripjack_stage::Stage;
use chrono::TimeDelta;
use wayfare_domain::{OrderStatus, TicketStatus};
use wayfare_flights::{FlightSupplier, OrderMode};
use wayfare_supply::CancellationState::{Confirmed, Pending};
use wayfare_supply::{AfterSales, Answer};

#[tokio::test]
async fn an_instant_order_has_its_tickets_and_is_given_back_for_what_was_quoted() {
    let stage = Stage::open().await;
    let request = stage.request(OrderMode::Instant).await;
    let order = done(stage.tripjack.book(&request).await);
    assert_eq!((order.status, order.total), (OrderStatus::Confirmed, request.total));
    assert!(!order.pnr.is_empty() && !order.airline_pnr.is_empty());
    let owners: Vec<_> = order.tickets.iter().map(|ticket| ticket.traveller).collect();
    assert_eq!(owners, [1, 2, 3, 4].map(Some));
    assert_eq!(done(stage.find(&request).await).as_ref(), Some(&order));
    is_unknown(stage.tripjack.book(&request).await, "what is booked already may be ours");

    let quote = done(stage.tripjack.quote_cancellation(order_to_cancel(&order.id, order.status)).await);
    let refund = quote.refund.unwrap();
    assert!(refund.amount() <= order.total.amount());
    let cancelled = done(stage.tripjack.cancel(&order.id, &quote.id, None, None).await);
    assert_eq!((cancelled.state, cancelled.refund), (Confirmed, Some(refund)));
    for id in [&quote.id, &cancelled.id] {
        let found = done(stage.tripjack.find_cancellation(&order.id, id, None).await);
        assert_eq!(found.state, Confirmed, "{id}");
    }
    let found = done(stage.find(&request).await).unwrap();
    assert_eq!(found.status, OrderStatus::Cancelled);
    assert!(found.tickets.iter().all(|ticket| ticket.status == TicketStatus::Refunded));
}

#[tokio::test]
async fn a_held_order_is_paid_later_or_let_go() {
    let stage = Stage::open().await;
    let request = stage.request(OrderMode::Hold).await;
    let order = done(stage.tripjack.book(&request).await);
    assert_eq!((order.status, order.tickets.len()), (OrderStatus::Held, 0));
    assert_eq!(done(stage.tripjack.find_ticketed(&order.id, &request).await), None);
    let paid = done(stage.tripjack.ticket(&order.id, &request, order.total).await);
    assert_eq!((paid.status, paid.tickets.len()), (OrderStatus::Confirmed, 4));
    assert_eq!(done(stage.tripjack.find_ticketed(&order.id, &request).await), Some(paid.clone()));
    assert_eq!(done(stage.tripjack.ticket(&order.id, &request, order.total).await), paid);

    let request = stage.request(OrderMode::Hold).await;
    let order = done(stage.tripjack.book(&request).await);
    let quote = done(stage.tripjack.quote_cancellation(order_to_cancel(&order.id, order.status)).await);
    assert_eq!(quote.refund, Some(order.total));
    assert_eq!(done(stage.tripjack.find_cancellation(&order.id, &quote.id, None).await).state, Pending);
    assert_eq!(done(stage.tripjack.cancel(&order.id, &quote.id, None, None).await).state, Confirmed);
    assert_eq!(done(stage.tripjack.find_cancellation(&order.id, &quote.id, None).await).state, Confirmed);
    assert!(matches!(stage.tripjack.ticket(&order.id, &request, order.total).await, Answer::Refused(_)));
}

#[tokio::test]
async fn a_held_fare_that_moved_is_not_paid_and_one_that_lapsed_is_given_back() {
    let stage = Stage::open().await;
    let request = stage.request(OrderMode::Hold).await;
    let order = done(stage.tripjack.book(&request).await);
    stage.next("price", "price_changed:10").await;
    let moved = stage.tripjack.ticket(&order.id, &request, order.total).await;
    assert_eq!(ending(&moved), "price changed", "{moved:?}");
    stage.clock.advance(TimeDelta::days(30));
    assert!(matches!(stage.tripjack.ticket(&order.id, &request, order.total).await, Answer::Refused(_)));
    assert_eq!(done(stage.tripjack.find_ticketed(&order.id, &request).await), None);
    let quote = done(stage.tripjack.quote_cancellation(order_to_cancel(&order.id, order.status)).await);
    assert!(quote.refund.is_some());
    assert_eq!(done(stage.tripjack.cancel(&order.id, &quote.id, None, None).await).state, Confirmed);
}

#[tokio::test]
async fn whatever_a_call_says_the_order_tells_what_became_of_it() {
    let stage = Stage::open().await;
    for (fault, there) in [
        ("drop_after", true),
        ("drop_before", false),
        ("status:500", false),
        ("status:502", false),
        ("broken_json", false),
    ] {
        let request = stage.request(OrderMode::Instant).await;
        stage.next("book", fault).await;
        is_unknown(stage.tripjack.book(&request).await, fault);
        let found = done(stage.find(&request).await).map(|order| order.status);
        assert_eq!(found, there.then_some(OrderStatus::Confirmed), "{fault}");
    }
    let request = stage.request(OrderMode::Instant).await;
    stage.next("book", "appears_after:60000").await;
    let answer = stage.tripjack.book(&request).await;
    let is_pending = match &answer {
        Answer::Done(order) => order.status == OrderStatus::Pending,
        Answer::Unknown(_) => true,
        _ => false,
    };
    assert!(is_pending, "{answer:?}");
    stage.clock.advance(TimeDelta::seconds(61));
    assert_eq!(done(stage.find(&request).await).unwrap().status, OrderStatus::Confirmed);
    for (fault, kind) in
        [("price_changed:10", "price changed"), ("price_changed:-10", "price changed"), ("sold_out", "gone")]
    {
        let request = stage.request(OrderMode::Instant).await;
        stage.next("book", fault).await;
        assert_eq!(ending(&stage.tripjack.book(&request).await), kind, "{fault}");
        assert_eq!(done(stage.find(&request).await), None);
    }
}

#[tokio::test]
async fn a_cancellation_whose_answer_is_lost_or_late_is_found() {
    let stage = Stage::open().await;
    for (fault, state) in [("drop_after", Confirmed), ("drop_before", Pending)] {
        let request = stage.request(OrderMode::Instant).await;
        let order = done(stage.tripjack.book(&request).await);
        let quote = done(stage.tripjack.quote_cancellation(order_to_cancel(&order.id, order.status)).await);
        stage.next("cancel", fault).await;
        is_unknown(stage.tripjack.cancel(&order.id, &quote.id, None, None).await, fault);
        let found = done(stage.tripjack.find_cancellation(&order.id, &quote.id, None).await);
        assert_eq!(found.state, state, "{fault}");
    }
    let request = stage.request(OrderMode::Instant).await;
    let order = done(stage.tripjack.book(&request).await);
    let quote = done(stage.tripjack.quote_cancellation(order_to_cancel(&order.id, order.status)).await);
    stage.next("cancel", "refund_later:60").await;
    let taken = done(stage.tripjack.cancel(&order.id, &quote.id, None, None).await);
    assert_eq!(taken.state, Pending);
    assert_eq!(done(stage.tripjack.find_cancellation(&order.id, &taken.id, None).await).state, Pending);
    stage.clock.advance(TimeDelta::seconds(61));
    for id in [&quote.id, &taken.id] {
        let found = done(stage.tripjack.find_cancellation(&order.id, id, None).await);
        assert_eq!(found.state, Confirmed, "{id}");
    }
}
