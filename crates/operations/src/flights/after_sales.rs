//! Bookings as they are looked at.

use std::sync::Arc;

use futures_util::future::try_join_all;
use serde_json::Value;
use wayfare_domain::{BookingRef, BookingStatus, OrderReference, Page, PageRequest};
use wayfare_flights::{Itinerary, OrderRequest, SupplierOrder};
use wayfare_store::{
    bookings::{self, Booking, Order},
    effects::{self as rows, Effect},
};

use wayfare_supply::Answer;

use super::{asking::answered, book::Booked};
use crate::{
    Caller, Error, Platform, Result, effects,
    purchase::stands,
    watch::{self, Seen},
    worker::LEASE,
};

/// A page of the caller's bookings, newest first: two statements.
///
/// # Errors
/// When the database can't be asked.
pub async fn list(
    platform: &Platform,
    caller: &Caller,
    status: Option<BookingStatus>,
    request: PageRequest,
) -> Result<Page<Booking<Itinerary>>> {
    let mut connection = platform.database.connection().await?;
    Ok(bookings::list(&mut connection, caller.scope(), status, request).await?)
}

pub(super) async fn load(platform: &Platform, caller: &Caller, reference: &BookingRef) -> Result<Booked> {
    let mut connection = platform.database.connection().await?;
    let booking = bookings::find(&mut connection, caller.scope(), reference)
        .await?
        .ok_or(Error::NotFound)?;
    let orders = bookings::orders(&mut connection, &booking).await?;
    Ok(Booked { booking, orders })
}

/// The booking as it stands; a pending one is looked up at its supplier first.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub async fn detail(platform: &Arc<Platform>, caller: &Caller, reference: &BookingRef) -> Result<Booked> {
    let booked = load(platform, caller, reference).await?;
    if booked.booking.status != BookingStatus::Pending {
        return Ok(booked);
    }
    look_up_open(platform, &booked).await?;
    load(platform, caller, reference).await
}

/// Looks up what is under way on a booking, as far as it is due or nobody has looked yet. What is found may let other
/// effects begin, so that nobody's hanging up or impatience stops it.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn look_up_open(platform: &Arc<Platform>, booked: &Booked) -> Result<()> {
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut connection = platform.database.connection().await?;
    let mut under_way = rows::under_way_on(&mut connection, organization, id).await?;
    drop(connection);
    under_way.retain(|effect| !effect.planned);
    if under_way.is_empty() {
        return Ok(());
    }
    let looking = platform.runtime.spawn({
        let platform = platform.clone();
        async move {
            for effect in under_way {
                if let Err(error) = look_up(&platform, &effect).await {
                    tracing::warn!(%error, effect = %effect.id, "an effect could not be looked up");
                }
            }
        }
    });
    // What is not known by then is told as it stands; it is looked up to its end.
    tokio::time::timeout(platform.durations.patience, looking)
        .await
        .ok();
    Ok(())
}

async fn look_up(platform: &Platform, effect: &Effect) -> Result<()> {
    let now = platform.clock.now();
    let mut connection = platform.database.connection().await?;
    let taken = rows::take(&mut connection, effect, now, now + LEASE).await?;
    drop(connection);
    if taken && let Err(error) = effects::recover(platform, effect).await {
        effects::postpone(platform, effect, &error.to_string()).await?;
        return Err(error);
    }
    Ok(())
}

/// A booking as we hold it and as its suppliers show it.
#[derive(Clone, Debug)]
pub struct Retrieved {
    /// As we hold it, after what its suppliers show was kept.
    pub booked: Booked,
    /// As the supplier shows each order, in order of their numbers; none where it does not say.
    pub shown: Vec<Option<SupplierOrder>>,
}

/// Asks the suppliers for the booking's orders and keeps what they say: tickets, changes of the airline's, a hold that
/// was let go.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too. That a supplier does not answer is none.
pub async fn retrieve(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Retrieved> {
    let booked = detail(platform, caller, reference).await?;
    let mut shown = Vec::new();
    for order in &booked.orders {
        let seen = match order.supplier_order_id {
            None => None,
            Some(_) if stands(order) => match watch::look(platform, &booked, order.number).await? {
                Seen::Order(order) => Some(*order),
                // It is told as it is now.
                Seen::Settled => find(platform, &booked, order).await,
                Seen::Nothing(reason) => {
                    tracing::warn!(booking = %reference, reason, "an order could not be retrieved");
                    None
                }
            },
            Some(_) => find(platform, &booked, order).await,
        };
        shown.push(seen);
    }
    Ok(Retrieved {
        booked: load(platform, caller, reference).await?,
        shown,
    })
}

async fn find(platform: &Platform, booked: &Booked, order: &Order<SupplierOrder>) -> Option<SupplierOrder> {
    match watch::find(platform, booked, order).await {
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
    /// The supplier's code.
    pub supplier: String,
    /// Our own reference of the order.
    pub reference: OrderReference,
    /// What the supplier says, without anything that opens doors.
    pub raw: Value,
}

/// What the suppliers say of the booking's orders now.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too, the error of a booking that failed or whose outcome is not known, a
/// supplier's refusal or outage.
pub async fn track(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Vec<Tracked>> {
    let booked = detail(platform, caller, reference).await?;
    match booked.booking.status {
        BookingStatus::Pending => return Err(Error::BookingPending),
        BookingStatus::Failed => return Err(Error::BookingFailed),
        BookingStatus::Confirmed | BookingStatus::Cancelled => {}
    }
    let track = async |order: &Order<SupplierOrder>| {
        let found = answered(watch::find(platform, &booked, order).await?)?;
        let unknown = || Error::SupplierRefused("the supplier does not find the order".to_owned());
        let found = found.ok_or_else(unknown)?;
        let mut raw = found.raw;
        remove_secrets(&mut raw);
        Ok(Tracked {
            supplier: order.supplier.clone(),
            reference: order.reference.clone(),
            raw,
        })
    };
    try_join_all(booked.orders.iter().map(track)).await
}

/// Names of members, without underscores and in lower case, that hold what opens doors or pays.
const SECRETS: [&str; 9] = [
    "apikey",
    "accesstoken",
    "token",
    "clientkey",
    "password",
    "secret",
    "card",
    "cardnumber",
    "cvc",
];

fn remove_secrets(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| {
                let name = name.replace(['_', '-'], "").to_lowercase();
                !SECRETS.contains(&name.as_str())
            });
            members.values_mut().for_each(remove_secrets);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_secrets),
        _ => {}
    }
}

/// The request that made the order.
pub(crate) async fn made_by(
    platform: &Platform,
    booked: &Booked,
    order: &Order<SupplierOrder>,
) -> Result<OrderRequest> {
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut connection = platform.database.connection().await?;
    let made = rows::made_by(&mut connection, organization, id, order.number).await?;
    Ok(serde_json::from_value(made.ok_or(Error::NotFound)?)?)
}

pub(super) fn order_id(order: &Order<SupplierOrder>) -> Result<&str> {
    let id = order.supplier_order_id.as_deref();
    id.ok_or_else(|| Error::Internal(format!("order {} has no id at its supplier", order.reference)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_opens_doors_is_not_told() {
        let mut raw =
            json!({ "id": "ord_1", "api_key": "x", "passengers": [{ "name": "Asha", "Client-Key": "y" }] });
        remove_secrets(&mut raw);
        assert_eq!(raw, json!({ "id": "ord_1", "passengers": [{ "name": "Asha" }] }));
    }
}
