//! Orders that stand here and that their suppliers show as neither confirmed, held nor gone, or in a way that nobody can read, or not
//! for a day: the operator is told (D-584). What happens to all orders of a supplier is its trouble, of which alarms tell.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, Duration, Utc};
use diesel_async::AsyncConnection;
use serde_json::json;
use wayfare_domain::{BookingId, IncidentKind, Product};
use wayfare_store::booking::{bookings, incidents::is_raised_on_order, orders_to_poll::OrderToPoll};

use super::{
    booking_state::{Booked, is_live},
    incidents, note,
    order_watch::Seen,
};
use crate::{Engine, Error, Result};

/// After so long of a supplier that says nothing of an order somebody has to ask.
const LONGEST_SILENCE: Duration = Duration::hours(24);
/// Before anybody is told, this many polls must have failed.
const FEWEST_POLLS: i16 = 3;
/// So many other orders that fail, while none is seen, are a supplier's trouble.
const OTHERS_OF_AN_OUTAGE: usize = 2;
/// How long a failure counts. After one the next poll never comes later.
const FAILURE_COUNTS: Duration = Duration::hours(5);

/// The orders of which this server could not read or hear anything at its last poll, by supplier.
#[derive(Default)]
pub(crate) struct FailingOrders(Mutex<HashMap<String, PollsOfSupplier>>);

/// What became of the polls of a supplier's orders.
#[derive(Default)]
struct PollsOfSupplier {
    seen_at: Option<DateTime<Utc>>,
    /// The last polls of these, which failed.
    failures: HashMap<(BookingId, u16), Failure>,
}

struct Failure {
    at: DateTime<Utc>,
    /// Whether another order was seen since polls of this one fail.
    others_are_seen: bool,
}

impl FailingOrders {
    fn seen(&self, due: &OrderToPoll, now: DateTime<Utc>) {
        self.of(due, |polls| {
            polls.failures.remove(&(due.booking, due.number));
            polls.seen_at = Some(now);
        });
    }

    /// Notes a poll that failed. Whether only this order fails while others of its supplier are seen.
    fn failed(&self, due: &OrderToPoll, since: DateTime<Utc>, is_silence: bool, now: DateTime<Utc>) -> bool {
        let own = (due.booking, due.number);
        self.of(due, |polls| {
            polls.failures.retain(|_, failure| now - failure.at < FAILURE_COUNTS);
            let others_are_seen = polls.seen_at.is_some_and(|seen| seen >= since);
            let failure = Failure { at: now, others_are_seen };
            let before = polls.failures.insert(own, failure);
            match before.is_some_and(|before| before.others_are_seen) {
                true => true,
                // An outage may just have ended: the next poll tells.
                false if others_are_seen => false,
                false => !is_silence && polls.failures.len() <= OTHERS_OF_AN_OUTAGE,
            }
        })
    }

    fn of<T>(&self, due: &OrderToPoll, done: impl FnOnce(&mut PollsOfSupplier) -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        done(all.entry(due.supplier.clone()).or_default())
    }
}

/// Raises that what was seen of an order is neither of these, once it has been so for the supplier's longest processing time, or
/// that nothing was for a day while others are seen. Once until it is seen again.
pub(crate) async fn tell<P: Product>(
    engine: &Engine,
    due: &OrderToPoll,
    booked: &Booked<P>,
    seen: &Seen<P::Order>,
) -> Result<()> {
    let now = engine.core.shared_time.now();
    let processing_time = engine.suppliers.supplier(&due.supplier)?.config().processing_time;
    let processing_time = Duration::from_std(processing_time).unwrap_or(LONGEST_SILENCE);
    let since = due.has_failed_since();
    let failed = |is_silence| engine.failing_orders.failed(due, since.unwrap_or(now), is_silence, now);
    let (shown, longest, is_its_own) = match seen {
        // The supplier has answered clearly.
        Seen::Unsettled(shown) => (shown, processing_time, true),
        Seen::Unreadable(shown) => (shown, processing_time, failed(false)),
        Seen::Silent(shown) => (shown, LONGEST_SILENCE, failed(true)),
        Seen::Order(_) | Seen::Cancelled => {
            engine.failing_orders.seen(due, now);
            return Ok(());
        }
        Seen::Nothing(_) | Seen::Settled => return Ok(()),
    };
    let is_long = due.looks_failed >= FEWEST_POLLS - 1 && is_its_own;
    let Some(since) = since.filter(|since| is_long && now - *since >= longest) else { return Ok(()) };
    let mut orders = booked.orders.iter();
    let Some(order) = orders.find(|order| order.number == due.number && is_live(order)) else {
        return Ok(());
    };
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let order_id = order.supplier_order_id.as_deref().unwrap_or_default();
    let kind = IncidentKind::OrderUnsettled;
    let shown = note::without_people(&engine.core, (organization, id), shown).await?;
    let details = json!({
        "number": order.number, "supplier": order.supplier, "order_id": order_id,
        "here": order.status, "shown": shown,
    });
    let mut connection = engine.core.database.connection().await?;
    connection
        .transaction(async |connection| {
            let booking = bookings::lock(connection, organization, id).await?;
            let of = (organization, id);
            if is_raised_on_order(connection, of, kind, order_id, Some(since)).await? {
                return Ok(());
            }
            let problem = "an order that stands here is neither confirmed, held nor gone at its supplier";
            incidents::raise_on_booking(&engine.core, connection, &booking, kind, problem, details).await?;
            Ok::<_, Error>(())
        })
        .await
}
