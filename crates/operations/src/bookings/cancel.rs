//! Bookings that are given back: what it would cost, and doing it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::future::try_join_all;
use serde_json::Value;
use wayfare_domain::{BookingId, BookingRef, EventKind, Money, OrderStatus, Product, RefundStatus, StepKind};
use wayfare_pricing::Sale;
use wayfare_store::booking::{
    bookings::{self, Booking, Order},
    refunds::{self, Refund},
    steps::{self as rows, Step},
};
use wayfare_supply::{Answer, CancellationQuote, CancellationState};

use crate::{
    Caller, Error, Platform, RefundTerms, Result,
    access::idempotency::IdempotencyKey,
    bookings::{Booked, load, order_id},
    engine::{
        begin_step::{self, BeginSteps, StepRequest, nothing_pending},
        product,
        purchase::{Outcome, standing, stands},
        run::{self, Progress, Sent},
        steps::cancel::{self, CancelRequest, Quoted, REJECTED},
    },
    money::posting_rules::Returned,
    tools::{detached::read_result, failpoints::moment},
};

/// How the booking's cancellation stands: for a request that is made again.
///
/// # Errors
/// [`Error::NotFound`] for another's booking too.
pub async fn cancellation<P: Product>(
    platform: &Platform,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Cancelled> {
    let booked: Booked<P> = load(platform, caller, reference).await?;
    let mut connection = platform.database.connection().await?;
    let refunds = refunds::of(&mut connection, booked.booking.organization, booked.booking.id).await?;
    Cancelled::of(&refunds)
}

/// What cancelling would cost (P-10).
#[derive(Clone, Debug)]
pub struct Penalty<P> {
    /// The booking.
    pub booking: Booking<P>,
    /// What would come back.
    pub terms: RefundTerms,
}

/// Asks the suppliers what cancelling would cost. The same question and the same sum as a cancellation's.
///
/// # Errors
/// The state's error (P-18), a supplier's refusal or outage.
pub async fn penalty<P: Product>(
    platform: &Platform,
    caller: &Caller,
    reference: &BookingRef,
) -> Result<Penalty<P>> {
    let booked = load(platform, caller, reference).await?;
    let terms = refund_of(platform, &booked).await?;
    Ok(Penalty {
        booking: booked.booking,
        terms,
    })
}

/// What would come back of a booking, as its suppliers say now.
///
/// # Errors
/// As [`penalty`].
pub(crate) async fn refund_of<P: Product>(platform: &Platform, booked: &Booked<P>) -> Result<RefundTerms> {
    standing(&booked.booking)?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut connection = platform.database.connection().await?;
    let under_way = rows::under_way_on(&mut connection, organization, id).await?;
    drop(connection);
    // A new quote would make the one stale that is being carried out.
    nothing_pending(&under_way)?;
    let quotes = quotes(platform, booked).await?;
    RefundTerms::together(
        quotes.into_iter().map(|(_, _, terms)| terms),
        booked.booking.amount.currency(),
    )
}

/// The suppliers' quotes for each order that stands, and what they come to for the wallet.
async fn quotes<'a, P: Product>(
    platform: &Platform,
    booked: &'a Booked<P>,
) -> Result<Vec<(&'a Order<P::Order>, CancellationQuote, RefundTerms)>> {
    let quote = async |order: &'a Order<P::Order>| {
        let quote = quote(platform, &order.supplier, order_id(order)?, order.status).await?;
        let charged = order.content.as_ref().map(|content| P::facts(content).total);
        let terms = terms(&booked.booking, order, charged, &quote)?;
        Ok::<_, Error>((order, quote, terms))
    };
    try_join_all(booked.orders.iter().filter(|order| stands(order)).map(quote)).await
}

async fn quote(
    platform: &Platform,
    supplier: &str,
    order_id: &str,
    status: OrderStatus,
) -> Result<CancellationQuote> {
    let supplier = platform.supplier(supplier)?;
    read_result(supplier.quote_cancellation(order_id, status).await)
}

