//! Who did what: in an agency, and beside agencies.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::OperatorSession;
use crate::{AuditEntry, AuditFilter, call::given, list::List};

/// An entry of an agency's audit log with the name of whoever did it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct NamedAuditEntry {
    /// The username of a user, an operator's name; none at the command line, for the service itself and whoever is gone.
    pub by: Option<String>,
    /// It.
    #[serde(flatten)]
    pub entry: AuditEntry,
}

/// Something that was done about an operator, a supplier or an exchange rate, which are of no agency.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct OperatorEvent {
    /// Its id.
    pub id: Uuid,
    /// When, UTC.
    pub at: DateTime<Utc>,
    /// Who did it; none at the command line, and where nobody has proven to be one.
    pub by: Option<NamedOperator>,
    /// What: `supplier.closed`.
    pub action: String,
    /// About whom; none where it is about no operator.
    pub operator: Option<NamedOperator>,
    /// What became of it.
    pub details: Value,
    /// From where; empty where that is not written down.
    pub ip_address: String,
}

/// An operator, by the name that they have now.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct NamedOperator {
    /// Their id.
    pub id: Uuid,
    /// Their name.
    pub name: String,
}

/// Which events of operators are wanted; none is all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperatorEventFilter {
    /// What this operator did.
    pub actor_id: Option<Uuid>,
    /// What was done about this operator.
    pub operator_id: Option<Uuid>,
    /// This action.
    pub action: Option<String>,
    /// Not before this day, UTC.
    pub from: Option<NaiveDate>,
    /// Not after this day, UTC.
    pub to: Option<NaiveDate>,
}

impl OperatorSession {
    /// `GET /agencies/{code}/audit-logs`, newest first. 404 for an unknown agency.
    pub fn agency_audit_logs(&self, code: &str, filter: &AuditFilter) -> List<NamedAuditEntry> {
        List::of(&self.0, &["agencies", code, "audit-logs"], filter.query())
    }

    /// `GET /events`: what was done about operators, suppliers and exchange rates, newest first. Of admins.
    pub fn operator_events(&self, filter: &OperatorEventFilter) -> List<OperatorEvent> {
        let query = [
            given("actor_id", filter.actor_id),
            given("operator_id", filter.operator_id),
            given("action", filter.action.as_ref()),
            given("from", filter.from),
            given("to", filter.to),
        ];
        List::of(&self.0, &["events"], query.into_iter().flatten().collect())
    }
}
