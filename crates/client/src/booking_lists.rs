//! Which bookings a list has, and how many there are (docs/API.md, After-sales, Lists).

use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;

use crate::{
    Amount,
    enums::{BookingGroup, BookingStatus},
};

/// Which bookings; nothing means all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BookingFilter {
    /// Those that stand so.
    pub status: Option<BookingStatus>,
    /// Those of this group; Wayfare's addition.
    pub group: Option<BookingGroup>,
    /// Those that this names: a reference, a locator, a supplier's id, or a traveller as `LAST/FIRST`; Wayfare's addition.
    pub text: Option<String>,
    /// Those asked for on this day of the agency's or later; Wayfare's addition.
    pub from: Option<NaiveDate>,
    /// Those asked for on this day or earlier; Wayfare's addition.
    pub to: Option<NaiveDate>,
}

impl BookingFilter {
    pub(crate) fn query(&self) -> Vec<(&'static str, String)> {
        let pairs = [
            ("status", self.status.as_ref().map(ToString::to_string)),
            ("group", self.group.as_ref().map(ToString::to_string)),
            ("q", self.text.clone()),
            ("from", self.from.map(|day| day.to_string())),
            ("to", self.to.map(|day| day.to_string())),
        ];
        let pairs = pairs.into_iter();
        pairs.filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// How many bookings there are; Wayfare's addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct BookingCounts {
    /// By where they stand: each is one of these.
    pub by_status: StatusCounts,
    /// By what somebody looks for: one may be of several of these.
    pub by_group: GroupCounts,
}

/// How many bookings there are, by where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct StatusCounts {
    /// That are being confirmed.
    pub pending: u64,
    /// That stand.
    pub confirmed: u64,
    /// That were given back.
    pub cancelled: u64,
    /// That were refused.
    pub failed: u64,
}

/// How many bookings there are, by what somebody looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct GroupCounts {
    /// That wait for somebody.
    pub needs_attention: u64,
    /// Whose travel is not over.
    pub upcoming: u64,
    /// Of which something is held.
    pub on_hold: u64,
    /// Whose travel is over.
    pub past: u64,
    /// That were cancelled or have failed.
    pub ended: u64,
}

/// What a booking has cost until now; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct BookingCost {
    /// What the wallet paid: nothing while that is held, or where nothing was bought.
    pub charged: Amount,
    /// What came back of what was given back.
    pub refunded: Amount,
    /// When the last of that did, UTC.
    pub refunded_at: Option<DateTime<Utc>>,
    /// What the operator's rulings took beside; below zero where they gave.
    pub ruled: Amount,
    /// `charged` less `refunded`, with `ruled`.
    pub net: Amount,
}
