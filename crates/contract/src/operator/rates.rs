//! Exchange rates: which ones count, those that the operator sets, and the European Central Bank's file.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Amount;
#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;

/// A rate of the operator's own.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SetRateRequest"))]
pub struct SetRate {
    /// Units of the second currency for one of the first.
    pub rate: Amount,
}

/// A rate and who quotes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuotedRate {
    /// Units of the second currency for one of the first.
    pub rate: Amount,
    /// Who quotes it: the operator, the configuration, or the European Central Bank.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["operator", "configuration", "ecb"])))]
    pub source: String,
    /// The day that it is of; null for the configuration's.
    pub day: Option<NaiveDate>,
}

/// The rate that counts from one currency to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExchangeRate {
    /// ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub from: String,
    /// ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub to: String,
    /// Units of `to` for one of `from`.
    pub rate: Amount,
    /// Who quotes it: the operator, the configuration, or the European Central Bank.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["operator", "configuration", "ecb"])))]
    pub source: String,
    /// The day that it is of; null for the configuration's.
    pub day: Option<NaiveDate>,
    /// So many days ago its day was; null for the configuration's.
    pub age_days: Option<i64>,
    /// When it was written; null for the configuration's.
    pub updated_at: Option<DateTime<Utc>>,
    /// Which operator set or imported it; null at the command line, and for the configuration's.
    pub set_by: Option<RateSetter>,
}

/// An operator who set a rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RateSetter {
    /// Their id.
    pub id: Uuid,
    /// Their name.
    pub name: String,
}

/// What a rate of the operator's own does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RateChange {
    /// ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub from: String,
    /// ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub to: String,
    /// What counts without it; null when nobody quotes one.
    pub before: Option<QuotedRate>,
    /// What counts with it.
    pub after: QuotedRate,
    /// What it does to a fare; null where that would be no money.
    pub fare: Option<FareAtRates>,
    /// False of a preview.
    pub written: bool,
}

/// A fare at two rates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FareAtRates {
    /// What a supplier asks.
    pub asked: Amount,
    /// Of that amount, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub asked_currency: String,
    /// What that comes to before; null without a rate.
    pub before: Option<Amount>,
    /// What it comes to then.
    pub after: Amount,
    /// Of both, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
}

/// A rate of the operator's own that was taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemovedRate {
    /// ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub from: String,
    /// ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub to: String,
    /// What it was.
    pub removed: Amount,
    /// What counts without it; null when nobody quotes one.
    pub after: Option<QuotedRate>,
}

/// What came of an import, or would.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ImportedRates {
    /// The day that the rates are of.
    pub day: NaiveDate,
    /// The day of those that they take the place of; null when there were none.
    pub before: Option<NaiveDate>,
    /// How many there are, each against the euro.
    pub rates: usize,
    /// Those that differ from the ones before, by currency.
    pub changes: Vec<ChangedRate>,
    /// Those of currencies that are none here.
    pub skipped: Vec<SkippedRate>,
    /// False of a preview.
    pub written: bool,
}

/// A rate that is another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChangedRate {
    /// ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// Units for one euro before; null where there was no rate.
    pub before: Option<Amount>,
    /// Units for one euro then; null where there is no rate any more.
    pub after: Option<Amount>,
    /// By how many per cent it differs, to two decimals; null where there is nothing to compare.
    pub percent: Option<Amount>,
}

/// A line that is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkippedRate {
    /// Its number, from 1.
    pub line: u32,
    /// What is written there for a currency.
    pub code: String,
}
