//! Proofs of the ledger, and the trial balance.

use reqwest::Method;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::operator::{LedgerVerification, TrialBalance};

use super::OperatorSession;
use crate::{List, call::Ask, error::Result, retries::Effort};

#[boxed]
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
