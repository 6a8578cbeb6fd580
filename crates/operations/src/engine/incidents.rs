//! Exceptions: what the service can't settle by itself is raised here, seen by the operator and resolved by them.
//!
//! A ruling on an open effect is written before it is carried out, as effects are: whoever dies in between, the
//! [`crate::worker`] carries it out. Whoever closes the effect first wins, the operator or the supplier's answer.

use chrono::Duration;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::{Value, json};
use wayfare_domain::{
    Actor, ActorKind, AuditEvent, ClosedBy, EffectKind, ExceptionId, ExceptionKind, ExceptionOutcome, Faults,
    OrganizationId, Page, PageRequest, RefundStatus,
};
use wayfare_store::{
    batch::writes::Writes,
    booking::{
        bookings::{self, Booking},
        incidents::{self as rows, Exception, NewException, Ruling},
        refunds,
        steps::{self, Effect},
    },
};

use crate::{
    Error, Platform, Result,
    engine::{
        purchase::Outcome,
        run::close_and_go_on,
        steps::cancel::{self, CancelRequest},
    },
    events::audit_event::{self, Change},
    flights::after_sales::ssr,
};

/// More characters than this are no note.
const LONGEST_NOTE: usize = 2000;

/// A page of the exceptions of all agencies, newest first: the open ones, or `all`. For the operator alone.
///
/// # Errors
/// When the database can't be asked.
pub async fn list(platform: &Platform, all: bool, request: PageRequest) -> Result<Page<Exception>> {
    let mut connection = platform.database.connection().await?;
    Ok(rows::list(&mut connection, all, request).await?)
}

/// One exception, of whatever agency. For the operator alone.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn show(platform: &Platform, id: ExceptionId) -> Result<Exception> {
    let mut connection = platform.database.connection().await?;
    rows::find(&mut connection, id).await?.ok_or(Error::NotFound)
}

