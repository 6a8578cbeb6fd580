//! What bookings of flights and of stays have in common: how many there are, what they have cost, what happened to them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use crate::schema::{ActorWord, BookingRef, CurrencyCode, TimelineAction};
use crate::{
    Amount,
    vocabulary::{BookingStatus, PendingWhat, RefundStatus, StepKind, TimelineKind, TimelineOutcome},
};

/// How many bookings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookingCounts {
    /// How many there are in each state; a booking is in one.
    pub by_status: StatusCounts,
    /// How many there are of each group; a booking may be of several.
    pub by_group: GroupCounts,
}

/// How many there are by where they stand: each is one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookingStatusCounts"))]
pub struct StatusCounts {
    /// How many are being confirmed.
    pub pending: i64,
    /// How many stand.
    pub confirmed: i64,
    /// How many were given back.
    pub cancelled: i64,
    /// How many were refused.
    pub failed: i64,
}

/// How many there are by what somebody looks for: one may be of several of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "BookingGroupCounts"))]
pub struct GroupCounts {
    /// How many wait for somebody.
    pub needs_attention: i64,
    /// How many are confirmed and their travel is not over.
    pub upcoming: i64,
    /// How many have something that is held.
    pub on_hold: i64,
    /// How many are confirmed and their travel is over.
    pub past: i64,
    /// How many were cancelled or have failed.
    pub ended: i64,
}

/// What a booking of either product shows wherever it is listed or looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookedFacts {
    /// When it was erased whom the booking is for: their names are empty then, the rest null. Left out until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people_erased_at: Option<DateTime<Utc>>,
}

/// What a booking has cost until now, in its currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BookingCost {
    /// What the wallet paid: nothing while that is held, or where nothing was bought.
    pub charged: Amount,
    /// What came back of what was given back.
    pub refunded: Amount,
    /// When the last of `refunded` was in the wallet; null where nothing was.
    pub refunded_at: Option<DateTime<Utc>>,
    /// What the operator's rulings took beside; below zero where they gave.
    pub ruled: Amount,
    /// `charged` less `refunded`, with `ruled`.
    pub net: Amount,
}

/// Something that is under way on a booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PendingStep {
    /// What is under way.
    pub what: PendingWhat,
    /// Since when, UTC.
    pub since: DateTime<Utc>,
}

/// Something that happened to a booking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimelineEntry {
    /// When, UTC.
    pub at: DateTime<Utc>,
    /// What the entry is of.
    pub what: TimelineKind,
    /// Of an `event`: its dotted name, such as `booking.confirmed`; null of others.
    #[cfg_attr(feature = "schema", schemars(with = "Option<TimelineAction>"))]
    pub action: Option<String>,
    /// Of an event, who did it: `org_user`, `operator` or `system`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<ActorWord>"))]
    pub by: Option<String>,
    /// Of an `asked` or `answered`: what the supplier was to do; null of others.
    pub step: Option<StepKind>,
    /// Of an `answered`: whether the supplier did it; null of others.
    pub outcome: Option<TimelineOutcome>,
    /// The number of the supplier order that it is about, from 1; null of what is about the booking.
    pub order: Option<u16>,
    /// The supplier that was asked; null of others.
    pub provider: Option<String>,
    /// What it was about: the booking's amount, or what moved; null where it is about none.
    pub amount: Option<Amount>,
    /// Of the amount, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "Option<CurrencyCode>"))]
    pub currency: Option<String>,
    /// Of a `refund`: where it stands now; null of others.
    pub refund_status: Option<RefundStatus>,
}

/// What returns of what was paid, and what is kept of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefundAmounts {
    /// What the supplier keeps.
    pub cancellation_charge: Amount,
    /// What the supplier gives back.
    pub provider_refund_amount: Amount,
    /// What of the platform's charges is kept.
    pub platform_charges: Amount,
    /// What comes back to the wallet.
    pub refund_to_wallet: Amount,
    /// Of these amounts, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
}

/// Money on its way back: a row for each supplier order that was given back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Refund"))]
pub struct RefundRow {
    /// The booking's reference, such as `FA-7K2M9Q4X`.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// The airline's or supplier's record locator; "" while there is none.
    pub pnr: String,
    /// Where the booking stands.
    pub booking_status: BookingStatus,
    /// Where the refund stands.
    pub refund_status: RefundStatus,
    /// The supplier's id of it; empty until it tells one.
    pub provider_refund_id: String,
    /// What returned, and what was kept.
    #[serde(flatten)]
    pub amounts: RefundAmounts,
    /// The name of the user who booked.
    pub agent_name: String,
    /// When it was cancelled; null if it is not.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// When the money was in the wallet; null until then.
    pub refunded_at: Option<DateTime<Utc>>,
}

wayfare_digits::keep_digits!(RefundRow);
