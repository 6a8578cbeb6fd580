//! Recovery: whoever sent a step may have died, or its supplier fell silent. It is looked up, never sent again.

use chrono::Duration;
use wayfare_domain::Actor;
use wayfare_store::booking::steps::Step;

use crate::{
    Platform, Result,
    engine::{
        incidents, postpone::postpone, resolution, saga::complete_and_continue, step::StepOutcome, steps,
    },
};

/// Looks one open step up at its supplier and completes it if its outcome is known; else says when to look again.
///
/// # Errors
/// When the database can't be asked; the step stays open.
pub(crate) async fn recover(platform: &Platform, step: &Step) -> Result<()> {
    let found = incidents::resolution(platform, step).await?;
    if let Some((resolution, actor)) = &found
        && resolution::carry_out(platform, actor, step, resolution).await?
    {
        return Ok(());
    }
    let resolution = found.map(|(resolution, _)| resolution);
    let is_done = resolution.as_ref().is_some_and(|resolution| resolution.outcome.says_done());
    let order_id = resolution.and_then(|resolution| resolution.order_id);
    let Ok(supplier) = platform.supplier(&step.supplier) else {
        return postpone(platform, step, "the supplier is not configured").await;
    };
    let processing = Duration::from_std(supplier.config().processing_time).unwrap_or(Duration::MAX);
    let now = platform.shared_time.now();
    let too_late = !is_done && now - step.sent_at > processing;
    let looked_up = steps::LookUp { order_id: order_id.as_deref(), too_late, now };
    match steps::look_up(platform, step, looked_up).await? {
        StepOutcome::Unknown(reason) => postpone(platform, step, &reason).await,
        outcome => complete_and_continue(platform, &Actor::system(), step, outcome).await,
    }
}
