//! Incidents: what the service can't settle by itself is raised here, for the operator to see and to resolve.

use chrono::{DateTime, Duration, Utc};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::{Value, json};
use wayfare_boxed::boxed;
use wayfare_domain::{
    Actor, ActorKind, AgencyCode, AuditEvent, ClosedBy, EventKind, IncidentId, IncidentKind, OperatorId,
    OperatorRole, OrganizationId, Page, PageRequest, StepKind,
};
use wayfare_store::{
    access::organizations,
    batch::writes::Writes,
    booking::{
        bookings::Booking,
        incident_claims,
        incidents::{self, Incident, IncidentFilter, NewIncident, Resolution},
        steps::{self, Step},
    },
};
use wayfare_supply::{AfterSales, RefusalEvidence};

use crate::{
    Core, Engine, Error, Result,
    access::operators::{By, Desk, OperatorProof},
    engine::cancellation::CancelRequest,
    tools::audit_event::{self, Change},
};

/// A claim ends this long after it was made or renewed: who went home keeps nobody from deciding.
const CLAIM_LASTS: Duration = Duration::minutes(15);

/// Which incidents are looked for, of all agencies unless one is named. `true` is all of them, `false` those that are open.
#[derive(Clone, Debug, Default)]
pub struct IncidentSearch {
    /// Whether closed ones are among them.
    pub all: bool,
    pub kind: Option<IncidentKind>,
    pub agency: Option<AgencyCode>,
    pub raised_before: Option<DateTime<Utc>>,
    /// Whether the oldest comes first.
    pub oldest_first: bool,
}

impl From<bool> for IncidentSearch {
    fn from(all: bool) -> Self {
        Self { all, ..Self::default() }
    }
}

/// A page of the incidents of all agencies. For the operator alone.
///
/// # Errors
/// [`Error::NotFound`] for an unknown agency.
#[boxed]
pub async fn list(
    core: &Core,
    search: impl Into<IncidentSearch>,
    request: PageRequest,
) -> Result<Page<Incident>> {
    let mut connection = core.database.connection().await?;
    let organization = match &search.agency {
        Some(code) => {
            let found = organizations::by_code(&mut connection, code).await?;
            Some(found.ok_or(Error::NotFound)?.id)
        }
        None => None,
    };
    let filter = IncidentFilter {
        all: search.all,
        kind: search.kind,
        organization,
        raised_before: search.raised_before,
        oldest_first: search.oldest_first,
    };
    Ok(incidents::list(&mut connection, &filter, request).await?)
}

/// Whether what another operator works on is taken over, on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TakeOver {
    #[default]
    No,
    Yes,
}

/// Says that the operator works on an open incident, so that nobody else does. The incident as it stands after it.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Claimed`] while another works on it and it is not taken over; [`Error::IncidentClosed`].
#[boxed]
pub async fn claim(core: &Core, desk: &Desk, id: IncidentId, take_over: TakeOver) -> Result<Incident> {
    let operator = desk.viewer().id();
    let incident = show(core, id).await?;
    if incident.closed.is_none() {
        claimed_by_none_else(core, &desk.by(), &incident, take_over).await?;
    }
    let now = core.clock.now();
    let mut connection = core.database.connection().await?;
    let is_claimed = incident_claims::claim(&mut connection, id, operator, (now, now - CLAIM_LASTS)).await?;
    drop(connection);
    let incident = show(core, id).await?;
    if is_claimed {
        return Ok(incident);
    }
    if let Some((by, _)) = incident.closed {
        return Err(Error::IncidentClosed {
            by,
            booking: incident.booking_ref,
            status: incident.booking_status,
        });
    }
    let name = incident.claim.map(|claim| claim.name);
    Err(Error::Claimed(name.unwrap_or_default()))
}

/// Says that the operator does not work on an incident any more; an admin says so of others, too.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Claimed`] where another works on it.
#[boxed]
pub async fn release(core: &Core, desk: &Desk, id: IncidentId) -> Result<Incident> {
    let operator = desk.viewer().operator();
    let incident = show(core, id).await?;
    if operator.role != OperatorRole::Admin {
        not_claimed(core, &incident, Some(operator.id))?;
    }
    let mut connection = core.database.connection().await?;
    incident_claims::release(&mut connection, id).await?;
    drop(connection);
    show(core, id).await
}

