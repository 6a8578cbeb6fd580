//! What one user has booked and earned, added up.

use diesel::{
    ExpressionMethods, QueryDsl,
    dsl::{count_star, sum},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use wayfare_domain::{BookingStatus, Currency, Money, OrganizationId, UserId};

use crate::{
    Result,
    error::{money, word},
    schema::{bookings, fare_transactions},
};

#[derive(Clone, Copy, Debug)]
pub struct Activity {
    pub bookings: i64,
    pub confirmed: i64,
    pub cancelled: i64,
    /// Paid less refunded (D-381).
    pub spent: Money,
    /// Of it what is not fare: what was bought beside it.
    pub ancillaries: Money,
    /// Commissions, less what refunds took back.
    pub commissions: Money,
}

/// What this user has booked: two statements.
#[boxed]
pub async fn of(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    user: UserId,
    currency: Currency,
) -> Result<Activity> {
    let by_status: Vec<(String, i64)> = bookings::table
        .filter(bookings::org_id.eq(organization.uuid()))
        .filter(bookings::user_id.eq(user.uuid()))
        .group_by(bookings::status)
        .select((bookings::status, count_star()))
        .load(connection)
        .await?;
    type Sums = (Option<Decimal>, Option<Decimal>, Option<Decimal>);
    let (fares, earned, ancillaries): Sums = fare_transactions::table
        .filter(fare_transactions::org_id.eq(organization.uuid()))
        .filter(fare_transactions::user_id.eq(user.uuid()))
        .select((
            sum(fare_transactions::agent_fare),
            sum(fare_transactions::agent_commission),
            sum(fare_transactions::ancillary),
        ))
        .first(connection)
        .await?;
    let (mut total, mut confirmed, mut cancelled) = (0, 0, 0);
    for (status, count) in by_status {
        total += count;
        match word("bookings.status", &status)? {
            BookingStatus::Pending | BookingStatus::Failed => {}
            BookingStatus::Confirmed => confirmed = count,
            BookingStatus::Cancelled => cancelled = count,
        }
    }
    let spent = fares.unwrap_or_default() + ancillaries.unwrap_or_default();
    Ok(Activity {
        bookings: total,
        confirmed,
        cancelled,
        spent: money("fare_transactions.agent_fare", spent, currency)?,
        ancillaries: money("fare_transactions.ancillary", ancillaries.unwrap_or_default(), currency)?,
        commissions: money("fare_transactions.agent_commission", earned.unwrap_or_default(), currency)?,
    })
}
