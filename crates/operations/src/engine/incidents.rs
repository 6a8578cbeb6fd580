//! Exceptions: what the service can't settle by itself is raised here, seen by the operator and resolved by them.
//!
//! A ruling on an open step is written before it is carried out, as steps are: whoever dies in between, the
//! [`crate::worker`] carries it out. Whoever closes the step first wins, the operator or the supplier's answer.

use chrono::Duration;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::{Value, json};
use wayfare_domain::{
    Actor, ActorKind, AuditEvent, ClosedBy, EventKind, Faults, IncidentId, IncidentKind, IncidentOutcome,
    OrganizationId, Page, PageRequest, RefundStatus, StepKind,
};
use wayfare_store::{
    batch::writes::Writes,
    booking::{
        bookings::{self, Booking},
        incidents::{self as rows, Incident, NewIncident, Resolution},
        refunds,
        steps::{self, Step},
    },
};

use crate::{
    Error, Platform, Result,
    engine::{
        purchase::Outcome,
        run::complete_and_continue,
        steps::cancel::{self, CancelRequest},
    },
    flights::after_sales::ssr,
    tools::audit_event::{self, Change},
};

/// More characters than this are no note.
const LONGEST_NOTE: usize = 2000;

/// A page of the exceptions of all agencies, newest first: the open ones, or `all`. For the operator alone.
///
/// # Errors
/// When the database can't be asked.
pub async fn list(platform: &Platform, all: bool, request: PageRequest) -> Result<Page<Incident>> {
    let mut connection = platform.database.connection().await?;
    Ok(rows::list(&mut connection, all, request).await?)
}

/// One exception, of whatever agency. For the operator alone.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn show(platform: &Platform, id: IncidentId) -> Result<Incident> {
    let mut connection = platform.database.connection().await?;
    rows::find(&mut connection, id).await?.ok_or(Error::NotFound)
}

/// Rules on an exception, and carries the ruling out where the supplier need not be asked. An order that is said to
/// exist is looked up by its id by the worker of the running server; its exception stays open until then. The
/// exception as it stands after it.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] names what does not fit; [`Error::IncidentClosed`] also when it was
/// closed by itself meanwhile: the ruling has changed nothing then.
pub async fn resolve(platform: &Platform, id: IncidentId, resolution: &Resolution) -> Result<Incident> {
    let incident = show(platform, id).await?;
    if incident.closed.is_some() {
        return Err(closed_already(incident));
    }
    let mut connection = platform.database.connection().await?;
    let step = open_step(&mut connection, &incident).await?;
    if step.is_none() {
        // Its outcome may have become known, and the exception closed, since that was read.
        let incident = show(platform, id).await?;
        if incident.closed.is_some() {
            return Err(closed_already(incident));
        }
    }
    check(&mut connection, &incident, step.as_ref(), resolution).await?;
    let ruled = connection.transaction(async |connection| {
        if let Some(step) = &step {
            // First the step, then its exception, as those do who close it; and it is due at once.
            let problem = "the operator has ruled";
            steps::postpone(connection, step, platform.clock.now(), problem).await?;
        }
        if !rows::rule(connection, &incident, resolution).await? {
            return Ok::<_, Error>(false);
        }
        if resolution.outcome == IncidentOutcome::Acknowledged {
            rows::close(connection, &incident, ClosedBy::Operator, platform.clock.now()).await?;
        }
        let (actor, organization) = (Actor::operator(), incident.organization);
        let value = json!({ "outcome": resolution.outcome, "order_id": resolution.order_id, "note": resolution.note });
        let mut writes = Writes::default();
        writes.event(&event(
            platform,
            &actor,
            EventKind::ExceptionResolved,
            organization,
            id,
            value,
        ));
        writes.send(connection).await?;
        Ok(true)
    });
    let ruled = ruled.await?;
    drop(connection);
    // What follows upon it is for the running server, which can ask suppliers.
    if let Some(step) = step
        && ruled
        && step.position == step.saga_length
    {
        carry_out(platform, &step, resolution).await?;
    }
    let incident = show(platform, id).await?;
    match incident.closed {
        Some((ClosedBy::Operator, _)) | None if ruled => Ok(incident),
        _ => Err(closed_already(incident)),
    }
}

fn closed_already(incident: Incident) -> Error {
    Error::IncidentClosed {
        by: incident.closed.map_or(ClosedBy::Itself, |(by, _)| by),
        booking: incident.booking_ref,
        status: incident.booking_status,
    }
}

/// The step whose outcome is not known; none when it is known, or never was the question.
async fn open_step(connection: &mut AsyncPgConnection, incident: &Incident) -> Result<Option<Step>> {
    if incident.kind != IncidentKind::OutcomeUnknown {
        return Ok(None);
    }
    let open = steps::under_way_on(connection, incident.organization, incident.booking).await?;
    let id = incident.step.as_ref().map(|asked| asked.id);
    Ok(open.into_iter().find(|step| Some(step.id) == id))
}

