//! Cancellations as they are carried out at suppliers, and looked up there.

use chrono::{DateTime, Utc};
use wayfare_domain::{Money, OrderStatus, ProductKind, StepKind};
use wayfare_store::booking::{
    refunds,
    steps::{self, Step},
};
use wayfare_supply::{Answer, CancellationQuote, CancellationState};

use crate::{
    Error, Platform, RefundTerms, Result,
    engine::{
        cancellation::{self, CancelRequest, Quoted, acted_on, sale_of, terms},
        step::{CancelledOrder, StepOutcome},
    },
    platform::order_content,
    tools::failpoints::moment,
};

/// Why a cancellation that its supplier had taken was not carried out.
const REJECTED: &str = "the supplier has rejected the cancellation";

/// That the order was given back, whose supplier may have said at last under which id, and what it gave.
pub(crate) fn done(
    kind: ProductKind,
    request: &CancelRequest,
    id: Option<String>,
    settled: Option<Money>,
) -> StepOutcome {
    StepOutcome::OrderCancelled(CancelledOrder {
        mark: order_content(kind).mark_cancelled,
        id: id.or_else(|| request.cancellation_id.clone()),
        quoted: request.quoted,
        settled,
    })
}

/// That its supplier did not take the order back.
fn refused(reason: String) -> StepOutcome {
    StepOutcome::refused(reason.clone(), Error::SupplierRefused(reason))
}

/// Carries a cancellation out; one that nobody waits for is quoted first.
pub(super) async fn send(platform: &Platform, step: &Step) -> Result<StepOutcome> {
    let mut request: CancelRequest = serde_json::from_value(step.request.clone())?;
    if request.lapsed {
        return lapsed(platform, step, &request).await;
    }
    let mut step = step.clone();
    if request.cancellation_id.is_none() {
        match quote_anew(platform, &step, &mut request).await {
            Ok(quoted) => step = quoted,
            Err(Error::SupplierRefused(reason)) => {
                return Ok(refused(reason));
            }
            Err(error) => return Ok(StepOutcome::Unknown(error.to_string())),
        }
    }
    moment("cancel:quoted");
    let supplier = platform.supplier(&step.supplier)?;
    let product = platform.product_of(&step.supplier)?;
    let id = request.cancellation_id.clone().unwrap_or_default();
    let answer = supplier.cancel(&request.order_id, &id).await;
    moment("cancel:answered");
    Ok(match answer {
        Answer::Done(done) if done.state == CancellationState::Confirmed => {
            self::done(product, &request, Some(done.id), done.refund)
        }
        Answer::Done(rejected) if rejected.state == CancellationState::Rejected => {
            refused(REJECTED.to_owned())
        }
        Answer::Done(accepted) => {
            request.accepted = true;
            // Some suppliers name a cancellation only when they have taken it.
            request.cancellation_id = Some(accepted.id);
            accept(platform, &step, &request).await?;
            StepOutcome::Unknown("accepted, to be carried out later".to_owned())
        }
        Answer::Refused(refusal) => refused(refusal.text),
        Answer::Unavailable(outage) if request.requote_until_done => {
            // Nothing was done: it is quoted and asked for anew.
            request.cancellation_id = None;
            accept(platform, &step, &request).await?;
            StepOutcome::Unknown(outage.reason)
        }
        Answer::Unavailable(outage) => {
            StepOutcome::refused(outage.reason, Error::SupplierUnavailable(outage.retry_after))
        }
        Answer::Unknown(reason) => StepOutcome::Unknown(reason),
    })
}

/// A hold that its supplier has let go by itself: nothing is asked for, and all of it comes back.
async fn lapsed(platform: &Platform, step: &Step, request: &CancelRequest) -> Result<StepOutcome> {
    let (booking, order) = acted_on(platform, step).await?;
    let terms = RefundTerms::of_unpaid_hold(sale_of(&booking, &order)?, booking.amount.currency())?;
    let quoted = Quoted {
        step: step.clone(),
        request: request.clone(),
        terms: Some(terms),
    };
    cancellation::write_quotes(platform, &booking, vec![quoted]).await?;
    Ok(done(booking.kind, request, None, None))
}

/// Has an order quoted for whose cancellation nobody waits.
async fn quote_anew(platform: &Platform, step: &Step, request: &mut CancelRequest) -> Result<Step> {
    let (booking, order) = acted_on(platform, step).await?;
    let quote = cancellation::quote(platform, &step.supplier, &request.order_id, order.status).await?;
    request.held = order.status == OrderStatus::Held;
    request.quoted = quote.refund;
    request.cancellation_id = Some(quote.id.clone());
    let terms = match step.kind {
        StepKind::Compensate => None,
        _ => {
            let content = order.content.as_ref();
            let charged = content.map(order_content(booking.kind).charged);
            Some(terms(&booking, &order, charged.transpose()?, &quote)?)
        }
    };
    let quoted = Quoted {
        step: step.clone(),
        request: request.clone(),
        terms,
    };
    let written = cancellation::write_quotes(platform, &booking, vec![quoted]).await?;
    let lost = || Error::Internal(format!("the quote of step {} was not written", step.id));
    written.into_iter().next().ok_or_else(lost)
}

