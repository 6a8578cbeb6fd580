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
    Command, CommandResult,
    kept_seals::{KeptSeals, OnlyWallet},
    load::load_state,
};
use crate::{
    Engine, Error, Result,
    engine::{
        batch_state::BatchState,
        complete::{self, CompleteStep},
        incidents, open_booking,
        ruling::{self, Settled},
    },
    money::{markup_payout, wallet_transfer},
    tools::failpoints::moment,
};

/// Carries out all of these in one transaction of two round trips (three where wallets of deleted users get money back,
/// bookings are replaced, agents get money or markups are settled, more where incidents are raised or closed), or of one
/// where all of them move money on one wallet whose seal is kept. One that can't be done changes nothing and doesn't hinder
/// the others.
pub(super) async fn carry_out(
    engine: &Engine,
    seals: &mut KeptSeals,
    commands: &[&Command],
) -> std::result::Result<Vec<Result<CommandResult>>, Failed> {
    if let Some(results) = by_kept_seal(engine, seals, commands).await? {
        return Ok(results);
    }
    // What fails before the commit is sent has changed nothing.
    let decided = decide(engine, seals, commands).await;
    let ToCommit { batch, writes, results, only } =
        decided.map_err(|error| Failed { error, undone: true })?;
    batch
        .commit(writes)
        .await
        .map_err(|error| Failed { undone: error.surely_undone(), error: error.into() })?;
    if let Some(wallet) = only {
        seals.keep(wallet);
    }
    Ok(results)
}

/// Why nobody in a batch has an answer.
pub(super) struct Failed {
    pub error: Error,
    /// Whether surely nothing was changed; else nobody knows.
    pub undone: bool,
}

/// Decides and writes without asking before, if all of these move money on one wallet whose seal is kept. None where
/// something must be asked, or the wallet stands otherwise: nothing was changed then.
async fn by_kept_seal(
    engine: &Engine,
    seals: &mut KeptSeals,
    commands: &[&Command],
) -> std::result::Result<Option<Vec<Result<CommandResult>>>, Failed> {
    let Some((owner, known)) = only_wallet(commands).and_then(|owner| Some((owner, seals.usable(owner)?)))
    else {
        return Ok(None);
    };
    let known = known.clone();
    let mut state = BatchState::default();
    state.money.lock(owner, &known);
    let mut decided = Decided::default();
    let mut results = Vec::with_capacity(commands.len());
    for command in commands {
        match decided.add(engine, command, &mut state) {
            Ok(result) => results.push(Ok(result)),
            // What a kept wallet refuses, it may grant as it stands now, or may have granted before.
            Err(_) => return Ok(None),
        }
    }
    let Some(after) = state.money.wallets.remove(&known.wallet.id) else {
        return Ok(None);
    };
    seals.forget(owner);
    let connection = engine.core.database.connection_of_kept_plans().await;
    let connection = connection.map_err(|error| Failed { error: error.into(), undone: true })?;
    let written = Batch::on(connection).commit_if_known(decided.writes, owner, &known, &after);
    match written.await {
        Ok(()) => {
            seals.keep(OnlyWallet { owner, wallet: Locked { wallet: after, ..known }, unchallenged: true });
            Ok(Some(results))
        }
        Err(error) if error.surely_undone() => {
            tracing::debug!(%error, wallet = %known.wallet.id, "a kept seal was of no use; locking the wallet");
            Ok(None)
        }
        Err(error) => Err(Failed { error: error.into(), undone: false }),
    }
}

/// Whose wallet it is that all of these move money on, if it is one and nothing but it decides.
fn only_wallet(commands: &[&Command]) -> Option<Owner> {
    let of = |command: &&Command| match command {
        // Whether a user who gets money is deleted has to be asked.
        Command::Transfer(transfer) if transfer.credited_user().is_none() => {
            let mut owners = transfer.owners();
            owners.next().filter(|_| owners.next().is_none())
        }
        Command::Transfer(_)
        | Command::Open(_)
        | Command::Complete(_)
        | Command::PayMarkup(_)
        | Command::Rule(_) => None,
    };
    let (first, others) = commands.split_first()?;
    let owner = of(first)?;
    others.iter().all(|other| of(other) == Some(owner)).then_some(owner)
}

