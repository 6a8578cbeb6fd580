//! The organization's wallet and what its agents have of it (docs/API.md, Wallet lists).

use chrono::NaiveDate;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{
    AgentAllocation, Allocation, BalanceSeries, Wallet, WalletSummary, WalletTransaction,
};

use crate::{
    Amount, Keyed,
    call::{Ask, given},
    download::{CsvStyle, Download},
    enums::{RefType, TransactionType},
    error::Result,
    list::List,
    session::part_of_session,
};

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
        let body = Allocation { amount: amount.into(), description: description.to_owned() };
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
