//! What the worker does about schedule changes that wait for a decision: it reminds of them, and closes what was flown.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use wayfare_boxed::boxed;
use wayfare_domain::{Actor, BookingId, BookingStatus, ChangeState, EventKind, OrganizationId, StepKind};
use wayfare_store::{
    access::organizations,
    batch::writes::Writes,
    booking::{
        bookings,
        order_changes::{self, Decision, OrderChange},
        steps,
    },
};

use super::found::describe;
use crate::{Core, Error, Result, engine::booking_state::is_live, tools::audit_event};

/// How many bookings are followed up at once; the others come next.
const AT_ONCE: i64 = 100;
/// The pause while a change is being accepted, or its agency is suspended.
const LATER: chrono::Duration = chrono::Duration::minutes(10);

/// Reminds of every change that is due now, and closes those that can't be decided on any more.
#[boxed]
pub async fn follow_up_changes(core: &Core) -> Result<()> {
    let now = core.shared_time.now();
    let mut connection = core.database.connection().await?;
    for (organization, booking) in order_changes::due(&mut connection, now, AT_ONCE).await? {
        let done = connection.transaction(async |connection| {
            // Under the booking's lock, as all that is told of it.
            follow_up(core, connection, organization, booking).await
        });
        if let Err(error) = done.await {
            tracing::error!(%error, %booking, "schedule changes could not be followed up");
        }
    }
    Ok(())
}

async fn follow_up(
    core: &Core,
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    id: BookingId,
) -> Result<()> {
    let now = core.shared_time.now();
    let booking = bookings::lock(connection, organization, id).await?;
    let changes = order_changes::of(connection, organization, id).await?;
    let orders = bookings::orders_of(connection, &[(organization, id)]).await?.remove(&id);
    let under_way = steps::under_way_on(connection, organization, id).await?;
    let is_active = organizations::is_active(connection, organization).await?;
    let is_accepting = under_way.iter().any(|step| step.kind == StepKind::AcceptChange);
    let may_be_decided = |number: u16| {
        let mut orders = orders.iter().flatten();
        let order = orders.find(|order| order.number == number);
        booking.status == BookingStatus::Confirmed && order.is_some_and(is_live)
    };
    let mut writes = Writes::default();
    for change in changes.iter().filter(|change| change.due_at.is_some_and(|due| due <= now)) {
        let is_over = change.decide_by.is_none_or(|end| end <= now) || !may_be_decided(change.number);
        let (state, due_at) = match (is_over, is_accepting || !is_active) {
            (true, false) => (ChangeState::Ended, None),
            (_, true) => (ChangeState::Open, Some(now + LATER)),
            (false, false) => {
                let action = EventKind::BookingChangeExpiring;
                let mut event = audit_event::of_booking(core, &Actor::system(), &booking, action, None);
                describe(&mut event, change);
                writes.event(&event);
                (ChangeState::Open, change.decide_by)
            }
        };
        writes.decide(&decision(change, state, due_at, now));
    }
    Ok::<_, Error>(writes.send(connection).await?)
}

fn decision(
    change: &OrderChange,
    state: ChangeState,
    due_at: Option<chrono::DateTime<chrono::Utc>>,
    now: chrono::DateTime<chrono::Utc>,
) -> Decision<'_> {
    Decision {
        organization: change.organization,
        booking: change.booking,
        number: change.number,
        supplier_id: Some(&change.supplier_id),
        state,
        due_at,
        decided_at: (state == ChangeState::Ended).then_some(now),
        decided_by: None,
        step: None,
    }
}
