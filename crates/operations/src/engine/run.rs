//! Effects as they are carried out, one after the other where they follow each other, and their recovery: whoever sent
//! one may have died, or its supplier fell silent. It is looked up, never sent again.

use chrono::Duration;
use diesel_async::AsyncConnection;
use rand::Rng;
use wayfare_domain::{Actor, BookingId, BookingRef, EffectKind};
use wayfare_store::booking::steps::{self, Effect};
use wayfare_supply::{Answer, RefusalKind};

use crate::{
    Error, Platform, Result,
    bookings::cancel,
    engine::{
        incidents,
        purchase::{Closed, Closing, Outcome},
        steps::book,
    },
    flights::after_sales::{ssr, ticket},
    tools::failpoints::moment,
};

/// The longest wait between two look-ups.
const LONGEST_WAIT_S: u64 = 300;

/// Whoever waits for a booking that failed waits so long at most for its other orders to be given back.
const UNDONE_WITHIN: std::time::Duration = std::time::Duration::from_secs(5);

/// Lets an effect that is written run in a task of its own, so that nobody's hanging up or impatience stops it, and
/// waits for it as long as the caller's patience lasts. From here on the effect may have been carried out: whatever
/// breaks on our side, the caller is told that it is pending, never an error after which it might be asked for again.
pub(crate) async fn in_background<A: Send + 'static>(
    platform: &Platform,
    reference: &BookingRef,
    pending: A,
    effect: impl Future<Output = Result<A>> + Send + 'static,
) -> Result<A> {
    let task = platform.runtime.spawn(effect);
    let broken = match tokio::time::timeout(platform.durations.patience, task).await {
        Err(_) => return Ok(pending),
        Ok(Ok(Err(broken @ (Error::Store(_) | Error::Internal(_))))) => broken.to_string(),
        Ok(Ok(decided)) => return decided,
        Ok(Err(lost)) => lost.to_string(),
    };
    tracing::error!(broken, booking = %reference, "an effect could not be closed");
    Ok(pending)
}

/// What an effect has come to at its supplier.
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

/// What came of effects that follow each other.
#[derive(Default)]
pub(crate) struct Progress {
    closed: Vec<Closed>,
    /// Why one of them, and all after it, were refused.
    pub error: Option<Error>,
    /// Whether the outcome of one is not known yet.
    pub open: bool,
}

impl Progress {
    /// The booking as the last of them left it.
    pub(crate) fn of(&self, booking: BookingId) -> Option<&Closed> {
        self.closed.iter().rfind(|closed| closed.booking.id == booking)
    }
}

/// Sends an effect that was just written, closes it, and goes on with what begins by that. What is sent is sent once;
/// what is not known then is left to the [`crate::worker`].
///
/// # Errors
/// When the database can't be asked; what was sent stays open.
pub(crate) async fn carry_on(platform: &Platform, actor: &Actor, first: &Effect) -> Result<Progress> {
    let mut progress = Progress::default();
    let mut next = Some(first.clone());
    while let Some(effect) = next.take() {
        if effect.step > 1 {
            moment("next:begun");
        }
        let sent = send(platform, &effect).await?;
        if effect.step > 1 {
            moment("next:answered");
        }
        match sent {
            Sent::Ended(outcome, error) => {
                let closed = close(platform, actor, &effect, *outcome).await?;
                progress.error = progress.error.or(error);
                let (undone, follows): (Vec<Effect>, Vec<Effect>) = closed
                    .begun
                    .iter()
                    .cloned()
                    .partition(|effect| effect.kind == EffectKind::Undo);
                next = follows.into_iter().next();
                progress.closed.push(closed);
                // Who is not done in time is looked after by the worker.
                let undoing = undo(platform, actor, &undone);
                tokio::time::timeout(UNDONE_WITHIN, undoing).await.ok();
            }
            Sent::Open(reason) => {
                tracing::warn!(effect = %effect.id, kind = effect.kind.as_ref(), reason, "a supplier's answer is not known");
                postpone(platform, &effect, &reason).await?;
                progress.open = true;
            }
        }
    }
    Ok(progress)
}

/// Gives orders of a booking that failed back to their suppliers.
async fn undo(platform: &Platform, actor: &Actor, effects: &[Effect]) {
    for effect in effects {
        let undone = async {
            match send(platform, effect).await? {
                Sent::Ended(outcome, _) => close(platform, actor, effect, *outcome).await.map(drop),
                Sent::Open(reason) => postpone(platform, effect, &reason).await,
            }
        };
        if let Err(error) = undone.await {
            tracing::error!(%error, effect = %effect.id, "an order could not be given back yet");
        }
    }
}

