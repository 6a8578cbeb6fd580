//! The fare ledger: what was sold and what it cost.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;
use wayfare_boxed::boxed;

use crate::{
    Amount,
    call::Ask,
    enums::{FareKind, Period},
    error::Result,
    session::part_of_session,
};

/// A page of the fare ledger, with the sums of the whole period.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FareLedger {
    /// Which period.
    pub period: Period,
    /// Its first instant, UTC.
    pub period_start: DateTime<Utc>,
    /// The first instant after it, UTC.
    pub period_end: DateTime<Utc>,
    /// Over the whole period.
    pub summary: FareSummary,
    /// This page's rows, newest first.
    pub transactions: Vec<FareTransaction>,
    /// How many rows the period has.
    pub total: u64,
    /// The page's number, from 1.
    pub page: u32,
    /// How many rows a page has.
    pub per_page: u32,
}

/// Sums in the organization's currency.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FareSummary {
    /// What the public pays.
    pub total_public_fare: Amount,
    /// What the organization pays.
    pub total_agent_fare: Amount,
    /// What it earns: its commission.
    pub total_agent_commission: Amount,
    /// What it pays beyond the public fares less its commission: the platform's fees, and what of cancelled bookings stayed
    /// with suppliers. Wayfare's addition.
    pub total_charges: Option<Amount>,
    /// What it pays beside the fares: seats, bags, meals; Wayfare's addition.
    pub total_ancillary: Option<Amount>,
    /// Its markups, which come into its wallet by the next payout; Wayfare's addition.
    pub total_markup: Option<Amount>,
    /// How many rows there are.
    pub transaction_count: u64,
}

/// A sale, or below zero its refund.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FareTransaction {
    /// Its id.
    pub id: Uuid,
    /// The booking.
    pub booking_ref: String,
    /// What the row stands for; none in rows of before. Wayfare's addition.
    pub kind: Option<FareKind>,
    /// The supplier's code; Wayfare's addition.
    pub provider: Option<String>,
    /// The order's locator.
    pub pnr: String,
    /// Who booked.
    pub agent_id: Uuid,
    /// Their name.
    pub agent_name: String,
    /// What the public pays.
    pub public_fare: Amount,
    /// What the organization pays.
    pub agent_fare: Amount,
    /// What it pays beside the fare: seats, bags, meals; Wayfare's addition.
    pub ancillary: Option<Amount>,
    /// What it earns.
    pub agent_commission: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// When, UTC.
    pub issued_at: DateTime<Utc>,
}

/// What was bought at each supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FinanceSummary {
    /// Which period.
    pub period: Period,
    /// Its first instant, UTC.
    pub period_start: DateTime<Utc>,
    /// The first instant after it, UTC.
    pub period_end: DateTime<Utc>,
    /// One row for each supplier and currency.
    pub by_supplier: Vec<SupplierTotals>,
    /// What stands on its markup account now, and waits for the next payout; Wayfare's addition.
    pub markup_balance: Option<Amount>,
}

/// What was bought at a supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierTotals {
    /// Its code.
    pub provider: String,
    /// Of these amounts, ISO 4217.
    pub currency: String,
    /// What the public pays.
    pub public_fare: Amount,
    /// What the organization pays.
    pub agent_fare: Amount,
    /// The organization's markup.
    pub markup: Amount,
    /// How many bookings these are.
    pub bookings: u64,
}

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
