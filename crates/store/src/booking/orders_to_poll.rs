//! Supplier orders that somebody should look at without being asked: holds that may lapse, tickets still to come.

use chrono::{DateTime, Utc};
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;
use wayfare_domain::{BookingId, OrganizationId};

use crate::{StoreError, booking::bookings::number_from, schema::supplier_orders};

/// An order to look at.
#[derive(Clone, Copy, Debug)]
pub struct OrderToLookAt {
    /// The agency.
    pub organization: OrganizationId,
    /// The booking it belongs to.
    pub booking: BookingId,
    /// Its number in the booking, from 1.
    pub number: u16,
    /// How often it was looked at since anything changed on it.
    pub looks: i32,
}

/// Takes one order that is due, out of reach of other takers until `leased_until`. Runs in a transaction of the caller's.
///
/// # Errors
/// When the database can't be asked.
pub async fn take_due(
    connection: &mut AsyncPgConnection,
    now: DateTime<Utc>,
    leased_until: DateTime<Utc>,
) -> Result<Option<OrderToLookAt>, StoreError> {
    let row: Option<(Uuid, Uuid, i16, i32)> = supplier_orders::table
        .filter(supplier_orders::look_at.le(now))
        .order(supplier_orders::look_at)
        .select((
            supplier_orders::org_id,
            supplier_orders::booking_id,
            supplier_orders::number,
            supplier_orders::looks,
        ))
        .for_update()
        .skip_locked()
        .first(connection)
        .await
        .optional()?;
    let Some((organization, booking, number, looks)) = row else {
        return Ok(None);
    };
    let order = OrderToLookAt {
        organization: OrganizationId::from_uuid(organization),
        booking: BookingId::from_uuid(booking),
        number: number_from(number),
        looks: looks.saturating_add(1),
    };
    look_again(connection, &order, Some(leased_until)).await?;
    Ok(Some(order))
}

/// Says when the order should be looked at again, if ever.
///
/// # Errors
/// When the database can't be asked.
pub async fn look_again(
    connection: &mut AsyncPgConnection,
    order: &OrderToLookAt,
    at: Option<DateTime<Utc>>,
) -> Result<(), StoreError> {
    let key = (
        order.organization.uuid(),
        order.booking.uuid(),
        i16::try_from(order.number).unwrap_or(i16::MAX),
    );
    diesel::update(supplier_orders::table.find(key))
        .set((
            supplier_orders::look_at.eq(at),
            supplier_orders::looks.eq(order.looks),
        ))
        .execute(connection)
        .await?;
    Ok(())
}
