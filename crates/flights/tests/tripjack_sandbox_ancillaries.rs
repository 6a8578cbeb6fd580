//! What TripJack sells with the fare and states that take time, with the sandbox at the far end.

use crate::answers::order_to_cancel;
use crate::tripjack_bodies::*;
use crate::tripjack_stage::Stage;
use chrono::TimeDelta;
use wayfare_domain::OrderStatus;
use wayfare_flights::AncillaryKind::{Baggage, Meal, Other, Seat};
use wayfare_flights::{
    Ancillary, AncillaryKind, FlightSupplier, Offer, OrderMode, OrderRequest, PricedOrder, TripType,
};
use wayfare_supply::{AfterSales, Answer};

/// What low-cost airlines sell, and what airlines do that hold.
const EVERYTHING: &[AncillaryKind] = &[Baggage, Meal, Seat, Other];
const BESIDE_A_HOLD: &[AncillaryKind] = &[Baggage, Seat];

/// Two halves of two airlines, there and back, that sell all of this together.
async fn priced(stage: &Stage, mode: OrderMode, kinds: &[AncillaryKind]) -> (String, PricedOrder) {
    let found = stage.search(TripType::Return, &[("DEL", "BOM"), ("BOM", "DEL")], PARTY).await;
    let of = |slice: u8| {
        let halves = found.offers.iter().filter(move |offer| offer.route_index == slice);
        halves.filter(|offer| offer.combination.is_none())
    };
    for there in of(0) {
        let Some(home) = of(1).find(|home| airline(home) != airline(there)) else { continue };
        let Answer::Done(priced) = stage.tripjack.price(&[&there.token, &home.token], PARTY).await else {
            continue;
        };
        let sells_all = kinds.iter().all(|kind| priced.ancillaries.iter().any(|sold| sold.kind == *kind));
        let fits = |offer: &Offer| mode == OrderMode::Instant || offer.can_hold == Some(true);
        if sells_all && priced.offers.iter().all(fits) {
            return (there.token.clone(), priced);
        }
    }
    panic!("nothing sells {kinds:?}")
}

fn airline(offer: &Offer) -> &str {
    &offer.journeys[0].segments[0].airline
}

fn first(priced: &PricedOrder, kind: AncillaryKind) -> &Ancillary {
    let mut all = priced.ancillaries.iter();
    all.find(|sold| sold.kind == kind && sold.price.is_positive()).unwrap()
}

/// What is sent to book it, with one thing of each of these kinds for the first traveller.
fn request(
    stage: &Stage,
    mode: OrderMode,
    kinds: &[AncillaryKind],
    (token, priced): &(String, PricedOrder),
) -> OrderRequest {
    let wanted: Vec<_> = kinds.iter().map(|kind| (1, first(priced, *kind))).collect();
    let totals = priced.offers.iter().map(|offer| offer.charge.total);
    OrderRequest {
        offer_token: token.clone(),
        supplier_context: priced.supplier_context.clone(),
        total: totals.reduce(|sum, total| sum.plus(total).unwrap()).unwrap(),
        ancillaries: ancillaries(&stage.tripjack, priced, &wanted),
        ..booking(mode)
    }
}

/// Whether the first of the seats of the order is sold to others.
async fn sells_the_seat_of(stage: &Stage, offers: &PricedOrder, request: &OrderRequest) -> bool {
    let taken = request.ancillaries.iter().find(|extra| extra.ancillary.kind == Seat);
    let tokens: Vec<&str> = offers.offers.iter().map(|offer| offer.token.as_str()).collect();
    let again = stage.price(&tokens).await;
    again.ancillaries.contains(&taken.unwrap().ancillary)
}

#[tokio::test]
async fn what_is_bought_with_the_fare_is_charged_with_it_and_its_seat_is_nobody_elses() {
    let stage = Stage::open().await;
    let priced = priced(&stage, OrderMode::Instant, EVERYTHING).await;
    let buying = request(&stage, OrderMode::Instant, EVERYTHING, &priced);
    assert!(sells_the_seat_of(&stage, &priced.1, &buying).await);
    let order = done(stage.tripjack.book(&buying).await);
    assert_eq!((order.status, order.total), (OrderStatus::Confirmed, buying.due().unwrap()));
    let raw = order.raw.tree();
    let travellers = &raw["itemInfos"]["AIR"]["travellerInfos"];
    assert_eq!(travellers[0]["ssrSeatInfos"].as_object().unwrap().len(), 1);
    assert_eq!(travellers[0]["ssrFastForwardInfos"].as_object().unwrap().len(), 1);
    let routes: Vec<&str> = order.locators.iter().map(|locator| locator.route.as_str()).collect();
    assert_eq!(routes, ["DEL-BOM", "BOM-DEL"], "two airlines have a name each");

    assert!(!sells_the_seat_of(&stage, &priced.1, &buying).await);
    let quote = done(stage.tripjack.quote_cancellation(order_to_cancel(&order.id, order.status)).await);
    done(stage.tripjack.cancel(&order.id, &quote.id, None, None).await);
    assert!(sells_the_seat_of(&stage, &priced.1, &buying).await);
}

