//! Proofs of the ledger, and the trial balance.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{Amount, vocabulary::VerificationState};

/// A proof of the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LedgerVerification {
    /// Its id.
    pub id: Uuid,
    /// How far it is.
    pub state: VerificationState,
    /// The username of the operator who asked for it; null at the command line.
    pub by: Option<String>,
    /// When it began: it sees what was committed then.
    pub started_at: DateTime<Utc>,
    /// What the program was built from that proves; `unknown` where nobody has said so.
    pub commit: String,
    /// Entries that need not be looked at any more: checked, or behind a wrong one of their wallet.
    pub read: i64,
    /// All entries that there should be, by what the wallets say; 0 until that is known.
    pub total: i64,
    /// How long it took up to its end, or to the last word of it.
    pub elapsed_ms: i64,
    /// Wallets that were added up again; null until it is done.
    pub wallets: Option<i64>,
    /// How much does not agree; null until it is done.
    pub found: Option<i64>,
    /// The first of what does not agree; null where all does, or it is not known.
    pub first_fault: Option<String>,
    /// When it ended. Of a lost one: until when its server was believed to live.
    pub ended_at: Option<DateTime<Utc>>,
}

/// What stands on the accounts of the books.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrialBalance {
    /// Each account, by currency and name; the customers' wallets as one.
    pub accounts: Vec<TrialBalanceAccount>,
    /// All accounts of each currency.
    pub totals: Vec<TrialBalanceTotal>,
    /// What does not agree, for people; empty when all does.
    pub problems: Vec<String>,
}

/// What stands on one account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrialBalanceAccount {
    /// Its name: `funding`, `supplier:duffel`; `wallets` for all customers' wallets together.
    pub account: String,
    /// Of all its amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// How many accounts these are.
    pub count: i64,
    /// Of all its debits.
    pub debits: Amount,
    /// Of all its credits.
    pub credits: Amount,
    /// Credits less debits.
    pub balance: Amount,
}

/// All accounts of a currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrialBalanceTotal {
    /// ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// Of all debits.
    pub debits: Amount,
    /// Of all credits: as much, or the books are wrong.
    pub credits: Amount,
}
