//! What moved on wallets for bookings since they were paid: refunds, and what the operator has ruled.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use uuid::Uuid;
use wayfare_domain::{BookingId, OrganizationId};

use crate::{
    Result,
    statements::{Columns, statement, values},
};

/// What moved on the wallet for a booking since it was paid, in the wallet's currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaterMoves {
    pub refunded: Decimal,
    /// When the last of them did, UTC.
    pub refunded_at: Option<DateTime<Utc>>,
    /// What the operator's rulings gave beside refunds; below zero where the wallet paid.
    pub ruled: Decimal,
}

/// A booking, what its refunds gave, when the last one did, and what rulings moved.
type Row = (BookingId, Decimal, Option<DateTime<Utc>>, Decimal);

/// Of these bookings: one statement, which looks each one up by itself. Those for which nothing moved are not there.
///
/// # Errors
/// When the database can't be asked.
#[boxed]
pub async fn of_all(
    connection: &mut AsyncPgConnection,
    of: &[(OrganizationId, BookingId)],
) -> Result<HashMap<BookingId, LaterMoves>> {
    if of.is_empty() {
        return Ok(HashMap::new());
    }
    let organizations: Vec<Uuid> = of.iter().map(|(organization, _)| organization.uuid()).collect();
    let bookings: Vec<Uuid> = of.iter().map(|(_, booking)| booking.uuid()).collect();
    let rows: Vec<Columns<Row>> = statement(
        "select named.booking_id, coalesce(back.amount, 0) as refunded, back.last as refunded_at,
             coalesce(ruled.amount, 0) as ruled
         from unnest($1, $2) as named (org_id, booking_id)
         cross join lateral (
             select sum(r.refund_to_wallet) as amount, max(r.refunded_at) as last from refunds r
             where r.booking_id = named.booking_id and r.org_id = named.org_id and r.status = 'refunded') back
         cross join lateral (
             select sum(u.moved) as amount from rulings u
             where u.booking_id = named.booking_id and u.org_id = named.org_id and u.kind in ('refund', 'debit_note')
                 and u.state = 'done') ruled
         where back.amount is not null or ruled.amount is not null",
        (organizations, bookings),
    )
    .load(connection)
    .await?;
    let settled =
        |(booking, refunded, refunded_at, ruled)| (booking, LaterMoves { refunded, refunded_at, ruled });
    Ok(values(rows).into_iter().map(settled).collect())
}
