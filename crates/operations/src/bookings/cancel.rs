//! Bookings that are given back: what it would cost, and doing it.

use std::sync::Arc;

use futures_util::{FutureExt, future::try_join_all};
use wayfare_domain::{
    BookingId, BookingRef, ChangeId, EventKind, OrderStatus, Product, RefundStatus, Remarks, StepKind,
};
use wayfare_store::booking::{
    bookings::{Booking, Order},
    refunds::{self, Refund},
    steps::{self, Step},
};
use wayfare_supply::{CancellationQuote, OrderToCancel, on_behalf_of};

use crate::{
    Caller, Error, Platform, RefundTerms, Result,
    access::idempotency::IdempotencyKey,
    bookings::{Booked, load_without_names, order_id},
    engine::{
        begin_step::{self, BeginSteps, StepRequest},
        booking_state::{check_confirmed, is_live, nothing_pending},
        cancellation::{self, CancelRequest, Quoted, terms},
        note::Note,
        patience::within_patience,
        saga::{self, Progress},
        step::StepOutcome,
        step_lease,
    },
    tools::failpoints::moment,
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
    let booked: Booked<P> = load_without_names(platform, caller, reference).await?;
    let mut connection = platform.database.connection().await?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut refunds = refunds::of(&mut connection, organization, id).await?;
    // What another booking has taken the place of was not cancelled here.
    let replaced = steps::replaced_orders(&mut connection, organization, id).await?;
    refunds.retain(|refund| {
        !replaced
            .iter()
            .any(|order| order.done && order.number == refund.number)
    });
    Cancelled::of(refunds.iter())
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
    let booked = load_without_names(platform, caller, reference).await?;
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
    refund_of_orders(platform, booked, GivenBack::default()).await
}

/// Which orders of a booking are given back, and why.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GivenBack {
    /// Only this one; all that stand where none is named.
    pub order: Option<u16>,
    /// What its airline changed, where that is refused.
    pub refused_change: Option<ChangeId>,
}

impl GivenBack {
    fn names<O>(self, order: &Order<O>) -> bool {
        is_live(order) && self.order.is_none_or(|number| number == order.number)
    }
}

/// What would come back of these orders of a booking, as their suppliers say now.
///
/// # Errors
/// As [`penalty`].
pub(crate) async fn refund_of_orders<P: Product>(
    platform: &Platform,
    booked: &Booked<P>,
    given_back: GivenBack,
) -> Result<RefundTerms> {
    check_confirmed(&booked.booking)?;
    let (organization, id) = (booked.booking.organization, booked.booking.id);
    let mut connection = platform.database.connection().await?;
    let under_way = steps::under_way_on(&mut connection, organization, id).await?;
    drop(connection);
    // A new quote would make the one stale that is being carried out.
    nothing_pending(&under_way)?;
    let quotes = quotes(platform, booked, given_back).await?;
    RefundTerms::together(
        quotes.into_iter().map(|(_, _, terms)| terms),
        booked.booking.amount.currency(),
    )
}

/// The suppliers' quotes for each order that stands, and what they come to for the wallet.
async fn quotes<'a, P: Product>(
    platform: &Platform,
    booked: &'a Booked<P>,
    given_back: GivenBack,
) -> Result<Vec<(&'a Order<P::Order>, CancellationQuote, RefundTerms)>> {
    let quote = async |order: &'a Order<P::Order>| {
        let charged = order.content.as_ref().map(|content| P::facts(content).total);
        let given_back = OrderToCancel {
            id: order_id(order)?,
            status: order.status,
            charged,
        };
        let asked = cancellation::quote(platform, &order.supplier, given_back);
        let quote = on_behalf_of(booked.booking.organization, asked).await?;
        let terms = terms(&booked.booking, order, charged, &quote)?;
        Ok::<_, Error>((order, quote, terms))
    };
    let orders = booked.orders.iter().filter(|order| given_back.names(order));
    try_join_all(orders.map(quote)).await
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
    fn of<'a>(refunds: impl Iterator<Item = &'a Refund> + Clone) -> Result<Self> {
        let done = |refund: &Refund| refund.status == RefundStatus::Refunded;
        match refunds.clone().next() {
            Some(first) if refunds.clone().all(done) => {
                let currency = first.refund_to_wallet.currency();
                let terms = refunds.map(RefundTerms::from);
                Ok(Self::Done(RefundTerms::together(terms, currency)?))
            }
            _ => Ok(Self::Pending),
        }
    }
}

