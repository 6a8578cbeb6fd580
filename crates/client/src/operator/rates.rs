//! Exchange rates: which ones count, those that the operator sets, and the European Central Bank's file.

use chrono::{DateTime, NaiveDate, Utc};
use reqwest::Method;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::OperatorSession;
use crate::{Amount, call::Ask, error::Result, retries::Effort};

/// A rate and who quotes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct QuotedRate {
    /// Units of the second currency for one of the first.
    pub rate: Amount,
    /// `operator`, `configuration` or `ecb`.
    pub source: String,
    /// The day that it is of; none for the configuration's.
    pub day: Option<NaiveDate>,
}

/// The rate that counts from one currency to another.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ExchangeRate {
    /// ISO 4217.
    pub from: String,
    /// ISO 4217.
    pub to: String,
    /// Units of `to` for one of `from`.
    pub rate: Amount,
    /// `operator`, `configuration` or `ecb`.
    pub source: String,
    /// The day that it is of; none for the configuration's.
    pub day: Option<NaiveDate>,
    /// So many days ago that was; none for the configuration's.
    pub age_days: Option<i64>,
    /// When it was written, UTC; none for the configuration's.
    pub updated_at: Option<DateTime<Utc>>,
    /// Which operator set or imported it; none at the command line, and for the configuration's.
    pub set_by: Option<RateSetter>,
}

/// An operator who set a rate.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct RateSetter {
    /// Their id.
    pub id: Uuid,
    /// Their name.
    pub name: String,
}

/// What a rate of the operator's own does.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RateChange {
    /// ISO 4217.
    pub from: String,
    /// ISO 4217.
    pub to: String,
    /// What counts without it; none when nobody quotes one.
    pub before: Option<QuotedRate>,
    /// What counts with it.
    pub after: QuotedRate,
    /// What it does to a fare; none where that would be no money.
    pub fare: Option<FareAtRates>,
    /// False of a preview.
    pub written: bool,
}

/// A fare at two rates.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct FareAtRates {
    /// What a supplier asks.
    pub asked: Amount,
    /// Of that amount, ISO 4217.
    pub asked_currency: String,
    /// What it comes to before; none without a rate.
    pub before: Option<Amount>,
    /// What it comes to then.
    pub after: Amount,
    /// Of both, ISO 4217.
    pub currency: String,
}

/// A rate of the operator's own that was taken back.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RemovedRate {
    /// ISO 4217.
    pub from: String,
    /// ISO 4217.
    pub to: String,
    /// What it was.
    pub removed: Amount,
    /// What counts without it; none when nobody quotes one.
    pub after: Option<QuotedRate>,
}

/// What came of an import, or would.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ImportedRates {
    /// The day that the rates are of.
    pub day: NaiveDate,
    /// The day of those that they take the place of; none when there were none.
    pub before: Option<NaiveDate>,
    /// How many there are, each against the euro.
    pub rates: u64,
    /// Those that differ from the ones before, by currency.
    pub changes: Vec<ChangedRate>,
    /// Those of currencies that the service does not know.
    pub skipped: Vec<SkippedRate>,
    /// False of a preview.
    pub written: bool,
}

/// A rate that is another one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ChangedRate {
    /// ISO 4217.
    pub currency: String,
    /// Units for one euro before; none where there was no rate.
    pub before: Option<Amount>,
    /// Units for one euro then; none where there is no rate any more.
    pub after: Option<Amount>,
    /// By how many per cent it differs; none where there is nothing to compare.
    pub percent: Option<Amount>,
}

/// A line that is left out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct SkippedRate {
    /// Its number, from 1.
    pub line: u32,
    /// What is written there for a currency.
    pub code: String,
}

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
        self.0.data(ask.body(&json!({ "rate": rate }))?).await
    }

    /// The same with `preview=true`: nothing is written.
    ///
    /// # Errors
    /// As [`OperatorSession::set_rate`].
    pub async fn preview_rate(&self, from: &str, to: &str, rate: Amount) -> Result<RateChange> {
        let ask = Ask::of(Method::PUT, &["rates", from, to], Effort::Read).query(preview());
        self.0.data(ask.body(&json!({ "rate": rate }))?).await
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
