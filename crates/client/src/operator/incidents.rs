//! Incidents: what the service can't settle by itself, and what operators decide about it.

use chrono::{DateTime, Utc};
use reqwest::Method;
use uuid::Uuid;
use wayfare_boxed::boxed;
use wayfare_contract::operator::{ClaimIncident, Incident, Resolution, ShownIncident};

use super::OperatorSession;
use crate::{List, call::Ask, error::Result, retries::Effort};

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

#[boxed]
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
        self.0.data(ask.body(&ClaimIncident { take_over: true })?).await
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