#[tokio::test]
async fn a_seat_that_somebody_was_quicker_to_buy_is_refused_and_nothing_is_charged() {
    let stage = Stage::open().await;
    let priced = priced(&stage, OrderMode::Instant, EVERYTHING).await;
    let tokens: Vec<&str> = priced.1.offers.iter().map(|offer| offer.token.as_str()).collect();
    let other = (priced.0.clone(), stage.price(&tokens).await);
    done(stage.tripjack.book(&request(&stage, OrderMode::Instant, EVERYTHING, &priced)).await);
    let late = request(&stage, OrderMode::Instant, EVERYTHING, &other);
    is_refused(stage.tripjack.book(&late).await, "");
    assert_eq!(done(stage.find(&late).await), None);
}

#[tokio::test]
async fn a_hold_keeps_what_is_bought_until_it_is_paid_or_lapses() {
    let stage = Stage::open().await;
    let priced = priced(&stage, OrderMode::Hold, BESIDE_A_HOLD).await;
    let holding = request(&stage, OrderMode::Hold, BESIDE_A_HOLD, &priced);
    let held = done(stage.tripjack.book(&holding).await);
    let due = holding.due().unwrap();
    assert_eq!((held.status, held.total), (OrderStatus::Held, due));
    assert!(held.payment_required_by.unwrap() > stage.clock.now());
    let paid = done(stage.tripjack.ticket(&held.id, &holding, held.total).await);
    assert_eq!((paid.status, paid.total), (OrderStatus::Confirmed, due));
    assert_eq!(paid.payment_required_by, None);
    let quote = done(stage.tripjack.quote_cancellation(order_to_cancel(&paid.id, paid.status)).await);
    done(stage.tripjack.cancel(&paid.id, &quote.id, None, None).await);

    let tokens: Vec<&str> = priced.1.offers.iter().map(|offer| offer.token.as_str()).collect();
    let again = (priced.0.clone(), stage.price(&tokens).await);
    let holding = request(&stage, OrderMode::Hold, BESIDE_A_HOLD, &again);
    stage.next("book", "lapses:60").await;
    let held = done(stage.tripjack.book(&holding).await);
    let until = stage.clock.now() + TimeDelta::seconds(60);
    assert_eq!(held.payment_required_by, Some(until));
    assert!(!sells_the_seat_of(&stage, &priced.1, &holding).await);
    stage.clock.advance(TimeDelta::seconds(60));
    let lapsed = done(stage.find(&holding).await).unwrap();
    assert_eq!((lapsed.status, lapsed.payment_required_by), (OrderStatus::Cancelled, None));
    assert!(matches!(stage.tripjack.ticket(&held.id, &holding, held.total).await, Answer::Refused(_)));
    assert!(sells_the_seat_of(&stage, &priced.1, &holding).await);
}

#[tokio::test]
async fn an_order_that_takes_its_time_is_pending_and_then_made_or_given_up() {
    use OrderStatus::{Confirmed, Failed, Held, Pending};
    let stage = Stage::open().await;
    for (mode, fault, end) in [
        (OrderMode::Instant, "pending:60", Confirmed),
        (OrderMode::Hold, "pending:60", Held),
        (OrderMode::Instant, "aborted:60", Failed),
        (OrderMode::Hold, "aborted:60", Failed),
    ] {
        let request = stage.request(mode).await;
        stage.next("book", fault).await;
        let made = done(stage.hasty().book(&request).await);
        assert_eq!((made.status, made.total), (Pending, request.total), "{mode:?} {fault}");
        assert_eq!(done(stage.find(&request).await).unwrap().status, Pending);
        stage.clock.advance(TimeDelta::seconds(60));
        let found = done(stage.find(&request).await).unwrap();
        assert_eq!(found.status, end, "{mode:?} {fault}");
        assert_eq!(found.tickets.is_empty(), end != Confirmed);
    }
}

#[tokio::test]
async fn a_payment_that_takes_its_time_is_unknown_and_then_found() {
    let stage = Stage::open().await;
    let request = stage.request(OrderMode::Hold).await;
    let held = done(stage.tripjack.book(&request).await);
    stage.next("ticket", "pending:60").await;
    is_unknown(stage.hasty().ticket(&held.id, &request, held.total).await, "");
    is_unknown(stage.tripjack.find_ticketed(&held.id, &request).await, "");
    stage.clock.advance(TimeDelta::seconds(60));
    let paid = done(stage.tripjack.find_ticketed(&held.id, &request).await).unwrap();
    assert_eq!((paid.status, paid.tickets.len()), (OrderStatus::Confirmed, 4));
}