/// Cancels: writes the steps, asks the suppliers what they give back, lets them carry that out one after the other,
/// pays back. `note` is what the client says beside it, for the audit log and for suppliers that read it.
///
/// # Errors
/// The state's error (P-18), a supplier's refusal or outage; what it refused stands then.
pub async fn cancel<P: Product>(
    platform: &Arc<Platform>,
    caller: &Caller,
    reference: &BookingRef,
    note: Option<Note>,
    key: Option<&IdempotencyKey>,
) -> Result<Cancelled> {
    let booked: Booked<P> = load_without_names(platform, caller, reference).await?;
    check_confirmed(&booked.booking)?;
    let note = match note {
        Some(note) => Some(note.scrubbed_of(platform, &booked.booking).await?),
        None => None,
    };
    cancel_orders(platform, caller, booked, GivenBack::default(), note, key).await
}

/// The same of these orders of a booking that stands.
///
/// # Errors
/// As [`cancel`].
pub(crate) async fn cancel_orders<P: Product>(
    platform: &Arc<Platform>,
    caller: &Caller,
    booked: Booked<P>,
    given_back: GivenBack,
    note: Option<Note>,
    key: Option<&IdempotencyKey>,
) -> Result<Cancelled> {
    let reference = &booked.booking.reference.clone();
    let remarks = note.as_ref().map(|note| note.remarks().clone());
    let request_of = |order_id: &str| CancelRequest {
        refused_change: given_back.refused_change,
        ..CancelRequest::of(order_id).saying(remarks.as_ref())
    };
    let wishes = booked.orders.iter().filter(|order| given_back.names(order));
    let request = BeginSteps {
        booking: &booked.booking,
        kind: StepKind::Cancel,
        action: EventKind::BookingCancelRequested,
        note,
        requests: wishes
            .map(|order| StepRequest::on(order, &request_of(order_id(order)?)))
            .collect::<Result<_>>()?,
        service: None,
        by_itself: false,
    };
    let steps = begin_step::open(platform, &caller.actor(), request, key.map(|key| (caller, key))).await?;
    let carried_out = {
        let (platform, caller, reference) = (platform.clone(), caller.clone(), reference.clone());
        async move {
            // As it is now that nobody else changes it.
            let booked: Booked<P> = load_without_names(&platform, &caller, &reference).await?;
            quote_and_carry_out(&platform, &caller, &booked, given_back, steps, remarks).await
        }
    };
    within_patience(platform, reference, Cancelled::Pending, carried_out).await
}

async fn quote_and_carry_out<P: Product>(
    platform: &Platform,
    caller: &Caller,
    booked: &Booked<P>,
    given_back: GivenBack,
    steps: Vec<Step>,
    remarks: Option<Remarks>,
) -> Result<Cancelled> {
    let actor = caller.actor();
    moment("cancel:opened");
    let quoted = quotes(platform, booked, given_back);
    let quoted = match steps.first() {
        Some(first) => step_lease::sending(platform, first, quoted.boxed()).await,
        None => quoted.await,
    };
    let written = match quoted {
        Ok(quotes) => {
            let quoted = steps.iter().zip(quotes);
            let quoted = quoted
                .map(|(step, (order, quote, terms))| Quoted {
                    step: step.clone(),
                    request: CancelRequest {
                        held: order.status == OrderStatus::Held,
                        quoted: quote.refund,
                        cancellation_id: Some(quote.id),
                        refused_change: given_back.refused_change,
                        ..CancelRequest::of(order.supplier_order_id.as_deref().unwrap_or_default())
                            .saying(remarks.as_ref())
                    },
                    terms: Some(terms),
                })
                .collect();
            cancellation::write_quotes(platform, &booked.booking, quoted).await?
        }
        Err(error) => {
            // Nothing that matters was asked for: the booking stands.
            if let Some(first) = steps.first() {
                let outcome = StepOutcome::Refused(error.to_string(), None);
                saga::complete_and_continue(platform, &actor, first, outcome).await?;
            }
            return Err(match error {
                Error::Store(_) | Error::Internal(_) => Error::SupplierUnavailable(None),
                decided => decided,
            });
        }
    };
    let Some(first) = written.first() else {
        return Err(Error::BookingCancelled);
    };
    let progress = saga::run_saga(platform, &actor, first, None).await?;
    result(progress, booked.booking.id, &written)
}

/// What the caller is answered: of what these steps gave back, not of what came back before.
fn result(mut progress: Progress, booking: BookingId, steps: &[Step]) -> Result<Cancelled> {
    if let Some(error) = progress.error.take() {
        return Err(error);
    }
    if progress.open {
        return Ok(Cancelled::Pending);
    }
    let closed = progress.of(booking);
    let is_theirs = |refund: &&Refund| steps.iter().any(|step| step.number == refund.number);
    closed.map_or(Ok(Cancelled::Pending), |closed| {
        Cancelled::of(closed.refunds.iter().filter(is_theirs))
    })
}
