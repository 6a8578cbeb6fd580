//! Incidents: what the service can't settle by itself, and what operators decide about it.

use actix_web::web::Path;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use wayfare_domain::{
    AgencyCode, Amount, BookingRef, BookingStatus, ClosedBy, Currency, IncidentId, IncidentKind,
    IncidentOutcome, OperatorId, PageRequest, StepKind,
};
use wayfare_operations::{
    Incident, Resolution, StepAsked,
    access::operators::{Desk, OperatorProof, Viewer},
    engine::{
        incidents::{self, IncidentSearch, TakeOver},
        resolution,
    },
    operator::desk,
};

use crate::{
    http::{
        App,
        extract::{Ask, Body, Maybe, Nothing, Query},
        json_body::{Example, FromJson, JsonObject},
        query::{FromQuery, Parameters},
        reply::{Data, Paged, Replied, data, paged},
    },
    resources::common::{CurrencyCode, record_id},
};

/// More characters than this are no note.
pub const LONGEST_NOTE: usize = 2000;

/// `GET /incidents`.
pub async fn list(
    app: App,
    ask: Ask<Viewer, Query<(PageRequest, IncidentSearch)>>,
) -> Replied<Paged<IncidentView>> {
    let Query((page, search)) = ask.what;
    paged(incidents::list(&app, search, page).await?, IncidentView::from)
}

/// `GET /incidents/{id}`.
pub async fn get(app: App, _: Ask<Viewer, Nothing>, id: Path<String>) -> Replied<Data<ShownIncident>> {
    let incident = incidents::show(&app, record_id(&id)?).await?;
    let shown = desk::overview(&app, &incident.booking_ref).await?;
    data(ShownIncident { incident: incident.into(), booking: shown.booking, happened: shown.happened })
}

/// `POST /incidents/{id}/claim`.
pub async fn claim(
    app: App,
    ask: Ask<Desk, Maybe<ClaimBody>>,
    id: Path<String>,
) -> Replied<Data<IncidentView>> {
    let Maybe(body) = ask.what;
    let ClaimBody(take_over) = body.unwrap_or_default();
    let incident = incidents::claim(&app, &ask.who, record_id(&id)?, take_over).await?;
    data(IncidentView::from(incident))
}

/// `POST /incidents/{id}/release`.
pub async fn release(app: App, ask: Ask<Desk, Nothing>, id: Path<String>) -> Replied<Data<IncidentView>> {
    let incident = incidents::release(&app, &ask.who, record_id(&id)?).await?;
    data(IncidentView::from(incident))
}

/// `POST /incidents/{id}/resolve`.
pub async fn resolve(
    app: App,
    ask: Ask<Desk, Body<ResolveBody>>,
    id: Path<String>,
) -> Replied<Data<IncidentView>> {
    let Body(ResolveBody { resolution: wanted, take_over }) = ask.what;
    let id = record_id(&id)?;
    if take_over == TakeOver::Yes {
        incidents::claim(&app, &ask.who, id, take_over).await?;
    }
    let incident = resolution::resolve(&app, ask.who.by(), id, &wanted).await?;
    data(IncidentView::from(incident))
}

/// `POST /incidents/{id}/claim`.
#[derive(Default)]
pub struct ClaimBody(TakeOver);

impl FromJson for ClaimBody {
    const NAME: &str = "ClaimIncidentRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        Some(Self(take_over(body)))
    }

    fn examples() -> Vec<Example> {
        vec![("taken over", json!({ "take_over": true })), ("nobody's yet", json!({}))]
    }
}

/// Whether what another operator works on is taken over.
pub fn take_over(body: &mut JsonObject<'_>) -> TakeOver {
    match body.boolean("take_over") {
        Some(true) => TakeOver::Yes,
        Some(false) | None => TakeOver::No,
    }
}

/// `POST /incidents/{id}/resolve`.
pub struct ResolveBody {
    resolution: Resolution,
    take_over: TakeOver,
}

impl FromQuery for IncidentSearch {
    fn read(query: &mut Parameters) -> Self {
        let all = query.word::<YesNo>("all") == Some(YesNo::True);
        Self {
            all,
            kind: query.word("kind"),
            agency: query.text("agency").map(AgencyCode::from),
            raised_before: query.instant("raised_before"),
            oldest_first: !all,
        }
    }
}

