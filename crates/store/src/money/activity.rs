//! What one user has booked and earned, added up.

use diesel::{
    BoolExpressionMethods, ExpressionMethods, JoinOnDsl, QueryDsl,
    dsl::{count_star, sum},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use wayfare_domain::{BookingStatus, Currency, Money, OrganizationId, RefundStatus, UserId};

use crate::{
    StoreError,
    error::{money, word},
    schema::{bookings, fare_transactions, refunds},
};

/// The sums of one user.
#[derive(Clone, Copy, Debug)]
pub struct Activity {
    /// Bookings in any status.
    pub bookings: i64,
    /// Those that are confirmed.
    pub confirmed: i64,
    /// Those that are cancelled.
    pub cancelled: i64,
    /// Paid less refunded.
    pub spent: Money,
    /// Of it what is not fare: what was bought beside it.
    pub ancillaries: Money,
    /// Commissions, less what refunds took back.
    pub commissions: Money,
}

/// What this user has booked: three statements.
pub async fn of(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    currency: Currency,
) -> Result<Activity, StoreError> {
    let by_status: Vec<(String, i64, Option<Decimal>)> = bookings::table
        .filter(bookings::org_id.eq(organization.uuid()))
        .filter(bookings::user_id.eq(user.uuid()))
        .group_by(bookings::status)
        .select((bookings::status, count_star(), sum(bookings::amount)))
        .load(connection)
        .await?;
    let refunded: Option<Decimal> = refunds::table
        .inner_join(
            bookings::table.on(bookings::org_id
                .eq(refunds::org_id)
                .and(bookings::id.eq(refunds::booking_id))),
        )
        .filter(bookings::org_id.eq(organization.uuid()))
        .filter(bookings::user_id.eq(user.uuid()))
        .filter(refunds::status.eq(RefundStatus::Refunded.as_ref()))
        .select(sum(refunds::refund_to_wallet))
        .first(connection)
        .await?;
    let (earned, ancillaries): (Option<Decimal>, Option<Decimal>) = fare_transactions::table
        .filter(fare_transactions::org_id.eq(organization.uuid()))
        .filter(fare_transactions::user_id.eq(user.uuid()))
        .select((
            sum(fare_transactions::agent_commission),
            sum(fare_transactions::ancillary),
        ))
        .first(connection)
        .await?;
    let (mut total, mut confirmed, mut cancelled, mut paid) = (0, 0, 0, Decimal::ZERO);
    for (status, count, amount) in by_status {
        total += count;
        match word("bookings.status", &status)? {
            BookingStatus::Pending | BookingStatus::Failed => continue,
            BookingStatus::Confirmed => confirmed = count,
            BookingStatus::Cancelled => cancelled = count,
        }
        paid += amount.unwrap_or_default();
    }
    let spent = paid - refunded.unwrap_or_default();
    Ok(Activity {
        bookings: total,
        confirmed,
        cancelled,
        spent: money("bookings.amount", spent, currency)?,
        ancillaries: money(
            "fare_transactions.ancillary",
            ancillaries.unwrap_or_default(),
            currency,
        )?,
        commissions: money(
            "fare_transactions.agent_commission",
            earned.unwrap_or_default(),
            currency,
        )?,
    })
}
