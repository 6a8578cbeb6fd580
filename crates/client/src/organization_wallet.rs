//! The organization's wallet and what its agents have of it (docs/API.md, Wallet lists).

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Deserializer, de};
use serde_json::json;
use uuid::Uuid;
use wayfare_boxed::boxed;

use crate::{
    Amount, Keyed,
    call::{Ask, given},
    download::{CsvStyle, Download},
    enums::{RefType, TransactionType},
    error::Result,
    list::List,
    profile::Wallet,
    session::part_of_session,
};

/// A line of a wallet's ledger as admins see it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct WalletTransaction {
    /// Its id.
    pub id: Uuid,
    /// When, UTC.
    pub created_at: DateTime<Utc>,
    /// The same: nothing of a ledger is changed.
    pub updated_at: DateTime<Utc>,
    /// The wallet.
    pub wallet_id: Uuid,
    /// Which way the money moved.
    #[serde(rename = "type")]
    pub kind: TransactionType,
    /// How much, in the wallet's currency.
    pub amount: Amount,
    /// What was in the wallet before.
    pub balance_before: Amount,
    /// What was in it after.
    pub balance_after: Amount,
    /// Why.
    pub ref_type: RefType,
    /// For what: a booking's reference; none for what the operator paid in.
    pub ref_id: Option<String>,
    /// Why, in words.
    pub description: String,
    /// The user who did it, if one did.
    pub performed_by: Option<Uuid>,
    /// Of an allocation: the agent.
    pub agent_id: Option<Uuid>,
    /// Of an allocation: the agent's name.
    pub agent_name: Option<String>,
}

/// Which transactions are wanted; none is all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransactionFilter {
    /// Which way the money moved.
    pub kind: Option<TransactionType>,
    /// Why.
    pub ref_type: Option<RefType>,
    /// Not before this day in the organization's time zone.
    pub from: Option<NaiveDate>,
    /// Not after this day in the organization's time zone.
    pub to: Option<NaiveDate>,
    /// At least so much.
    pub min_amount: Option<Amount>,
    /// At most so much.
    pub max_amount: Option<Amount>,
    /// Somewhere in the description, without regard to case.
    pub search: Option<String>,
}

/// The wallet at a glance.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct WalletSummary {
    /// What is in it.
    pub current_balance: Amount,
    /// What may be spent beyond that.
    pub credit_limit: Amount,
    /// Both together, also what is held.
    pub available_balance: Amount,
    /// What is set aside for bookings that are not settled yet.
    pub held: Option<Amount>,
    /// What it can pay now: `available_balance` less what is held; nothing while it is frozen.
    pub spendable: Option<Amount>,
    /// What agents have of it.
    pub total_allocated_to_agents: Amount,
    /// How many agents there are.
    pub agent_count: u64,
    /// This calendar month in the organization's time zone.
    pub this_month: MonthlyTotals,
    /// What was there at the end of each of the last 30 days; may be empty.
    pub balance_trend: Vec<DailyBalance>,
}

/// A month's movements.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct MonthlyTotals {
    /// In.
    pub total_credits: Amount,
    /// Out.
    pub total_debits: Amount,
    /// In less out.
    pub net_change: Amount,
    /// How many there were.
    pub transaction_count: u64,
}

/// A day's last balance.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct DailyBalance {
    /// The day in the organization's time zone.
    pub date: NaiveDate,
    /// What was there.
    pub balance: Amount,
}

/// How the balance moved over a period.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BalanceSeries {
    /// When it begins, UTC.
    pub since: DateTime<Utc>,
    /// Before when it ends, UTC.
    pub before: DateTime<Utc>,
    /// Its equal parts, in order.
    pub points: Vec<BalancePoint>,
}

/// A part of a period.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BalancePoint {
    /// When it begins, UTC.
    pub at: DateTime<Utc>,
    /// The balance then.
    pub open: Amount,
    /// The lowest in it.
    pub min: Amount,
    /// The highest in it.
    pub max: Amount,
    /// The balance at its end.
    pub close: Amount,
}

