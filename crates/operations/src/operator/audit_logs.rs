//! Who did what: in an agency, as its own audit log has it, and beside agencies.

use chrono::NaiveDate;
use wayfare_boxed::boxed;
use wayfare_contract::operator::{NamedAuditEntry, NamedOperator, OperatorEvent};
use wayfare_domain::{AgencyCode, Faults, ListRequest, OperatorId, Page, PageRequest};
use wayfare_store::{
    events::audit_log::{AuditEntry, actor_names},
    operator::operator_events,
};

use super::agency_of;
use crate::{
    Platform, Result,
    agency::audit_log::{self, AuditFilter},
    tools::calendar::whole_days,
};

/// A page of the agency's entries, newest first: four statements. Days are those of its calendar.
///
/// # Errors
/// [`crate::Error::NotFound`] for an unknown agency; [`crate::Error::Invalid`] when `from` is after `to`.
#[boxed]
pub async fn audit_log(
    platform: &Platform,
    code: &AgencyCode,
    filter: AuditFilter,
    request: impl Into<ListRequest>,
) -> Result<Page<NamedAuditEntry>> {
    let mut connection = platform.core.database.connection().await?;
    let agency = agency_of(&mut connection, code).await?;
    let clock = (agency.time_zone, platform.core.clock.now());
    let page = audit_log::page(&mut connection, agency.id, clock, filter, request).await?;
    let actor = |entry: &AuditEntry| entry.user.map(|user| user.uuid());
    let actors: Vec<_> = page.items.iter().filter_map(actor).collect();
    let names = actor_names(&mut connection, agency.id, &actors).await?;
    Ok(page.map(|entry| NamedAuditEntry {
        by: actor(&entry).and_then(|actor| names.get(&actor).cloned()),
        entry: audit_log::shown(entry),
    }))
}

/// Which events of operators; nothing means all.
#[derive(Clone, Debug, Default)]
pub struct OperatorEventFilter {
    pub actor: Option<OperatorId>,
    /// What was done about this operator.
    pub operator: Option<OperatorId>,
    /// Those of this name; one that there is not has none.
    pub action: Option<String>,
    /// The first day, UTC.
    pub from: Option<NaiveDate>,
    /// The last day, whole, UTC.
    pub to: Option<NaiveDate>,
}

/// A page of what was done about operators, suppliers and exchange rates, which are of no agency, newest first.
///
/// # Errors
/// [`crate::Error::Invalid`] when `from` is after `to`.
#[boxed]
pub async fn operator_events(
    platform: &Platform,
    filter: OperatorEventFilter,
    request: PageRequest,
) -> Result<Page<OperatorEvent>> {
    let mut faults = Faults::default();
    let (since, before) = whole_days(filter.from, filter.to, wayfare_domain::Zone::UTC, &mut faults);
    faults.or(())?;
    let filter = operator_events::EventFilter {
        by: filter.actor,
        operator: filter.operator,
        action: filter.action,
        since,
        before,
    };
    let mut connection = platform.core.database.connection().await?;
    let named = |(id, name): (OperatorId, String)| NamedOperator { id: id.uuid(), name };
    Ok(operator_events::list(&mut connection, &filter, request).await?.map(|event| OperatorEvent {
        id: event.id.uuid(),
        at: event.at,
        by: event.by.map(named),
        action: event.action,
        operator: event.operator.map(named),
        details: event.value,
        ip_address: event.address,
    }))
}
