//! The writers: each agency's purchases are opened and closed by one of them, many in one transaction.
//!
//! While a writer waits for PostgreSQL, the purchases that come meanwhile queue up; it takes all of them next. So a
//! lone purchase waits for nobody, and an agency whose agents book at once is not slowed by its own wallet's row
//! lock (decisions, detail 86). Several processes may write for the same agency: the row locks keep them apart.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    panic::AssertUnwindSafe,
    sync::Weak,
};

use futures_util::{FutureExt, future::BoxFuture};
use tokio::{
    runtime::Handle,
    sync::{mpsc, oneshot},
};
use wayfare_domain::OrganizationId;
use wayfare_store::StoreError;

use super::{
    closing::{self, Closed, Closing},
    opening::{self, Opening, Stood},
};
use crate::{Error, Platform, Result};

/// Purchases in one transaction at most: enough to share a commit, few enough to be answered soon.
const MOST: usize = 64;
/// Purchases that may queue up for one writer; those who come then wait with their request.
const QUEUE: usize = 1024;

/// What is to be written and who waits for it.
struct Job<W, A> {
    work: W,
    answer: oneshot::Sender<Result<A>>,
}

/// Does many in one transaction: an answer for each, or an error for all.
type Work<W, A> = for<'a> fn(&'a Platform, &'a [&'a W]) -> BoxFuture<'a, Result<Vec<Result<A>>>>;

enum Asked {
    Open(Box<Job<Opening, Stood>>),
    Close(Box<Job<Closing, Closed>>),
}

/// The ways to the writers.
pub(crate) struct Writers(Vec<mpsc::Sender<Asked>>);

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
        let organization = opening.caller.organization();
        self.ask(organization, opening, Asked::Open).await
    }

    /// Closes an effect.
    pub(crate) async fn close(&self, closing: Closing) -> Result<Closed> {
        let organization = closing.effect.organization;
        self.ask(organization, closing, Asked::Close).await
    }

    async fn ask<W, A>(
        &self,
        organization: OrganizationId,
        work: W,
        asked: impl FnOnce(Box<Job<W, A>>) -> Asked,
    ) -> Result<A> {
        let mut hasher = DefaultHasher::new();
        organization.hash(&mut hasher);
        let shard = usize::try_from(hasher.finish() % self.0.len().max(1) as u64).unwrap_or_default();
        let lost = || Error::Internal("the writer of purchases was lost".to_owned());
        let writer = self.0.get(shard).ok_or_else(lost)?;
        let (answer, answered) = oneshot::channel();
        writer
            .send(asked(Box::new(Job { work, answer })))
            .await
            .map_err(|_| lost())?;
        answered.await.map_err(|_| lost())?
    }
}

async fn write(platform: Weak<Platform>, mut asked: mpsc::Receiver<Asked>) {
    let mut queue = Vec::with_capacity(MOST);
    while asked.recv_many(&mut queue, MOST).await > 0 {
        let Some(platform) = platform.upgrade() else {
            return;
        };
        let (mut opening, mut closing) = (Vec::new(), Vec::new());
        for asked in queue.drain(..) {
            match asked {
                Asked::Open(job) => opening.push(*job),
                Asked::Close(job) => closing.push(*job),
            }
        }
        let written = async {
            // What is closed first may give money back that is wanted next.
            batch(&platform, closing, |platform, works| {
                Box::pin(closing::close_all(platform, works))
            })
            .await;
            batch(&platform, opening, |platform, works| {
                Box::pin(opening::open_all(platform, works))
            })
            .await;
        };
        // Whoever waits for a panicked batch is told that it was lost; the next batch has nothing to do with it.
        if AssertUnwindSafe(written).catch_unwind().await.is_err() {
            tracing::error!("a batch of purchases panicked");
        }
    }
}

/// Does all the work in one transaction. What spoils the transaction is one purchase's fault: then each has its own.
async fn batch<W, A>(platform: &Platform, jobs: Vec<Job<W, A>>, work: Work<W, A>) {
    if jobs.is_empty() {
        return;
    }
    let works: Vec<&W> = jobs.iter().map(|job| &job.work).collect();
    match work(platform, &works).await {
        Ok(answers) => {
            for (job, answer) in jobs.into_iter().zip(answers) {
                tell(job.answer, answer);
            }
        }
        Err(error) if surely_undone(&error) => {
            tracing::warn!(%error, purchases = jobs.len(), "a batch was undone: each purchase by itself");
            for job in jobs {
                let alone = work(platform, &[&job.work]).await;
                let nothing = || Err(Error::Internal("a purchase without an answer".to_owned()));
                let answer = alone.and_then(|mut answers| answers.pop().unwrap_or_else(nothing));
                tell(job.answer, answer);
            }
        }
        // Nobody knows whether it was committed: doing it again might do it twice.
        Err(error) => {
            for job in jobs {
                tell(job.answer, Err(StoreError::Pool(error.to_string()).into()));
            }
        }
    }
}

fn surely_undone(error: &Error) -> bool {
    match error {
        Error::Store(error) => error.surely_undone(),
        Error::Internal(_) => true,
        _ => false,
    }
}

fn tell<A>(waiting: oneshot::Sender<Result<A>>, answer: Result<A>) {
    if waiting.send(answer).is_err() {
        tracing::debug!("nobody waits for a purchase any more");
    }
}
