//! Who did what: in an agency, and beside agencies.

use chrono::NaiveDate;
use uuid::Uuid;
use wayfare_contract::operator::{NamedAuditEntry, OperatorEvent};

use super::OperatorSession;
use crate::{AuditFilter, call::given, list::List};

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
