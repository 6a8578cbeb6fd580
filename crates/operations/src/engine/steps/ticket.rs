//! Held orders as they are paid at their suppliers, so that their tickets are issued.

use wayfare_store::booking::steps::Step;

use crate::{
    Engine, Error, Result,
    engine::step::{self, StepOutcome},
    people::sealed::BookingPeople,
    tools::failpoints::moment,
};

pub(super) async fn send(engine: &Engine, step: &Step, people: &BookingPeople) -> Result<StepOutcome> {
    let supplier = engine.after_sale(&step.supplier)?;
    moment("ticket:opened");
    if !step::in_time(&engine.core, step) {
        return Ok(StepOutcome::too_late());
    }
    let answer = supplier.ticket(&step.request, people).await;
    moment("ticket:answered");
    Ok(StepOutcome::of(
        engine,
        step,
        people,
        answer?,
        Some(Error::HeldFareChanged(None)),
        StepOutcome::OrderMade,
    ))
}

/// Finds out what came of a payment whose answer is not known, from the order as the supplier shows it.
pub(super) async fn look_up(
    engine: &Engine,
    step: &Step,
    people: &BookingPeople,
    too_late: bool,
) -> Result<StepOutcome> {
    let supplier = engine.after_sale(&step.supplier)?;
    let found = supplier.find_ticketed(&step.request, people).await?;
    Ok(StepOutcome::found(found, too_late, StepOutcome::OrderMade))
}
