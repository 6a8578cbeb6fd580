//! Suppliers: how servers see them, our accounts there, whether anything new is sold of them, and look-to-book.

use chrono::{DateTime, NaiveDate, Utc};
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::OperatorSession;
use crate::{Amount, call::Ask, error::Result, retries::Effort};

/// A supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Supplier {
    /// Its code.
    pub code: String,
    /// `flight` or `hotel`; none where the server that answers does not buy of it.
    pub sells: Option<String>,
    /// Whether anything new is sold of it.
    pub for_sale: bool,
    /// Since when nothing new is sold, UTC.
    pub closed_at: Option<DateTime<Utc>>,
    /// Why: `account_empty`, or what an operator wrote.
    pub closed_reason: Option<String>,
    /// Our account there; none where nothing is known of it.
    pub account: Option<SupplierAccount>,
    /// What is wrong with it, the newest first.
    pub alarms: Vec<SupplierAlarm>,
    /// As each server sees it.
    pub servers: Vec<SupplierServer>,
    /// Calls of all servers in the last 60 minutes, this one so far, the oldest first.
    pub minutes: Vec<SupplierMinute>,
    /// What of its answers could not be read as it came in the last 30 days; what came last first.
    #[serde(default)]
    pub read_losses: Vec<SupplierReadLoss>,
}

/// Our account with a supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierAccount {
    /// What can be spent; none where nobody knows.
    pub available: Option<Amount>,
    /// What was there when it was seen.
    pub balance: Option<Amount>,
    /// What may be owed beyond it.
    pub credit: Option<Amount>,
    /// Of all amounts, ISO 4217.
    pub currency: Option<String>,
    /// What was ordered since the balance was stated.
    pub spent: Amount,
    /// When the balance was read or stated, UTC.
    pub seen_at: Option<DateTime<Utc>>,
    /// Whether an operator stated it.
    pub stated: bool,
    /// Below this an alarm is raised.
    pub warn_below: Option<Amount>,
    /// At this or below it nothing new is sold.
    pub stop_below: Option<Amount>,
}

/// Something that is wrong with a supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierAlarm {
    /// What it is, in a word.
    pub kind: String,
    /// When it was raised, UTC.
    pub raised_at: DateTime<Utc>,
    /// More of it.
    pub details: Value,
}

/// How one server sees a supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierServer {
    /// The server's name.
    pub name: String,
    /// Where it listens; none where it does not say so any more.
    pub address: Option<String>,
    /// When it said this, UTC.
    pub seen_at: DateTime<Utc>,
    /// Whether it has said nothing for a minute.
    pub is_gone: bool,
    /// Whether its circuit breaker lets calls through: `closed`, `open` or `half_open`.
    pub breaker: String,
    /// Until when that turns calls away, UTC.
    pub open_until: Option<DateTime<Utc>>,
    /// Until when the supplier is left alone because it is rate limiting, UTC.
    pub paused_until: Option<DateTime<Utc>>,
    /// How many calls may be under way at once.
    pub permits: u32,
    /// How many are.
    pub permits_used: u32,
    /// How many wait for a permit.
    pub permits_waiting: u32,
    /// How many calls ended in the last minute.
    pub calls: u64,
    /// Within so many milliseconds half of them ended; none without calls.
    pub p50_ms: Option<u64>,
    /// Within so many milliseconds 99 of a hundred ended; none without calls.
    pub p99_ms: Option<u64>,
    /// Those of them that brought nothing, by how they ended.
    pub errors: Vec<SupplierErrors>,
}

/// Calls that brought nothing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierErrors {
    /// How they ended, in a word.
    pub kind: String,
    /// How many.
    pub calls: u64,
}

/// Calls of all servers in a minute.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierMinute {
    /// When the minute began, UTC.
    pub minute: DateTime<Utc>,
    /// How many calls ended in it.
    pub calls: u64,
    /// How many of them brought nothing.
    pub errors: u64,
}

/// What of a supplier's answers could not be read as it came.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierReadLoss {
    /// The field, as the supplier names it.
    pub field: String,
    /// How, in a word.
    pub kind: String,
    /// How often.
    pub losses: u64,
    /// When it came first, UTC.
    pub first_at: DateTime<Utc>,
    /// When it came last, UTC.
    pub last_at: DateTime<Utc>,
    /// What was wrong the first time; empty where nothing more is known.
    pub example: String,
}

