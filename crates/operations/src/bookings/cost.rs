//! What a booking has cost until now: what was paid, less what came back.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use wayfare_domain::{BookingId, BookingStatus, Money};
use wayfare_store::booking::{
    bookings::Booking,
    later_moves::{self, LaterMoves},
};

use crate::{Core, Result};

/// What a booking has cost until now, in the wallet's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookingCost {
    /// What the wallet paid: nothing while that is held, or where nothing was bought.
    pub charged: Money,
    /// What came back of orders that were given back.
    pub refunded: Money,
    /// When the last of that did, UTC.
    pub refunded_at: Option<DateTime<Utc>>,
    /// What the operator's rulings took beside; below zero where they gave.
    pub ruled: Money,
    pub net: Money,
}

impl BookingCost {
    fn of<P>(booking: &Booking<P>, settled: LaterMoves) -> Result<Self> {
        let currency = booking.amount.currency();
        let charged = match booking.status {
            BookingStatus::Confirmed | BookingStatus::Cancelled => booking.amount,
            BookingStatus::Pending | BookingStatus::Failed => Money::zero(currency),
        };
        let refunded = Money::stored(settled.refunded, currency)?;
        let ruled = Money::stored(-settled.ruled, currency)?;
        Ok(Self {
            charged,
            refunded,
            refunded_at: settled.refunded_at,
            ruled,
            net: charged.minus(refunded)?.plus(ruled)?,
        })
    }
}

/// What these bookings have cost until now: one statement.
pub async fn costs<'a, P: 'a>(
    core: &Core,
    bookings: impl IntoIterator<Item = &'a Booking<P>> + Clone,
) -> Result<HashMap<BookingId, BookingCost>> {
    let of: Vec<_> = bookings.clone().into_iter().map(|booking| (booking.organization, booking.id)).collect();
    if of.is_empty() {
        return Ok(HashMap::new());
    }
    let mut connection = core.database.connection().await?;
    let mut settled = later_moves::of_all(&mut connection, &of).await?;
    let all = bookings.into_iter().map(|booking| {
        let settled = settled.remove(&booking.id).unwrap_or_default();
        Ok((booking.id, BookingCost::of(booking, settled)?))
    });
    all.collect()
}

/// The same of one.
pub async fn cost<P>(core: &Core, booking: &Booking<P>) -> Result<BookingCost> {
    let mut connection = core.database.connection().await?;
    let of = [(booking.organization, booking.id)];
    let settled = later_moves::of_all(&mut connection, &of).await?.remove(&booking.id);
    BookingCost::of(booking, settled.unwrap_or_default())
}
