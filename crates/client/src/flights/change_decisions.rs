//! What became of airlines' changes that were decided on, and what can be flown instead (docs/API.md, After-sales).

use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use super::after_sales::NewItinerary;
use crate::{Amount, enums::ChangeState};

/// A change that was decided on; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct DecidedChange {
    /// The booking.
    pub booking_ref: String,
    /// The change.
    pub id: Uuid,
    /// Where it stands.
    pub state: ChangeState,
    /// When it was decided, UTC.
    pub decided_at: Option<DateTime<Utc>>,
    /// What came back of the order; none where it was not given back.
    pub cancellation: Option<RefusedOrder>,
    /// The number of the journey that is to be flown otherwise, where other flights were asked for.
    pub journey: Option<usize>,
    /// What can be flown instead of it.
    pub itineraries: Option<Vec<NewItinerary>>,
}

/// What came back of an order that was given back because a change was refused; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct RefusedOrder {
    /// What the supplier keeps.
    pub cancellation_charge: Amount,
    /// What it gives back.
    pub provider_refund_amount: Amount,
    /// Fees that stay.
    pub platform_charges: Amount,
    /// What came back.
    pub refund_to_wallet: Amount,
    /// Of these amounts, ISO 4217.
    pub currency: String,
}
