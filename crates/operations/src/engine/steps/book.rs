//! Orders as they are made at their suppliers, and looked up there.

use wayfare_domain::OrderStatus;
use wayfare_store::booking::steps::Step;
use wayfare_supply::Answer;

use crate::{
    Engine, Error, Result,
    engine::step::{self, OrderMade, StepOutcome},
    people::sealed::BookingPeople,
    tools::failpoints::moment,
};

pub(super) async fn send(engine: &Engine, step: &Step, people: &BookingPeople) -> Result<StepOutcome> {
    moment("book:opened");
    let supplier = engine.order_supplier(&step.supplier)?;
    if !step::in_time(&engine.core, step) {
        return Ok(StepOutcome::too_late());
    }
    let answer = supplier.book(&step.request, people).await?;
    moment("book:answered");
    Ok(StepOutcome::of(engine, step, people, answer, Some(Error::FareChanged(None)), outcome_of))
}

/// What the order that a supplier shows means for the booking.
fn outcome_of(order: OrderMade) -> StepOutcome {
    match order.status {
        OrderStatus::Held | OrderStatus::Confirmed => StepOutcome::OrderMade(order),
        OrderStatus::Cancelled | OrderStatus::Failed => {
            let reason = "the supplier has cancelled the order".to_owned();
            StepOutcome::refused(reason.clone(), Error::SupplierRefused(reason))
        }
        OrderStatus::Pending => StepOutcome::Unknown("supplier still processing".to_owned()),
    }
}

/// Finds out whether the order was made; by its id at the supplier, where the operator has named it.
pub(super) async fn look_up(
    engine: &Engine,
    step: &Step,
    people: &BookingPeople,
    order_id: Option<&str>,
    too_late: bool,
) -> Result<StepOutcome> {
    let supplier = engine.order_supplier(&step.supplier)?;
    Ok(match supplier.find(order_id, &step.request, people).await? {
        // The operator's word against the supplier's: neither a refusal nor an order.
        Answer::Done(None) if order_id.is_some() => {
            StepOutcome::Unknown("not found under the operator's order id".to_owned())
        }
        found => StepOutcome::found(found, too_late, outcome_of),
    })
}
