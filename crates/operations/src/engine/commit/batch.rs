//! One transaction for many commands: what they need to know is loaded and locked in one round trip, each is decided by
//! itself in the order in which it came, everything is written and committed in another.

use wayfare_domain::Actor;
use wayfare_store::{
    Batch,
    batch::writes::Writes,
    booking::steps::Step,
    money::wallets::{Locked, Owner},
};

use super::{
    AnyJob,
    kept_seals::{KeptSeals, OnlyWallet},
    load::{Wanted, load_state},
};
use crate::{
    Engine, Error, Result,
    engine::{
        batch_state::BatchState,
        incidents,
        ruling::{self, Settled},
    },
    tools::failpoints::moment,
};

/// Carries out all of these in one transaction of two round trips (three where wallets of deleted users get money back,
/// bookings are replaced, agents get money or markups are settled, more where incidents are raised or closed), or of one
/// where all of them move money on one wallet whose seal is kept. One that can't be done changes nothing and doesn't hinder
/// the others.
pub(super) async fn carry_out(
    engine: &Engine,
    seals: &mut KeptSeals,
    jobs: &mut [Box<dyn AnyJob>],
) -> std::result::Result<(), Failed> {
    if by_kept_seal(engine, seals, jobs).await? {
        return Ok(());
    }
    // What fails before the commit is sent has changed nothing.
    let decided = decide(engine, seals, jobs).await;
    let ToCommit { batch, writes, only } = decided.map_err(|error| Failed { error, undone: true })?;
    batch
        .commit(writes)
        .await
        .map_err(|error| Failed { undone: error.surely_undone(), error: error.into() })?;
    if let Some(wallet) = only {
        seals.keep(wallet);
    }
    Ok(())
}

/// Why nobody in a batch has an answer.
pub(super) struct Failed {
    pub error: Error,
    /// Whether surely nothing was changed; else nobody knows.
    pub undone: bool,
}

/// Decides and writes without asking before, if all of these move money on one wallet whose seal is kept. False where
/// something must be asked, or the wallet stands otherwise: nothing was changed then.
async fn by_kept_seal(
    engine: &Engine,
    seals: &mut KeptSeals,
    jobs: &mut [Box<dyn AnyJob>],
) -> std::result::Result<bool, Failed> {
    let Some((owner, known)) = only_wallet(jobs).and_then(|owner| Some((owner, seals.usable(owner)?))) else {
        return Ok(false);
    };
    let known = known.clone();
    let mut state = BatchState::default();
    state.money.lock(owner, &known);
    let mut deciding = Deciding::with(engine, state);
    for job in jobs {
        // What a kept wallet refuses, it may grant as it stands now, or may have granted before.
        if !job.decide(&mut deciding) {
            return Ok(false);
        }
    }
    let Some(after) = deciding.state.money.wallets.remove(&known.wallet.id) else { return Ok(false) };
    seals.forget(owner);
    let connection = engine.core.database.connection_of_kept_plans().await;
    let connection = connection.map_err(|error| Failed { error: error.into(), undone: true })?;
    let written = Batch::on(connection).commit_if_known(deciding.writes, owner, &known, &after);
    match written.await {
        Ok(()) => {
            seals.keep(OnlyWallet { owner, wallet: Locked { wallet: after, ..known }, unchallenged: true });
            Ok(true)
        }
        Err(error) if error.surely_undone() => {
            tracing::debug!(%error, wallet = %known.wallet.id, "a kept seal was of no use; locking the wallet");
            Ok(false)
        }
        Err(error) => Err(Failed { error: error.into(), undone: false }),
    }
}

/// Whose wallet it is that all of these move money on, if it is one and nothing but it decides.
fn only_wallet(jobs: &[Box<dyn AnyJob>]) -> Option<Owner> {
    let (first, others) = jobs.split_first()?;
    let owner = first.only_wallet()?;
    others.iter().all(|other| other.only_wallet() == Some(owner)).then_some(owner)
}

struct ToCommit {
    batch: Batch,
    writes: Writes,
    /// If it is of one wallet, what this becomes.
    only: Option<OnlyWallet>,
}

async fn decide(engine: &Engine, seals: &mut KeptSeals, jobs: &mut [Box<dyn AnyJob>]) -> Result<ToCommit> {
    let wanted = Wanted::by(jobs);
    let completes = !wanted.completions.is_empty();
    #[cfg(feature = "failpoints")]
    crate::engine::complete::seeded_bugs::post_before_store(engine, &wanted.completions).await?;
    let mut batch = Batch::on(engine.core.database.connection_of_kept_plans().await?);
    let (state, only) = load_state(&engine.core, seals, &mut batch, wanted).await?;
    let mut deciding = Deciding::with(engine, state);
    for job in jobs {
        job.decide(&mut deciding);
    }
    if !deciding.completed.is_empty() {
        incidents::outcomes_known(&engine.core, batch.connection_mut()?, deciding.completed.into_iter())
            .await?;
    }
    for raise in deciding.raised {
        incidents::raise(&engine.core, batch.connection_mut()?, raise).await?;
    }
    // A ruling names the transfer that it made.
    if !deciding.settled.is_empty() {
        std::mem::take(&mut deciding.writes).send(batch.connection_mut()?).await?;
    }
    for settled in &deciding.settled {
        ruling::write(&engine.core, &mut batch, settled).await?;
    }
    if completes {
        moment("close:decided");
    }
    let mut wallets = deciding.state.money.wallets;
    // With that of a deleted user another one may have been locked.
    let only = only.filter(|_| wallets.len() == 1).and_then(|only| {
        let after = wallets.remove(&only.wallet.wallet.id)?;
        Some(OnlyWallet { wallet: Locked { wallet: after, ..only.wallet }, ..only })
    });
    Ok(ToCommit { batch, writes: deciding.writes, only })
}

/// A batch while its commands are decided: what is known, and what they came to so far.
pub(crate) struct Deciding<'a> {
    pub(super) engine: &'a Engine,
    pub(super) state: BatchState,
    pub(super) writes: Writes,
    pub(super) raised: Vec<incidents::Raise<'a>>,
    /// Steps that are completed by this batch, and who says so.
    pub(super) completed: Vec<(&'a Actor, &'a Step)>,
    pub(super) settled: Vec<Settled>,
}

impl<'a> Deciding<'a> {
    fn with(engine: &'a Engine, state: BatchState) -> Self {
        Self {
            engine,
            state,
            writes: Writes::default(),
            raised: Vec::new(),
            completed: Vec::new(),
            settled: Vec::new(),
        }
    }
}
