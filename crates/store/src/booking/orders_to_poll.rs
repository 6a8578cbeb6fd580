//! Supplier orders that somebody should poll without being asked: holds that may lapse, tickets still to come.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{BookingId, OrganizationId};

use crate::{StoreError, error::number_from, schema::supplier_orders};

/// An order to look at.
#[derive(Clone, Copy, Debug)]
pub struct OrderToPoll {
    /// The agency.
    pub organization: OrganizationId,
    /// The booking it belongs to.
    pub booking: BookingId,
    /// Its number in the booking, from 1.
    pub number: u16,
    /// How often it was looked at since anything changed on it.
    pub poll_count: i32,
}

/// Takes one order that is due, out of reach of other takers until `leased_until`. Runs in a transaction of the caller's.
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<OrderToPoll>, StoreError> {
    let row: Option<(Uuid, Uuid, i16, i32)> = supplier_orders::table
        .filter(supplier_orders::next_poll_at.le(now))
        .order(supplier_orders::next_poll_at)
        .select((
            supplier_orders::org_id,
            supplier_orders::booking_id,
            supplier_orders::number,
            supplier_orders::poll_count,
        ))
        .for_update()
        .skip_locked()
        .first(connection)
        .await
        .optional()?;
    let Some((organization, booking, number, poll_count)) = row else {
        return Ok(None);
    };
    let order = OrderToPoll {
        organization: OrganizationId::from_uuid(organization),
        booking: BookingId::from_uuid(booking),
        number: number_from(number),
        poll_count: poll_count.saturating_add(1),
    };
    poll_again_at(connection, &order, Some(leased_until)).await?;
    Ok(Some(order))
}

/// Says when the order should be looked at again, if ever.
pub async fn poll_again_at(
    connection: &mut AsyncPgConnection,
    order: &OrderToPoll,
    at: Option<DateTime<Utc>>,
) -> Result<(), StoreError> {
    let key = (
        order.organization.uuid(),
        order.booking.uuid(),
        i16::try_from(order.number).unwrap_or(i16::MAX),
    );
    diesel::update(supplier_orders::table.find(key))
        .set((
            supplier_orders::next_poll_at.eq(at),
            supplier_orders::poll_count.eq(order.poll_count),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

/// Keeps an order that was taken out of reach of others until then. False when somebody else has taken or changed it
/// meanwhile.
pub async fn renew(
    connection: &mut AsyncPgConnection,
    order: &OrderToPoll,
    leased_until: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let key = (
        order.organization.uuid(),
        order.booking.uuid(),
        i16::try_from(order.number).unwrap_or(i16::MAX),
    );
    let held = supplier_orders::table
        .find(key)
        .filter(supplier_orders::poll_count.eq(order.poll_count))
        .filter(supplier_orders::next_poll_at.is_not_null());
    let renewed = diesel::update(held)
        .set(supplier_orders::next_poll_at.eq(leased_until))
        .execute(connection)
        .await?;
    Ok(renewed == 1)
}
