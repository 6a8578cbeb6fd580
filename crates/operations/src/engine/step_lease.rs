//! The leases of steps: whoever sends or looks up a step renews its claim meanwhile. A process that dies costs a lease, one
//! that is stopped gives its steps back.

use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use futures_util::{FutureExt, future::BoxFuture};
use wayfare_boxed::boxed;
use wayfare_domain::{OrganizationId, StepId};
use wayfare_store::booking::steps::{self, Step};
use wayfare_supply::on_behalf_of;

use crate::{
    Engine, Result,
    tools::lease::{LEASE, renewing},
};

/// The steps that this process sends or looks up.
#[derive(Default)]
pub(crate) struct StepLeases {
    held: Mutex<HashMap<StepId, (OrganizationId, i32)>>,
    /// The process is about to end: nothing is renewed any more.
    is_ending: AtomicBool,
}

impl StepLeases {
    fn held(&self) -> MutexGuard<'_, HashMap<StepId, (OrganizationId, i32)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A step in this process' hands, until it is dropped.
struct Held<'a> {
    leases: &'a StepLeases,
    step: StepId,
}

impl<'a> Held<'a> {
    fn of(leases: &'a StepLeases, step: &Step, attempts: i32) -> Self {
        leases.held().insert(step.id, (step.organization, attempts));
        Self { leases, step: step.id }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.leases.held().remove(&self.step);
    }
}

/// Does what is to be done with a step that was just written, or begun, while nobody else looks it up.
pub(crate) async fn sending<T>(engine: &Engine, step: &Step, work: BoxFuture<'_, T>) -> T {
    under_lease(engine, step, step.attempts, work).await
}

/// Does what is to be done with a step that was just taken, while nobody else takes it.
pub(crate) async fn looking_up<T>(engine: &Engine, step: &Step, work: BoxFuture<'_, T>) -> T {
    // It is as it was before it was taken.
    under_lease(engine, step, step.attempts + 1, work).await
}

/// The number of attempts is the fence: whoever takes the step adds one.
async fn under_lease<T>(engine: &Engine, step: &Step, attempts: i32, work: BoxFuture<'_, T>) -> T {
    let leases = &engine.step_leases;
    let _held = Held::of(leases, step, attempts);
    let renew = async || {
        if leases.is_ending.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let mut connection = engine.core.database.connection().await?;
        let until = engine.core.shared_time.now() + LEASE;
        Ok(steps::renew(&mut connection, (step.organization, step.id), attempts, until).await?)
    };
    renewing("a step", on_behalf_of(step.organization, work).boxed(), renew).await
}

/// Gives back what this process sends or looks up, so that others look it up at once. To be called when the process is
/// about to end.
#[boxed]
pub async fn give_back(engine: &Engine) -> Result<()> {
    engine.step_leases.is_ending.store(true, Ordering::Relaxed);
    let held: Vec<_> = engine
        .step_leases
        .held()
        .iter()
        .map(|(step, (organization, attempts))| ((*organization, *step), *attempts))
        .collect();
    if held.is_empty() {
        return Ok(());
    }
    let mut connection = engine.core.database.connection().await?;
    for (step, attempts) in held {
        steps::renew(&mut connection, step, attempts, engine.core.shared_time.now()).await?;
    }
    Ok(())
}
