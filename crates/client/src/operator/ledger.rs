//! Proofs of the ledger, and the trial balance.

use chrono::{DateTime, Utc};
use reqwest::Method;
use serde::Deserialize;
use uuid::Uuid;

use super::OperatorSession;
use crate::{Amount, List, call::Ask, enums::VerificationState, error::Result, retries::Effort};

/// A proof of the ledger.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct LedgerVerification {
    /// Its id.
    pub id: Uuid,
    /// How far it is.
    pub state: VerificationState,
    /// The username of the operator who asked for it; none at the command line.
    pub by: Option<String>,
    /// When it began, UTC: it sees what was committed then.
    pub started_at: DateTime<Utc>,
    /// What the program was built from that proves.
    pub commit: String,
    /// Entries that need not be looked at any more.
    pub read: u64,
    /// All entries that there should be; 0 until that is known.
    pub total: u64,
    /// How long it took up to its end, or to the last word of it.
    pub elapsed_ms: u64,
    /// Wallets that were added up again; none until it is done.
    pub wallets: Option<u64>,
    /// How much does not agree; none until it is done.
    pub found: Option<u64>,
    /// The first of what does not agree.
    pub first_fault: Option<String>,
    /// When it ended, UTC.
    pub ended_at: Option<DateTime<Utc>>,
}

/// What stands on the accounts of the books.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TrialBalance {
    /// Each account, by currency and name; the customers' wallets as one.
    pub accounts: Vec<TrialBalanceAccount>,
    /// All accounts of each currency.
    pub totals: Vec<TrialBalanceTotal>,
    /// What does not agree, for people; empty when all does.
    pub problems: Vec<String>,
}

/// What stands on one account.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TrialBalanceAccount {
    /// Its name; `wallets` for all customers' wallets together.
    pub account: String,
    /// Of all its amounts, ISO 4217.
    pub currency: String,
    /// How many accounts these are.
    pub count: u64,
    /// Of all its debits.
    pub debits: Amount,
    /// Of all its credits.
    pub credits: Amount,
    /// Credits less debits.
    pub balance: Amount,
}

/// All accounts of a currency.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TrialBalanceTotal {
    /// ISO 4217.
    pub currency: String,
    /// Of all debits.
    pub debits: Amount,
    /// Of all credits: as much, or the books are wrong.
    pub credits: Amount,
}

impl OperatorSession {
    /// `POST /ledger/verifications`: has the ledger proven; the one that runs, where one does. Of finance.
    ///
    /// # Errors
    /// See [`crate::Error`].
    pub async fn begin_verification(&self) -> Result<LedgerVerification> {
        // Asked for again it is answered with the one that runs.
        let ask = Ask::of(Method::POST, &["ledger", "verifications"], Effort::Set);
        self.0.data(ask).await
    }

    /// `GET /ledger/verifications`: the newest first.
    pub fn verifications(&self) -> List<LedgerVerification> {
        List::of(&self.0, &["ledger", "verifications"], Vec::new())
    }

    /// `GET /ledger/verifications/{id}`.
    ///
    /// # Errors
    /// 404.
    pub async fn verification(&self, id: Uuid) -> Result<LedgerVerification> {
        let id = id.to_string();
        self.0.data(Ask::get(&["ledger", "verifications", &id])).await
    }

    /// `GET /trial-balance`: of one agency or of all. Of finance.
    ///
    /// # Errors
    /// 404 for an unknown agency.
    pub async fn trial_balance(&self, agency: Option<&str>) -> Result<TrialBalance> {
        let query = agency.map(|agency| ("agency", agency.to_owned()));
        let ask = Ask::get(&["trial-balance"]).query(query.into_iter().collect());
        self.0.data(ask).await
    }
}
