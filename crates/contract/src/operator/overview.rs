//! What needs a person, over all agencies.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::LedgerVerification;
use crate::Amount;

/// What needs a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewIncidents {
    /// The kind.
    pub kind: String,
    /// How many are open.
    pub open: i64,
    /// How long the oldest has been open, in seconds.
    pub oldest_seconds: u64,
}

/// What waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewWaiting {
    /// Open steps at suppliers.
    pub open_steps: i64,
    /// How long the oldest of them has been open, in seconds; null where none is.
    pub oldest_step_seconds: Option<u64>,
    /// Commands of this server's group commit that are not answered yet.
    pub commands: usize,
    /// Bookings whose outcome is not known.
    pub pending_bookings: i64,
    /// When the oldest of them was asked for; null where there is none.
    pub oldest_pending_booking: Option<DateTime<Utc>>,
    /// Refunds that are not in a wallet yet.
    pub pending_refunds: i64,
    /// Reports that will never have a file.
    pub failed_reports: i64,
    /// Webhooks that the service has switched off.
    pub webhooks_disabled: i64,
    /// Webhooks that did not take what was sent to them, and get it again later.
    pub webhooks_resting: i64,
    /// Wallets that owe.
    pub wallets_in_debt: i64,
}

/// Suppliers of which something is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewSuppliers {
    /// Those of which nothing new is sold.
    pub closed: Vec<OverviewClosedSupplier>,
    /// What is wrong and only an operator can mend, the newest first.
    pub alarms: Vec<OverviewAlarm>,
    /// Our accounts there that are low or can't pay.
    pub low: Vec<OverviewLowAccount>,
}

/// A supplier of which nothing new is sold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewClosedSupplier {
    /// The supplier's code.
    pub supplier: String,
    /// Why it was closed: `account_empty`, or what the operator wrote.
    pub reason: String,
    /// Since when.
    pub since: DateTime<Utc>,
}

/// Something that is wrong with a supplier and that only an operator can mend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewAlarm {
    /// The supplier's code.
    pub supplier: String,
    /// What it is.
    pub kind: String,
    /// More of it, as its kind has it.
    pub details: Value,
    /// When it was raised.
    pub raised_at: DateTime<Utc>,
}

/// Our account with a supplier that is low or can't pay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewLowAccount {
    /// The supplier's code.
    pub supplier: String,
    /// What can be spent; null where nobody knows.
    pub available: Option<Amount>,
    /// Of that amount, ISO 4217; null where nobody knows.
    pub currency: Option<String>,
    /// Below this it is low; null where nobody has said so.
    pub warn_below: Option<Amount>,
}

/// Exchange rates that are stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewRates {
    /// The day that the rates of the European Central Bank's file are of; null where none was imported.
    pub bank_day: Option<NaiveDate>,
    /// How many they are.
    pub bank_count: usize,
    /// The day on which the oldest rate was set by hand; null where none was.
    pub own_oldest_day: Option<NaiveDate>,
    /// How many were set by hand.
    pub own_count: usize,
}

/// Proofs of the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OverviewLedger {
    /// The proof that runs now; null where none does.
    pub running: Option<LedgerVerification>,
    /// The last one that came to its end; null where none did.
    pub last: Option<LedgerVerification>,
}
