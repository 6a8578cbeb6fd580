//! Services as they are added to orders at their suppliers.

use wayfare_store::booking::steps::Step;

use crate::{
    Engine, Result,
    engine::step::{self, StepOutcome},
    people::sealed::BookingPeople,
    tools::failpoints::moment,
};

pub(super) async fn send(engine: &Engine, step: &Step, people: &BookingPeople) -> Result<StepOutcome> {
    let supplier = engine.order_supplier(&step.supplier)?;
    moment("service:opened");
    if !step::in_time(&engine.core, step) {
        return Ok(StepOutcome::too_late());
    }
    let answer = supplier.add_services(&step.request, people).await;
    moment("service:answered");
    Ok(StepOutcome::of(engine, step, people, answer?, None, StepOutcome::OrderMade))
}

/// Finds out whether they were added.
pub(super) async fn look_up(
    engine: &Engine,
    step: &Step,
    people: &BookingPeople,
    too_late: bool,
) -> Result<StepOutcome> {
    let supplier = engine.order_supplier(&step.supplier)?;
    let found = supplier.find_added(&step.request, people).await?;
    Ok(StepOutcome::found(found, too_late, StepOutcome::OrderMade))
}
