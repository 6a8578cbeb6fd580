//! Cancellations as they are carried out at suppliers.

use wayfare_domain::{OrderStatus, ProductKind, Remarks, StepKind};
use wayfare_pricing::Paid;
use wayfare_store::{
    JsonText,
    booking::{
        refunds,
        steps::{self, Step},
    },
};
use wayfare_supply::{Answer, CancellationState, OrderToCancel};

use crate::{
    Core, Engine, Error, RefundTerms, Result,
    engine::{
        cancellation::{self, CancelRequest, Quoted, acted_on, sale_of},
        refund_quote::{self, Asked, Unclear},
        step::{CancelledOrder, CarriedOut, StepOutcome},
    },
    order_content::order_content,
    scrub::NamedPeople,
    tools::failpoints::moment,
};

/// Why a cancellation that its supplier had taken was not carried out.
pub(super) const REJECTED: &str = "the supplier has rejected the cancellation";

/// That the order was given back, and what its supplier has said of that at last.
pub(crate) fn done(kind: ProductKind, request: &CancelRequest, said: CarriedOut) -> StepOutcome {
    StepOutcome::OrderCancelled(CancelledOrder {
        mark: order_content(kind).mark_cancelled,
        mark_part: order_content(kind).mark_part_cancelled,
        part: request.part.clone(),
        part_total: request.part_total,
        id: said.id.or_else(|| request.cancellation_id.clone()),
        quoted: request.quoted,
        at_most: request.at_most,
        by_terms: request.by_terms,
        settled: said.refund,
        unclear: said.unclear,
    })
}

/// That its supplier did not take the order back.
pub(super) fn refused(reason: String) -> StepOutcome {
    StepOutcome::refused(reason.clone(), Error::SupplierRefused(reason))
}

/// Carries a cancellation out; one that nobody waits for is quoted first.
pub(super) async fn send(engine: &Engine, step: &Step) -> Result<StepOutcome> {
    let mut request: CancelRequest = step.request.parse()?;
    if request.lapsed {
        return lapsed(engine, step, &request).await;
    }
    let mut step = step.clone();
    if request.cancellation_id.is_none() {
        match quote_anew(engine, &step, &mut request).await {
            Ok(Ok(quoted)) => step = quoted,
            // The operator knows meanwhile.
            Ok(Err(Unclear { reason, may_change })) => {
                return Ok(match may_change && request.requote_until_done {
                    true => StepOutcome::Unknown(reason),
                    false => refused(reason),
                });
            }
            Err(error) if matches!(error.plain(), Error::SupplierRefused(_)) => {
                return Ok(StepOutcome::refused(error.to_string(), error));
            }
            Err(error) => return Ok(StepOutcome::Unknown(error.to_string())),
        }
    }
    moment("cancel:quoted");
    let supplier = engine.suppliers.supplier(&step.supplier)?;
    let product = engine.suppliers.product_of(&step.supplier)?;
    let id = request.cancellation_id.clone().unwrap_or_default();
    let remarks = request.remarks.as_ref().map(Remarks::as_str);
    let part = match request.part_to_cancel(engine, &step).await {
        Ok(part) => part,
        // Nothing was sent.
        Err(error @ Error::NotSupported(_)) => return Ok(StepOutcome::refused(error.to_string(), error)),
        Err(error) => return Err(error),
    };
    let answer = supplier.cancel(&request.order_id, &id, remarks, part.as_ref()).await;
    moment("cancel:answered");
    Ok(match answer {
        Answer::Done(done) if done.state == CancellationState::Confirmed => {
            self::done(product, &request, done.into())
        }
        Answer::Done(rejected) if rejected.state == CancellationState::Rejected => {
            refused(REJECTED.to_owned())
        }
        Answer::Done(accepted) => {
            request.accepted = true;
            // Some suppliers name a cancellation only when they have taken it.
            request.cancellation_id = Some(accepted.id);
            accept(&engine.core, &step, &request).await?;
            StepOutcome::Unknown("accepted, to be carried out later".to_owned())
        }
        Answer::Refused(refusal) => {
            StepOutcome::refused_by_supplier(engine, &step, &NamedPeople::default(), refusal, None)
        }
        Answer::Unavailable(outage) if request.requote_until_done => {
            // Nothing was done: it is quoted and asked for anew.
            request.cancellation_id = None;
            accept(&engine.core, &step, &request).await?;
            StepOutcome::Unknown(outage.reason)
        }
        Answer::Unavailable(outage) => StepOutcome::not_sent(engine, &step, outage),
        Answer::Unknown(reason) => StepOutcome::Unknown(reason),
    })
}

