//! The group commit. One committer carries all commands of an agency, its purchases and its movements of money, many in one
//! transaction.
//!
//! While a committer waits for PostgreSQL, the next commands queue up; it takes all of them next. So a lone
//! purchase waits for nobody, and an agency whose agents book at once is not slowed by its own wallet's row lock
//! (P-86). Several processes may write for the same agency: the row locks keep them apart.

mod batch;
mod commands;
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
use wayfare_store::{StoreError, money::wallets::Owner};

use self::{
    batch::{Deciding, Failed},
    commands::Command,
    kept_seals::KeptSeals,
    load::Wanted,
};
use crate::{Engine, Error, Result};

/// So much in one transaction at most: enough to share a commit, few enough to be answered soon.
const MOST: usize = 128;
/// What may queue up for one committer; those who come then wait with their request.
const QUEUE: usize = 1024;

/// How long a batch may take. A commit can hang without end where it waits for a standby that is gone. Then its
/// connection is dropped, and whether it was committed nobody knows. It is never cancelled: PostgreSQL acknowledges a
/// cancelled commit that is on no standby yet.
const PATIENCE: Duration = Duration::from_secs(10);

/// A command and who waits for it.
struct Job<C: Command> {
    command: C,
    queued: Instant,
    /// What the last batch that had it made of it.
    decided: Option<Result<C::Answer>>,
    answer: oneshot::Sender<Result<C::Answer>>,
}

impl<C: Command> Job<C> {
    fn new(command: C) -> (Box<Self>, oneshot::Receiver<Result<C::Answer>>) {
        let (answer, waiting) = oneshot::channel();
        (Box::new(Self { command, queued: Instant::now(), decided: None, answer }), waiting)
    }
}

/// A job, whatever its command is.
trait AnyJob: Send {
    /// Whether it has waited for as long as a batch may take: whoever asked is better served by an answer now.
    fn is_too_old(&self) -> bool;
    fn need<'a>(&'a self, wanted: &mut Wanted<'a>);
    fn only_wallet(&self) -> Option<Owner>;
    /// Whether it can be done; its answer is kept until the batch is committed.
    fn decide<'a>(&'a mut self, batch: &mut Deciding<'a>) -> bool;
    fn answer(self: Box<Self>);
    fn fail(self: Box<Self>, error: Error);
}

impl<C: Command> AnyJob for Job<C> {
    fn is_too_old(&self) -> bool {
        self.queued.elapsed() > PATIENCE
    }

    fn need<'a>(&'a self, wanted: &mut Wanted<'a>) {
        self.command.need(wanted);
    }

    fn only_wallet(&self) -> Option<Owner> {
        self.command.only_wallet()
    }

    fn decide<'a>(&'a mut self, batch: &mut Deciding<'a>) -> bool {
        let answer = self.command.decide(batch);
        self.decided.insert(answer).is_ok()
    }

    fn answer(self: Box<Self>) {
        let Self { answer, decided, .. } = *self;
        let nothing = || Err(Error::Internal("a command without an answer".to_owned()));
        if answer.send(decided.unwrap_or_else(nothing)).is_err() {
            tracing::debug!("nobody waits for a command any more");
        }
    }

    fn fail(mut self: Box<Self>, error: Error) {
        self.decided = Some(Err(error));
        self.answer();
    }
}

pub(crate) struct GroupCommit {
    committers: Vec<mpsc::Sender<Box<dyn AnyJob>>>,
    /// Each command that is not answered yet has a clone.
    unanswered: Arc<()>,
}

impl GroupCommit {
    pub(crate) fn start(engine: &Weak<Engine>, runtime: &Handle) -> Self {
        let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let committer = |_| {
            let (sender, receiver) = mpsc::channel(QUEUE);
            runtime.spawn(commit(engine.clone(), receiver));
            sender
        };
        Self { committers: (0..count).map(committer).collect(), unanswered: Arc::new(()) }
    }

    /// How many commands wait for their committer, or for PostgreSQL.
    pub(crate) fn unanswered(&self) -> usize {
        Arc::strong_count(&self.unanswered) - 1
    }

    pub(crate) async fn carry_out<C: Command>(&self, command: C) -> Result<C::Answer> {
        let _unanswered = self.unanswered.clone();
        let mut hasher = DefaultHasher::new();
        command.organization().hash(&mut hasher);
        let shard =
            usize::try_from(hasher.finish() % self.committers.len().max(1) as u64).unwrap_or_default();
        let lost = || Error::Internal("the committer was lost".to_owned());
        let committer = self.committers.get(shard).ok_or_else(lost)?;
        let (job, waiting) = Job::new(command);
        committer.send(job).await.map_err(|_| lost())?;
        waiting.await.map_err(|_| lost())?
    }
}

async fn commit(engine: Weak<Engine>, mut asked: mpsc::Receiver<Box<dyn AnyJob>>) {
    let (mut queue, mut seals) = (Vec::new(), KeptSeals::default());
    while asked.recv_many(&mut queue, MOST).await > 0 {
        let Some(engine) = engine.upgrade() else { return };
        let (late, jobs): (Vec<_>, Vec<_>) =
            std::mem::take(&mut queue).into_iter().partition(|job| job.is_too_old());
        for job in late {
            job.fail(unavailable("PostgreSQL was too slow for the commands before it"));
        }
        if jobs.is_empty() {
            continue;
        }
        let committed = together(&engine, &mut seals, jobs);
        // Whoever waits for a panicked batch is told that it was lost; the next batch has nothing to do with it.
        if AssertUnwindSafe(committed).catch_unwind().await.is_err() {
            tracing::error!("a batch panicked");
        }
    }
}

/// Does all the commands in one transaction. What spoils the transaction is one command's fault: then each has its own.
async fn together(engine: &Engine, seals: &mut KeptSeals, mut jobs: Vec<Box<dyn AnyJob>>) {
    match carry_out(engine, seals, &mut jobs).await {
        Ok(()) => jobs.into_iter().for_each(|job| job.answer()),
        Err(Failed { error, undone: true }) => {
            tracing::warn!(%error, commands = jobs.len(), "batch rolled back; retrying its commands one by one");
            for mut job in jobs {
                match carry_out(engine, seals, std::slice::from_mut(&mut job)).await {
                    Ok(()) => job.answer(),
                    Err(failed) => job.fail(failed.error),
                }
            }
        }
        // Nobody knows whether it was committed: doing it again might do it twice.
        Err(Failed { error, .. }) => {
            for job in jobs {
                job.fail(unavailable(&error.to_string()));
            }
        }
    }
}

async fn carry_out(
    engine: &Engine,
    seals: &mut KeptSeals,
    jobs: &mut [Box<dyn AnyJob>],
) -> std::result::Result<(), Failed> {
    let begun = Instant::now();
    let commands = jobs.len();
    let done = timeout(PATIENCE, batch::carry_out(engine, seals, jobs)).await;
    let done = done.unwrap_or_else(|_| {
        let seconds = PATIENCE.as_secs();
        tracing::error!(commands, "a batch took longer than {seconds} s; its outcome is unknown");
        Err(Failed { error: unavailable(&format!("not committed within {seconds} s")), undone: false })
    });
    let is_unknown = done.as_ref().is_err_and(|failed| !failed.undone);
    let seconds = begun.elapsed().as_secs_f64();
    engine.commit_metrics.count(commands, seconds, is_unknown);
    done
}

fn unavailable(why: &str) -> Error {
    StoreError::Pool(why.to_owned()).into()
}
