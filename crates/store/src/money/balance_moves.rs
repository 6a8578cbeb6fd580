//! How a wallet's balance moved within the parts of a period.

use chrono::{DateTime, Utc};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use rust_decimal::Decimal;
use wayfare_domain::{Money, OrganizationId};
use wayfare_ledger::Wallet;

use crate::{
    Result,
    error::money,
    statements::{Columns, statement},
};

/// What moved in one part of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketMoves {
    /// Which part, from 0.
    pub place: usize,
    /// By how much the balance was at least above that of the period's beginning; below zero where it was less.
    pub least: Money,
    /// The same at most.
    pub most: Money,
    pub change: Money,
}

/// What moved in the parts that begin at these instants, up to an end; of those in which something did, in order. One
/// statement, which reads the period's rows out of `entries_by_time`.
#[boxed]
pub async fn in_buckets(
    connection: &mut AsyncPgConnection,
    organization: OrganizationId,
    wallet: &Wallet,
    starts: &[DateTime<Utc>],
    before: DateTime<Utc>,
) -> Result<Vec<BucketMoves>> {
    let rows = statement(
        "select m.place, min(m.moved) as least, max(m.moved) as most, sum(m.change) as change from ( \
             select width_bucket(e.at, $3) as place, c.change, \
                 sum(c.change) over (order by e.at, e.sequence rows unbounded preceding) as moved \
             from entries e \
             cross join lateral (select case e.side when 'credit' then e.amount else -e.amount end as change) c \
             where e.org_id = $1 and e.wallet_id = $2 and e.at >= ($3)[1] and e.at < $4) m \
         group by m.place order by m.place",
        (organization, wallet.id, starts, before),
    )
    .load(connection)
    .await?;
    let unit = wallet.balance.currency();
    let amount = |amount: Decimal| money("entries.amount", amount, unit);
    let moves = |Columns((place, least, most, change)): Columns<(i32, Decimal, Decimal, Decimal)>| {
        Ok(BucketMoves {
            // The first part is 1.
            place: usize::try_from(place - 1).unwrap_or_default(),
            least: amount(least)?,
            most: amount(most)?,
            change: amount(change)?,
        })
    };
    rows.into_iter().map(moves).collect()
}
