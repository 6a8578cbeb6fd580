//! Giving flight bookings back, all of them or a part.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CurrencyCode};
use crate::{Amount, RefundAmounts, vocabulary::BookingStatus};

/// A part of a booking; nothing said is all that stands. What is said and empty is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedPart {
    /// Which journeys are given back, by their `leg_index`; all where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journeys: Option<Vec<usize>>,
    /// Flights that are given back, by their `segment_id`: all of their journeys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segments: Option<Vec<String>>,
    /// Which travellers are taken off, by their `pax_id`; all who fly the journeys where nobody is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passengers: Option<Vec<String>>,
}
body! { NamedPart { journeys: Vec<usize>, segments: Vec<String>, passengers: Vec<String> } }

/// What of a booking is given back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CancelFlightBookingRequest"))]
pub struct FlightCancel {
    /// Which part.
    #[serde(flatten)]
    pub part: NamedPart,
    /// For the audit log and for suppliers that read one, at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remarks: Option<String>,
}
body! { FlightCancel { part: NamedPart, remarks: &str } }

/// What of a booking would be given back, or which schedule change would be refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FlightPenaltyRequest"))]
pub struct PenaltyRequest {
    /// Which part of the booking.
    #[serde(flatten)]
    pub part: NamedPart,
    /// A schedule change that would be refused: what that would give back. It is named alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Uuid>,
}
body! { PenaltyRequest { part: NamedPart, change: Uuid } }

/// What a part of a booking is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartOfBooking {
    /// Which journeys of the booking, by their `leg_index`.
    pub journeys: Vec<usize>,
    /// Its travellers, by their `pax_id`.
    pub passengers: Vec<String>,
}

/// What stands beside a part that is given back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RestOfBooking {
    /// What was paid for it.
    pub total_payable: Amount,
}

/// What cancelling would cost now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightPenalty {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// What the wallet paid for what would be given back, changes included: less the next three, and with `waived`, it is
    /// `refund_amount`.
    pub total_paid: Amount,
    /// What the suppliers keep.
    pub penalty: Amount,
    /// What of the platform's charges is kept.
    pub platform_charges: Amount,
    /// What earlier changes cost beside the difference of the fares, which never comes back.
    pub change_penalties: Amount,
    /// What is kept beyond what was paid, and so is charged to nobody: a refund is never below zero.
    pub waived: Amount,
    /// What would come back to the wallet.
    pub refund_amount: Amount,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// Of a change that would be refused: that nothing is cancelled then, and the operator is asked to get all of it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asks_operator: Option<bool>,
    /// Which part of the booking it is of; left out where it is all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "PartOfBooking"))]
    pub part: Option<PartOfBooking>,
    /// What stands beside that part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "RestOfBooking"))]
    pub rest: Option<RestOfBooking>,
}

/// A cancellation that was carried out; the refund is in the wallet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FlightCancellation"))]
pub struct FlightCancelled {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// Where it stands.
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["cancelled"])))]
    pub status: BookingStatus,
    /// What returned, and what was kept.
    #[serde(flatten)]
    pub amounts: RefundAmounts,
    /// Which part of the booking it is of; left out where it is all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "PartOfBooking"))]
    pub part: Option<PartOfBooking>,
    /// What stands beside that part.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "RestOfBooking"))]
    pub rest: Option<RestOfBooking>,
}

wayfare_digits::keep_digits!(FlightCancelled);

/// What is told of something whose outcome is not known yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FlightPending {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The outcome is not known yet.
    #[serde(serialize_with = "crate::capitals::serialize")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["PENDING"])))]
    pub status: BookingStatus,
}