/// What a quote for an order comes to for the wallet.
fn terms<P, O>(
    booking: &Booking<P>,
    order: &Order<O>,
    charged: Option<Money>,
    quote: &CancellationQuote,
) -> Result<RefundTerms> {
    let currency = booking.amount.currency();
    let sale = sale_of(booking, order)?;
    if order.status == OrderStatus::Held {
        return RefundTerms::of_unpaid_hold(sale, currency);
    }
    let refund = quote.refund.ok_or_else(|| {
        Error::SupplierRefused("the supplier does not say what it would give back".to_owned())
    })?;
    let charged = charged.unwrap_or(refund);
    RefundTerms::of(sale, Returned { charged, refund }, currency)
}

/// What the order was sold for.
fn sale_of<'a, P, O>(booking: &'a Booking<P>, order: &Order<O>) -> Result<&'a Sale> {
    let sale = booking.sale(order.number);
    sale.ok_or_else(|| Error::Internal(format!("order {} has no price", order.reference)))
}

/// How a cancellation stands when the call ends.
#[derive(Clone, Debug)]
pub enum Cancelled {
    /// Given back; this much of it is in the wallet.
    Done(RefundTerms),
    /// A supplier has not said so yet; the worker finds out.
    Pending,
}

impl Cancelled {
    fn of(refunds: &[Refund]) -> Result<Self> {
        let done = |refund: &Refund| refund.status == RefundStatus::Refunded;
        match refunds.first() {
            Some(first) if refunds.iter().all(done) => {
                let currency = first.refund_to_wallet.currency();
                let terms = refunds.iter().map(RefundTerms::from);
                Ok(Self::Done(RefundTerms::together(terms, currency)?))
            }
            _ => Ok(Self::Pending),
        }
    }
}

/// Cancels: writes the intent, asks the suppliers what they give back, lets them carry that out one after the other,
/// pays back. `reason` is why the client wants it, for the journal.
///
/// # Errors
/// The state's error (P-18), a supplier's refusal or outage; what it refused stands then.
pub async fn cancel<P: Product>(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
    reason: Option<String>,
    key: Option<&IdempotencyKey>,
) -> Result<Cancelled> {
    let booked: Booked<P> = load(platform, caller, reference).await?;
    standing(&booked.booking)?;
    let wishes = booked.orders.iter().filter(|order| stands(order));
    let request = BeginSteps {
        booking: &booked.booking,
        kind: StepKind::Cancel,
        action: EventKind::BookingCancelRequested,
        reason,
        requests: wishes
            .map(|order| StepRequest::on(order, &CancelRequest::of(order_id(order)?)))
            .collect::<Result<_>>()?,
        service: None,
    };
    let steps = begin_step::open(platform, &caller.actor(), request, key.map(|key| (caller, key))).await?;
    let carried_out = {
        let (platform, caller, reference) = (platform.clone(), caller.clone(), reference.clone());
        async move {
            // As it is now that nobody else changes it.
            let booked: Booked<P> = load(&platform, &caller, &reference).await?;
            quote_and_carry_out(&platform, &caller, &booked, steps).await
        }
    };
    run::within_patience(platform, reference, Cancelled::Pending, carried_out).await
}

async fn quote_and_carry_out<P: Product>(
    platform: &Platform,
    caller: &Caller,
    booked: &Booked<P>,
    steps: Vec<Step>,
) -> Result<Cancelled> {
    let actor = caller.actor();
    moment("cancel:opened");
    let noted = match quotes(platform, booked).await {
        Ok(quotes) => {
            let quoted = steps.iter().zip(quotes);
            let quoted = quoted
                .map(|(step, (order, quote, terms))| Quoted {
                    step: step.clone(),
                    request: CancelRequest {
                        held: order.status == OrderStatus::Held,
                        quoted: quote.refund,
                        cancellation_id: Some(quote.id),
                        ..CancelRequest::of(order.supplier_order_id.as_deref().unwrap_or_default())
                    },
                    terms: Some(terms),
                })
                .collect();
            cancel::note(platform, &booked.booking, quoted).await?
        }
        Err(error) => {
            // Nothing that matters was asked for: the booking stands.
            if let Some(first) = steps.first() {
                let ending = Outcome::NotCancelled(error.to_string());
                run::complete_and_continue(platform, &actor, first, ending).await?;
            }
            return Err(match error {
                Error::Store(_) | Error::Internal(_) => Error::SupplierUnavailable(None),
                decided => decided,
            });
        }
    };
    let Some(first) = noted.first() else {
        return Err(Error::BookingCancelled);
    };
    let progress = run::run_saga(platform, &actor, first).await?;
    told(progress, booked.booking.id)
}

