//! Who did what: in an agency, as its own audit log has it, and beside agencies.

use actix_web::web::Path;
use wayfare_contract::operator::{NamedAuditEntry, OperatorEvent};
use wayfare_domain::{AgencyCode, ListRequest, PageRequest};
use wayfare_operations::{
    access::operators::{OperatorAdmin, Viewer},
    agency::audit_log::AuditFilter,
    operator::{self, OperatorEventFilter},
};

use crate::http::{
    App,
    extract::{Ask, Query},
    query::{FromQuery, Parameters},
    reply::{Paged, Replied, paged},
};

/// `GET /agencies/{code}/audit-logs`.
pub async fn of_agency(
    app: App,
    ask: Ask<Viewer, Query<(ListRequest, AuditFilter)>>,
    code: Path<String>,
) -> Replied<Paged<NamedAuditEntry>> {
    let Query((page, filter)) = ask.what;
    let code = AgencyCode::from(code.into_inner());
    paged(operator::audit_log(&app, &code, filter, page).await?)
}

/// `GET /events`.
pub async fn of_operators(
    app: App,
    ask: Ask<OperatorAdmin, Query<(PageRequest, OperatorEventFilter)>>,
) -> Replied<Paged<OperatorEvent>> {
    let Query((page, filter)) = ask.what;
    paged(operator::operator_events(&app, filter, page).await?)
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
