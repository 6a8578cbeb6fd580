//! Money into wallets and out of them, what they may spend, and their statements.

use chrono::NaiveDate;
use reqwest::Method;
use wayfare_boxed::boxed;
use wayfare_contract::operator::{
    MoveMoney, MovedMoney, OperatorWallet, SetCreditLimit, WalletStatement, WhoseWallet,
};

use super::OperatorSession;
use crate::{
    Amount,
    call::{Ask, Keyed},
    error::Result,
    retries::Effort,
};

#[boxed]
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
        let body = SetCreditLimit { credit_limit: limit, username: username.map(str::to_owned) };
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
        self.0.data(ask.body(&WhoseWallet { username: username.map(str::to_owned) })?).await
    }
}
