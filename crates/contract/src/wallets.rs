//! Wallets: what each has, what moved it, and what agents have of the organization's.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::{CurrencyCode, LastAllocation};
use crate::{
    Amount,
    vocabulary::{OwnerType, RefType, TransactionType},
};

/// A wallet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Wallet {
    /// Its id.
    pub id: Uuid,
    /// Whose wallet it is: the agency's or the user's id.
    pub owner_id: Uuid,
    /// Whether the wallet is the organization's or a user's.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["org", "user"])))]
    pub owner_type: OwnerType,
    /// What the wallet has, holds included.
    pub balance: Amount,
    /// What an agent has of the agency's money; only on an agent's wallet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocated_balance: Option<Amount>,
    /// Of all its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// How far below zero the wallet may go.
    pub credit_limit: Amount,
    /// Whether it pays for bookings.
    pub is_active: bool,
    /// What is set aside for bookings that are not settled yet.
    #[serde(default)]
    pub held: Amount,
    /// What the wallet can pay now: balance and credit limit less what is held; 0 while it is frozen.
    #[serde(default)]
    pub spendable: Amount,
}

/// The agent-facing ledger entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WalletTransaction"))]
pub struct WalletEntry {
    /// Its id.
    pub id: Uuid,
    /// A credit came in, a debit went out.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["debit", "credit"])))]
    pub kind: TransactionType,
    /// How much was moved, in the wallet's currency; `type` says in which direction.
    pub amount: Amount,
    /// Why, in words.
    pub description: String,
    /// When, UTC.
    pub created_at: DateTime<Utc>,
}

/// A wallet transaction as admins see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LedgerEntry"))]
pub struct WalletTransaction {
    /// Its id.
    pub id: Uuid,
    /// When, UTC.
    pub created_at: DateTime<Utc>,
    /// The same: nothing of a ledger is changed.
    pub updated_at: DateTime<Utc>,
    /// The wallet's id.
    pub wallet_id: Uuid,
    /// A credit came in, a debit went out.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["debit", "credit"])))]
    pub kind: TransactionType,
    /// How much was moved, in the wallet's currency; `type` says in which direction.
    pub amount: Amount,
    /// What the wallet had before it.
    pub balance_before: Amount,
    /// What the wallet had after it.
    pub balance_after: Amount,
    /// Why the money moved.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["topup", "booking", "refund", "deduction"])))]
    pub ref_type: RefType,
    /// What it was for: a booking's reference, for example; null where it was for nothing that has an id.
    pub ref_id: Option<String>,
    /// Why, in words.
    pub description: String,
    /// The user who did it; null for the operator and the service itself.
    pub performed_by: Option<Uuid>,
    /// The agent on the other side; only where money went from the organization's wallet to an agent's or back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<Uuid>,
    /// The name of the agent on the other side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_name: Option<String>,
}

/// The balance of the organization's wallet over a period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BalanceSeries {
    /// When it begins, UTC.
    pub since: DateTime<Utc>,
    /// Before when it ends, UTC: now where the last day is today.
    pub before: DateTime<Utc>,
    /// The parts of the period in order; the balance of one begins where that of the part before ended.
    pub points: Vec<BalancePoint>,
}

/// A part of a period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BalancePoint {
    /// When the part begins, UTC.
    pub at: DateTime<Utc>,
    /// The balance when the part began.
    pub open: Amount,
    /// The lowest balance in the part.
    pub min: Amount,
    /// The highest balance in the part.
    pub max: Amount,
    /// The balance when the part ended.
    pub close: Amount,
}

/// The wallet summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WalletSummary {
    /// What the organization's wallet has now.
    pub current_balance: Amount,
    /// How far below zero the wallet may go.
    pub credit_limit: Amount,
    /// Balance and credit line together, also what is held.
    pub available_balance: Amount,
    /// What is set aside for bookings that are not settled yet.
    #[serde(default)]
    pub held: Amount,
    /// What the wallet can pay now: balance and credit limit less what is held; 0 while it is frozen.
    #[serde(default)]
    pub spendable: Amount,
    /// What all agents' wallets have together.
    pub total_allocated_to_agents: Amount,
    /// How many agents the agency has.
    pub agent_count: i64,
    /// What was moved in the calendar month, in the agency's time zone.
    pub this_month: MonthlyTotals,
    /// The balance at the end of each of the last 30 days; the last one is today's, as it is now.
    pub balance_trend: Vec<DailyBalance>,
}

/// A month's movements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WalletMonth"))]
pub struct MonthlyTotals {
    /// What came in.
    pub total_credits: Amount,
    /// What went out.
    pub total_debits: Amount,
    /// Credits less debits of the month.
    pub net_change: Amount,
    /// How many transactions there were.
    pub transaction_count: i64,
}

/// A day's last balance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WalletDay"))]
pub struct DailyBalance {
    /// The day, `YYYY-MM-DD`, in the agency's time zone.
    pub date: NaiveDate,
    /// What the wallet had at the end of the day.
    pub balance: Amount,
}

/// What an agent has of the organization's money.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgentAllocation {
    /// The agent's id.
    pub agent_id: Uuid,
    /// Their name.
    pub name: String,
    /// The name with which they log in.
    pub username: String,
    /// What the agent's wallet has now.
    pub allocated_balance: Amount,
    /// What the agent was ever given.
    pub total_allocated_to_date: Amount,
    /// When the agent was last given money, UTC; "" if never.
    #[serde(with = "never")]
    #[cfg_attr(feature = "schema", schemars(with = "LastAllocation"))]
    pub last_allocation: Option<DateTime<Utc>>,
    /// Whether their wallet pays for bookings.
    pub is_active: bool,
}

/// Money for an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AllocateRequest"))]
pub struct Allocation {
    /// How much goes from the organization's wallet to the agent's.
    pub amount: Amount,
    /// Why; stands in both wallets' transactions.
    pub description: String,
}

/// A moment, or "" where there was none.
mod never {
    use chrono::{DateTime, Utc};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    pub fn serialize<S: Serializer>(
        moment: &Option<DateTime<Utc>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match moment {
            Some(moment) => moment.serialize(serializer),
            None => serializer.serialize_str(""),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<DateTime<Utc>>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?.filter(|text| !text.is_empty());
        text.map(|text| text.parse().map_err(de::Error::custom)).transpose()
    }
}
