//! The summary of an organization's wallet: this month, the last days, its agents.

use chrono::{Days, NaiveDate};
use diesel_async::AsyncPgConnection;
use wayfare_boxed::boxed;
use wayfare_domain::{Money, Period};
use wayfare_ledger::Wallet;
use wayfare_store::money::{
    wallet_summary::{self, AgentFunds, Moves},
    wallets::Owner,
};

use super::owned_wallet::find;
use crate::{
    Admin, Core, Error, Result,
    tools::calendar::{current, end},
};

/// How many days the trend shows, today among them. A day before the first transaction is 0.
const TREND_DAYS: u64 = 30;

/// The organization's wallet, summed up.
#[derive(Clone, Debug)]
pub struct Summary {
    pub wallet: Wallet,
    pub allocated: Money,
    /// How many agents there are, suspended ones included.
    pub agents: i64,
    /// What moved in this month of the agency's calendar.
    pub this_month: Moves,
    /// The last 30 days, oldest first.
    pub trend: Vec<Day>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    pub date: NaiveDate,
    /// What was in the wallet when it ended; of today, what is in it now.
    pub balance: Money,
}

/// Sums the organization's wallet up, all of one moment: six statements with begin and commit. What it costs hangs on
/// how many transactions this month has, not on how many there ever were.
#[boxed]
pub async fn summary(core: &Core, admin: &Admin) -> Result<Summary> {
    let mut connection = core.database.connection().await?;
    let mut snapshot = connection.build_transaction().read_only().repeatable_read();
    snapshot.run(async |connection| sum_up(core, admin, connection).await).await
}

async fn sum_up(core: &Core, admin: &Admin, connection: &mut AsyncPgConnection) -> Result<Summary> {
    let caller = admin.caller();
    let (organization, zone) = (caller.organization(), caller.time_zone());
    let today = core.clock.now().with_timezone(&zone).date_naive();
    let calendar = || Error::Internal(format!("the calendar of {today} in {zone}"));
    let (since, before) = current(Period::Monthly, core.clock.now(), zone)?;
    let past: Option<Vec<_>> = (1..TREND_DAYS)
        .rev()
        .map(|days| {
            let date = today.checked_sub_days(Days::new(days))?;
            Some((date, end(date, zone)?))
        })
        .collect();
    let (dates, ends): (Vec<_>, Vec<_>) = past.ok_or_else(calendar)?.into_iter().unzip();

    let wallet = find(connection, Owner::Organization(organization)).await?;
    let balances = wallet_summary::balances_at(connection, organization, &wallet, &ends).await?;
    let this_month = wallet_summary::moves(connection, organization, &wallet, since, before).await?;
    let (agents, allocated) =
        wallet_summary::agents_funds(connection, organization, caller.currency()).await?;
    let days = dates.into_iter().zip(balances);
    let mut trend: Vec<Day> = days.map(|(date, balance)| Day { date, balance }).collect();
    trend.push(Day { date: today, balance: wallet.balance });
    Ok(Summary { wallet, allocated, agents, this_month, trend })
}

/// The agency's agents, newest first, with what they have and were given: one statement.
#[boxed]
pub async fn agents(core: &Core, admin: &Admin) -> Result<Vec<AgentFunds>> {
    let mut connection = core.database.connection().await?;
    let caller = admin.caller();
    Ok(wallet_summary::funds_of_agents(&mut connection, caller.organization(), caller.currency()).await?)
}
