//! Steps as they are carried out, one after the other where they follow each other, and their recovery: whoever sent
//! one may have died, or its supplier fell silent. It is looked up, never sent again.

use chrono::Duration;
use diesel_async::AsyncConnection;
use rand::Rng;
use wayfare_domain::{Actor, BookingId, BookingRef, StepKind};
use wayfare_store::booking::steps::{self, Step};
use wayfare_supply::{Answer, RefusalKind};

use crate::{
    Error, Platform, Result,
    bookings::cancel,
    engine::{
        incidents,
        purchase::{BookingState, CompleteStep, Outcome},
        steps::book,
    },
    flights::after_sales::{ssr, ticket},
    tools::failpoints::moment,
};

/// The longest wait between two look-ups.
const LONGEST_WAIT_S: u64 = 300;

/// Whoever waits for a booking that failed waits so long at most for its other orders to be given back.
const UNDONE_WITHIN: std::time::Duration = std::time::Duration::from_secs(5);

/// Lets a step that is written run in a task of its own, so that nobody's hanging up or impatience stops it, and
/// waits for it as long as the caller's patience lasts. From here on the step may have been carried out: whatever
/// breaks on our side, the caller is told that it is pending, never an error after which it might be asked for again.
pub(crate) async fn within_patience<A: Send + 'static>(
    platform: &Platform,
    reference: &BookingRef,
    pending: A,
    step: impl Future<Output = Result<A>> + Send + 'static,
) -> Result<A> {
    let task = platform.runtime.spawn(step);
    let broken = match tokio::time::timeout(platform.durations.patience, task).await {
        Err(_) => return Ok(pending),
        Ok(Ok(Err(broken @ (Error::Store(_) | Error::Internal(_))))) => broken.to_string(),
        Ok(Ok(decided)) => return decided,
        Ok(Err(lost)) => lost.to_string(),
    };
    tracing::error!(broken, booking = %reference, "an effect could not be closed");
    Ok(pending)
}

/// What a step has come to at its supplier.
pub(crate) enum Sent {
    /// How it ended, and what whoever asked for it is told where that is no good news.
    Ended(Box<Outcome>, Option<Error>),
    /// Its outcome is not known yet, and why.
    Open(String),
}

impl Sent {
    pub(crate) fn ended(outcome: Outcome) -> Self {
        Self::Ended(Box::new(outcome), None)
    }

    pub(crate) fn refused(outcome: Outcome, error: Error) -> Self {
        Self::Ended(Box::new(outcome), Some(error))
    }

    /// What was not sent because it was too late for it.
    pub(crate) fn too_late(not_done: impl FnOnce(String) -> Outcome) -> Self {
        let reason = "it could not be sent in time".to_owned();
        Self::refused(not_done(reason), Error::SupplierUnavailable(None))
    }

    /// What the supplier's answer comes to: `done` where it did it, `not_done` where surely nothing happened; a rise in
    /// price is told as `price_changed`, where there is a word for it.
    ///
    /// # Errors
    /// Those of `done`.
    pub(crate) fn of<T>(
        answer: Answer<T>,
        price_changed: Option<Error>,
        not_done: impl FnOnce(String) -> Outcome,
        done: impl FnOnce(T) -> Result<Self>,
    ) -> Result<Self> {
        Ok(match answer {
            Answer::Done(told) => done(told)?,
            Answer::Refused(refusal) => {
                let error = match refusal.kind {
                    RefusalKind::PriceChanged => price_changed,
                    _ => None,
                };
                let error = error.unwrap_or_else(|| Error::SupplierRefused(refusal.text.clone()));
                Self::refused(not_done(refusal.text), error)
            }
            Answer::Unavailable(outage) => Self::refused(
                not_done(outage.reason),
                Error::SupplierUnavailable(outage.retry_after),
            ),
            Answer::Unknown(reason) => Self::Open(reason),
        })
    }

    /// What a look-up comes to: the order where it was done, none where it was not, which is believed when it is
    /// `too_late` for it.
    ///
    /// # Errors
    /// Those of `done`.
    pub(crate) fn found<T>(
        answer: Answer<Option<T>>,
        too_late: bool,
        not_done: impl FnOnce(String) -> Outcome,
        done: impl FnOnce(T) -> Result<Self>,
    ) -> Result<Self> {
        match answer {
            Answer::Done(Some(told)) => done(told),
            Answer::Done(None) if too_late => {
                Ok(Self::ended(not_done("not found at the supplier".to_owned())))
            }
            Answer::Done(None) => Ok(Self::Open("not found yet".to_owned())),
            other => Ok(Self::Open(other.problem().unwrap_or_default().to_owned())),
        }
    }
}

/// What came of steps that follow each other.
#[derive(Default)]
pub(crate) struct Progress {
    closed: Vec<BookingState>,
    /// Why one of them, and all after it, were refused.
    pub error: Option<Error>,
    /// Whether the outcome of one is not known yet.
    pub open: bool,
}

impl Progress {
    /// The booking as the last of them left it.
    pub(crate) fn of(&self, booking: BookingId) -> Option<&BookingState> {
        self.closed.iter().rfind(|closed| closed.booking.id == booking)
    }
}

