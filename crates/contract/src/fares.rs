//! The fare ledger: what was sold and what it cost.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CurrencyCode};
use crate::{
    Amount,
    vocabulary::{FareKind, Period},
};

/// The fare ledger wrapper. Pages are counted in here, not in a `meta` (P-64).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FareLedger {
    /// Whether the period is a week or a month.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub period: Period,
    /// The first instant of the period, UTC.
    pub period_start: DateTime<Utc>,
    /// The first instant after the period, UTC.
    pub period_end: DateTime<Utc>,
    /// The sums of the period.
    pub summary: FareSummary,
    /// The rows, newest first.
    pub transactions: Vec<FareTransaction>,
    /// Items on all pages.
    pub total: i64,
    /// The page, from 1.
    pub page: u32,
    /// How many items a page has: 1 to 100.
    pub per_page: u32,
}

/// Sums in the organization's currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FareSummary {
    /// The public fares of the period.
    pub total_public_fare: Amount,
    /// The agent fares of the period.
    pub total_agent_fare: Amount,
    /// The commissions of the period.
    pub total_agent_commission: Amount,
    /// What was paid beyond the public fares less the commissions: the platform's fees, and what of cancelled bookings stayed with
    /// suppliers.
    #[serde(default)]
    pub total_charges: Amount,
    /// What was paid beside the fares in the period: seats, bags, meals.
    #[serde(default)]
    pub total_ancillary: Amount,
    /// The markups of the period; they come into the wallet by the next payout.
    #[serde(default)]
    pub total_markup: Amount,
    /// How many transactions there were.
    pub transaction_count: i64,
}

/// A sale, or below zero its refund.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FareTransaction {
    /// Its id.
    pub id: Uuid,
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// What the row stands for; null in rows of before orders had rows of their own.
    pub kind: Option<FareKind>,
    /// The supplier's code.
    #[serde(default)]
    pub provider: String,
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// The user who booked.
    pub agent_id: Uuid,
    /// The user's name.
    pub agent_name: String,
    /// What the traveller pays.
    pub public_fare: Amount,
    /// What the agency pays: fare, markups, fees and taxes together, without ancillaries.
    pub agent_fare: Amount,
    /// What was paid beside the agent fare, later too, or came back of it; in no sum.
    #[serde(default)]
    pub ancillary: Amount,
    /// What the agency earns on the sale.
    pub agent_commission: Amount,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// When the sale or refund was booked, UTC.
    pub issued_at: DateTime<Utc>,
}

/// What was bought at each supplier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FinanceSummary {
    /// Whether the period is a week or a month.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub period: Period,
    /// The first instant of the period, UTC.
    pub period_start: DateTime<Utc>,
    /// The first instant after the period, UTC.
    pub period_end: DateTime<Utc>,
    /// The sums of each supplier, in each currency.
    pub by_supplier: Vec<SupplierTotals>,
    /// What stands on the agency's markup account now, and waits for the next payout; below zero where markups that were paid out
    /// have been given back since.
    #[serde(default)]
    pub markup_balance: Amount,
}

/// What was bought at a supplier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SupplierFares"))]
pub struct SupplierTotals {
    /// The supplier's code.
    pub provider: String,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What the traveller pays.
    pub public_fare: Amount,
    /// What the agency pays: fare, markups, fees and taxes together, without ancillaries.
    pub agent_fare: Amount,
    /// The markups of these bookings.
    pub markup: Amount,
    /// How many bookings have rows in the period.
    pub bookings: i64,
}
