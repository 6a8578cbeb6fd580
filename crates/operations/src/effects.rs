//! Recovery of effects: whoever sent one may have died, or its supplier fell silent. It is looked up, never
//! sent again.

use chrono::{DateTime, Duration, Utc};
use diesel_async::AsyncConnection;
use rand::Rng;
use wayfare_domain::{Actor, BookingRef, EffectKind};
use wayfare_flights::{CancellationQuote, CancellationState, Itinerary, Lookup, OrderRequest};
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
                Some(id) => {
                    let answer = supplier.find_cancellation(&request.order_id, id).await;
                    let may_be_over = too_late && !request.accepted;
                    match cancellation(answer, may_be_over, platform.clock.now()) {
                        Ok(ending) => ending,
                        Err(problem) => return postpone(platform, effect, &problem).await,
                    }
                }
            };
            cancel::close::<Itinerary>(platform, &actor, effect, ending).await?;
        }
        EffectKind::Ticket => ticket::recover(platform, effect, too_late).await?,
    }
    Ok(())
}

/// What a look-up says became of a cancellation, else why that is not known yet. It `may_be_over` when the supplier did
/// not say that it has taken it and its longest processing time has passed.
fn cancellation(
    found: Answer<CancellationQuote>,
    may_be_over: bool,
    now: DateTime<Utc>,
) -> std::result::Result<cancel::Ending, String> {
    match found {
        Answer::Done(quote) => match quote.state {
            CancellationState::Confirmed => Ok(cancel::Ending::Done),
            CancellationState::Rejected => Ok(cancel::Ending::Refused(cancel::REJECTED.to_owned())),
            // Once it may have been sent, time alone proves nothing: only when the supplier's own quote has lapsed
            // can it no longer be carried out.
            CancellationState::Pending if may_be_over && quote.expires_at.is_some_and(|end| end < now) => Ok(
                cancel::Ending::Refused("not carried out by the supplier".to_owned()),
            ),
            CancellationState::Pending => Err("not carried out yet".to_owned()),
        },
        Answer::Refused(refusal) if may_be_over => Ok(cancel::Ending::Refused(refusal.text)),
        other => Err(other.problem().unwrap_or_default().to_owned()),
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

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use wayfare_flights::CancellationState::{Confirmed, Pending, Rejected};
    use wayfare_supply::Refusal;

    use super::*;

    /// `yes`, `no`, or `?` while nobody knows.
    fn became(found: Answer<CancellationQuote>, may_be_over: bool) -> &'static str {
        match cancellation(found, may_be_over, "2026-03-01T12:00:00Z".parse().unwrap()) {
            Ok(cancel::Ending::Done) => "yes",
            Ok(cancel::Ending::Refused(_)) => "no",
            Err(_) => "?",
        }
    }

    #[test]
    fn a_cancellation_is_over_when_its_supplier_says_so_or_its_quote_has_lapsed() {
        for (state, expires_at, once_taken, may_be_over) in [
            (Confirmed, None, "yes", "yes"),
            (Rejected, None, "no", "no"),
            (Pending, None, "?", "?"),
            (Pending, Some("2026-03-01T12:00:01Z"), "?", "?"),
            (Pending, Some("2026-03-01T11:59:59Z"), "?", "no"),
        ] {
            let found = || {
                Answer::Done(CancellationQuote {
                    id: "AM1".to_owned(),
                    refund: None,
                    expires_at: expires_at.map(|end| end.parse().unwrap()),
                    state,
                    raw: Value::Null,
                })
            };
            assert_eq!(became(found(), false), once_taken, "{state:?} {expires_at:?}");
            assert_eq!(became(found(), true), may_be_over, "{state:?} {expires_at:?}");
        }
        let unheard_of = || Answer::Refused(Refusal::new("there is no such cancellation"));
        assert_eq!(
            (became(unheard_of(), false), became(unheard_of(), true)),
            ("?", "no")
        );
        assert_eq!(became(Answer::Unknown("silence".to_owned()), true), "?");
    }
}
