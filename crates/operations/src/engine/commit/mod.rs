//! The writers: each agency's purchases and movements of money are written by one of them, many in one transaction.
//!
//! While a writer waits for PostgreSQL, what is asked meanwhile queues up; it takes all of that next. So a lone
//! purchase waits for nobody, and an agency whose agents book at once is not slowed by its own wallet's row lock
//! (P-86). Several processes may write for the same agency: the row locks keep them apart.

mod batch;
mod kept_seals;
mod load;
#[cfg(test)]
pub(super) mod model;

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    panic::AssertUnwindSafe,
    sync::{Arc, Weak},
    time::Duration,
};

use futures_util::FutureExt;
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
    time::{Instant, timeout},
};
use wayfare_domain::OrganizationId;
use wayfare_store::StoreError;

use batch::Failed;
use kept_seals::KeptSeals;

use crate::{
    Engine, Error, Result,
    engine::{
        booking_state::BookingState,
        complete::CompleteStep,
        open_booking::{OpenBooking, OpenResult},
        ruling::{Rule, RulingMade},
    },
    money::{
        markup_payout::{MarkupPaid, MarkupPayout},
        wallet_transfer::{Moved, WalletTransfer},
    },
};

/// So much in one transaction at most: enough to share a commit, few enough to be answered soon.
const MOST: usize = 128;
/// What may queue up for one writer; those who come then wait with their request.
const QUEUE: usize = 1024;

/// How long a batch may take. A commit can hang without end where it waits for a standby that is gone. Then its
/// connection is dropped, and whether it was committed nobody knows. It is never cancelled: PostgreSQL acknowledges a
/// cancelled commit that is on no standby yet.
const PATIENCE: Duration = Duration::from_secs(10);

enum Command {
    Open(Box<OpenBooking>),
    Complete(Box<CompleteStep>),
    Transfer(Box<WalletTransfer>),
    PayMarkup(MarkupPayout),
    Rule(Box<Rule>),
}

enum CommandResult {
    Opened(OpenResult),
    Completed(Box<BookingState>),
    Moved(Moved),
    MarkupPaid(Option<MarkupPaid>),
    Ruled(Box<RulingMade>),
}

impl Command {
    fn organization(&self) -> OrganizationId {
        match self {
            Self::Open(opening) => opening.caller.organization(),
            Self::Complete(completion) => completion.step.organization,
            Self::Transfer(transfer) => transfer.organization,
            Self::PayMarkup(payout) => payout.organization,
            Self::Rule(rule) => rule.organization,
        }
    }
}

/// What is to be written and who waits for it.
struct Job {
    command: Command,
    answer: oneshot::Sender<Result<CommandResult>>,
    queued: Instant,
}

impl Job {
    /// Whether it has waited for as long as a batch may take: whoever asked is better served by an answer now.
    fn is_too_old(&self) -> bool {
        self.queued.elapsed() > PATIENCE
    }
}

pub(crate) struct GroupCommit {
    committers: Vec<mpsc::Sender<Job>>,
    /// Each command that is not answered yet has a clone.
    unanswered: Arc<()>,
}

impl GroupCommit {
    pub(crate) fn start(engine: &Weak<Engine>, runtime: &Handle) -> Self {
        let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let writer = |_| {
            let (sender, receiver) = mpsc::channel(QUEUE);
            runtime.spawn(write(engine.clone(), receiver));
            sender
        };
        Self { committers: (0..count).map(writer).collect(), unanswered: Arc::new(()) }
    }

    /// How many commands wait for their writer, or for PostgreSQL.
    pub(crate) fn unanswered(&self) -> usize {
        Arc::strong_count(&self.unanswered) - 1
    }

    pub(crate) async fn open(&self, opening: OpenBooking) -> Result<OpenResult> {
        match self.ask(Command::Open(Box::new(opening))).await? {
            CommandResult::Opened(result) => Ok(result),
            _ => Err(mixed_up()),
        }
    }

    pub(crate) async fn complete(&self, completion: CompleteStep) -> Result<BookingState> {
        match self.ask(Command::Complete(Box::new(completion))).await? {
            CommandResult::Completed(closed) => Ok(*closed),
            _ => Err(mixed_up()),
        }
    }

    pub(crate) async fn transfer(&self, transfer: WalletTransfer) -> Result<Moved> {
        match self.ask(Command::Transfer(Box::new(transfer))).await? {
            CommandResult::Moved(moved) => Ok(moved),
            _ => Err(mixed_up()),
        }
    }