/// What the caller is told of it.
fn told(mut progress: Progress, booking: BookingId) -> Result<Cancelled> {
    if let Some(error) = progress.error.take() {
        return Err(error);
    }
    if progress.open {
        return Ok(Cancelled::Pending);
    }
    let closed = progress.of(booking);
    closed.map_or(Ok(Cancelled::Pending), |closed| Cancelled::of(&closed.refunds))
}

/// Carries a cancellation out; one that nobody waits for is quoted first.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn send(platform: &Platform, step: &Step) -> Result<Sent> {
    let mut request: CancelRequest = serde_json::from_value(step.request.clone())?;
    if request.lapsed {
        return lapsed(platform, step, &request).await;
    }
    let mut step = step.clone();
    if request.cancellation_id.is_none() {
        match quote_anew(platform, &step, &mut request).await {
            Ok(noted) => step = noted,
            Err(Error::SupplierRefused(reason)) => {
                let error = Error::SupplierRefused(reason.clone());
                return Ok(Sent::refused(cancel::refused(&step, reason), error));
            }
            Err(error) => return Ok(Sent::Open(error.to_string())),
        }
    }
    moment("cancel:quoted");
    let supplier = platform.supplier(&step.supplier)?;
    let product = platform.product_of(&step.supplier)?;
    let id = request.cancellation_id.clone().unwrap_or_default();
    let answer = supplier.cancel(&request.order_id, &id).await;
    moment("cancel:answered");
    Ok(match answer {
        Answer::Done(done) if done.state == CancellationState::Confirmed => Sent::ended(cancel::ended(
            &step,
            cancel::done(product, &request, Some(done.id), done.refund),
        )),
        Answer::Done(rejected) if rejected.state == CancellationState::Rejected => Sent::refused(
            cancel::refused(&step, REJECTED.to_owned()),
            Error::SupplierRefused(REJECTED.to_owned()),
        ),
        Answer::Done(accepted) => {
            request.accepted = true;
            // Some suppliers name a cancellation only when they have taken it.
            request.cancellation_id = Some(accepted.id);
            accept(platform, &step, &request).await?;
            Sent::Open("accepted, to be carried out later".to_owned())
        }
        Answer::Refused(refusal) => Sent::refused(
            cancel::refused(&step, refusal.text.clone()),
            Error::SupplierRefused(refusal.text),
        ),
        Answer::Unavailable(outage) if request.requote_until_done => {
            // Nothing was done: it is quoted and asked for anew.
            request.cancellation_id = None;
            accept(platform, &step, &request).await?;
            Sent::Open(outage.reason)
        }
        Answer::Unavailable(outage) => Sent::refused(
            cancel::refused(&step, outage.reason),
            Error::SupplierUnavailable(outage.retry_after),
        ),
        Answer::Unknown(reason) => Sent::Open(reason),
    })
}

/// A hold that its supplier has let go by itself: nothing is asked for, and all of it comes back.
async fn lapsed(platform: &Platform, step: &Step, request: &CancelRequest) -> Result<Sent> {
    let (booking, order) = acted_on(platform, step).await?;
    let terms = RefundTerms::of_unpaid_hold(sale_of(&booking, &order)?, booking.amount.currency())?;
    let quoted = Quoted {
        step: step.clone(),
        request: request.clone(),
        terms: Some(terms),
    };
    cancel::note(platform, &booking, vec![quoted]).await?;
    let given_back = cancel::done(booking.kind, request, None, None);
    Ok(Sent::ended(cancel::ended(step, given_back)))
}

/// The booking and the order that a step acts on.
async fn acted_on(platform: &Platform, step: &Step) -> Result<(Booking<()>, Order<Value>)> {
    let mut connection = platform.database.connection().await?;
    let (organization, id) = (step.organization, step.booking);
    let booking = bookings::by_id(&mut connection, organization, id).await?;
    let mut orders = bookings::orders_of(&connection, &[(organization, id)]).await?;
    let mut orders = orders.remove(&id).unwrap_or_default().into_iter();
    let order = orders.find(|order| order.number == step.number);
    let order = order.ok_or_else(|| Error::Internal(format!("effect {} has no order", step.id)))?;
    Ok((booking, order))
}

