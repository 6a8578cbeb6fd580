//! What each kind of step sends to its supplier, and how it is looked up.

pub(crate) mod accept_change;
pub(crate) mod add_service;
mod book;
pub(crate) mod cancel;
pub(crate) mod change;
mod ticket;
pub(crate) mod unanswered;

use chrono::{DateTime, Utc};
use wayfare_domain::StepKind;
use wayfare_store::booking::steps::Step;

use crate::{
    Core, Engine, Result,
    engine::step::StepOutcome,
    people::sealed::{self, BookingPeople},
    suppliers::accounts,
};

/// Sends a step to its supplier. `known` is whom its saga is for, where the sender knows them: else they are looked up.
///
/// # Errors
/// When what is to be sent can't be read, or the supplier is not configured.
pub(crate) async fn send(engine: &Engine, step: &Step, known: Option<&BookingPeople>) -> Result<StepOutcome> {
    let outcome = send_for(engine, step, known).await;
    // What it has shown of our account stands before anybody is answered; the worker writes what can't be written now.
    if let Err(error) = accounts::write_noted(&engine.suppliers).await {
        tracing::warn!(%error, "what is wrong with a supplier could not be written yet");
    }
    outcome
}

async fn send_for(engine: &Engine, step: &Step, known: Option<&BookingPeople>) -> Result<StepOutcome> {
    let known = known.filter(|known| known.booking == step.booking).cloned();
    if matches!(step.kind, StepKind::Cancel | StepKind::Compensate) {
        let outcome = cancel::send(engine, step).await?;
        return to_be_written(&engine.core, step, known, outcome).await;
    }
    let people = match known {
        Some(known) => known,
        None => sealed::load(&engine.core, step.organization, step.booking).await?,
    };
    let outcome = match step.kind {
        StepKind::Book => book::send(engine, step, &people).await,
        StepKind::Ticket => ticket::send(engine, step, &people).await,
        StepKind::AddService => add_service::send(engine, step, &people).await,
        StepKind::AcceptChange => accept_change::send(engine, step, &people).await,
        StepKind::Change => change::send(engine, step, &people).await,
        StepKind::Cancel | StepKind::Compensate => cancel::send(engine, step).await,
    };
    outcome?.sealed_for_writing(&engine.core, &people)
}

/// The outcome of a step, scrubbed. Where the caller does not know the booking's people, they are read only if the outcome has
/// a text that may name them.
async fn to_be_written(
    core: &Core,
    step: &Step,
    known: Option<BookingPeople>,
    outcome: StepOutcome,
) -> Result<StepOutcome> {
    match known {
        Some(people) => outcome.sealed_for_writing(core, &people),
        None if outcome.has_text() => {
            let people = sealed::load(core, step.organization, step.booking).await;
            // What became of the step is known, and must not be lost with them.
            let people = people.unwrap_or_else(|error| {
                tracing::error!(%error, booking = %step.booking, "the people of a booking could not be opened");
                BookingPeople::unknown(step.booking)
            });
            outcome.sealed_for_writing(core, &people)
        }
        None => Ok(outcome),
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LookUp<'a> {
    /// The supplier's id of an order, where the operator has named it.
    pub order_id: Option<&'a str>,
    /// Whether the supplier's processing time has passed, so that "not found" means that nothing happened.
    pub too_late: bool,
    pub now: DateTime<Utc>,
}

/// Finds out what became of a step.
///
/// # Errors
/// When what was sent can't be read, or the supplier is not configured.
pub(crate) async fn look_up(engine: &Engine, step: &Step, asked: LookUp<'_>) -> Result<StepOutcome> {
    let LookUp { order_id, too_late, now } = asked;
    if matches!(step.kind, StepKind::Cancel | StepKind::Compensate) {
        let outcome = unanswered::look_up(engine, step, now).await?;
        return to_be_written(&engine.core, step, None, outcome).await;
    }
    let people = sealed::load(&engine.core, step.organization, step.booking).await?;
    let outcome = match step.kind {
        StepKind::Book => book::look_up(engine, step, &people, order_id, too_late).await,
        StepKind::Cancel | StepKind::Compensate => unanswered::look_up(engine, step, now).await,
        StepKind::Ticket => ticket::look_up(engine, step, &people, too_late).await,
        StepKind::AddService => add_service::look_up(engine, step, &people, too_late).await,
        StepKind::AcceptChange => accept_change::look_up(engine, step, &people, too_late).await,
        StepKind::Change => change::look_up(engine, step, &people, asked).await,
    };
    outcome?.sealed_for_writing(&engine.core, &people)
}
