//! Exchange rates: which ones count, those that the operator sets, and the European Central Bank's file.

use reqwest::Method;
use wayfare_boxed::boxed;
use wayfare_contract::operator::{ExchangeRate, ImportedRates, RateChange, RemovedRate, SetRate};

use super::OperatorSession;
use crate::{Amount, call::Ask, error::Result, retries::Effort};

#[boxed]
impl OperatorSession {
    /// `GET /rates`: of every pair that somebody states.
    ///
    /// # Errors
    /// When nobody can be asked.
    pub async fn rates(&self) -> Result<Vec<ExchangeRate>> {
        self.0.data(Ask::get(&["rates"])).await
    }

    /// `GET /rates/{from}/{to}`: the rate that counts, also one that is worked out of two of the bank's.
    ///
    /// # Errors
    /// 404 when nobody quotes one; 422 for a currency and itself.
    pub async fn rate(&self, from: &str, to: &str) -> Result<ExchangeRate> {
        self.0.data(Ask::get(&["rates", from, to])).await
    }

    /// `PUT /rates/{from}/{to}`: the operator's own from the very next request on.
    ///
    /// # Errors
    /// 403 for another role than finance; 404 for what is no currency; 422.
    pub async fn set_rate(&self, from: &str, to: &str, rate: Amount) -> Result<RateChange> {
        let ask = Ask::set(&["rates", from, to]);
        self.0.data(ask.body(&SetRate { rate })?).await
    }

    /// The same with `preview=true`: nothing is written.
    ///
    /// # Errors
    /// As [`OperatorSession::set_rate`].
    pub async fn preview_rate(&self, from: &str, to: &str, rate: Amount) -> Result<RateChange> {
        let ask = Ask::of(Method::PUT, &["rates", from, to], Effort::Read).query(preview());
        self.0.data(ask.body(&SetRate { rate })?).await
    }

    /// `DELETE /rates/{from}/{to}`: takes the operator's own rate back. It is only sent again when it surely did nothing.
    ///
    /// # Errors
    /// 403 for another role than finance; 404 when there is none.
    pub async fn remove_rate(&self, from: &str, to: &str) -> Result<RemovedRate> {
        self.0.data(Ask::delete(&["rates", from, to])).await
    }

    /// `POST /rates/import`: the European Central Bank's daily file, XML or CSV, in the place of the one before; `force`
    /// takes one of an earlier day.
    ///
    /// # Errors
    /// 403 for another role than finance; 422 names the line.
    pub async fn import_rates(&self, file: &str, force: bool) -> Result<ImportedRates> {
        // To import the same file again does no harm.
        let ask = Ask::of(Method::POST, &["rates", "import"], Effort::Set);
        self.import(ask, file, force).await
    }

    /// The same with `preview=true`: nothing is written.
    ///
    /// # Errors
    /// As [`OperatorSession::import_rates`].
    pub async fn preview_import(&self, file: &str, force: bool) -> Result<ImportedRates> {
        let ask = Ask::reading(&["rates", "import"]).query(preview());
        self.import(ask, file, force).await
    }

    async fn import(&self, mut ask: Ask, file: &str, force: bool) -> Result<ImportedRates> {
        if force {
            ask.query.push(("force", "true".to_owned()));
        }
        let is_document = file.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        let kind = if is_document { "text/xml" } else { "text/csv" };
        self.0.data(ask.text(kind, file)).await
    }
}

fn preview() -> Vec<(&'static str, String)> {
    vec![("preview", "true".to_owned())]
}
