//! What happened to a booking, of flights or of a stay (docs/API.md, After-sales, Timeline).

use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::{
    Amount,
    enums::{RefundStatus, StepKind, TimelineKind, TimelineOutcome},
};

/// Something that happened to a booking; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct TimelineEntry {
    /// When, UTC.
    pub at: DateTime<Utc>,
    /// What it is of.
    pub what: TimelineKind,
    /// Of an event: its dotted name, such as `booking.confirmed`.
    pub action: Option<String>,
    /// Of an event, who did it: `org_user`, `operator` or `system`.
    pub by: Option<String>,
    /// What a supplier was asked for.
    pub step: Option<StepKind>,
    /// What became of that.
    pub outcome: Option<TimelineOutcome>,
    /// The number of the supplier order that it is about, from 1.
    pub order: Option<u16>,
    /// The code of the supplier that was asked.
    pub provider: Option<String>,
    /// What it was about: the booking's amount, or what moved.
    pub amount: Option<Amount>,
    /// Of the amount, ISO 4217.
    pub currency: Option<String>,
    /// Of a refund: where it stands now.
    pub refund_status: Option<RefundStatus>,
}
