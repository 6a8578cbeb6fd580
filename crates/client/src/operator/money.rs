//! Money into wallets and out of them, what they may spend, and their statements.

use chrono::{DateTime, NaiveDate, Utc};
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::OperatorSession;
use crate::{
    Amount,
    call::{Ask, Keyed},
    enums::TransactionType,
    error::Result,
    retries::Effort,
};

/// Money to be moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveMoney {
    /// How much, above zero, in the wallet's currency.
    pub amount: Amount,
    /// Why; the agency reads it.
    pub reason: String,
    /// Whose wallet of the agency's agents; the organization's own without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
}

/// Money that was moved.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct MovedMoney {
    /// The transfer.
    pub transfer_id: Uuid,
    /// What stands in the wallet after it.
    pub balance: Amount,
    /// Of that amount, ISO 4217.
    pub currency: String,
}

/// A wallet as the operator sees it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OperatorWallet {
    /// Its id.
    pub id: Uuid,
    /// Of all its amounts, ISO 4217.
    pub currency: String,
    /// What is in it.
    pub balance: Amount,
    /// What is set aside for bookings that are not settled yet.
    pub held: Amount,
    /// What may be spent beyond the balance.
    pub credit_limit: Amount,
    /// What it can pay now; nothing while it is frozen.
    pub spendable: Amount,
    /// Whether it pays for bookings.
    pub is_active: bool,
}

/// What happened in a wallet in some days of the agency's calendar.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct WalletStatement {
    /// The agency's code.
    pub agent_id: String,
    /// Whose wallet; the organization's own without one.
    pub username: Option<String>,
    /// Of all amounts, ISO 4217.
    pub currency: String,
    /// The agency's calendar.
    pub timezone: String,
    /// The first day; none: from the beginning.
    pub from: Option<NaiveDate>,
    /// The last day; none: until now.
    pub to: Option<NaiveDate>,
    /// What stood in it before.
    pub opening_balance: Amount,
    /// The oldest first.
    pub transactions: Vec<StatementLine>,
    /// What came in.
    pub total_credits: Amount,
    /// What went out.
    pub total_debits: Amount,
    /// What stood in it afterwards.
    pub closing_balance: Amount,
}

/// A transaction of a statement.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct StatementLine {
    /// Its id.
    pub id: Uuid,
    /// When, UTC.
    pub created_at: DateTime<Utc>,
    /// Which way the money moved.
    #[serde(rename = "type")]
    pub kind: TransactionType,
    /// How much.
    pub amount: Amount,
    /// What stood in the wallet after it.
    pub balance_after: Amount,
    /// What it was for, in a word.
    pub ref_type: String,
    /// The booking it was for, if any.
    pub ref_id: Option<String>,
    /// Why, in words.
    pub description: String,
}

impl OperatorSession {
    /// `POST /agencies/{code}/wallet/topup`, once under its key. It needs the password ([`OperatorSession::confirm`]).
    ///
    /// # Errors
    /// 403 when the password was given too long ago; 404; 400 when the wallet would be too full; 422.
    pub async fn top_up(&self, code: &str, wanted: &MoveMoney) -> Result<Keyed<MovedMoney>> {
        let ask = self.0.effect(&["agencies", code, "wallet", "topup"]);
        self.0.keyed_data(ask.body(wanted)?).await
    }

    /// `POST /agencies/{code}/wallet/deduct`, once under its key. It needs the password ([`OperatorSession::confirm`]).
    ///
    /// # Errors
    /// 402 where not so much stands in the wallet; 403 when the password was given too long ago; 404; 422.
    pub async fn deduct(&self, code: &str, wanted: &MoveMoney) -> Result<Keyed<MovedMoney>> {
        let ask = self.0.effect(&["agencies", code, "wallet", "deduct"]);
        self.0.keyed_data(ask.body(wanted)?).await
    }

    /// `PUT /agencies/{code}/wallet/credit-limit`. It needs the password ([`OperatorSession::confirm`]).
    ///
    /// # Errors
    /// 403 when the password was given too long ago; 404; 422.
    pub async fn set_credit_limit(
        &self,
        code: &str,
        username: Option<&str>,
        limit: Amount,
    ) -> Result<OperatorWallet> {
        let ask = Ask::set(&["agencies", code, "wallet", "credit-limit"]);
        let mut body = json!({ "credit_limit": limit });
        if let (Some(username), Some(body)) = (username, body.as_object_mut()) {
            body.insert("username".to_owned(), json!(username));
        }
        self.0.data(ask.body(&body)?).await
    }

    /// `POST /agencies/{code}/wallet/freeze`: it pays for nothing until it is thawed.
    ///
    /// # Errors
    /// 404.
    pub async fn freeze(&self, code: &str, username: Option<&str>) -> Result<OperatorWallet> {
        self.set_active(code, username, "freeze").await
    }

    /// `POST /agencies/{code}/wallet/unfreeze`.
    ///
    /// # Errors
    /// 404.
    pub async fn unfreeze(&self, code: &str, username: Option<&str>) -> Result<OperatorWallet> {
        self.set_active(code, username, "unfreeze").await
    }

    /// `GET /agencies/{code}/statement`, of these days, both included.
    ///
    /// # Errors
    /// 404; 422 for days in the wrong order.
    pub async fn statement(
        &self,
        code: &str,
        username: Option<&str>,
        from: Option<NaiveDate>,
        to: Option<NaiveDate>,
    ) -> Result<WalletStatement> {
        let mut ask = Ask::get(&["agencies", code, "statement"]);
        let given = [
            ("username", username.map(str::to_owned)),
            ("from", from.map(|day| day.to_string())),
            ("to", to.map(|day| day.to_string())),
        ];
        ask.query.extend(given.into_iter().filter_map(|(name, value)| Some((name, value?))));
        self.0.data(ask).await
    }

    async fn set_active(&self, code: &str, username: Option<&str>, what: &str) -> Result<OperatorWallet> {
        // To say it again does no harm.
        let ask = Ask::of(Method::POST, &["agencies", code, "wallet", what], Effort::Set);
        let body = match username {
            Some(username) => json!({ "username": username }),
            None => json!({}),
        };
        self.0.data(ask.body(&body)?).await
    }
}
