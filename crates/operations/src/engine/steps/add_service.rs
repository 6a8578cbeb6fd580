//! Services as they are added to orders at their suppliers.

use serde::{Deserialize, Serialize};
use wayfare_store::{JsonText, booking::steps::Step};

use crate::{
    Engine, Result,
    engine::step::{self, Service, StepOutcome},
    people::sealed::BookingPeople,
    tools::failpoints::moment,
};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ServiceRequest {
    /// What was sent when the order was made, without people, as its product has it.
    pub booked: JsonText,
    pub order_id: String,
    /// As its product has them.
    pub added: JsonText,
    pub service: Service,
}

pub(super) async fn send(engine: &Engine, step: &Step, people: &BookingPeople) -> Result<StepOutcome> {
    let supplier = engine.after_sale(&step.supplier)?;
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
    let supplier = engine.after_sale(&step.supplier)?;
    let found = supplier.find_added(&step.request, people).await?;
    Ok(StepOutcome::found(found, too_late, StepOutcome::OrderMade))
}