/// That no other operator works on an incident now, or that it is taken over, which is an event of its own (D-614). The command
/// line does not ask.
///
/// # Errors
/// [`Error::Claimed`] with who has it.
pub(crate) async fn claimed_by_none_else<P>(
    core: &Core,
    by: &By<P>,
    incident: &Incident,
    take_over: TakeOver,
) -> Result<()> {
    let claimed = not_claimed(core, incident, by.operator());
    let (Err(claimed), Some(operator)) = (claimed, by.operator()) else { return Ok(()) };
    if take_over == TakeOver::No {
        return Err(claimed);
    }
    let (id, organization) = (incident.id, incident.organization);
    let before = incident.claim.as_ref().map(|claim| claim.operator);
    let mut connection = core.database.connection().await?;
    let taken = connection.transaction(async |connection| {
        if incident_claims::take_over(connection, id, operator, core.clock.now()).await? {
            let value = json!({ "from": before });
            let action = EventKind::ExceptionTakenOver;
            let event = event(core, by.actor(), action, organization, id, value);
            audit_event::write(connection, &event).await?;
        }
        Ok::<_, Error>(())
    });
    taken.await
}

/// That no other operator works on an incident now. The command line does not ask.
///
/// # Errors
/// [`Error::Claimed`] with who has it.
pub(crate) fn not_claimed(core: &Core, incident: &Incident, operator: Option<OperatorId>) -> Result<()> {
    let (Some(claim), Some(operator)) = (&incident.claim, operator) else { return Ok(()) };
    let is_over = core.clock.now() - claim.at >= CLAIM_LASTS;
    match claim.operator == operator || is_over {
        true => Ok(()),
        false => Err(Error::Claimed(claim.name.clone())),
    }
}

/// One incident, of whatever agency. For the operator alone.
///
/// # Errors
/// [`Error::NotFound`].
#[boxed]
pub async fn show(core: &Core, id: IncidentId) -> Result<Incident> {
    let mut connection = core.database.connection().await?;
    incidents::find(&mut connection, id).await?.ok_or(Error::NotFound)
}

/// The operator's resolution of this open step, if there is one, and whose it is.
pub(crate) async fn resolution(core: &Core, step: &Step) -> Result<Option<(Resolution, Actor)>> {
    let mut connection = core.database.connection().await?;
    let found = incidents::resolution(&mut connection, step).await?;
    Ok(found.map(|(resolution, operator)| {
        let actor = Actor { operator, ..Actor::operator() };
        (resolution, actor)
    }))
}

/// Whether nobody but the operator can learn that this step was not carried out: no look-up will tell.
fn only_operator_learns(supplier: &dyn AfterSales, step: &Step) -> bool {
    if !matches!(step.kind, StepKind::Cancel | StepKind::Compensate) {
        return false;
    }
    let request: Option<CancelRequest> = step.request.parse().ok();
    request.is_some_and(|request| {
        let id = request.cancellation_id.as_deref();
        !request.accepted && id.is_some_and(|id| supplier.refusal_evidence(id) == RefusalEvidence::Nothing)
    })
}

/// From how long after it was sent on an open step is the operator's to know. Before the supplier's longest
/// processing time is over, silence is nothing unusual; after it, nothing is to be waited for where no look-up can tell.
pub(crate) fn deadline(engine: &Engine, step: &Step) -> Duration {
    let after = engine.core.durations.incident_after;
    let after = match engine.suppliers.supplier(&step.supplier) {
        Ok(supplier) if only_operator_learns(supplier, step) => supplier.config().processing_time,
        Ok(supplier) => after.max(supplier.config().processing_time),
        Err(_) => after,
    };
    Duration::from_std(after).unwrap_or(Duration::MAX)
}

/// Something that is out of order with a step.
pub(crate) struct Raise<'a> {
    pub actor: &'a Actor,
    pub step: &'a Step,
    pub kind: IncidentKind,
    pub problem: &'a str,
    /// What the operator needs to know of it.
    pub details: Value,
}

