//! Polls of flight orders: for holds that lapse, tickets that are issued later, and changes until the travel is over. What the
//! supplier says is kept.

use wayfare_domain::{Actor, BookingStatus, EventKind, OrderStatus, StepKind};
use wayfare_flights::SupplierOrder;
use wayfare_store::booking::{bookings::Order, orders_to_poll::OrderToPoll};
use wayfare_supply::Answer;

use super::keep::keep;
use crate::{
    Engine, Error, Result,
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        booking_state::is_live,
        cancellation::CancelRequest,
        order_watch::{self, Seen},
        saga, supplier_cancellation, unsettled,
    },
    flights::{Booked, after_sales::order::find},
};

/// Polls an order that is due, and says when the next poll is.
pub(crate) async fn poll(engine: &Engine, due: &OrderToPoll) -> Result<()> {
    let booked: Booked = order_watch::load(&engine.core, due).await?;
    let seen = poll_one(engine, &booked, due.number).await?;
    unsettled::tell(engine, due, &booked, &seen).await?;
    order_watch::schedule(&engine.core, due, &booked, seen).await
}

/// Asks the supplier for an order of a booking and keeps what it says. A hold that it has let go is given back.
pub(crate) async fn poll_one(engine: &Engine, booked: &Booked, number: u16) -> Result<Seen<SupplierOrder>> {
    let order = booked.orders.iter().find(|order| order.number == number);
    let Some(order) = order.filter(|order| is_live(order)) else { return Ok(Seen::Settled) };
    match booked.booking.status {
        BookingStatus::Confirmed => {}
        BookingStatus::Pending => return Ok(Seen::Nothing("its booking is still pending".to_owned())),
        BookingStatus::Cancelled | BookingStatus::Failed => return Ok(Seen::Settled),
    }
    let found = match find(engine, booked, order).await? {
        Answer::Done(Some(found)) => found,
        Answer::Done(None) => return Ok(Seen::Unsettled("the supplier does not find the order".to_owned())),
        failed => return Ok(Seen::without_order(&failed)),
    };
    match (order.status, found.status) {
        (OrderStatus::Held, OrderStatus::Cancelled | OrderStatus::Failed) => {
            match lapse(engine, booked, order).await {
                Ok(()) => Ok(Seen::Settled),
                // What comes of that is seen later.
                Err(Error::StepPending(_) | Error::ReschedulePending | Error::BookingCancelled) => {
                    Ok(Seen::Nothing("something is under way on it".to_owned()))
                }
                Err(error) => Err(error),
            }
        }
        (OrderStatus::Confirmed, OrderStatus::Cancelled | OrderStatus::Failed) => {
            supplier_cancellation::seen(&engine.core, booked, order, found).await
        }
        (_, OrderStatus::Pending) => Ok(Seen::Unsettled("supplier still processing".to_owned())),
        _ => {
            keep(&engine.core, booked, order, &found).await?;
            Ok(Seen::Order(Box::new(found)))
        }
    }
}

/// Gives a hold back that its supplier does not hold any more: all that was paid for it returns to the wallet.
async fn lapse(engine: &Engine, booked: &Booked, order: &Order<SupplierOrder>) -> Result<()> {
    let actor = Actor::system();
    let order_id = order.supplier_order_id.as_deref().unwrap_or_default();
    let request = BeginSteps {
        booking: &booked.booking,
        kind: StepKind::Cancel,
        action: EventKind::BookingLapsed,
        note: None,
        requests: vec![StepRequest::on(order, CancelRequest::of_expired_hold(order_id))?],
        service: None,
        by_itself: false,
    };
    for step in begin_step::open(engine, &actor, request, None).await? {
        saga::run_saga(engine, &actor, &step, None).await?;
    }
    Ok(())
}
