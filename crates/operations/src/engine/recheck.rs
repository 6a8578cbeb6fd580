//! Rechecks: an order whose cancellation was taken for refused because its supplier kept silent is read again, for a
//! week. One that was cancelled after all is an incident.

use chrono::{DateTime, Duration, Utc};
use diesel_async::AsyncConnection;
use serde_json::json;
use wayfare_domain::{Actor, BookingStatus, CancelledPart, IncidentKind, OrderStatus};
use wayfare_store::{
    JsonText,
    booking::{
        bookings,
        rechecks::{self, Recheck},
        steps,
    },
};
use wayfare_supply::{Answer, CancellationState};

use crate::{
    Core, Engine, Error, Result,
    engine::{
        booking_state::is_live,
        cancellation::{CancelRequest, acted_on},
        incidents::{self, Raise},
    },
    people::sealed,
};

/// How long after a cancellation was taken for refused its order is read.
const AFTER: [Duration; 5] =
    [Duration::minutes(10), Duration::hours(1), Duration::hours(6), Duration::hours(24), Duration::days(7)];
/// A supplier that does not show the order is asked again so soon.
const UNSEEN: Duration = Duration::minutes(10);
/// After it nobody asks any more, seen or not.
const LONGEST: Duration = Duration::days(8);

/// When the order of a cancellation that was refused now is first read.
pub(crate) fn first(refused_at: DateTime<Utc>) -> DateTime<Utc> {
    refused_at + AFTER[0]
}

/// When the next recheck is, now that the supplier has shown the order, or hasn't.
fn next(refused_at: DateTime<Utc>, now: DateTime<Utc>, is_seen: bool) -> Option<DateTime<Utc>> {
    let planned = AFTER.iter().map(|after| refused_at + *after).find(|at| *at > now);
    match is_seen {
        true => planned,
        false => Some(now + UNSEEN).filter(|at| *at < refused_at + LONGEST),
    }
}

/// Reads the order of a cancellation, and says when the next recheck is.
pub(crate) async fn recheck(engine: &Engine, due: &Recheck) -> Result<()> {
    let step = &due.step;
    let is_seen = match find(engine, due).await? {
        Answer::Done(Some(OrderStatus::Cancelled)) => return was_cancelled(&engine.core, due).await,
        Answer::Done(Some(_)) => true,
        Answer::Done(None) => false,
        failed => {
            let problem = failed.problem().unwrap_or_default();
            tracing::warn!(step = %step.id, problem, "the order of a refused cancellation could not be read");
            false
        }
    };
    let at = next(due.refused_at, engine.core.shared_time.now(), is_seen);
    let mut connection = engine.core.database.connection().await?;
    Ok(rechecks::recheck_at(&mut connection, step, at).await?)
}

/// How the order, or the part that was to be given back of it, stands at its supplier. None of one that was given back here since.
async fn find(engine: &Engine, due: &Recheck) -> Result<Answer<Option<OrderStatus>>> {
    let step = &due.step;
    let (organization, booking) = (step.organization, step.booking);
    let mut connection = engine.core.database.connection().await?;
    let made = steps::original_request(&mut connection, organization, booking, step.number).await?;
    drop(connection);
    let made =
        made.ok_or_else(|| Error::Internal(format!("the order of step {} was never made", step.id)))?;
    let request: CancelRequest = step.request.parse()?;
    let Ok(supplier) = engine.order_supplier(&step.supplier) else {
        return Ok(Answer::Unknown("the supplier is not configured".to_owned()));
    };
    let people = sealed::load(&engine.core, organization, booking).await?;
    if let (Some(part), Some(id)) = (request.part_to_cancel(engine, step).await?, &request.cancellation_id) {
        // The order stands whatever became of its part.
        let after_sales = engine.suppliers.supplier(&step.supplier)?;
        let found = after_sales.find_cancellation(&request.order_id, id, Some(&part));
        return Ok(found.await.map(|quote| {
            Some(match quote.state {
                CancellationState::Confirmed => OrderStatus::Cancelled,
                CancellationState::Pending | CancellationState::Rejected => OrderStatus::Confirmed,
            })
        }));
    }
    let found = supplier.find_by_id(&request.order_id, &made, &people).await?;
    Ok(found.map(|order| order.map(|order| order.status)))
}

/// Whether all of this part still stands here.
fn has_all(order: &bookings::Order<JsonText>, cancelled: &CancelledPart) -> bool {
    order.remaining(&cancelled.part) == cancelled.part
}

/// The supplier has cancelled the order, or that part of it. If the booking still has it, that is the operator's to see.
async fn was_cancelled(core: &Core, due: &Recheck) -> Result<()> {
    let step = &due.step;
    let (organization, id) = (step.organization, step.booking);
    let (_, order) = acted_on(core, step).await?;
    let mut connection = core.database.connection().await?;
    let written = connection.transaction(async |connection| {
        let booking = bookings::lock(connection, organization, id).await?;
        if !steps::under_way_on(connection, organization, id)
            .await?
            .is_empty()
        {
            // What is under way may be what has cancelled it, and will say so.
            let at = core.shared_time.now() + UNSEEN;
            return Ok(rechecks::recheck_at(connection, step, Some(at)).await?);
        }
        let mut orders = bookings::orders_of(connection, &[(organization, id)]).await?;
        let orders = orders.remove(&id).unwrap_or_default();
        let part = step.request.parse::<CancelRequest>()?.part;
        let is_ours = |one: &bookings::Order<JsonText>| {
            one.number == step.number && is_live(one) && part.as_ref().is_none_or(|part| has_all(one, part))
        };
        if booking.status == BookingStatus::Confirmed && orders.iter().any(is_ours) {
            let raised = Raise {
                actor: &Actor::system(),
                step,
                kind: IncidentKind::CancelledBySupplier,
                problem: match part {
                    None => "an order was cancelled after all, whose cancellation had been taken for refused",
                    Some(_) => {
                        "a part of an order was cancelled after all, whose cancellation had been taken for refused"
                    }
                },
                details: json!({
                    "order_id": order.supplier_order_id, "supplier": step.supplier,
                    "journeys": part.as_ref().map(|cancelled| cancelled.part.journeys()),
                    "passengers": part.as_ref().map(|cancelled| cancelled.part.travellers()),
                }),
            };
            incidents::raise(core, connection, raised).await?;
        }
        Ok::<_, Error>(rechecks::recheck_at(connection, step, None).await?)
    });
    written.await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_looked_at_five_times_in_a_week() {
        let refused_at = DateTime::UNIX_EPOCH;
        let mut at = first(refused_at);
        let mut seen = vec![(at - refused_at).num_minutes()];
        while let Some(again) = next(refused_at, at + Duration::seconds(3), true) {
            at = again;
            seen.push((at - refused_at).num_minutes());
        }
        assert_eq!(seen, [10, 60, 360, 1440, 10_080]);
    }

    #[test]
    fn a_supplier_that_does_not_show_it_is_asked_every_ten_minutes_for_eight_days() {
        let refused_at = DateTime::UNIX_EPOCH;
        let (mut at, mut asked) = (first(refused_at), 1);
        while let Some(again) = next(refused_at, at, false) {
            assert_eq!(again - at, Duration::minutes(10));
            (at, asked) = (again, asked + 1);
        }
        assert_eq!(asked, 8 * 24 * 6 - 1);
    }
}
