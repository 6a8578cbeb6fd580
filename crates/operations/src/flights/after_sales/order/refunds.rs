//! What is on its way back to wallets, and what has come.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use wayfare_boxed::boxed;
use wayfare_domain::{BookingRef, RefundStatus};
use wayfare_flights::Itinerary;
use wayfare_store::booking::{
    bookings::Booking,
    refunds::{self, Refund},
};

use crate::{
    Caller, Engine, Error, RefundTerms, Result,
    bookings::{load_without_names, look_up_open},
    flights::Booked,
};

/// How the refund of a booking stands, of all its orders together.
#[derive(Clone, Debug)]
pub struct RefundState {
    pub booking: Booking<Itinerary>,
    /// The least advanced of its orders'.
    pub status: RefundStatus,
    pub terms: RefundTerms,
    pub provider_refund_ids: Vec<String>,
    /// When all of it was in the wallet, UTC.
    pub refunded_at: Option<DateTime<Utc>>,
}

/// How a booking's refund stands; one that is under way is looked up at its supplier first.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too and for one of which nothing was given back.
#[boxed]
pub async fn refund_state(
    engine: &Arc<Engine>,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<RefundState> {
    let booked: Booked = load_without_names(&engine.core, caller, reference).await?;
    look_up_open(engine, &booked.booking).await?;
    let booked: Booked = load_without_names(&engine.core, caller, reference).await?;
    let booking = booked.booking;
    let mut connection = engine.core.database.connection().await?;
    let all = refunds::last_of(&mut connection, booking.organization, booking.id).await?;
    let status = least_advanced(&all).ok_or(Error::NotFound)?;
    // What failed beside what came back is not given back.
    let counted =
        all.iter().filter(|refund| refund.status != RefundStatus::Failed || status == RefundStatus::Failed);
    let counted: Vec<&Refund> = counted.collect();
    Ok(RefundState {
        status,
        terms: RefundTerms::together(
            counted.iter().copied().map(RefundTerms::from),
            booking.amount.currency(),
        )?,
        provider_refund_ids: counted.iter().filter_map(|refund| refund.provider_refund_id.clone()).collect(),
        refunded_at: counted
            .iter()
            .map(|refund| refund.refunded_at)
            .collect::<Option<Vec<_>>>()
            .and_then(|instants| instants.into_iter().max()),
        booking,
    })
}

fn least_advanced(refunds: &[Refund]) -> Option<RefundStatus> {
    [RefundStatus::Pending, RefundStatus::Processing, RefundStatus::Refunded, RefundStatus::Failed]
        .into_iter()
        .find(|status| refunds.iter().any(|refund| refund.status == *status))
}
