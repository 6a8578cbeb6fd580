//! What the worker does about a booking is logged with the booking's reference, under a trace of its own.

use tracing::{
    Instrument,
    field::{Empty, display},
};
use wayfare_domain::{BookingId, BookingRef, OrganizationId};
use wayfare_store::booking::references;

use crate::{Platform, Result};

/// Does this work about a booking, in a span that names it.
pub(super) async fn about<T>(
    platform: &Platform,
    (organization, booking): (OrganizationId, BookingId),
    name: &'static str,
    work: impl Future<Output = T>,
) -> T {
    let span = tracing::error_span!("work", work = name, trace_id = Empty, booking = Empty);
    wayfare_trace::begin(&span, None);
    match reference(platform, organization, booking).await {
        Ok(Some(reference)) => span.record("booking", display(reference)),
        // The work itself says what is wrong with the database.
        Ok(None) | Err(_) => span.record("booking", display(booking)),
    };
    work.instrument(span).await
}

async fn reference(
    platform: &Platform,
    organization: OrganizationId,
    booking: BookingId,
) -> Result<Option<BookingRef>> {
    let mut connection = platform.core.database.connection().await?;
    Ok(references::reference(&mut connection, organization, booking).await?)
}