/// Has an order quoted for whose cancellation nobody waits.
async fn quote_anew(platform: &Platform, step: &Step, request: &mut CancelRequest) -> Result<Step> {
    let (booking, order) = acted_on(platform, step).await?;
    let quote = quote(platform, &step.supplier, &request.order_id, order.status).await?;
    request.held = order.status == OrderStatus::Held;
    request.quoted = quote.refund;
    request.cancellation_id = Some(quote.id.clone());
    let terms = match step.kind {
        StepKind::Compensate => None,
        _ => {
            let content = order.content.as_ref();
            let charged = content.map(|content| product::charged(booking.kind, content));
            Some(terms(&booking, &order, charged.transpose()?, &quote)?)
        }
    };
    let quoted = Quoted {
        step: step.clone(),
        request: request.clone(),
        terms,
    };
    let noted = cancel::note(platform, &booking, vec![quoted]).await?;
    let lost = || Error::Internal(format!("effect {} was not noted", step.id));
    noted.into_iter().next().ok_or_else(lost)
}

/// Writes what has become known of the cancellation's request.
async fn accept(platform: &Platform, step: &Step, request: &CancelRequest) -> Result<()> {
    let known = Step {
        request: serde_json::to_value(request)?,
        ..step.clone()
    };
    let mut connection = platform.database.connection().await?;
    if !rows::note(&mut connection, &known, step).await? {
        return Ok(());
    }
    Ok(refunds::named(&mut connection, step, request.cancellation_id.as_deref()).await?)
}

/// Finds out what came of a cancellation.
///
/// # Errors
/// When the database can't be asked.
pub(crate) async fn look_up(platform: &Platform, step: &Step, too_late: bool) -> Result<Sent> {
    let request: CancelRequest = serde_json::from_value(step.request.clone())?;
    if request.lapsed {
        return lapsed(platform, step, &request).await;
    }
    let Some(id) = &request.cancellation_id else {
        return match request.requote_until_done {
            true => send(platform, step).await,
            // Whoever wanted it died before the supplier was asked to carry anything out.
            false => Ok(Sent::ended(cancel::refused(
                step,
                "the supplier was not asked".to_owned(),
            ))),
        };
    };
    let supplier = platform.supplier(&step.supplier)?;
    let product = platform.product_of(&step.supplier)?;
    let found = supplier.find_cancellation(&request.order_id, id).await;
    let may_be_over = too_late && !request.accepted;
    Ok(match became(found, may_be_over, platform.clock.now()) {
        Became::Confirmed(id, settled) => Sent::ended(cancel::ended(
            step,
            cancel::done(product, &request, Some(id), settled),
        )),
        Became::Lapsed(_) if request.requote_until_done => {
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
        Became::Rejected(reason) | Became::Lapsed(reason) => Sent::ended(cancel::refused(step, reason)),
        Became::Unknown(reason) => Sent::Open(reason),
    })
}

/// What became of a cancellation.
#[derive(Debug, PartialEq, Eq)]
enum Became {
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
fn became(found: Answer<CancellationQuote>, may_be_over: bool, now: DateTime<Utc>) -> Became {
    match found {
        Answer::Done(quote) => match quote.state {
            CancellationState::Confirmed => Became::Confirmed(quote.id, quote.refund),
            CancellationState::Rejected => Became::Rejected(REJECTED.to_owned()),
            // Once it may have been sent, time alone proves nothing: only when the supplier's own quote has lapsed
            // can it no longer be carried out.
            CancellationState::Pending if may_be_over && quote.expires_at.is_some_and(|end| end < now) => {
                Became::Lapsed("not carried out by the supplier".to_owned())
            }
            CancellationState::Pending => Became::Unknown("not carried out yet".to_owned()),
        },
        Answer::Refused(refusal) if may_be_over => Became::Lapsed(refusal.text),
        other => Became::Unknown(other.problem().unwrap_or_default().to_owned()),
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
        match became(found, may_be_over, "2026-03-01T12:00:00Z".parse().unwrap()) {
            Became::Confirmed(..) => "yes",
            Became::Rejected(_) | Became::Lapsed(_) => "no",
            Became::Unknown(_) => "?",
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
