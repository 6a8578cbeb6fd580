//! The fare ledger: what was sold and what it cost.

use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::{FareLedger, FinanceSummary};

use crate::{call::Ask, enums::Period, error::Result, session::part_of_session};

part_of_session! {
    /// The fare ledger.
    Fares, fares
}

#[boxed]
impl Fares<'_> {
    /// `GET /me/fare-transactions`: the caller's own. Pages are counted from 1 and have 1 to 100 rows.
    pub async fn own(&self, period: &Period, page: u32, per_page: u32) -> Result<FareLedger> {
        self.read(&["me", "fare-transactions"], period, page, per_page).await
    }

    /// `GET /org/fare-transactions`: the organization's, for its admins.
    pub async fn of_organization(&self, period: &Period, page: u32, per_page: u32) -> Result<FareLedger> {
        self.read(&["org", "fare-transactions"], period, page, per_page).await
    }

    /// `GET /org/fare-transactions/{id}`: a user's, for admins.
    pub async fn of_user(&self, user: Uuid, period: &Period, page: u32, per_page: u32) -> Result<FareLedger> {
        let path = ["org", "fare-transactions", &user.to_string()];
        self.read(&path, period, page, per_page).await
    }

    /// `GET /org/finance-summary`: sums by supplier, for admins.
    pub async fn summary(&self, period: &Period) -> Result<FinanceSummary> {
        let ask = Ask::get(&["org", "finance-summary"]);
        self.0.data(ask.query(vec![("period", period.to_string())])).await
    }

    async fn read(&self, path: &[&str], period: &Period, page: u32, per_page: u32) -> Result<FareLedger> {
        let query = vec![
            ("period", period.to_string()),
            ("page", page.to_string()),
            ("per_page", per_page.to_string()),
        ];
        self.0.data(Ask::get(path).query(query)).await
    }
}
