//! Recovery: whoever sent a step may have died, or its supplier fell silent. It is looked up, never sent again.

use chrono::Duration;
use wayfare_domain::Actor;
use wayfare_store::booking::steps::Step;

use crate::{
    Engine, Result,
    engine::{
        incidents, postpone::postpone, resolution, saga::complete_and_continue, step::StepOutcome, steps,
    },
};

/// Looks one open step up at its supplier and completes it if its outcome is known; else says when to look again.
///
/// # Errors
/// When the database can't be asked; the step stays open.
pub(crate) async fn recover(engine: &Engine, step: &Step) -> Result<()> {
    let found = incidents::resolution(&engine.core, step).await?;
    if let Some((resolution, actor)) = &found
        && resolution::carry_out(engine, actor, step, resolution).await?
    {
        return Ok(());
    }
    let resolution = found.map(|(resolution, _)| resolution);
    let is_done = resolution.as_ref().is_some_and(|resolution| resolution.outcome.says_done());
    let order_id = resolution.and_then(|resolution| resolution.order_id);
    let Ok(supplier) = engine.suppliers.supplier(&step.supplier) else {
        return postpone(engine, step, "the supplier is not configured").await;
    };
    let processing = Duration::from_std(supplier.config().processing_time).unwrap_or(Duration::MAX);
    let now = engine.core.shared_time.now();
    let too_late = !is_done && now - step.sent_at > processing;
    let looked_up = steps::LookUp { order_id: order_id.as_deref(), too_late, now };
    match steps::look_up(engine, step, looked_up).await? {
        StepOutcome::Unknown(reason) => postpone(engine, step, &reason).await,
        outcome => complete_and_continue(engine, &Actor::system(), step, outcome).await,
    }
}
