//! Recovery of effects: whoever sent one may have died, or its supplier fell silent. It is looked up, never
//! sent again.

use chrono::Duration;
use diesel_async::AsyncConnection;
use rand::Rng;
use wayfare_domain::{Actor, BookingRef, EffectKind};
use wayfare_flights::{Itinerary, Lookup, OrderRequest};
use wayfare_store::effects::{self, Effect};
use wayfare_supply::Answer;

use crate::{
    Error, Platform, Result,
    cancel::{self, CancelRequest},
    exceptions,
    flights::ticket,
    purchase,
};

/// The longest wait between two look-ups.
const LONGEST_WAIT_S: u64 = 300;

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

/// Looks one open effect up at its supplier and closes it if its outcome is known; else says when to look again.
///
/// # Errors
/// When the database can't be asked; the effect stays open.
pub(crate) async fn recover(platform: &Platform, effect: &Effect) -> Result<()> {
    let ruling = exceptions::ruling(platform, effect).await?;
    if let Some(ruling) = &ruling
        && exceptions::carry_out(platform, effect, ruling).await?
    {
        return Ok(());
    }
    let order_id = ruling.and_then(|ruling| ruling.order_id);
    let supplier = match platform.flight_supplier(&effect.supplier) {
        Ok(supplier) => supplier.clone(),
        Err(_) => return postpone(platform, effect, "the supplier is not configured").await,
    };
    let processing = Duration::from_std(supplier.config().processing_time).unwrap_or(Duration::MAX);
    let too_late = platform.clock.now() - effect.sent_at > processing;
    let actor = Actor::system();
    match effect.kind {
        EffectKind::Book => {
            let request: OrderRequest = serde_json::from_value(effect.request.clone())?;
            let lookup = Lookup {
                reference: &request.reference,
                order_id: order_id.as_deref(),
                request: &request,
            };
            let ending = match supplier.find(lookup).await {
                Answer::Done(Some(order)) => match purchase::ending::<Itinerary>(order) {
                    Some(ending) => ending,
                    None => return postpone(platform, effect, "the supplier is still at it").await,
                },
                // The operator's word against the supplier's: neither a refusal nor an order.
                Answer::Done(None) if order_id.is_some() => {
                    return postpone(platform, effect, "not found under the operator's order id").await;
                }
                Answer::Done(None) if too_late => {
                    purchase::Ending::Refused("not found at the supplier".to_owned())
                }
                Answer::Done(None) => return postpone(platform, effect, "not found yet").await,
                other => return postpone(platform, effect, other.problem().unwrap_or_default()).await,
            };
            purchase::close::<Itinerary>(platform, &actor, effect, ending).await?;
        }
        EffectKind::Cancel => {
            let request: CancelRequest = serde_json::from_value(effect.request.clone())?;
            let ending = match &request.cancellation_id {
                // Whoever wanted it died before the supplier was asked to carry anything out.
                None => cancel::Ending::Refused("the supplier was not asked".to_owned()),
                Some(id) => match supplier.find_cancellation(&request.order_id, id).await {
                    Answer::Done(cancellation) if cancellation.confirmed => cancel::Ending::Done,
                    // Once it may have been sent, time alone proves nothing: only when the supplier's own quote
                    // has lapsed can it no longer be carried out.
                    Answer::Done(quote)
                        if too_late
                            && !request.accepted
                            && quote.expires_at.is_some_and(|end| end < platform.clock.now()) =>
                    {
                        cancel::Ending::Refused("not carried out by the supplier".to_owned())
                    }
                    Answer::Refused(refusal) if too_late && !request.accepted => {
                        cancel::Ending::Refused(refusal.text)
                    }
                    Answer::Done(_) => return postpone(platform, effect, "not carried out yet").await,
                    other => return postpone(platform, effect, other.problem().unwrap_or_default()).await,
                },
            };
            cancel::close::<Itinerary>(platform, &actor, effect, ending).await?;
        }
        EffectKind::Ticket => ticket::recover(platform, effect, too_late).await?,
    }
    Ok(())
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
    let decided = platform
        .flight_supplier(&effect.supplier)
        .ok()
        .and_then(|supplier| {
            let processing = Duration::from_std(supplier.config().processing_time).ok()?;
            Some(effect.sent_at + processing + Duration::seconds(1)).filter(|decided| *decided > now)
        });
    let due_at = decided.map_or(due_at, |decided| due_at.min(decided));
    tracing::warn!(effect = %effect.id, booking = %effect.booking, problem, "an effect's outcome is not known yet");
    let mut connection = platform.database.connection().await?;
    if now - effect.sent_at <= exceptions::deadline(platform, effect) {
        return Ok(effects::postpone(&mut connection, effect, due_at, problem).await?);
    }
    let postponed = connection.transaction(async |connection| {
        effects::postpone(connection, effect, due_at, problem).await?;
        exceptions::outcome_unknown(platform, connection, effect, problem).await
    });
    postponed.await
}