/// Rules on an exception, and carries the ruling out where the supplier need not be asked. An order that is said to
/// exist is looked up by its id by the worker of the running server; its exception stays open until then. The
/// exception as it stands after it.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] names what does not fit; [`Error::ExceptionClosed`] also when it was
/// closed by itself meanwhile: the ruling has changed nothing then.
pub async fn resolve(platform: &Platform, id: ExceptionId, ruling: &Ruling) -> Result<Exception> {
    let exception = show(platform, id).await?;
    if exception.closed.is_some() {
        return Err(closed_already(exception));
    }
    let mut connection = platform.database.connection().await?;
    let effect = open_effect(&mut connection, &exception).await?;
    if effect.is_none() {
        // Its outcome may have become known, and the exception closed, since that was read.
        let exception = show(platform, id).await?;
        if exception.closed.is_some() {
            return Err(closed_already(exception));
        }
    }
    check(&mut connection, &exception, effect.as_ref(), ruling).await?;
    let ruled = connection.transaction(async |connection| {
        if let Some(effect) = &effect {
            // First the effect, then its exception, as those do who close it; and it is due at once.
            let problem = "the operator has ruled";
            steps::postpone(connection, effect, platform.clock.now(), problem).await?;
        }
        if !rows::rule(connection, &exception, ruling).await? {
            return Ok::<_, Error>(false);
        }
        if ruling.outcome == ExceptionOutcome::Noted {
            rows::close(connection, &exception, ClosedBy::Operator, platform.clock.now()).await?;
        }
        let (actor, organization) = (Actor::operator(), exception.organization);
        let value = json!({ "outcome": ruling.outcome, "order_id": ruling.order_id, "note": ruling.note });
        let mut writes = Writes::default();
        writes.event(&event(
            platform,
            &actor,
            "exception.resolved",
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
    if let Some(effect) = effect
        && ruled
        && effect.step == effect.steps
    {
        carry_out(platform, &effect, ruling).await?;
    }
    let exception = show(platform, id).await?;
    match exception.closed {
        Some((ClosedBy::Operator, _)) | None if ruled => Ok(exception),
        _ => Err(closed_already(exception)),
    }
}

fn closed_already(exception: Exception) -> Error {
    Error::ExceptionClosed {
        by: exception.closed.map_or(ClosedBy::Itself, |(by, _)| by),
        booking: exception.booking_ref,
        status: exception.booking_status,
    }
}

/// The effect whose outcome is not known; none when it is known, or never was the question.
async fn open_effect(connection: &mut AsyncPgConnection, exception: &Exception) -> Result<Option<Effect>> {
    if exception.kind != ExceptionKind::OutcomeUnknown {
        return Ok(None);
    }
    let open = steps::under_way_on(connection, exception.organization, exception.booking).await?;
    let id = exception.effect.as_ref().map(|asked| asked.id);
    Ok(open.into_iter().find(|effect| Some(effect.id) == id))
}

/// Whether the ruling fits what is out of order.
async fn check(
    connection: &mut AsyncPgConnection,
    exception: &Exception,
    effect: Option<&Effect>,
    ruling: &Ruling,
) -> Result<()> {
    use EffectKind::{Book, Cancel};
    use ExceptionOutcome::{Done, Noted, Refused};
    let mut faults = Faults::default();
    let length = ruling.note.chars().count();
    if ruling.note.trim().is_empty() || length > LONGEST_NOTE {
        faults.add("note", format!("must be between 1 and {LONGEST_NOTE} characters"));
    }
    match (effect.map(|effect| effect.kind), ruling.outcome) {
        (None, Refused | Done) => faults.add("outcome", "must be noted: nothing is open at the supplier"),
        (Some(_), Noted) => faults.add(
            "outcome",
            "must be done or refused: what the supplier says became of it",
        ),
        (Some(Cancel), Done)
            if !refunds::of(connection, exception.organization, exception.booking)
                .await?
                .iter()
                .any(|refund| {
                    Some(refund.number) == effect.map(|effect| effect.number)
                        && refund.status != RefundStatus::Refunded
                }) =>
        {
            faults.add("outcome", "can't be done: the supplier has quoted no refund");
        }
        _ => {}
    }
    match (
        effect.map(|effect| effect.kind),
        ruling.outcome,
        ruling.order_id.as_deref(),
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

/// What the operator has ruled on this open effect, if they have.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn ruling(platform: &Platform, effect: &Effect) -> Result<Option<Ruling>> {
    let mut connection = platform.database.connection().await?;
    Ok(rows::ruling(&mut connection, effect).await?)
}

/// Carries a ruling on an open effect out. False when its supplier has to be asked first.
///
/// # Errors
/// When the database can't be asked: the ruling stands and the worker carries it out.
pub(crate) async fn carry_out(platform: &Platform, effect: &Effect, ruling: &Ruling) -> Result<bool> {
    let actor = Actor::operator();
    let ending = match (effect.kind, ruling.outcome) {
        (EffectKind::Book, ExceptionOutcome::Refused) => {
            Outcome::NotBooked("the supplier has not made the order".to_owned())
        }
        (EffectKind::Cancel | EffectKind::Undo, ExceptionOutcome::Refused) => {
            cancel::refused(effect, "the supplier has not carried it out".to_owned())
        }
        (EffectKind::Cancel | EffectKind::Undo, ExceptionOutcome::Done) => {
            let request: CancelRequest = serde_json::from_value(effect.request.clone())?;
            let mut connection = platform.database.connection().await?;
            let booking = bookings::by_id(&mut connection, effect.organization, effect.booking).await?;
            drop(connection);
            cancel::ended(effect, cancel::done(booking.kind, &request, None, None))
        }
        (EffectKind::Ticket, ExceptionOutcome::Refused) => {
            Outcome::NotTicketed("the supplier has not taken the payment".to_owned())
        }
        (EffectKind::AddService, ExceptionOutcome::Refused) => {
            ssr::refused(effect, "the supplier has not added it".to_owned())?
        }
        // Only the supplier's own order says what was made.
        (EffectKind::Book | EffectKind::Ticket | EffectKind::AddService, ExceptionOutcome::Done)
        | (_, ExceptionOutcome::Noted) => {
            return Ok(false);
        }
    };
    close_and_go_on(platform, &actor, effect, ending).await?;
    Ok(true)
}

/// From how long after it was sent on an open effect is the operator's to know. Before the supplier's longest
/// processing time is over, silence is nothing unusual.
pub(crate) fn deadline(platform: &Platform, effect: &Effect) -> Duration {
    let after = platform.durations.exception_after;
    let after = match platform.supplier(&effect.supplier) {
        Ok(supplier) => after.max(supplier.config().processing_time),
        Err(_) => after,
    };
    Duration::from_std(after).unwrap_or(Duration::MAX)
}

/// Something that is out of order with an effect.
pub(crate) struct Raise<'a> {
    pub actor: &'a Actor,
    pub effect: &'a Effect,
    pub kind: ExceptionKind,
    pub problem: &'a str,
    /// What the operator needs to know of it.
    pub details: Value,
}

/// Raises that this effect's outcome is still not known. Not when it was closed meanwhile.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn outcome_unknown(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    effect: &Effect,
    problem: &str,
) -> Result<()> {
    let open = steps::under_way_on(connection, effect.organization, effect.booking).await?;
    if !open.iter().any(|open| open.id == effect.id) {
        return Ok(());
    }
    let raised = Raise {
        actor: &Actor::system(),
        effect,
        kind: ExceptionKind::OutcomeUnknown,
        problem,
        details: json!({ "effect": effect.kind, "supplier": effect.supplier, "sent_at": effect.sent_at }),
    };
    raise(platform, connection, raised).await
}

/// Raises an exception, once: while one of its kind is open on its effect nothing changes.
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
        effect,
        kind,
        problem,
        details,
    } = raised;
    let exception = NewException {
        id: ExceptionId::new(&platform.clock),
        organization: effect.organization,
        booking: effect.booking,
        effect: Some(effect.id),
        kind,
        problem,
        details,
        raised_at: platform.clock.now(),
    };
    write(platform, connection, actor, exception).await
}

/// Raises an exception that is about a booking and none of its effects. Whoever raises it knows that it is new.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn raise_on_booking<P>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    booking: &Booking<P>,
    kind: ExceptionKind,
    problem: &str,
    details: Value,
) -> Result<()> {
    let exception = NewException {
        id: ExceptionId::new(&platform.clock),
        organization: booking.organization,
        booking: booking.id,
        effect: None,
        kind,
        problem,
        details,
        raised_at: platform.clock.now(),
    };
    write(platform, connection, &Actor::system(), exception).await
}

