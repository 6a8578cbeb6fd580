//! Cancellations to which no answer came, looked up.
//!
//! Silence alone never makes a cancellation refused. What does, when the supplier has had its processing time and one more
//! deadline, the supplier itself decides ([`RefusalEvidence`]): its order that still stands, its quote that has expired, or
//! nothing at all, and then the operator. One whose quote expires is confirmed once more before (D-130).

use chrono::{DateTime, Duration, Utc};
use wayfare_domain::{Remarks, StepKind};
use wayfare_store::{
    JsonText,
    booking::steps::{self, Step},
};
use wayfare_supply::{AfterSales, Answer, CancellationQuote, CancellationState, RefusalEvidence};

use super::cancel::{REJECTED, done, lapsed, refused, send};
use super::change::ChangeRequest;
use crate::{
    Core, Engine, Result,
    engine::{
        cancellation::CancelRequest,
        step::{CarriedOut, StepOutcome},
    },
    tools::failpoints::moment,
};

/// Finds out what came of a cancellation.
pub(super) async fn look_up(engine: &Engine, step: &Step, now: DateTime<Utc>) -> Result<StepOutcome> {
    let request: CancelRequest = step.request.parse()?;
    if request.lapsed {
        return lapsed(engine, step, &request).await;
    }
    let Some(id) = &request.cancellation_id else {
        return match request.requote_until_done {
            true => send(engine, step).await,
            // Whoever wanted it died before the supplier was asked to carry anything out.
            false => Ok(refused("the supplier was not asked".to_owned())),
        };
    };
    let supplier = engine.suppliers.supplier(&step.supplier)?;
    let product = engine.suppliers.product_of(&step.supplier)?;
    let evidence = supplier.refusal_evidence(id);
    let silence = Silence::of(supplier, step, &request, now);
    let part = request.part_to_cancel(engine, step).await?;
    let order_id = &request.order_id;
    let mut found = supplier.find_cancellation(order_id, id, part.as_ref()).await;
    let mut fate = fate_of(&found, evidence, silence, now);
    if may_be_confirmed_again(&request, &found, evidence, silence, now) {
        if let Some(problem) = confirm_again(engine, supplier, step, &request, id, now).await? {
            return Ok(StepOutcome::Unknown(problem));
        }
        found = supplier.find_cancellation(order_id, id, part.as_ref()).await;
        fate = fate_of(&found, evidence, Silence::Short, now);
    }
    Ok(match fate {
        CancellationFate::Confirmed(said) => done(product, &request, said),
        CancellationFate::Lapsed(_) if request.requote_until_done => {
            let anew = CancelRequest { cancellation_id: None, confirmed_again_at: None, ..request };
            let step = Step { request: JsonText::keeping(anew)?, ..step.clone() };
            return send(engine, &step).await;
        }
        CancellationFate::Rejected(reason) => refused(reason),
        CancellationFate::Lapsed(reason) => StepOutcome::RefusedBySilence(reason),
        CancellationFate::Unknown(reason) => StepOutcome::Unknown(reason),
    })
}

/// From when on the operator may rule that a cancellation or a change was not carried out, where its supplier was asked once
/// more: until then it may be at it, whatever its desk says.
pub(crate) fn refusable_from(supplier: &dyn AfterSales, step: &Step) -> Option<DateTime<Utc>> {
    let asked_at = match step.kind {
        StepKind::Change => step.request.parse::<ChangeRequest>().ok()?.confirmed_again_at,
        _ => {
            let request: CancelRequest = step.request.parse().ok()?;
            request.confirmed_again_at.filter(|_| !request.accepted)
        }
    };
    let config = supplier.config();
    let wait = config.processing_time.saturating_add(config.effect_deadline);
    asked_at?.checked_add_signed(Duration::from_std(wait).ok()?)
}

/// How long a supplier has kept silent about what it was asked at last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Silence {
    /// It may still be at it, or has said that it will carry it out.
    Short,
    /// Its longest processing time has passed.
    Processed,
    Over,
}

impl Silence {
    fn of(supplier: &dyn AfterSales, step: &Step, request: &CancelRequest, now: DateTime<Utc>) -> Self {
        let config = supplier.config();
        let span = |time| Duration::from_std(time).unwrap_or(Duration::MAX);
        let processing = span(config.processing_time);
        let since = request.confirmed_again_at.unwrap_or(step.sent_at);
        match now - since {
            _ if request.accepted => Self::Short,
            silent if silent <= processing => Self::Short,
            silent if silent - processing <= span(config.effect_deadline) => Self::Processed,
            _ => Self::Over,
        }
    }
}