/// A supplier with what it refused and what operators did about it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierDetail {
    /// How it does.
    pub supplier: Supplier,
    /// What it refused in the last seven days, the most frequent reason first.
    pub refusals: Vec<SupplierRefusals>,
    /// What operators did about it, the newest first.
    pub events: Vec<SupplierEvent>,
}

/// How often a supplier refused something for one reason.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierRefusals {
    /// The reason that agencies were told.
    pub reason: String,
    /// How often.
    pub refusals: u64,
}

/// What an operator did about a supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct SupplierEvent {
    /// When, UTC.
    pub at: DateTime<Utc>,
    /// What, such as `supplier.closed`.
    pub action: String,
    /// The operator's name; none at the command line.
    pub by: Option<String>,
    /// What was said with it.
    pub details: Value,
}

/// When our account with a supplier is low, and when nothing new is sold; none: never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SupplierLimits {
    /// Below this an alarm is raised, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warn_below: Option<Amount>,
    /// At this or below it nothing new is sold, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_below: Option<Amount>,
}

/// How often each agency's searches were put to each supplier, beside its orders there.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct LookToBook {
    /// The first day, UTC.
    pub from: NaiveDate,
    /// The last day, UTC: today.
    pub to: NaiveDate,
    /// Most searches first.
    pub rows: Vec<LookToBookRow>,
}

/// Searches and orders of one agency at one supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct LookToBookRow {
    /// The agency's code.
    pub agent_id: String,
    /// The agency's name.
    pub name: String,
    /// The supplier's code.
    pub supplier: String,
    /// Searches because of which the supplier was asked.
    pub asked: u64,
    /// Searches that were served by an answer to somebody else.
    pub shared: u64,
    /// Orders that were made.
    pub booked: u64,
    /// Searches for each order; none while nothing is booked.
    pub look_to_book: Option<Amount>,
}

impl OperatorSession {
    /// `GET /suppliers`.
    ///
    /// # Errors
    /// See [`crate::Error`].
    pub async fn suppliers(&self) -> Result<Vec<Supplier>> {
        self.0.data(Ask::get(&["suppliers"])).await
    }

    /// `GET /suppliers/{code}`.
    ///
    /// # Errors
    /// 404.
    pub async fn supplier(&self, code: &str) -> Result<SupplierDetail> {
        self.0.data(Ask::get(&["suppliers", code])).await
    }

    /// `POST /suppliers/{code}/close`: nothing new is sold of it, until somebody opens it.
    ///
    /// # Errors
    /// 404; 422.
    pub async fn close_supplier(&self, code: &str, reason: &str) -> Result<()> {
        // To say it again does no harm.
        let ask = Ask::of(Method::POST, &["suppliers", code, "close"], Effort::Set);
        self.0.done(ask.body(&json!({ "reason": reason }))?).await
    }

    /// `POST /suppliers/{code}/open`: it is sold again, and alarms of our account and our credentials are closed.
    ///
    /// # Errors
    /// 404; 422.
    pub async fn open_supplier(&self, code: &str, note: Option<&str>) -> Result<()> {
        let ask = Ask::of(Method::POST, &["suppliers", code, "open"], Effort::Set);
        let body = match note {
            Some(note) => json!({ "note": note }),
            None => json!({}),
        };
        self.0.done(ask.body(&body)?).await
    }

    /// `PUT /suppliers/{code}/balance`: what our account there holds now, where the supplier does not tell.
    ///
    /// # Errors
    /// 404; 422.
    pub async fn state_supplier_balance(&self, code: &str, balance: Amount, currency: &str) -> Result<()> {
        // What was ordered since it was said would be forgotten if it were said again.
        let ask = Ask::of(Method::PUT, &["suppliers", code, "balance"], Effort::Once);
        self.0.done(ask.body(&json!({ "balance": balance, "currency": currency }))?).await
    }

    /// `PUT /suppliers/{code}/limits`.
    ///
    /// # Errors
    /// 404; 422.
    pub async fn set_supplier_limits(&self, code: &str, limits: &SupplierLimits) -> Result<()> {
        self.0.done(Ask::set(&["suppliers", code, "limits"]).body(limits)?).await
    }

    /// `GET /look-to-book`, of the last so many days, today included.
    ///
    /// # Errors
    /// 422 for more than 366.
    pub async fn look_to_book(&self, days: u32) -> Result<LookToBook> {
        let ask = Ask::get(&["look-to-book"]);
        self.0.data(ask.query(vec![("days", days.to_string())])).await
    }
}
