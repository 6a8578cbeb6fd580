//! Orders that stand here and that their suppliers show as neither confirmed, held nor gone, or in a way that nobody can read, or not
//! for a day: the operator is told (D-584). What happens to all orders of a supplier is its trouble, of which alarms tell.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, Duration, Utc};
use diesel_async::AsyncConnection;
use serde_json::json;
use wayfare_domain::{BookingId, IncidentKind, Product};
use wayfare_store::booking::{bookings, incidents as stored, orders_to_poll::OrderToPoll};

use super::{
    booking_state::{Booked, is_live},
    incidents, note,
    order_watch::Seen,
};
use crate::{Error, Platform, Result};

/// After so long of a supplier that says nothing of an order somebody has to ask.
const LONGEST_SILENCE: Duration = Duration::hours(24);
/// So many other orders that fail, while none is seen, are a supplier's trouble.
const OTHERS_OF_AN_OUTAGE: usize = 2;

/// Which orders this server could not see when it looked last, by supplier.
#[derive(Default)]
pub(crate) struct FailingOrders(Mutex<HashMap<String, LooksAtSupplier>>);

/// What became of the looks at a supplier's orders.
#[derive(Default)]
struct LooksAtSupplier {
    /// When an order was seen last.
    seen_at: Option<DateTime<Utc>>,
    /// Those that failed last.
    failing: HashSet<(BookingId, u16)>,
}

impl FailingOrders {
    fn note(&self, due: &OrderToPoll, note: impl FnOnce(&mut LooksAtSupplier, (BookingId, u16))) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let looks = all.entry(due.supplier.clone()).or_default();
        note(looks, (due.booking, due.number));
    }

    /// Whether others fail as well since then, and none is seen.
    fn is_outage(&self, due: &OrderToPoll, since: DateTime<Utc>) -> bool {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&due.supplier).is_some_and(|looks| {
            let own = (due.booking, due.number);
            let others = looks.failing.iter().filter(|other| **other != own).count();
            others >= OTHERS_OF_AN_OUTAGE && looks.seen_at.is_none_or(|seen| seen < since)
        })
    }
}

/// Raises that what was seen of an order is neither of these, once it has been so for the supplier's longest processing time, or
/// that nothing was for a day. Once until it is seen again.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn tell<P: Product>(
    platform: &Platform,
    due: &OrderToPoll,
    booked: &Booked<P>,
    seen: &Seen<P::Order>,
) -> Result<()> {
    let now = platform.shared_time.now();
    let processing_time = platform.supplier(&due.supplier)?.config().processing_time;
    let (shown, longest) = match seen {
        Seen::Unsettled(shown) => (
            shown,
            Duration::from_std(processing_time).unwrap_or(LONGEST_SILENCE),
        ),
        Seen::Silent(shown) => (shown, LONGEST_SILENCE),
        Seen::Order(_) | Seen::Cancelled => {
            platform.failing_orders.note(due, |looks, order| {
                looks.failing.remove(&order);
                looks.seen_at = Some(now);
            });
            return Ok(());
        }
        Seen::Settled => {
            platform.failing_orders.note(due, |looks, order| {
                looks.failing.remove(&order);
            });
            return Ok(());
        }
        Seen::Nothing(_) => return Ok(()),
    };
    platform.failing_orders.note(due, |looks, order| {
        looks.failing.insert(order);
    });
    let Some(since) = due.failing_since.filter(|since| now - *since >= longest) else {
        return Ok(());
    };
    let mut orders = booked.orders.iter();
    let Some(order) = orders.find(|order| order.number == due.number && is_live(order)) else {
        return Ok(());
    };
    if platform.failing_orders.is_outage(due, since) {
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
            let of = (organization, id);
            if stored::is_raised_on_order(connection, of, kind, order_id, Some(since)).await? {
                return Ok(());
            }
            let problem = "an order that stands here is neither confirmed, held nor gone at its supplier";
            incidents::raise_on_booking(platform, connection, &booking, kind, problem, details).await?;
            Ok::<_, Error>(())
        })
        .await
}