/// Writes what has become known of the cancellation's request.
async fn accept(platform: &Platform, step: &Step, request: &CancelRequest) -> Result<()> {
    let known = Step {
        request: serde_json::to_value(request)?,
        ..step.clone()
    };
    let mut connection = platform.database.connection().await?;
    if !steps::update_request(&mut connection, &known, step).await? {
        return Ok(());
    }
    Ok(refunds::named(&mut connection, step, request.cancellation_id.as_deref()).await?)
}

/// Finds out what came of a cancellation.
pub(super) async fn look_up(platform: &Platform, step: &Step, too_late: bool) -> Result<StepOutcome> {
    let request: CancelRequest = serde_json::from_value(step.request.clone())?;
    if request.lapsed {
        return lapsed(platform, step, &request).await;
    }
    let Some(id) = &request.cancellation_id else {
        return match request.requote_until_done {
            true => send(platform, step).await,
            // Whoever wanted it died before the supplier was asked to carry anything out.
            false => Ok(refused("the supplier was not asked".to_owned())),
        };
    };
    let supplier = platform.supplier(&step.supplier)?;
    let product = platform.product_of(&step.supplier)?;
    let found = supplier.find_cancellation(&request.order_id, id).await;
    let may_be_over = too_late && !request.accepted;
    Ok(match fate(found, may_be_over, platform.clock.now()) {
        CancellationFate::Confirmed(id, settled) => done(product, &request, Some(id), settled),
        CancellationFate::Lapsed(_) if request.requote_until_done => {
            let anew = CancelRequest {
                cancellation_id: None,
                ..request
            };
            let step = Step {
                request: serde_json::to_value(&anew)?,
                ..step.clone()
            };
            return send(platform, &step).await;
        }
        CancellationFate::Rejected(reason) | CancellationFate::Lapsed(reason) => refused(reason),
        CancellationFate::Unknown(reason) => StepOutcome::Unknown(reason),
    })
}

/// What became of a cancellation.
#[derive(Debug, PartialEq, Eq)]
enum CancellationFate {
    /// It was carried out under this id, and what was given back at last where its supplier says so.
    Confirmed(String, Option<Money>),
    /// Its supplier says that it never will be.
    Rejected(String),
    /// It was not carried out and can't be any more.
    Lapsed(String),
    /// Nobody knows yet, and why.
    Unknown(String),
}

/// What a look-up says became of a cancellation. It `may_be_over` when the supplier did not say that it has taken it and
/// its longest processing time has passed.
fn fate(found: Answer<CancellationQuote>, may_be_over: bool, now: DateTime<Utc>) -> CancellationFate {
    match found {
        Answer::Done(quote) => match quote.state {
            CancellationState::Confirmed => CancellationFate::Confirmed(quote.id, quote.refund),
            CancellationState::Rejected => CancellationFate::Rejected(REJECTED.to_owned()),
            // Once it may have been sent, time alone proves nothing: only when the supplier's own quote has lapsed
            // can it no longer be carried out.
            CancellationState::Pending if may_be_over && quote.expires_at.is_some_and(|end| end < now) => {
                CancellationFate::Lapsed("not carried out by the supplier".to_owned())
            }
            CancellationState::Pending => CancellationFate::Unknown("not carried out yet".to_owned()),
        },
        Answer::Refused(refusal) if may_be_over => CancellationFate::Lapsed(refusal.text),
        other => CancellationFate::Unknown(other.problem().unwrap_or_default().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use wayfare_supply::CancellationState::{Confirmed, Pending, Rejected};
    use wayfare_supply::Refusal;

    use super::*;

    /// `yes`, `no`, or `?` while nobody knows.
    fn word(found: Answer<CancellationQuote>, may_be_over: bool) -> &'static str {
        match fate(found, may_be_over, "2026-03-01T12:00:00Z".parse().unwrap()) {
            CancellationFate::Confirmed(..) => "yes",
            CancellationFate::Rejected(_) | CancellationFate::Lapsed(_) => "no",
            CancellationFate::Unknown(_) => "?",
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
            assert_eq!(word(found(), false), once_taken, "{state:?} {expires_at:?}");
            assert_eq!(word(found(), true), may_be_over, "{state:?} {expires_at:?}");
        }
        let unheard_of = || Answer::Refused(Refusal::new("there is no such cancellation"));
        assert_eq!((word(unheard_of(), false), word(unheard_of(), true)), ("?", "no"));
        assert_eq!(word(Answer::Unknown("silence".to_owned()), true), "?");
    }
}