/// What is to be written, and what to answer when it is.
struct ToCommit {
    batch: Batch,
    writes: Writes,
    results: Vec<Result<CommandResult>>,
    /// If it is of one wallet, what this becomes.
    only: Option<OnlyWallet>,
}

async fn decide(engine: &Engine, seals: &mut KeptSeals, commands: &[&Command]) -> Result<ToCommit> {
    #[cfg(feature = "failpoints")]
    complete::seeded_bugs::post_before_store(engine, &completions(commands)).await?;
    let mut batch = Batch::on(engine.core.database.connection_of_kept_plans().await?);
    let (mut state, only) = load_state(&engine.core, seals, &mut batch, commands).await?;
    let mut decided = Decided::default();
    let results: Vec<Result<CommandResult>> =
        commands.iter().map(|command| decided.add(engine, command, &mut state)).collect();
    if !decided.completed.is_empty() {
        incidents::outcomes_known(&engine.core, batch.connection_mut()?, decided.completed.into_iter())
            .await?;
    }
    for raise in decided.raised {
        incidents::raise(&engine.core, batch.connection_mut()?, raise).await?;
    }
    // A ruling names the transfer that it made.
    if !decided.settled.is_empty() {
        std::mem::take(&mut decided.writes).send(batch.connection_mut()?).await?;
    }
    for settled in &decided.settled {
        ruling::write(&engine.core, &mut batch, settled).await?;
    }
    if !completions(commands).is_empty() {
        moment("close:decided");
    }
    let mut wallets = state.money.wallets;
    // With that of a deleted user another one may have been locked.
    let only = only.filter(|_| wallets.len() == 1).and_then(|only| {
        let after = wallets.remove(&only.wallet.wallet.id)?;
        Some(OnlyWallet { wallet: Locked { wallet: after, ..only.wallet }, ..only })
    });
    Ok(ToCommit { batch, writes: decided.writes, results, only })
}

/// What the commands of a batch came to so far.
#[derive(Default)]
struct Decided<'a> {
    writes: Writes,
    raised: Vec<incidents::Raise<'a>>,
    /// Steps that are completed by this batch, and who says so.
    completed: Vec<(&'a Actor, &'a Step)>,
    settled: Vec<Settled>,
}

impl<'a> Decided<'a> {
    fn add(
        &mut self,
        engine: &'a Engine,
        command: &&'a Command,
        state: &mut BatchState,
    ) -> Result<CommandResult> {
        let writes = &mut self.writes;
        match *command {
            Command::Open(booking) => {
                open_booking::open(&engine.core, booking, state, writes).map(CommandResult::Opened)
            }
            Command::Complete(completion) => {
                let first = state.open.contains(&completion.step.id);
                let after = complete::complete(engine, completion, state, writes, &mut self.raised)?;
                if first {
                    self.completed.push((&completion.actor, &completion.step));
                }
                Ok(CommandResult::Completed(Box::new(after)))
            }
            Command::Transfer(transfer) => {
                wallet_transfer::decide(&engine.core, transfer, &mut state.money, writes)
                    .map(CommandResult::Moved)
            }
            Command::PayMarkup(payout) => {
                markup_payout::decide(&engine.core, payout, &mut state.money, writes)
                    .map(CommandResult::MarkupPaid)
            }
            Command::Rule(rule) => ruling::decide(&engine.core, rule, state, writes, &mut self.settled)
                .map(|made| CommandResult::Ruled(Box::new(made))),
        }
    }
}

fn completions<'a>(commands: &[&'a Command]) -> Vec<&'a CompleteStep> {
    let completion = |command: &&'a Command| match command {
        Command::Complete(completion) => Some(&**completion),
        _ => None,
    };
    commands.iter().filter_map(completion).collect()
}
