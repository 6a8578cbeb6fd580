//! Incidents: what the service can't settle by itself is raised here, for the operator to see and to resolve.

use chrono::Duration;
use diesel_async::AsyncPgConnection;
use serde_json::{Value, json};
use wayfare_domain::{
    Actor, ActorKind, AuditEvent, ClosedBy, EventKind, IncidentId, IncidentKind, OrganizationId, Page,
    PageRequest,
};
use wayfare_store::{
    batch::writes::Writes,
    booking::{
        bookings::Booking,
        incidents::{self, Incident, NewIncident, Resolution},
        steps::{self, Step},
    },
};

use crate::{
    Error, Platform, Result,
    engine::steps::unanswered::only_operator_learns,
    tools::audit_event::{self, Change},
};

/// A page of the incidents of all agencies, newest first: the open ones, or `all`. For the operator alone.
///
/// # Errors
/// When the database can't be asked.
pub async fn list(platform: &Platform, all: bool, request: PageRequest) -> Result<Page<Incident>> {
    let mut connection = platform.database.connection().await?;
    Ok(incidents::list(&mut connection, all, request).await?)
}

/// One incident, of whatever agency. For the operator alone.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn show(platform: &Platform, id: IncidentId) -> Result<Incident> {
    let mut connection = platform.database.connection().await?;
    incidents::find(&mut connection, id).await?.ok_or(Error::NotFound)
}

/// The operator's resolution of this open step, if there is one.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn resolution(platform: &Platform, step: &Step) -> Result<Option<Resolution>> {
    let mut connection = platform.database.connection().await?;
    Ok(incidents::resolution(&mut connection, step).await?)
}

/// From how long after it was sent on an open step is the operator's to know. Before the supplier's longest
/// processing time is over, silence is nothing unusual; after it, nothing is to be waited for where no look-up can tell.
pub(crate) fn deadline(platform: &Platform, step: &Step) -> Duration {
    let after = platform.durations.incident_after;
    let after = match platform.supplier(&step.supplier) {
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
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn outcome_unknown(
    platform: &Platform,
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
    raise(platform, connection, raised).await
}

/// Raises an incident, once: while one of its kind is open on its step nothing changes.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn raise(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    raised: Raise<'_>,
) -> Result<()> {
    let Raise {
        actor,
        step,
        kind,
        problem,
        details,
    } = raised;
    let incident = NewIncident {
        id: IncidentId::new(&platform.clock),
        organization: step.organization,
        booking: step.booking,
        step: Some(step.id),
        kind,
        problem,
        details,
        raised_at: platform.clock.now(),
    };
    write(platform, connection, actor, incident).await
}

/// Raises an incident that is about a booking and none of its steps. Whoever raises it knows that it is new. Its id.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn raise_on_booking<P>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
    kind: IncidentKind,
    problem: &str,
    details: Value,
) -> Result<IncidentId> {
    let incident = NewIncident {
        id: IncidentId::new(&platform.clock),
        organization: booking.organization,
        booking: booking.id,
        step: None,
        kind,
        problem,
        details,
        raised_at: platform.clock.now(),
    };
    let id = incident.id;
    write(platform, connection, &Actor::system(), incident).await?;
    Ok(id)
}

async fn write(
    platform: &Platform,
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
    let mut writes = Writes::default();
    writes.event(&event(
        platform,
        actor,
        EventKind::ExceptionRaised,
        incident.organization,
        id,
        value,
    ));
    Ok(writes.send(connection).await?)
}

/// Closes what is open because the outcome of these steps was not known, in the transaction that closes them.
/// Without a statement when all of them are too young to have an incident.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn outcomes_known<'a>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    closed: impl Iterator<Item = (&'a Actor, &'a Step)>,
) -> Result<()> {
    let (now, shared_now) = (platform.clock.now(), platform.shared_time.now());
    // Half of it: what is of one time at all servers is so but for some milliseconds.
    let age = Duration::from_std(platform.durations.incident_after / 2).unwrap_or(Duration::MAX);
    let old = closed.filter(|(_, step)| shared_now - step.sent_at >= age);
    let (ruled, known): (Vec<_>, Vec<_>) = old.partition(|(actor, _)| actor.kind == ActorKind::Operator);
    for (by, old) in [(ClosedBy::Operator, ruled), (ClosedBy::Itself, known)] {
        let steps: Vec<&Step> = old.into_iter().map(|(_, step)| step).collect();
        let closed = incidents::close_of(connection, &steps, by, now).await?;
        if closed.is_empty() {
            continue;
        }
        let mut writes = Writes::default();
        for (organization, id, by) in closed {
            let value = json!({ "closed_by": by });
            let actor = match by {
                ClosedBy::Operator => Actor::operator(),
                ClosedBy::Itself => Actor::system(),
            };
            writes.event(&event(
                platform,
                &actor,
                EventKind::ExceptionClosed,
                organization,
                id,
                value,
            ));
        }
        writes.send(connection).await?;
    }
    Ok(())
}

pub(crate) fn event(
    platform: &Platform,
    actor: &Actor,
    action: EventKind,
    organization: OrganizationId,
    id: IncidentId,
    value: Value,
) -> AuditEvent {
    let change = Change {
        organization,
        actor,
        action,
        entity_id: id.to_string(),
        old_value: None,
        new_value: Some(value),
    };
    audit_event::event(platform, change)
}