/// What an agent has of the organization's money.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct AgentAllocation {
    /// The agent's id.
    pub agent_id: Uuid,
    /// Their name.
    pub name: String,
    /// Their username.
    pub username: String,
    /// What is in their wallet.
    pub allocated_balance: Amount,
    /// All that they were ever given.
    pub total_allocated_to_date: Amount,
    /// When they were given something last, UTC.
    #[serde(deserialize_with = "moment_or_nothing")]
    pub last_allocation: Option<DateTime<Utc>>,
    /// Whether they can pay.
    pub is_active: bool,
}

/// The API writes "never" as an empty text.
fn moment_or_nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?.filter(|text| !text.is_empty());
    text.map(|text| text.parse().map_err(de::Error::custom)).transpose()
}

part_of_session! {
    /// The organization's wallet, for its admins.
    OrganizationWallet, organization_wallet
}

impl OrganizationWallet<'_> {
    /// `GET /org/wallet`.
    #[boxed]
    pub async fn read(&self) -> Result<Wallet> {
        self.0.data(Ask::get(&["org", "wallet"])).await
    }

    /// `GET /org/wallet/transactions`, newest first.
    pub fn transactions(&self, filter: &TransactionFilter) -> List<WalletTransaction> {
        List::of(self.0, &["org", "wallet", "transactions"], filter.query())
    }

    /// `GET /org/wallet/agents/{id}/transactions`, newest first: those of an agent's own wallet.
    pub fn transactions_of_agent(&self, agent: Uuid, filter: &TransactionFilter) -> List<WalletTransaction> {
        let path = ["org", "wallet", "agents", &agent.to_string(), "transactions"];
        List::of(self.0, &path, filter.query())
    }

    /// `GET /org/wallet/transactions/export`: the same as CSV, all of it.
    #[boxed]
    pub async fn export(&self, filter: &TransactionFilter) -> Result<Download> {
        self.export_as(filter, CsvStyle::default()).await
    }

    /// The same, written in this style; Wayfare's addition.
    #[boxed]
    pub async fn export_as(&self, filter: &TransactionFilter, style: CsvStyle) -> Result<Download> {
        let query = filter.query().into_iter().chain(style.query()).collect();
        let ask = Ask::get(&["org", "wallet", "transactions", "export"]).query(query);
        Ok(Download::of(self.0.open(ask).await?, self.0.client().inner.silence))
    }

    /// `POST /org/wallet/topup/{id}`: gives an agent some of the organization's balance. 400 when there is less in it.
    pub async fn allocate(
        &self,
        agent: Uuid,
        amount: impl Into<Amount>,
        description: &str,
    ) -> Result<Keyed<()>> {
        let body = json!({ "amount": amount.into(), "description": description });
        let ask = self.0.effect(&["org", "wallet", "topup", &agent.to_string()]);
        self.0.keyed_done(ask.body(&body)?).await
    }

    /// `GET /org/wallet/summary`.
    #[boxed]
    pub async fn summary(&self) -> Result<WalletSummary> {
        self.0.data(Ask::get(&["org", "wallet", "summary"])).await
    }

    /// `GET /org/wallet/balance-series`: the days from one to another (none: the last 30), in so many parts, 1 to 500.
    #[boxed]
    pub async fn balance_series(
        &self,
        from: Option<NaiveDate>,
        to: Option<NaiveDate>,
        points: u32,
    ) -> Result<BalanceSeries> {
        let query = [given("from", from), given("to", to), given("points", Some(points))];
        let ask = Ask::get(&["org", "wallet", "balance-series"]);
        self.0.data(ask.query(query.into_iter().flatten().collect())).await
    }

    /// `GET /org/wallet/agents`, newest first.
    #[boxed]
    pub async fn agents(&self) -> Result<Vec<AgentAllocation>> {
        self.0.data(Ask::get(&["org", "wallet", "agents"])).await
    }
}

impl TransactionFilter {
    fn query(&self) -> Vec<(&'static str, String)> {
        let query = [
            given("type", self.kind.as_ref()),
            given("ref_type", self.ref_type.as_ref()),
            given("from", self.from),
            given("to", self.to),
            given("min_amount", self.min_amount),
            given("max_amount", self.max_amount),
            given("search", self.search.as_ref()),
        ];
        query.into_iter().flatten().collect()
    }
}
