//! What is wanted of travellers beside their names, as answers print it.

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use wayfare_flights::{RequiredOf, Requirement, RequirementKind, Requirements};

/// One thing that is wanted, or taken.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Requirement")]
pub struct RequirementView {
    what: RequirementKind,
    whom: RequiredOf,
    fields: &'static [&'static str],
    mandatory: Option<bool>,
    #[schemars(extend("enum" = ["booking", "ticketing", "departure"]))]
    due: &'static str,
    due_at: Option<DateTime<Utc>>,
    valid_until: Option<NaiveDate>,
    /// Airlines whose programmes count; only beside `loyalty`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    airlines: Vec<String>,
    text: &'static str,
}

impl From<&Requirement> for RequirementView {
    fn from(requirement: &Requirement) -> Self {
        Self {
            what: requirement.what,
            whom: requirement.whom,
            fields: requirement.fields(),
            mandatory: requirement.mandatory,
            // No supplier wants anything later, or says by when.
            due: "booking",
            due_at: None,
            valid_until: requirement.valid_until,
            airlines: requirement.airlines.clone(),
            text: requirement.text(),
        }
    }
}

/// Each of them.
pub fn requirements(requires: &Requirements) -> Vec<RequirementView> {
    requires.iter().map(RequirementView::from).collect()
}