/// Whether the supplier is to be asked once more to carry out what it was asked, as nobody knows.
fn may_be_confirmed_again(
    request: &CancelRequest,
    found: &Answer<CancellationQuote>,
    evidence: RefusalEvidence,
    silence: Silence,
    now: DateTime<Utc>,
) -> bool {
    let is_waiting = |quote: &CancellationQuote| {
        quote.state == CancellationState::Pending && quote.expires_at.is_none_or(|end| end > now)
    };
    request.confirmed_again_at.is_none()
        && silence == Silence::Over
        && evidence == RefusalEvidence::QuoteExpired
        && matches!(found, Answer::Done(quote) if is_waiting(quote))
}

/// Asks the supplier once more to carry out the cancellation of this id. That it was asked is written before, so that
/// nobody asks a third time. What it answers decides nothing, a refusal least of all: it may be at the first one, or have
/// done it. Why it was not asked, if it wasn't.
async fn confirm_again(
    engine: &Engine,
    supplier: &dyn AfterSales,
    step: &Step,
    request: &CancelRequest,
    id: &str,
    now: DateTime<Utc>,
) -> Result<Option<String>> {
    let asked = CancelRequest { confirmed_again_at: Some(now), ..request.clone() };
    let Some(asked_step) = note(&engine.core, step, &asked).await? else {
        return Ok(Some("somebody else has looked it up".to_owned()));
    };
    moment("cancel:again");
    let remarks = request.remarks.as_ref().map(Remarks::as_str);
    let part = request.part_to_cancel(engine, step).await?;
    let answer = supplier.cancel(&request.order_id, id, remarks, part.as_ref()).await;
    moment("cancel:again answered");
    tracing::info!(step = %step.id, problem = answer.problem(), "a cancellation without an answer was confirmed once more");
    match answer {
        Answer::Unavailable(outage) => {
            // Nothing was sent.
            note(&engine.core, &asked_step, request).await?;
            Ok(Some(outage.reason))
        }
        Answer::Done(quote) if quote.state == CancellationState::Pending => {
            let accepted = CancelRequest { accepted: true, ..asked };
            note(&engine.core, &asked_step, &accepted).await?;
            Ok(None)
        }
        Answer::Done(_) | Answer::Refused(_) | Answer::Unknown(_) => Ok(None),
    }
}

/// Writes what has become known of the request: the step with it, unless somebody else has taken or changed it meanwhile,
/// or the operator has ruled.
async fn note(core: &Core, step: &Step, request: &CancelRequest) -> Result<Option<Step>> {
    let request = JsonText::of(request)?;
    let mut connection = core.database.connection().await?;
    let is_written = steps::note_request(&mut connection, step, &request).await?;
    Ok(is_written.then(|| Step { request, ..step.clone() }))
}

#[derive(Debug, PartialEq, Eq)]
enum CancellationFate {
    /// It was carried out, and what its supplier says of that.
    Confirmed(CarriedOut),
    /// Its supplier says that it never will be.
    Rejected(String),
    /// It was not carried out and can't be any more.
    Lapsed(String),
    /// Nobody knows yet, and why.
    Unknown(String),
}

