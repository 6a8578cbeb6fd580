//! What comes of orders without anybody's asking for it: holds that lapse, tickets that are issued later, flights that
//! airlines change. The supplier is asked for the order, and what it says is kept.

use wayfare_domain::{Actor, Awaited, BookingStatus, EventKind, OrderStatus, Product, StepKind};
use wayfare_flights::{Itinerary, Lookup, SupplierOrder};
use wayfare_store::booking::{
    bookings::{self, Booking, Order},
    orders_to_poll::{self, OrderToPoll},
};
use wayfare_supply::{Answer, Refusal};

use super::{original_request, shown_order::keep};
use crate::{
    Error, Platform, Result,
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        booking_state::is_live,
        cancellation::CancelRequest,
        order_polling::next_poll,
        saga,
    },
    flights::Booked,
    people::sealed,
};

/// Polls an order that is due, and says when to poll it again.
///
/// # Errors
/// When the database can't be asked: it is looked at again when its lease has ended.
pub(crate) async fn poll(platform: &Platform, due: &OrderToPoll) -> Result<()> {
    let mut connection = platform.database.connection().await?;
    let stored = bookings::whole_by_id::<Itinerary>(&mut connection, due.organization, due.booking).await?;
    let booking: Booking<Itinerary> = sealed::open(platform, stored)?;
    let orders = bookings::orders(&mut connection, &booking).await?;
    drop(connection);
    let booked = Booked { booking, orders };
    let awaited = match poll_one(platform, &booked, due.number).await? {
        Seen::Order(order) => Itinerary::facts(&order).awaited,
        Seen::Nothing(reason) => {
            tracing::warn!(booking = %booked.booking.reference, reason, "an order could not be polled");
            let order = booked.orders.iter().find(|order| order.number == due.number);
            let content = order.and_then(|order| order.content.as_ref());
            content.map_or(Awaited::Nothing, |content| Itinerary::facts(content).awaited)
        }
        Seen::Settled => Awaited::Nothing,
    };
    let at = next_poll(awaited, due.poll_count, platform.shared_time.now());
    let mut connection = platform.database.connection().await?;
    Ok(orders_to_poll::poll_again_at(&mut connection, due, at).await?)
}

/// What was seen of an order.
pub(crate) enum Seen {
    /// The order as its supplier shows it, which is kept.
    Order(Box<SupplierOrder>),
    /// Nothing that can be relied upon, and why.
    Nothing(String),
    /// Nothing is awaited of it any more.
    Settled,
}

/// Asks the supplier for an order of a booking and keeps what it says. A hold that it has let go is given back.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn poll_one(platform: &Platform, booked: &Booked, number: u16) -> Result<Seen> {
    let order = booked.orders.iter().find(|order| order.number == number);
    let Some(order) = order.filter(|order| is_live(order)) else {
        return Ok(Seen::Settled);
    };
    match booked.booking.status {
        BookingStatus::Confirmed => {}
        BookingStatus::Pending => return Ok(Seen::Nothing("its booking is still pending".to_owned())),
        BookingStatus::Cancelled | BookingStatus::Failed => return Ok(Seen::Settled),
    }
    let found = match find(platform, booked, order).await? {
        Answer::Done(Some(found)) => found,
        Answer::Done(None) => return Ok(Seen::Nothing("the supplier does not find the order".to_owned())),
        other => return Ok(Seen::Nothing(other.problem().unwrap_or_default().to_owned())),
    };
    match (order.status, found.status) {
        (OrderStatus::Held, OrderStatus::Cancelled | OrderStatus::Failed) => {
            match lapse(platform, booked, order).await {
                Ok(()) => Ok(Seen::Settled),
                // What comes of that is seen later.
                Err(Error::StepPending(_) | Error::ReschedulePending | Error::BookingCancelled) => {
                    Ok(Seen::Nothing("something is under way on it".to_owned()))
                }
                Err(error) => Err(error),
            }
        }
        (_, OrderStatus::Pending) => Ok(Seen::Nothing("supplier still processing".to_owned())),
        _ => {
            keep(platform, booked, order, &found).await?;
            Ok(Seen::Order(Box::new(found)))
        }
    }
}

/// The order as its supplier shows it.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn find(
    platform: &Platform,
    booked: &Booked,
    order: &Order<SupplierOrder>,
) -> Result<Answer<Option<SupplierOrder>>> {
    let request = match original_request(platform, booked, order).await {
        Ok(request) => request,
        // Their supplier can't be asked for them any more: what is stored is all there is.
        Err(Error::NotSupported(why)) => return Ok(Answer::Refused(Refusal::new(why))),
        Err(error) => return Err(error),
    };
    let lookup = Lookup {
        reference: &request.reference,
        order_id: order.supplier_order_id.as_deref(),
        request: &request,
    };
    Ok(platform.flight_supplier(&order.supplier)?.find(lookup).await)
}

/// Gives a hold back that its supplier does not hold any more: all that was paid for it returns to the wallet.
async fn lapse(platform: &Platform, booked: &Booked, order: &Order<SupplierOrder>) -> Result<()> {
    let actor = Actor::system();
    let order_id = order.supplier_order_id.as_deref().unwrap_or_default();
    let request = BeginSteps {
        booking: &booked.booking,
        kind: StepKind::Cancel,
        action: EventKind::BookingLapsed,
        note: None,
        requests: vec![StepRequest::on(order, &CancelRequest::of_expired_hold(order_id))?],
        service: None,
        by_itself: false,
    };
    for step in begin_step::open(platform, &actor, request, None).await? {
        saga::run_saga(platform, &actor, &step, None).await?;
    }
    Ok(())
}