/// Sends a step that was just written, closes it, and goes on with what begins by that. What is sent is sent once;
/// what is not known then is left to the [`crate::worker`].
///
/// # Errors
/// When the database can't be asked; what was sent stays open.
pub(crate) async fn run_saga(platform: &Platform, actor: &Actor, first: &Step) -> Result<Progress> {
    let mut progress = Progress::default();
    let mut next = Some(first.clone());
    while let Some(step) = next.take() {
        if step.position > 1 {
            moment("next:begun");
        }
        let sent = send(platform, &step).await?;
        if step.position > 1 {
            moment("next:answered");
        }
        match sent {
            Sent::Ended(outcome, error) => {
                let closed = close(platform, actor, &step, *outcome).await?;
                progress.error = progress.error.or(error);
                let (undone, follows): (Vec<Step>, Vec<Step>) = closed
                    .begun
                    .iter()
                    .cloned()
                    .partition(|step| step.kind == StepKind::Compensate);
                next = follows.into_iter().next();
                progress.closed.push(closed);
                // Who is not done in time is looked after by the worker.
                let undoing = undo(platform, actor, &undone);
                tokio::time::timeout(UNDONE_WITHIN, undoing).await.ok();
            }
            Sent::Open(reason) => {
                tracing::warn!(step = %step.id, kind = step.kind.as_ref(), reason, "a supplier's answer is not known");
                postpone(platform, &step, &reason).await?;
                progress.open = true;
            }
        }
    }
    Ok(progress)
}

/// Gives orders of a booking that failed back to their suppliers.
async fn undo(platform: &Platform, actor: &Actor, steps: &[Step]) {
    for step in steps {
        let undone = async {
            match send(platform, step).await? {
                Sent::Ended(outcome, _) => close(platform, actor, step, *outcome).await.map(drop),
                Sent::Open(reason) => postpone(platform, step, &reason).await,
            }
        };
        if let Err(error) = undone.await {
            tracing::error!(%error, step = %step.id, "an order could not be given back yet");
        }
    }
}

async fn send(platform: &Platform, step: &Step) -> Result<Sent> {
    match step.kind {
        StepKind::Book => book::send(platform, step).await,
        StepKind::Cancel | StepKind::Compensate => cancel::send(platform, step).await,
        StepKind::Ticket => ticket::send(platform, step).await,
        StepKind::AddService => ssr::send(platform, step).await,
    }
}

async fn close(platform: &Platform, actor: &Actor, step: &Step, ending: Outcome) -> Result<BookingState> {
    let closing = CompleteStep {
        step: step.clone(),
        actor: actor.clone(),
        ending,
    };
    platform.group_commit.close(closing).await
}

/// Closes a step as its supplier, or the operator for it, says, and goes on with what begins by that.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn complete_and_continue(
    platform: &Platform,
    actor: &Actor,
    step: &Step,
    ending: Outcome,
) -> Result<()> {
    for begun in close(platform, actor, step, ending).await?.begun {
        match begun.kind {
            StepKind::Compensate => undo(platform, actor, &[begun]).await,
            _ => drop(run_saga(platform, actor, &begun).await?),
        }
    }
    Ok(())
}

/// Looks one open step up at its supplier and closes it if its outcome is known; else says when to look again.
///
/// # Errors
/// When the database can't be asked; the step stays open.
pub(crate) async fn recover(platform: &Platform, step: &Step) -> Result<()> {
    let resolution = incidents::resolution(platform, step).await?;
    if let Some(resolution) = &resolution
        && incidents::carry_out(platform, step, resolution).await?
    {
        return Ok(());
    }
    // Whom the operator has asked says that it was done: a look-up that finds nothing does not prove otherwise.
    let is_ruled = resolution.is_some();
    let order_id = resolution.and_then(|resolution| resolution.order_id);
    let Ok(supplier) = platform.supplier(&step.supplier) else {
        return postpone(platform, step, "the supplier is not configured").await;
    };
    let processing = Duration::from_std(supplier.config().processing_time).unwrap_or(Duration::MAX);
    let too_late = !is_ruled && platform.clock.now() - step.sent_at > processing;
    let found = match step.kind {
        StepKind::Book => book::look_up(platform, step, order_id.as_deref(), too_late).await?,
        StepKind::Cancel | StepKind::Compensate => cancel::look_up(platform, step, too_late).await?,
        StepKind::Ticket => ticket::look_up(platform, step, too_late).await?,
        StepKind::AddService => ssr::look_up(platform, step, too_late).await?,
    };
    match found {
        Sent::Ended(outcome, _) => complete_and_continue(platform, &Actor::system(), step, *outcome).await,
        Sent::Open(reason) => postpone(platform, step, &reason).await,
    }
}

/// Looks again later: after 1, 2, 4 … seconds up to five minutes, with jitter so that many don't come at once.
/// Past the deadline the operator is told.
pub(crate) async fn postpone(platform: &Platform, step: &Step, problem: &str) -> Result<()> {
    let exponent = u32::try_from(step.attempts.clamp(0, 16)).unwrap_or_default();
    let longest = (1_u64 << exponent).min(LONGEST_WAIT_S) * 1000;
    let wait = rand::rng().random_range(longest / 2..=longest);
    let now = platform.clock.now();
    let due_at = now + Duration::milliseconds(i64::try_from(wait).unwrap_or(i64::MAX));
    // Not long after the moment from which "not found" is an answer.
    let decided = platform.supplier(&step.supplier).ok().and_then(|supplier| {
        let processing = Duration::from_std(supplier.config().processing_time).ok()?;
        Some(step.sent_at + processing + Duration::seconds(1)).filter(|decided| *decided > now)
    });
    let due_at = decided.map_or(due_at, |decided| due_at.min(decided));
    tracing::warn!(step = %step.id, booking = %step.booking, problem, "an effect's outcome is not known yet");
    let mut connection = platform.database.connection().await?;
    if now - step.sent_at <= incidents::deadline(platform, step) {
        return Ok(steps::postpone(&mut connection, step, due_at, problem).await?);
    }
    let postponed = connection.transaction(async |connection| {
        steps::postpone(connection, step, due_at, problem).await?;
        incidents::outcome_unknown(platform, connection, step, problem).await
    });
    postponed.await
}
