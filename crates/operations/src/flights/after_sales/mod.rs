//! Flight bookings as their suppliers show them.

pub(crate) mod abilities;
pub(crate) mod auto_ticket;
pub(crate) mod changes;
pub(crate) mod fare_rules;
pub(crate) mod journey_changes;
pub(crate) mod order_look;
mod order_polling;
pub(crate) mod parts;
pub(crate) mod rebook;
pub(crate) mod refunds;
mod replaced_journeys;
mod replaced_parts;
pub(crate) mod reschedule;
pub(crate) mod same_travellers;
pub(crate) mod ssr;
pub(crate) mod ticket;

use std::sync::Arc;

use futures_util::future::try_join_all;
use serde_json::Value;
use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, BookingStatus, OrderReference};
use wayfare_flights::{ItineraryPeople, OrderRequest, PassedOn, StoredOrder, SupplierOrder};
use wayfare_store::booking::{bookings::Order, steps as rows};
use wayfare_supply::Answer;

use super::Booked;
use crate::{
    Caller, Core, Engine, Error, Result,
    bookings::{detail, load},
    engine::{booking_state::is_live, order_watch::Seen},
    people::sealed::ERASED,
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
                match order_look::poll_one(engine, &booked, order.number).await? {
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
    match order_look::find(engine, booked, order).await {
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
        let found = order_look::find(engine, &booked, order).await?;
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

/// The request that made the order, with whom it is for.
///
/// # Errors
/// [`Error::NotSupported`] when they are erased.
pub(crate) async fn original_request(
    core: &Core,
    booked: &Booked,
    order: &Order<SupplierOrder>,
) -> Result<OrderRequest> {
    let product = &booked.booking.product;
    let people = people_of(booked)?;
    let stored = stored_request(core, booked, order).await?;
    stored.with(people, &product.papers).ok_or(Error::NotFound)
}

/// Whom a booking is for.
///
/// # Errors
/// [`Error::NotSupported`] when they are erased.
pub(crate) fn people_of(booked: &Booked) -> Result<&ItineraryPeople> {
    let people = booked.booking.product.people.as_ref();
    people.ok_or(Error::NotSupported(ERASED))
}

/// What is stored of the request that made the order.
async fn stored_request(core: &Core, booked: &Booked, order: &Order<SupplierOrder>) -> Result<StoredOrder> {
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut connection = core.database.connection().await?;
    let made = rows::original_request(&mut connection, organization, id, order.number).await?;
    Ok(made.ok_or(Error::NotFound)?.parse()?)
}