/// What a look-up says became of a cancellation, after so long a silence.
fn fate_of(
    found: &Answer<CancellationQuote>,
    evidence: RefusalEvidence,
    silence: Silence,
    now: DateTime<Utc>,
) -> CancellationFate {
    let quote = match found {
        Answer::Done(quote) => quote,
        // Its supplier knows of none that waits: it carries them out in the call or never.
        Answer::Refused(refusal) if silence >= Silence::Processed => {
            return CancellationFate::Lapsed(refusal.text.clone());
        }
        other => return CancellationFate::Unknown(other.problem().unwrap_or_default().to_owned()),
    };
    let is_over = match evidence {
        RefusalEvidence::OrderStands => true,
        RefusalEvidence::QuoteExpired => quote.expires_at.is_some_and(|end| end < now),
        RefusalEvidence::Nothing => false,
    };
    match quote.state {
        CancellationState::Confirmed => CancellationFate::Confirmed(quote.clone().into()),
        CancellationState::Rejected => CancellationFate::Rejected(REJECTED.to_owned()),
        CancellationState::Pending if is_over && silence == Silence::Over => {
            CancellationFate::Lapsed("not carried out by the supplier".to_owned())
        }
        CancellationState::Pending => CancellationFate::Unknown("not carried out yet".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use wayfare_supply::{
        CancellationState::{Confirmed, Pending, Rejected},
        Outage, Refusal,
        RefusalEvidence::{Nothing, OrderStands, QuoteExpired},
    };

    use super::*;
    use Silence::{Over, Processed, Short};

    const NOW: &str = "2026-03-01T12:00:00Z";
    const EARLIER: Option<&str> = Some("2026-03-01T11:59:59Z");
    const LATER: Option<&str> = Some("2026-03-01T12:00:01Z");

    fn now() -> DateTime<Utc> {
        NOW.parse().unwrap()
    }

    fn quote(state: CancellationState, expires_at: Option<&str>) -> Answer<CancellationQuote> {
        Answer::Done(CancellationQuote {
            id: "AM1".to_owned(),
            refund: None,
            at_most: None,
            unclear: None,
            part_total: None,
            expires_at: expires_at.map(|end| end.parse().unwrap()),
            state,
            raw: Value::Null,
        })
    }

    /// `yes`, `no`, or `?` while nobody knows.
    fn word(found: &Answer<CancellationQuote>, evidence: RefusalEvidence, silence: Silence) -> &'static str {
        match fate_of(found, evidence, silence, now()) {
            CancellationFate::Confirmed(..) => "yes",
            CancellationFate::Rejected(_) | CancellationFate::Lapsed(_) => "no",
            CancellationFate::Unknown(_) => "?",
        }
    }

    #[test]
    fn after_silence_each_supplier_has_its_own_evidence_that_an_order_was_not_given_back() {
        let unheard_of = || Answer::Refused(Refusal::new("there is no such cancellation"));
        let silence = || Answer::Unknown("silence".to_owned());
        let away = || Answer::Unavailable(Outage::new("away"));
        #[rustfmt::skip]
        let table = [
            // what is found           evidence      short processed over
            (quote(Confirmed, None),    OrderStands,  ["yes", "yes", "yes"]),
            (quote(Confirmed, EARLIER), QuoteExpired, ["yes", "yes", "yes"]),
            (quote(Confirmed, None),    Nothing,      ["yes", "yes", "yes"]),
            (quote(Rejected, None),     OrderStands,  ["no",  "no",  "no"]),
            (quote(Rejected, None),     Nothing,      ["no",  "no",  "no"]),
            (quote(Pending, None),      OrderStands,  ["?",   "?",   "no"]),
            (quote(Pending, None),      QuoteExpired, ["?",   "?",   "?"]),
            (quote(Pending, LATER),     QuoteExpired, ["?",   "?",   "?"]),
            (quote(Pending, EARLIER),   QuoteExpired, ["?",   "?",   "no"]),
            (quote(Pending, None),      Nothing,      ["?",   "?",   "?"]),
            (quote(Pending, EARLIER),   Nothing,      ["?",   "?",   "?"]),
            (unheard_of(),              OrderStands,  ["?",   "no",  "no"]),
            (silence(),                 OrderStands,  ["?",   "?",   "?"]),
            (away(),                    QuoteExpired, ["?",   "?",   "?"]),
        ];
        for (found, evidence, words) in table {
            let fates = [Short, Processed, Over].map(|silence| word(&found, evidence, silence));
            assert_eq!(fates, words, "{found:?} {evidence:?}");
        }
    }

    #[test]
    fn only_a_quote_that_has_not_expired_is_confirmed_again_and_only_once() {
        let asked = CancelRequest::of("ord_1");
        let asked_again = CancelRequest { confirmed_again_at: Some(now()), ..asked.clone() };
        let again = |request, found, evidence, silence| {
            may_be_confirmed_again(request, &found, evidence, silence, now())
        };
        assert!(again(&asked, quote(Pending, LATER), QuoteExpired, Over));
        assert!(again(&asked, quote(Pending, None), QuoteExpired, Over));
        assert!(!again(&asked_again, quote(Pending, LATER), QuoteExpired, Over));
        assert!(!again(&asked, quote(Pending, LATER), QuoteExpired, Processed));
        assert!(!again(&asked, quote(Pending, EARLIER), QuoteExpired, Over));
        assert!(!again(&asked, quote(Confirmed, LATER), QuoteExpired, Over));
        assert!(!again(&asked, quote(Rejected, LATER), QuoteExpired, Over));
        for evidence in [OrderStands, Nothing] {
            assert!(!again(&asked, quote(Pending, LATER), evidence, Over));
        }
        let unknown = Answer::Unknown("silence".to_owned());
        assert!(!again(&asked, unknown, QuoteExpired, Over));
    }
}
