//! The writers: each agency's purchases and movements of money are written by one of them, many in one transaction.
//!
//! While a writer waits for PostgreSQL, what is asked meanwhile queues up; it takes all of that next. So a lone
//! purchase waits for nobody, and an agency whose agents book at once is not slowed by its own wallet's row lock
//! (P-86). Several processes may write for the same agency: the row locks keep them apart.

mod batch;
#[cfg(test)]
mod model;

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    panic::AssertUnwindSafe,
    sync::Weak,
};

use futures_util::FutureExt;
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};
use wayfare_domain::OrganizationId;
use wayfare_store::StoreError;

use batch::Failed;
pub(crate) use batch::Known;

use crate::{
    Error, Platform, Result,
    engine::purchase::{Closed, Closing, Opening, Stood},
    money::{
        markup_payout::{Settled, Settlement},
        wallet_transfer::{Moved, Movement},
    },
};

/// So much in one transaction at most: enough to share a commit, few enough to be answered soon.
const MOST: usize = 128;
/// What may queue up for one writer; those who come then wait with their request.
const QUEUE: usize = 1024;

/// What can be written.
enum Work {
    Open(Box<Opening>),
    Close(Box<Closing>),
    Move(Box<Movement>),
    Settle(Settlement),
}

/// What came of it.
enum Done {
    Stood(Stood),
    Closed(Box<Closed>),
    Moved(Moved),
    Settled(Option<Settled>),
}

impl Work {
    fn organization(&self) -> OrganizationId {
        match self {
            Self::Open(opening) => opening.caller.organization(),
            Self::Close(closing) => closing.effect.organization,
            Self::Move(movement) => movement.organization,
            Self::Settle(settlement) => settlement.organization,
        }
    }
}

/// What is to be written and who waits for it.
struct Job {
    work: Work,
    answer: oneshot::Sender<Result<Done>>,
}

/// The ways to the writers.
pub(crate) struct Writers(Vec<mpsc::Sender<Job>>);

impl Writers {
    /// One writer for each core.
    pub(crate) fn start(platform: &Weak<Platform>, runtime: &Handle) -> Self {
        let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let writer = |_| {
            let (sender, receiver) = mpsc::channel(QUEUE);
            runtime.spawn(write(platform.clone(), receiver));
            sender
        };
        Self((0..count).map(writer).collect())
    }

    /// Opens a purchase.
    pub(crate) async fn open(&self, opening: Opening) -> Result<Stood> {
        match self.ask(Work::Open(Box::new(opening))).await? {
            Done::Stood(stood) => Ok(stood),
            _ => Err(mixed_up()),
        }
    }

    /// Closes an effect.
    pub(crate) async fn close(&self, closing: Closing) -> Result<Closed> {
        match self.ask(Work::Close(Box::new(closing))).await? {
            Done::Closed(closed) => Ok(*closed),
            _ => Err(mixed_up()),
        }
    }

    /// Moves money.
    pub(crate) async fn carry_out(&self, movement: Movement) -> Result<Moved> {
        match self.ask(Work::Move(Box::new(movement))).await? {
            Done::Moved(moved) => Ok(moved),
            _ => Err(mixed_up()),
        }
    }

    /// Settles an agency's markups.
    pub(crate) async fn settle(&self, settlement: Settlement) -> Result<Option<Settled>> {
        match self.ask(Work::Settle(settlement)).await? {
            Done::Settled(settled) => Ok(settled),
            _ => Err(mixed_up()),
        }
    }

    async fn ask(&self, work: Work) -> Result<Done> {
        let mut hasher = DefaultHasher::new();
        work.organization().hash(&mut hasher);
        let shard = usize::try_from(hasher.finish() % self.0.len().max(1) as u64).unwrap_or_default();
        let lost = || Error::Internal("the writer was lost".to_owned());
        let writer = self.0.get(shard).ok_or_else(lost)?;
        let (answer, answered) = oneshot::channel();
        writer.send(Job { work, answer }).await.map_err(|_| lost())?;
        answered.await.map_err(|_| lost())?
    }
}

fn mixed_up() -> Error {
    Error::Internal("a writer answered something else".to_owned())
}

async fn write(platform: Weak<Platform>, mut asked: mpsc::Receiver<Job>) {
    let mut queue = Vec::new();
    while asked.recv_many(&mut queue, MOST).await > 0 {
        let Some(platform) = platform.upgrade() else {
            return;
        };
        let written = together(&platform, std::mem::take(&mut queue));
        // Whoever waits for a panicked batch is told that it was lost; the next batch has nothing to do with it.
        if AssertUnwindSafe(written).catch_unwind().await.is_err() {
            tracing::error!("a batch panicked");
        }
    }
}

/// Does all the work in one transaction. What spoils the transaction is one work's fault: then each has its own.
async fn together(platform: &Platform, jobs: Vec<Job>) {
    let works: Vec<&Work> = jobs.iter().map(|job| &job.work).collect();
    match batch::carry_out(platform, &works).await {
        Ok(answers) => {
            for (job, answer) in jobs.into_iter().zip(answers) {
                tell(job.answer, answer);
            }
        }
        Err(Failed { error, undone: true }) => {
            tracing::warn!(%error, works = jobs.len(), "batch rolled back; retrying its commands one by one");
            for job in jobs {
                let nothing = || Err(Error::Internal("a work without an answer".to_owned()));
                let answer = match batch::carry_out(platform, &[&job.work]).await {
                    Ok(mut answers) => answers.pop().unwrap_or_else(nothing),
                    Err(failed) => Err(failed.error),
                };
                tell(job.answer, answer);
            }
        }
        // Nobody knows whether it was committed: doing it again might do it twice.
        Err(Failed { error, .. }) => {
            for job in jobs {
                tell(job.answer, Err(StoreError::Pool(error.to_string()).into()));
            }
        }
    }
}

fn tell(waiting: oneshot::Sender<Result<Done>>, answer: Result<Done>) {
    if waiting.send(answer).is_err() {
        tracing::debug!("nobody waits for a work any more");
    }
}