    pub(crate) async fn pay_markup(&self, payout: MarkupPayout) -> Result<Option<MarkupPaid>> {
        match self.ask(Command::PayMarkup(payout)).await? {
            CommandResult::MarkupPaid(settled) => Ok(settled),
            _ => Err(mixed_up()),
        }
    }

    /// Carries out what the operator rules.
    pub(crate) async fn rule(&self, rule: Rule) -> Result<RulingMade> {
        match self.ask(Command::Rule(Box::new(rule))).await? {
            CommandResult::Ruled(made) => Ok(*made),
            _ => Err(mixed_up()),
        }
    }

    async fn ask(&self, command: Command) -> Result<CommandResult> {
        let _unanswered = self.unanswered.clone();
        let mut hasher = DefaultHasher::new();
        command.organization().hash(&mut hasher);
        let shard =
            usize::try_from(hasher.finish() % self.committers.len().max(1) as u64).unwrap_or_default();
        let lost = || Error::Internal("the writer was lost".to_owned());
        let writer = self.committers.get(shard).ok_or_else(lost)?;
        let (answer, waiting) = oneshot::channel();
        let queued = Instant::now();
        let job = Job { command, answer, queued };
        writer.send(job).await.map_err(|_| lost())?;
        waiting.await.map_err(|_| lost())?
    }
}

fn mixed_up() -> Error {
    Error::Internal("a writer answered something else".to_owned())
}

async fn write(engine: Weak<Engine>, mut asked: mpsc::Receiver<Job>) {
    let (mut queue, mut seals) = (Vec::new(), KeptSeals::default());
    while asked.recv_many(&mut queue, MOST).await > 0 {
        let Some(engine) = engine.upgrade() else {
            return;
        };
        let (late, jobs): (Vec<_>, Vec<_>) =
            std::mem::take(&mut queue).into_iter().partition(Job::is_too_old);
        for job in late {
            tell(job.answer, Err(unavailable("PostgreSQL was too slow for the commands before it")));
        }
        if jobs.is_empty() {
            continue;
        }
        let written = together(&engine, &mut seals, jobs);
        // Whoever waits for a panicked batch is told that it was lost; the next batch has nothing to do with it.
        if AssertUnwindSafe(written).catch_unwind().await.is_err() {
            tracing::error!("a batch panicked");
        }
    }
}

/// Does all the command in one transaction. What spoils the transaction is one command's fault: then each has its own.
async fn together(engine: &Engine, seals: &mut KeptSeals, jobs: Vec<Job>) {
    let commands: Vec<&Command> = jobs.iter().map(|job| &job.command).collect();
    match carry_out(engine, seals, &commands).await {
        Ok(answers) => {
            for (job, answer) in jobs.into_iter().zip(answers) {
                tell(job.answer, answer);
            }
        }
        Err(Failed { error, undone: true }) => {
            tracing::warn!(%error, commands = jobs.len(), "batch rolled back; retrying its commands one by one");
            for job in jobs {
                let nothing = || Err(Error::Internal("a command without an answer".to_owned()));
                let answer = match carry_out(engine, seals, &[&job.command]).await {
                    Ok(mut answers) => answers.pop().unwrap_or_else(nothing),
                    Err(failed) => Err(failed.error),
                };
                tell(job.answer, answer);
            }
        }
        // Nobody knows whether it was committed: doing it again might do it twice.
        Err(Failed { error, .. }) => {
            for job in jobs {
                tell(job.answer, Err(unavailable(&error.to_string())));
            }
        }
    }
}

async fn carry_out(
    engine: &Engine,
    seals: &mut KeptSeals,
    commands: &[&Command],
) -> std::result::Result<Vec<Result<CommandResult>>, Failed> {
    let begun = Instant::now();
    let done = timeout(PATIENCE, batch::carry_out(engine, seals, commands)).await;
    let done = done.unwrap_or_else(|_| {
        let seconds = PATIENCE.as_secs();
        tracing::error!(
            commands = commands.len(),
            "a batch took longer than {seconds} s; its outcome is unknown"
        );
        Err(Failed { error: unavailable(&format!("not committed within {seconds} s")), undone: false })
    });
    let is_unknown = done.as_ref().is_err_and(|failed| !failed.undone);
    let seconds = begun.elapsed().as_secs_f64();
    engine.commit_metrics.count(commands.len(), seconds, is_unknown);
    done
}

fn unavailable(why: &str) -> Error {
    StoreError::Pool(why.to_owned()).into()
}

fn tell(waiting: oneshot::Sender<Result<CommandResult>>, answer: Result<CommandResult>) {
    if waiting.send(answer).is_err() {
        tracing::debug!("nobody waits for a command any more");
    }
}