async fn write(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    actor: &Actor,
    exception: NewException<'_>,
) -> Result<()> {
    let (id, booking) = (exception.id, exception.booking);
    let (kind, problem) = (exception.kind, exception.problem);
    if !rows::raise(connection, &exception).await? {
        return Ok(());
    }
    tracing::error!(exception = %id, %booking, kind = kind.as_ref(), problem, "the operator has to look at this");
    let value =
        json!({ "kind": kind, "booking_id": booking, "problem": problem, "details": exception.details });
    let mut writes = Writes::default();
    writes.event(&event(
        platform,
        actor,
        "exception.raised",
        exception.organization,
        id,
        value,
    ));
    Ok(writes.send(connection).await?)
}

/// Closes what is open because the outcome of these effects was not known, in the transaction that closes them.
/// Without a statement when all of them are too young to have an exception.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn outcomes_known<'a>(
    platform: &Platform,
    connection: &mut AsyncPgConnection,
    closed: impl Iterator<Item = (&'a Actor, &'a Effect)>,
) -> Result<()> {
    let now = platform.clock.now();
    // Half of it: the clock of the process that raised one may be ahead.
    let age = Duration::from_std(platform.durations.exception_after / 2).unwrap_or(Duration::MAX);
    let old = closed.filter(|(_, effect)| now - effect.sent_at >= age);
    let (ruled, known): (Vec<_>, Vec<_>) = old.partition(|(actor, _)| actor.kind == ActorKind::Operator);
    for (by, actor, old) in [
        (ClosedBy::Operator, Actor::operator(), ruled),
        (ClosedBy::Itself, Actor::system(), known),
    ] {
        let effects: Vec<&Effect> = old.into_iter().map(|(_, effect)| effect).collect();
        let closed = rows::close_of(connection, &effects, by, now).await?;
        if closed.is_empty() {
            continue;
        }
        let mut writes = Writes::default();
        for (organization, id) in closed {
            let value = json!({ "closed_by": by });
            writes.event(&event(
                platform,
                &actor,
                "exception.closed",
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
    action: &'static str,
    organization: OrganizationId,
    id: ExceptionId,
    value: Value,
) -> AuditEvent {
    let change = Change {
        organization,
        actor,
        action,
        entity_type: "exception",
        entity_id: id.to_string(),
        old_value: None,
        new_value: Some(value),
    };
    audit_event::event(platform, change)
}
