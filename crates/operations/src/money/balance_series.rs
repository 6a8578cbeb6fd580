//! How the balance of an organization's wallet moved over a period, in few points.

use chrono::{DateTime, Days, NaiveDate, Utc};
use diesel_async::AsyncPgConnection;
use wayfare_boxed::boxed;
use wayfare_contract::{BalancePoint, BalanceSeries};
use wayfare_domain::{Faults, Money};
use wayfare_store::money::{
    balance_moves::{self, BucketMoves},
    wallet_summary,
    wallets::Owner,
};

use super::owned_wallet::find;
use crate::{
    Admin, Core, Error, Result,
    tools::calendar::{beginning, end},
};

/// The last days that are shown where none are said.
const DAYS: u64 = 30;
/// What is read grows with the transactions of the period, out of one index.
const MOST_DAYS: i64 = 366;

/// Which period, in the agency's calendar, and in how many points.
#[derive(Clone, Copy, Debug)]
pub struct SeriesRequest {
    /// The first day; none: 29 days before the last.
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    pub points: u32,
}

/// The balance of the organization's wallet over a period, all of one moment.
///
/// # Errors
/// [`Error::Invalid`] for a period that ends before it begins, is longer than 366 days or has not begun.
#[boxed]
pub async fn series(core: &Core, admin: &Admin, request: SeriesRequest) -> Result<BalanceSeries> {
    let (since, before) = period(core, admin, request)?;
    let starts = starts(since, before, request.points);
    let mut connection = core.database.connection().await?;
    let mut snapshot = connection.build_transaction().read_only().repeatable_read();
    let points = snapshot.run(async |connection| read(admin, connection, &starts, before).await).await?;
    Ok(BalanceSeries { since, before, points })
}

fn period(core: &Core, admin: &Admin, request: SeriesRequest) -> Result<(DateTime<Utc>, DateTime<Utc>)> {
    let (now, zone) = (core.clock.now(), admin.caller().time_zone());
    let to = request.to.unwrap_or_else(|| now.with_timezone(&zone).date_naive());
    let from = request.from.or_else(|| to.checked_sub_days(Days::new(DAYS - 1))).unwrap_or(to);
    let mut faults = Faults::default();
    if from > to {
        faults.add("from", "must not be after to");
    } else if (to - from).num_days() >= MOST_DAYS {
        faults.add("from", format!("must be at most {MOST_DAYS} days before the end of to"));
    }
    let calendar = || Error::Internal(format!("the calendar of {from} to {to} in {zone}"));
    let since = beginning(from, zone).ok_or_else(calendar)?;
    let before = end(to, zone).ok_or_else(calendar)?.min(now);
    if faults.is_empty() && since >= before {
        faults.add("from", "must not be in the future");
    }
    faults.or(())?;
    Ok((since, before))
}

/// When each of so many equal parts begins; fewer where a part would be shorter than a millisecond.
fn starts(since: DateTime<Utc>, before: DateTime<Utc>, points: u32) -> Vec<DateTime<Utc>> {
    let whole = (before - since).num_milliseconds().max(1);
    let points = i64::from(points).min(whole);
    (0..points).map(|number| since + chrono::Duration::milliseconds(whole * number / points)).collect()
}

async fn read(
    admin: &Admin,
    connection: &mut AsyncPgConnection,
    starts: &[DateTime<Utc>],
    before: DateTime<Utc>,
) -> Result<Vec<BalancePoint>> {
    let organization = admin.caller().organization();
    let wallet = find(connection, Owner::Organization(organization)).await?;
    let first = starts.first().copied().into_iter().collect::<Vec<_>>();
    let balances = wallet_summary::balances_at(connection, organization, &wallet, &first).await?;
    let mut balance = balances.first().copied().unwrap_or_else(|| Money::zero(wallet.balance.currency()));
    let moves = balance_moves::in_buckets(connection, organization, &wallet, starts, before).await?;
    let mut moves = moves.into_iter().peekable();
    let opening = balance;
    let mut points = Vec::with_capacity(starts.len());
    for (place, at) in starts.iter().enumerate() {
        let moved = moves.next_if(|moved| moved.place == place);
        let [open, min, max, close] = point(opening, balance, moved)?;
        balance = close;
        points.push(BalancePoint {
            at: *at,
            open: open.amount().into(),
            min: min.amount().into(),
            max: max.amount().into(),
            close: close.amount().into(),
        });
    }
    Ok(points)
}

/// With what a part begins, its least and its most, and with what it ends. One in which nothing moved stays where the one before
/// it was left.
fn point(opening: Money, open: Money, moved: Option<BucketMoves>) -> Result<[Money; 4]> {
    let Some(moved) = moved else { return Ok([open; 4]) };
    let least = open.at_most(opening.plus(moved.least)?)?;
    let most = open.at_least(opening.plus(moved.most)?)?;
    Ok([open, least, most, open.plus(moved.change)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_equal_and_never_more_than_milliseconds() {
        let since: DateTime<Utc> = "2027-01-01T00:00:00Z".parse().unwrap();
        let hours = starts(since, since + chrono::Duration::hours(6), 3);
        let of = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        assert_eq!(hours, [since, of("2027-01-01T02:00:00Z"), of("2027-01-01T04:00:00Z")]);
        assert_eq!(starts(since, since + chrono::Duration::milliseconds(2), 500).len(), 2);
    }
}
