//! Resolutions: what the operator decides about an incident, written and carried out.
//!
//! The resolution of an open step is written before it is carried out, as steps are: whoever dies in between, the
//! [`crate::worker`] carries it out. Whoever completes the step first wins, the operator or the supplier's answer.

use chrono::SecondsFormat;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;
use wayfare_boxed::boxed;
use wayfare_domain::{
    Actor, ClosedBy, EventKind, Faults, IncidentId, IncidentKind, IncidentOutcome, RefundStatus, StepKind,
};
use wayfare_store::booking::{
    bookings, incident_claims,
    incidents::{self, Incident, Resolution},
    refunds,
    steps::{self, Step},
};

use crate::{
    Core, Engine, Error, Result,
    access::operators::{By, Desk},
    core::shared_time,
    engine::{
        cancellation::CancelRequest,
        incidents::{TakeOver, claimed_by_none_else, event, not_claimed, show},
        note,
        saga::complete_and_continue,
        step::{CarriedOut, StepOutcome},
        steps::{cancel, unanswered::refusable_from},
    },
    tools::audit_event,
};

/// More characters than this are no note.
const LONGEST_NOTE: usize = 2000;

/// Resolves an incident, and carries the resolution out where the supplier need not be asked. An order that is said to
/// exist is looked up by its id by the worker of the running server; its incident stays open until then. The
/// incident as it stands after it.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] names what does not fit; [`Error::IncidentClosed`] also when it was
/// closed by itself meanwhile: the resolution has changed nothing then; [`Error::Claimed`] when another operator works on it: whoever
/// takes it over claims it first.
#[boxed]
pub async fn resolve(
    engine: &Engine,
    by: By<Desk>,
    id: IncidentId,
    resolution: &Resolution,
) -> Result<Incident> {
    let incident = show(&engine.core, id).await?;
    if incident.closed.is_some() {
        return Err(closed_already(incident));
    }
    note::check("note", &resolution.note, LONGEST_NOTE).or(())?;
    claimed_by_none_else(&engine.core, &by, &incident, TakeOver::No).await?;
    let of = (incident.organization, incident.booking);
    let resolution = &Resolution {
        note: note::without_people(&engine.core, of, &resolution.note).await?,
        ..resolution.clone()
    };
    // The server that carries it out may have another clock than this program.
    shared_time::read(&engine.core).await?;
    let mut connection = engine.core.database.connection().await?;
    let step = open_step(&mut connection, &incident).await?;
    if step.is_none() {
        // Its outcome may have become known, and the incident closed, since that was read.
        let incident = show(&engine.core, id).await?;
        if incident.closed.is_some() {
            return Err(closed_already(incident));
        }
    }
    let is_refund_quoted = match &step {
        Some(step) if step.kind == StepKind::Cancel => is_refund_quoted(&mut connection, step).await?,
        _ => false,
    };
    let mut faults = check(step.as_ref().map(|step| step.kind), resolution, is_refund_quoted);
    if let Some(step) = &step {
        check_not_asked_lately(engine, step, resolution, &mut faults);
    }
    faults.or(())?;
    let is_written = write(&engine.core, &by, &mut connection, &incident, step.as_ref(), resolution).await?;
    drop(connection);
    // What follows upon it is for the running server, which can ask suppliers.
    if let Some(step) = step
        && is_written
        && step.position == step.saga_length
    {
        carry_out(engine, by.actor(), &step, resolution).await?;
    }
    let incident = show(&engine.core, id).await?;
    match incident.closed {
        Some((ClosedBy::Operator, _)) | None if is_written => Ok(incident),
        Some(_) => Err(closed_already(incident)),
        None => Err(Faults::of("outcome", "was not written: the step has just changed; look again").into()),
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

/// Writes the resolution, and closes an incident that nothing is to be done about. False when it is closed meanwhile.
async fn write(
    core: &Core,
    by: &By<Desk>,
    connection: &mut AsyncPgConnection,
    incident: &Incident,
    step: Option<&Step>,
    resolution: &Resolution,
) -> Result<bool> {
    let written = connection.transaction(async |connection| {
        if let Some(step) = step {
            // First the step, then its incident, as those do who complete it.
            if !steps::take_for_ruling(connection, step, core.shared_time.now()).await? {
                return Ok(false);
            }
        }
        // Another operator may have claimed it since that was read.
        let Some(locked) = incident_claims::lock_open(connection, incident.id).await? else {
            return Ok(false);
        };
        not_claimed(core, &locked, by.operator())?;
        if !incidents::resolve(connection, incident, resolution, by.operator()).await? {
            return Ok::<_, Error>(false);
        }
        if resolution.outcome.closes_at_once() {
            incidents::close(connection, incident, ClosedBy::Operator, core.clock.now()).await?;
        }
        let value = json!({ "outcome": resolution.outcome, "order_id": resolution.order_id, "note": resolution.note });
        let (organization, action) = (incident.organization, EventKind::ExceptionResolved);
        let event = event(core, by.actor(), action, organization, incident.id, value);
        audit_event::write(connection, &event).await?;
        Ok(true)
    });
    written.await
}

/// Whether the supplier has quoted a refund for the order of this cancellation that is not paid back yet.
async fn is_refund_quoted(connection: &mut AsyncPgConnection, step: &Step) -> Result<bool> {
    let refunds = refunds::of(connection, step.organization, step.booking).await?;
    let mut refunds = refunds.iter();
    Ok(refunds.any(|refund| refund.number == step.number && refund.status != RefundStatus::Refunded))
}

/// What of the resolution does not fit an incident of this open step; none when nothing is open at the supplier.
fn check(open: Option<StepKind>, resolution: &Resolution, is_refund_quoted: bool) -> Faults {
    use IncidentOutcome::{Acknowledged, Done, Refused, Ruled};
    use StepKind::{AcceptChange, AddService, Book, Cancel, Change, Compensate, Ticket};
    let mut faults = Faults::default();
    match (open, resolution.outcome) {
        (_, Ruled) => faults.add("outcome", "is of a ruling: `wayfarectl booking rule` makes it"),
        (None, Refused | Done) => faults.add("outcome", "must be noted: nothing is open at the supplier"),
        (Some(_), Acknowledged) => {
            faults.add("outcome", "must be done or refused: what the supplier says became of it")
        }
        (Some(Cancel), Done) if !is_refund_quoted => {
            faults.add("outcome", "can't be done: the supplier has quoted no refund");
        }
        (None, Acknowledged)
        | (Some(Book | Cancel | Ticket | Compensate | AddService | AcceptChange | Change), Done)
        | (Some(Book | Cancel | Ticket | Compensate | AddService | AcceptChange | Change), Refused) => {}
    }
    match (open, resolution.outcome, resolution.order_id.as_deref()) {
        (Some(Book), Done, None | Some("")) => {
            faults.add("order_id", "is missing: under which id does the supplier have the order?");
        }
        (Some(Book), Done, Some(_)) | (_, _, None) => {}
        (Some(Book), Refused | Acknowledged | Ruled, Some(_))
        | (
            None | Some(Cancel | Ticket | Compensate | AddService | AcceptChange | Change),
            Refused | Done | Acknowledged | Ruled,
            Some(_),
        ) => {
            faults.add("order_id", "is only for a booking that is done");
        }
    }
    faults
}

/// A cancellation that its supplier was asked for once more may be carried out at any moment: what the desk says of it is
/// worth nothing yet (D-130).
fn check_not_asked_lately(engine: &Engine, step: &Step, resolution: &Resolution, faults: &mut Faults) {
    if resolution.outcome != IncidentOutcome::Refused {
        return;
    }
    let Ok(supplier) = engine.suppliers.supplier(&step.supplier) else { return };
    let from = refusable_from(supplier, step).filter(|from| engine.core.shared_time.now() < *from);
    if let Some(from) = from {
        let from = from.to_rfc3339_opts(SecondsFormat::Secs, true);
        let problem = format!("can't be refused before {from}: the supplier was asked once more");
        faults.add("outcome", problem);
    }
}

/// Carries the resolution of an open step out. False when its supplier has to be asked first.
///
/// # Errors
/// When the database can't be asked: the resolution stands and the worker carries it out.
pub(crate) async fn carry_out(
    engine: &Engine,
    actor: &Actor,
    step: &Step,
    resolution: &Resolution,
) -> Result<bool> {
    let outcome = match (step.kind, resolution.outcome) {
        // What the supplier's desk says may be as wrong as its silence.
        (kind @ (StepKind::Cancel | StepKind::Compensate), IncidentOutcome::Refused) => {
            StepOutcome::RefusedBySilence(refusal(kind).to_owned())
        }
        (kind, IncidentOutcome::Refused) => StepOutcome::Refused(refusal(kind).to_owned(), None),
        (StepKind::Cancel | StepKind::Compensate, IncidentOutcome::Done) => {
            // The operator knows what became of it, so that nobody asks the supplier what it gave back.
            let request = CancelRequest { at_most: None, ..step.request.parse()? };
            let mut connection = engine.core.database.connection().await?;
            let booking = bookings::by_id(&mut connection, step.organization, step.booking).await?;
            drop(connection);
            cancel::done(booking.kind, &request, CarriedOut::default())
        }
        (StepKind::AcceptChange, IncidentOutcome::Done) => StepOutcome::ChangeAccepted,
        // Only the supplier's own order says what was made.
        (
            StepKind::Book | StepKind::Ticket | StepKind::AddService | StepKind::Change,
            IncidentOutcome::Done,
        )
        | (_, IncidentOutcome::Acknowledged | IncidentOutcome::Ruled) => return Ok(false),
    };
    complete_and_continue(engine, actor, step, outcome).await?;
    Ok(true)
}

/// Why a step of this kind is refused when the operator says so.
fn refusal(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Book => "the supplier has not made the order",
        StepKind::Cancel | StepKind::Compensate => "the supplier has not carried it out",
        StepKind::Ticket => "the supplier has not taken the payment",
        StepKind::AddService => "the supplier has not added it",
        StepKind::AcceptChange => "the supplier has not accepted it",
        StepKind::Change => "the supplier has not changed it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use IncidentOutcome::{Acknowledged, Done, Refused};
    use StepKind::{AddService, Book, Cancel, Compensate, Ticket};

    fn fields(
        open: Option<StepKind>,
        outcome: IncidentOutcome,
        order_id: Option<&str>,
        quoted: bool,
    ) -> String {
        let resolution =
            Resolution { outcome, order_id: order_id.map(str::to_owned), note: "asked them".to_owned() };
        format!("{:?}", check(open, &resolution, quoted))
    }

    #[test]
    fn an_impossible_resolution_is_refused_and_the_field_is_named() {
        for (open, outcome, order_id, quoted, field) in [
            (None, Done, None, true, "outcome"),
            (None, Refused, None, true, "outcome"),
            (Some(Book), Acknowledged, None, true, "outcome"),
            (Some(Compensate), Acknowledged, None, true, "outcome"),
            (Some(Cancel), Done, None, false, "outcome"),
            (Some(Book), Done, None, true, "order_id"),
            (Some(Book), Done, Some(""), true, "order_id"),
            (Some(Book), Refused, Some("ord_1"), true, "order_id"),
            (Some(Ticket), Done, Some("ord_1"), true, "order_id"),
            (None, Acknowledged, Some("ord_1"), true, "order_id"),
        ] {
            let found = fields(open, outcome, order_id, quoted);
            assert!(found.contains(field), "{open:?} {outcome:?} {order_id:?}: {found}");
        }
        let none = format!("{:?}", Faults::default());
        for (open, outcome, order_id) in [
            (None, Acknowledged, None),
            (Some(Book), Done, Some("ord_1")),
            (Some(Book), Refused, None),
            (Some(Cancel), Done, None),
            (Some(Compensate), Refused, None),
            (Some(AddService), Done, None),
        ] {
            assert_eq!(fields(open, outcome, order_id, true), none, "{open:?} {outcome:?}");
        }
    }
}
