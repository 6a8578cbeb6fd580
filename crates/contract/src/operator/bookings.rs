//! The booking desk: bookings of all agencies, seen, corrected and ruled on.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::CurrencyCode;
use crate::{
    Amount,
    vocabulary::{CorrectedField, FeesRuling, RulingKind, RulingState},
};

/// A booking as the operator sees it, with all that happened to it, in order of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeskBooking {
    /// The booking with its orders, as they stand.
    pub booking: Map<String, Value>,
    /// What happened: each with `at`, `what` and the rest.
    pub happened: Vec<Map<String, Value>>,
}

/// How many of a booking's orders were polled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Looked {
    /// How many orders were made due.
    pub orders: usize,
    /// How many of them a server took in time.
    pub looked: usize,
}

/// A ruling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ruling {
    /// Its id.
    pub id: Uuid,
    /// The number of the order in its booking.
    pub order: u16,
    /// What was ruled.
    pub kind: RulingKind,
    /// Whether it is done, or due while a wallet does not cover it.
    pub state: RulingState,
    /// How much.
    pub amount: Amount,
    /// Of that amount, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What moved in the wallet.
    pub moved: Amount,
    /// Of that amount, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub moved_currency: String,
    /// The transfer; null where none was made.
    pub transfer_id: Option<Uuid>,
    /// The incident that it settled; null where it settled none.
    pub incident_id: Option<Uuid>,
    /// Why.
    pub note: String,
    /// When it was ruled.
    pub ruled_at: DateTime<Utc>,
    /// When a debit note was collected; null of others, and until then.
    pub collected_at: Option<DateTime<Utc>>,
}

/// A number of an order that is corrected by hand.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CorrectBookingRequest"))]
pub struct Correction {
    /// The number of the order in its booking, from 1.
    pub order: u16,
    /// What is corrected.
    pub field: CorrectedField,
    /// As it is printed; blanks and hyphens in it do not count.
    pub number: String,
    /// Of a ticket: the traveller whose it is, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traveller: Option<u32>,
    /// Of a hotel's number: the room, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<u16>,
    /// Who said so.
    pub note: String,
}
body! { Correction of(order: u16, field: CorrectedField, number: &str, note: &str) { traveller: u32, room: u16 } }

/// A ruling that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RuleRequest"))]
pub struct RulingRequest {
    /// The number of the order in its booking, from 1.
    pub order: u16,
    /// What is ruled.
    pub kind: RulingKind,
    /// How much: of `supplier_cancelled` in the currency in which the supplier charged, else in the wallet's.
    pub amount: Amount,
    /// Of `supplier_cancelled`: whether the operator's own fees come back; they do without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fees: Option<FeesRuling>,
    /// True: the operator bears a refund, and not the supplier.
    pub from_loss: bool,
    /// The amount once more, where it is more than the order cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount_again: Option<Amount>,
    /// True: also where another operator works on the incident.
    pub take_over: bool,
    /// Why.
    pub note: String,
    /// The incident that it settles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub incident_id: Option<Uuid>,
}
body! { RulingRequest of(order: u16, kind: RulingKind, amount: impl Into<Amount>, note: &str) {
    fees: FeesRuling, from_loss: bool, amount_again: Amount, take_over: bool, incident_id: Uuid,
} }

/// Why a debit note that is due is not charged any more.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WithdrawRulingRequest"))]
pub struct WithdrawRuling {
    /// Why.
    pub note: String,
}