/// Whether the ruling fits what is out of order.
async fn check(
    connection: &mut AsyncPgConnection,
    incident: &Incident,
    step: Option<&Step>,
    resolution: &Resolution,
) -> Result<()> {
    use IncidentOutcome::{Acknowledged, Done, Refused};
    use StepKind::{Book, Cancel};
    let mut faults = Faults::default();
    let length = resolution.note.chars().count();
    if resolution.note.trim().is_empty() || length > LONGEST_NOTE {
        faults.add("note", format!("must be between 1 and {LONGEST_NOTE} characters"));
    }
    match (step.map(|step| step.kind), resolution.outcome) {
        (None, Refused | Done) => faults.add("outcome", "must be noted: nothing is open at the supplier"),
        (Some(_), Acknowledged) => faults.add(
            "outcome",
            "must be done or refused: what the supplier says became of it",
        ),
        (Some(Cancel), Done)
            if !refunds::of(connection, incident.organization, incident.booking)
                .await?
                .iter()
                .any(|refund| {
                    Some(refund.number) == step.map(|step| step.number)
                        && refund.status != RefundStatus::Refunded
                }) =>
        {
            faults.add("outcome", "can't be done: the supplier has quoted no refund");
        }
        _ => {}
    }
    match (
        step.map(|step| step.kind),
        resolution.outcome,
        resolution.order_id.as_deref(),
    ) {
        (Some(Book), Done, None | Some("")) => {
            faults.add(
                "order_id",
                "is missing: under which id does the supplier have the order?",
            );
        }
        (Some(Book), Done, Some(_)) | (_, _, None) => {}
        _ => faults.add("order_id", "is only for a booking that is done"),
    }
    Ok(faults.or(())?)
}

/// What the operator has ruled on this open step, if they have.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn resolution(platform: &Platform, step: &Step) -> Result<Option<Resolution>> {
    let mut connection = platform.database.connection().await?;
    Ok(rows::resolution(&mut connection, step).await?)
}

/// Carries a ruling on an open step out. False when its supplier has to be asked first.
///
/// # Errors
/// When the database can't be asked: the ruling stands and the worker carries it out.
pub(crate) async fn carry_out(platform: &Platform, step: &Step, resolution: &Resolution) -> Result<bool> {
    let actor = Actor::operator();
    let ending = match (step.kind, resolution.outcome) {
        (StepKind::Book, IncidentOutcome::Refused) => {
            Outcome::NotBooked("the supplier has not made the order".to_owned())
        }
        (StepKind::Cancel | StepKind::Compensate, IncidentOutcome::Refused) => {
            cancel::refused(step, "the supplier has not carried it out".to_owned())
        }
        (StepKind::Cancel | StepKind::Compensate, IncidentOutcome::Done) => {
            let request: CancelRequest = serde_json::from_value(step.request.clone())?;
            let mut connection = platform.database.connection().await?;
            let booking = bookings::by_id(&mut connection, step.organization, step.booking).await?;
            drop(connection);
            cancel::ended(step, cancel::done(booking.kind, &request, None, None))
        }
        (StepKind::Ticket, IncidentOutcome::Refused) => {
            Outcome::NotTicketed("the supplier has not taken the payment".to_owned())
        }
        (StepKind::AddService, IncidentOutcome::Refused) => {
            ssr::refused(step, "the supplier has not added it".to_owned())?
        }
        // Only the supplier's own order says what was made.
        (StepKind::Book | StepKind::Ticket | StepKind::AddService, IncidentOutcome::Done)
        | (_, IncidentOutcome::Acknowledged) => {
            return Ok(false);
        }
    };
    complete_and_continue(platform, &actor, step, ending).await?;
    Ok(true)
}

/// From how long after it was sent on an open step is the operator's to know. Before the supplier's longest
/// processing time is over, silence is nothing unusual.
pub(crate) fn deadline(platform: &Platform, step: &Step) -> Duration {
    let after = platform.durations.incident_after;
    let after = match platform.supplier(&step.supplier) {
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

/// Raises an exception, once: while one of its kind is open on its step nothing changes.
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

/// Raises an exception that is about a booking and none of its steps. Whoever raises it knows that it is new.
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
) -> Result<()> {
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
    write(platform, connection, &Actor::system(), incident).await
}

async fn write(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    actor: &Actor,
    incident: NewIncident<'_>,
) -> Result<()> {
    let (id, booking) = (incident.id, incident.booking);
    let (kind, problem) = (incident.kind, incident.problem);
    if !rows::raise(connection, &incident).await? {
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
/// Without a statement when all of them are too young to have an exception.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn outcomes_known<'a>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    closed: impl Iterator<Item = (&'a Actor, &'a Step)>,
) -> Result<()> {
    let now = platform.clock.now();
    // Half of it: the clock of the process that raised one may be ahead.
    let age = Duration::from_std(platform.durations.incident_after / 2).unwrap_or(Duration::MAX);
    let old = closed.filter(|(_, step)| now - step.sent_at >= age);
    let (ruled, known): (Vec<_>, Vec<_>) = old.partition(|(actor, _)| actor.kind == ActorKind::Operator);
    for (by, actor, old) in [
        (ClosedBy::Operator, Actor::operator(), ruled),
        (ClosedBy::Itself, Actor::system(), known),
    ] {
        let steps: Vec<&Step> = old.into_iter().map(|(_, step)| step).collect();
        let closed = rows::close_of(connection, &steps, by, now).await?;
        if closed.is_empty() {
            continue;
        }
        let mut writes = Writes::default();
        for (organization, id) in closed {
            let value = json!({ "closed_by": by });
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

fn event(
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
