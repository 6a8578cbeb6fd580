//! One transaction for many commands: what they need to know is loaded and locked in one round trip, each is decided by
//! itself in the order in which it came, everything is written and committed in another.

use wayfare_domain::Actor;
use wayfare_store::{Batch, batch::writes::Writes, booking::steps::Step};

use super::{Command, CommandResult, load::load_state};
use crate::{
    Error, Platform, Result,
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
/// bookings are replaced, agents get money or markups are settled, more where incidents are raised or closed). One that
/// can't be done changes nothing and doesn't hinder the others.
pub(super) async fn carry_out(
    platform: &Platform,
    commands: &[&Command],
) -> std::result::Result<Vec<Result<CommandResult>>, Failed> {
    // What fails before the commit is sent has changed nothing.
    let decided = decide(platform, commands).await;
    let (batch, writes, results) = decided.map_err(|error| Failed { error, undone: true })?;
    batch.commit(writes).await.map_err(|error| Failed {
        undone: error.surely_undone(),
        error: error.into(),
    })?;
    Ok(results)
}

/// Why nobody in a batch has an answer.
pub(super) struct Failed {
    pub error: Error,
    /// Whether surely nothing was changed; else nobody knows.
    pub undone: bool,
}

/// What is to be written, and what to answer when it is.
async fn decide(
    platform: &Platform,
    commands: &[&Command],
) -> Result<(Batch, Writes, Vec<Result<CommandResult>>)> {
    #[cfg(feature = "failpoints")]
    complete::seeded_bugs::post_before_store(platform, &completions(commands)).await?;
    let mut batch = Batch::on(platform.database.connection().await?);
    let mut state = load_state(platform, &mut batch, commands).await?;
    let mut decided = Decided::default();
    let results: Vec<Result<CommandResult>> = commands
        .iter()
        .map(|command| decided.add(platform, command, &mut state))
        .collect();
    if !decided.completed.is_empty() {
        incidents::outcomes_known(platform, batch.connection_mut()?, decided.completed.into_iter()).await?;
    }
    for raise in decided.raised {
        incidents::raise(platform, batch.connection_mut()?, raise).await?;
    }
    // A ruling names the transfer that it made.
    if !decided.settled.is_empty() {
        std::mem::take(&mut decided.writes)
            .send(batch.connection_mut()?)
            .await?;
    }
    for settled in &decided.settled {
        ruling::write(platform, &mut batch, settled).await?;
    }
    if !completions(commands).is_empty() {
        moment("close:decided");
    }
    Ok((batch, decided.writes, results))
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
        platform: &'a Platform,
        command: &&'a Command,
        state: &mut BatchState,
    ) -> Result<CommandResult> {
        let writes = &mut self.writes;
        match *command {
            Command::Open(booking) => {
                open_booking::open(platform, booking, state, writes).map(CommandResult::Opened)
            }
            Command::Complete(completion) => {
                let first = state.open.contains(&completion.step.id);
                let after = complete::complete(platform, completion, state, writes, &mut self.raised)?;
                if first {
                    self.completed.push((&completion.actor, &completion.step));
                }
                Ok(CommandResult::Completed(Box::new(after)))
            }
            Command::Transfer(transfer) => {
                wallet_transfer::decide(platform, transfer, &mut state.money, writes)
                    .map(CommandResult::Moved)
            }
            Command::PayMarkup(payout) => markup_payout::decide(platform, payout, &mut state.money, writes)
                .map(CommandResult::MarkupPaid),
            Command::Rule(rule) => ruling::decide(platform, rule, state, writes, &mut self.settled)
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
