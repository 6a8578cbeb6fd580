//! What each kind of step sends to its supplier, and how it is looked up.

mod add_service;
mod book;
pub(crate) mod cancel;
mod ticket;

use wayfare_domain::StepKind;
use wayfare_store::booking::steps::Step;

use crate::{Platform, Result, engine::step::StepOutcome};

/// Sends a step to its supplier.
///
/// # Errors
/// When what is to be sent can't be read, or the supplier is not configured.
pub(crate) async fn send(platform: &Platform, step: &Step) -> Result<StepOutcome> {
    match step.kind {
        StepKind::Book => book::send(platform, step).await,
        StepKind::Cancel | StepKind::Compensate => cancel::send(platform, step).await,
        StepKind::Ticket => ticket::send(platform, step).await,
        StepKind::AddService => add_service::send(platform, step).await,
    }
}

/// Finds out what became of a step. `order_id` is the supplier's id of an order, where the operator has named it;
/// `too_late` whether the supplier's processing time has passed, so that "not found" means that nothing happened.
///
/// # Errors
/// When what was sent can't be read, or the supplier is not configured.
pub(crate) async fn look_up(
    platform: &Platform,
    step: &Step,
    order_id: Option<&str>,
    too_late: bool,
) -> Result<StepOutcome> {
    match step.kind {
        StepKind::Book => book::look_up(platform, step, order_id, too_late).await,
        StepKind::Cancel | StepKind::Compensate => cancel::look_up(platform, step, too_late).await,
        StepKind::Ticket => ticket::look_up(platform, step, too_late).await,
        StepKind::AddService => add_service::look_up(platform, step, too_late).await,
    }
}
