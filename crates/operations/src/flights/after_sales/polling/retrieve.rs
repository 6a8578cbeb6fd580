//! Flight bookings as their suppliers show them when somebody asks.

use std::sync::Arc;

use futures_util::future::try_join_all;
use serde_json::Value;
use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, BookingStatus, OrderReference};
use wayfare_flights::{PassedOn, SupplierOrder};
use wayfare_store::booking::bookings::Order;
use wayfare_supply::Answer;

use super::poll::poll_one;
use crate::{
    Caller, Engine, Error, Result,
    bookings::{detail, load},
    engine::{booking_state::is_live, order_watch::Seen},
    flights::{Booked, after_sales::order},
    reason::Moment,
    suppliers::answers::read_result,
};

/// A booking as we hold it and as its suppliers show it.
#[derive(Clone, Debug)]
pub struct Retrieved {
    /// As we hold it, after what its suppliers show was kept.
    pub booked: Booked,
    /// As the supplier shows each order, in order of their numbers; none where it does not say.
    pub found: Vec<Option<SupplierOrder>>,
}

/// Asks the suppliers for the booking's orders and keeps what they say: tickets, changes of the airline's, a hold that
/// was let go.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too. That a supplier does not answer is none.
#[boxed]
pub async fn retrieve(engine: &Arc<Engine>, caller: &Caller, reference: &BookingRef) -> Result<Retrieved> {
    let booked = detail(engine, caller, reference).await?;
    let mut found = Vec::new();
    for order in &booked.orders {
        let seen = match order.supplier_order_id {
            None => None,
            Some(_) if is_live(order) => {
                match poll_one(engine, &booked, order.number).await? {
                    Seen::Order(order) => Some(*order),
                    // It is told as it is now.
                    Seen::Settled | Seen::Cancelled => find(engine, &booked, order).await,
                    Seen::Nothing(reason)
                    | Seen::Silent(reason)
                    | Seen::Unreadable(reason)
                    | Seen::Unsettled(reason) => {
                        tracing::warn!(booking = %reference, reason, "an order could not be retrieved");
                        None
                    }
                }
            }
            Some(_) => find(engine, &booked, order).await,
        };
        found.push(seen);
    }
    Ok(Retrieved { booked: load(&engine.core, caller, reference).await?, found })
}

async fn find(engine: &Engine, booked: &Booked, order: &Order<SupplierOrder>) -> Option<SupplierOrder> {
    match order::find(engine, booked, order).await {
        Ok(Answer::Done(found)) => found,
        Ok(failed) => {
            let reason = failed.problem().unwrap_or_default();
            tracing::warn!(order = %order.reference, reason, "an order could not be retrieved");
            None
        }
        Err(error) => {
            tracing::warn!(%error, order = %order.reference, "an order could not be retrieved");
            None
        }
    }
}

/// An order in its supplier's own words.
#[derive(Clone, Debug)]
pub struct Tracked {
    pub supplier: String,
    pub reference: OrderReference,
    /// What the supplier says, as far as its list names it.
    pub order: Value,
    pub omitted: usize,
}

/// What the suppliers say of the booking's orders now.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too, the error of a booking that failed or whose outcome is not known, a
/// supplier's refusal or outage.
#[boxed]
pub async fn track(engine: &Arc<Engine>, caller: &Caller, reference: &BookingRef) -> Result<Vec<Tracked>> {
    let booked = detail(engine, caller, reference).await?;
    match booked.booking.status {
        BookingStatus::Pending => return Err(Error::BookingPending),
        BookingStatus::Failed => return Err(Error::BookingFailed),
        BookingStatus::Confirmed | BookingStatus::Cancelled => {}
    }
    let track = async |order: &Order<SupplierOrder>| {
        let found = order::find(engine, &booked, order).await?;
        let found = read_result(&engine.suppliers, &order.supplier, Moment::AfterSale, found)?;
        let unknown = || Error::SupplierRefused("the supplier does not find the order".to_owned());
        let found = found.ok_or_else(unknown)?;
        let PassedOn { order: shown, omitted } =
            engine.suppliers.flight_supplier(&order.supplier)?.passed_on(found.raw.into_tree());
        Ok(Tracked {
            supplier: order.supplier.clone(),
            reference: order.reference.clone(),
            order: shown,
            omitted,
        })
    };
    try_join_all(booked.orders.iter().map(track)).await
}
