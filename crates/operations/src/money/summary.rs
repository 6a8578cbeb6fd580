//! The summary of an organization's wallet: this month, the last days, its agents.

use chrono::Days;
use diesel_async::AsyncPgConnection;
use wayfare_boxed::boxed;
use wayfare_contract::{AgentAllocation, DailyBalance, MonthlyTotals, WalletSummary};
use wayfare_domain::{Money, Period};
use wayfare_store::money::{
    wallet_summary::{self, AgentFunds},
    wallets::Owner,
};

use super::owned_wallet::find;
use crate::{
    Admin, Core, Error, Result,
    tools::calendar::{current, end},
};

/// How many days the trend shows, today among them. A day before the first transaction is 0.
const TREND_DAYS: u64 = 30;

/// Sums the organization's wallet up, all of one moment: six statements with begin and commit. What it costs hangs on
/// how many transactions this month has, not on how many there ever were.
#[boxed]
pub async fn summary(core: &Core, admin: &Admin) -> Result<WalletSummary> {
    let mut connection = core.database.connection().await?;
    let mut snapshot = connection.build_transaction().read_only().repeatable_read();
    snapshot.run(async |connection| sum_up(core, admin, connection).await).await
}

async fn sum_up(core: &Core, admin: &Admin, connection: &mut AsyncPgConnection) -> Result<WalletSummary> {
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
    let days = dates.into_iter().zip(balances).chain([(today, wallet.balance)]);
    let day = |(date, balance): (_, Money)| DailyBalance { date, balance: balance.amount().into() };
    Ok(WalletSummary {
        current_balance: wallet.balance.amount().into(),
        credit_limit: wallet.credit_limit.amount().into(),
        // Net of no holds (P-6).
        available_balance: wallet.balance.plus(wallet.credit_limit)?.amount().into(),
        held: wallet.held.amount().into(),
        spendable: wallet.available()?.amount().into(),
        total_allocated_to_agents: allocated.amount().into(),
        agent_count: agents,
        this_month: MonthlyTotals {
            total_credits: this_month.credits.amount().into(),
            total_debits: this_month.debits.amount().into(),
            net_change: this_month.credits.minus(this_month.debits)?.amount().into(),
            transaction_count: this_month.count,
        },
        balance_trend: days.map(day).collect(),
    })
}

/// The agency's agents, newest first, with what they have and were given: one statement.
#[boxed]
pub async fn agents(core: &Core, admin: &Admin) -> Result<Vec<AgentAllocation>> {
    let mut connection = core.database.connection().await?;
    let agents = wallet_summary::funds_of_agents(&mut connection, admin.caller().organization()).await?;
    Ok(agents.into_iter().map(allocation).collect())
}

fn allocation(funds: AgentFunds) -> AgentAllocation {
    AgentAllocation {
        agent_id: funds.agent.uuid(),
        name: funds.name,
        username: funds.username,
        allocated_balance: funds.balance.amount().into(),
        total_allocated_to_date: funds.allocated.amount().into(),
        last_allocation: funds.last_allocation,
        is_active: funds.is_active,
    }
}
