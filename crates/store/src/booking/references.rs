//! Bookings' references: by their ids, for the log, and those that are taken.

use diesel::{ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use wayfare_domain::{BookingId, BookingRef, OrganizationId};

use crate::{Result, StoreError, schema::bookings};

#[boxed]
pub async fn reference(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Option<BookingRef>> {
    let found: Option<String> = bookings::table
        .filter(bookings::id.eq(booking.uuid()))
        .filter(bookings::org_id.eq(organization.uuid()))
        .select(bookings::booking_ref)
        .first(connection)
        .await
        .optional()?;
    Ok(found.map(BookingRef::from))
}

/// Whether a booking could not be written because another one has its reference.
pub fn is_reference_taken(error: &StoreError) -> bool {
    matches!(error.unique_violation(), Some("bookings_booking_ref_key" | "supplier_orders_reference_key"))
}
