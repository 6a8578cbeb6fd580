//! One supplier order after its sale: the request that made it, how its supplier shows it, and what can be done with it.

pub(crate) mod abilities;
pub(crate) mod auto_ticket;
pub(crate) mod refunds;
pub(crate) mod services;
pub(crate) mod ticket;

use wayfare_flights::{ItineraryPeople, Lookup, OrderRequest, StoredOrder, SupplierOrder};
use wayfare_store::booking::{bookings::Order, steps};
use wayfare_supply::{Answer, Refusal};

use crate::{Core, Engine, Error, Result, flights::Booked, people::sealed::ERASED};

/// The order as its supplier shows it.
pub(crate) async fn find(
    engine: &Engine,
    booked: &Booked,
    order: &Order<SupplierOrder>,
) -> Result<Answer<Option<SupplierOrder>>> {
    let request = match original_request(&engine.core, booked, order).await {
        Ok(request) => request,
        // Their supplier can't be asked for them any more: what is stored is all there is.
        Err(Error::NotSupported(why)) => return Ok(Answer::Refused(Refusal::new(why))),
        Err(error) => return Err(error),
    };
    let order_id = order.supplier_order_id.as_deref();
    let lookup = Lookup { order_id, is_named_by_operator: false, request: &request };
    Ok(engine.suppliers.flight_supplier(&order.supplier)?.find(lookup).await)
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
pub(crate) async fn stored_request(
    core: &Core,
    booked: &Booked,
    order: &Order<SupplierOrder>,
) -> Result<StoredOrder> {
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut connection = core.database.connection().await?;
    let made = steps::original_request(&mut connection, organization, id, order.number).await?;
    Ok(made.ok_or(Error::NotFound)?.parse()?)
}