wayfare_domain::word_enum! {
    /// Yes or no in a query.
    pub enum YesNo {
        /// Yes.
        True,
        /// No.
        False,
    }
}

impl FromJson for ResolveBody {
    const NAME: &str = "ResolveIncidentRequest";

    fn read(body: &mut JsonObject<'_>) -> Option<Self> {
        let outcome = body.word::<IncidentOutcome>("outcome");
        let order_id = body.short_text("order_id", 200);
        let note = body.text("note", LONGEST_NOTE);
        let take_over = take_over(body);
        Some(Self {
            resolution: Resolution {
                outcome: outcome?,
                order_id: order_id.filter(|id| !id.is_empty()),
                note: note?,
            },
            take_over,
        })
    }

    fn examples() -> Vec<Example> {
        vec![
            (
                "done",
                json!({ "outcome": "done", "order_id": "ord_0000A", "note": "their desk has the order, by telephone" }),
            ),
            (
                "refused, and taken over",
                json!({ "outcome": "refused", "note": "their desk knows nothing of it", "take_over": true }),
            ),
        ]
    }
}

/// Something that an operator has to look at.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Incident")]
pub struct IncidentView {
    id: IncidentId,
    kind: IncidentKind,
    agent_id: String,
    agency: String,
    booking_ref: BookingRef,
    booking_status: BookingStatus,
    money_held: Amount,
    #[schemars(with = "CurrencyCode")]
    currency: Currency,
    problem: String,
    details: Value,
    raised_at: DateTime<Utc>,
    step: Option<StepView>,
    claimed_by: Option<ClaimView>,
    outcome: Option<IncidentOutcome>,
    order_id: Option<String>,
    note: Option<String>,
    resolved_by: Option<String>,
    closed_by: Option<ClosedBy>,
    closed_at: Option<DateTime<Utc>>,
}

/// What an incident's step asked of its supplier.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "IncidentStep")]
struct StepView {
    kind: StepKind,
    supplier: String,
    reference: String,
    order_id: Option<String>,
    sent_at: DateTime<Utc>,
    looked_up: i32,
    problem: Option<String>,
}

/// That an operator works on an incident.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "IncidentClaim")]
struct ClaimView {
    operator_id: OperatorId,
    username: String,
    name: String,
    since: DateTime<Utc>,
}

/// An incident with its booking and all that happened to that, in order of time.
#[derive(Serialize, JsonSchema)]
pub struct ShownIncident {
    incident: IncidentView,
    booking: Map<String, Value>,
    happened: Vec<Map<String, Value>>,
}

impl From<Incident> for IncidentView {
    fn from(incident: Incident) -> Self {
        let (outcome, order_id, note) = match incident.resolution {
            Some(resolution) => (Some(resolution.outcome), resolution.order_id, Some(resolution.note)),
            None => (None, None, None),
        };
        Self {
            id: incident.id,
            kind: incident.kind,
            agent_id: incident.agency.to_string(),
            agency: incident.agency_name,
            booking_ref: incident.booking_ref,
            booking_status: incident.booking_status,
            money_held: incident.held.number(),
            currency: incident.held.currency(),
            problem: incident.problem,
            details: incident.details,
            raised_at: incident.raised_at,
            step: incident.step.map(StepView::from),
            claimed_by: incident.claim.map(|claim| ClaimView {
                operator_id: claim.operator,
                username: claim.username,
                name: claim.name,
                since: claim.at,
            }),
            outcome,
            order_id,
            note,
            resolved_by: incident.resolved_by,
            closed_by: incident.closed.map(|(by, _)| by),
            closed_at: incident.closed.map(|(_, at)| at),
        }
    }
}

impl From<StepAsked> for StepView {
    fn from(step: StepAsked) -> Self {
        Self {
            kind: step.kind,
            supplier: step.supplier,
            reference: step.reference.to_string(),
            order_id: step.order_id,
            sent_at: step.sent_at,
            looked_up: step.attempts,
            problem: step.problem,
        }
    }
}
