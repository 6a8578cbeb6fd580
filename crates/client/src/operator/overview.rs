//! What needs a person, over all agencies.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;
use serde_json::Value;

use super::{LedgerVerification, OperatorSession};
use crate::{Amount, call::Ask, error::Result};

/// What needs a person.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Overview {
    /// Open incidents by their kind; kinds of which none is open are not there.
    pub incidents: Vec<OverviewIncidents>,
    /// What waits and is looked after by the service itself.
    pub waiting: OverviewWaiting,
    /// Suppliers of which something is wrong.
    pub suppliers: OverviewSuppliers,
    /// Exchange rates that are stored.
    pub rates: OverviewRates,
    /// Proofs of the ledger.
    pub ledger: OverviewLedger,
}

/// Open incidents of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct OverviewIncidents {
    /// The kind.
    pub kind: String,
    /// How many are open.
    pub open: u64,
    /// How long the oldest has been open.
    pub oldest_seconds: u64,
}

/// What waits.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct OverviewWaiting {
    /// Open steps at suppliers.
    pub open_steps: u64,
    /// How long the oldest of them has been open; none where none is.
    pub oldest_step_seconds: Option<u64>,
    /// Commands of the asked server's group commit that are not answered yet.
    pub commands: u64,
    /// Bookings whose outcome is not known.
    pub pending_bookings: u64,
    /// When the oldest of them was asked for, UTC.
    pub oldest_pending_booking: Option<DateTime<Utc>>,
    /// Refunds that are not in a wallet yet.
    pub pending_refunds: u64,
    /// Reports that will never have a file.
    pub failed_reports: u64,
    /// Webhooks that the service has switched off.
    pub webhooks_disabled: u64,
    /// Webhooks that did not take what was sent to them, and get it again later.
    pub webhooks_resting: u64,
    /// Wallets that owe.
    pub wallets_in_debt: u64,
}

/// Suppliers of which something is wrong.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OverviewSuppliers {
    /// Those of which nothing new is sold.
    pub closed: Vec<OverviewClosedSupplier>,
    /// What is wrong and only an operator can mend, the newest first.
    pub alarms: Vec<OverviewAlarm>,
    /// The operator's accounts there that are low or can't pay.
    pub low: Vec<OverviewLowAccount>,
}

/// A supplier of which nothing new is sold.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct OverviewClosedSupplier {
    /// The supplier's code.
    pub supplier: String,
    /// Why it was closed: `account_empty`, or what the operator wrote.
    pub reason: String,
    /// Since when, UTC.
    pub since: DateTime<Utc>,
}

/// Something that is wrong with a supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OverviewAlarm {
    /// The supplier's code.
    pub supplier: String,
    /// What it is.
    pub kind: String,
    /// More of it, as its kind has it.
    pub details: Value,
    /// When it was raised, UTC.
    pub raised_at: DateTime<Utc>,
}

/// An account with a supplier that is low or can't pay.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OverviewLowAccount {
    /// The supplier's code.
    pub supplier: String,
    /// What can be spent; none where nobody knows.
    pub available: Option<Amount>,
    /// Of that amount, ISO 4217.
    pub currency: Option<String>,
    /// Below this it is low.
    pub warn_below: Option<Amount>,
}

/// Exchange rates that are stored.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct OverviewRates {
    /// The day that the rates of the European Central Bank's file are of; none where none was imported.
    pub bank_day: Option<NaiveDate>,
    /// How many they are.
    pub bank_count: u64,
    /// The day on which the oldest rate was set by hand.
    pub own_oldest_day: Option<NaiveDate>,
    /// How many were set by hand.
    pub own_count: u64,
}

/// Proofs of the ledger.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OverviewLedger {
    /// The one that runs now.
    pub running: Option<LedgerVerification>,
    /// The last one that came to its end.
    pub last: Option<LedgerVerification>,
}

impl OperatorSession {
    /// `GET /overview`.
    ///
    /// # Errors
    /// See [`crate::Error`].
    pub async fn overview(&self) -> Result<Overview> {
        self.0.data(Ask::get(&["overview"])).await
    }
}
