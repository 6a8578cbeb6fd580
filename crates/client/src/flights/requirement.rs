//! What a supplier wants of travellers beside their names (docs/API.md, Papers).

use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;

/// One thing that a supplier wants, or takes; Wayfare's addition.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Requirement {
    /// `passport`, `date_of_birth`, `gst`, …
    pub what: String,
    /// Of whom: `each_traveller`, `each_adult`, …, `booking`.
    pub whom: String,
    /// The members of the request's object that are wanted.
    pub fields: Vec<String>,
    /// Whether nothing is booked without it; none = only price knows.
    pub mandatory: Option<bool>,
    /// By when: `booking`, `ticketing`, `departure`.
    pub due: String,
    /// When that is, UTC.
    pub due_at: Option<DateTime<Utc>>,
    /// The paper must be valid on that day; none = on the day of the last arrival.
    pub valid_until: Option<NaiveDate>,
    /// Of memberships: whose programmes count.
    #[serde(default)]
    pub airlines: Vec<String>,
    /// The same in English.
    pub text: String,
}
