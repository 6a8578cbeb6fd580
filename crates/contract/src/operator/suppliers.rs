//! Suppliers: how each server sees them, our accounts there, what is wrong with them, whether anything new is sold of them, and how
//! often agencies search there for each order.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Amount, vocabulary::BreakerState};

/// A supplier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Supplier {
    /// The supplier's code.
    pub code: String,
    /// `flight` or `hotel`; null where the server that answers does not buy of it.
    pub sells: Option<String>,
    /// Whether anything new is sold of it. Orders that exist are looked after all the same.
    pub for_sale: bool,
    /// Since when nothing new is sold; null while it is for sale.
    pub closed_at: Option<DateTime<Utc>>,
    /// Why: `account_empty`, or what an operator wrote; null while it is for sale.
    pub closed_reason: Option<String>,
    /// Our account there; null where nothing is known of it.
    pub account: Option<SupplierAccount>,
    /// What is wrong with it, the newest first.
    pub alarms: Vec<SupplierAlarm>,
    /// As each server sees it. A server reports every 5 seconds, and one that is gone is listed for another hour.
    pub servers: Vec<SupplierServer>,
    /// Calls of all servers in the last 60 minutes, this one so far, the oldest first.
    pub minutes: Vec<SupplierMinute>,
    /// What of its answers could not be read as it came in the last 30 days, at all servers; the latest first.
    #[serde(default)]
    pub read_losses: Vec<SupplierReadLoss>,
}

/// Our account with a supplier.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierAccount {
    /// What can be spent; null where nobody knows.
    pub available: Option<Amount>,
    /// What was there when it was seen; null where nobody knows.
    pub balance: Option<Amount>,
    /// What may be owed beyond it.
    pub credit: Option<Amount>,
    /// Of all amounts, ISO 4217; null where nobody knows.
    pub currency: Option<String>,
    /// What was ordered since the balance was stated.
    pub spent: Amount,
    /// When the balance was read or stated.
    pub seen_at: Option<DateTime<Utc>>,
    /// Whether an operator stated it, because the supplier does not tell.
    pub stated: bool,
    /// Below this an alarm is raised; null: never.
    pub warn_below: Option<Amount>,
    /// At this or below it nothing new is sold; null: only where it could not pay.
    pub stop_below: Option<Amount>,
}

/// Something that is wrong with a supplier and that only the operator can mend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierAlarm {
    /// What it is: `account_empty`, `account_low`, `credentials`, `webhook_silent`, `looks_exhausted` or `read_losses`.
    pub kind: String,
    /// When it was raised.
    pub raised_at: DateTime<Utc>,
    /// More of it.
    pub details: Value,
}

/// How one server sees a supplier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierServer {
    /// The server's name.
    pub name: String,
    /// Where the server listens; null where it does not say so any more.
    pub address: Option<String>,
    /// When it said this.
    pub seen_at: DateTime<Utc>,
    /// Whether it has said nothing for a minute.
    pub is_gone: bool,
    /// Whether its circuit breaker lets calls through: all, none for a while, or the next one as a probe.
    pub breaker: BreakerState,
    /// Until when that turns calls away; null where it does not.
    pub open_until: Option<DateTime<Utc>>,
    /// Until when the supplier is left alone because it is rate limiting; null where it is not.
    pub paused_until: Option<DateTime<Utc>>,
    /// How many calls may be under way at once.
    pub permits: i32,
    /// How many are.
    pub permits_used: i32,
    /// How many wait for a permit.
    pub permits_waiting: i32,
    /// How many calls ended in the last minute.
    pub calls: i64,
    /// Within so many milliseconds half of them ended, at most an eighth too much; null without calls.
    pub p50_ms: Option<i64>,
    /// Within so many milliseconds 99 of a hundred ended, at most an eighth too much; null without calls.
    pub p99_ms: Option<i64>,
    /// Those of them that brought nothing, by how they ended.
    pub errors: Vec<SupplierErrors>,
}

