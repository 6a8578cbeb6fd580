//! Incidents: what the service can't settle by itself, and what operators decide about it.

use chrono::{DateTime, Utc};
use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::OperatorSession;
use crate::{Amount, List, call::Ask, error::Result, retries::Effort};

/// Which incidents are looked for: those that are open, the oldest first, unless `all`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IncidentFilter {
    /// Of this kind.
    pub kind: Option<String>,
    /// Of the agency with this code.
    pub agency: Option<String>,
    /// Closed ones too, the newest first.
    pub all: bool,
    /// Raised before this time, UTC.
    pub raised_before: Option<DateTime<Utc>>,
}

/// Something that an operator has to look at.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Incident {
    /// Its id.
    pub id: Uuid,
    /// What is out of order, in a word.
    pub kind: String,
    /// The agency's code.
    pub agent_id: String,
    /// The agency's name.
    pub agency: String,
    /// The booking it is about.
    pub booking_ref: String,
    /// Where the booking stands now.
    pub booking_status: String,
    /// The money that is set aside for the booking now.
    pub money_held: Amount,
    /// Of that amount, ISO 4217.
    pub currency: String,
    /// What is out of order, as it was when it was raised.
    pub problem: String,
    /// What there is to know of it, as its kind has it.
    pub details: Value,
    /// When it was raised, UTC.
    pub raised_at: DateTime<Utc>,
    /// The call to a supplier that it is about, if it is about one.
    pub step: Option<IncidentStep>,
    /// Who works on it, or did when they last said so.
    pub claimed_by: Option<IncidentClaim>,
    /// What was decided.
    pub outcome: Option<String>,
    /// The supplier's id of the order, as the operator learned it.
    pub order_id: Option<String>,
    /// Why, in the operator's words.
    pub note: Option<String>,
    /// The name of the operator who decided; none at the command line.
    pub resolved_by: Option<String>,
    /// Who closed it: `operator`, or `itself`; none while it is open.
    pub closed_by: Option<String>,
    /// When, UTC.
    pub closed_at: Option<DateTime<Utc>>,
}

/// What an incident's step asked of its supplier.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct IncidentStep {
    /// What it is to do.
    pub kind: String,
    /// The supplier's code.
    pub supplier: String,
    /// Our own reference of the order it acts on.
    pub reference: String,
    /// The supplier's id of that order, where it is known.
    pub order_id: Option<String>,
    /// When it was sent at the earliest, UTC.
    pub sent_at: DateTime<Utc>,
    /// How often it was looked up.
    pub looked_up: u32,
    /// What last stood in the way of knowing its outcome.
    pub problem: Option<String>,
}

/// That an operator works on an incident.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct IncidentClaim {
    /// Who.
    pub operator_id: Uuid,
    /// Their username.
    pub username: String,
    /// Their name.
    pub name: String,
    /// When they said so last, UTC.
    pub since: DateTime<Utc>,
}

/// An incident with its booking and all that happened to that, in order of time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ShownIncident {
    /// It.
    pub incident: Incident,
    /// The booking, with its orders, as they stand.
    pub booking: Map<String, Value>,
    /// What happened: each with `at`, `what` and the rest.
    pub happened: Vec<Map<String, Value>>,
}

/// What the operator decides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Resolution {
    /// `done`, `refused` or `noted`.
    pub outcome: String,
    /// Under which id the supplier has the order, of a booking that is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    /// Who said so, or what was done about it.
    pub note: String,
}

impl OperatorSession {
    /// `GET /incidents`.
    pub fn incidents(&self, filter: &IncidentFilter) -> List<Incident> {
        let given = [
            ("kind", filter.kind.clone()),
            ("agency", filter.agency.clone()),
            ("all", filter.all.then(|| "true".to_owned())),
            ("raised_before", filter.raised_before.map(|time| time.to_rfc3339())),
        ];
        let given = given.into_iter().filter_map(|(name, value)| Some((name, value?)));
        List::of(&self.0, &["incidents"], given.collect())
    }

    /// `GET /incidents/{id}`.
    ///
    /// # Errors
    /// 404.
    pub async fn incident(&self, id: Uuid) -> Result<ShownIncident> {
        self.0.data(Ask::get(&["incidents", &id.to_string()])).await
    }

    /// `POST /incidents/{id}/claim`: says that you work on it. Said again, it lasts longer.
    ///
    /// # Errors
    /// 404; 409 while somebody else works on it, or when it is closed.
    pub async fn claim(&self, id: Uuid) -> Result<Incident> {
        self.of_incident(id, "claim").await
    }

    /// The same of what somebody else works on.
    ///
    /// # Errors
    /// 404; 409 when it is closed.
    pub async fn take_over(&self, id: Uuid) -> Result<Incident> {
        let id = id.to_string();
        let ask = Ask::of(Method::POST, &["incidents", &id, "claim"], Effort::Set);
        self.0.data(ask.body(&serde_json::json!({ "take_over": true }))?).await
    }

    /// `POST /incidents/{id}/release`: says that nobody works on it any more.
    ///
    /// # Errors
    /// 404; 409 while somebody else works on it.
    pub async fn release(&self, id: Uuid) -> Result<Incident> {
        self.of_incident(id, "release").await
    }

    /// `POST /incidents/{id}/resolve`: decides. It is sent once: whether it was carried out is seen at the incident.
    ///
    /// # Errors
    /// 404; 409 when it is closed, or somebody else works on it; 422 for what does not fit.
    pub async fn resolve(&self, id: Uuid, resolution: &Resolution) -> Result<Incident> {
        let id = id.to_string();
        let ask = Ask::of(Method::POST, &["incidents", &id, "resolve"], Effort::Once);
        self.0.data(ask.body(resolution)?).await
    }

    async fn of_incident(&self, id: Uuid, what: &str) -> Result<Incident> {
        let id = id.to_string();
        // To say it again does no harm.
        let ask = Ask::of(Method::POST, &["incidents", &id, what], Effort::Set);
        self.0.data(ask).await
    }
}