/// Raises that this step's outcome is still not known. Not when it was closed meanwhile.
pub(crate) async fn outcome_unknown(
    core: &Core,
    connection: &mut AsyncPgConnection,
    step: &Step,
    problem: &str,
) -> Result<()> {
    let open = steps::under_way_on(connection, step.organization, step.booking).await?;
    if !open.iter().any(|open| open.id == step.id) {
        return Ok(());
    }
    let raised = Raise {
        actor: &Actor::system(),
        step,
        kind: IncidentKind::OutcomeUnknown,
        problem,
        details: json!({ "effect": step.kind, "supplier": step.supplier, "sent_at": step.sent_at }),
    };
    raise(core, connection, raised).await
}

/// Raises an incident, once: while one of its kind is open on its step nothing changes.
pub(crate) async fn raise(core: &Core, connection: &mut AsyncPgConnection, raised: Raise<'_>) -> Result<()> {
    let Raise { actor, step, kind, problem, details } = raised;
    let incident = NewIncident {
        id: IncidentId::new(&core.clock),
        organization: step.organization,
        booking: step.booking,
        step: Some(step.id),
        kind,
        problem,
        details,
        raised_at: core.clock.now(),
    };
    write(core, connection, actor, incident).await
}

/// Raises an incident that is about a booking and none of its steps. Whoever raises it knows that it is new. Its id.
pub(crate) async fn raise_on_booking<P>(
    core: &Core,
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
    kind: IncidentKind,
    problem: &str,
    details: Value,
) -> Result<IncidentId> {
    let incident = NewIncident {
        id: IncidentId::new(&core.clock),
        organization: booking.organization,
        booking: booking.id,
        step: None,
        kind,
        problem,
        details,
        raised_at: core.clock.now(),
    };
    let id = incident.id;
    write(core, connection, &Actor::system(), incident).await?;
    Ok(id)
}

async fn write(
    core: &Core,
    connection: &mut AsyncPgConnection,
    actor: &Actor,
    incident: NewIncident<'_>,
) -> Result<()> {
    let (id, booking) = (incident.id, incident.booking);
    let (kind, problem) = (incident.kind, incident.problem);
    if !incidents::raise(connection, &incident).await? {
        return Ok(());
    }
    tracing::error!(incident = %id, %booking, kind = kind.as_ref(), problem, "the operator has to look at this");
    let value =
        json!({ "kind": kind, "booking_id": booking, "problem": problem, "details": incident.details });
    let event = event(core, actor, EventKind::ExceptionRaised, incident.organization, id, value);
    audit_event::write(connection, &event).await
}

/// Closes what is open because the outcome of these steps was not known, in the transaction that closes them.
/// Without a statement when all of them are too young to have an incident.
pub(crate) async fn outcomes_known<'a>(
    core: &Core,
    connection: &mut AsyncPgConnection,
    closed: impl Iterator<Item = (&'a Actor, &'a Step)>,
) -> Result<()> {
    let (now, shared_now) = (core.clock.now(), core.shared_time.now());
    // Half of it: what is of one time at all servers is so but for some milliseconds.
    let age = Duration::from_std(core.durations.incident_after / 2).unwrap_or(Duration::MAX);
    let old = closed.filter(|(_, step)| shared_now - step.sent_at >= age);
    let (ruled, known): (Vec<_>, Vec<_>) = old.partition(|(actor, _)| actor.kind == ActorKind::Operator);
    for (by, old) in [(ClosedBy::Operator, ruled), (ClosedBy::Itself, known)] {
        let steps: Vec<&Step> = old.into_iter().map(|(_, step)| step).collect();
        let closed = incidents::close_of(connection, &steps, by, now).await?;
        if closed.is_empty() {
            continue;
        }
        let mut writes = Writes::default();
        for (organization, id, by, operator) in closed {
            let value = json!({ "closed_by": by });
            let actor = match by {
                ClosedBy::Operator => Actor { operator, ..Actor::operator() },
                ClosedBy::Itself => Actor::system(),
            };
            writes.event(&event(core, &actor, EventKind::ExceptionClosed, organization, id, value));
        }
        writes.send(connection).await?;
    }
    Ok(())
}

pub(crate) fn event(
    core: &Core,
    actor: &Actor,
    action: EventKind,
    organization: OrganizationId,
    id: IncidentId,
    value: Value,
) -> AuditEvent {
    let change = Change { new_value: Some(value), ..Change::of(organization, actor, action, id) };
    audit_event::event(core, change)
}
