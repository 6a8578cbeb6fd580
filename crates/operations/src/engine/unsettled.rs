//! Orders that stand here and that their suppliers show as neither confirmed, held nor gone, or so that nobody can read it: the
//! operator is told when the supplier has had its time (D-584).

use std::time::Duration;

use diesel_async::AsyncConnection;
use serde_json::json;
use wayfare_domain::{IncidentKind, Product};
use wayfare_store::booking::{bookings, incidents as stored, orders_to_poll::OrderToPoll};

use super::{
    booking_state::{Booked, is_live},
    incidents, note,
    order_watch::Seen,
};
use crate::{Error, Platform, Result};

/// No two looks of an order that is due are closer to each other.
const BETWEEN_LOOKS: Duration = Duration::from_secs(60);

/// Raises that what was seen of an order is neither of these, once it has been so for the supplier's longest processing time.
/// Once while that is open.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn tell<P: Product>(
    platform: &Platform,
    due: &OrderToPoll,
    booked: &Booked<P>,
    seen: &Seen<P::Order>,
) -> Result<()> {
    let Seen::Unsettled(shown) = seen else {
        return Ok(());
    };
    let looks = u32::try_from(due.looks_failed).unwrap_or_default();
    let config = platform.supplier(&due.supplier)?.config();
    let mut orders = booked.orders.iter();
    let Some(order) = orders.find(|order| order.number == due.number && is_live(order)) else {
        return Ok(());
    };
    if BETWEEN_LOOKS.saturating_mul(looks) < config.processing_time {
        return Ok(());
    }
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let order_id = order.supplier_order_id.as_deref().unwrap_or_default();
    let kind = IncidentKind::OrderUnsettled;
    let shown = note::without_people(platform, (organization, id), shown).await?;
    let details = json!({
        "number": order.number, "supplier": order.supplier, "order_id": order_id,
        "here": order.status, "shown": shown,
    });
    let mut connection = platform.database.connection().await?;
    connection
        .transaction(async |connection| {
            let booking = bookings::lock(connection, organization, id).await?;
            if stored::is_open_on_order(connection, (organization, id), kind, order_id).await? {
                return Ok(());
            }
            let problem = "an order that stands here is neither confirmed, held nor gone at its supplier";
            incidents::raise_on_booking(platform, connection, &booking, kind, problem, details).await?;
            Ok::<_, Error>(())
        })
        .await
}
