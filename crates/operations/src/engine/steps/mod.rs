//! What each kind of step sends to its supplier, and how it is looked up.

mod add_service;
mod book;
pub(crate) mod cancel;
mod ticket;
pub(crate) mod unanswered;

use chrono::{DateTime, Utc};
use wayfare_domain::StepKind;
use wayfare_store::booking::steps::Step;

use crate::{Platform, Result, engine::step::StepOutcome, tools::supplier_accounts};

/// Sends a step to its supplier.
///
/// # Errors
/// When what is to be sent can't be read, or the supplier is not configured.
pub(crate) async fn send(platform: &Platform, step: &Step) -> Result<StepOutcome> {
    let outcome = match step.kind {
        StepKind::Book => book::send(platform, step).await,
        StepKind::Cancel | StepKind::Compensate => cancel::send(platform, step).await,
        StepKind::Ticket => ticket::send(platform, step).await,
        StepKind::AddService => add_service::send(platform, step).await,
    };
    // What it has shown of our account stands before anybody is answered; the worker writes what can't be written now.
    if let Err(error) = supplier_accounts::write_noted(platform).await {
        tracing::warn!(%error, "what is wrong with a supplier could not be written yet");
    }
    outcome
}

/// What a look-up has to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LookUp<'a> {
    /// The supplier's id of an order, where the operator has named it.
    pub order_id: Option<&'a str>,
    /// Whether the supplier's processing time has passed, so that "not found" means that nothing happened.
    pub too_late: bool,
    /// The present, UTC.
    pub now: DateTime<Utc>,
}

/// Finds out what became of a step.
///
/// # Errors
/// When what was sent can't be read, or the supplier is not configured.
pub(crate) async fn look_up(platform: &Platform, step: &Step, asked: LookUp<'_>) -> Result<StepOutcome> {
    let LookUp {
        order_id,
        too_late,
        now,
    } = asked;
    match step.kind {
        StepKind::Book => book::look_up(platform, step, order_id, too_late).await,
        StepKind::Cancel | StepKind::Compensate => unanswered::look_up(platform, step, now).await,
        StepKind::Ticket => ticket::look_up(platform, step, too_late).await,
        StepKind::AddService => add_service::look_up(platform, step, too_late).await,
    }
}
