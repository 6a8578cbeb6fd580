//! Reports: files that are made of what the database knows.

use schemars::JsonSchema;
use serde::Serialize;
use strum::{AsRefStr, EnumString, IntoStaticStr, VariantNames};

/// What a report tells (P-36).
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    AsRefStr,
    EnumString,
    IntoStaticStr,
    VariantNames,
    Serialize,
    JsonSchema,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ReportKind {
    /// Each movement of money for a booking.
    Sales,
    /// What each agent booked, paid and earned.
    AgentActivity,
    /// Each booking.
    Booking,
    /// Each transaction of a wallet.
    Wallet,
}

/// How far a report is (P-123).
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, EnumString, IntoStaticStr, Serialize, JsonSchema)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum ReportStatus {
    /// Nobody has begun it.
    Queued,
    /// Somebody is at it, or was and will be again.
    Processing,
    /// Its file is there, or has been.
    Ready,
    /// It was given up.
    Failed,
}
