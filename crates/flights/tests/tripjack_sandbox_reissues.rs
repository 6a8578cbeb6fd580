//! TripJack's reissues with the sandbox at the far end: their whole life, and what its faults make of it.

use crate::answers::order_to_cancel;
use crate::lookups::by_id;
use crate::tripjack_bodies::*;
use crate::tripjack_stage::Stage;
use wayfare_domain::{OrderStatus, TicketStatus};
use wayfare_flights::{
    Cabin, ChangeOffer, FlightSupplier, JourneyChange, OrderMode, OrderRequest, SupplierOrder, TripType,
};
use wayfare_supply::{AfterSales, Answer, PendingChange, RefusalKind};

/// A ticketed order from Delhi to Bombay for which others flights are offered, and these: of this airline where it is named.
async fn ordered(
    stage: &Stage,
    airline: Option<&str>,
) -> (OrderRequest, SupplierOrder, Answer<Vec<ChangeOffer>>) {
    let found = stage.search(TripType::OneWay, &[("DEL", "BOM")], PARTY).await;
    let flies = |code: &str| airline.map_or(code != "QP", |wanted| code == wanted);
    let of_airline = |offer: &&wayfare_flights::Offer| flies(&offer.journeys[0].segments[0].airline);
    for offer in found.offers.iter().filter(of_airline) {
        let priced = stage.price(&[&offer.token]).await;
        let request = OrderRequest {
            offer_token: offer.token.clone(),
            total: priced.offers[0].charge.total,
            supplier_context: priced.supplier_context,
            ..booking(OrderMode::Instant)
        };
        let order = done(stage.tripjack.book(&request).await);
        let offers = offers(stage, &order.id, &request).await;
        let is_good = match &offers {
            Answer::Done(offers) => !offers.is_empty(),
            _ => airline.is_some(),
        };
        if is_good {
            return (request, order, offers);
        }
    }
    panic!("nothing can be reissued")
}

async fn offers(stage: &Stage, id: &str, request: &OrderRequest) -> Answer<Vec<ChangeOffer>> {
    let wanted = JourneyChange {
        journey: 0,
        origin: "DEL".to_owned(),
        destination: "BOM".to_owned(),
        date: "2026-04-09".parse().unwrap(),
        cabin: Cabin::Economy,
    };
    stage.tripjack.change_offers(id, request, &[wanted]).await
}

async fn prepare(
    stage: &Stage,
    id: &str,
    request: &OrderRequest,
    offer: &ChangeOffer,
) -> Answer<PendingChange> {
    stage.tripjack.prepare_change(by_id(id, request), &offer.token).await
}

#[tokio::test]
async fn a_ticket_is_reissued_once_and_its_order_has_another_id_since() {
    let stage = Stage::open().await;
    let (request, order, offered) = ordered(&stage, None).await;
    let offer = &done(offered)[0];
    let ready = done(prepare(&stage, &order.id, &request, offer).await);
    assert_eq!((ready.price, ready.is_confirmed), (offer.price, false));
    assert!(!ready.price.penalty.is_negative());
    // It is nothing yet.
    assert!(!done(stage.tripjack.find_pending_change(&ready.id).await).is_confirmed);
    assert_eq!(done(stage.find(&request).await), Some(order.clone()));

    let confirm = || stage.tripjack.confirm_change(by_id(&order.id, &request), &ready);
    assert!(done(confirm().await).is_confirmed);
    assert!(done(stage.tripjack.find_pending_change(&ready.id).await).is_confirmed);
    let found = stage.tripjack.find_changed(by_id(&order.id, &request), &ready.id).await;
    let changed = done(found).unwrap();
    assert_eq!((changed.id.as_str(), changed.status), (ready.id.as_str(), OrderStatus::Confirmed));
    let difference = ready.price.total.minus(ready.price.penalty).unwrap();
    assert_eq!(changed.total, order.total.plus(difference).unwrap());
    let departures = |flights: &[wayfare_flights::Segment]| -> Vec<_> {
        flights.iter().map(|flight| flight.departure).collect()
    };
    assert_eq!(departures(&changed.flights), departures(&offer.journeys[0].segments));
    assert!(changed.tickets.iter().all(|ticket| ticket.status == TicketStatus::Issued));
    assert_ne!((&changed.tickets, &changed.pnr), (&order.tickets, &order.pnr));
    // Its first id shows it as it was.
    assert_eq!(done(stage.find(&request).await), Some(order.clone()));

    let again = confirm().await;
    assert!(!matches!(again, Answer::Done(_) | Answer::Unavailable(_)), "{again:?}");
    for id in [&order.id, &changed.id] {
        let offers = offers(&stage, id, &request).await;
        assert!(!matches!(offers, Answer::Done(_)), "{offers:?}");
    }
    let quote = stage.tripjack.quote_cancellation(order_to_cancel(&changed.id, changed.status)).await;
    let cancelled = done(stage.tripjack.cancel(&changed.id, &done(quote).id, None, None).await);
    let found = stage.tripjack.find_cancellation(&changed.id, &cancelled.id, None).await;
    assert_eq!(done(found).state, cancelled.state);
    let found = done(stage.tripjack.find(by_id(&changed.id, &request)).await).unwrap();
    assert_eq!(found.status, OrderStatus::Cancelled);
}

#[tokio::test]
async fn an_airline_without_reissues_says_so() {
    let stage = Stage::open().await;
    let (.., offered) = ordered(&stage, Some("QP")).await;
    let Answer::Refused(refusal) = offered else { panic!("{offered:?}") };
    assert_eq!((refusal.kind, refusal.code.as_deref()), (RefusalKind::NotChangeable, Some("1157")));
}

#[tokio::test]
async fn a_price_that_moves_is_told_by_the_review() {
    let stage = Stage::open().await;
    let (request, order, offered) = ordered(&stage, None).await;
    let offer = &done(offered)[0];
    stage.next("change", "price_changed:20").await;
    let ready = done(prepare(&stage, &order.id, &request, offer).await);
    assert_ne!(ready.price.total, offer.price.total);
}

#[tokio::test]
async fn a_reissue_without_an_answer_is_told_by_its_new_order_alone() {
    for (fault, is_made) in [("drop_after", true), ("drop_before", false), ("status:500", false)] {
        let stage = Stage::open().await;
        let (request, order, offered) = ordered(&stage, None).await;
        let ready = done(prepare(&stage, &order.id, &request, &done(offered)[0]).await);
        stage.next("ticket", fault).await;
        is_unknown(stage.tripjack.confirm_change(by_id(&order.id, &request), &ready).await, fault);
        let found = done(stage.tripjack.find_pending_change(&ready.id).await);
        assert_eq!(found.is_confirmed, is_made, "{fault}");
    }
}
