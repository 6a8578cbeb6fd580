//! Wallets and their transactions.

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;
use wayfare_domain::{Amount, Currency, MoneyError, TransferId, UserId, WalletId};
use wayfare_operations::{
    Owner, WalletTransaction,
    money::wallets::{self, AgentFunds, Listed, Moves, OwnedWallet},
};

use crate::resources::common::CurrencyCode;

/// A wallet.
#[derive(Serialize, JsonSchema)]
pub struct Wallet {
    id: WalletId,
    owner_id: Uuid,
    #[schemars(extend("enum" = ["org", "user"]))]
    owner_type: &'static str,
    balance: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    allocated_balance: Option<Amount>,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    credit_limit: Amount,
    is_active: bool,
    held: Amount,
    spendable: Amount,
}

impl TryFrom<OwnedWallet> for Wallet {
    type Error = MoneyError;

    fn try_from(OwnedWallet { owner, wallet }: OwnedWallet) -> Result<Self, MoneyError> {
        let balance = wallet.balance.number();
        Ok(Self {
            id: wallet.id,
            owner_id: owner.uuid(),
            owner_type: owner.kind(),
            balance,
            allocated_balance: matches!(owner, Owner::User(..)).then_some(balance),
            currency: wallet.balance.currency(),
            credit_limit: wallet.credit_limit.number(),
            is_active: wallet.is_active,
            held: wallet.held.number(),
            spendable: wallet.available()?.number(),
        })
    }
}

/// The agent-facing ledger entry.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WalletTransaction")]
pub struct Transaction {
    id: TransferId,
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["debit", "credit"]))]
    side: &'static str,
    amount: Amount,
    description: String,
    created_at: DateTime<Utc>,
}

impl From<WalletTransaction> for Transaction {
    fn from(entry: WalletTransaction) -> Self {
        Self {
            id: entry.id,
            side: entry.side.into(),
            amount: entry.amount.number(),
            description: entry.description,
            created_at: entry.at,
        }
    }
}

/// A wallet transaction as admins see it.
#[derive(Serialize, JsonSchema)]
pub struct LedgerEntry {
    id: TransferId,
    created_at: DateTime<Utc>,
    /// The same: nothing of a ledger is changed.
    updated_at: DateTime<Utc>,
    wallet_id: WalletId,
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["debit", "credit"]))]
    side: &'static str,
    amount: Amount,
    balance_before: Amount,
    balance_after: Amount,
    #[schemars(extend("enum" = ["topup", "booking", "refund", "deduction"]))]
    ref_type: &'static str,
    ref_id: Option<String>,
    description: String,
    performed_by: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_name: Option<String>,
}

impl From<Listed> for LedgerEntry {
    fn from(Listed { transaction, agent }: Listed) -> Self {
        let (agent_id, agent_name) = agent.unzip();
        Self {
            id: transaction.id,
            created_at: transaction.at,
            updated_at: transaction.at,
            wallet_id: transaction.wallet,
            side: transaction.side.into(),
            amount: transaction.amount.number(),
            balance_before: transaction.balance_before.number(),
            balance_after: transaction.balance_after.number(),
            ref_type: transaction.reason.into(),
            ref_id: transaction.reference,
            description: transaction.description,
            performed_by: transaction.performed_by,
            agent_id,
            agent_name,
        }
    }
}

/// The balance of the organization's wallet over a period.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BalanceSeries")]
pub struct Series {
    since: DateTime<Utc>,
    before: DateTime<Utc>,
    points: Vec<SeriesPoint>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BalancePoint")]
struct SeriesPoint {
    at: DateTime<Utc>,
    open: Amount,
    min: Amount,
    max: Amount,
    close: Amount,
}

impl From<wallets::Series> for Series {
    fn from(series: wallets::Series) -> Self {
        let point = |point: wallets::Point| SeriesPoint {
            at: point.at,
            open: point.open.number(),
            min: point.min.number(),
            max: point.max.number(),
            close: point.close.number(),
        };
        Self {
            since: series.since,
            before: series.before,
            points: series.points.into_iter().map(point).collect(),
        }
    }
}

/// The wallet summary.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WalletSummary")]
pub struct Summary {
    current_balance: Amount,
    credit_limit: Amount,
    available_balance: Amount,
    held: Amount,
    spendable: Amount,
    total_allocated_to_agents: Amount,
    agent_count: i64,
    this_month: Month,
    balance_trend: Vec<Day>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WalletMonth")]
struct Month {
    total_credits: Amount,
    total_debits: Amount,
    net_change: Amount,
    transaction_count: i64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "WalletDay")]
struct Day {
    date: NaiveDate,
    balance: Amount,
}

impl TryFrom<wallets::Summary> for Summary {
    type Error = MoneyError;

    fn try_from(summary: wallets::Summary) -> Result<Self, MoneyError> {
        let wallet = summary.wallet;
        let day = |day: wallets::Day| Day { date: day.date, balance: day.balance.number() };
        Ok(Self {
            current_balance: wallet.balance.number(),
            credit_limit: wallet.credit_limit.number(),
            // Net of no holds (P-6).
            available_balance: wallet.balance.plus(wallet.credit_limit)?.number(),
            held: wallet.held.number(),
            spendable: wallet.available()?.number(),
            total_allocated_to_agents: summary.allocated.number(),
            agent_count: summary.agents,
            this_month: summary.this_month.try_into()?,
            balance_trend: summary.trend.into_iter().map(day).collect(),
        })
    }
}

impl TryFrom<Moves> for Month {
    type Error = MoneyError;

    fn try_from(moves: Moves) -> Result<Self, MoneyError> {
        Ok(Self {
            total_credits: moves.credits.number(),
            total_debits: moves.debits.number(),
            net_change: moves.credits.minus(moves.debits)?.number(),
            transaction_count: moves.count,
        })
    }
}

/// An agent allocation row.
#[derive(Serialize, JsonSchema)]
pub struct AgentAllocation {
    agent_id: UserId,
    name: String,
    username: String,
    allocated_balance: Amount,
    total_allocated_to_date: Amount,
    last_allocation: LastAllocation,
    is_active: bool,
}

/// A moment, or "" where there was none.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum LastAllocation {
    At(DateTime<Utc>),
    Never(&'static str),
}

impl From<AgentFunds> for AgentAllocation {
    fn from(funds: AgentFunds) -> Self {
        Self {
            agent_id: funds.agent,
            name: funds.name,
            username: funds.username,
            allocated_balance: funds.balance.number(),
            total_allocated_to_date: funds.allocated.number(),
            last_allocation: funds.last_allocation.map_or(LastAllocation::Never(""), LastAllocation::At),
            is_active: funds.is_active,
        }
    }
}
