//! Which bookings a list has (docs/API.md, After-sales, Lists).

use chrono::NaiveDate;

use crate::enums::{BookingGroup, BookingStatus};

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
