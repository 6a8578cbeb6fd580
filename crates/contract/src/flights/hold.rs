//! The hold of a booking that is not paid yet.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::vocabulary::HoldState;

/// What became of the hold of a booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookingHold {
    /// Where it stands.
    pub state: HoldState,
    /// Until when it must be paid, UTC, or had to be; null where the supplier does not say.
    pub pay_by: Option<DateTime<Utc>>,
    /// Until when it keeps its price, UTC, or kept it; null where the supplier does not say.
    pub price_guaranteed_until: Option<DateTime<Utc>>,
    /// Whether the tickets are issued by the service itself before the hold lapses or loses its price.
    pub auto_ticket: bool,
    /// When somebody is reminded of the hold next, UTC; null where nobody is.
    pub next_reminder_at: Option<DateTime<Utc>>,
}
