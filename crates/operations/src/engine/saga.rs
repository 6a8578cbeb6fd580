//! Steps as they are carried out, one after the other where they follow each other.

use futures_util::FutureExt;
use wayfare_domain::{Actor, BookingId, StepKind};
use wayfare_store::booking::steps::Step;

use crate::{
    Engine, Error, Result,
    engine::{
        booking_state::BookingState, complete::CompleteStep, postpone::postpone, step::StepOutcome,
        step_lease, steps,
    },
    people::sealed::BookingPeople,
    tools::failpoints::moment,
};

/// Whoever waits for a booking that failed waits so long at most for its other orders to be given back.
const COMPENSATED_WITHIN: std::time::Duration = std::time::Duration::from_secs(5);

#[derive(Default)]
pub(crate) struct Progress {
    completed: Vec<BookingState>,
    /// Why one of its steps, and all after it, were refused.
    pub error: Option<Error>,
    /// Whether the outcome of one is not known yet.
    pub open: bool,
}

impl Progress {
    /// The booking as the last of its steps left it.
    pub(crate) fn of(&self, booking: BookingId) -> Option<&BookingState> {
        self.completed.iter().rfind(|state| state.booking.id == booking)
    }
}

/// Sends a step that was just written, completes it, and goes on with what begins by that. What is sent is sent once;
/// what is not known then is left to the [`crate::worker`]. `people` are those of its booking, where they are known.
///
/// # Errors
/// When the database can't be asked; what was sent stays open.
pub(crate) async fn run_saga(
    engine: &Engine,
    actor: &Actor,
    first: &Step,
    people: Option<&BookingPeople>,
) -> Result<Progress> {
    let mut progress = Progress::default();
    let mut next = Some(first.clone());
    while let Some(step) = next.take() {
        if step.position > 1 {
            moment("next:begun");
        }
        let mut outcome =
            step_lease::sending(engine, &step, steps::send(engine, &step, people).boxed()).await?;
        if step.position > 1 {
            moment("next:answered");
        }
        if let StepOutcome::Unknown(reason) = &outcome {
            tracing::warn!(step = %step.id, kind = step.kind.as_ref(), reason, "a supplier's answer is not known");
            postpone(engine, &step, reason).await?;
            progress.open = true;
            continue;
        }
        let error = outcome.take_error();
        let state = complete(engine, actor, &step, outcome).await?;
        let (compensations, follows): (Vec<Step>, Vec<Step>) =
            state.begun.iter().cloned().partition(|step| step.kind == StepKind::Compensate);
        next = follows.into_iter().next();
        progress.error = progress.error.take().or(error);
        progress.completed.push(state);
        // The worker does what is not done in time.
        let compensating = compensate(engine, actor, &compensations, people);
        tokio::time::timeout(COMPENSATED_WITHIN, compensating).await.ok();
    }
    Ok(progress)
}

/// Gives orders of a booking that failed back to their suppliers.
async fn compensate(engine: &Engine, actor: &Actor, compensations: &[Step], people: Option<&BookingPeople>) {
    for step in compensations {
        let compensated = async {
            match step_lease::sending(engine, step, steps::send(engine, step, people).boxed()).await? {
                StepOutcome::Unknown(reason) => postpone(engine, step, &reason).await,
                outcome => complete(engine, actor, step, outcome).await.map(drop),
            }
        };
        if let Err(error) = compensated.await {
            tracing::error!(%error, step = %step.id, "an order could not be given back yet");
        }
    }
}

async fn complete(engine: &Engine, actor: &Actor, step: &Step, outcome: StepOutcome) -> Result<BookingState> {
    let is_order = step.kind == StepKind::Book && matches!(outcome, StepOutcome::OrderMade(_));
    let command = CompleteStep { step: step.clone(), actor: actor.clone(), outcome };
    let completed = engine.group_commit.carry_out(command).await?;
    if is_order {
        engine.suppliers.look_to_book.count_order(&step.supplier);
    }
    Ok(completed)
}

/// Completes a step as its supplier, or the operator for it, says, and goes on with what begins by that.
pub(crate) async fn complete_and_continue(
    engine: &Engine,
    actor: &Actor,
    step: &Step,
    outcome: StepOutcome,
) -> Result<()> {
    for begun in complete(engine, actor, step, outcome).await?.begun {
        match begun.kind {
            StepKind::Compensate => compensate(engine, actor, &[begun], None).await,
            _ => drop(run_saga(engine, actor, &begun, None).await?),
        }
    }
    Ok(())
}