/// A hold that its supplier has let go by itself: nothing is asked for, and all of it comes back.
pub(super) async fn lapsed(engine: &Engine, step: &Step, request: &CancelRequest) -> Result<StepOutcome> {
    let (booking, order) = acted_on(&engine.core, step).await?;
    let terms = RefundTerms::of_unpaid_hold(&Paid::of(sale_of(&booking, &order)?)?)?;
    let quoted = Quoted { step: step.clone(), request: request.clone(), terms: Some(terms) };
    cancellation::write_quotes(engine, &booking, vec![quoted]).await?;
    Ok(done(booking.kind, request, CarriedOut::default()))
}

/// Has an order quoted for whose cancellation nobody waits.
async fn quote_anew(
    engine: &Engine,
    step: &Step,
    request: &mut CancelRequest,
) -> Result<Result<Step, Unclear>> {
    let (booking, order) = acted_on(&engine.core, step).await?;
    let content = order.content.as_ref();
    let charged = content.map(order_content(booking.kind).charged).transpose()?;
    let named = request.part_to_cancel(engine, step).await?;
    let (quote, terms) = match step.kind {
        // Nobody has paid for it: whatever comes back, it is given back.
        StepKind::Compensate => {
            let given_back = OrderToCancel {
                id: &request.order_id,
                status: order.status,
                charged,
                part: named.as_ref(),
                kept_by_terms: None,
                first_day: None,
            };
            let quote = cancellation::quote(engine, &step.supplier, given_back).await?;
            if quote.id.is_empty() {
                return Err(Error::SupplierUnavailable(None));
            }
            (quote, None)
        }
        _ => {
            let asked = Asked {
                booking: &booking,
                order: &order,
                order_id: &request.order_id,
                charged,
                part: request.part.as_ref(),
                named: named.as_ref(),
                is_free: false,
                kept_by_terms: None,
                first_day: None,
                repeated_since: request.requote_until_done.then_some(step.sent_at),
            };
            match refund_quote::ask(engine, asked).await? {
                Ok(priced) => (priced.quote, Some(priced.terms)),
                Err(unclear) => return Ok(Err(unclear)),
            }
        }
    };
    request.held = order.status == OrderStatus::Held;
    request.quoted = quote.refund;
    request.at_most = quote.at_most;
    request.part_total = quote.part_total;
    request.cancellation_id = Some(quote.id.clone());
    let quoted = Quoted { step: step.clone(), request: request.clone(), terms };
    let written = cancellation::write_quotes(engine, &booking, vec![quoted]).await?;
    let lost = || Error::Internal(format!("the quote of step {} was not written", step.id));
    written.into_iter().next().ok_or_else(lost).map(Ok)
}

/// Writes what has become known of the cancellation's request.
async fn accept(core: &Core, step: &Step, request: &CancelRequest) -> Result<()> {
    let known = Step { request: JsonText::of(request)?, ..step.clone() };
    let mut connection = core.database.connection().await?;
    if !steps::update_request(&mut connection, &known, step).await? {
        return Ok(());
    }
    Ok(refunds::named(&mut connection, step, request.cancellation_id.as_deref()).await?)
}
