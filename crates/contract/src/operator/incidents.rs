//! Incidents: what the service can't settle by itself, and what operators decide about it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

#[cfg(feature = "schema")]
use crate::schema::{BookingRef, CurrencyCode};
use crate::{
    Amount,
    vocabulary::{BookingStatus, ClosedBy, IncidentKind, IncidentOutcome, StepKind},
};

/// Something that an operator has to look at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Incident {
    /// Its id.
    pub id: Uuid,
    /// What is out of order.
    pub kind: IncidentKind,
    /// The agency's code.
    pub agent_id: String,
    /// The agency's name.
    pub agency: String,
    /// The reference of the booking it is about.
    #[cfg_attr(feature = "schema", schemars(with = "BookingRef"))]
    pub booking_ref: String,
    /// Where the booking stands now.
    pub booking_status: BookingStatus,
    /// The money that is set aside for the booking now.
    pub money_held: Amount,
    /// Of that amount, ISO 4217.
    #[cfg_attr(feature = "schema", schemars(with = "CurrencyCode"))]
    pub currency: String,
    /// What is out of order, as it was when it was raised.
    pub problem: String,
    /// What there is to know of it, as its kind has it.
    pub details: Value,
    /// When it was raised.
    pub raised_at: DateTime<Utc>,
    /// The call to a supplier that it is about, if it is about one.
    pub step: Option<IncidentStep>,
    /// Who works on it, or did when they last said so.
    pub claimed_by: Option<IncidentClaim>,
    /// What was decided; null while nothing is.
    pub outcome: Option<IncidentOutcome>,
    /// The supplier's id of the order, as the operator learned it.
    pub order_id: Option<String>,
    /// Why, in the operator's words.
    pub note: Option<String>,
    /// The name of the operator who decided; null at the command line.
    pub resolved_by: Option<String>,
    /// Who closed it; null while it is open.
    pub closed_by: Option<ClosedBy>,
    /// When it was closed; null while it is open.
    pub closed_at: Option<DateTime<Utc>>,
}

/// What an incident's step asked of its supplier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IncidentStep {
    /// What it is to do.
    pub kind: StepKind,
    /// The supplier's code.
    pub supplier: String,
    /// Our own reference of the order it acts on.
    pub reference: String,
    /// The supplier's id of that order, where it is known.
    pub order_id: Option<String>,
    /// When it was sent at the earliest.
    pub sent_at: DateTime<Utc>,
    /// How often it was looked up.
    pub looked_up: i32,
    /// What last stood in the way of knowing its outcome.
    pub problem: Option<String>,
}

/// That an operator works on an incident.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IncidentClaim {
    /// Who.
    pub operator_id: Uuid,
    /// Their username.
    pub username: String,
    /// Their name.
    pub name: String,
    /// When they said so last.
    pub since: DateTime<Utc>,
}

/// An incident with its booking and all that happened to that, in order of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownIncident {
    /// The incident.
    pub incident: Incident,
    /// The booking, with its orders, as they stand.
    pub booking: Map<String, Value>,
    /// What happened: each with `at`, `what` and the rest.
    pub happened: Vec<Map<String, Value>>,
}

/// That an operator works on an incident.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ClaimIncidentRequest"))]
pub struct ClaimIncident {
    /// True: also where another operator works on it.
    pub take_over: bool,
}

/// What the operator decides.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResolveIncidentRequest"))]
pub struct Resolution {
    /// What became of it.
    pub outcome: IncidentOutcome,
    /// Under which id the supplier has the order, of a booking that is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// Who said so, or what was done about it.
    pub note: String,
    /// True: also where another operator works on it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub take_over: bool,
}
body! { Resolution of(outcome: IncidentOutcome, note: &str) { order_id: &str, take_over: bool } }
