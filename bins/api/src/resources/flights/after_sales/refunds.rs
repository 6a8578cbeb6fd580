//! Refunds, and how one stands.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_domain::{BookingRef, BookingStatus, RefundStatus};
use wayfare_operations::{
    RefundTerms,
    flights::{RefundRow, RefundState},
};

use crate::{
    http::query::{FromQuery, Parameters},
    resources::flights::refund_amounts::RefundAmounts,
};

/// In which state the refunds of a list are to be, where it is said.
pub struct OfRefundStatus(pub Option<RefundStatus>);

impl FromQuery for OfRefundStatus {
    fn read(query: &mut Parameters) -> Self {
        Self(query.word("status"))
    }
}

/// A refund: one for each supplier order that was given back.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Refund")]
pub struct RefundRowView {
    booking_ref: BookingRef,
    pnr: String,
    booking_status: BookingStatus,
    refund_status: RefundStatus,
    provider_refund_id: String,
    #[serde(flatten)]
    amounts: RefundAmounts,
    agent_name: String,
    cancelled_at: Option<DateTime<Utc>>,
    refunded_at: Option<DateTime<Utc>>,
}

impl From<RefundRow> for RefundRowView {
    fn from(row: RefundRow) -> Self {
        let refund = row.refund;
        let amounts = RefundAmounts::from(&RefundTerms::from(&refund));
        Self {
            booking_ref: row.booking_ref,
            pnr: row.pnr,
            booking_status: row.booking_status,
            refund_status: refund.status,
            provider_refund_id: refund.provider_refund_id.unwrap_or_default(),
            amounts,
            agent_name: row.user_name,
            cancelled_at: row.cancelled_at,
            refunded_at: refund.refunded_at,
        }
    }
}

/// How a booking's refund stands.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RefundState")]
pub struct RefundStateView {
    booking_ref: BookingRef,
    status: RefundStatus,
    provider: String,
    #[serde(flatten)]
    amounts: RefundAmounts,
    refund_id: String,
    /// No supplier tells one.
    credit_note_no: &'static str,
    refunded_at: Option<DateTime<Utc>>,
    message: &'static str,
}

impl From<RefundState> for RefundStateView {
    fn from(state: RefundState) -> Self {
        Self {
            booking_ref: state.booking.reference,
            status: state.status,
            provider: state.booking.summary.provider,
            amounts: RefundAmounts::from(&state.terms),
            refund_id: state.provider_refund_ids.join(", "),
            credit_note_no: "",
            refunded_at: state.refunded_at,
            message: match state.status {
                RefundStatus::Pending => "the supplier has not been asked to carry the cancellation out yet",
                RefundStatus::Processing => "the supplier is at it",
                RefundStatus::Refunded => "the refund is in the wallet",
                RefundStatus::Failed => "the supplier did not cancel; nothing was refunded",
            },
        }
    }
}