async fn send(platform: &Platform, effect: &Effect) -> Result<Sent> {
    match effect.kind {
        EffectKind::Book => book::send(platform, effect).await,
        EffectKind::Cancel | EffectKind::Undo => cancel::send(platform, effect).await,
        EffectKind::Ticket => ticket::send(platform, effect).await,
        EffectKind::AddService => ssr::send(platform, effect).await,
    }
}

async fn close(platform: &Platform, actor: &Actor, effect: &Effect, ending: Outcome) -> Result<Closed> {
    let closing = Closing {
        effect: effect.clone(),
        actor: actor.clone(),
        ending,
    };
    platform.writers.close(closing).await
}

/// Closes an effect as its supplier, or the operator for it, says, and goes on with what begins by that.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn close_and_go_on(
    platform: &Platform,
    actor: &Actor,
    effect: &Effect,
    ending: Outcome,
) -> Result<()> {
    for begun in close(platform, actor, effect, ending).await?.begun {
        match begun.kind {
            EffectKind::Undo => undo(platform, actor, &[begun]).await,
            _ => drop(carry_on(platform, actor, &begun).await?),
        }
    }
    Ok(())
}

/// Looks one open effect up at its supplier and closes it if its outcome is known; else says when to look again.
///
/// # Errors
/// When the database can't be asked; the effect stays open.
pub(crate) async fn recover(platform: &Platform, effect: &Effect) -> Result<()> {
    let ruling = incidents::ruling(platform, effect).await?;
    if let Some(ruling) = &ruling
        && incidents::carry_out(platform, effect, ruling).await?
    {
        return Ok(());
    }
    // Whom the operator has asked says that it was done: a look-up that finds nothing does not prove otherwise.
    let is_ruled = ruling.is_some();
    let order_id = ruling.and_then(|ruling| ruling.order_id);
    let Ok(supplier) = platform.supplier(&effect.supplier) else {
        return postpone(platform, effect, "the supplier is not configured").await;
    };
    let processing = Duration::from_std(supplier.config().processing_time).unwrap_or(Duration::MAX);
    let too_late = !is_ruled && platform.clock.now() - effect.sent_at > processing;
    let found = match effect.kind {
        EffectKind::Book => book::look_up(platform, effect, order_id.as_deref(), too_late).await?,
        EffectKind::Cancel | EffectKind::Undo => cancel::look_up(platform, effect, too_late).await?,
        EffectKind::Ticket => ticket::look_up(platform, effect, too_late).await?,
        EffectKind::AddService => ssr::look_up(platform, effect, too_late).await?,
    };
    match found {
        Sent::Ended(outcome, _) => close_and_go_on(platform, &Actor::system(), effect, *outcome).await,
        Sent::Open(reason) => postpone(platform, effect, &reason).await,
    }
}

/// Looks again later: after 1, 2, 4 … seconds up to five minutes, with jitter so that many don't come at once.
/// Past the deadline the operator is told.
pub(crate) async fn postpone(platform: &Platform, effect: &Effect, problem: &str) -> Result<()> {
    let exponent = u32::try_from(effect.attempts.clamp(0, 16)).unwrap_or_default();
    let longest = (1_u64 << exponent).min(LONGEST_WAIT_S) * 1000;
    let wait = rand::rng().random_range(longest / 2..=longest);
    let now = platform.clock.now();
    let due_at = now + Duration::milliseconds(i64::try_from(wait).unwrap_or(i64::MAX));
    // Not long after the moment from which "not found" is an answer.
    let decided = platform.supplier(&effect.supplier).ok().and_then(|supplier| {
        let processing = Duration::from_std(supplier.config().processing_time).ok()?;
        Some(effect.sent_at + processing + Duration::seconds(1)).filter(|decided| *decided > now)
    });
    let due_at = decided.map_or(due_at, |decided| due_at.min(decided));
    tracing::warn!(effect = %effect.id, booking = %effect.booking, problem, "an effect's outcome is not known yet");
    let mut connection = platform.database.connection().await?;
    if now - effect.sent_at <= incidents::deadline(platform, effect) {
        return Ok(steps::postpone(&mut connection, effect, due_at, problem).await?);
    }
    let postponed = connection.transaction(async |connection| {
        steps::postpone(connection, effect, due_at, problem).await?;
        incidents::outcome_unknown(platform, connection, effect, problem).await
    });
    postponed.await
}