/// Calls that brought nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierErrors {
    /// How they ended: `server_error`, `limited`, `unreachable`, `unknown`, or `not_sent` for want of a permit or at an open breaker.
    pub kind: String,
    /// How many.
    pub calls: u64,
}

/// Calls of all servers in a minute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierMinute {
    /// When the minute began.
    pub minute: DateTime<Utc>,
    /// How many calls ended in it.
    pub calls: i64,
    /// How many of them brought nothing.
    pub errors: i64,
}

/// What of a supplier's answers could not be read as it came. A part that can't be read costs no more than itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierReadLoss {
    /// The field, as the supplier names it: `offers[].owner.name`. `[]` is any item of a list, `*` any key of a map.
    pub field: String,
    /// How: `left_out` (it was left out), `rounded` (an amount with more digits than its currency has), `missing` (it is not there,
    /// where it always was), `unknown_word` (a word that nobody knows), `mismatch` (it comes twice and says two things).
    pub kind: String,
    /// How often.
    pub losses: i64,
    /// When it came first.
    pub first_at: DateTime<Utc>,
    /// When it came last.
    pub last_at: DateTime<Utc>,
    /// What was wrong the first time; empty where nothing more is known.
    pub example: String,
}

/// A supplier with what it refused and what operators did about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierDetail {
    /// The supplier.
    pub supplier: Supplier,
    /// What it refused in the last seven days, the most frequent reason first.
    pub refusals: Vec<SupplierRefusals>,
    /// What operators did about it, the newest first.
    pub events: Vec<SupplierEvent>,
}

/// How often a supplier refused something for one reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierRefusals {
    /// The reason that agencies were told.
    pub reason: String,
    /// How often.
    pub refusals: i64,
}

/// What an operator did about a supplier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SupplierEvent {
    /// When.
    pub at: DateTime<Utc>,
    /// What: `supplier.closed`, `supplier.opened`, `supplier.balance_stated` or `supplier.limits_set`.
    pub action: String,
    /// The operator's name; null at the command line.
    pub by: Option<String>,
    /// What was said with it.
    pub details: Value,
}

/// Why nothing new is to be sold of a supplier.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CloseSupplierRequest"))]
pub struct CloseSupplier {
    /// Why nothing new is sold. Whoever looks at the supplier reads it.
    pub reason: String,
}

/// What was done before a supplier is sold again.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OpenSupplierRequest"))]
pub struct OpenSupplier {
    /// What was done. It is kept with the alarms that this closes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What our account with a supplier holds, where the supplier does not tell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "StateSupplierBalanceRequest")
)]
pub struct StateSupplierBalance {
    /// What our account there holds now.
    pub balance: Amount,
    /// Of the balance.
    pub currency: String,
}

/// When our account with a supplier is low, and when nothing new is sold. What is left out is removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SetSupplierLimitsRequest"))]
pub struct SupplierLimits {
    /// Below this an alarm is raised, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warn_below: Option<Amount>,
    /// At this or below it nothing new is sold, in the account's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_below: Option<Amount>,
}
body! { SupplierLimits { warn_below: Amount, stop_below: Amount } }

/// How often each agency's searches were put to each supplier, beside its orders there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LookToBook {
    /// The first day, UTC.
    pub from: NaiveDate,
    /// The last day, UTC: today.
    pub to: NaiveDate,
    /// Most searches first.
    pub rows: Vec<LookToBookRow>,
}

/// Searches and orders of one agency at one supplier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LookToBookRow {
    /// The agency's code.
    pub agent_id: String,
    /// The agency's name.
    pub name: String,
    /// The supplier's code.
    pub supplier: String,
    /// Searches because of which the supplier was asked.
    pub asked: i64,
    /// Searches that were served by an answer to somebody else.
    pub shared: i64,
    /// Orders that were made.
    pub booked: i64,
    /// Searches for each order; null while nothing is booked.
    pub look_to_book: Option<Amount>,
}
