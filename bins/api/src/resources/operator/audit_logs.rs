//! Who did what: in an agency, as its own audit log has it, and beside agencies.

use actix_web::web::Path;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use wayfare_domain::{AgencyCode, EventId, ListRequest, OperatorId, PageRequest};
use wayfare_operations::{
    access::operators::{OperatorAdmin, Viewer},
    agency::audit_log::AuditFilter,
    operator::{self, NamedEntry, OperatorEvent, OperatorEventFilter},
};

use crate::{
    http::{
        App,
        extract::{Ask, Query},
        query::{FromQuery, Parameters},
        reply::{Paged, Replied, paged},
    },
    resources::organization::AuditEntry,
};

/// `GET /agencies/{code}/audit-logs`.
pub async fn of_agency(
    app: App,
    ask: Ask<Viewer, Query<(ListRequest, AuditFilter)>>,
    code: Path<String>,
) -> Replied<Paged<NamedEntryView>> {
    let Query((page, filter)) = ask.what;
    let code = AgencyCode::from(code.into_inner());
    paged(operator::audit_log(&app, &code, filter, page).await?, NamedEntryView::from)
}

/// `GET /events`.
pub async fn of_operators(
    app: App,
    ask: Ask<OperatorAdmin, Query<(PageRequest, OperatorEventFilter)>>,
) -> Replied<Paged<EventView>> {
    let Query((page, filter)) = ask.what;
    paged(operator::operator_events(&app, filter, page).await?, EventView::from)
}

impl FromQuery for OperatorEventFilter {
    fn read(query: &mut Parameters) -> Self {
        Self {
            actor: query.id("actor_id"),
            operator: query.id("operator_id"),
            action: query.text("action"),
            from: query.date("from"),
            to: query.date("to"),
        }
    }
}

/// An entry of an agency's audit log with the name of whoever did it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NamedAuditEntry")]
pub struct NamedEntryView {
    /// The username of a user, an operator's name; null at the command line, for the service itself and whoever is gone.
    by: Option<String>,
    #[serde(flatten)]
    entry: AuditEntry,
}

/// Something that was done about an operator, a supplier or an exchange rate, which are of no agency.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OperatorEvent")]
pub struct EventView {
    /// Its id.
    id: EventId,
    /// When.
    at: DateTime<Utc>,
    /// Who did it; null at the command line, and where nobody has proven to be one.
    by: Option<NamedOperator>,
    /// What: `supplier.closed`.
    action: String,
    /// About whom; null where it is about no operator.
    operator: Option<NamedOperator>,
    /// What became of it.
    #[schemars(with = "Map<String, Value>")]
    details: Value,
    /// From where; empty where that is not written down.
    ip_address: String,
}

/// An operator, by the name that they have now.
#[derive(Serialize, JsonSchema)]
struct NamedOperator {
    /// Their id.
    id: OperatorId,
    /// Their name.
    name: String,
}

impl From<NamedEntry> for NamedEntryView {
    fn from(named: NamedEntry) -> Self {
        Self { by: named.by, entry: named.entry.into() }
    }
}

impl From<OperatorEvent> for EventView {
    fn from(event: OperatorEvent) -> Self {
        let named = |(id, name)| NamedOperator { id, name };
        Self {
            id: event.id,
            at: event.at,
            by: event.by.map(named),
            action: event.action,
            operator: event.operator.map(named),
            details: event.value,
            ip_address: event.address,
        }
    }
}
