//! Polls of stays until the guests have left: whether they stand, and by which numbers their hotels know them.

use wayfare_domain::{BookingStatus, OrderStatus};
use wayfare_hotels::{Lookup, Stay, StoredStayRequest, SupplierStay};
use wayfare_store::booking::{bookings::Order, orders_to_poll::OrderToPoll, steps::original_request};
use wayfare_supply::{Answer, Refusal};

use super::hotel_numbers;
use crate::{
    Engine, Error, Result,
    engine::{
        booking_state::is_live,
        order_watch::{self, Seen},
        supplier_cancellation, unsettled,
    },
    hotels::Booked,
    people::sealed,
};

/// Polls a stay that is due, and says when the next poll is.
pub(crate) async fn poll(engine: &Engine, due: &OrderToPoll) -> Result<()> {
    let booked: Booked = order_watch::load::<Stay>(&engine.core, due).await?;
    let seen = poll_one(engine, &booked, due.number).await?;
    hotel_numbers::tell_if_missing(&engine.core, &booked, due.number, &seen).await?;
    unsettled::tell(engine, due, &booked, &seen).await?;
    order_watch::schedule(&engine.core, due, &booked, seen).await
}

async fn poll_one(engine: &Engine, booked: &Booked, number: u16) -> Result<Seen<SupplierStay>> {
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
    match found.status {
        OrderStatus::Cancelled | OrderStatus::Failed => {
            supplier_cancellation::seen(&engine.core, booked, order, found).await
        }
        OrderStatus::Pending => Ok(Seen::Unsettled("supplier still processing".to_owned())),
        OrderStatus::Held | OrderStatus::Confirmed => {
            let kept = hotel_numbers::keep(&engine.core, booked, order, &found).await?;
            Ok(Seen::Order(Box::new(kept)))
        }
    }
}

/// The stay as its supplier shows it.
async fn find(
    engine: &Engine,
    booked: &Booked,
    order: &Order<SupplierStay>,
) -> Result<Answer<Option<SupplierStay>>> {
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let made = {
        let mut connection = engine.core.database.connection().await?;
        original_request(&mut connection, organization, id, order.number).await?
    };
    let stored: StoredStayRequest = made.ok_or(Error::NotFound)?.parse()?;
    let people = sealed::load(&engine.core, organization, id).await?;
    let request = match people.of() {
        Ok(people) => stored.with(&people),
        // What is stored is all there is.
        Err(Error::NotSupported(why)) => return Ok(Answer::Refused(Refusal::new(why))),
        Err(error) => return Err(error),
    };
    let lookup = Lookup { order_id: order.supplier_order_id.as_deref(), request: &request };
    Ok(engine.suppliers.hotel_supplier(&order.supplier)?.find(lookup).await)
}
